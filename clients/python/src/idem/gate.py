"""How many requests are under way at once: a server answers a bounded number, and tells others to come later."""

from __future__ import annotations

import collections
import threading
from typing import Any, Deque

from .ways import Way


class Gate:
    """Lets so many in, the others in the order in which they came."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._free = most
        self._queue: Deque[Any] = collections.deque()

    async def enter(self, way: Way, seconds: float) -> bool:
        """Whether it was entered in that time."""
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return True
            box = way.mailbox()
            self._queue.append(box)
        entered = False
        try:
            entered = bool(await way.take(box, seconds))
            return entered
        finally:
            if not entered:
                self._cancel(box)

    def _cancel(self, box: Any) -> None:
        with self._lock:
            if box in self._queue:
                self._queue.remove(box)
                return
        # It was let in at the last moment.
        self.leave()

    def leave(self) -> None:
        with self._lock:
            if self._queue:
                self._queue.popleft().put(True)
            else:
                self._free += 1
