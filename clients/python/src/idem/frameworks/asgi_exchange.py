"""One guarded request of an ASGI application, on its way to its response."""

from __future__ import annotations

import asyncio
import calendar
import dataclasses
import logging
import time
from typing import Any, Awaitable, Callable, Dict, MutableMapping, Optional

from idem import Idem, IdemError, NotExecuted, Outcome

from . import http_rules
from .http_body import Body, media_type
from .http_rules import Ending, Key, Meanings, Problem, Response, StoredHeaders

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = logging.getLogger("idem.http")

#: In the scope of a request that a guard has: one inside of it leaves the request to it.
GUARDED = "idem.guarded"
# The response has to be good for the retry as well, whatever that one accepts.
_HIDDEN = (b"accept-encoding", b"range", b"if-")
_CHUNK = 1 << 20


@dataclasses.dataclass
class Rules:
    """The rules of an application, and what all its requests share."""

    app: App
    idem: Idem
    meanings: Meanings
    stored_headers: StoredHeaders
    largest_stored: int
    retention: float
    wait: float
    free_waiters: int
    policy: Dict[str, Any]


@dataclasses.dataclass
class Request:
    """A request whose body was read."""

    scope: Scope
    receive: Receive
    send: Send
    body: Body
    key: Key
    caller: str
    operation: str
    identity: Dict[str, Any]


class DoubtfulResponse(Exception):
    """The handler answered in a way that says nothing about its effect."""


