"""Moments on two clocks, of which the earlier one counts: a machine may sleep."""

from __future__ import annotations

import time
from typing import Callable, NamedTuple

monotonic: Callable[[], float] = time.monotonic
wall: Callable[[], float] = time.time


class Moment(NamedTuple):
    """A moment on the monotonic and on the wall clock, in seconds."""

    ticks: float
    time: float

    @staticmethod
    def now() -> Moment:
        return Moment(monotonic(), wall())

    def plus(self, seconds: float) -> Moment:
        return Moment(self.ticks + seconds, self.time + seconds)

    def left(self) -> float:
        """The seconds until this moment, 0 if it is over."""
        return max(0.0, min(self.ticks - monotonic(), self.time - wall()))

    def is_over(self) -> bool:
        return self.left() <= 0
