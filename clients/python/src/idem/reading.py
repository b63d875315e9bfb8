"""Reads stored results back as the type that a function declares."""

from __future__ import annotations

import base64
import collections.abc as abc
import dataclasses
import datetime as dt
import decimal
import enum
import re
import types
import typing
import uuid
from typing import Any, Callable, Dict, Optional, Protocol, Tuple

from . import records, values
from .carrier import read
from .errors import Refused, a
from .values import NoForm, enum_form


class Codec(Protocol):
    """Writes results as JSON values and reads them back; may be given as ``returning``."""

    def encode(self, value: Any) -> Any: ...

    def decode(self, value: Any) -> Any: ...


_UNIONS: Tuple[Any, ...] = (typing.Union,) + ((types.UnionType,) if hasattr(types, "UnionType") else ())
_LISTS = (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection)
_MAPS = (dict, abc.Mapping, abc.MutableMapping)
_SETS = {set: set, frozenset: frozenset, abc.Set: frozenset, abc.MutableSet: set}
_PLAIN = (str, int, float, bool, object, type(None))
_hints: Dict[type, Dict[str, Any]] = {}


def declared(function: Callable[..., Any]) -> Any:
    """The return type of a function; Any if it declares none."""
    annotations = getattr(function, "__annotations__", None)
    if not isinstance(annotations, dict) or "return" not in annotations:
        return Any
    try:
        return typing.get_type_hints(function, include_extras=True).get("return", Any)
    except Exception as e:
        name = getattr(function, "__qualname__", function)
        raise Refused(
            "the return annotation of %s can't be read (%s); give the type: returning=…" % (name, e)
        ) from e


def is_codec(how: Any) -> bool:
    return callable(getattr(how, "encode", None)) and callable(getattr(how, "decode", None)) and not isinstance(how, type)


def value(stored: Any, how: Any) -> Any:
    """A stored value, as JSON was read, as the type or by the codec ``how``. Raises NoForm, or what a class raises."""
    return how.decode(plain(stored)) if is_codec(how) else _as(stored, how)


def back(text: str, result: Any, how: Any) -> Any:
    """What callers get for a result that was written as this JSON. Raises NoForm where that is not the same."""
    found = value(read(text), how)
    lost = None if is_codec(how) else _lost(result, found, "the result")
    if lost:
        raise NoForm("%s does not come back as it was; give its type or a codec with returning=" % lost)
    return found


def _lost(given: Any, found: Any, at: str, made: bool = True) -> Optional[str]:
    """
    What is not the same, if anything: a list for a tuple or a text for a date is, where no type was declared. With ``made``,
    the other value was made of this one: then nothing of a text or a number is lost, in whatever form it comes back.
    """
    kind = type(given)
    if given is found or (kind in _PLAIN and (made or kind is type(found) and (given == found or given != given))):
        return None
    named = "%s (%s)" % (at, kind.__qualname__)
    if records.is_record(given):
        if isinstance(found, (dict, list)):
            # No type was declared: its own would have to make it of what is stored.
            try:
                found = _as(_by_names(found, kind), kind)
            except Exception:
                return None
        if _generic(type(found)) is not _generic(kind):
            return named
        mine, theirs = _compared(given), _compared(found)
        if set(mine) != set(theirs):
            return named
        made = False
        pairs = [("%s.%s" % (at, name), each, theirs[name]) for name, each in mine.items()]
    elif isinstance(given, dict) and records.is_record(found):
        # A model may add its defaults, but must not drop what it was made of.
        known = records.given_names(found)
        dropped = next((name for name in given if name not in known), None)
        if dropped is not None:
            return "%s.%s (%s)" % (at, dropped, type(given[dropped]).__qualname__)
        pairs = [("%s.%s" % (at, name), each, each if known[name] is ... else known[name]) for name, each in given.items()]
    elif isinstance(given, dict) and isinstance(found, dict):
        if len(given) != len(found):
            return named
        pairs = [("%s.%s" % (at, name), each, other) for (name, each), other in zip(given.items(), found.values())]
    elif isinstance(given, (list, tuple)) and isinstance(found, (list, tuple)):
        if len(given) != len(found):
            return named
        pairs = [("%s[%d]" % (at, n), each, other) for n, (each, other) in enumerate(zip(given, found))]
    else:
        return None if _equal(given, found) else named
    return next(filter(None, (_lost(mine, theirs, where, made) for where, mine, theirs in pairs)), None)


