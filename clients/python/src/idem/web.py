"""A server of somebody else, over HTTP at a unix socket or a TCP port."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import urllib.parse
from typing import Any, Callable, List, Optional, Tuple

from . import clocks
from .carrier import Answer, Gone, Problem, read
from .clocks import Moment
from .ways import Mailbox
from .wire import Wire

_IDLE_WORKER_SECONDS = 10.0
#: The server closes a connection that says nothing for a minute.
_IDLE_CONNECTION_SECONDS = 45.0


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
        self._idle: List[Tuple[Wire, float]] = []
        self._workers = _Workers()
        self._base, self._connect, host = _connector(url)
        self._fields = "Host: %s\r\nContent-Type: application/json\r\n" % host
        if token:
            if not token.isascii() or not token.isprintable():
                raise ValueError("the token is no text of visible ASCII characters")
            self._fields += "Authorization: Bearer %s\r\n" % token

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
            body = params.encode("utf-8")
            head = "POST %s/v1/%s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n" % (self._base, method, self._fields, len(body))
            connection = self._open(seconds)
            response = connection.exchange(head.encode("latin-1") + body, seconds)
            self.heard = clocks.monotonic()
            if response.keeps:
                self._keep(connection)
            else:
                connection.close()
            box.put(_event(sent, response.status, response.body))
        except socket.timeout:
            # As a request without an answer over a pipe: its sender decides when it is sent again.
            _close(connection)
        except OSError:
            _close(connection)
            box.put(Gone(sent))
        except BaseException:
            _close(connection)
            raise

    def _open(self, seconds: float) -> Wire:
        now = clocks.monotonic()
        with self._lock:
            while self._idle:
                connection, since = self._idle.pop()
                if now - since < _IDLE_CONNECTION_SECONDS:
                    return connection
                connection.close()
        try:
            return Wire(self._connect(seconds))
        except OSError:
            if not self._lost:
                self._lost = True
                self._told(self)
            raise

    def _keep(self, connection: Wire) -> None:
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


def _connector(url: str) -> Tuple[str, Callable[[float], socket.socket], str]:
    """The path before the methods, what connects, and the name of the host."""
    if url.startswith("http+unix:"):
        path = "/" + urllib.parse.unquote(url[len("http+unix:") :]).lstrip("/")
        return "", lambda seconds: _unix(path, seconds), "idem"
    parts = urllib.parse.urlsplit(url)
    name = parts.hostname
    if parts.scheme not in ("http", "https") or not name:
        raise ValueError("a URL of a server is http+unix:/path/to/socket, http://host:port or https://host")
    secure = parts.scheme == "https"
    address = (name, parts.port or (443 if secure else 80))
    trust = ssl.create_default_context() if secure else None
    host = "[%s]" % name if ":" in name else name
    base = urllib.parse.quote(parts.path.rstrip("/"), safe="/%")
    return base, lambda seconds: _tcp(address, trust, seconds), "%s:%d" % (host, address[1])


def _unix(path: str, seconds: float) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.settimeout(seconds)
        made.connect(path)
    except BaseException:
        made.close()
        raise
    return made


def _tcp(address: Tuple[str, int], trust: Optional[ssl.SSLContext], seconds: float) -> socket.socket:
    made = socket.create_connection(address, seconds)
    try:
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made if trust is None else trust.wrap_socket(made, server_hostname=address[0])
    except BaseException:
        made.close()
        raise


def _close(connection: Optional[Wire]) -> None:
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
