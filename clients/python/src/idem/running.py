"""Runs an action with the key that was granted, and no other."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional

from . import context
from .asking import Reply
from .call import Call, held
from .claiming import Claiming, Granted
from .clocks import Moment
from .core import Core
from .definite import cross, has_crossed, is_definite
from .endings import of_call, unavailable
from .errors import Refused, Unanswered, a
from .outcome import Outcome
from .plan import Plan
from .server import note_renewals, renewal
from .settling import Settling
from .unfinished import Unfinished, require_finished
from .ways import Way, is_generator


class Running:
    """One call, from its claim to its settle."""

    def __init__(self, core: Core, plan: Plan, way: Way) -> None:
        self._core = core.here()
        self._plan = plan
        self._way = way
        self._claiming = Claiming(self._core, plan, way)
        self._unused: Optional[str] = None
        self._token: Any = None
        self.call: Optional[Call] = None

    async def enter(self) -> Optional[Outcome[Any]]:
        """Claims the key. None if the action may run now, else how the call ended."""
        granted = await self._claiming.granted()
        if not isinstance(granted, Granted):
            return granted
        self._unused = granted.attempt_id
        try:
            ending = await self._begin(granted.reply)
        except BaseException:
            self._give_back()
            raise
        if ending is not None:
            self._unused = None
            self._release()
        return ending

    def _give_back(self) -> None:
        """Nothing ran with the grant."""
        self._release()
        if self._unused is not None:
            self._claiming.withdraw(self._unused)
            self._unused = None

    async def _begin(self, reply: Reply) -> Optional[Outcome[Any]]:
        plan = self._plan
        call = Call(plan, reply, self._core.asking)
        self.call = call
        ticket = held(call)
        self._core.server.hold(ticket)
        settling = Settling(self._core, plan, self._way, call)
        if ticket.limit.is_over():
            return await settling.not_begun("its time limit was over before it began")
        if not ticket.trusted.is_over():
            return None
        try:
            renewed = await self._core.asking.ask(
                self._way, "renew", lambda: renewal([ticket]), min(self._core.settings.give_up, ticket.limit.left())
            )
            words = note_renewals([ticket], _Event(renewed))
        except Unanswered:
            words = []
        if words == ["renewed"] and not ticket.limit.is_over() and not ticket.trusted.is_over():
            return None
        if words == ["lost"]:
            return unavailable(plan, "its lease was over before it began, and another attempt has the key")
        return await settling.not_begun("its lease was over before it began, and could not be renewed")

    async def attempt(self, action: Callable[..., Any]) -> Outcome[Any]:
        """Runs an action. What it raises is in the outcome; an interrupt or a cancellation is raised."""
        try:
            ending = await self.enter()
            if ending is not None:
                return ending
            call = self.enter_context()
            value = await self._way.value(action(call) if takes_call(action) else action())
            require_finished(value)
        except BaseException as e:
            if self._token is None:
                self._give_back()
                raise
            outcome = await self.failed(e)
            if not isinstance(e, Exception):
                raise
            return outcome
        return await self.done(value)

    async def done(self, value: Any) -> Outcome[Any]:
        self._leave()
        try:
            return await self._settling().done(value)
        finally:
            self._release()

    async def failed(self, error: BaseException) -> Outcome[Any]:
        self._leave()
        assert self.call is not None
        try:
            if isinstance(error, Unfinished) and not has_crossed(error):
                # What it returned goes on, whatever was declared.
                definite = not error.began
            else:
                definite = self.call.stopped_before_its_mark(error) or is_definite(error, self._plan.definite)
            outcome = await self._settling().failed(error, definite)
            cross(error, outcome)
            return outcome
        finally:
            self._release()

    def enter_context(self) -> Call:
        """From here on the action acts."""
        assert self.call is not None
        self._token = context.enter(self.call, self._core.settings.ledger)
        self._unused = None
        return self.call

    def _settling(self) -> Settling:
        assert self.call is not None
        return Settling(self._core, self._plan, self._way, self.call)

    def _leave(self) -> None:
        if self._token is not None:
            context.leave(self._token)
            self._token = None

    def _release(self) -> None:
        if self.call is not None and self.call._held is not None:
            self._core.server.release(self.call._held)


class _Event:
    def __init__(self, reply: Reply) -> None:
        self.result = reply.answer
        self.sent: Moment = reply.sent


async def read(plan: Plan, way: Way, action: Callable[..., Any]) -> Outcome[Any]:
    """A read needs no claim."""
    call = Call(plan, None, None)
    try:
        value = await way.value(action(call) if takes_call(action) else action())
    except Exception as e:
        what = "'%s' failed: %s" % (plan.operation, e)
        outcome: Outcome[Any] = of_call(plan, call, "failed", what, what, error=e)
        cross(e, outcome)
        return outcome
    return of_call(plan, call, "done", "", "", value=value)


def takes_call(action: Callable[..., Any]) -> bool:
    """Whether an action has a first parameter that must be given, or one that is named call."""
    try:
        parameters = list(inspect.signature(action).parameters.values())
    except (TypeError, ValueError):
        return True
    for each in parameters:
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD):
            return each.default is each.empty or each.name == "call"
        return each.kind == each.VAR_POSITIONAL
    return False


def refuse_what_can_not_run(action: Callable[..., Any]) -> None:
    """What fails as soon as it is called would leave a doubt, though nothing happened."""
    if not callable(action):
        raise Refused("the action is a function of the call, or of nothing; this is %s" % a(type(action).__name__))
    refuse_generator(action)
    try:
        signature = inspect.signature(action)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*([None] if takes_call(action) else []))
    except TypeError as e:
        raise Refused("the action takes the call, or nothing: %s" % e) from None


def refuse_generator(action: Callable[..., Any]) -> None:
    if is_generator(action):
        raise Refused("a generator runs piece by piece, so that its effect has no end; give a function that returns")
