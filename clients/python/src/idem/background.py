"""Work that must be finished although its caller has gone: withdrawals, and settles of cancelled calls."""

from __future__ import annotations

import logging
import threading
import time
from typing import Callable, Set

_log = logging.getLogger("idem")


class Background:
    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._lock = threading.Lock()
        self._running: Set[threading.Thread] = set()

    def do(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=self._run, args=(work,), name="idem-background", daemon=True)
        with self._lock:
            self._running.add(thread)
        try:
            thread.start()
        except RuntimeError:
            # The interpreter is shutting down: here and now.
            self._run(work, thread)

    def _run(self, work: Callable[[], None], thread: object = None) -> None:
        try:
            work()
        except Exception as e:
            _log.debug("background work failed: %s", e)
        finally:
            with self._lock:
                self._running.discard(thread or threading.current_thread())  # type: ignore[arg-type]

    def finish(self, seconds: float) -> None:
        """Waits for what is running."""
        with self._lock:
            running = list(self._running)
        end = time.monotonic() + seconds
        for thread in running:
            thread.join(max(0.0, end - time.monotonic()))