def _generic(kind: Any) -> Any:
    """The class without its arguments: Page[Item] is made of Page."""
    return (getattr(kind, "__pydantic_generic_metadata__", None) or {}).get("origin") or kind


def _compared(value: Any) -> Dict[str, Any]:
    """The fields that an object holds; computed ones may differ each time."""
    computed = getattr(type(value), "model_computed_fields", ())
    return {name: each.value for name, each in (records.fields(value) or {}).items() if name not in computed}


def _by_names(stored: Any, kind: Any) -> Any:
    """What a model has written, with the names that it reads in place of those that it only writes."""
    fields = getattr(kind, "model_fields", None)
    if not isinstance(stored, dict) or not isinstance(fields, dict):
        return stored
    own = {}
    for name, each in fields.items():
        reads = getattr(each, "validation_alias", None)
        own[getattr(each, "serialization_alias", None) or name] = reads if isinstance(reads, str) else name
    return {own.get(name, name): each for name, each in stored.items()}


def _equal(given: Any, found: Any) -> bool:
    if given == found:
        return True
    if isinstance(given, (set, frozenset)):
        return isinstance(found, list) and _lost(list(given), found, "") is None
    if isinstance(given, (float, decimal.Decimal)):
        return isinstance(found, (int, float, decimal.Decimal)) and decimal.Decimal(str(given)) == decimal.Decimal(str(found))
    return values.result(given) == values.result(found)


def plain(stored: Any) -> Any:
    """A stored value with floats for numbers that have a fraction."""
    if isinstance(stored, decimal.Decimal):
        return float(stored)
    if isinstance(stored, list):
        return [plain(each) for each in stored]
    if isinstance(stored, dict):
        return {name: plain(each) for name, each in stored.items()}
    return stored


def _as(stored: Any, how: Any) -> Any:
    if stored is None or how is Any or how in _PLAIN or isinstance(how, (typing.TypeVar, str)):
        return plain(stored)
    supertype = getattr(how, "__supertype__", None)
    if supertype is not None:
        return _as(stored, supertype)
    origin = typing.get_origin(how)
    arguments = typing.get_args(how)
    if origin is not None and origin is getattr(typing, "Annotated", None) or hasattr(how, "__metadata__"):
        return _as(stored, arguments[0])
    if origin is typing.Literal:
        return plain(stored)
    if origin in _UNIONS:
        return _union(stored, [each for each in arguments if each is not type(None)])
    base = origin or how
    if base is tuple:
        return _tuple(stored, arguments)
    item = arguments[0] if arguments else Any
    if base in _LISTS:
        return [_as(each, item) for each in _expect(stored, list, how)]
    if base in _SETS:
        return _SETS[base](_as(each, item) for each in _expect(stored, list, how))
    if base in _MAPS:
        return _map(_expect(stored, dict, how), arguments)
    return _scalar(stored, base) if isinstance(base, type) else plain(stored)


def _expect(stored: Any, kind: type, how: Any) -> Any:
    if not isinstance(stored, kind):
        raise NoForm("%s was declared, but %s is stored" % (a(_name(how)), a(type(stored).__name__)))
    return stored


def _name(how: Any) -> str:
    return getattr(how, "__qualname__", None) or str(how)


def _tuple(stored: Any, arguments: Tuple[Any, ...]) -> Any:
    stored = _expect(stored, list, tuple)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_as(each, arguments[0]) for each in stored)
    if arguments and len(arguments) == len(stored):
        return tuple(_as(each, how) for each, how in zip(stored, arguments))
    return tuple(plain(stored))


def _map(stored: Dict[str, Any], arguments: Tuple[Any, ...]) -> Any:
    key, item = arguments if len(arguments) == 2 else (Any, Any)
    return {int(name) if key is int else _as(name, key): _as(each, item) for name, each in stored.items()}


def _union(stored: Any, arms: Any) -> Any:
    if len(arms) == 1:
        return _as(stored, arms[0])
    kinds: Dict[Any, Any] = {str: str, bool: bool, int: int, float: (float, decimal.Decimal)}
    for arm in arms:
        expected = kinds.get(arm)
        if expected and isinstance(stored, expected) and (arm is bool) == isinstance(stored, bool):
            # A text may also be the form of another arm, such as a date.
            if not isinstance(stored, str) or all(each in kinds or not _texts(each) for each in arms):
                return plain(stored)
    found = []
    for arm in arms:
        try:
            if arm not in kinds:
                found.append(_as(stored, arm))
        except Exception:
            continue
    if len(found) != 1:
        raise NoForm("the stored result fits %s of %s" % (len(found) or "none", ", ".join(map(_name, arms))))
    return found[0]


