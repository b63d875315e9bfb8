"""The public face: opens a ledger, and makes operations on it."""

from __future__ import annotations

import contextlib
import dataclasses
import getpass
import os
import secrets
from types import TracebackType
from typing import Any, Callable, ContextManager, Dict, List, Mapping, Optional, Sequence, Type, TypeVar, Union, overload

from . import context, finding, values
from .core import Core, borrow, give_back
from .ensure import Ensure, Ensured
from .errors import LedgerUnavailable, Refused, Unanswered
from .once import Fields, Text, decorate
from .operation import Operation
from .outcome import Outcome
from .plan import Definite, deciding, yes_or_no
from .server import HELLO_SECONDS, Settings
from .ways import BLOCKING, Looping, Way, run

F = TypeVar("F", bound=Callable[..., Any])


@dataclasses.dataclass(frozen=True)
class About:
    """Which ledger and server are used. ``way`` is ``pipe``, ``socket`` or ``url``."""

    ledger: str
    ledger_id: str
    server: str
    way: str


@dataclasses.dataclass(frozen=True)
class Entry:
    """An entry of the ledger; ``members`` has all of it, as docs/protocol.md describes it."""

    scope: str
    operation: str
    key: str
    state: str
    fence: str
    attempt: int
    members: Mapping[str, Any] = dataclasses.field(repr=False)


class _Leftovers:
    """What an ensure finds of others, and forgets."""

    def __init__(self, operations: Operations, way: Way) -> None:
        self._operations = operations
        self._way = way

    async def left(self, outcome: Outcome[Any]) -> Optional[Entry]:
        address = {"scope": outcome.scope, "operation": outcome.operation, "key": outcome.key}
        found = _entry(await self._operations._ask(self._way, "find", address))
        return found if found is not None and found.state == "complete" else None

    async def forget(self, seen: Entry) -> None:
        address = {"scope": seen.scope, "operation": seen.operation, "key": seen.key}
        await self._operations._ask(self._way, "forget", {**address, "fence": seen.fence, "state": seen.state})


