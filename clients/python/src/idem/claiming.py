"""Claims a key: until it is granted, or the call has ended."""

from __future__ import annotations

import logging
import secrets
from typing import Any, Optional, Union

from . import context
from .asking import Reply
from .call import Call, Doubted, Happened, held
from .clocks import Moment
from .core import Core
from .endings import ended, probed_in_doubt, replayed, unavailable
from .errors import IdemError, LedgerUnavailable, NotExecuted, Refused, Unanswered
from .outcome import Outcome
from .owner import owner
from .plan import Plan
from .settling import Settling
from .unfinished import require_finished
from .values import request
from .ways import BLOCKING, Way, run

_log = logging.getLogger("idem")
_LONGEST_WAIT = 25.0
_WITHDRAW_FOR = 120.0


class Granted:
    """The key is ours. ``attempt_id`` gives it back as long as nothing ran."""

    def __init__(self, reply: Reply, attempt_id: str) -> None:
        self.reply = reply
        self.attempt_id = attempt_id


class Claiming:
    """The claim of one call: ``claim``, ``wait``, ``probe`` and again, as the duties in docs/protocol.md say."""

    def __init__(self, core: Core, plan: Plan, way: Way) -> None:
        self._core = core
        self._plan = plan
        self._way = way
        self._end = Moment.now().plus(plan.wait)
        self._waited = False

    async def granted(self) -> Union[Granted, Outcome[Any]]:
        """The grant, or how the call ended without it."""
        plan = self._plan
        self._refuse_inside_itself(plan.key)
        while True:
            attempt_id = secrets.token_hex(16)
            try:
                reply = await self._claim(attempt_id)
            except (Unanswered, LedgerUnavailable) as e:
                return unavailable(plan, str(e))
            answer = reply.answer
            key = answer.get("key")
            try:
                self._refuse_inside_itself(key)
            except Refused:
                if reply.word == "granted":
                    self.withdraw(attempt_id)
                raise
            ending: Optional[Outcome[Any]]
            if reply.word == "granted":
                return Granted(reply, attempt_id)
            elif reply.word == "replay":
                return replayed(plan, answer)
            elif reply.word == "probe":
                ending = await self._probe(reply, attempt_id)
            elif reply.word == "in_flight":
                ending = await self._wait(answer)
            elif reply.word == "in_doubt":
                ending = await self._wait_for_probe(answer)
            elif reply.word in ("conflict", "failed", "expired", "held", "denied"):
                ending = ended(plan, answer)
            else:
                raise Refused("the server gave the answer '%s', which this client does not know" % reply.word)
            if ending is not None:
                return ending

    def _refuse_inside_itself(self, key: Optional[str]) -> None:
        plan = self._plan
        for frame in context.frames(self._core.settings.ledger):
            call = frame.call
            if key is not None and (call.scope, call.operation, call.key) == (plan.scope, plan.operation, key):
                raise self._inside_itself(key)

    def _inside_itself(self, key: str) -> Refused:
        return Refused(
            "'%s' with the key %s runs inside itself, and would wait for its own end. Give the inner call another "
            "operation, scope or key" % (self._plan.operation, key)
        )

    async def _claim(self, attempt_id: str) -> Reply:
        plan = self._plan
        parent = plan.parent
        if parent is None:
            around = next(context.frames(self._core.settings.ledger), None)
            if around is not None:
                call = around.call
                parent = {"scope": call.scope, "operation": call.operation, "key": call.key}
        params = dict(
            plan.claim(),
            content=plan.content,
            labels=plan.labels,
            parent=parent,
            policy=plan.policy or None,
            arguments=plan.arguments if plan.policy.get("approval") else None,
            attempt_id=attempt_id,
            owner=owner(),
            can_probe=plan.probe is not None,
            waited=self._waited,
            ledger=self._core.settings.ledger,
        )
        try:
            return await self._core.asking.ask(self._way, "claim", request(params), self._core.settings.give_up)
        except Unanswered as e:
            if e.sent:
                self.withdraw(attempt_id)
            raise
        except Refused as e:
            if e.repeated:
                self.withdraw(attempt_id)
            if parent is not None and plan.key is None and "'parent' is the claimed call itself" in str(e):
                # Only the server knows a derived key.
                raise self._inside_itself(parent["key"]) from None
            raise
        except IdemError:
            raise
        except BaseException:
            # Cancelled or interrupted: it may be granted at this moment.
            self.withdraw(attempt_id)
            raise

    def withdraw(self, attempt_id: str) -> None:
        """Says that the claim was given up and nothing ran, as soon as a server answers."""
        params = request(dict(self._plan.claim(), attempt_id=attempt_id))
        asking = self._core.asking

        def work() -> None:
            run(asking.ask(BLOCKING, "withdraw", params, _WITHDRAW_FOR, patient=True))

        self._core.background.do(work)

    async def _wait(self, answer: Any) -> Optional[Outcome[Any]]:
        """Waits for the other attempt. None to claim again."""
        plan = self._plan
        fence = answer.get("fence")
        if self._end.is_over():
            return ended(plan, answer)
        if fence is None:
            await self._way.sleep(min(answer.get("retry_after_ms", 1000) / 1000, self._end.left()))
            return None
        give_up = self._core.settings.give_up
        members = {
            "scope": plan.scope,
            "operation": plan.operation,
            "key": answer.get("key"),
            "fence": str(fence),
            "policy": plan.policy or None,
            "can_probe": plan.probe is not None,
        }
        while not self._end.is_over():
            most = min(_LONGEST_WAIT, self._end.left())
            params = request(dict(members, at_most_ms=max(1, int(most * 1000))))
            try:
                reply = await self._core.asking.ask(self._way, "wait", params, most + give_up, most + give_up)
            except Unanswered:
                # Only the wait has failed: the other attempt was seen to run.
                return ended(plan, answer)
            if reply.word == "claim_again":
                self._waited = True
                return None
            if reply.word in ("failed", "in_doubt"):
                return ended(plan, dict(reply.answer, key=reply.answer.get("key", answer.get("key"))))
            if reply.word != "in_flight":
                raise Refused("the server gave the answer '%s', which this client does not know" % reply.word)
            answer = dict(answer, **reply.answer)
        return ended(plan, answer)

    async def _wait_for_probe(self, answer: Any) -> Optional[Outcome[Any]]:
        """A doubt that a probe may settle soon. None to claim again."""
        soon = answer.get("probe_in_ms")
        if answer.get("next") != "probe" or self._plan.probe is None or not isinstance(soon, int):
            return ended(self._plan, answer)
        if soon / 1000 > self._end.left():
            return ended(self._plan, answer)
        await self._way.sleep(max(soon / 1000, 0.01))
        return None

    async def _probe(self, reply: Reply, attempt_id: str) -> Optional[Outcome[Any]]:
        """Asks the probe about the earlier attempt. None to claim again."""
        plan = self._plan
        if plan.probe is None:
            self.withdraw(attempt_id)
            raise Refused("the server asks a probe, and this call has none")
        call = Call(plan, reply, self._core.asking)
        settling = Settling(self._core, plan, self._way, call)
        self._core.server.hold(held(call))
        settled = False
        failed: Optional[Exception] = None
        try:
            if not held(call).limit.is_over():
                said: Any = None
                try:
                    said = await self._way.value(plan.probe(Doubted(plan, reply.answer)))
                    require_finished(said.value if isinstance(said, Happened) else None, "the probe")
                except Exception as e:
                    said, failed = None, e
                    _log.warning("the probe of '%s' failed: %s: %s", plan.operation, type(e).__name__, e)
                if isinstance(said, Happened):
                    settled = True
                    return await settling.found(said.value)
                if said is NotExecuted or isinstance(said, NotExecuted):
                    settled = True
                    return await settling.found_nothing()
            settled = True
            word, answer = await settling.settle({"as": "in_doubt"})
            return None if word == "stale" else probed_in_doubt(plan, call, answer, failed)
        except BaseException:
            if not settled:
                settling.later({"as": "in_doubt"})
            raise
        finally:
            self._core.server.release(held(call))
