"""
Two ways to wait: by blocking a thread, or in an event loop.

The core is written once, as coroutines. On the blocking way none of them is ever suspended, so that ``run`` ends them in
one step, in the caller's thread and context.
"""

from __future__ import annotations

import asyncio
import collections
import inspect
import queue
import time
from typing import Any, Coroutine, Deque, Optional, Protocol, TypeVar

from .unfinished import Unfinished

T = TypeVar("T")


class Mailbox(Protocol):
    """Gets events from other threads."""

    #: Whether the thread that waits may be blocked by a request.
    inline: bool

    def put(self, event: Any) -> None: ...

    def poll(self) -> Any: ...


class Way(Protocol):
    def mailbox(self) -> Mailbox: ...

    async def take(self, box: Any, seconds: float) -> Any:
        """The next event, or None after so many seconds."""

    async def sleep(self, seconds: float) -> None: ...

    async def value(self, result: Any) -> Any:
        """The value of an action, which may be awaitable."""


class NotBlocking(Unfinished):
    """An action that is to be awaited was given to a call that blocks; ``began`` is whether it may have begun."""

    def __init__(self, began: bool) -> None:
        TypeError.__init__(self, "the action is async: use run_async, attempt_async or async with")
        self.began = began


class _Queue:
    inline = True

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def put(self, event: Any) -> None:
        self._events.put(event)

    def poll(self) -> Any:
        try:
            return self._events.get_nowait()
        except queue.Empty:
            return None

    def take(self, seconds: float) -> Any:
        try:
            return self._events.get(True, seconds)
        except queue.Empty:
            return None


class Blocking:
    """Waits in the calling thread."""

    def mailbox(self) -> Mailbox:
        return _Queue()

    async def take(self, box: _Queue, seconds: float) -> Any:
        return box.take(max(0.0, seconds))

    async def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))

    async def value(self, result: Any) -> Any:
        if inspect.isawaitable(result):
            if inspect.iscoroutine(result):
                began = inspect.getcoroutinestate(result) != inspect.CORO_CREATED
                result.close()
            else:
                began = True
            raise NotBlocking(began)
        return result


class _LoopBox:
    inline = False

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: Deque[Any] = collections.deque()
        self._waiting: Optional[asyncio.Future[None]] = None

    def put(self, event: Any) -> None:
        self._events.append(event)
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            # The loop is closed, and its calls with it.
            pass

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def poll(self) -> Any:
        return self._events.popleft() if self._events else None

    async def take(self, seconds: float) -> Any:
        if not self._events:
            self._waiting = self._loop.create_future()
            timer = self._loop.call_later(max(0.0, seconds), self._wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        return self.poll()


class Looping:
    """Waits in the running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def mailbox(self) -> Mailbox:
        return _LoopBox(self._loop)

    async def take(self, box: _LoopBox, seconds: float) -> Any:
        return await box.take(seconds)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    async def value(self, result: Any) -> Any:
        return await result if inspect.isawaitable(result) else result


BLOCKING = Blocking()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """The value of a coroutine on the blocking way, which is never suspended."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    coroutine.close()
    raise RuntimeError("a blocking call was suspended")


def is_async(function: Any) -> bool:
    """Whether a function, or an object that is called, is declared as async."""
    call = getattr(function, "__call__", None)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def is_generator(function: Any) -> bool:
    """Whether a function, or an object that is called, runs piece by piece."""
    called = (function, getattr(type(function), "__call__", None))
    return any(inspect.isgeneratorfunction(each) or inspect.isasyncgenfunction(each) for each in called)
