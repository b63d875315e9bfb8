"""Which server and ledger a client uses, over all carriers."""

import asyncio
import os
import signal
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from unittest import mock

from . import support
from idem import Idem, LedgerUnavailable, Refused, finding
from idem.server import Server
from .support import LIMIT, fresh, ledger, server_of, wait_until


setUpModule = support.launched


class Relay:
    """Hands a TCP port on to a unix socket, and keeps what clients send."""

    def __init__(self, path):
        self.sent = b""
        self._path = path
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client = self._listening.accept()[0]
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._path)
            for one, other, keep in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._copy, args=(one, other, keep), daemon=True).start()

    def _copy(self, one, other, keep):
        try:
            while True:
                data = one.recv(65536)
                if keep:
                    self.sent += data
                if not data:
                    break
                other.sendall(data)
        except OSError:
            pass
        finally:
            for each in (one, other):
                each.close()

    def close(self):
        self._listening.close()


class SocketTest(support.Case):
    @classmethod
    def setUpClass(cls):
        cls.socket = None
        if support.COMMAND is None:
            return
        # The path of a socket is short.
        cls.folder = tempfile.mkdtemp(prefix="idem-")
        cls.socket = os.path.join(cls.folder, "s.sock")
        cls.server = cls.serve()
        os.environ["IDEM_SOCKET"] = cls.socket

    @classmethod
    def serve(cls):
        environment = dict(os.environ, IDEM_NO_BUILD="1")
        server = subprocess.Popen(
            [support.LAUNCHER, "serve", "--socket", cls.socket, "--ledger", ledger("socket")],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(cls.answers, "the socket")
        return server

    @classmethod
    def answers(cls):
        with socket.socket(socket.AF_UNIX) as trial:
            return trial.connect_ex(cls.socket) == 0

    @classmethod
    def tearDownClass(cls):
        os.environ.pop("IDEM_SOCKET", None)
        if cls.socket is not None:
            cls.server.kill()
            cls.server.wait()
            shutil.rmtree(cls.folder)

    def test_theSocketIsUsedForItsLedgerAlone(self):
        with Idem.open(ledger("socket")) as idem:
            self.assertEqual(idem.about().way, "socket")
            key = fresh()
            self.assertEqual(idem.operation("socket", key=key).run(lambda: 1), 1)
            self.assertEqual(idem.operation("socket", key=key).attempt(lambda: 2).kind, "replayed")
        with Idem.open(ledger("elsewhere")) as idem:
            self.assertEqual(idem.about().way, "pipe")

    def test_eventLoopsUseTheSocket(self):
        async def main():
            async def act(call):
                await asyncio.sleep(0.01)
                return call.key

            with Idem.open(ledger("socket")) as idem:
                keys = [fresh() for _ in range(40)]
                calls = [idem.operation("loop", key=key, wait=60).run_async(act) for key in keys + keys]
                self.assertEqual(await asyncio.gather(*calls), keys + keys)

        asyncio.run(main())

    def test_fourPreforkedChildrenMeetAtTheSocket(self):
        program = self.program(
            """
import os, sys
from idem import Idem
idem = Idem.open(os.environ["LEDGER"])
parent = idem.operation("prefork", key=sys.argv[1]).run(lambda: os.getpid())
for _ in range(4):
    if os.fork() == 0:
        outcome = idem.operation("prefork", key=sys.argv[1]).attempt(lambda: "again")
        mine = idem.operation("prefork", key="%s-%d" % (sys.argv[1], os.getpid())).run(lambda: os.getpid())
        ok = (outcome.kind, outcome.value, mine) == ("replayed", parent, os.getpid())
        os._exit(0 if ok and idem.about().way == "socket" else 1)
print("children", [os.wait()[1] for _ in range(4)])
""",
            fresh(),
            LEDGER=ledger("socket"),
        )
        self.assertEqual(program.says("children"), "[0, 0, 0, 0]")
        self.assertEqual(program.end(), 0)

    def test_aUrlWithATokenAndItsRenewals(self):
        relay = Relay(self.socket)
        try:
            url = "http://127.0.0.1:%d" % relay.port
            with Idem.open(ledger("socket"), url=url, token="s3cret") as idem:
                self.assertEqual(idem.about().way, "url")
                self.assertIn(b"Authorization: Bearer s3cret", relay.sent)
                self.assertNotIn("s3cret", repr(idem) + repr(idem._core.settings))

                def act(call):
                    wait_until(lambda: relay.sent.count(b"POST /v1/renew") >= 2, "the renewals")
                    return call.lost

                self.assertFalse(idem.operation("renewed", key=fresh(), lease="300ms").run(act))
            with Idem.open(ledger("other"), url=url) as idem:
                with self.assertRaises(Refused) as refused:
                    idem.operation("mismatch", key=fresh()).run(lambda: self.fail("it ran"))
                self.assertEqual(refused.exception.code, "mismatch")
        finally:
            relay.close()

    def test_anUnixUrl(self):
        with Idem.open(ledger("socket"), url="http+unix:" + self.socket) as idem:
            self.assertEqual(idem.about().way, "url")

    def test_aSharedServerThatStartsAgainIsWaitedFor(self):
        with Idem.open(ledger("socket"), url="http+unix:" + self.socket) as idem:
            idem.about()
            self.server.kill()
            self.server.wait()
            find, away = Server._find, []

            def found(server):
                try:
                    return find(server)
                except LedgerUnavailable as e:
                    if not away:
                        away.append(e)
                        type(self).server = self.serve()
                    raise

            with mock.patch.object(Server, "_find", found):
                self.assertEqual(idem.operation("restart", key=fresh()).run(lambda: 1), 1)
            self.assertEqual(len(away), 1)

    def test_aServerOfTheSocketThatIsKilledIsFollowedByOneOfOurOwn(self):
        with Idem.open(ledger("socket")) as idem:
            self.assertEqual(idem.about().way, "socket")
            key = fresh()

            def act():
                self.server.kill()
                self.server.wait()
                return "value"

            try:
                self.assertEqual(idem.operation("socket", key=key).run(act), "value")
                self.assertEqual(idem.about().way, "pipe")
                self.assertEqual(idem.find("socket", key).state, "complete")
            finally:
                type(self).server = self.serve()


class PatienceTest(support.Case):
    @support.slow
    def test_aServerThatFallsSilentIsKilledAndTheClaimGivenUp(self):
        with Idem.open(ledger("silent"), resend=0.2, give_up=1.0) as idem:
            idem.about()
            silent = server_of(idem)
            os.kill(silent, signal.SIGSTOP)
            key = fresh()
            outcome = idem.operation("silent", key=key).attempt(lambda: self.fail("it ran"))
            self.assertEqual(outcome.kind, "unavailable")
            wait_until(lambda: not support.is_alive(silent), "the end of the silent server")
            wait_until(lambda: not idem._core.background._running, "the withdrawal")
            # A new server starts while claims are given up after a second.
            wait_until(lambda: idem.operation("silent", key=key).attempt(lambda: 1).ok, "a new server")

    @support.slow
    def test_aSilentServerDoesNotHoldUpALineThatIsLongerThanThePipe(self):
        with Idem.open(ledger("full"), resend=0.2, give_up=1.0) as idem:
            idem.about()
            os.kill(server_of(idem), signal.SIGSTOP)
            began = time.monotonic()
            operation = idem.operation("full", key=fresh(), content={"text": "x" * 300000})
            self.assertEqual(operation.attempt(lambda: self.fail("it ran")).kind, "unavailable")
            self.assertLess(time.monotonic() - began, LIMIT / 2)

    def test_aLongLineArrivesWhole(self):
        idem, key = support.shared(), fresh()
        text = "ä" * 500000
        self.assertEqual(idem.operation("long", key=key).run(lambda: text), text)
        self.assertEqual(idem.operation("long", key=key).run(lambda: ""), text)


class FindingTest(unittest.TestCase):
    def refused(self, **options):
        with Idem.open(ledger("nothing"), **options) as idem:
            began = time.monotonic()
            with self.assertRaises(LedgerUnavailable) as caught:
                idem.operation("nothing", key="k").run(lambda: self.fail("it ran"))
            self.assertLess(time.monotonic() - began, 5)
            outcome = idem.operation("nothing", key="k").attempt(lambda: self.fail("it ran"))
            self.assertEqual(outcome.kind, "unavailable")
            return str(caught.exception)

    def test_noCommandIsOneSentenceAtOnce(self):
        said = self.refused(command="/nowhere/idem")
        self.assertIn("there is no program '/nowhere/idem'", said)
        self.assertNotIn("\n", said)

    def test_noJavaIsOneSentenceAtOnce(self):
        said = self.refused(command=["/bin/sh", "-c", "echo 'idem: no java found; install a JDK' >&2; exit 127"])
        self.assertIn("no java found; install a JDK", said)

    def test_aServerThatEndsAtOnceTellsItsLastWords(self):
        said = self.refused(command=["/bin/sh", "-c", "echo 'out of memory' >&2; exit 1"])
        self.assertIn("out of memory", said)

    def test_noServerAtTheUrl(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        self.assertIn("no server answers at", self.refused(url="http://ann:s3cret@127.0.0.1:%d" % port))
        self.assertNotIn("s3cret", self.refused(url="http://ann:s3cret@127.0.0.1:%d" % port))

    def test_secretsAreInNoMessage(self):
        url = "postgresql://ann:s3cret@db.example/shop?password=s3cret&pool=8"
        self.assertEqual(finding.masked(url), "postgresql://ann:***@db.example/shop?password=***&pool=8")
        with Idem.open(url, command=["/bin/sh", "-c", 'echo "idem: no $IDEM_LEDGER" >&2; exit 1']) as idem:
            with self.assertRaises(LedgerUnavailable) as caught:
                idem.about()
            self.assertIn("postgresql://ann:***@db.example", str(caught.exception))
            self.assertNotIn("s3cret", str(caught.exception) + repr(idem) + repr(idem._core.settings))

    def test_aWrongUrlIsRefusedAtOnce(self):
        with self.assertRaisesRegex(Refused, "http\\+unix"):
            Idem.open(url="localhost:8080")

    def test_relativeLedgersAreMadeAbsoluteOnce(self):
        here = os.getcwd()
        self.assertEqual(finding.ledger_url("sqlite:a.db?busy=1s"), "sqlite:%s/a.db?busy=1s" % here)
        self.assertEqual(finding.ledger_url("memory:"), "memory:")
        self.assertEqual(finding.ledger_url("redis://h/0"), "redis://h/0")
        self.assertTrue(finding.ledger_url(None).startswith("sqlite:" + os.environ["XDG_STATE_HOME"]))

    def test_openingStartsNothing(self):
        with Idem.open(ledger("lazy")) as idem:
            self.assertIsNone(idem._core.server.carrier())
        self.assertFalse(os.path.exists(ledger("lazy")[len("sqlite:") :]))
