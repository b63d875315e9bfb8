"""What the tests share: a folder of their own, one server, and programs in other processes."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import uuid

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
if SOURCES not in sys.path:
    sys.path.insert(0, SOURCES)

LIMIT = 60.0
# A process that a test starts takes the folder that is there.
FOLDER = os.environ.get("IDEM_TESTS_FOLDER") or tempfile.mkdtemp(prefix="idem-python-")
_MADE_BY = None if "IDEM_TESTS_FOLDER" in os.environ else os.getpid()
os.environ["IDEM_TESTS_FOLDER"] = FOLDER
for name in ("IDEM_URL", "IDEM_TOKEN", "IDEM_LEDGER", "IDEM_SOCKET"):
    os.environ.pop(name, None)
os.environ["XDG_STATE_HOME"] = os.path.join(FOLDER, "state")
os.environ["XDG_RUNTIME_DIR"] = os.path.join(FOLDER, "run")


def _clean():
    if os.getpid() == _MADE_BY:
        shutil.rmtree(FOLDER, ignore_errors=True)


# Before the package is imported, so that it runs last: the package ends its servers, which write there.
atexit.register(_clean)

for name in ("IDEM", "REAL_IDEM"):
    # Tests change the working directory.
    if os.sep in os.environ.get(name, ""):
        os.environ[name] = os.path.abspath(os.environ[name])

from idem import Idem  # noqa: E402

COMMAND = shutil.which(os.environ.get("IDEM") or "idem")
#: The launcher, also where IDEM is a quicker stand-in for it, whose servers are no processes.
LAUNCHER = shutil.which(os.environ.get("REAL_IDEM") or os.environ.get("IDEM") or "idem")
LONG = bool(os.environ.get("IDEM_LONG"))
#: For what a quicker test shows as well.
slow = unittest.skipUnless(LONG, "another test shows the most of it; set IDEM_LONG=1")
_shared = None


def ledger(name="shared"):
    return "sqlite:%s/%s.db" % (FOLDER, name)


def shared():
    """One client for all tests that do nothing to its server."""
    global _shared
    if _shared is None:
        _shared = Idem.open(ledger())
    return _shared


def fresh():
    """A text that no other test uses."""
    return uuid.uuid4().hex[:12]


def launched():
    """For a module about the process of a server: the launcher itself starts each."""
    if "REAL_IDEM" in os.environ:
        unittest.addModuleCleanup(os.environ.update, IDEM=os.environ["IDEM"])
        os.environ["IDEM"] = os.environ["REAL_IDEM"]


def wait_until(condition, what="it"):
    end = time.monotonic() + LIMIT
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError("%s did not come within %d seconds" % (what, LIMIT))
        time.sleep(0.01)


def is_alive(pid):
    """Whether a process runs. One that has ended and was not waited for does not."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def server_of(idem):
    """The process of the server of a client."""
    return idem._core.server.carrier().pid


class Program:
    """A Python program in a process and a session of its own. It prints lines, of which each can be awaited."""

    def __init__(self, code, *arguments, **environment):
        self.output = os.path.join(FOLDER, "out-" + fresh())
        self._out = open(self.output, "wb")
        path = os.path.join(FOLDER, "program-%s.py" % fresh())
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(code))
        variables = dict(os.environ, PYTHONPATH=SOURCES, PYTHONUNBUFFERED="1", FOLDER=FOLDER, LEDGER=ledger())
        variables.update(environment)
        self.process = subprocess.Popen(
            [sys.executable, path] + list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=subprocess.STDOUT,
            env=variables,
            start_new_session=True,
        )
        self.pid = self.process.pid

    def text(self):
        with open(self.output, encoding="utf-8", errors="replace") as file:
            return file.read()

    def lines(self):
        return self.text().split("\n")[:-1]

    def says(self, start):
        """The rest of the first line that begins so."""

        def find():
            found = [line[len(start) :].strip() for line in self.lines() if line.startswith(start)]
            if not found and self.process.poll() is not None:
                found = [line[len(start) :].strip() for line in self.lines() if line.startswith(start)]
                if not found:
                    raise AssertionError("the program ended without %r: %s" % (start, self.text()))
            return found

        return wait_until(find, repr(start))[0]

    def end(self, seconds=LIMIT):
        """Waits for its end; returns the exit code."""
        code = self.process.wait(seconds)
        self._out.close()
        return code

    def kill(self):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass
        self.process.wait(LIMIT)
        self._out.close()


class Case(unittest.TestCase):
    def setUp(self):
        if COMMAND is None:
            self.skipTest("needs the command line of Idem: set IDEM to its launcher")

    def program(self, code, *arguments, **environment):
        made = Program(code, *arguments, **environment)
        self.addCleanup(made.kill)
        return made
