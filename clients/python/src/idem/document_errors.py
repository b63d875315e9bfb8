"""The errors of the founding documents' names. Each is also the error of Idem that it stands for."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple, Type

from . import errors
from .outcome import Outcome


class IdemError(errors.IdemError):
    """The call was refused; ``code`` says why, and ``may_retry`` whether the same call may be made again."""

    code = "unavailable"
    may_retry = False

    def __init__(
        self, request_id: Any, message: str, result: Any = None, outcome: Optional[Outcome[Any]] = None
    ) -> None:
        errors.IdemError.__init__(self, message, outcome)
        self.request_id = request_id
        self.result = result
        self.retry_after = float((outcome.answer.get("retry_after_ms") if outcome else None) or 1000) / 1000

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_again, (type(self), self.request_id, str(self), self.result))


def _again(kind: Type[IdemError], request_id: Any, message: str, result: Any) -> IdemError:
    made = kind.__new__(kind)
    IdemError.__init__(made, request_id, message, result)
    return made


class AlreadyProcessed(IdemError):
    """The request is complete; ``result`` is what it gave."""

    code = "complete"

    def __init__(self, request_id: Any, result: Any = None, message: Optional[str] = None, outcome: Any = None) -> None:
        super().__init__(request_id, message or "%s is complete" % request_id, result, outcome)


class ResultUnavailable(AlreadyProcessed, errors.ResultUnavailable):
    """The request is complete, so it must not run again, but its result could not be kept."""


class InFlight(IdemError, errors.InFlight):
    """Another caller runs it right now."""

    code = "in_flight"
    may_retry = True


class InDoubt(IdemError, errors.InDoubt):
    """It may have taken effect. It is not run again until somebody has found out; see ``IdempotencyStore.resolve``."""

    code = "in_doubt"


class Conflict(IdemError, errors.Conflict):
    """The key was used for something else, or its result has expired."""

    code = "conflict"


class Expired(Conflict, errors.Expired):
    """It was done, and its result has expired."""

    code = "expired"


class Stale(IdemError, errors.Unrecorded):
    """Another caller has taken it over; what this one did was not recorded. ``result`` is what was to be recorded."""

    code = "stale"

    def __init__(self, request_id: Any, message: str, result: Any = None, outcome: Any = None) -> None:
        IdemError.__init__(self, request_id, message, result, outcome)
        self.value = result


class Failed(IdemError, errors.Failed):
    """It had no effect, and may run again."""

    code = "failed"
    may_retry = True


class Unavailable(IdemError, errors.LedgerUnavailable):
    """There was no answer. ``result`` is what was to be recorded, if it ran."""

    may_retry = True


_KINDS: Dict[str, Type[IdemError]] = {
    "in_flight": InFlight,
    "conflict": Conflict,
    "expired": Expired,
    "failed": Failed,
    "unavailable": Unavailable,
}


def value_of(request_id: Any, outcome: Outcome[Any]) -> Any:
    """The value of a call, or the error that says how it ended."""
    if outcome.kind == "done" or outcome.ok:
        return outcome.value
    if outcome.error is not None:
        raise outcome.error
    raise problem(request_id, outcome)


def problem(request_id: Any, outcome: Outcome[Any]) -> IdemError:
    """The error for an ending without a value."""
    kind, message = outcome.kind, outcome.message
    if kind == "replayed":
        if outcome.result_missing is not None:
            why = "%s is complete, and its result is not known: %s" % (request_id, outcome.result_missing)
            return ResultUnavailable(request_id, message=why, outcome=outcome)
        return AlreadyProcessed(request_id, outcome.value, outcome=outcome)
    if kind == "in_doubt":
        return InDoubt(request_id, doubt(request_id, outcome), outcome=outcome)
    if kind == "unrecorded":
        stale = outcome.answer.get("answer") in ("stale", "already")
        return (Stale if stale else Unavailable)(request_id, message, outcome.value, outcome)
    return _KINDS.get(kind, IdemError)(request_id, message or kind, outcome=outcome)


def doubt(request_id: Any, outcome: Outcome[Any]) -> str:
    """What failed, and how a person ends the doubt."""
    entry = outcome.answer.get("entry") or {}
    failed = ": ".join(str(entry[name]) for name in ("failure", "failure_message") if entry.get(name))
    message = outcome.message.rstrip(".")
    if failed and str(entry.get("failure_message") or failed) not in message:
        message += ". What failed: %s" % failed
    how = "Find out whether it happened, then: store.resolve(%r, happened=True, result=...) or happened=False"
    return "%s. %s" % (message, how % (request_id,))
