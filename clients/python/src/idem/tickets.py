"""The tickets of running actions."""

from __future__ import annotations

import threading
from typing import Callable, List, Optional

from . import clocks
from .clocks import Moment

_AGAIN_SECONDS = 1.0


class Held:
    """A ticket of a running action."""

    def __init__(self, ticket: str, limit: Moment, sent: Moment, lease: float) -> None:
        """The lease counts from the moment at which the answered copy of the claim was sent."""
        self.ticket = ticket
        self.limit = limit
        self.lease = lease
        self.trusted = sent.plus(lease)
        self.lost = False
        self.due = sent.ticks + lease / 3

    def renewed(self, sent: Moment, lease: float) -> None:
        self.lease = lease
        self.trusted = sent.plus(lease)
        self.due = sent.ticks + lease / 3

    def left_ms(self) -> int:
        return int(self.limit.left() * 1000)


class Tickets:
    """
    All live tickets of a connection. A server renews them by itself where it sees this process, or over a pipe; elsewhere
    a thread of this class does, at a third of the lease.
    """

    def __init__(self, renew: Callable[[List[Held]], List[Held]]) -> None:
        self._renew = renew
        self._changed = threading.Condition()
        self._live: List[Held] = []
        self._thread: Optional[threading.Thread] = None

    def hold(self, held: Held, renew: bool) -> None:
        with self._changed:
            self._live.append(held)
            if renew:
                self._renewing()

    def release(self, held: Held) -> None:
        with self._changed:
            if held in self._live:
                self._live.remove(held)

    def live(self) -> List[Held]:
        with self._changed:
            return list(self._live)

    def renew_here(self) -> None:
        """The server is one that may not see this process."""
        with self._changed:
            if self._live:
                self._renewing()

    def _renewing(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="idem-renewals", daemon=True)
            self._thread.start()
        else:
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                live = [each for each in self._live if not each.lost and not each.limit.is_over()]
                if not live:
                    self._thread = None
                    return
                now = clocks.monotonic()
                due = [each for each in live if each.due <= now]
                if not due:
                    # A second at most: tickets end, and a machine that slept shows it on the wall clock alone.
                    self._changed.wait(min(1.0, min(each.due for each in live) - now))
                    continue
                for each in due:
                    each.due = now + each.lease / 3
            answered = self._renew(due)
            for each in due:
                if each not in answered:
                    each.due = clocks.monotonic() + min(_AGAIN_SECONDS, each.lease / 10)
