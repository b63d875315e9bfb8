"""The server of a ledger: finds or starts it, and starts it again at once when it is lost while actions run."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
import time
from typing import Any, Dict, List, Optional, Union

from . import finding
from .carrier import AGAIN, Answer, Carrier, Gone, Problem
from .clocks import Moment
from .errors import IdemError, LedgerUnavailable, Refused
from .pipe import Pipe, environment
from .tickets import Held, Tickets
from .ways import BLOCKING, Mailbox
from .web import Web

HELLO_SECONDS = 30.0
# A busy host has let a server take seconds for its first answer.
_SOCKET_SECONDS = 10.0
_TRIES = 3
_COMMAND_NOT_FOUND = (126, 127)


@dataclasses.dataclass(frozen=True)
class Settings:
    """What a client was opened with. Two clients with equal settings share a server."""

    #: It may hold a password, as the URL may.
    ledger: str = dataclasses.field(repr=False)
    url: Optional[str] = dataclasses.field(default=None, repr=False)
    token: Optional[str] = dataclasses.field(default=None, repr=False)
    command: Union[str, tuple[str, ...], None] = None
    #: Whether the caller named the command, so that no other server is looked for.
    own: bool = False
    resend: float = 2.0
    give_up: float = 10.0
    settle_for: float = 30.0

    @property
    def is_memory(self) -> bool:
        return self.ledger.startswith("memory:")

    def masked(self, text: str) -> str:
        return finding.masked(text, self.token)


class Ready:
    """There is a server."""


class NoServer:
    """There is none, for this reason."""

    def __init__(self, error: IdemError) -> None:
        self.error = error


class _Ended(Exception):
    pass


class Server:
    """The connection to one server. A thread connects, so that callers keep their time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ledger_id: Optional[str] = None
        self.hello: Dict[str, Any] = {}
        self._stopped: Optional[str] = None
        self._closed = False
        self.reset()

    def reset(self) -> None:
        """Forgets all that belongs to another process; the ledger's id stays."""
        self._lock = threading.Lock()
        self._carrier: Optional[Carrier] = None
        self._starting: Optional[Carrier] = None
        self._connecting = False
        self._waiting: List[Mailbox] = []
        self.tickets = Tickets(self._renew)

    def abandon(self) -> None:
        """After a fork, in the child."""
        carriers = (self._carrier, self._starting)
        self.reset()
        for each in carriers:
            if each is not None:
                each.abandon()

    def carrier(self) -> Optional[Carrier]:
        """The carrier of requests; None if there is no connection."""
        carrier = self._carrier
        return None if carrier is None or carrier.is_lost() or self._stopped else carrier

    def starts_again(self) -> bool:
        """Whether a server that is away was there before, and is started by others: it may be back in a moment."""
        return self.settings.url is not None and bool(self.hello)

    def connect(self, box: Optional[Mailbox]) -> None:
        """Connects in the background; the box is told ``Ready`` or ``NoServer``."""
        with self._lock:
            if self._closed:
                raise LedgerUnavailable("this Idem is closed")
            if self._stopped is not None:
                raise Refused(self._stopped, code="mismatch")
            if self.carrier() is not None:
                if box is not None:
                    box.put(Ready())
                return
            if box is not None:
                self._waiting.append(box)
            if self._connecting:
                return
            self._connecting = True
        try:
            threading.Thread(target=self._connect, name="idem-connect", daemon=True).start()
        except RuntimeError as e:
            with self._lock:
                self._connecting = False
            raise LedgerUnavailable("the interpreter is shutting down") from e

    def _connect(self) -> None:
        pause = 0.05
        while True:
            event: Any
            try:
                self._connected(self._find())
                event = Ready()
            except IdemError as e:
                event = NoServer(e)
            except Exception as e:
                event = NoServer(LedgerUnavailable(self.settings.masked("the server could not be started: %s" % e)))
            with self._lock:
                waiting, self._waiting = self._waiting, []
                again = isinstance(event, NoServer) and not self._closed and self._stopped is None
                again = again and bool(self.tickets.live())
                self._connecting = again
            for box in waiting:
                box.put(event)
            if not again:
                break
            # Actions are running, and no server renews their leases.
            time.sleep(pause)
            pause = min(2 * pause, 1.0)
        if isinstance(event, Ready):
            carrier = self._carrier
            if carrier is not None and carrier.way != "pipe":
                self.tickets.renew_here()
            self._renew_until_answered()

    def _connected(self, carrier: Carrier) -> None:
        with self._lock:
            if not self._closed:
                self._carrier = carrier
                return
        carrier.close(0)
        raise LedgerUnavailable("this Idem is closed")

    def _find(self) -> Carrier:
        settings = self.settings
        if settings.url is not None:
            web = Web(settings.url, settings.token, "url", self._lost)
            try:
                return self._greeted(web, HELLO_SECONDS)
            except _Ended:
                web.close(0)
                name = settings.masked(settings.url)
                raise LedgerUnavailable("no server answers at %s; start it, or correct IDEM_URL" % name) from None
            except IdemError:
                web.close(0)
                raise
        if not settings.own and not settings.is_memory:
            found = self._at_socket(finding.socket_path())
            if found is not None:
                return found
        return self._started()

    def _at_socket(self, path: str) -> Optional[Carrier]:
        """The server of this user, if it has the same ledger."""
        try:
            # Another user's server could answer anything.
            if os.stat(path).st_uid not in (os.getuid(), 0):
                return None
        except (OSError, AttributeError):
            return None
        web = Web("http+unix:" + path.replace("%", "%25"), None, "socket", self._lost)
        try:
            return self._greeted(web, _SOCKET_SECONDS)
        except (_Ended, Refused, LedgerUnavailable):
            web.close(0)
            if self._stopped is not None:
                raise
            return None

    def _started(self) -> Carrier:
        settings = self.settings
        command = finding.serve(list(settings.command) if isinstance(settings.command, tuple) else settings.command)
        finding.make_default_folder(settings.ledger)
        for left in reversed(range(_TRIES)):
            try:
                pipe = Pipe(command, environment(settings.ledger), self._lost)
            except OSError as e:
                raise LedgerUnavailable("the server '%s' can't be started: %s" % (command[0], e.strerror)) from e
            self._starting = pipe
            try:
                return self._greeted(pipe, HELLO_SECONDS)
            except _Ended:
                said = settings.masked(pipe.last_words())
                code = pipe.exit_code()
                if left == 0 or code in _COMMAND_NOT_FOUND or (code and said.startswith("idem: ")):
                    raise LedgerUnavailable(
                        "the server ended at its start: %s" % (said or "exit code %s" % code)
                    ) from None
            except BaseException:
                pipe.kill()
                raise
            finally:
                self._starting = None
        raise AssertionError

    def _greeted(self, carrier: Carrier, seconds: float) -> Carrier:
        """Says hello until it is answered: a server may take seconds to start."""
        params = json.dumps({"protocol": 1, "ledger": self.settings.ledger, "client": "python"})
        box: Any = BLOCKING.mailbox()
        end = Moment.now().plus(seconds)
        while not end.is_over():
            each = min(self.settings.resend, end.left())
            carrier.send("hello", params, box, each)
            event = box.take(0 if box.inline and carrier.way != "pipe" else each)
            if isinstance(event, Answer):
                self._check(event.result)
                return carrier
            if isinstance(event, Gone):
                raise _Ended
            if isinstance(event, Problem):
                if event.code not in AGAIN:
                    raise Refused(self.settings.masked(event.message), code=event.code)
                time.sleep(min(0.1, end.left()))
        raise LedgerUnavailable("the server did not say hello within %d seconds" % seconds)

    def _check(self, hello: Dict[str, Any]) -> None:
        found = hello.get("ledger_id")
        if self.ledger_id is not None and self.ledger_id != found:
            what = "the ledger in memory is gone with its server" if self.settings.is_memory else "another ledger is there"
            self._stopped = self.settings.masked(
                "%s: %s had the id %s, and now has %s. What was done before is unknown there, so nothing runs. Open a new "
                "Idem if that is meant" % (what, self.settings.ledger, self.ledger_id, found)
            )
            raise Refused(self._stopped, code="mismatch")
        self.ledger_id = found
        self.hello = hello

    def _lost(self, carrier: Any) -> None:
        if carrier is self._carrier and not self._closed and self.tickets.live():
            try:
                self.connect(None)
            except IdemError:
                pass

    def _renew_until_answered(self) -> None:
        """After a restart: the new server does not know the tickets, and one that it does not renew ends in doubt."""
        pause = 0.1
        left = self.tickets.live()
        while left:
            answered = self._renew(left)
            live = self.tickets.live()
            left = [each for each in left if each not in answered and each in live]
            if left and not self._closed:
                time.sleep(pause)
                pause = min(2 * pause, 1.0)

    def _renew(self, tickets: List[Held]) -> List[Held]:
        """Renews these tickets once, in portions; returns those that were answered."""
        answered: List[Held] = []
        for start in range(0, len(tickets), 500):
            some = tickets[start : start + 500]
            carrier = self.carrier()
            if carrier is None:
                self._lost(self._carrier)
                return tickets
            params = renewal(some)
            box: Any = BLOCKING.mailbox()
            request = carrier.send("renew", params, box, self.settings.give_up)
            event = box.take(0 if carrier.way != "pipe" else self.settings.give_up)
            carrier.forget(request)
            if isinstance(event, Answer):
                words = note_renewals(some, event)
                answered += [held for held, word in zip(some, words) if word in ("renewed", "lost")]
        return answered

    def hold(self, held: Held) -> None:
        """From now on this ticket is renewed when the server is lost, and where the server may not see this process."""
        carrier = self._carrier
        self.tickets.hold(held, carrier is None or carrier.way != "pipe")

    def release(self, held: Held) -> None:
        self.tickets.release(held)

    def largest_request(self) -> int:
        limits = self.hello.get("limits")
        largest = limits.get("request_bytes") if isinstance(limits, dict) else None
        return largest if isinstance(largest, int) else 16 << 20

    def close(self) -> None:
        with self._lock:
            self._closed = True
            carriers = [self._carrier, self._starting]
            waiting, self._waiting = self._waiting, []
        for box in waiting:
            box.put(NoServer(LedgerUnavailable("this Idem is closed")))
        for carrier in carriers:
            if carrier is not None:
                carrier.close(2.0)


def renewal(tickets: List[Held]) -> str:
    return json.dumps({"tickets": [{"ticket": each.ticket, "left_ms": each.left_ms()} for each in tickets]})


def note_renewals(tickets: List[Held], event: Any) -> List[Any]:
    """Notes the answer for each ticket; returns the words."""
    words = []
    answers = event.result.get("tickets")
    for held, answer in zip(tickets, answers if isinstance(answers, list) else []):
        word = answer.get("answer") if isinstance(answer, dict) else None
        if word == "renewed":
            held.renewed(event.sent, answer.get("lease_ms", 0) / 1000)
        elif word == "lost":
            held.lost = True
        words.append(word)
    return words
