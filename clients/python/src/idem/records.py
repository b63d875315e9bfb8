"""
Objects that are told by their fields: dataclasses, and models of pydantic.

As an identity an object counts with all of its fields, whatever its class leaves out or changes when it writes itself: else
two calls with different arguments would be one.
"""

from __future__ import annotations

import builtins
import dataclasses
import importlib
import re
import typing
import weakref
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

_PLAIN = (str, int, float, type(None))
_hints: weakref.WeakKeyDictionary[Any, Dict[str, Any]] = weakref.WeakKeyDictionary()


class NoForm(ValueError):
    """A value has no form in JSON, or not one that can be read back."""


@dataclasses.dataclass(frozen=True)
class Field:
    """The value of a field or of an argument, and the type that it is declared with."""

    value: Any
    declared: Any = Any


def is_record(value: Any) -> bool:
    kind = type(value)
    return dataclasses.is_dataclass(kind) or _is_model(kind) or _is_old_model(kind)


def _is_model(kind: Any) -> bool:
    return isinstance(getattr(kind, "model_fields", None), Mapping)


def _is_old_model(kind: Any) -> bool:
    """Of pydantic 1."""
    return isinstance(getattr(kind, "__fields__", None), Mapping) and callable(getattr(kind, "parse_obj", None))


def fields(value: Any) -> Optional[Dict[str, Field]]:
    """All fields of an object by their names; None if it is no record."""
    kind = type(value)
    if dataclasses.is_dataclass(kind):
        known = hints(kind)
        # A cyclic import or a local class may hide the types: then their names are compared.
        return {
            each.name: Field(getattr(value, each.name), known.get(each.name, each.type))
            for each in dataclasses.fields(kind)
        }
    if _is_model(kind):
        own = vars(value)
        found = {name: Field(own[name], each.annotation) for name, each in _declared(kind).items() if name in own}
        found.update({name: Field(each) for name, each in (getattr(value, "__pydantic_extra__", None) or {}).items()})
        found.update({name: Field(getattr(value, name)) for name in getattr(kind, "model_computed_fields", ())})
        return found
    if _is_old_model(kind):
        types = {name: each.annotation for name, each in _declared(kind).items()}
        return {name: Field(each, types.get(name, Any)) for name, each in vars(value).items()}
    return None


def given_names(value: Any) -> Dict[str, Any]:
    """The fields of an object by all names that it may be made with; an ellipsis for what is only a part of a field."""
    found = {name: each.value for name, each in (fields(value) or {}).items()}
    if not dataclasses.is_dataclass(value):
        for name, each in _declared(type(value)).items():
            for said in (getattr(each, "alias", None), getattr(each, "validation_alias", None)):
                for choice in getattr(said, "choices", (said,)):
                    path = getattr(choice, "path", None)
                    found[path[0] if path else choice] = ... if path else found.get(name)
    return found


def _declared(kind: Any) -> Mapping[str, Any]:
    """The fields of a model as its class declares them."""
    found: Mapping[str, Any] = kind.model_fields if _is_model(kind) else kind.__fields__
    return found


def hints(of: Any) -> Dict[str, Any]:
    """The types that a class or a function declares; their texts where these can't be read."""
    if not isinstance(of, type) and not hasattr(of, "__code__"):
        # An object that is called.
        of = getattr(type(of), "__call__", of)
    try:
        known = _hints.get(of)
        if known is None:
            known = _hints[of] = typing.get_type_hints(of)
        return known
    except Exception:
        return dict(getattr(of, "__annotations__", {}))


def declared(given: Dict[str, Any], function: Any, argument: Callable[[str], Any]) -> Dict[str, Any]:
    """Arguments of a function by their names, or by paths such as order.id, with the types that they are declared with."""
    found: Dict[str, Any] = {}
    types: Optional[Dict[str, Any]] = None
    for path, value in given.items():
        holder, dot, name = path.rpartition(".")
        if isinstance(value, _PLAIN):
            found[path] = value
        elif dot:
            known = fields(argument(holder)) or {}
            found[path] = Field(value, known[name].declared if name in known else Any)
        else:
            types = hints(function) if types is None else types
            found[path] = Field(value, types.get(path, Any))
    return found


