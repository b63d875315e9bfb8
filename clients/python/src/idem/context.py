"""What runs around a call: its scope and the calls that it is inside of. Both follow the context of threads and tasks."""

from __future__ import annotations

import contextlib
import contextvars
import inspect
import uuid
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional

from .errors import Refused, a

if TYPE_CHECKING:
    from .call import Call


class Frame(NamedTuple):
    """A running call, and the one around it."""

    call: Call
    ledger: str
    around: Optional[Frame]


_scope: contextvars.ContextVar[Optional[str]] = contextvars.ContextVar("idem_scope", default=None)
_frame: contextvars.ContextVar[Optional[Frame]] = contextvars.ContextVar("idem_call", default=None)


def scope() -> Optional[str]:
    return _scope.get()


def name_of(value: Any, what: str, *kinds: type) -> str:
    """
    A name that tells tasks or users apart, as a text, a UUID or of these types. Anything else would be one name for all of
    them.
    """
    if isinstance(value, (uuid.UUID, *kinds)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.strip():
        return value
    if inspect.iscoroutine(value):
        value.close()
    kind = "blank" if isinstance(value, str) else "None" if value is None else a(type(value).__name__)
    raise Refused("%s is a text that is not blank, such as the id of a task; this one is %s. Nothing ran" % (what, kind))


@contextlib.contextmanager
def in_scope(name: str) -> Iterator[str]:
    text = name_of(name, "a scope")
    token = _scope.set(text)
    try:
        yield text
    finally:
        _reset(_scope, token)


def frames(ledger: Optional[str] = None) -> Iterator[Frame]:
    """The calls around this one, the nearest first; of one ledger, or all."""
    frame = _frame.get()
    while frame is not None:
        if ledger is None or frame.ledger == ledger:
            yield frame
        frame = frame.around


def enter(call: Call, ledger: str) -> contextvars.Token[Optional[Frame]]:
    return _frame.set(Frame(call, ledger, _frame.get()))


def leave(token: contextvars.Token[Optional[Frame]]) -> None:
    _reset(_frame, token)


def _reset(variable: Any, token: Any) -> None:
    try:
        variable.reset(token)
    except ValueError:
        # The block was left in another context than it was entered in, which ends with that context.
        pass
