"""What a call asks for, checked before anything is sent."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Type, Union

from . import context, values
from .errors import Refused, a
from .ways import is_async, is_generator

#: Types of errors, or a function of an error, that prove that nothing happened.
Definite = Union[Type[BaseException], Tuple[Type[BaseException], ...], Callable[[BaseException], bool], None]

_DEFAULT_WAIT = 10.0
_ISO = re.compile(r"P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
#: Options of docs/configuration.md that a server knows.
POLICY = (
    "side_effect lease time_limit wait retention tombstone on_doubt probe_grace passes_key_to keep_failures staged "
    "reworded repeat approval"
).split()
_WORDS = {
    "side_effect": "read idempotent write destructive".split(),
    "on_doubt": "halt probe rerun".split(),
    "reworded": "warn conflict ignore".split(),
    "repeat": "replay run".split(),
}
_DURATIONS = "lease time_limit wait retention tombstone probe_grace".split()
_FLAGS = "keep_failures staged approval".split()
#: Options of an operation beside those of its policy.
_OTHERS = "policy occurrence labels parent arguments probe definite wait returning".split()
_NOT_HERE = {
    "retry": "retry the call itself: a failure that is in doubt is not repeated",
    "interrupt": "look at call.lost and call.time_left in the action",
    "definite_on": "give definite=(ConnectionRefusedError, …)",
    "transaction": "it is for Java programs that share a connection with the ledger",
}


@dataclasses.dataclass(frozen=True)
class Plan:
    """A call. The identity, the content and the arguments are JSON already."""

    operation: str
    scope: str
    key: Optional[str] = None
    identity: Optional[values.Raw] = None
    content: Optional[values.Raw] = None
    occurrence: Optional[int] = None
    labels: Optional[Dict[str, str]] = None
    parent: Optional[Dict[str, str]] = None
    policy: Dict[str, Any] = dataclasses.field(default_factory=dict)
    arguments: Optional[values.Raw] = None
    probe: Optional[Callable[..., Any]] = None
    definite: Definite = None
    wait: float = _DEFAULT_WAIT
    returning: Any = Any

    @property
    def side_effect(self) -> str:
        return str(self.policy.get("side_effect", "write"))

    def claim(self) -> Dict[str, Any]:
        """The members of a claim that say which call it is."""
        return {
            "scope": self.scope,
            "operation": self.operation,
            "key": self.key,
            "identity": self.identity,
            "occurrence": self.occurrence,
        }


def policy(given: Optional[Mapping[str, Any]], more: Mapping[str, Any]) -> Dict[str, Any]:
    """The options of a policy as the server reads them; later ones win."""
    result: Dict[str, Any] = {}
    for name, value in list((given or {}).items()) + list(more.items()):
        if name in _NOT_HERE:
            raise Refused("policy: %s is not carried out here; %s" % (name, _NOT_HERE[name]))
        if name not in POLICY:
            raise Refused("there is no option '%s'; a policy has %s" % (name, ", ".join(POLICY)))
        result[name] = _checked(name, value)
    if result.get("side_effect") == "read" and result.get("approval"):
        raise Refused(
            "policy: a read runs without asking, so its approval would be ignored; remove the approval (approval=False where a "
            "shared policy asks for it), or declare side_effect='write'"
        )
    return result


def declared(options: Mapping[str, Any]) -> Dict[str, Any]:
    """The policy among the options of a function or a tool. What is wrong with these is told at once, not at the first call."""
    rules = policy(options.get("policy"), {name: value for name, value in options.items() if name not in _OTHERS})
    waiting(options.get("wait"), rules)
    deciding(options.get("definite"))
    asking(options.get("probe"))
    return rules


def asking(probe: Any) -> Any:
    if probe is not None and not callable(probe):
        raise Refused("a probe is a function of the doubted call; this is %s" % a(type(probe).__name__))
    return probe


def deciding(definite: Definite) -> Definite:
    """The declaration of errors that prove that nothing happened; one that could never say so, or always would, is refused."""
    kinds = definite if isinstance(definite, tuple) else (definite,) if isinstance(definite, type) else ()
    if any(not isinstance(each, type) or not issubclass(each, BaseException) for each in kinds) or not (
        definite is None or isinstance(definite, (type, tuple)) or callable(definite)
    ):
        raise Refused("definite is a class of errors, a tuple of them, or a function of an error; this is %r" % (definite,))
    if callable(definite) and not isinstance(definite, type) and (is_async(definite) or is_generator(definite)):
        raise Refused("definite is a function that gives True or False at once; %r gives what is no answer yet" % definite)
    return definite


def yes_or_no(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise Refused("%s is True or False; this is %s" % (name, a(type(value).__name__)))
    return value


def _checked(name: str, value: Any) -> Any:
    words = _WORDS.get(name)
    if words and value not in words:
        raise Refused("%s is not %r, but %s or %s" % (name, value, ", ".join(words[:-1]), words[-1]))
    if name in _FLAGS:
        yes_or_no(value, name)
    if name in _DURATIONS:
        return "%dms" % round(seconds(value, name) * 1000)
    return value


def seconds(value: Any, name: str) -> float:
    """A duration: a number of seconds, a timedelta, or a text such as 500ms, 30s or 5m."""
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    text = value.strip() if isinstance(value, str) else ""
    found = re.fullmatch(r"(\d+)\s*(ms|s|m|h|d)", text)
    if found:
        return int(found.group(1)) * _UNITS[found.group(2)]
    iso = _ISO.fullmatch(text)
    if not iso or not any(iso.groups()):
        raise Refused("%s: %r is no duration; write for instance 500ms, 30s, 5m or PT5M" % (name, value))
    return sum(float(amount) * unit for amount, unit in zip(iso.groups(), (86400.0, 3600.0, 60.0, 1.0)) if amount)


def waiting(given: Any, options: Mapping[str, Any]) -> float:
    """How long a call may wait for another attempt. A destructive one never waits."""
    if options.get("side_effect") == "destructive":
        return 0.0
    if given is not None:
        return seconds(given, "wait")
    return seconds(options["wait"], "wait") if "wait" in options else _DEFAULT_WAIT


def form(value: Any, name: str) -> Optional[values.Raw]:
    """Fields of a call as JSON; what has no single form is refused."""
    if value is None:
        return None
    try:
        return values.identity(value, name)
    except values.NoForm as e:
        raise Refused(str(e)) from e


def choices(of: str, identity: Any, content: Any, ignored: Any) -> None:
    """Refuses what does not tell which arguments make it this call."""
    for names in (identity, content, ignored):
        if isinstance(names, str):
            raise Refused("the fields of %s are a list of names: [%r]" % (of, names))
    if callable(ignored):
        raise Refused("the ignored fields of %s are a list of names" % of)
    lists = [each for each in (identity, content, ignored) if each is not None and not callable(each)]
    names = [name for each in lists for name in each]
    for name in names:
        if names.count(name) > 1:
            raise Refused("'%s' of %s can be only one of identity, content and ignored" % (name, of))
    if identity is not None:
        return
    if callable(content):
        raise Refused("content of %s is a function, so nobody can tell which arguments are the identity: give identity=" % of)
    for name in [*(content or ()), *(ignored or ())]:
        if "." in name:
            raise Refused("'%s' is a part of an argument of %s: name the identity too, with identity=" % (name, of))


def without(arguments: Mapping[str, Any], content: Any, ignored: Any) -> Dict[str, Any]:
    """The identity where none is named: what is neither content nor ignored."""
    left_out = {*(content or ()), *(ignored or ())}
    return {name: value for name, value in arguments.items() if name not in left_out}


def field(path: str, arguments: Mapping[str, Any]) -> Any:
    """An argument, or what it has under a name: the path self.account."""
    value: Any = arguments
    for name in path.split("."):
        try:
            value = value[name] if isinstance(value, Mapping) else getattr(value, name)
        except (KeyError, AttributeError):
            raise Refused("the call has no '%s', which is part of its identity" % path) from None
    return value


def require_scope(operation: str, given: Optional[str], key: Optional[str]) -> str:
    """The scope of a write: given, of the context, or the default one of a key that the caller has."""
    scope = given if given is not None else context.scope()
    if scope is not None:
        return scope
    if key is not None:
        return "default"
    raise Refused(
        "'%s' has neither a scope nor a key, so that equal calls of different tasks would be one. Put the task around it: "
        'with idem.scope("order-7"): …, or give scope="order-7", or key= with the id of the request' % operation,
        code="no_scope",
    )