class Operations:
    """What Idem and its sessions have in common."""

    def __init__(self, core: Core, scope: Optional[str], definite: Definite) -> None:
        self._core = core
        self._scope_name = scope
        self._definite = definite

    def operation(
        self,
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
    ) -> Operation:
        """
        An operation: a call that is told from others by its key or its identity.

        :param scope: where the key is unique, such as a task; else that of the block ``with idem.scope(…)``
        :param key: an id that the caller keeps across retries; never the id of a tool call
        :param identity: the fields that make it this call
        :param content: fields that may be worded differently without being another call
        :param probe: asks the outside world about a doubt: ``Happened(value)``, ``NotExecuted``, or None if it can't tell
        :param definite: types of errors, or a function of an error, that prove that nothing happened
        :param wait: how long to wait for another attempt: seconds, or a text such as 10s
        :param returning: the type of the result; else what the action declares
        :param options: options of the policy by name, such as side_effect="destructive" or time_limit="20s"
        """
        return Operation(
            self._core,
            name,
            scope=scope if scope is not None else self._scope_name,
            key=key,
            identity=identity,
            content=content,
            occurrence=occurrence,
            labels=labels,
            parent=parent,
            arguments=arguments,
            policy=policy,
            probe=probe,
            definite=definite if definite is not None else self._definite,
            wait=wait,
            returning=returning,
            **options,
        )

    def ensure(
        self,
        name: str,
        *,
        unless: Callable[[], Any],
        then: Callable[..., Any],
        scope: Optional[str] = None,
        key: Optional[str] = None,
        identity: Any = None,
        **options: Any,
    ) -> Ensured[Any]:
        """
        Creates a thing unless it is there. The claim covers the look and the creation, so of two callers one looks after
        the other has created it. Nothing is remembered after the call: each later one looks again.

        :param unless: looks for the thing, and gives None where it is absent; if it raises, nothing is created. After a
            crash or a lost answer it is the probe
        :param then: creates the thing. Do not hand ``call.key`` to a remote that deduplicates by keys: a thing that is
            created again has the same one; ``call.key + "-" + call.fence`` is another each time
        :param scope: where the identity is unique, such as a tenant, and not the task, since tasks share things;
            ``default`` by default
        :param options: as for an operation, such as ``time_limit="20s"``
        """
        made = self._ensuring(name, unless, then, scope, key, identity, options)
        made.refuse_async()
        return run(made.of(BLOCKING, _Leftovers(self, BLOCKING)))

    async def ensure_async(
        self,
        name: str,
        *,
        unless: Callable[[], Any],
        then: Callable[..., Any],
        scope: Optional[str] = None,
        key: Optional[str] = None,
        identity: Any = None,
        **options: Any,
    ) -> Ensured[Any]:
        """As ``ensure``, without blocking the event loop."""
        way = Looping()
        made = self._ensuring(name, unless, then, scope, key, identity, options)
        return await made.of(way, _Leftovers(self, way))

    def _ensuring(self, name: str, look: Any, then: Any, scope: Any, key: Any, identity: Any, options: Dict[str, Any]) -> Ensure:
        # Not the scope around the call: that is a task.
        where = scope if scope is not None else self._scope_name or "default"
        return Ensure(self.operation, name, look, then, {**options, "scope": where, "key": key, "identity": identity})

    async def _ask(self, way: Way, method: str, params: Mapping[str, Any]) -> Dict[str, Any]:
        core = self._core.here()
        # A server may take long to start.
        seconds = max(core.settings.give_up, HELLO_SECONDS)
        try:
            reply = await core.asking.ask(way, method, values.request(dict(params)), seconds)
        except Unanswered as e:
            raise LedgerUnavailable(str(e)) from e
        return reply.answer

    @overload
    def once(self, name: F) -> F: ...

    @overload
    def once(
        self,
        name: Optional[str] = None,
        *,
        identity: Fields = None,
        content: Fields = None,
        ignored: Optional[Sequence[str]] = None,
        key: Text = None,
        scope: Text = None,
        returning: Any = None,
        **options: Any,
    ) -> Callable[[F], F]: ...

    def once(
        self,
        name: Union[str, Callable[..., Any], None] = None,
        *,
        identity: Fields = None,
        content: Fields = None,
        ignored: Optional[Sequence[str]] = None,
        key: Text = None,
        scope: Text = None,
        returning: Any = None,
        **options: Any,
    ) -> Any:
        """
        Makes a function happen once for its identity: names of parameters or of what they have, such as ``order.id``, or
        a function of the arguments; without it, all arguments but those that are ``content``, which may be worded
        differently in the same call, or ``ignored``. ``key`` and ``scope`` are texts or functions of the
        arguments. A method names something of its object, such as ``self.account``.
        """
        given = name if isinstance(name, str) else None
        once = {"identity": identity, "content": content, "ignored": ignored, "key": key, "scope": scope, "options": options}

        def wrap(function: F) -> F:
            chosen = given or self._named(function)
            return decorate(self.operation, function, chosen, returning, once)

        return wrap(name) if callable(name) else wrap

    def _named(self, function: Callable[..., Any]) -> str:
        """The name of a function, which must not be that of another one: each would get the other's results."""
        name = getattr(function, "__name__", None)
        if not name or name == "<lambda>":
            raise Refused("give the operation a name: @idem.once('charge', …)")
        path = "%s.%s" % (function.__module__, function.__qualname__)
        other = self._core.names.setdefault(name, path)
        if other != path:
            raise Refused(
                "'%s' is the name of two functions, %s and %s, which would get each other's results; give one of them "
                "another name: @idem.once('…')" % (name, other, path)
            )
        return str(name)


class Session(Operations):
    """Operations of one scope."""

    @property
    def name(self) -> Optional[str]:
        return self._scope_name


