"""A server of somebody else, over HTTP at a unix socket or a TCP port."""

from __future__ import annotations

import http.client
import queue
import socket
import threading
import urllib.parse
from typing import Any, Callable, List, Optional, Tuple

from . import clocks
from .carrier import Answer, Gone, Problem, read
from .clocks import Moment
from .ways import Mailbox

_IDLE_WORKER_SECONDS = 10.0
#: The server closes a connection that says nothing for a minute.
_IDLE_CONNECTION_SECONDS = 45.0


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("idem", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        # A failure is followed by close(), which closes it.
        self.sock.connect(self._path)


class _Workers:
    """Threads that make requests for event loops, as many as are under way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._idle = 0

    def do(self, work: Callable[[], None]) -> None:
        with self._lock:
            start = self._idle == 0
            if not start:
                self._idle -= 1
        if start:
            threading.Thread(target=self._run, args=(work,), name="idem-http", daemon=True).start()
        else:
            self._work.put(work)

    def _run(self, work: Callable[[], None]) -> None:
        while True:
            work()
            with self._lock:
                self._idle += 1
            try:
                work = self._work.get(True, _IDLE_WORKER_SECONDS)
            except queue.Empty:
                with self._lock:
                    if self._idle > 0:
                        self._idle -= 1
                        return
                # Work was promised to this thread meanwhile.
                work = self._work.get()


class Web:
    """Requests over HTTP. A thread that blocks makes its request itself; an event loop has threads that make them."""

    def __init__(self, url: str, token: Optional[str], way: str, lost: Callable[[Web], None]) -> None:
        """``url`` is ``http+unix:/path``, ``http://host:port`` or ``https://host``; ``lost`` is told of a lost server."""
        self.way = way
        self.heard = clocks.monotonic()
        self._told = lost
        self._lost = False
        self._lock = threading.Lock()
        self._idle: List[Tuple[http.client.HTTPConnection, float]] = []
        self._workers = _Workers()
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = "Bearer " + token
        self._base = ""
        self._connect = self._connector(url)

    def _connector(self, url: str) -> Callable[[float], http.client.HTTPConnection]:
        if url.startswith("http+unix:"):
            path = urllib.parse.unquote(url[len("http+unix:") :])
            return lambda seconds: _UnixConnection("/" + path.lstrip("/"), seconds)
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname
        if parts.scheme not in ("http", "https") or not host:
            raise ValueError("a URL of a server is http+unix:/path/to/socket, http://host:port or https://host")
        self._base = parts.path.rstrip("/")
        name, port = host, parts.port
        if parts.scheme == "https":
            return lambda seconds: http.client.HTTPSConnection(name, port, timeout=seconds)
        return lambda seconds: http.client.HTTPConnection(name, port, timeout=seconds)

    def send(self, method: str, params: str, box: Mailbox, seconds: float) -> None:
        sent = Moment.now()
        if box.inline:
            self._exchange(method, params, box, sent, seconds)
        else:
            self._workers.do(lambda: self._exchange(method, params, box, sent, seconds))

    def forget(self, request: None) -> None:
        pass

    def _exchange(self, method: str, params: str, box: Mailbox, sent: Moment, seconds: float) -> None:
        connection = None
        try:
            connection = self._open(seconds)
            connection.request("POST", self._base + "/v1/" + method, params.encode("utf-8"), self._headers)
            response = connection.getresponse()
            body = response.read()
            self.heard = clocks.monotonic()
            if not response.will_close:
                self._keep(connection)
            box.put(_event(sent, response.status, body))
        except socket.timeout:
            # As a request without an answer over a pipe: its sender decides when it is sent again.
            _close(connection)
        except (OSError, http.client.HTTPException):
            _close(connection)
            box.put(Gone(sent))
        except BaseException:
            _close(connection)
            raise

    def _open(self, seconds: float) -> http.client.HTTPConnection:
        now = clocks.monotonic()
        with self._lock:
            while self._idle:
                connection, since = self._idle.pop()
                if now - since < _IDLE_CONNECTION_SECONDS:
                    connection.timeout = seconds
                    connection.sock.settimeout(seconds)
                    return connection
                connection.close()
        connection = self._connect(seconds)
        try:
            connection.connect()
        except OSError:
            connection.close()
            if not self._lost:
                self._lost = True
                self._told(self)
            raise
        if connection.sock.family != getattr(socket, "AF_UNIX", None):
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if not self._lost:
                self._idle.append((connection, clocks.monotonic()))
                return
        connection.close()

    def is_lost(self) -> bool:
        return self._lost

    def kill(self) -> None:
        """It is not ours."""

    def close(self, seconds: float) -> None:
        with self._lock:
            self._lost = True
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def abandon(self) -> None:
        self._lost = True
        for connection, _ in self._idle:
            connection.close()
        self._idle = []


def _close(connection: Optional[http.client.HTTPConnection]) -> None:
    if connection is not None:
        connection.close()


def _event(sent: Moment, status: int, body: bytes) -> Any:
    try:
        answer = read(body)
    except (ValueError, RecursionError):
        answer = None
    if status == 200 and isinstance(answer, dict):
        return Answer(sent, answer)
    if isinstance(answer, dict) and isinstance(answer.get("code"), str):
        return Problem(sent, answer["code"], str(answer.get("detail", "")))
    if status in (401, 403):
        return Problem(sent, "denied", "the server refuses the token in IDEM_TOKEN")
    if status >= 500 or status in (408, 429):
        return Problem(sent, "internal", "the server answered with the status %d" % status)
    return Problem(sent, "malformed", "the server answered with the status %d, as idem serve does not" % status)
