"""A server of this process, at the other end of a pipe."""

from __future__ import annotations

import collections
import itertools
import logging
import os
import select
import subprocess
import threading
from typing import Any, Callable, Deque, Dict, List, Optional, Sequence, Tuple

from . import clocks
from .carrier import Answer, Gone, Problem, read
from .clocks import Moment
from .ways import Mailbox

_log = logging.getLogger("idem")
_LAST_WORDS = 20


class Pipe:
    """
    A server process and the requests that it has not answered. A thread of its own reads the answers. Writing never
    blocks: what the server does not take at once is written by another thread, so that callers keep their time.
    """

    way = "pipe"

    def __init__(self, command: Sequence[str], environment: Dict[str, str], ended: Callable[[Pipe], None]) -> None:
        """Starts a server; ``ended`` is told when it is gone. Throws OSError if it can't be started."""
        # A session of its own: Ctrl-C must not end the server while its client still settles.
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self.pid = self._process.pid
        self.heard = clocks.monotonic()
        self._ended = ended
        self._in = self._process.stdin.fileno()
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._open: Dict[int, Tuple[Mailbox, Moment]] = {}
        self._unwritten: Deque[memoryview] = collections.deque()
        self._lost = False
        self._last_words: List[str] = []
        if hasattr(os, "set_blocking") and os.name != "nt":
            os.set_blocking(self._in, False)
        self._errors = threading.Thread(target=self._read_errors, name="idem-stderr", daemon=True)
        self._errors.start()
        threading.Thread(target=self._read, name="idem-answers", daemon=True).start()

    def send(self, method: str, params: str, box: Mailbox, seconds: float) -> int:
        number = next(self._ids)
        line = '{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\n' % (number, method, params)
        data = memoryview(line.encode("utf-8"))
        with self._lock:
            sent = Moment.now()
            if not self._lost:
                self._open[number] = (box, sent)
                self._write(data)
                return number
        box.put(Gone(sent))
        return number

    def forget(self, request: int) -> None:
        self._open.pop(request, None)

    def _write(self, data: memoryview) -> None:
        if not self._unwritten:
            data = self._rest(data)
            if data:
                threading.Thread(target=self._write_rest, name="idem-requests", daemon=True).start()
        if data:
            self._unwritten.append(data)

    def _rest(self, data: memoryview) -> memoryview:
        """Writes as much as the server takes now."""
        try:
            while data:
                data = data[os.write(self._in, data) :]
        except BlockingIOError:
            pass
        except OSError:
            # It is gone; the reader tells everybody.
            return data[:0]
        return data

    def _write_rest(self) -> None:
        while True:
            with self._lock:
                while self._unwritten and not self._lost:
                    rest = self._rest(self._unwritten[0])
                    if rest:
                        self._unwritten[0] = rest
                        break
                    self._unwritten.popleft()
                if not self._unwritten or self._lost:
                    self._unwritten.clear()
                    return
                waiting = select.poll()
                waiting.register(self._in, select.POLLOUT)
            # In short steps, for a file that is closed meanwhile may be another one.
            waiting.poll(100)

    def _read(self) -> None:
        assert self._process.stdout
        out = self._process.stdout.fileno()
        pieces: List[bytes] = []
        while True:
            try:
                data = os.read(out, 1 << 16)
            except OSError:
                break
            if not data:
                break
            self.heard = clocks.monotonic()
            if b"\n" not in data:
                pieces.append(data)
                continue
            lines = (b"".join(pieces) + data).split(b"\n")
            pieces = [lines.pop()]
            for line in lines:
                self._take(line)
        self._end()

    def _take(self, line: bytes) -> None:
        try:
            response = read(line)
            number = response["id"]
            result = response.get("result")
            error = response.get("error")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return
        waiting = self._open.pop(number, None) if isinstance(number, int) else None
        if waiting is None:
            return
        box, sent = waiting
        if isinstance(result, dict):
            box.put(Answer(sent, result))
            return
        code, message = "internal", "the server gave no answer"
        if isinstance(error, dict):
            data = error.get("data")
            code = str(data.get("code", code)) if isinstance(data, dict) else code
            message = str(error.get("message", message))
        box.put(Problem(sent, code, message))

    def _read_errors(self) -> None:
        assert self._process.stderr
        try:
            for line in self._process.stderr:
                text = line.decode("utf-8", "replace").rstrip()
                self._last_words = (self._last_words + [text])[-_LAST_WORDS:]
                _log.debug("the server says: %s", text)
            self._process.stderr.close()
        except (OSError, ValueError):
            pass

    def _end(self) -> None:
        assert self._process.stdin and self._process.stdout
        with self._lock:
            self._lost = True
            waiting = list(self._open.values())
            self._open.clear()
        self.kill()
        self._process.wait()
        with self._lock:
            self._process.stdin.close()
        self._process.stdout.close()
        for box, sent in waiting:
            box.put(Gone(sent))
        self._ended(self)

    def is_lost(self) -> bool:
        return self._lost

    def exit_code(self) -> Optional[int]:
        """How the server ended; None while it runs."""
        return self._process.returncode

    def last_words(self) -> str:
        """The last line that the server wrote to stderr."""
        self._errors.join(1)
        return next((line for line in reversed(self._last_words) if line), "")

    def kill(self) -> None:
        try:
            self._process.kill()
        except OSError:
            pass

    def close(self, seconds: float) -> None:
        """The end of its stdin, then TERM, then KILL, each after so many seconds."""
        assert self._process.stdin
        with self._lock:
            self._lost = True
            self._process.stdin.close()
        for end in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(seconds)
                return
            except subprocess.TimeoutExpired:
                end()
        self._process.wait()

    def abandon(self) -> None:
        self._lost = True
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                # They are raw files, so no lock of a thread that is not here is needed.
                stream.close()
        # It is no child of this process, so nothing is waited for.
        self._process.returncode = 0


def environment(ledger: str) -> Dict[str, str]:
    """The environment of a server. The ledger's URL may hold a password, so it is no argument."""
    result: Dict[str, Any] = dict(os.environ)
    result["IDEM_LEDGER"] = ledger
    result["IDEM_NO_BUILD"] = "1"
    return result
