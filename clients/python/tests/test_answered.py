import json
import os
import socket
import threading
import unittest
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from idem import Happened
from idem.answered import ends_the_work, is_answered

from .support import fresh, shared

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "ending-cases.jsonl")
LIMIT = 0.2


def nobody(error):
    return False


class Remote(BaseHTTPRequestHandler):
    """Books at once, and answers with the status in the path; /0 answers never, and /1 resets the connection."""

    charges = 0
    over = threading.Event()

    def do_POST(self):
        Remote.charges += 1
        status = int(self.path[1:])
        if status == 1:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.connection.close()
        elif status == 0:
            Remote.over.wait(60)
        else:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *args):
        pass


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class OwnError(Exception):
    """As a server raises it."""

    status_code = 500
    status = 500
    headers = {}


class AnsweredTest(unittest.TestCase):
    def test_onlySomeStatusesEndTheWorkOnARequest(self):
        with open(CASES, encoding="utf-8") as lines:
            cases = [json.loads(line) for line in lines]
        self.assertGreater(len(cases), 10)
        for case in cases:
            self.assertIs(ends_the_work(case["status"]), case["ended"], case)

    def test_aStatusAloneIsNoAnswer(self):
        error = OwnError()
        self.assertFalse(is_answered(error, nobody))
        error.response = {"status": 500}
        self.assertFalse(is_answered(error, nobody))
        error.__cause__ = error
        self.assertFalse(is_answered(error, nobody))

    def test_whatWasHandledMeanwhileIsOfAnotherRequest(self):
        answer = urllib.error.HTTPError("http://one", 500, "", {}, None)
        self.assertTrue(is_answered(answer, nobody))
        self.assertFalse(is_answered(answer, lambda error: True))
        try:
            try:
                raise answer
            except OSError:
                raise TimeoutError("the other one is slow")
        except TimeoutError as lost:
            self.assertFalse(is_answered(lost, nobody))
        answer.close()


class EndsTest(unittest.TestCase):
    """Real clients, and a remote that is slow, breaks off or answers."""

    @classmethod
    def setUpClass(cls):
        Remote.over = threading.Event()
        cls.server = Quiet(("127.0.0.1", 0), Remote)
        cls.thread = threading.Thread(target=cls.server.serve_forever, args=(0.05,))
        cls.thread.start()

    @classmethod
    def tearDownClass(cls):
        Remote.over.set()
        cls.server.shutdown()
        cls.thread.join(60)
        cls.server.server_close()

    def at(self, status):
        return "http://127.0.0.1:%d/%d" % (self.server.server_address[1], status)

    def is_probed_early(self, action):
        """Whether the probe is asked for a call that comes before the time limit of the first one is over."""
        Remote.charges = 0
        soon = {"key": fresh(), "probe_grace": "1ms", "wait": "0s"}
        self.assertEqual(shared().operation("charge", **soon).attempt(action).kind, "in_doubt")
        asked = []
        for _ in range(2):
            # Where the probe may be asked, that is so after the millisecond of the grace.
            probe = lambda doubted: asked.append(doubted.key) or Happened("found")
            shared().operation("charge", probe=probe, **soon).attempt(lambda: self.fail("it ran twice"))
        self.assertEqual(Remote.charges, 1)
        return asked != []

    def each(self, post, lost):
        """``post`` takes a URL, and raises for an error status."""
        for status in (0, 1, 503):
            with self.subTest(status=status):
                self.assertFalse(self.is_probed_early(lambda: post(self.at(status))))
        self.assertTrue(self.is_probed_early(lambda: post(self.at(500))))

        def wrapped():
            try:
                post(self.at(500))
            except Exception as e:
                raise ValueError("no receipt") from e

        self.assertTrue(self.is_probed_early(wrapped))

        def own():
            try:
                post(self.at(0))
            except lost as e:
                raise OwnError() from e

        self.assertFalse(self.is_probed_early(own))

    def test_urllib(self):
        def post(url):
            try:
                urllib.request.urlopen(url, data=b"", timeout=LIMIT).close()
            except urllib.error.HTTPError as e:
                e.close()
                raise

        self.each(post, OSError)

    def test_httpx(self):
        try:
            import httpx
        except ImportError:
            self.skipTest("needs httpx")
        self.each(lambda url: httpx.post(url, timeout=LIMIT).raise_for_status(), httpx.TimeoutException)

    def test_requests(self):
        try:
            import requests
        except ImportError:
            self.skipTest("needs requests")
        self.each(lambda url: requests.post(url, timeout=LIMIT).raise_for_status(), requests.Timeout)

    def test_aiohttp(self):
        try:
            import aiohttp
        except ImportError:
            self.skipTest("needs aiohttp")
        import asyncio

        async def send(url):
            limit = aiohttp.ClientTimeout(total=LIMIT)
            async with aiohttp.ClientSession(raise_for_status=True, timeout=limit) as session:
                async with session.post(url):
                    pass

        self.each(lambda url: asyncio.run(send(url)), TimeoutError)

    def test_whatTheActionSaysCounts(self):
        def act(call):
            urllib.request.urlopen(self.at(200), data=b"", timeout=60).close()
            call.remote_ended()
            raise ValueError("no receipt")

        self.assertTrue(self.is_probed_early(act))
