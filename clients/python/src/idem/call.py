"""A call that runs: what its action is given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional

from .errors import LedgerUnavailable, Lost, Refused, Unanswered
from .tickets import Held
from .values import request
from .ways import BLOCKING, Looping, Way, run

if TYPE_CHECKING:
    from .asking import Asking, Reply
    from .plan import Plan


class Call:
    """
    A granted call. It belongs to the process that got it: in a forked child it can neither mark nor settle. Of a replay
    in a ``with`` block it has the ``value``, and ``replayed`` is true.
    """

    def __init__(self, plan: Plan, reply: Optional[Reply], asking: Optional[Asking]) -> None:
        answer = reply.answer if reply else {}
        self.operation = plan.operation
        self.scope = plan.scope
        #: The key to pass to the remote, where that takes one.
        self.key: str = str(answer.get("key", plan.key or ""))
        self.fence: str = str(answer.get("fence", ""))
        self.attempt: int = int(answer.get("attempt", 1))
        self.pid = os.getpid()
        self._asking = asking
        self._held: Optional[Held] = None
        policy = answer.get("policy")
        self.staged = isinstance(policy, dict) and policy.get("staged") is True
        self.marked = False
        self.unmarked: Optional[BaseException] = None
        self._remote_ended = False
        if reply is not None and "ticket" in answer:
            limit = reply.first.plus(answer.get("time_limit_ms", 0) / 1000)
            self._held = Held(str(answer["ticket"]), limit, reply.sent, answer.get("lease_ms", 0) / 1000)

    @property
    def time_left(self) -> float:
        """The seconds for which the action may still act."""
        return self._held.limit.left() if self._held else float("inf")

    @property
    def lost(self) -> bool:
        """Whether another attempt has the key: stop acting."""
        return self._held is not None and self._held.lost

    def mark(self, name: str) -> None:
        """Leaves a mark in the ledger before the point of no return, where the policy says ``staged``."""
        run(self._mark(BLOCKING, name))

    async def mark_async(self, name: str) -> None:
        await self._mark(Looping(), name)

    async def _mark(self, way: Way, name: str) -> None:
        if self._held is None or self._asking is None:
            return
        if self.pid != os.getpid():
            raise Refused("this call belongs to the process %d that got it; mark it there, before the fork" % self.pid)
        try:
            await self._write(way, self._asking, self._held, name)
        except BaseException as e:
            self.unmarked = e
            raise
        self.marked = True

    async def _write(self, way: Way, asking: Asking, held: Held, name: str) -> None:
        params = request({"ticket": held.ticket, "name": name})
        try:
            reply = await asking.ask(way, "mark", params, asking.server.settings.give_up)
        except Unanswered as e:
            raise LedgerUnavailable("the mark '%s' was not answered, so do not act" % name) from e
        if reply.word != "marked":
            held.lost = True
            raise Lost("another attempt has '%s': stop acting" % self.key)

    def stopped_before_its_mark(self, error: BaseException) -> bool:
        """Whether a staged action that raised this has not acted. One that went on without its mark may have."""
        stopped = self.unmarked is None or self.unmarked is error or self.unmarked is error.__cause__
        return self.staged and not self.marked and stopped

    def remote_ended(self) -> None:
        """Says that nothing of this action acts any more at the remote, so that a probe may be asked after ``probe_grace``.

        Nobody needs to say so of an error that a known HTTP client has made from a response. Every other one, such as a
        time-out or a lost connection, tells nothing of the remote: the probe waits for the whole time limit.
        """
        self._remote_ended = True

    def __repr__(self) -> str:
        return "Call(%s/%s/%s, attempt %d)" % (self.scope, self.operation, self.key, self.attempt)


def held(call: Call) -> Held:
    if call._held is None:
        raise AssertionError("a call without a ticket")
    return call._held


def remote_ended(call: Call) -> bool:
    return call._remote_ended


class Happened:
    """Answered by a probe: it took effect, with this value."""

    def __init__(self, value: Any = None) -> None:
        self.value = value


class Doubted:
    """What a probe is asked about."""

    def __init__(self, plan: Plan, answer: Any) -> None:
        self.scope = plan.scope
        self.operation = plan.operation
        self.key = str(answer.get("key"))
        #: The entry as docs/protocol.md describes it.
        self.entry: Any = answer.get("entry") or {}
