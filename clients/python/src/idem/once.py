"""Functions that happen once for their arguments."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, TypeVar, Union, cast

from . import context
from . import plan as plans
from . import reading, records
from .errors import Refused
from .operation import Operation
from .running import refuse_generator
from .ways import is_async

F = TypeVar("F", bound=Callable[..., Any])

#: Names of parameters or of what they have, such as order.id; or a function of the arguments.
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
        ignored: Optional[Sequence[str]],
        key: Text,
        scope: Text,
        options: Dict[str, Any],
    ) -> None:
        if isinstance(function, (staticmethod, classmethod)):
            raise Refused("put @idem.once below @staticmethod or @classmethod")
        refuse_generator(function)
        rules = plans.declared(options)
        self._make = make
        self._name = name
        self._function = function
        self._signature = inspect.signature(function)
        self._identity = identity
        self._content = content
        self._ignored = ignored
        self._key = key
        self._scope = scope
        self._options = options
        self._approval = bool(rules.get("approval"))
        self._read = rules.get("side_effect") == "read"
        names = list(self._signature.parameters)
        self._own = names[0] if names and names[0] in ("self", "cls", "mcs") else None
        plans.choices("'%s'" % name, identity, content, ignored)
        for fields in (identity, content, ignored):
            if fields is not None and not callable(fields):
                for each in (path.partition(".")[0] for path in fields):
                    if each not in names:
                        raise Refused("'%s' has no parameter '%s'; it has %s" % (name, each, ", ".join(names) or "none"))
        if self._own and not self._read and not self._tells_objects_apart():
            own = "self.id" if self._own == "self" else self._own + ".__name__"
            named = [own, *(identity if identity and not callable(identity) else names[1:])]
            raise Refused(
                "'%s' is a method, and nothing tells its objects apart: they would get each other's results. Name what "
                "does, such as @idem.once(identity=[%s]), or give identity=, key= or scope= as a function of %s"
                % (name, ", ".join('"%s"' % each for each in named), ", ".join(names))
            )

    def _tells_objects_apart(self) -> bool:
        """Whether the object of a method is part of the call. A class method has none, so that any named fields will do."""
        if callable(self._identity) or callable(self._key) or callable(self._scope):
            return True
        if self._own != "self":
            return self._identity is not None or self._key is not None
        return any(each.partition(".")[0] == "self" for each in self._identity or ())

    def operation(self, args: Any, kwargs: Any) -> Operation:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given: Dict[str, Any] = dict(bound.arguments)
        arguments = {name: value for name, value in given.items() if name != self._own}
        identity = self._fields(self._identity, given, args, kwargs)
        if self._identity is None and self._key is None:
            identity = self._declared(plans.without(arguments, self._content, self._ignored), given)
        scope = self._scope
        if callable(scope):
            scope = context.name_of(scope(*args, **kwargs), "the scope of '%s'" % self._name)
        more: Dict[str, Any] = {}
        if self._approval:
            more["arguments"] = arguments
        return self._make(
            self._name,
            scope=scope,
            key=self._key(*args, **kwargs) if callable(self._key) else self._key,
            identity=None if self._read else identity,
            content=None if self._read else self._fields(self._content, given, args, kwargs),
            **more,
            **self._options,
        )

    def _fields(self, fields: Fields, given: Mapping[str, Any], args: Any, kwargs: Any) -> Any:
        if fields is None:
            return None
        if callable(fields):
            return fields(*args, **kwargs)
        return self._declared({path: plans.field(path, given) for path in fields}, given)

    def _declared(self, chosen: Dict[str, Any], given: Mapping[str, Any]) -> Dict[str, Any]:
        return records.declared(chosen, self._function, lambda path: plans.field(path, given))


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
