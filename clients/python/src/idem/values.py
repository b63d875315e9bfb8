"""Python values as JSON: strictly for identities, with as much as can be read back for results."""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import decimal
import enum
import json
import math
import uuid
from typing import Any, Callable, Dict, List

from . import records
from .errors import a
from .records import NoForm as NoForm

_SAFE = 2**53
#: What a server reads of one number, in characters, and the most that its exponent may be.
_LONGEST = 1000
_quoted: Callable[[str], str] = json.JSONEncoder(ensure_ascii=False).encode


class Raw(str):
    """JSON that is written as it is."""


def identity(value: Any, name: str = "identity") -> Raw:
    """An identity, or other fields that are compared, as JSON. Raises NoForm for what has no single form."""
    return Raw(_utf8(_Writer(True).text(value, name)))


def result(value: Any) -> Raw:
    """A result as JSON. Raises NoForm for what can't be written."""
    return Raw(_utf8(_Writer(False).text(value, "the result")))


def request(members: Dict[str, Any]) -> str:
    """The params of a request; members that are None are left out."""
    writer = _Writer(False)
    parts = ['"%s":%s' % (name, writer.text(value, name)) for name, value in members.items() if value is not None]
    return "{" + ",".join(parts) + "}"


_TOO_LONG = "%s is a number of more than 1000 digits; give it as a text"


def _readable(number: str, at: str, exponent: int = 0) -> str:
    if len(number) > _LONGEST or abs(exponent) > _LONGEST:
        raise NoForm(_TOO_LONG % at)
    return number


def _utf8(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NoForm("a text has a lone surrogate, which is no character") from None
    return text


class _Writer:
    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._around: List[int] = []

    def text(self, value: Any, at: str) -> str:
        if value is None:
            return "null"
        if value is True:
            return "true"
        if value is False:
            return "false"
        kind = type(value)
        if kind is str:
            return _quoted(value)
        if kind is Raw:
            return str.__str__(value)
        if kind is int:
            return self._int(value, at)
        if kind is float:
            return self._float(value, at)
        if kind is dict or kind is list or kind is tuple:
            return self._nested(value, at)
        return self._other(value, at)

    def _int(self, value: int, at: str) -> str:
        try:
            return _readable(int.__repr__(value), at)
        except ValueError:
            raise NoForm(_TOO_LONG % at) from None

    def _float(self, value: float, at: str) -> str:
        if not math.isfinite(value):
            raise NoForm("%s is %r, which JSON can't hold" % (at, value))
        if self._strict and abs(value) >= _SAFE and value.is_integer():
            raise NoForm(
                "%s is %r: a float holds no whole numbers from 2**53 on exactly; give an int or a Decimal" % (at, value)
            )
        return float.__repr__(value)

    def _nested(self, value: Any, at: str) -> str:
        if id(value) in self._around:
            raise NoForm("%s contains itself" % at)
        self._around.append(id(value))
        try:
            if isinstance(value, dict):
                return self._object(value, at)
            return "[" + ",".join([self.text(each, "%s[%d]" % (at, i)) for i, each in enumerate(value)]) + "]"
        except RecursionError:
            raise NoForm("%s is nested too deeply" % at) from None
        finally:
            self._around.pop()

    def _object(self, value: Dict[Any, Any], at: str) -> str:
        members: Dict[str, str] = {}
        for key, each in value.items():
            name = key if type(key) is str else self._name(key, at)
            if name in members:
                raise NoForm("%s has the name %r twice" % (at, name))
            members[name] = self.text(each, "%s.%s" % (at, name))
        return "{" + ",".join(["%s:%s" % (_quoted(name), text) for name, text in members.items()]) + "}"

    def _name(self, key: Any, at: str) -> str:
        if isinstance(key, (bool, float)) or not isinstance(key, (str, int, enum.Enum, uuid.UUID, dt.date)):
            raise NoForm("%s has a name that is %s; names are texts" % (at, a(type(key).__name__)))
        text = json.loads(self.text(key, at))
        return text if isinstance(text, str) else str(text)

    def _other(self, value: Any, at: str) -> str:
        if isinstance(value, enum.Enum):
            return self.text(enum_form(value, at), at)
        if isinstance(value, str):
            return _quoted(str.__str__(value))
        if isinstance(value, int):
            return self._int(int(value), at)
        if isinstance(value, float):
            return self._float(float(value), at)
        if isinstance(value, decimal.Decimal):
            if not value.is_finite():
                raise NoForm("%s is %s, which JSON can't hold" % (at, value))
            scale = value.as_tuple().exponent
            return _readable(str(value), at, scale if isinstance(scale, int) else 0)
        if isinstance(value, (dt.datetime, dt.date, dt.time, dt.timedelta)):
            return _quoted(self._time(value, at))
        if isinstance(value, uuid.UUID):
            return _quoted(str(value))
        if isinstance(value, (bytes, bytearray, memoryview)):
            return _quoted(base64.b64encode(bytes(value)).decode("ascii"))
        if isinstance(value, (list, tuple, dict)):
            return self._nested(value, at)
        if isinstance(value, (set, frozenset)):
            if self._strict:
                raise NoForm("%s is a set, which has no order; give sorted(…)" % at)
            return self._nested(list(value), at)
        return self._record(value, at)

    def _time(self, value: Any, at: str) -> str:
        if isinstance(value, dt.timedelta):
            return duration(value)
        if isinstance(value, dt.datetime) and self._strict:
            if value.utcoffset() is None:
                raise NoForm(
                    "%s is a datetime without a time zone, which is another moment elsewhere; "
                    "give datetime.now(timezone.utc), or a date" % at
                )
            return instant(value)
        if isinstance(value, dt.time) and value.tzinfo is not None and self._strict:
            raise NoForm("%s is a time with a zone, but without a date" % at)
        return str(value.isoformat())

    def _record(self, value: Any, at: str) -> str:
        kind = type(value)
        if self._strict:
            if kind is records.Field or records.is_record(value):
                return self.text(records.form(value, at), at)
            raise NoForm("%s is %s, which has no form in JSON" % (at, a(kind.__qualname__)))
        if dataclasses.is_dataclass(kind):
            fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(kind)}
            return self._nested_as(value, fields, at)
        if callable(getattr(kind, "model_dump", None)):
            return self._nested_as(value, value.model_dump(mode="json", by_alias=True), at)
        if callable(getattr(kind, "parse_obj", None)) and callable(getattr(kind, "json", None)):
            return self._nested_as(value, _dumped_by_v1(value), at)
        raise NoForm("%s is %s, which has no form in JSON" % (at, a(kind.__qualname__)))

    def _nested_as(self, value: Any, form: Any, at: str) -> str:
        if id(value) in self._around:
            raise NoForm("%s contains itself" % at)
        self._around.append(id(value))
        try:
            return self.text(form, at)
        finally:
            self._around.pop()