def _texts(how: Any) -> bool:
    """Whether values of this type are stored as texts."""
    kinds = (dt.date, dt.time, dt.timedelta, uuid.UUID, bytes, enum.Enum)
    return isinstance(how, type) and issubclass(how, kinds)


def _scalar(stored: Any, kind: Any) -> Any:
    if issubclass(kind, enum.Enum):
        return _enum(stored, kind)
    if issubclass(kind, decimal.Decimal):
        return kind(str(stored))
    if issubclass(kind, dt.datetime):
        return kind.fromisoformat(_iso(stored))
    if issubclass(kind, (dt.date, dt.time)):
        return kind.fromisoformat(_expect(stored, str, kind))
    if issubclass(kind, dt.timedelta):
        return _duration(_expect(stored, str, kind))
    if issubclass(kind, uuid.UUID):
        return kind(_expect(stored, str, kind))
    if issubclass(kind, (bytes, bytearray)):
        return kind(base64.b64decode(_expect(stored, str, kind), validate=True))
    if dataclasses.is_dataclass(kind):
        return _dataclass(_expect(stored, dict, kind), kind)
    if callable(getattr(kind, "model_validate", None)):
        return kind.model_validate(plain(stored))
    if callable(getattr(kind, "parse_obj", None)):
        return kind.parse_obj(plain(stored))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = _type_hints(kind)
        names = getattr(kind, "_fields")
        return kind(*[_as(each, hints.get(name, Any)) for name, each in zip(names, _expect(stored, list, kind))])
    if issubclass(kind, dict) and hasattr(kind, "__total__"):
        hints = _type_hints(kind)
        return {name: _as(each, hints.get(name, Any)) for name, each in _expect(stored, dict, kind).items()}
    if issubclass(kind, (str, int, float, list)):
        return kind(plain(stored))
    raise NoForm("%s can't be read back from JSON" % a(kind.__qualname__))


def _enum(stored: Any, kind: Any) -> Any:
    for member in kind.__members__.values():
        try:
            if enum_form(member, "") == plain(stored):
                return member
        except NoForm:
            continue
    if issubclass(kind, int):
        return kind(stored)
    raise NoForm("what is stored is no %s" % kind.__qualname__)


def _iso(stored: Any) -> str:
    text: str = _expect(stored, str, dt.datetime)
    # Python reads six digits, and before 3.11 no Z.
    text = re.sub(r"(\.\d{6})\d+", r"\1", text)
    text = re.sub(r"\.(\d{1,5})(?!\d)", lambda found: "." + found.group(1).ljust(6, "0"), text)
    return text[:-1] + "+00:00" if text.endswith("Z") else text


_DURATION = re.compile(r"([-+]?)P(?:([-+]?\d+)D)?(?:T(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?)(\d+)(?:\.(\d{1,9}))?S)?)?")


def _duration(text: str) -> dt.timedelta:
    found = _DURATION.fullmatch(text)
    if not found:
        raise NoForm("what is stored is no duration, of which a timedelta is made")
    sign, days, hours, minutes, minus, seconds, fraction = found.groups()
    micros = int((fraction or "").ljust(6, "0")[:6] or 0)
    small = dt.timedelta(seconds=int(seconds or 0), microseconds=micros)
    total = dt.timedelta(days=int(days or 0), hours=int(hours or 0), minutes=int(minutes or 0))
    total = total - small if minus == "-" else total + small
    return -total if sign == "-" else total


def _type_hints(kind: type) -> Dict[str, Any]:
    known = _hints.get(kind)
    if known is None:
        known = typing.get_type_hints(kind, include_extras=True)
        _hints[kind] = known
    return known


def _dataclass(stored: Dict[str, Any], kind: Any) -> Any:
    hints = _type_hints(kind)
    given: Dict[str, Any] = {}
    later: Dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if field.name in stored:
            (given if field.init else later)[field.name] = _as(stored[field.name], hints.get(field.name, Any))
    try:
        made = kind(**given)
    except TypeError as e:
        raise NoForm("%s can't be made of what is stored" % a(kind.__qualname__)) from e
    for name, each in later.items():
        object.__setattr__(made, name, each)
    return made
