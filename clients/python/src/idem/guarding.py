"""The call of a ``with`` block."""

from __future__ import annotations

import os
from typing import Any, Optional

from .core import Core
from .errors import Refused
from .outcome import Outcome
from .plan import Plan
from .running import Running
from .unfinished import require_finished
from .ways import Way


class GuardedCall:
    """
    What a ``with`` block is given. It runs on a replay too, since Python can't skip a block, so it has to look at
    ``replayed``; a block that did not is told so at its end.
    """

    def __init__(self, core: Core, plan: Plan, way: Way) -> None:
        self._plan = plan
        self._running = Running(core, plan, way) if plan.side_effect != "read" else None
        self._outcome: Optional[Outcome[Any]] = None
        self._value: Any = None
        self._completed = False
        self._looked = False
        self._pid = os.getpid()

    async def enter(self) -> None:
        if self._running is None:
            return
        outcome = await self._running.enter()
        if outcome is None:
            self._running.enter_context()
        elif outcome.ok:
            self._outcome = outcome
            self._value = outcome.value
        else:
            raise outcome.problem()

    @property
    def replayed(self) -> bool:
        """Whether it was done before; then ``value`` is its result, and the block must not act."""
        self._looked = True
        return self._outcome is not None and self._outcome.replayed

    @property
    def value(self) -> Any:
        """The result: of a replay from the beginning, else after the block as duplicates will get it."""
        self._looked = True
        return self._value

    @property
    def outcome(self) -> Optional[Outcome[Any]]:
        """How the call ended; None while the block runs."""
        self._looked = True
        return self._outcome

    def complete(self, value: Any = None) -> None:
        """The action is done, with this result. It is recorded at the end of the block."""
        if self._outcome is not None:
            raise Refused("'%s' was done before; look at call.replayed before you act" % self._plan.operation)
        require_finished(value, "the block")
        self._value = value
        self._completed = True

    @property
    def key(self) -> str:
        return self._call("key") or self._plan.key or ""

    @property
    def scope(self) -> str:
        return self._plan.scope

    @property
    def operation(self) -> str:
        return self._plan.operation

    @property
    def fence(self) -> str:
        return str(self._call("fence"))

    @property
    def attempt(self) -> int:
        return int(self._call("attempt") or 1)

    @property
    def time_left(self) -> float:
        return float(self._call("time_left"))

    @property
    def lost(self) -> bool:
        return bool(self._call("lost"))

    def mark(self, name: str) -> None:
        if self._running is not None and self._running.call is not None:
            self._running.call.mark(name)

    async def mark_async(self, name: str) -> None:
        if self._running is not None and self._running.call is not None:
            await self._running.call.mark_async(name)

    def _call(self, name: str) -> Any:
        if self._outcome is not None:
            return {"key": self._outcome.key, "time_left": 0.0}.get(name, self._outcome.answer.get(name))
        call = self._running.call if self._running is not None else None
        return getattr(call, name) if call is not None else {"time_left": float("inf")}.get(name)

    async def leave(self, error: Optional[BaseException]) -> None:
        """The block ended, with this error or without one."""
        if self._running is None or self._pid != os.getpid():
            # A forked child leaves the block too; the call belongs to its parent.
            return
        if self._outcome is not None:
            if not self._looked and error is None:
                raise Refused(
                    "'%s' was done before, and the block ran again without a look at call.replayed: write "
                    "'if not call.replayed:' around what it does" % self._plan.operation
                )
            return
        if error is not None and not self._completed:
            self._outcome = await self._running.failed(error)
            return
        outcome = await self._running.done(self._value)
        self._outcome = outcome
        self._value = outcome.value
        if outcome.kind != "done" and error is None:
            raise outcome.problem()
