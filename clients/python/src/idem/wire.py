"""One connection of HTTP/1.1 that is kept alive. A request is one write, which is most of what it costs here."""

from __future__ import annotations

import socket
from typing import Dict, NamedTuple

_LONGEST_HEAD = 64 * 1024


class Broken(OSError):
    """The connection ended, or what came is no HTTP."""


class Response(NamedTuple):
    status: int
    body: bytes
    #: Whether another request may follow on this connection.
    keeps: bool


class Wire:
    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._rest = b""

    def exchange(self, request: bytes, seconds: float) -> Response:
        """Sends a request and reads its response. Raises ``socket.timeout`` or another OSError."""
        self._socket.settimeout(seconds)
        self._socket.sendall(request)
        while True:
            status, fields = self._head()
            if status >= 200:
                break
        keeps = "close" not in fields.get("connection", "").lower()
        if "chunked" in fields.get("transfer-encoding", "").lower():
            return Response(status, self._chunks(), keeps)
        if "content-length" in fields:
            return Response(status, self._exactly(self._number(fields["content-length"], 10)), keeps)
        body = self._rest
        while True:
            data = self._socket.recv(1 << 16)
            if not data:
                return Response(status, body, False)
            body += data

    def _more(self) -> None:
        data = self._socket.recv(1 << 16)
        if not data:
            raise Broken("the connection was closed")
        self._rest += data

    def _until(self, end: bytes) -> bytes:
        while end not in self._rest:
            if len(self._rest) > _LONGEST_HEAD:
                raise Broken("the head of a response is too long")
            self._more()
        found, _, self._rest = self._rest.partition(end)
        return found

    def _exactly(self, length: int) -> bytes:
        pieces = [self._rest[:length]]
        missing = length - len(pieces[0])
        self._rest = self._rest[length:]
        while missing > 0:
            data = self._socket.recv(min(missing, 1 << 20))
            if not data:
                raise Broken("the connection was closed in the middle of a response")
            pieces.append(data)
            missing -= len(data)
        return b"".join(pieces)

    def _head(self) -> "tuple[int, Dict[str, str]]":
        lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        words = lines[0].split(" ", 2)
        if len(words) < 2 or not words[0].startswith("HTTP/1."):
            raise Broken("this is no response of HTTP/1.1")
        fields: Dict[str, str] = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            fields[name.strip().lower()] = value.strip()
        return self._number(words[1], 10), fields

    def _chunks(self) -> bytes:
        body = b""
        while True:
            length = self._number(self._until(b"\r\n").decode("latin-1").partition(";")[0].strip(), 16)
            if length == 0:
                while self._until(b"\r\n"):
                    pass
                return body
            body += self._exactly(length)
            self._until(b"\r\n")

    @staticmethod
    def _number(text: str, base: int) -> int:
        try:
            number = int(text, base)
        except ValueError:
            number = -1
        if number < 0:
            raise Broken("a response has no length that can be read")
        return number

    def close(self) -> None:
        self._socket.close()
