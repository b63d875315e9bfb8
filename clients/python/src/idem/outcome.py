"""How a call ended, as a value."""

from __future__ import annotations

import dataclasses
from typing import Any, Generic, Mapping, Optional, Sequence, TypeVar, cast

from . import errors

T = TypeVar("T")

_ERRORS = {
    "failed": errors.Failed,
    "in_doubt": errors.InDoubt,
    "in_flight": errors.InFlight,
    "conflict": errors.Conflict,
    "expired": errors.Expired,
    "held": errors.Held,
    "denied": errors.Denied,
    "unrecorded": errors.Unrecorded,
    "unavailable": errors.LedgerUnavailable,
}


@dataclasses.dataclass(frozen=True)
class Outcome(Generic[T]):
    """
    The ending of a call. ``kind`` is one of done, replayed, failed, in_doubt, in_flight, conflict, expired, held, denied,
    unrecorded and unavailable.
    """

    kind: str
    scope: str
    operation: str
    #: What ``idem resolve`` and ``idem show`` take.
    key: Optional[str] = None
    #: The value of ``done``, ``replayed`` and ``unrecorded``.
    value: Optional[T] = None
    #: What happened and what to do, for people.
    message: str = ""
    #: The same for the model that asked for the call.
    text: Optional[str] = None
    #: What the action raised, if this call ran it.
    error: Optional[BaseException] = dataclasses.field(default=None, repr=False)
    #: Why a call that is done has no result.
    result_missing: Optional[str] = None
    #: When the action of a replay ran, in UTC, such as 2026-11-18T09:14:02Z.
    ran_at: Optional[str] = None
    warnings: Sequence[str] = ()
    #: The last answer of the server, as docs/protocol.md describes it.
    answer: Mapping[str, Any] = dataclasses.field(default_factory=dict, repr=False)

    @property
    def approval(self) -> Optional[str]:
        """What ``idem approve`` and ``idem deny`` take, of a call that is held or denied. It is not the key of the call."""
        found = self.answer.get("approval")
        return None if found is None else str(found)

    @property
    def ok(self) -> bool:
        """Whether there is a value that others get too."""
        return self.kind in ("done", "replayed") and self.result_missing is None

    @property
    def replayed(self) -> bool:
        return self.kind == "replayed"

    def for_model(self) -> str:
        return self.text or self.message

    def get(self) -> T:
        """The value of ``done`` and ``replayed``; any other ending is raised."""
        if self.kind == "done" or self.ok:
            return cast(T, self.value)
        if self.error is not None:
            raise self.error
        raise self.problem()

    def problem(self) -> errors.IdemError:
        """The error of this ending."""
        kind = errors.ResultUnavailable if self.kind == "replayed" else _ERRORS.get(self.kind, errors.IdemError)
        return kind(self.message or self.kind, self)
