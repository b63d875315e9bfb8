"""What runs around a call: its scope and the calls that it is inside of. Both follow the context of threads and tasks."""

from __future__ import annotations

import contextlib
import contextvars
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional

from .errors import Refused

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


@contextlib.contextmanager
def in_scope(name: str) -> Iterator[str]:
    if not isinstance(name, str) or not name:
        raise Refused("a scope is a text, such as the id of a task")
    token = _scope.set(name)
    try:
        yield name
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
