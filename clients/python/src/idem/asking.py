"""Sends a request until it is answered."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from . import clocks
from .carrier import AGAIN, Answer, Carrier, Gone, Problem
from .clocks import Moment
from .errors import Refused, Unanswered
from .gate import Gate
from .server import NoServer, Ready, Server
from .ways import Way

_FIRST_PAUSE = 0.03
_LONGEST_PAUSE = 1.0
# A server answers 256 at a time, and a wait takes long.
_MOST_REQUESTS = 128
_MOST_WAITS = 64


class Reply(NamedTuple):
    """An answer: ``first`` is when the request was sent first, ``sent`` when the answered copy was."""

    answer: Dict[str, Any]
    first: Moment
    sent: Moment

    @property
    def word(self) -> str:
        return str(self.answer.get("answer"))


class Asking:
    """Asks one server, by the table of errors in docs/protocol.md."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.reset()

    def reset(self) -> None:
        self._waits = Gate(_MOST_WAITS)
        self._others = Gate(_MOST_REQUESTS)

    async def ask(
        self,
        way: Way,
        method: str,
        params: Union[str, Callable[[], str]],
        seconds: float,
        each: Optional[float] = None,
        patient: bool = False,
    ) -> Reply:
        """
        Sends a request until it is answered, each copy for so many seconds. Raises Unanswered after all of them; Refused
        where a repeat can't help. One that is patient also waits for a server that can't be started now.
        """
        end = Moment.now().plus(seconds)
        gate = self._waits if method == "wait" else self._others
        if not await gate.enter(way, seconds):
            raise Unanswered("too many requests are under way", False)
        try:
            return await self._ask(way, method, params, end, each or self.server.settings.resend, patient)
        finally:
            gate.leave()

    async def _ask(
        self, way: Way, method: str, params: Union[str, Callable[[], str]], end: Moment, each: float, patient: bool
    ) -> Reply:
        server = self.server
        box = way.mailbox()
        first: Optional[Moment] = None
        open_requests: List[Tuple[Carrier, Any]] = []
        since: Tuple[Optional[Carrier], float] = (None, 0.0)
        pause = _FIRST_PAUSE
        try:
            while True:
                left = end.left()
                if left <= 0:
                    raise Unanswered("there was no answer to '%s' in time" % method, first is not None)
                carrier = server.carrier()
                if carrier is None:
                    server.connect(box)
                    event = await way.take(box, left)
                    if isinstance(event, NoServer):
                        if isinstance(event.error, Refused) or not (patient or server.starts_again()):
                            raise _unless_sent(event.error, first)
                        await way.sleep(min(pause, end.left()))
                        pause = min(2 * pause, _LONGEST_PAUSE)
                    if not isinstance(event, Answer):
                        continue
                else:
                    first = first or Moment.now()
                    if since[0] is not carrier:
                        since = (carrier, clocks.monotonic())
                    text = params if isinstance(params, str) else params()
                    wait = min(each, left)
                    open_requests.append((carrier, carrier.send(method, text, box, wait)))
                    event = await _event(way, box, 0 if box.inline and carrier.way != "pipe" else wait)
                if isinstance(event, Answer):
                    return Reply(event.result, first or event.sent, event.sent)
                if isinstance(event, Problem):
                    if event.code not in AGAIN:
                        refused = Refused(server.settings.masked(event.message), code=event.code)
                        refused.repeated = len(open_requests) > 1
                        raise refused
                    late = await way.take(box, min(pause, end.left()))
                    pause = min(2 * pause, _LONGEST_PAUSE)
                    if isinstance(late, Answer):
                        return Reply(late.result, first or late.sent, late.sent)
                elif event is None:
                    self._look_after(since)
                elif isinstance(event, Gone) and carrier is not None and not carrier.is_lost():
                    # A connection of several was closed.
                    await way.sleep(min(pause, end.left()))
                    pause = min(2 * pause, _LONGEST_PAUSE)
        finally:
            for carrier, request in open_requests:
                carrier.forget(request)

    def _look_after(self, since: Tuple[Optional[Carrier], float]) -> None:
        """Kills a server that has stopped answering: it could still grant a claim that was withdrawn elsewhere."""
        carrier, began = since
        settings = self.server.settings
        if carrier is None or settings.is_memory or carrier.way != "pipe":
            return
        silent = clocks.monotonic() - max(carrier.heard, began)
        # The resolution of the clocks must not add a round.
        if silent >= settings.give_up - 0.02:
            carrier.kill()


def _unless_sent(error: Exception, first: Optional[Moment]) -> Exception:
    """A claim that was sent may have been granted, so that it has to be withdrawn."""
    return error if first is None or isinstance(error, Refused) else Unanswered(str(error), True)


async def _event(way: Way, box: Any, seconds: float) -> Any:
    """What came of a request: an answer to any copy counts more than the loss of another. None after that time."""
    end = Moment.now().plus(seconds)
    event = await way.take(box, seconds)
    while isinstance(event, (Ready, NoServer)):
        # News of a connection that was waited for before.
        event = await way.take(box, end.left())
    while event is not None and not isinstance(event, Answer):
        other = box.poll()
        if other is None:
            return event
        event = other
    return event
