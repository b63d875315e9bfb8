"""Whether an error carries an answer of the remote, so that nothing of its request acts any more.

Only errors that an HTTP client makes from a response count. A status alone proves nothing: servers raise errors with one,
too, for instance after a time-out of their own request. Java and TypeScript have the same rule, and their tests read the
same cases.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

_DEEPEST = 10
# Their errors have the status and the headers of the response themselves: the class, and its name for the status.
_CLIENTS = {
    "aiohttp.client_exceptions.ClientResponseError": "status",
    "stripe._error.StripeError": "http_status",
    "stripe.error.StripeError": "http_status",
    "urllib.error.HTTPError": "code",
}
# Servers raise errors with the response that they mean to give.
_SERVERS = ("werkzeug.", "django.", "starlette.", "fastapi.", "falcon.", "sanic.")


def is_answered(error: BaseException, inner: Callable[[BaseException], bool]) -> bool:
    """``inner`` finds errors of calls inside this one, which tell nothing about the call around them."""
    each: Optional[BaseException] = error
    for _ in range(_DEEPEST):
        if each is None or inner(each):
            return False
        try:
            status = _status(each)
        except Exception:
            return False  # what can't be read tells nothing
        if status is not None:
            return ends_the_work(status)
        # What an error was raised *from* is its cause; what was handled meanwhile may be of another request.
        each = each.__cause__
    return False


def ends_the_work(status: int) -> bool:
    """Whether a status ends the work on a request. Gateways give some for requests that they have passed on."""
    return 400 <= status < 520 and status not in (408, 499, 502, 503, 504)


def _status(error: BaseException) -> Optional[int]:
    names = ["%s.%s" % (each.__module__, each.__qualname__) for each in type(error).__mro__]
    for name in names:
        if name in _CLIENTS:
            return _whole(getattr(error, _CLIENTS[name], None))
    if any(name.startswith(_SERVERS) for name in names):
        return None
    response: Any = getattr(error, "response", None)
    if isinstance(response, dict):  # botocore
        about = response.get("ResponseMetadata")
        return _whole(about.get("HTTPStatusCode")) if isinstance(about, dict) else None
    if response is None or getattr(response, "headers", None) is None:
        return None
    return _whole(getattr(response, "status_code", getattr(response, "status", None)))


def _whole(value: Any) -> Optional[int]:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
