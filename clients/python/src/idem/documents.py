"""The names of the founding documents, on this client: stores of requests, sessions, webhooks, keys and caches.

    store = IdempotencyStore(path="./requests.db")

    @store.once(key=lambda order: "charge-" + order["id"])
    def charge(order):
        return payments.charge(order["cents"])

The first call runs, later ones get its result, in this process or any other on the host. A function that raises leaves its
key in doubt, since an exception does not prove that nothing happened; it is not run again until somebody has found out.
Raise ``NotExecuted`` where nothing was done: then the same key may run again.
"""

from __future__ import annotations

import collections
import functools
import inspect
import logging
import threading
import uuid
from typing import Any, Callable, Dict, Optional, Sequence, Tuple, TypeVar, Union, cast

from . import context, reading
from .caching import IdempKey, Named, cache_tool, make_idempotency_key
from .call import Happened
from .document_errors import (
    AlreadyProcessed,
    Conflict,
    Expired,
    IdemError,
    InDoubt,
    InFlight,
    ResultUnavailable,
    Stale,
    Unavailable,
    value_of,
)
from .errors import NotExecuted, Refused
from .request_ledger import RequestLedger, Ticket, module_of
from .running import Running
from .unfinished import require_finished
from .ways import BLOCKING, Looping, is_async, is_generator, run

__all__ = [
    "AlreadyProcessed",
    "Conflict",
    "DurableIdempotencyStore",
    "Expired",
    "Happened",
    "IdemError",
    "IdempKey",
    "IdempotencyStore",
    "IdempotentAgentSession",
    "InDoubt",
    "InFlight",
    "NotExecuted",
    "RedisIdempotencyStore",
    "ResultUnavailable",
    "Stale",
    "Ticket",
    "Unavailable",
    "WebhookDeduplicator",
    "cache_tool",
    "handle_request",
    "make_idempotency_key",
]

_log = logging.getLogger("idem")

F = TypeVar("F", bound=Callable[..., Any])
Id = Any


