"""Which errors prove that nothing happened."""

from __future__ import annotations

import inspect
import logging
import urllib.error
from typing import Any, Optional

from .errors import NotExecuted, a
from .outcome import Outcome
from .plan import Definite

_log = logging.getLogger("idem")
_CROSSED = "_idem_left_a_call"


def connection_refused(error: BaseException) -> bool:
    """
    Whether an error says that the connection was refused, by each address of the host, so that no request was sent. Give it
    as ``definite`` to a call whose action makes one request, without retries: of a client that retries, such as ``requests``
    with its adapters or the SDKs of OpenAI and Anthropic, the last error tells nothing of the tries before: theirs never count.
    """
    seen: Optional[BaseException] = error
    for _ in range(10):
        if seen is None or (seen is not error and has_crossed(seen)):
            return False
        if isinstance(seen, ConnectionRefusedError):
            return True
        if type(seen).__name__ == "APIConnectionError":
            return False
        several = getattr(seen, "exceptions", None)
        if isinstance(several, tuple) and several:
            return all(isinstance(each, BaseException) and not has_crossed(each) and connection_refused(each) for each in several)
        reason = seen.reason if isinstance(seen, urllib.error.URLError) else None
        if type(seen).__module__.startswith("httpcore") and seen.args:
            reason = seen.args[0]  # it tries again only what was not sent
        # Only what was raised from it: the context may be the end of an earlier request.
        seen = reason if isinstance(reason, BaseException) else seen.__cause__
    return False


def is_definite(error: BaseException, definite: Definite) -> bool:
    """Whether an error of an action proves that nothing happened."""
    if not isinstance(error, Exception) or has_crossed(error):
        # The end of an inner call says nothing about the steps beside it.
        return False
    if isinstance(error, NotExecuted):
        return True
    if definite is None:
        return False
    if isinstance(definite, (type, tuple)):
        return isinstance(error, definite)
    try:
        said: Any = definite(error)
    except Exception:
        return False
    if said is not True and said is not False and said is not None:
        _log.warning("definite answered with %s, which is neither True nor False: it proves nothing", a(type(said).__name__))
        if inspect.iscoroutine(said):
            said.close()
    return said is True


def has_crossed(error: BaseException) -> bool:
    return bool(getattr(error, _CROSSED, False))


def cross(error: BaseException, outcome: Outcome[Any]) -> None:
    """Attaches the outcome to an error that leaves its call."""
    try:
        setattr(error, _CROSSED, True)
        setattr(error, "idem", outcome)
        if outcome.kind == "in_doubt":
            notes = getattr(error, "__notes__", None)
            setattr(error, "__notes__", (list(notes) if isinstance(notes, (list, tuple)) else []) + [outcome.message])
    except Exception:
        # An error with slots of its own: it counts as one that proves nothing only where it is known.
        pass
