"""Tries whether an agent acts once: runs it twice, loses the answer of each effect, and kills it around each effect.

With pytest, the fixture ``idem_trials`` is there as soon as the package is installed::

    def test_my_agent_acts_once(idem_trials):
        def agent(idem, effect):
            with idem.scope("order-7"):
                idem.once("charge")(lambda customer: effect("charge", customer))("cus_1")

        idem_trials(agent).assert_once()

Each trial has an empty ledger and runs the agent in child processes: with the fault, and then once more without it, as after
a restart. There, every Idem of the program uses that ledger, whichever it was opened with.
"""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import functools
import importlib
import importlib.util
import inspect
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import traceback
from typing import Any, Callable, Counter, Dict, Iterator, List, Optional, Tuple

from . import finding
from .client import Idem
from .core import use_for_all
from .errors import LedgerUnavailable
from .pipe import environment
from .server import Settings

_START_SECONDS = 60.0

Agent = Callable[[Idem, "Effects"], Any]


class AnswerLost(TimeoutError):
    """Stands for a remote that acted, and whose answer was lost."""


@dataclasses.dataclass(frozen=True)
class Fault:
    """What goes wrong at an effect, counted from 1 in a run: ``lost``, ``killed before`` or ``killed after``."""

    kind: str
    at: int

    def __str__(self) -> str:
        if self.kind == "lost":
            return "the answer of effect %d is lost" % self.at
        return "%s effect %d" % (self.kind, self.at)


class Effects:
    """The remotes of an agent: each call is an effect, which is written down where a killed process does not take it away."""

    def __init__(self, file: str, fault: Optional[Fault] = None) -> None:
        self._file = file
        self._fault = fault
        self._seen = 0
        self._lock = threading.Lock()

    def __call__(self, name: str, *details: Any, returns: Any = None) -> Any:
        """Acts. It returns ``returns``, or else which effect of all runs it was."""
        return self._happen(name, details, lambda: returns)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A fake of a remote as an effect with the function's name and arguments."""

        @functools.wraps(function)
        def acting(*args: Any, **kwargs: Any) -> Any:
            return self._happen(function.__name__, (*args, *kwargs.values()), lambda: function(*args, **kwargs))

        return acting

    def _happen(self, name: str, details: Tuple[Any, ...], act: Callable[[], Any]) -> Any:
        with self._lock:
            self._seen += 1
            fault = self._fault if self._fault is not None and self._fault.at == self._seen else None
            if fault is not None and fault.kind == "killed before":
                os.kill(os.getpid(), signal.SIGKILL)
            given = act()
            line = json.dumps([name, *details], default=str) + "\n"
            file = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                # One write, so that lines of several processes stay whole.
                os.write(file, line.encode("utf-8"))
            finally:
                os.close(file)
            if fault is not None and fault.kind == "killed after":
                os.kill(os.getpid(), signal.SIGKILL)
        if fault is not None:
            raise AnswerLost("the answer of %s was lost" % name)
        return {"effect": name, "number": len(_lines(self._file))} if given is None else given


@dataclasses.dataclass
class Trial:
    """
    What happened: the effects with their details and by their names alone, how each run ended (None: well), and how many
    entries are in doubt.
    """

    name: str
    effects: Counter[str]
    names: Counter[str]
    endings: List[Optional[str]]
    in_doubt: int


@dataclasses.dataclass
class Report:
    """All trials; the first is a clean run, followed by another one. ``clean`` and ``names`` are the effects of the former."""

    trials: List[Trial]
    clean: Counter[str]
    names: Counter[str]

    @property
    def effects_of_a_clean_run(self) -> int:
        return sum(self.clean.values())

    def assert_once(self) -> None:
        """Fails where an effect happened more often than in a clean run, or is missing and nothing says so."""
        twice = [trial for trial in self.trials if self._doubled(trial)]
        silent = [trial for trial in self.trials if not trial.endings[-1] and not trial.in_doubt and self._missing(trial)]
        for what, wrong in (("the agent acts twice", twice), ("an effect is lost without a word", silent)):
            if wrong:
                raise AssertionError("%s:\n%s" % (what, "\n".join(map(self._line, wrong))))

    def _doubled(self, trial: Trial) -> List[str]:
        more = _more(trial.effects, self.clean)
        # Details that are others in each run would hide a repeat.
        return ["%s × %d" % each for each in (more or _more(trial.names, self.names)).items()]

    def _missing(self, trial: Trial) -> List[str]:
        fewer = {name: (trial.names[name], usual) for name, usual in self.names.items() if trial.names[name] < usual}
        return [
            "%s happened %d of %d times" % (name, times, usual) if times else "%s did not happen" % name
            for name, (times, usual) in fewer.items()
        ]

    def _line(self, trial: Trial) -> str:
        what = ", ".join(self._doubled(trial) + self._missing(trial)) or "every effect once"
        ends = "; ".join("run %d ended with %s" % (n, end) for n, end in enumerate(trial.endings, 1) if end)
        doubt = "%d in doubt" % trial.in_doubt if trial.in_doubt else ""
        return "  %s: %s" % (trial.name, "; ".join(filter(None, [what, ends, doubt])))

    def __str__(self) -> str:
        return "\n".join(self._line(trial) for trial in self.trials)


def _more(effects: Counter[str], usual: Counter[str]) -> Dict[str, int]:
    return {effect: times for effect, times in effects.items() if times > max(1, usual[effect])}