class Idem(Operations):
    """A ledger in which each call happens once. Open it with ``Idem.open()``; it is safe for threads and event loops."""

    def __init__(self, core: Core, definite: Definite) -> None:
        super().__init__(core, None, definite)
        self._closed = False

    @staticmethod
    def open(
        ledger: Optional[str] = None,
        *,
        url: Optional[str] = None,
        token: Optional[str] = None,
        command: Union[str, Sequence[str], None] = None,
        definite: Definite = None,
        resend: float = 2.0,
        give_up: float = 10.0,
        settle_for: float = 30.0,
    ) -> Idem:
        """
        Opens a ledger: that of ``IDEM_LEDGER``, else the user's own. Nothing is started before the first call.

        :param url: the server, instead of ``IDEM_URL``; ``token`` instead of ``IDEM_TOKEN``
        :param command: the program of Idem, instead of ``IDEM``; a list is a whole command line that serves
        :param definite: errors that prove that nothing happened, for all operations
        :param resend: after how many seconds a request without an answer is sent again
        :param give_up: after how many seconds a claim is given up
        :param settle_for: for how many seconds a result is sent to a ledger that does not answer
        """
        at = finding.server_url(url or (os.environ.get("IDEM_URL") if command is None else None))
        chosen = finding.absolute_command(command)
        settings = Settings(
            ledger=finding.ledger_url(ledger),
            url=at,
            token=(token or os.environ.get("IDEM_TOKEN")) if at else None,
            command=tuple(chosen) if isinstance(chosen, list) else chosen,
            own=command is not None,
            resend=resend,
            give_up=give_up,
            settle_for=settle_for,
        )
        return Idem(borrow(settings), deciding(definite))

    def scope(self, name: str) -> ContextManager[str]:
        """The scope of all calls in a block, also of those in tasks that it starts."""
        return context.in_scope(name)

    def session(self, name: str) -> Session:
        """Operations of this scope, without a block around them."""
        return Session(self._core, context.name_of(name, "the scope of a session"), self._definite)

    def ask(self, method: str, **params: Any) -> Dict[str, Any]:
        """Sends a request of docs/protocol.md that needs no duties, such as browse, trail or approvals.list."""
        return run(self._ask(BLOCKING, method, params))

    async def ask_async(self, method: str, **params: Any) -> Dict[str, Any]:
        return await self._ask(Looping(), method, params)

    def find(self, operation: str, key: str, scope: str = "default") -> Optional[Entry]:
        """The entry of a call, or None."""
        return _entry(self.ask("find", scope=scope, operation=operation, key=key))

    async def find_async(self, operation: str, key: str, scope: str = "default") -> Optional[Entry]:
        return _entry(await self.ask_async("find", scope=scope, operation=operation, key=key))

    def resolve(
        self,
        entry: Entry,
        *,
        happened: bool,
        result: Any = None,
        who: Optional[str] = None,
        why: str,
        even_though_it_may_still_act: bool = False,
    ) -> str:
        """
        Says what a person found out about an entry in doubt. Returns ``done``; ``changed`` if the entry is another one
        now; ``may_still_act``, or ``gone``. Only ``done`` has written something.
        """
        params = _resolution(entry, happened, result, who, why, even_though_it_may_still_act)
        return str(self.ask("resolve", **params).get("answer"))

    async def resolve_async(
        self,
        entry: Entry,
        *,
        happened: bool,
        result: Any = None,
        who: Optional[str] = None,
        why: str,
        even_though_it_may_still_act: bool = False,
    ) -> str:
        params = _resolution(entry, happened, result, who, why, even_though_it_may_still_act)
        return str((await self.ask_async("resolve", **params)).get("answer"))

    def about(self) -> About:
        """Which ledger and server are used. It connects, if that was not done."""
        self.ask("stats")
        return self._about()

    async def about_async(self) -> About:
        await self.ask_async("stats")
        return self._about()

    def _about(self) -> About:
        server = self._core.server
        carrier = server.carrier()
        hello = server.hello
        ledger = self._core.settings.masked(str(hello.get("ledger", self._core.settings.ledger)))
        way = carrier.way if carrier is not None else "lost"
        return About(ledger, str(hello.get("ledger_id")), str(hello.get("server")), way)

    def close(self) -> None:
        """Ends the server if this was the last client of it in this process."""
        if not self._closed:
            self._closed = True
            give_back(self._core)

    def __enter__(self) -> Idem:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    async def __aenter__(self) -> Idem:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "Idem(%s)" % self._core.settings.masked(self._core.settings.ledger)


def _entry(answer: Mapping[str, Any]) -> Optional[Entry]:
    found = answer.get("entry")
    if not isinstance(found, dict):
        return None
    texts: List[str] = [str(found.get(each)) for each in ("scope", "operation", "key", "state", "fence")]
    return Entry(texts[0], texts[1], texts[2], texts[3], texts[4], int(found.get("attempt", 0)), found)


def _resolution(
    entry: Entry, happened: bool, result: Any, who: Optional[str], why: str, even: bool
) -> Dict[str, Any]:
    if not yes_or_no(happened, "happened") and result is not None:
        raise Refused("what did not happen has no result")
    params: Dict[str, Any] = {
        "scope": entry.scope,
        "operation": entry.operation,
        "key": entry.key,
        "fence": entry.fence,
        "state": entry.state,
        "as": "complete" if happened else "not_executed",
        "who": who or _user(),
        "why": why,
        "request_id": secrets.token_hex(8),
        "even_though_it_may_still_act": yes_or_no(even, "even_though_it_may_still_act") or None,
    }
    if happened and result is not None:
        params["result"] = values.result(result)
    return params


def _user() -> str:
    with contextlib.suppress(Exception):
        return getpass.getuser()
    return "somebody"