def _dumped_by_v1(value: Any) -> Any:
    """What a model of pydantic 1 writes, but with every digit of a Decimal."""
    usual = getattr(type(value), "__json_encoder__", None)

    def encode(each: Any) -> Any:
        if isinstance(each, decimal.Decimal) or usual is None:
            return str(each)
        return usual(each)

    return json.loads(value.json(by_alias=True, encoder=encode), parse_float=decimal.Decimal)


def enum_form(value: enum.Enum, at: str) -> Any:
    """A member that equals its value, such as that of a StrEnum, is that value. Others are their names, as in Java."""
    if isinstance(value, (str, int, float)):
        return value.value
    if value.name is None or "|" in value.name:
        raise NoForm("%s is a combination of flags, which has no name" % at)
    return value.name


def instant(value: dt.datetime) -> str:
    """A moment in UTC, with as many digits as Java writes."""
    utc = value.astimezone(dt.timezone.utc).replace(tzinfo=None)
    micros = utc.microsecond
    how = "seconds" if micros == 0 else "milliseconds" if micros % 1000 == 0 else "microseconds"
    return utc.isoformat(timespec=how) + "Z"


def duration(value: dt.timedelta) -> str:
    """A duration in ISO 8601, as Java writes it: PT1H30M."""
    micros = (value.days * 86400 + value.seconds) * 10**6 + value.microseconds
    sign = "-" if micros < 0 else ""
    seconds, fraction = divmod(abs(micros), 10**6)
    hours, minutes, seconds = seconds // 3600, seconds % 3600 // 60, seconds % 60
    text = "PT"
    text += "%s%dH" % (sign, hours) if hours else ""
    text += "%s%dM" % (sign, minutes) if minutes else ""
    if seconds or fraction or text == "PT":
        digits = (".%06d" % fraction).rstrip("0") if fraction else ""
        text += "%s%d%sS" % (sign, seconds, digits)
    return text
