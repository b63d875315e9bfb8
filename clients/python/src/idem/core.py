"""What all clients of one ledger share in a process: the server, its requests and the work in the background."""

from __future__ import annotations

import atexit
import dataclasses
import logging
import os
import threading
import weakref
from typing import Dict, Optional

from . import context
from .asking import Asking
from .background import Background
from .server import Server, Settings

_log = logging.getLogger("idem")
_LAST_WORK_SECONDS = 2.0


class Core:
    """One for each ledger and process; one for each opening of ``memory:``."""

    def __init__(self, settings: Settings) -> None:
        self._use(settings)
        self.background = Background()
        self.users = 0
        #: The functions that gave operations their names.
        self.names: Dict[str, str] = {}
        self._pid = os.getpid()
        _all.add(self)

    def _use(self, settings: Settings) -> None:
        self.settings = settings
        self.server = Server(settings)
        self.asking = Asking(self.server)

    def move(self) -> None:
        """Goes over to the ledger of the trial that runs in this process."""
        self._use(_of_the_trial(self.settings))

    def here(self) -> Core:
        """This core, after it has let go of what belongs to another process."""
        if self._pid != os.getpid():
            self.after_fork()
        return self

    def after_fork(self) -> None:
        self._pid = os.getpid()
        self.server.abandon()
        self.asking.reset()
        self.background.reset()

    def close(self) -> None:
        self.background.finish(_LAST_WORK_SECONDS)
        self.server.close()


_all: weakref.WeakSet[Core] = weakref.WeakSet()
_shared: Dict[Settings, Core] = {}
_lock = threading.Lock()
#: The ledger and the server of the trial that runs in this process.
_trial: Optional[Settings] = None


def _of_the_trial(settings: Settings) -> Settings:
    if _trial is None:
        return settings
    place = {"ledger": _trial.ledger, "url": _trial.url, "token": None, "command": None, "own": False}
    return dataclasses.replace(settings, **place)


def use_for_all(trial: Settings) -> None:
    """
    Lets every client of this process use this ledger, those that are open and those that will be: a trial must not write
    to a real one. There is no way back; the process of a trial ends with it.
    """
    global _trial
    _trial = trial
    _shared.clear()
    for core in list(_all):
        if core.users > 0:
            core.move()


def borrow(settings: Settings) -> Core:
    """The core of these settings, until it is given back."""
    settings = _of_the_trial(settings)
    with _lock:
        core = None if settings.is_memory else _shared.get(settings)
        if core is None:
            core = Core(settings)
            if not settings.is_memory:
                _shared[settings] = core
        core.users += 1
        return core


def give_back(core: Core) -> None:
    with _lock:
        core.users -= 1
        if core.users > 0:
            return
        if _shared.get(core.settings) is core:
            del _shared[core.settings]
    core.here().close()


def _before_fork() -> None:
    """An action that goes on in a child leaves its mark first: without one, the end of this process proves too much."""
    for frame in context.frames():
        call = frame.call
        if call.staged and not call.marked and call.pid == os.getpid():
            try:
                call.mark("fork")
            except Exception as e:
                _log.error("the mark before a fork was not written: %s", e)


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    for core in list(_all):
        core.after_fork()


def _at_exit() -> None:
    for core in list(_all):
        try:
            core.here().close()
        except Exception as e:
            _log.debug("the end of a server: %s", e)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
atexit.register(_at_exit)