def try_agent(agent: Agent, *, lose: bool = True, kill: bool = True, command: Optional[str] = None) -> Report:
    """Tries an agent, a function of an Idem and of the effects, which may be async."""
    if not hasattr(os, "fork"):
        raise RuntimeError("trials kill processes, which needs fork: run them on Linux or macOS")
    with _Place(command) as place:
        begun = place.run(agent, None)
        clean, names = place.effects()
        if begun is not None:
            raise AssertionError("the agent fails without any fault: %s" % begun)
        if not clean:
            raise AssertionError(
                "no effect was seen, so nothing was tried. Call effect('charge', …) where the agent calls its remote, or "
                "put it around a fake of the remote: shop.payments.charge = effect.around(fake_charge)"
            )
        trials = [Trial("it runs twice", *place.after(agent, [begun]))]
        kinds = (["lost"] if lose else []) + (["killed before", "killed after"] if kill else [])
        for at in range(1, sum(clean.values()) + 1):
            for fault in [Fault(kind, at) for kind in kinds]:
                place.clear()
                trials.append(Trial(str(fault), *place.after(agent, [place.run(agent, fault)])))
    return Report(trials, clean, names)


class _Place:
    """A folder with a ledger, its server and a file of effects."""

    def __init__(self, command: Optional[str]) -> None:
        self._command = finding.serve(finding.absolute_command(command))[0]
        self._folder = tempfile.mkdtemp(prefix="idem-trial-")
        self._file = os.path.join(self._folder, "effects")
        self._ledger = "sqlite:" + os.path.join(self._folder, "idem.db")
        self._socket = os.path.join(self._folder, "run", "s.sock")
        self._server: Optional[subprocess.Popen[bytes]] = None

    def __enter__(self) -> _Place:
        told = os.path.join(self._folder, "server")
        with open(told, "wb") as file:
            self._server = subprocess.Popen(
                [self._command, "serve", "--socket", self._socket],
                env=environment(self._ledger),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=file,
                start_new_session=True,
            )
        end = time.monotonic() + _START_SECONDS
        while not os.path.exists(self._socket):
            if self._server.poll() is not None or time.monotonic() > end:
                with open(told, encoding="utf-8", errors="replace") as file:
                    why = file.read().strip() or "it said nothing; call it by hand to see why"
                self.__exit__()
                raise LedgerUnavailable("'%s serve' did not start: %s" % (self._command, why))
            time.sleep(0.01)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._server is not None:
            self._server.kill()
            self._server.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _opened(self) -> Idem:
        return Idem.open(self._ledger, url="http+unix:" + self._socket)

    def run(self, agent: Agent, fault: Optional[Fault]) -> Optional[str]:
        """Runs the agent in a child; returns how it ended, None for well."""
        told = os.path.join(self._folder, "ended")
        child = os.fork()
        if child == 0:
            end = "it did not end"
            try:
                end = self._act(agent, fault)
            finally:
                with open(told, "w", encoding="utf-8") as file:
                    file.write(end)
                os._exit(0)
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            return "kill -%d" % os.WTERMSIG(status)
        with open(told, encoding="utf-8") as file:
            return file.read() or None

    def _act(self, agent: Agent, fault: Optional[Fault]) -> str:
        try:
            url = "http+unix:" + self._socket
            use_for_all(Settings(self._ledger, url))
            # For programs that the agent starts.
            os.environ.update(IDEM_LEDGER=self._ledger, IDEM_URL=url)
            os.environ.pop("IDEM_TOKEN", None)
            with self._opened() as idem:
                made = agent(idem, Effects(self._file, fault))
                if inspect.iscoroutine(made):
                    asyncio.run(made)
            return ""
        except AnswerLost as lost:
            return str(lost)
        except BaseException as raised:
            where = traceback.extract_tb(raised.__traceback__)[-1]
            return "%s: %s (%s:%s)" % (type(raised).__name__, raised, os.path.basename(where.filename), where.lineno)

    def after(
        self, agent: Agent, ends: List[Optional[str]]
    ) -> Tuple[Counter[str], Counter[str], List[Optional[str]], int]:
        """What there is after the agent was started again."""
        ends = [*ends, self.run(agent, None)]
        with self._opened() as idem:
            entries = idem.ask("stats").get("entries") or {}
        return (*self.effects(), ends, int(entries.get("in_doubt", 0)))

    def clear(self) -> None:
        """Forgets what earlier trials did."""
        with self._opened() as idem:
            for entry in _entries(idem):
                members = {name: entry[name] for name in ("scope", "operation", "key", "fence", "state")}
                idem.ask("forget", even_though_it_may_still_act=True, **members)
            left = _entries(idem)
        if left:
            raise LedgerUnavailable("the ledger of the trials can't be cleared: %s" % left)
        if os.path.exists(self._file):
            os.remove(self._file)

    def effects(self) -> Tuple[Counter[str], Counter[str]]:
        """The effects so far with their details, and by their names alone."""
        lines = [json.loads(line) for line in _lines(self._file)]
        return collections.Counter(" ".join(map(str, line)) for line in lines), collections.Counter(line[0] for line in lines)


def _entries(idem: Idem) -> List[Dict[str, Any]]:
    """All entries but those of the ledger itself."""
    found: List[Dict[str, Any]] = []
    after = None
    while True:
        page = idem.ask("browse", limit=1000, after=after)
        found += [entry for entry in page["entries"] if entry["scope"] != "idem"]
        after = page.get("next")
        if after is None:
            return found


def _lines(path: str) -> List[str]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def _idem_trials() -> Iterator[Callable[..., Report]]:
    """Tries an agent: ``idem_trials(agent).assert_once()``."""
    yield try_agent


if importlib.util.find_spec("pytest") is not None:
    _pytest: Any = importlib.import_module("pytest")
    idem_trials = _pytest.fixture(name="idem_trials")(_idem_trials)
