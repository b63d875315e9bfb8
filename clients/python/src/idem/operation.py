"""An operation: what is done, and how it is told from others."""

from __future__ import annotations

import re
from types import TracebackType
from typing import Any, Awaitable, Callable, Dict, Generic, Mapping, Optional, Type, TypeVar, Union

from . import context
from . import plan as plans
from . import reading
from .call import Call
from .core import Core
from .errors import Refused, a
from .guarding import GuardedCall
from .outcome import Outcome
from .plan import Definite, Plan
from .running import Running, read, refuse_what_can_not_run
from .ways import BLOCKING, Looping, NotBlocking, Way, is_async, run

T = TypeVar("T")
_KEY = re.compile("[!-~]{1,255}")

#: An action takes the call, or nothing.
Action = Union[Callable[[Call], T], Callable[[], T]]
AsyncAction = Union[Callable[[Call], Awaitable[T]], Callable[[], Awaitable[T]]]


class Operation:
    """A call that may be made; see docs/python.md for the options. It is immutable."""

    def __init__(
        self,
        core: Core,
        name: str,
        *,
        scope: Optional[str] = None,
        key: Optional[str] = None,
        identity: Any = None,
        content: Any = None,
        occurrence: Optional[int] = None,
        labels: Optional[Mapping[str, str]] = None,
        parent: Optional[Mapping[str, str]] = None,
        arguments: Optional[Mapping[str, Any]] = None,
        policy: Optional[Mapping[str, Any]] = None,
        probe: Optional[Callable[..., Any]] = None,
        definite: Definite = None,
        wait: Any = None,
        returning: Any = None,
        **options: Any,
    ) -> None:
        if not isinstance(name, str) or not name:
            raise Refused("an operation has a name, such as 'charge'")
        self._core = core
        self._returning = returning
        rules = plans.policy(policy, options)
        self._given_scope = None if scope is None else context.name_of(scope, "the scope of '%s'" % name)
        if key is None and identity is None and rules.get("side_effect") != "read":
            raise Refused(
                "'%s' has neither a key nor an identity. Give identity={…} with the fields that make it this call, or key= "
                "with an id that the caller keeps across retries (never a tool call's id)" % name
            )
        if key is not None and not isinstance(key, str):
            raise Refused("a key is a text; %r is %s" % (key, a(type(key).__name__)))
        if key is not None and not _KEY.fullmatch(key):
            raise Refused(
                "the key of '%s' has to be 1 to 255 visible ASCII characters without spaces. Give identity={…} instead, from "
                "which the key is derived, or a digest: hashlib.sha256(text.encode()).hexdigest(). Nothing ran" % name
            )
        self._name = name
        self._key = key
        self._is_read = rules.get("side_effect") == "read"
        self._fields: Dict[str, Any] = {
            "key": key,
            "identity": plans.form(identity, "identity"),
            "content": plans.form(content, "content"),
            "occurrence": occurrence,
            "labels": {str(each): str(value) for each, value in labels.items()} if labels else None,
            "parent": dict(parent) if parent else None,
            "policy": rules,
            "arguments": plans.form(arguments, "arguments"),
            "probe": plans.asking(probe),
            "definite": plans.deciding(definite),
            "wait": plans.waiting(wait, rules),
        }

    def _ready(self, action: Optional[Callable[..., Any]]) -> Plan:
        """The plan of a call now: with the scope of the context and the type of the result."""
        how = self._returning
        if how is None:
            how = Any if action is None else reading.declared(action)
        if self._is_read:
            scope = self._given_scope or "default"
        else:
            scope = plans.require_scope(self._name, self._given_scope, self._key)
        return Plan(self._name, scope, returning=how, **self._fields)

    async def _attempt(self, way: Way, action: Callable[..., Any]) -> Outcome[Any]:
        plan = self._ready(action)
        if plan.side_effect == "read":
            return await read(plan, way, action)
        return await Running(self._core, plan, way).attempt(action)

    def attempt(self, action: Action[T]) -> Outcome[T]:
        """Makes the call; every ending is a value. Raises only Refused, interrupts and cancellations."""
        self._check(action, blocking=True)
        return run(self._attempt(BLOCKING, action))

    def run(self, action: Action[T]) -> T:
        """Makes the call and returns its value, which is the decoded stored one. Every other ending is raised."""
        return self.attempt(action).get()

    async def attempt_async(self, action: AsyncAction[T]) -> Outcome[T]:
        """As ``attempt``, without blocking the event loop."""
        self._check(action, blocking=False)
        return await self._attempt(Looping(), action)

    async def run_async(self, action: AsyncAction[T]) -> T:
        """As ``run``, without blocking the event loop."""
        return (await self.attempt_async(action)).get()

    def _check(self, action: Callable[..., Any], blocking: bool) -> None:
        refuse_what_can_not_run(action)
        if blocking and is_async(action):
            raise Refused(str(NotBlocking(False)))
        if blocking and is_async(self._fields["probe"]):
            raise Refused("the probe is async: use run_async, attempt_async or async with, or give a probe that is not")

    def guard(self) -> Guard[Any]:
        """The same around a block: ``with`` or ``async with``. The block has to look at ``call.replayed``."""
        return Guard(self._core, lambda: self._ready(None))


class Guard(Generic[T]):
    """A block that happens once. What leaves it with an error that proves nothing is in doubt."""

    def __init__(self, core: Core, plan: Callable[[], Plan]) -> None:
        self._core = core
        self._plan = plan
        self._call: Optional[GuardedCall] = None

    async def _enter(self, way: Way) -> GuardedCall:
        if self._call is not None:
            raise Refused("a guard is entered once; make another with operation(…).guard()")
        self._call = GuardedCall(self._core, self._plan(), way)
        await self._call.enter()
        return self._call

    def __enter__(self) -> GuardedCall:
        return run(self._enter(BLOCKING))

    async def __aenter__(self) -> GuardedCall:
        return await self._enter(Looping())

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        assert self._call is not None
        run(self._call.leave(error))

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        assert self._call is not None
        await self._call.leave(error)
