"""Keys of arguments, and a cache for tools that only read, under the names of the founding documents."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import functools
import hashlib
import inspect
import json
import logging
import math
import os
import threading
import time
import uuid
from typing import Any, Callable, Dict, Optional, Protocol, Sequence, Tuple, TypeVar, Union, cast

from . import reading, records, values as written
from .carrier import read
from .plan import field

_log = logging.getLogger("idem")

F = TypeVar("F", bound=Callable[..., Any])


class Store(Protocol):
    """Where results are kept, such as redis.Redis."""

    def get(self, key: str) -> Any: ...

    def set(self, key: str, value: str, *, ex: Any) -> Any: ...


class IdempKey(str):
    """A key to hand to a remote: the same scope and arguments give the same key, whatever the order of the names."""

    @classmethod
    def for_args(cls, scope: str, args: Any) -> IdempKey:
        text = "%s\0%s" % (scope, json.dumps(args, sort_keys=True, allow_nan=False, default=described))
        return cls("ik_" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:32])


def make_idempotency_key(*args: Any, **kwargs: Any) -> str:
    """The key that the document makes of the arguments. ``IdempKey.for_args`` is the newer one, and has a scope."""
    text = json.dumps({"args": args, "kwargs": kwargs}, sort_keys=True, allow_nan=False, default=described)
    return "idem_" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:24]


def described(value: Any) -> Any:
    """How an argument that is no JSON counts towards a key."""
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, uuid.UUID, os.PathLike)):
        return str(value)
    if isinstance(value, enum.Enum):
        return value.value
    if records.is_record(value):
        return records.form(value, "an argument", as_json=True)
    raise TypeError(
        "an argument of type %s has no JSON form to make a key of; leave it out with ignore=, or change it"
        % type(value).__name__
    )


class Named:
    """The arguments of a function by their names: all of them, or those that were chosen.

    A method without a key is refused if nothing of its object is chosen: two objects would share their results.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        key: Optional[Callable[..., Any]],
        identity: Union[None, str, Sequence[str]],
        ignore: Union[str, Sequence[str]] = (),
        bound: bool = False,
    ) -> None:
        """With ``bound``, the method of one object is taken: its results are kept apart from those of others."""
        self._function = function
        self._signature = inspect.signature(function)
        self._ignored = {"self", "cls", *([ignore] if isinstance(ignore, str) else ignore)}
        self._chosen = [identity] if isinstance(identity, str) else identity
        first, *others = [*self._signature.parameters, ""]
        chosen = {path.partition(".")[0] for path in self._chosen or ()}
        # A class method has no object. The method of one object can't name anything of it.
        apart = (first in chosen or first == "cls" and bool(chosen)) if not inspect.ismethod(function) else bound
        if key is None and is_method(function) and not apart:
            named = ["self.id", *(self._chosen or others[:-1])]
            raise ValueError(
                "%s is a method, and two objects must not share results: give key=, or name what tells them apart, such "
                "as identity=[%s]"
                % (getattr(function, "__qualname__", function), ", ".join('"%s"' % each for each in named))
            )
        unknown = chosen - set(self._signature.parameters)
        if unknown and not any(each.kind is each.VAR_KEYWORD for each in self._signature.parameters.values()):
            raise ValueError("identity= names arguments that there are not: %s" % ", ".join(sorted(unknown)))

    def of(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        everything = {**bound.arguments, **kwargs}
        if self._chosen is None:
            chosen = {name: value for name, value in bound.arguments.items() if name not in self._ignored}
        else:
            chosen = {path: field(path, everything) for path in self._chosen}
        return records.declared(chosen, self._function, lambda path: field(path, everything))


def is_method(function: Callable[..., Any]) -> bool:
    """Whether its first parameter is an object or a class."""
    if inspect.ismethod(function):
        # It is bound: whose method it is can't be seen by its arguments either.
        return True
    first = next(iter(inspect.signature(function).parameters), None)
    return first in ("self", "cls")


def cache_tool(
    ttl_seconds: float,
    max_size: int = 512,
    store: Optional[Store] = None,
    *,
    key: Optional[Callable[..., Any]] = None,
    identity: Union[None, str, Sequence[str]] = None,
    returning: Any = None,
) -> Callable[[F], F]:
    """A decorator for tools that only read: the same arguments give the same answer for a while.

    store: anything with get(key) and set(key, text, ex=seconds), such as redis.Redis. Without it, the memory of this
        process. It keeps nothing from running twice; for what acts, use IdempotencyStore.once.
    key: a function of the same arguments; identity: names of the arguments that count. A method needs a key, or a field of
        its object such as ``self.account``.
    returning: the type of a result in the store, such as a dataclass; without it the annotation of the function.
    """
    number = isinstance(ttl_seconds, (int, float)) and not isinstance(ttl_seconds, bool) and math.isfinite(ttl_seconds)
    if not number or ttl_seconds < 0:
        raise ValueError("ttl_seconds is a number of seconds; this is %r" % (ttl_seconds,))
    if store is not None and (ttl_seconds < 1 or ttl_seconds != int(ttl_seconds)):
        raise ValueError("in a store, ttl_seconds is a whole number of seconds; this is %r" % (ttl_seconds,))
    if isinstance(max_size, bool) or not isinstance(max_size, int) or max_size < 0:
        raise ValueError("max_size is a number of results; this is %r" % (max_size,))

    def decorate(function: F) -> F:
        named = Named(function, key, identity, bound=store is None)
        kept_in: Union[_Shared, _Memory] = _Memory(ttl_seconds, max_size)
        if store is not None:
            kept_in = _Shared(store, int(ttl_seconds), reading.declared(function) if returning is None else returning)
        place = "%s.%s" % (getattr(function, "__module__", ""), getattr(function, "__qualname__", function))

        def key_of(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> IdempKey:
            return IdempKey.for_args(place, key(*args, **kwargs) if key else named.of(args, kwargs))

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def cached_async(*args: Any, **kwargs: Any) -> Any:
                name = key_of(args, kwargs)
                found, value = kept_in.find(name)
                return value if found else kept_in.kept(name, await function(*args, **kwargs))

            return cast(F, cached_async)

        @functools.wraps(function)
        def cached(*args: Any, **kwargs: Any) -> Any:
            name = key_of(args, kwargs)
            found, value = kept_in.find(name)
            return value if found else kept_in.kept(name, function(*args, **kwargs))

        return cast(F, cached)

    return decorate


class _Memory:
    """The newest results, in this process."""

    def __init__(self, ttl_seconds: float, max_size: int) -> None:
        self._ttl = ttl_seconds
        self._max_size = max_size
        self._kept: collections.OrderedDict[str, Tuple[Any, float]] = collections.OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: str) -> Tuple[bool, Any]:
        with self._lock:
            value, until = self._kept.get(key, (None, 0.0))
            if time.monotonic() >= until:
                return False, None
            self._kept.move_to_end(key)
            return True, value

    def kept(self, key: str, value: Any) -> Any:
        with self._lock:
            self._kept[key] = (value, time.monotonic() + self._ttl)
            self._kept.move_to_end(key)
            while len(self._kept) > self._max_size:
                self._kept.popitem(last=False)
        return value


class _Shared:
    """Results as JSON, in a store that other processes use too."""

    def __init__(self, store: Store, ttl_seconds: int, how: Any) -> None:
        self._store = store
        self._ttl = ttl_seconds
        self._how = how

    def find(self, key: str) -> Tuple[bool, Any]:
        text = self._store.get(key)
        return (False, None) if text is None else (True, reading.value(read(text), self._how))

    def kept(self, key: str, value: Any) -> Any:
        try:
            form = self._how.encode(value) if reading.is_codec(self._how) else value
            text = str(written.result(form))
            given = reading.back(text, value, self._how)
        except Exception as unfit:
            _log.warning("a result is not cached: %s", unfit)
            return value
        try:
            self._store.set(key, text, ex=self._ttl)
        except Exception as e:
            # The call has ended, and its caller must not make it again. The error may hold the result.
            _log.warning("a result is not cached: %s of the store", type(e).__name__)
        return given
