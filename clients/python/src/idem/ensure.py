"""Creates a thing unless it is there."""

from __future__ import annotations

import collections.abc as abc
import dataclasses
import decimal
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Mapping, Optional, Protocol, TypeVar

from . import plan as plans
from . import reading
from .call import Doubted, Happened
from .definite import cross
from .errors import NotExecuted, Refused, a
from .outcome import Outcome
from .running import refuse_what_can_not_run, takes_call
from .unfinished import unfinished
from .ways import BLOCKING, Way, is_async, is_generator, run

if TYPE_CHECKING:
    from .client import Entry
    from .operation import Operation

T = TypeVar("T")

#: Only callers that wait for this call need its result, for as long as they take to read it.
_NEXT_TO_NOTHING = "100ms"
_OWN = ("retention", "tombstone", "probe", "repeat")
#: Options that are no part of a policy.
_ADDRESS = ("scope", "key", "identity", "content")
#: Marks the entry of an ensure, in every language, so that the next one may forget it.
_LABEL = {"ensure": "true"}


@dataclasses.dataclass(frozen=True)
class Ensured(Generic[T]):
    """The thing that exists now. ``effect`` is created, or noop where it was there."""

    value: T = dataclasses.field(repr=False)
    effect: str
    #: ``created`` or ``already_exists``.
    reason: str

    @property
    def created(self) -> bool:
        """Whether this call has created it."""
        return self.effect == "created"


class Leftovers(Protocol):
    """What earlier calls have left in the ledger."""

    async def left(self, outcome: Outcome[Any]) -> Optional[Entry]:
        """The complete entry that answered. It may have expired or been claimed meanwhile, which is fine."""

    async def forget(self, seen: Entry) -> None:
        """Forgets an entry, unless it has changed since it was seen."""


class Ensure:
    """One call of ``Idem.ensure``: it looks and creates inside one claim, and remembers nothing after it."""

    def __init__(
        self, make: Callable[..., Operation], name: str, look: Callable[..., Any], then: Callable[..., Any], options: Dict[str, Any]
    ) -> None:
        rules = plans.declared({each: value for each, value in options.items() if each not in _ADDRESS})
        given = [each for each in _OWN if each in rules or each in options]
        if given or rules.get("side_effect") == "read":
            raise Refused(
                "ensure looks each time, in place of %s: leave it out" % (given[0] if given else "side_effect='read'")
            )
        if rules.get("approval"):
            raise Refused("ensure asks nobody: it may only look. Leave approval out, and ask before you call it")
        if not callable(look) or is_generator(look):
            what = "a generator" if callable(look) else a(type(look).__name__)
            raise Refused("unless= is a function that gives the thing, or None; this is %s" % what)
        refuse_what_can_not_run(then)
        self._make = make
        self._name = name
        self._look = look
        self._then = then
        self._options = options
        if options.get("returning") is None:
            options["returning"] = reading.declared(then)
        self._was_there = False

    def refuse_async(self) -> None:
        if is_async(self._look) or is_async(self._then):
            raise Refused("unless= and then= are async: use ensure_async")

    async def of(self, way: Way, ledger: Leftovers) -> Ensured[Any]:
        operation = self._operation(way)
        newest: Optional[int] = None
        while True:
            outcome: Outcome[Any] = await operation._attempt(way, self._on(way, self._act))
            if outcome.kind == "done":
                return _there(outcome) if self._was_there else Ensured(outcome.value, "created", "created")
            if outcome.kind != "replayed":
                if isinstance(outcome.error, _NotLooked) and outcome.error.__cause__ is not None:
                    cross(outcome.error.__cause__, outcome)
                    raise outcome.error.__cause__
                outcome.get()
            # Another call has looked meanwhile. The result of one that may have begun before this one is not used: the
            # thing may be gone since.
            left = await ledger.left(outcome)
            fence = outcome.answer.get("fence")
            if left is not None:
                self._require_own(left.key, left.members)
            newer = fence is not None and newest is not None and int(fence) > newest
            if outcome.ok and newer and left is not None and left.fence == str(fence):
                return _there(outcome)
            newest = newest if fence is None else int(fence)
            if left is not None:
                await ledger.forget(left)

    def _require_own(self, key: str, entry: Mapping[str, Any]) -> None:
        if not _LABEL.items() <= (entry.get("labels") or {}).items():
            raise Refused(
                "the key %s of '%s' belongs to an ordinary call, whose result would be lost. Give ensure another name, "
                "scope, key or identity. Nothing ran" % (key, self._name)
            )

    def _operation(self, way: Way) -> Operation:
        options = dict(self._options, labels={**(self._options.get("labels") or {}), **_LABEL})
        return self._make(self._name, retention=_NEXT_TO_NOTHING, probe=self._on(way, self._probe), **options)

    @staticmethod
    def _on(way: Way, step: Callable[[Way, Any], Any]) -> Callable[[Any], Any]:
        if way is BLOCKING:
            return lambda given: run(step(way, given))
        return lambda given: step(way, given)

    async def _act(self, way: Way, call: Any) -> Any:
        try:
            found = await self._looked(way)
        except Exception as e:
            raise _NotLooked("the look failed: %s" % type(e).__name__) from e
        self._was_there = found is not None
        if self._was_there:
            return found
        return await way.value(self._then(call) if takes_call(self._then) else self._then())

    async def _looked(self, way: Way) -> Any:
        found = await way.value(self._look())
        later = unfinished(found)
        if later is not None or _is_nothing(found):
            raise Refused("unless= gave %s, which is no thing: give the thing, or None" % (later or repr(found)))
        return found

    async def _probe(self, way: Way, doubted: Doubted) -> Any:
        self._require_own(doubted.key, doubted.entry)
        found = await self._looked(way)
        return NotExecuted if found is None else Happened(found)


def _is_nothing(found: Any) -> bool:
    """Whether it does not say whether the thing is there: a boolean, zero, NaN, or something empty."""
    if isinstance(found, (bool, int, float, decimal.Decimal)):
        return isinstance(found, bool) or not found or str(found).lower().endswith("nan")
    return isinstance(found, abc.Collection) and len(found) == 0


class _NotLooked(NotExecuted):
    """The look failed, so nothing was created."""


def _there(outcome: Outcome[Any]) -> Ensured[Any]:
    return Ensured(outcome.value, "noop", "already_exists")