class Exchange:
    """Runs the handler once for the key of the request, or answers without it."""

    def __init__(self, rules: Rules, request: Request) -> None:
        self._rules = rules
        self._request = request
        self._began = False
        self._waiting = False
        self._response: Optional[Response] = None
        self._whole = asyncio.Event()
        self._streams = asyncio.Event()
        self._handling: Optional[asyncio.Task[None]] = None
        self._raised: Optional[BaseException] = None

    async def run(self) -> None:
        request, rules = self._request, self._rules
        key = http_rules.key_of(request.key.value)
        # A request that may not wait can still run; it is refused only if it is a duplicate of a running one.
        self._waiting = rules.free_waiters > 0
        rules.free_waiters -= self._waiting
        try:
            operation = rules.idem.operation(
                request.operation,
                scope=request.caller,
                key=key,
                identity=request.identity,
                labels=None if key == request.key.value else {"id": request.key.value[:120]},
                policy=rules.policy,
                wait=rules.wait if self._waiting else 0,
            )
            outcome: Outcome[Any] = await operation.attempt_async(self._act)
        except BaseException:
            if self._handling is not None:
                self._handling.cancel()
            raise
        finally:
            self._stop_waiting()
        answer = self._own(outcome) if self._began else self._other(outcome)
        if answer is not None and not self._streams.is_set():
            answer.set(http_rules.KEY_HEADER, request.key.echo())
            await send(answer, request.send)
        if self._handling is not None:
            # Background tasks of the response run after it was sent. Without a response this raises the handler's error.
            await self._handling
        if answer is None and self._raised is not None:
            raise self._raised

    def _stop_waiting(self) -> None:
        if self._waiting:
            self._waiting = False
            self._rules.free_waiters += 1

    async def _act(self, call: Any) -> Dict[str, Any]:
        self._stop_waiting()
        self._began = True
        self._handling = asyncio.ensure_future(self._handle())
        whole = asyncio.ensure_future(self._whole.wait())
        try:
            await asyncio.wait([self._handling, whole], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._handling.cancel()
            raise
        finally:
            whole.cancel()
        if not self._whole.is_set():
            self._raised = self._handling.exception() or RuntimeError("the application sent no whole response")
            raise self._raised
        response = self._response
        assert response is not None
        ending = self._rules.meanings.ending(response)
        if ending is Ending.RELEASED:
            raise NotExecuted("the handler answered with %d and declares that it did nothing" % response.status)
        if ending is Ending.DOUBTFUL:
            raise DoubtfulResponse(
                "the handler answered with %d, which does not tell whether it took effect" % response.status
            )
        return http_rules.stored(response, self._rules.stored_headers, not self._streams.is_set())

    async def _handle(self) -> None:
        request = self._request
        headers = [header for header in request.scope["headers"] if not header[0].lower().startswith(_HIDDEN)]
        inner = dict(request.scope, headers=headers, extensions={})
        inner[GUARDED] = True
        content, given = request.body.read_from_the_start(), 0
        ended = False

        async def receive() -> Message:
            nonlocal given, ended
            if ended:
                # A client that leaves does not stop the handler. Only one that streams hears of it.
                await self._streams.wait()
                return await request.receive()
            chunk = content.read(_CHUNK)
            given += len(chunk)
            ended = given >= request.body.size
            return {"type": "http.request", "body": chunk, "more_body": not ended}

        await self._rules.app(inner, receive, self._capture)

    async def _capture(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in message.get("headers", [])]
            self._response = Response(message["status"], headers)
            if any(media_type(kind) == "text/event-stream" for kind in self._response.all("content-type")):
                await self._stream()
        elif message["type"] == "http.response.body" and self._response is not None and not self._whole.is_set():
            chunk, more = message.get("body", b""), message.get("more_body", False)
            if not self._streams.is_set() and len(self._response.body) + len(chunk) > self._rules.largest_stored:
                await self._stream()
            if self._streams.is_set():
                await self._request.send({"type": "http.response.body", "body": chunk, "more_body": more})
            else:
                self._response.body += chunk
            if not more:
                self._whole.set()

    async def _stream(self) -> None:
        """From here on the client gets the response while the handler writes it."""
        assert self._response is not None
        self._response.set(http_rules.KEY_HEADER, self._request.key.echo())
        self._streams.set()
        await self._request.send(_start(self._response))
        if self._response.body:
            await self._request.send({"type": "http.response.body", "body": self._response.body, "more_body": True})

    def _own(self, outcome: Outcome[Any]) -> Optional[Response]:
        """The answer to a request whose handler ran; None where the server's own handler of errors answers."""
        if self._response is not None and self._whole.is_set():
            if outcome.kind == "done":
                expires = http_rules.http_date(time.time() + self._rules.retention)
                self._response.set(http_rules.EXPIRES_HEADER, expires)
            elif outcome.kind == "unrecorded":
                self._response.set(http_rules.RECORDED_HEADER, "false")
            return self._response
        answer = None
        if isinstance(self._raised, NotExecuted) and outcome.kind == "failed":
            answer = Problem.NOT_EXECUTED.response()
        elif isinstance(self._raised, IdemError):
            # It tells about a step, and others may have run before it.
            answer = Problem.IN_DOUBT.response(http_rules.STEP_REFUSED)
        if answer is not None:
            # The problem tells how the handler ended, so its error goes no further.
            self._handling = None
        return answer

    def _other(self, outcome: Outcome[Any]) -> Response:
        """The answer to a request for which the handler did not run."""
        if outcome.kind == "replayed":
            return self._replayed(outcome)
        problems = {
            "in_flight": Problem.IN_FLIGHT,
            "in_doubt": Problem.IN_DOUBT,
            "conflict": Problem.KEY_REUSED,
            "expired": Problem.EXPIRED,
            "held": Problem.HELD,
            "failed": Problem.NOT_EXECUTED,
            "unavailable": Problem.LEDGER_UNAVAILABLE,
        }
        if outcome.kind not in problems:
            raise outcome.problem()
        if outcome.kind == "unavailable":
            # The client can't help it.
            _log.error("a request with the header %s got 503: %s", http_rules.KEY_HEADER, outcome.message)
        return problems[outcome.kind].response()

    def _replayed(self, outcome: Outcome[Any]) -> Response:
        if outcome.result_missing is not None:
            return Problem.RESULT_NOT_KEPT.response(http_rules.NO_RESPONSE)
        try:
            response = http_rules.restored(outcome.value)
        except ValueError:
            return Problem.RESULT_NOT_KEPT.response(http_rules.DAMAGED)
        if response is None:
            return Problem.RESULT_NOT_KEPT.response()
        now = time.time()
        ran_at = _seconds(outcome.ran_at) or now
        response.set("Age", str(max(0, int(now - ran_at))))
        response.set("Cache-Control", "no-store")
        response.set(http_rules.REPLAYED_HEADER, "true")
        response.set(http_rules.EXPIRES_HEADER, http_rules.http_date(ran_at + self._rules.retention))
        return response


def _seconds(moment: Optional[str]) -> Optional[float]:
    """A moment in UTC, such as 2026-11-18T09:14:02.5Z."""
    if moment is None:
        return None
    return calendar.timegm(time.strptime(moment[:19], "%Y-%m-%dT%H:%M:%S"))


def _start(response: Response) -> Message:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
    return {"type": "http.response.start", "status": response.status, "headers": headers}


async def send(response: Response, to: Send) -> None:
    if response.status >= 200 and response.status not in (204, 304):
        response.set("Content-Length", str(len(response.body)))
    await to(_start(response))
    await to({"type": "http.response.body", "body": response.body})
