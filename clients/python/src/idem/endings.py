"""Outcomes, with their words for people and for models."""

from __future__ import annotations

import base64
from typing import Any, Mapping, Optional

from . import reading
from .call import Call
from .errors import IdemError
from .outcome import Outcome
from .plan import Plan
from .values import NoForm


def ended(plan: Plan, answer: Mapping[str, Any]) -> Outcome[Any]:
    """An ending that the server has told."""
    message = str(answer.get("message") or "")
    if answer.get("answer") == "held":
        message += " (a person approves it with: idem approve %s)" % answer.get("approval")
    return Outcome(
        str(answer.get("answer")),
        plan.scope,
        plan.operation,
        answer.get("key"),
        message=message,
        text=answer.get("for_model"),
        ran_at=answer.get("ran_at"),
        answer=answer,
    )


def stored(plan: Plan, answer: Mapping[str, Any]) -> Any:
    """The result in an answer, as the declared type. Raises NoForm or what the type raises."""
    if "result_bytes" in answer:
        payload = answer["result_bytes"]
        data = base64.b64decode(payload["base64"])
        if str(payload.get("media", "")).startswith("text/") and not plan.returning is bytes:
            return data.decode("utf-8")
        return data.decode("utf-8") if plan.returning is str else data
    if "unavailable" in answer:
        raise NoForm(str(answer["unavailable"]))
    return reading.value(answer.get("result"), plan.returning)


def replayed(plan: Plan, answer: Mapping[str, Any]) -> Outcome[Any]:
    value: Any = None
    missing: Optional[str] = None
    try:
        value = stored(plan, answer)
    except Exception as e:
        missing = why_not(e)
    ran_at = answer.get("ran_at")
    at = " at %s" % _to_the_second(str(ran_at)) if ran_at else ""
    message = "'%s' was done before%s" % (plan.operation, at)
    text = "This was done before%s; the first result is shown, and nothing was done again." % at
    if missing is not None:
        message += ", and its result can't be given: %s. It did not run again" % missing
        text = answer.get("for_model") or without_result(plan, missing)
    return Outcome(
        "replayed",
        plan.scope,
        plan.operation,
        answer.get("key"),
        value=value,
        message=message,
        text=text,
        result_missing=missing,
        ran_at=ran_at,
        warnings=tuple(answer.get("warnings") or ()),
        answer=answer,
    )


def _to_the_second(time: str) -> str:
    return time.partition(".")[0] + "Z" if "." in time else time


def without_result(plan: Plan, why: str) -> str:
    return (
        "'%s' has already run for this and has taken effect, but its result is not known here (%s). It was not run "
        "again. Do not repeat it; look up the result with another tool if you need it." % (plan.operation, why)
    )


def unavailable(plan: Plan, why: str) -> Outcome[Any]:
    return Outcome(
        "unavailable",
        plan.scope,
        plan.operation,
        plan.key,
        message="'%s' did not run: %s" % (plan.operation, why),
        text="'%s' was not called: the ledger that keeps it from happening twice can't be reached now. Nothing was done. "
        "You may call it again later with exactly the same arguments." % plan.operation,
    )


def of_call(plan: Plan, call: Call, kind: str, message: str, text: str, **more: Any) -> Outcome[Any]:
    return Outcome(kind, plan.scope, plan.operation, call.key, message=message, text=text, **more)


def probed_in_doubt(plan: Plan, call: Call, answer: Mapping[str, Any], failed: Optional[Exception] = None) -> Outcome[Any]:
    probe = "could not tell" if failed is None else "failed: " + why_not(failed)
    message = "it is still unknown whether '%s' took effect: its probe %s. The key is %s" % (plan.operation, probe, call.key)
    text = "'%s' was not called: an earlier call of it did not end clearly, and it is unknown whether that took effect. %s"
    return of_call(plan, call, "in_doubt", message, text % (plan.operation, next_step(plan, call.key)), answer=answer)


def settles(plan: Plan) -> str:
    """What settles a doubt: the ``next_call``, the ``probe`` or a ``person``. A destructive action never runs again by itself."""
    on_doubt = plan.policy.get("on_doubt")
    if plan.side_effect != "destructive":
        remembered = plan.policy.get("passes_key_to") is not None and on_doubt != "halt"
        if remembered or on_doubt == "rerun" or (plan.side_effect == "idempotent" and on_doubt is None):
            return "next_call"
    return "probe" if plan.probe is not None and on_doubt != "halt" else "person"


def next_step(plan: Plan, key: str) -> str:
    """What a model may do about a doubt."""
    person = "a person can settle it under the key %s." % key
    if settles(plan) != "person":
        return (
            "You may call it again with exactly the same arguments in some minutes: it is then found out, and it does not "
            "take effect twice. If it stays unclear, tell the user that " + person
        )
    return (
        "Do not call it again: it will not run until somebody has found out. Tell the user that it is unclear, and that "
        + person
    )


def why_not(error: BaseException) -> str:
    """Why a step failed. Of an error that is not of this package only its type: the text may show the result."""
    said = str(error) if isinstance(error, (NoForm, IdemError)) else ""
    return well_formed(said or type(error).__name__)


def well_formed(text: str) -> str:
    """The text without lone surrogates, which JSON can't hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def error_text(error: BaseException) -> str:
    said = str(error)
    name = type(error).__name__
    return "%s: %s" % (name, said) if said else name
