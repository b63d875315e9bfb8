"""Records how an action ended."""

from __future__ import annotations

import logging
import os
from typing import Any, Dict, Mapping, Optional, Tuple

from . import reading, values
from .answered import is_answered
from .call import Call, held, remote_ended
from .core import Core
from .definite import has_crossed
from .endings import error_text, next_step, of_call, replayed, stored, well_formed, why_not
from .errors import IdemError, Refused, Unanswered
from .outcome import Outcome
from .plan import Plan
from .unfinished import Unfinished
from .ways import BLOCKING, Way, run

_log = logging.getLogger("idem")
_LONGEST_MESSAGE = 1000
_ROOM_FOR_THE_REST = 64 * 1024


class Settling:
    """The settle of one ticket, sent until it is answered."""

    def __init__(self, core: Core, plan: Plan, way: Way, call: Call) -> None:
        self._core = core
        self._plan = plan
        self._way = way
        self._call = call

    async def settle(self, members: Dict[str, Any]) -> Tuple[str, Mapping[str, Any]]:
        """
        The word of the answer, and the answer. The word is ``unanswered`` where there is none, ``too_large``, and
        ``foreign`` in a process that the call does not belong to: there nothing is sent.
        """
        call = self._call
        if call.pid != os.getpid():
            return "foreign", {}
        params = values.request(dict(members, ticket=held(call).ticket))
        settings = self._core.settings
        try:
            reply = await self._core.asking.ask(self._way, "settle", params, settings.settle_for, patient=True)
            return reply.word, reply.answer
        except Unanswered as e:
            return "unanswered", {"message": str(e)}
        except Refused as e:
            return ("too_large" if e.code == "too_large" else "unanswered"), {"message": str(e)}
        except IdemError as e:
            return "unanswered", {"message": str(e)}
        except BaseException:
            # Cancelled or interrupted: only this caller stops waiting.
            self.later(members)
            raise

    def later(self, members: Dict[str, Any]) -> None:
        """Settles in the background."""
        if self._call.pid != os.getpid():
            return
        params = values.request(dict(members, ticket=held(self._call).ticket))
        core = self._core

        def work() -> None:
            run(core.asking.ask(BLOCKING, "settle", params, core.settings.settle_for, patient=True))

        core.background.do(work)

    def _form(self, value: Any) -> Tuple[Dict[str, Any], Any, Optional[str]]:
        """How a value is settled, what callers get for it, and why it can't be kept."""
        how = self._plan.returning
        why: Optional[str] = None
        try:
            text = values.result(how.encode(value) if reading.is_codec(how) else value)
            largest = self._core.server.largest_request()
            if len(text) * 4 > largest and len(text.encode("utf-8")) > largest - _ROOM_FOR_THE_REST:
                why = "it is too large: it has %d characters" % len(text)
            else:
                return {"as": "complete", "result": text}, reading.back(text, value, how), None
        except Exception as e:
            why = why_not(e)
        return {"as": "complete", "unavailable": why}, value, why

    async def done(self, value: Any) -> Outcome[Any]:
        """The action has returned this value."""
        plan, call = self._plan, self._call
        members, given, why = self._form(value)
        word, answer = await self.settle(members)
        if word == "too_large":
            why = "it is too large"
            members, given = {"as": "complete", "unavailable": why}, value
            word, answer = await self.settle(members)
        if word == "foreign":
            return of_call(plan, call, "done", "", "", value=value)
        if word == "recorded" or (word == "already" and answer.get("state") == "complete"):
            if word == "already" and ("result" in answer or "result_bytes" in answer):
                # A probe was faster, and others have its result.
                try:
                    given = stored(plan, answer)
                except Exception as e:
                    why = why_not(e)
            why = why or answer.get("unavailable")
            warnings: Tuple[str, ...] = ()
            if why:
                warnings = ("the result of '%s' is not kept, so that duplicates get none: %s" % (plan.operation, why),)
                _log.warning("%s", warnings[0])
            return of_call(plan, call, "done", "", "", value=given, answer=answer, warnings=warnings)
        reasons = {
            "stale": "another attempt has the key, and may have run too",
            "already": "the attempt was ended before, as %s" % answer.get("state"),
        }
        reason = reasons.get(word) or "the ledger gave no answer in time"
        message = "'%s' ran, but its result is not recorded: %s. The key is %s" % (plan.operation, reason, call.key)
        text = "'%s' was called and ended, but this could not be recorded: %s. Do not call it again. Tell the user that a "
        text += "person has to look at the key %s."
        text = text % (plan.operation, reason, call.key)
        return of_call(plan, call, "unrecorded", message, text, value=given, answer=answer)

    async def failed(self, error: BaseException, definite: bool) -> Outcome[Any]:
        """The action has raised this error."""
        plan, call = self._plan, self._call
        members: Dict[str, Any] = {"as": "failed" if definite else "in_doubt"}
        members["error"] = {"type": type(error).__name__, "message": str(error)[:_LONGEST_MESSAGE] or "no message"}
        if not definite:
            goes_on = isinstance(error, Unfinished)
            members["ended"] = not goes_on and (remote_ended(call) or is_answered(error, has_crossed))
        members = _writable(members)
        word: str
        answer: Mapping[str, Any]
        if isinstance(error, GeneratorExit):
            # The coroutine is thrown away, and can't wait any more.
            self.later(members)
            word, answer = "recorded", {}
        else:
            word, answer = await self.settle(members)
        state = answer.get("state")
        if word == "already" and state == "complete":
            return replayed(plan, dict(answer, key=call.key))
        kind = str(state) if word in ("recorded", "already") and state in ("failed", "in_doubt") else str(members["as"])
        what = error_text(error)
        note = "" if word in ("recorded", "already", "foreign") else "; this could not be recorded"
        if kind == "failed":
            message = "'%s' failed, and nothing happened%s: %s" % (plan.operation, note, what)
            text = "'%s' failed: %s. It had no effect. You may correct the cause and call it again." % (plan.operation, what)
        elif definite:
            message = "'%s' failed (%s), but an earlier attempt is in doubt. The key is %s" % (plan.operation, what, call.key)
            text = "'%s' failed: %s. It is unknown whether an earlier call of it took effect. %s"
            text = text % (plan.operation, what, next_step(plan, call.key))
        else:
            message = (
                "'%s' ended with %s. That does not prove that nothing happened, so the key %s is in doubt and does not run "
                "again by itself%s" % (plan.operation, what, call.key, note)
            )
            text = "'%s' was called and ended with an error (%s), and it is unknown whether it took effect. %s"
            text = text % (plan.operation, what, next_step(plan, call.key))
        return of_call(plan, call, kind, message, text, error=error, answer=answer)

    async def not_begun(self, why: str) -> Outcome[Any]:
        """The time was over before the action began."""
        plan, call = self._plan, self._call
        error = {"type": "not_begun", "message": why}
        word, answer = await self.settle({"as": "failed", "error": error})
        kind = "in_doubt" if word == "recorded" and answer.get("state") == "in_doubt" else "failed"
        message = "'%s' did not run: %s" % (plan.operation, why)
        text = "'%s' was not called: %s. Nothing was done. You may call it again." % (plan.operation, why)
        if kind == "in_doubt":
            text = "'%s' was not called. It is unknown whether an earlier call of it took effect. %s"
            text = text % (plan.operation, next_step(plan, call.key))
        return of_call(plan, call, kind, message, text, answer=answer)

    async def found(self, value: Any) -> Optional[Outcome[Any]]:
        """A probe has found the effect. None to claim again."""
        plan, call = self._plan, self._call
        members, given, why = self._form(value)
        word, answer = await self.settle(members)
        if word == "too_large":
            why, given = "it is too large", value
            word, answer = await self.settle({"as": "complete", "unavailable": why})
        if word == "stale":
            return None
        if word == "already" and "result" in answer:
            given = stored(plan, answer)
        message = "'%s' was done before: its probe found it" % plan.operation
        if word not in ("recorded", "already"):
            message += "; this could not be recorded"
        text = "This was done before; its result was found, and nothing was done again."
        if why:
            _log.warning("the result of '%s' is not kept: %s", plan.operation, why)
        return of_call(plan, call, "replayed", message, text, value=given, answer=answer)

    async def found_nothing(self) -> Optional[Outcome[Any]]:
        """A probe has found that nothing happened. None to claim again."""
        plan, call = self._plan, self._call
        word, answer = await self.settle({"as": "not_executed", "evidence": "the probe found nothing"})
        if word in ("unanswered", "foreign", "too_large"):
            message = "'%s' did not run: what its probe found could not be recorded" % plan.operation
            text = "'%s' was not called: the ledger can't be reached now. Nothing was done." % plan.operation
            return of_call(plan, call, "unavailable", message, text, answer=answer)
        if word == "recorded" and plan.side_effect == "destructive":
            message = "'%s' had no effect: its probe found nothing. It is destructive, so that only a new call runs it"
            text = "'%s' had no effect. Ask the user before you call it again."
            return of_call(plan, call, "failed", message % plan.operation, text % plan.operation, answer=answer)
        return None


def _writable(members: Dict[str, Any]) -> Dict[str, Any]:
    """Texts of errors may hold what JSON can't."""
    error = members["error"]
    clean = {name: well_formed(text) for name, text in error.items()}
    return dict(members, error=clean)
