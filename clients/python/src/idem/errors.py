"""The errors that a caller can get. Each tells people what to do, and a model by ``for_model()``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .outcome import Outcome


def a(kind: str) -> str:
    """The name of a type with its article, for a message: a str, an int, a UUID."""
    return ("an " if kind[:1] in tuple("AEIOaeio") else "a ") + kind


class IdemError(Exception):
    """The root of all errors of Idem. ``outcome`` is the ending of the call, if there is one."""

    def __init__(self, message: str, outcome: Optional[Outcome[Any]] = None) -> None:
        super().__init__(message)
        self.outcome = outcome
        # Whether it is the end of a call. Then it proves nothing about a call around that one.
        self._idem_left_a_call = outcome is not None

    def for_model(self) -> str:
        """A text for the model that asked for the call. It never suggests other arguments."""
        return (self.outcome.text if self.outcome else None) or str(self)

    def __reduce__(self) -> Any:
        # An error crosses processes (multiprocessing, Celery) without the values of its call.
        return (type(self), (str(self),))


class NotExecuted(IdemError):
    """Raised by an action, or answered by a probe: nothing happened, and the same call may run again."""

    def __init__(self, message: str = "nothing was executed", outcome: Optional[Outcome[Any]] = None) -> None:
        super().__init__(message, outcome)


class Failed(IdemError):
    """It had no effect. The same call may run again, unless the failure is kept."""


class InDoubt(IdemError):
    """It is unknown whether it took effect. It does not run again until that is found out."""


class InFlight(IdemError):
    """Another attempt is running. Nothing ran here."""


class Conflict(IdemError):
    """The key belongs to another call. Nothing ran."""


class Expired(IdemError):
    """It was done, and its result is no longer kept. Nothing ran."""


class Held(IdemError):
    """A person has to approve it first. Nothing ran."""


class Denied(IdemError):
    """A person has said no. Nothing ran."""


class Unrecorded(IdemError):
    """The action ran, but its value could not be recorded. ``value`` is that value."""

    def __init__(self, message: str, outcome: Optional[Outcome[Any]] = None) -> None:
        super().__init__(message, outcome)
        self.value: Any = outcome.value if outcome else None


class ResultUnavailable(IdemError):
    """It was done before, and there is no result to give. Nothing ran."""


class LedgerUnavailable(IdemError):
    """There is no server or no ledger that answers. Nothing ran."""


class Lost(IdemError):
    """Another attempt has the key: stop acting."""


class Refused(IdemError):
    """The call is wrong: the message says how to correct it. Nothing ran. ``code`` is the code of the protocol."""

    def __init__(self, message: str, outcome: Optional[Outcome[Any]] = None, code: str = "malformed") -> None:
        super().__init__(message, outcome)
        self.code = code
        #: Whether an earlier copy of the request had no answer, so that it may have been granted.
        self.repeated = False


class Unanswered(Exception):
    """A request had no answer in time; ``sent`` is whether a copy of it has left. Callers never see it."""

    def __init__(self, message: str, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent
