"""Idempotency keys for FastAPI, Starlette and every other ASGI application, in one line::

    app.add_middleware(IdempotencyKeys, idem=idem, caller=lambda request: request.headers.get("x-user"))

A request with the header ``Idempotency-Key`` runs its handler once; each duplicate gets the stored response. The rules are
those of docs/http.md. Keys belong to their caller, so the middleware has to know the caller: by the function ``caller``, or
by Starlette's AuthenticationMiddleware, which then has to be added *after* this one, so that it runs before it.
"""

from __future__ import annotations

import asyncio
import datetime
import importlib
import inspect
import logging
import uuid
from typing import Any, Awaitable, Callable, Dict, Iterable, List, Optional, Sequence, Union

from idem import Idem, plan
from idem.errors import a

from . import http_paths, http_rules
from .asgi_exchange import GUARDED, App, DoubtfulResponse, Exchange, Receive, Request, Rules, Scope, Send, send
from .http_body import Body, media_type
from .http_rules import Key, Malformed, Meanings, Problem, Response, StoredHeaders

__all__ = ["DoubtfulResponse", "IdempotencyKeys"]

Caller = Union[None, str, Sequence[str]]

_log = logging.getLogger("idem.http")

_NEVER_GUARDED = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class IdempotencyKeys:
    """Middleware that runs each guarded request once for its key, and answers duplicates with the stored response."""

    def __init__(
        self,
        app: App,
        idem: Idem,
        *,
        caller: Optional[Callable[[Any], Union[Caller, Awaitable[Caller]]]] = None,
        principal_required: bool = True,
        key_required: bool = False,
        methods: Iterable[str] = ("POST", "PUT", "PATCH", "DELETE"),
        final_on: Iterable[int] = (),
        released_on: Iterable[int] = (),
        doubtful_on: Iterable[int] = (),
        stored_headers: Iterable[str] = (),
        largest_body: int = 100 << 20,
        largest_stored_body: int = 1 << 20,
        retention: datetime.timedelta = datetime.timedelta(days=7),
        wait: float = 10.0,
        waiters: int = 64,
        challenge: str = "Bearer",
        policy: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Takes the rules of this application.

        caller: gets a starlette.requests.Request and gives the name of the authenticated caller, or several parts such
            as tenant and user; None where there is none. Without it, the user of Starlette's AuthenticationMiddleware.
        principal_required: whether a guarded request without a caller gets 401. False lets anonymous callers share
            their keys: a caller who guesses a key reads the response of another.
        key_required: whether a request without a key gets 400 instead of running unguarded.
        final_on, released_on, doubtful_on: statuses that mean something else for the key than usual. Released: the
            handler answers with it only where it did nothing, so that the same request may run.
        retention: how long a response answers duplicates.
        wait: how many seconds a duplicate waits for the first request; at most ``waiters`` of them at a time.
        policy: further options of the policy, such as ``{"time_limit": "1m"}``.
        """
        self.app = app
        self._caller = caller or _authenticated
        self._principal_required = principal_required
        self._key_required = key_required
        self._methods = frozenset(method.upper() for method in methods)
        if self._methods & _NEVER_GUARDED:
            raise ValueError("%s only read: they are never guarded" % sorted(self._methods & _NEVER_GUARDED))
        self._largest_body = largest_body
        self._challenge = challenge
        self._told_of_anonymous = False
        seconds = retention.total_seconds()
        self._rules = Rules(
            app=app,
            idem=idem,
            meanings=Meanings.of(final_on, released_on, doubtful_on),
            stored_headers=StoredHeaders(stored_headers),
            largest_stored=largest_stored_body,
            retention=seconds,
            wait=wait,
            free_waiters=waiters,
            policy=plan.policy({"side_effect": "write", **(policy or {})}, {"retention": retention}),
        )

    async def __call__(self, scope: Scope, receive: Receive, send_to: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in self._methods or GUARDED in scope:
            await self.app(scope, receive, send_to)
            return
        lines = _lines(scope, b"idempotency-key")
        if not lines and not self._key_required:
            await self.app(scope, receive, send_to)
            return
        body = Body()
        try:
            accepted = await self._accepted(scope, receive, send_to, lines, body)
            if isinstance(accepted, Response):
                await send(accepted, send_to)
            elif accepted is not None:
                await Exchange(self._rules, accepted).run()
        finally:
            body.close()

    async def _accepted(
        self, scope: Scope, receive: Receive, send_to: Send, lines: List[str], body: Body
    ) -> Union[Request, Response, None]:
        """A request that may run; or the response that refuses it; neither where the client left."""
        caller = await self._caller_of(scope)
        if "" in caller and self._principal_required:
            return self._anonymous()
        if not lines:
            return Problem.KEY_MISSING.response()
        try:
            key = Key.parse(lines)
        except Malformed as why:
            detail = "The key is malformed: %s. %s" % (why, Problem.KEY_MALFORMED.detail)
            return Problem.KEY_MALFORMED.response(detail)
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                # A client that leaves while it sends its request runs nothing, and its key stays free.
                return None
            body.write(message.get("body", b""))
            if body.size > self._largest_body:
                too_large = Problem.BODY_TOO_LARGE.response()
                too_large.set(http_rules.KEY_HEADER, key.echo())
                return too_large
            if not message.get("more_body", False):
                break
        path = http_paths.sent(scope)
        route = http_paths.pattern(getattr(self.app, "routes", None) or getattr(scope.get("app"), "routes", ()), scope)
        if route is None and http_paths.is_ambiguous(path):
            ambiguous = Problem.PATH_AMBIGUOUS.response()
            ambiguous.set(http_rules.KEY_HEADER, key.echo())
            return ambiguous
        path = http_paths.one_path(path)
        content_type = (_lines(scope, b"content-type") or [""])[0]
        loop = asyncio.get_running_loop()
        digest = (
            body.digest(content_type)
            if body.size <= 1 << 16
            else await loop.run_in_executor(None, body.digest, content_type)
        )
        # Only the path can become a label: a query may hold secrets.
        identity = {
            "path": path,
            "request": {
                "method": scope["method"],
                "query": scope.get("query_string", b"").decode("latin-1"),
                "media_type": media_type(content_type),
                "body": digest,
            },
        }
        # So that one key for two orders is a conflict: the path is compared, and the template is the operation.
        name = path if route is None else http_paths.template(http_paths.root(scope) + route)
        operation = http_rules.operation_of(scope["method"], name)
        return Request(scope, receive, send_to, body, key, http_rules.scope_of(caller), operation, identity)

    async def _caller_of(self, scope: Scope) -> List[str]:
        given: Any = self._caller(_request(scope))
        if inspect.isawaitable(given):
            given = await given
        if given is None or isinstance(given, str):
            return [_name(given or "")]
        if not isinstance(given, (list, tuple)) or not given or not all(isinstance(part, str) for part in given):
            raise TypeError("caller= gives a name, or a list of names; this is %s" % type(given).__name__)
        return [_name(part) for part in given]

    def _anonymous(self) -> Response:
        if not self._told_of_anonymous:
            self._told_of_anonymous = True
            _log.warning(
                "a request with the header %s got 401, because its caller is not known and keys belong to callers. Give "
                "caller=, a function that names the caller of a request. To let anonymous callers share their keys: "
                "principal_required=False. Further requests are refused silently",
                http_rules.KEY_HEADER,
            )
        return Problem.PRINCIPAL_MISSING.response(challenge=self._challenge)


def _name(text: str) -> str:
    """A name; a blank one is none."""
    return text if text.strip() else ""


def _authenticated(request: Any) -> Optional[str]:
    user = request.scope.get("user")
    if user is None or not getattr(user, "is_authenticated", False):
        return None
    for name in ("identity", "display_name"):
        try:
            found = getattr(user, name)
        except (AttributeError, NotImplementedError):
            continue
        if inspect.iscoroutine(found):
            found.close()
        if found and not isinstance(found, (str, int, uuid.UUID)):
            raise TypeError("the %s of a user is a text; this is %s: give caller=" % (name, a(type(found).__name__)))
        if found and str(found).strip():
            return str(found)
    return None


def _request(scope: Scope) -> Any:
    return importlib.import_module("starlette.requests").Request(scope)


def _lines(scope: Scope, name: bytes) -> List[str]:
    return [value.decode("latin-1") for known, value in scope["headers"] if known.lower() == name]
