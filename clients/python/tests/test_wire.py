"""Responses over HTTP, as servers and proxies write them."""

import socket
import threading
import unittest

from . import support
from idem.wire import Broken, Wire


class WireTest(unittest.TestCase):
    def exchange(self, *pieces):
        """What a wire makes of these pieces, and what it had sent."""
        here, there = socket.socketpair()
        sent = []

        def answer():
            with there:
                sent.append(there.recv(1000))
                for piece in pieces:
                    there.sendall(piece)

        thread = threading.Thread(target=answer)
        thread.start()
        wire = Wire(here)
        try:
            return wire.exchange(b"POST / HTTP/1.1\r\n\r\n", support.LIMIT)
        finally:
            thread.join(support.LIMIT)
            wire.close()

    def test_aBodyWithALengthMayComeInPieces(self):
        found = self.exchange(b"HTTP/1.1 200 OK\r\nContent-", b"Length: 5\r\n\r\nab", b"cde")
        self.assertEqual(found, (200, b"abcde", True))

    def test_chunksArePutTogether(self):
        found = self.exchange(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", b"c\r\n2;x=y\r\nde\r\n0\r\n\r\n")
        self.assertEqual(found, (200, b"abcde", True))

    def test_aBodyWithoutALengthEndsWithTheConnection(self):
        self.assertEqual(self.exchange(b"HTTP/1.0 503 No\r\n\r\nab", b"c"), (503, b"abc", False))

    def test_aConnectionThatIsToBeClosedIsNotKept(self):
        found = self.exchange(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.assertEqual(found, (400, b"", False))

    def test_halfAResponseIsALoss(self):
        for pieces in (
            (b"",),
            (b"HTTP/1.1 200 OK\r\nContent-Le",),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",),
            (b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab",),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",),
            (b"SSH-2.0\r\n\r\n",),
        ):
            with self.assertRaises(Broken, msg=pieces):
                self.exchange(*pieces)

    def test_silenceIsATimeOut(self):
        here, there = socket.socketpair()
        with there:
            wire = Wire(here)
            with self.assertRaises(socket.timeout):
                wire.exchange(b"POST / HTTP/1.1\r\n\r\n", 0.01)
            wire.close()