class IdempotencyStore:
    """Marks requests by their ids. Taking one is a single atomic step, and it is renewed until it is settled."""

    def __init__(
        self,
        path: Any = None,
        ledger: Optional[str] = None,
        scope: str = "default",
        operation: str = "request",
        ttl_days: Optional[float] = None,
        lease: float = 60.0,
        time_limit: Optional[float] = 300.0,
        command: Optional[str] = None,
    ) -> None:
        """Opens no ledger yet. IdemError where a file is at the path and can't be looked at, such as a locked one.

        path: a file. A file of requests that another store has written (JSON lines, or a SQLite table
            idempotency_cache) is taken over on first use and left as it is; the ledger stands beside it, with .idem.db
            after its name, and always does for a name in .jsonl.
        ledger: a URL instead of a path, such as postgresql://host/database. With neither, it is the user's own ledger.
        ttl_days: for how long results answer duplicates. Without it 7 days, and requests that were taken over stay for
            good.
        lease: after how many seconds without a sign of life a request is in doubt where a dead process can't be seen.
        time_limit: for how many seconds a request is renewed; None for as long as the process lives. A probe is asked
            when it is over.
        command: the program that is Idem's command line; without it the variable IDEM, or idem on the path.
        """
        self._requests = RequestLedger(path, ledger, scope, operation, ttl_days, lease, time_limit, command)

    def close(self) -> None:
        """Ends the server if this store was its last user in this process. At the end of the process it ends by itself."""
        self._requests.close()

    def is_processed(self, request_id: Id, payload: Any = None) -> bool:
        """Whether the request is complete; Conflict when it is for another payload."""
        return self._requests.found(request_id, payload)[0]

    def get_result(self, request_id: Id, payload: Any = None) -> Any:
        """What a complete request gave; None where it is not complete, or gave nothing."""
        return self._requests.found(request_id, payload)[1]

    def mark_in_progress(self, request_id: Id, payload: Any = None) -> Ticket:
        """Takes the request, or raises AlreadyProcessed, InFlight, InDoubt or Conflict.

        payload: what the request asks for; the same id with another payload is a conflict.
        It returns a ticket, which the other marks take in place of the id.
        """
        return self._requests.claim(request_id, payload)

    def mark_complete(self, request_id: Union[Id, Ticket], result: Any = None) -> None:
        """It is done; duplicates get this result. One that has no JSON form is not kept; the key is complete anyway."""
        self._requests.ticket(request_id).complete(result)

    def mark_failed(
        self, request_id: Union[Id, Ticket], error: Any = "", nothing_happened: Optional[bool] = None
    ) -> None:
        """It failed.

        Where nothing happened the same id may be taken again: in an except block for NotExecuted, where the error is a
        NotExecuted itself, or where the caller knows and says nothing_happened=True. Everywhere else the request is in
        doubt: a failure does not prove that nothing happened. After a mark_complete that raised, the completion is
        recorded instead, and this call raises AlreadyProcessed.
        """
        self._requests.ticket(request_id).failed(error, nothing_happened)

    def mark_not_executed(self, request_id: Union[Id, Ticket], why: Any = "") -> None:
        """Nothing happened and nothing will, as the caller knows: the same id may be taken again."""
        self._requests.ticket(request_id).failed(why, nothing_happened=True)

    def mark_in_doubt(self, request_id: Union[Id, Ticket], error: Any = "") -> None:
        """It may have happened: it is not taken again until somebody has found out."""
        self._requests.ticket(request_id).in_doubt(error)

    def resolve(
        self, request_id: Id, happened: bool, result: Any = None, by: Optional[str] = None, why: Optional[str] = None
    ) -> None:
        """Ends doubt: a person has found out whether it happened. If so, duplicates get this result; else it may run."""
        self._requests.resolve(request_id, happened, result, by, why)

    def clear(self, request_id: Id) -> None:
        """Removes what is known of a request that is not in progress: its id may be used again.

        A request of a file that was taken over stays cleared, until the file says something newer of it.
        """
        self._requests.forget(request_id)

    def once(
        self,
        function: Optional[F] = None,
        *,
        key: Optional[Callable[..., Any]] = None,
        identity: Union[None, str, Sequence[str]] = None,
        wait: float = 10.0,
        probe: Optional[Callable[..., Any]] = None,
        ignore: Union[str, Sequence[str]] = (),
        encode: Optional[Callable[[Any], Any]] = None,
        decode: Optional[Callable[[Any], Any]] = None,
        returning: Any = None,
    ) -> Any:
        """A decorator for functions, methods and async functions: it runs once for each key, later calls get its result.
        Write @store.once, or @store.once(key=...) with options.

        key: a function of the same arguments, or None to derive the key from the function's module and name and its
            arguments.
        identity: names of the arguments that make it this call; without it all but those of ``ignore``. A method needs a
            field of its object, such as ``self.account``, or a key: two objects must not share a result.
        wait: how many seconds to wait for a running duplicate.
        probe: a function of the same arguments that asks the outside world after doubt. It returns Happened(result), or
            NotExecuted, or anything else where it can't tell. It is asked when the doubted call's time limit is over.
        ignore: names of arguments that are no part of the work, such as a client. The same key with other arguments is a
            Conflict.
        encode, decode: turn a result into JSON values and back.
        returning: the type of the result, such as a dataclass; without it the annotation of the function.
        """

        def decorate(function: F) -> F:
            named = Named(function, key, identity, ignore)
            called = getattr(function, "__qualname__", "<unnamed>")
            module = module_of(function)
            if key is None and called.endswith(">"):
                raise ValueError("%r has no name to make a key of: give key=" % function)
            how = _Codec(encode, decode) if encode or decode else returning

            def name(*args: Any, **kwargs: Any) -> Tuple[Any, Any]:
                given = named.of(args, kwargs)
                # Flat where that is unambiguous, so that a person finds the entry by its arguments.
                work = {"function": called, **({"arguments": given} if "function" in given else given)}
                if key is not None:
                    return key(*args, **kwargs), work
                return self._requests.derived({"module": module, **work}), work

            return self._guarded(function, name, wait, probe, how)

        return decorate if function is None else decorate(function)

    def execute_once(self, key: Id, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Runs fn(*args, **kwargs) once for this key; later calls get its result. With an async fn, await the answer."""
        return self._guarded(fn, lambda *_, **__: (key, None))(*args, **kwargs)

    def _execute(self, key: Id, fn: Callable[..., Any], args: Any, kwargs: Any) -> Tuple[Any, bool]:
        """The result, and whether fn ran for it just now."""
        if inspect.iscoroutinefunction(fn):
            raise TypeError("%r is async: use IdempotencyStore.execute_once" % fn)
        if not callable(fn):
            raise TypeError("%r is no function, so there is nothing to run" % (fn,))
        ran = []

        def tracked() -> Any:
            ran.append(True)
            return fn(*args, **kwargs)

        call = self._guarded(tracked, lambda: (key, None), returning=reading.declared(fn))
        return call(), bool(ran)

    def _guarded(
        self,
        function: F,
        name: Callable[..., Tuple[Any, Any]],
        wait: float = 10.0,
        probe: Optional[Callable[..., Any]] = None,
        returning: Any = None,
    ) -> F:
        if not callable(function):
            raise TypeError("%r is no function, so there is nothing to run" % (function,))
        if is_generator(function):
            raise TypeError("%r gives its values later, when its call has long returned: return a list" % function)
        if is_async(probe) and not is_async(function):
            raise TypeError("the probe is async, and %r is not: give a probe that is not" % function)
        how = reading.declared(function) if returning is None else returning

        def running(way: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Tuple[Any, Running]:
            request_id, work = name(*args, **kwargs)
            ask = None if probe is None else _asked(probe, args, kwargs)
            return request_id, self._requests.running(request_id, work, way, wait, ask, how)

        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            request_id, call = running(BLOCKING, args, kwargs)
            return value_of(request_id, run(call.attempt(lambda call: function(*args, **kwargs))))

        @functools.wraps(function)
        async def guarded_async(*args: Any, **kwargs: Any) -> Any:
            # Its file may have to be taken over, and its key to be derived.
            request_id, call = await _in_thread(running, Looping(), args, kwargs)
            return value_of(request_id, await call.attempt(lambda call: function(*args, **kwargs)))

        return cast(F, guarded_async if inspect.iscoroutinefunction(function) else guarded)


class RedisIdempotencyStore(IdempotencyStore):
    """The same for many hosts, in Redis."""

    def __init__(self, redis_url: str, ttl_seconds: float = 86400, **more: Any) -> None:
        super().__init__(ledger=redis_url, ttl_days=ttl_seconds / 86400, **more)


class DurableIdempotencyStore(IdempotencyStore):
    """Keeps the results of functions by key, across restarts and processes."""

    def __init__(self, db_path: Any = None, ttl_seconds: float = 86400, **more: Any) -> None:
        super().__init__(db_path, operation="execute_once", ttl_days=ttl_seconds / 86400, **more)

    def get(self, key: Id) -> Any:
        """The result for this key, or None."""
        return self.get_result(key)

    def set(self, key: Id, result: Any) -> None:
        """Records a result that came about elsewhere."""
        require_finished(result, "the work")
        self._requests.claim(key).complete(result)

    def execute_once(self, key: Id, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Runs fn(*args, **kwargs) once for this key. A dict as a result tells in _from_cache whether it is a replay."""
        result, ran = self._execute(key, fn, args, kwargs)
        return {**result, "_from_cache": not ran} if isinstance(result, dict) else result


class WebhookDeduplicator(IdempotencyStore):
    """Handles each event once. An event whose handler raised NotExecuted is handled when it is delivered again."""

    def __init__(
        self, max_size: Optional[int] = None, ttl_seconds: float = 3600, path: Any = None, **more: Any
    ) -> None:
        """Takes the limits of what is remembered.

        max_size: how many events are remembered at most; the oldest are forgotten, and would be handled again. Without
            it, all of ttl_seconds: they are on disk and not in memory.
        """
        if max_size is not None and (isinstance(max_size, bool) or not isinstance(max_size, int) or max_size < 1):
            raise ValueError("max_size is a number of events; for a file write path=%r" % (max_size,))
        super().__init__(path, operation="webhook", ttl_days=ttl_seconds / 86400, **more)
        self._max_size = max_size
        self._seen: Optional[collections.OrderedDict[str, None]] = None
        self._seen_lock = threading.Lock()

    def is_duplicate(self, event_id: Id) -> bool:
        """Whether the event was seen; if not, it counts as seen from now on, and the caller handles it.

        A caller that dies after that loses the event: process_if_new records it only when it was handled.
        """
        try:
            ticket = self._requests.claim(event_id)
        except (AlreadyProcessed, InFlight, InDoubt, Conflict):
            return True
        ticket.complete()
        self._remember(event_id)
        return False

    def process_if_new(self, event_id: Id, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """What the handler gives; None for an event that was handled before."""
        try:
            result, ran = self._execute(event_id, fn, args, kwargs)
        except ResultUnavailable:
            return None
        if ran:
            self._remember(event_id)
        return result if ran else None

    def _remember(self, event_id: Id) -> None:
        """Forgets the oldest events beyond max_size."""
        if self._max_size is None:
            return
        with self._seen_lock:
            if self._seen is None:
                self._seen = collections.OrderedDict.fromkeys(self._requests.complete_keys(self._max_size + 1))
            key = self._requests.key(event_id)
            self._seen[key] = None
            self._seen.move_to_end(key)
            while len(self._seen) > self._max_size:
                self._requests.forget_key(self._seen.popitem(last=False)[0])


class IdempotentAgentSession:
    """The tool calls of one task: the same tool with the same inputs runs once, also after a restart."""

    def __init__(self, session_id: Optional[str] = None, path: Any = None, **more: Any) -> None:
        """Takes the id of the task. Without one the session is a new one: nothing finds its calls after a restart."""
        if session_id is None:
            session_id = str(uuid.uuid4())
            _log.warning(
                "a session without an id is a new one, so that no call of an earlier session is found: give session_id=, such "
                "as the id of the order. This one is %s",
                session_id,
            )
        self.session_id = context.name_of(session_id, "session_id")
        self._store = IdempotencyStore(path, scope=self.session_id, **more)

    def call_tool(self, tool_name: str, inputs: Any, tool_fn: F) -> Any:
        store = self._store
        requests = store._requests.at(tool_name)
        tools = object.__new__(IdempotencyStore)
        tools._requests = requests
        return tools._guarded(tool_fn, lambda given: (requests.derived(inputs), given))(inputs)


def handle_request(store: IdempotencyStore, request_id: Id, payload: Any, run_agent: Callable[[Any], Any]) -> Any:
    """Runs the agent once for each request id, and raises AlreadyProcessed for duplicates."""
    if not callable(run_agent):
        raise TypeError("%r is no function, so there is nothing to run" % (run_agent,))
    if store.is_processed(request_id, payload):
        raise AlreadyProcessed(request_id, store.get_result(request_id, payload))

    # One atomic step: of two that come at the same time, one is refused here.
    ticket = store.mark_in_progress(request_id, payload)

    try:
        result = run_agent(payload)
        if not inspect.iscoroutine(result):
            require_finished(result)
    except BaseException as e:
        # Failed for NotExecuted; in doubt for the rest, which may have happened: a time-out proves nothing.
        store.mark_failed(ticket, error=e)
        raise
    if inspect.iscoroutine(result):
        result.close()
        store.mark_not_executed(ticket, "it is async")
        raise Refused("%r is async, and it did not run: decorate it with @store.once and await it" % run_agent)
    store.mark_complete(ticket, result=result)
    return result


class _Codec:
    def __init__(self, encode: Optional[Callable[[Any], Any]], decode: Optional[Callable[[Any], Any]]) -> None:
        self.encode = encode or (lambda value: value)
        self.decode = decode or (lambda value: value)


def _asked(probe: Callable[..., Any], args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Callable[[Any], Any]:
    """A probe of the call's arguments. One that raises NotExecuted says it, too."""

    def ask(doubted: Any) -> Any:
        try:
            return probe(*args, **kwargs)
        except NotExecuted as nothing:
            return nothing

    return ask


async def _in_thread(function: Callable[..., Any], *args: Any) -> Any:
    import asyncio
    import contextvars

    around = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(None, functools.partial(around.run, function, *args))
