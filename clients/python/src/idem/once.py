"""Functions that happen once for their arguments."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, TypeVar, Union, cast

from . import reading
from .errors import Refused
from .operation import Operation
from .running import refuse_generator
from .ways import is_async

F = TypeVar("F", bound=Callable[..., Any])

#: Names of parameters, or a function of the arguments.
Fields = Union[Sequence[str], Callable[..., Any], None]
Text = Union[str, Callable[..., str], None]
Make = Callable[..., Operation]


class Once:
    """Makes operations of calls of one function."""

    def __init__(
        self,
        make: Make,
        function: Callable[..., Any],
        name: str,
        identity: Fields,
        content: Fields,
        key: Text,
        scope: Text,
        options: Dict[str, Any],
    ) -> None:
        if isinstance(function, (staticmethod, classmethod)):
            raise Refused("put @idem.once below @staticmethod or @classmethod")
        refuse_generator(function)
        self._make = make
        self._name = name
        self._signature = inspect.signature(function)
        self._identity = identity
        self._content = content
        self._key = key
        self._scope = scope
        self._options = options
        self._approval = bool(options.get("approval") or (options.get("policy") or {}).get("approval"))
        self._read = (options.get("side_effect") or (options.get("policy") or {}).get("side_effect")) == "read"
        names = list(self._signature.parameters)
        self._bound = names[:1] if names[:1] in (["self"], ["cls"], ["mcs"]) else []
        if self._bound and identity is None and key is None and not self._read:
            raise Refused(
                "'%s' is a method: two objects with equal arguments would be one call. Name the fields that make it this "
                'call, those of its object too: @idem.once(identity=lambda self, …: {"account": self.id, …}), or give key='
                % name
            )
        for fields in (identity, content):
            if isinstance(fields, str):
                raise Refused("the fields are a list of names: [%r]" % fields)
            if fields is not None and not callable(fields):
                for each in fields:
                    if each not in names:
                        raise Refused("'%s' has no parameter '%s'; it has %s" % (name, each, ", ".join(names) or "none"))

    def operation(self, args: Any, kwargs: Any) -> Operation:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given: Dict[str, Any] = dict(bound.arguments)
        for own in self._bound:
            if self._identity is None or callable(self._identity) or own not in self._identity:
                given.pop(own)
        identity = self._fields(self._identity, given, args, kwargs)
        if self._identity is None and self._key is None:
            identity = given
        more: Dict[str, Any] = {}
        if self._approval:
            more["arguments"] = given
        return self._make(
            self._name,
            scope=self._scope(*args, **kwargs) if callable(self._scope) else self._scope,
            key=self._key(*args, **kwargs) if callable(self._key) else self._key,
            identity=None if self._read else identity,
            content=None if self._read else self._fields(self._content, given, args, kwargs),
            **more,
            **self._options,
        )

    @staticmethod
    def _fields(fields: Fields, given: Mapping[str, Any], args: Any, kwargs: Any) -> Any:
        if fields is None:
            return None
        if callable(fields):
            return fields(*args, **kwargs)
        return {name: given[name] for name in fields}


def decorate(make: Make, function: F, name: str, returning: Any, once: Dict[str, Any]) -> F:
    """The function, made once for equal arguments."""
    calls = Once(make, function, name, **once)
    declared: Optional[Any] = returning

    def operation(args: Any, kwargs: Any) -> Operation:
        nonlocal declared
        if declared is None:
            # At the first call, when all names of the annotation are there.
            declared = reading.declared(function)
        made = calls.operation(args, kwargs)
        made._returning = declared
        return made

    if is_async(function):

        @functools.wraps(function)
        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            async def action() -> Any:
                return await function(*args, **kwargs)

            return await operation(args, kwargs).run_async(action)

        return cast(F, wrapper)

    @functools.wraps(function)
    def blocking(*args: Any, **kwargs: Any) -> Any:
        def action() -> Any:
            return function(*args, **kwargs)

        return operation(args, kwargs).run(action)

    return cast(F, blocking)