def form(value: Any, at: str, as_json: bool = False) -> Any:
    """
    A record, or a Field, as a dict of all its fields, with the records that they hold. An object of another class than its
    field declares has the name of its class beside its fields. With ``as_json`` the other values in a model are written as
    pydantic writes them, else they stay as they are.
    """
    field = value if isinstance(value, Field) else Field(value)
    try:
        return _Form(as_json).of(field.value, at, _classes(field.declared), None)
    except RecursionError:
        raise NoForm("%s contains itself, or is nested too deeply" % at) from None


class _Form:
    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json

    def of(self, value: Any, at: str, declared: Tuple[Any, ...], leaf: Optional[Callable[[Any], Any]]) -> Any:
        if isinstance(value, (list, tuple)):
            return [self.of(each, "%s[%d]" % (at, n), declared, leaf) for n, each in enumerate(value)]
        if isinstance(value, dict):
            return {
                leaf(name) if leaf and not isinstance(name, _PLAIN) else name: self.of(each, at, declared, leaf)
                for name, each in value.items()
            }
        found = fields(value)
        if found is None:
            return value if leaf is None or isinstance(value, _PLAIN) else self._plain(value, at, leaf)
        kind = type(value)
        if not dataclasses.is_dataclass(kind):
            leaf = _written_by(kind) if self._as_json else None
        made = {name: self.of(each.value, "%s.%s" % (at, name), _classes(each.declared), leaf) for name, each in found.items()}
        inner = made["root"] if getattr(kind, "__pydantic_root_model__", False) else made
        return {"class": kind.__qualname__, "fields": inner} if _is_another(kind, declared) else inner

    @staticmethod
    def _plain(value: Any, at: str, leaf: Callable[[Any], Any]) -> Any:
        if isinstance(value, (set, frozenset)):
            raise TypeError("%s is a set, which has no order; make it a list" % at)
        if hasattr(value, "get_secret_value"):
            raise TypeError("%s is a secret, which is no part of a key; leave it out with ignore=" % at)
        return leaf(value)


def _written_by(kind: Any) -> Callable[[Any], Any]:
    """How pydantic writes the other values in models of a class as JSON, without serializers of their own."""
    if not _is_model(kind):
        # That of pydantic itself: an encoder of the class may write two values alike.
        own = next(each for each in reversed(kind.__mro__) if "__json_encoder__" in vars(each))
        encode: Callable[[Any], Any] = own.__json_encoder__
        return encode
    config = getattr(kind, "model_config", {})
    write = importlib.import_module("pydantic_core").to_jsonable_python
    how = {"timedelta_mode": config.get("ser_json_timedelta", "iso8601"), "bytes_mode": config.get("ser_json_bytes", "utf8")}
    return lambda value: write(value, **how)


def _classes(declared: Any) -> Tuple[Any, ...]:
    """All classes that a type names; a text that could not be read as a type stays a text."""
    declared = getattr(declared, "__forward_arg__", getattr(declared, "__supertype__", declared))
    if hasattr(declared, "__metadata__"):
        return _classes(declared.__origin__)
    if isinstance(declared, typing.TypeVar):
        named = declared.__constraints__ or (declared.__bound__,)
        return tuple(name for each in named if each is not None for name in _classes(each))
    origin = typing.get_origin(declared) or declared
    if type(origin).__name__ == "TypeAliasType":
        return _classes(origin.__value__)
    if origin is typing.Literal:
        return ()
    found = tuple(name for each in typing.get_args(declared) for name in _classes(each))
    return (origin, *found) if isinstance(origin, (type, str)) else found


def _is_another(kind: Any, declared: Tuple[Any, ...]) -> bool:
    """Whether an object of this class has to say so, because its field may hold others that have the same fields."""
    texts = [each for each in declared if isinstance(each, str)]
    if texts:
        words = {word.rpartition(".")[2] for text in texts for word in re.findall(r"[\w.]+", text)}
        # List, Optional and None name no class of their own.
        classes = {word for word in words if not hasattr(typing, word) and not hasattr(builtins, word)}
        return classes != {kind.__name__} and not words & {"Any", "object"}
    if kind in declared:
        return any(each is not kind and _names(each) == _names(kind) for each in declared)
    # Any class that has its members may stand where a protocol is declared.
    return any(each in kind.__mro__ or getattr(each, "_is_protocol", False) for each in declared if each is not object)


def _names(kind: Any) -> Any:
    if dataclasses.is_dataclass(kind):
        return {each.name for each in dataclasses.fields(kind)}
    return set(_declared(kind)) if _is_model(kind) or _is_old_model(kind) else None
