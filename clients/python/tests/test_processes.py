"""What happens to calls when processes fork, end or are killed."""

import multiprocessing
import os
import signal
import sys

from . import support
from idem import Idem, LedgerUnavailable, Refused
from .support import fresh, is_alive, ledger, server_of, shared, wait_until

OPEN = """
import os, sys, threading, time
from idem import Idem
idem = Idem.open(os.environ["LEDGER"])
def act(seconds=60):
    print("acting", flush=True)
    time.sleep(seconds)
    return "value"
"""


def entry(operation, key, idem=None):
    return (idem or shared()).find(operation, key)


setUpModule = support.launched


class EndsTest(support.Case):
    def test_theServerEndsWithAParentThatIsKilled(self):
        for busy in (False, True) if support.LONG else (True,):
            key = fresh()
            program = self.program(
                OPEN
                + """
key, busy = sys.argv[1], sys.argv[2] == "True"
idem.about()
print("server", idem._core.server.carrier().pid)
if busy:
    threading.Thread(target=lambda: idem.operation("busy", key=key).run(act), daemon=True).start()
    while not idem.find("busy", key): time.sleep(0.01)
    for _ in range(4):
        threading.Thread(target=lambda: idem.operation("busy", key=key, wait=60).attempt(act), daemon=True).start()
    while idem._core.asking._waits._free > 60: time.sleep(0.01)
print("ready")
time.sleep(60)
""",
                key,
                str(busy),
            )
            server = int(program.says("server"))
            program.says("ready")
            os.kill(program.pid, signal.SIGKILL)
            wait_until(lambda: not is_alive(server), "the end of the server")
            if busy:
                self.assertEqual(shared().operation("busy", key=key).attempt(lambda: "again").kind, "in_doubt")

    def test_ctrlCSettlesTheActionBeforeTheServerEnds(self):
        key = fresh()
        program = self.program(
            OPEN
            + """
import signal
# It may be ignored where the tests run in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
idem.about()
print("server", idem._core.server.carrier().pid)
try:
    idem.operation("interrupted", key=sys.argv[1]).run(act)
except KeyboardInterrupt:
    time.sleep(0.5)
    carrier = idem._core.server.carrier()
    print("still", carrier and carrier.pid)
    raise
""",
            key,
        )
        server = int(program.says("server"))
        program.says("acting")
        os.killpg(program.pid, signal.SIGINT)
        self.assertNotEqual(program.end(), 0)
        self.assertIn("KeyboardInterrupt", program.text())
        self.assertEqual(program.says("still"), str(server))
        found = entry("interrupted", key)
        self.assertEqual(found.state, "in_doubt")
        self.assertIn("KeyboardInterrupt", found.members["doubt"])
        wait_until(lambda: not is_alive(server), "the end of the server")

    def test_anInterpreterEndsWithALiveServerWithoutATraceback(self):
        for how in ("sys.exit(3)", "os._exit(3)", "1 / 0") if support.LONG else ("sys.exit(3)",):
            program = self.program(
                OPEN
                + """
import asyncio
idem.operation("ends", key=sys.argv[1]).run(lambda: 1)
print("server", idem._core.server.carrier().pid)
threading.Thread(target=lambda: idem.operation("ends", key=sys.argv[1] + "x").run(act), daemon=True).start()
while not idem.find("ends", sys.argv[1] + "x"): time.sleep(0.01)
async def leave():
    asyncio.ensure_future(idem.operation("ends", key=sys.argv[1] + "y").run_async(lambda: asyncio.sleep(60)))
    await asyncio.sleep(0.05)
asyncio.run(leave())
"""
                + how,
                fresh(),
            )
            own = how == "1 / 0"
            self.assertEqual(program.end(), 1 if own else 3)
            server = int(program.says("server"))
            self.assertEqual(program.text().count("Traceback"), 1 if own else 0, program.text())
            self.assertEqual(program.text().count("Error"), 1 if own else 0, program.text())
            wait_until(lambda: not is_alive(server), "the end of the server")

    def test_aKilledServerIsStartedAgainWhileItsActionRunsAndTheSameTicketIsSettled(self):
        with Idem.open(ledger("killed")) as idem:
            key, fences, new = fresh(), [], []

            def act(call):
                fences.append(call.fence)
                first = server_of(idem)
                os.kill(first, signal.SIGKILL)
                # At once: not at the next request.
                wait_until(lambda: idem._core.server.carrier() is not None and server_of(idem) != first, "a new server")
                new.append(server_of(idem))
                return "value"

            outcome = idem.operation("killed", key=key).attempt(act)
            self.assertEqual((outcome.kind, outcome.value), ("done", "value"))
            found = entry("killed", key, idem)
            self.assertEqual((found.state, found.fence, found.attempt), ("complete", fences[0], 1))
            self.assertEqual(server_of(idem), new[0])

    @support.slow
    def test_aLedgerInMemoryThatIsKilledIsAnError(self):
        with Idem.open("memory:") as idem:
            key = fresh()
            self.assertEqual(idem.operation("memory", key=key).run(lambda: 1), 1)
            os.kill(server_of(idem), signal.SIGKILL)
            wait_until(lambda: idem._core.server.carrier() is None)
            for _ in range(2):
                with self.assertRaisesRegex(Refused, "in memory is gone"):
                    idem.operation("memory", key=key).run(lambda: self.fail("it ran again"))

    @support.slow
    def test_aChdirBeforeARestartChangesNothing(self):
        program = self.program(
            """
import os, signal, sys
from idem import Idem
os.chdir(sys.argv[1])
idem = Idem.open("sqlite:relative.db")
assert idem.operation("once", key="k").run(lambda: 1) == 1
os.chdir("/")
os.kill(idem._core.server.carrier().pid, signal.SIGKILL)
while idem._core.server.carrier(): pass
print("again", idem.operation("once", key="k").attempt(lambda: 2).kind)
""",
            support.FOLDER,
        )
        self.assertEqual(program.says("again"), "replayed")
        program.end()

    def test_anotherFileAtThePathOfTheLedgerIsAnError(self):
        path = os.path.join(support.FOLDER, "replaced.db")
        with Idem.open("sqlite:" + path) as idem:
            idem.operation("once", key="k").run(lambda: 1)
            os.kill(server_of(idem), signal.SIGKILL)
            wait_until(lambda: idem._core.server.carrier() is None)
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(path + suffix):
                    os.remove(path + suffix)
            with self.assertRaisesRegex(Refused, "another ledger is there"):
                idem.operation("once", key="k").run(lambda: self.fail("it ran again"))

    def test_twoClientsOfALedgerShareItsServerAndTheLastEndsIt(self):
        first, second = Idem.open(ledger("two")), Idem.open(ledger("two"))
        first.about()
        second.about()
        server = server_of(first)
        self.assertEqual(server, server_of(second))
        first.close()
        first.close()
        self.assertTrue(is_alive(server))
        second.close()
        self.assertFalse(is_alive(server))
        with self.assertRaises(LedgerUnavailable):
            second.operation("closed", key="k").run(lambda: self.fail("it ran"))


class ForkTest(support.Case):
    def setUp(self):
        super().setUp()
        if not hasattr(os, "fork"):
            self.skipTest("needs fork")

    def test_aChildThatLeavesAGuardNeitherRenewsNorSettles(self):
        program = self.program(
            OPEN
            + """
def forked():
    child = os.fork()
    return child or 0
with idem.operation("forked", key=sys.argv[1] + "-with").guard() as call:
    call.complete("of the child")
    if not forked():
        # It leaves the block as its parent does.
        pass
    else:
        os.wait()
        call.complete("of the parent")
        print("state", idem.find("forked", sys.argv[1] + "-with").state)
if os.getpid() != call._pid: os._exit(0)
def act(call):
    child = forked()
    if child:
        os.wait()
        print("state", idem.find("forked", call.key).state)
        return "of the parent"
    try:
        call.mark("x")
    except Exception as e:
        print("mark", type(e).__name__)
    return "of the child"
value = idem.operation("forked", key=sys.argv[1] + "-run").run(act)
print(value, flush=True)
if value == "of the child": os._exit(0)
def raises(call):
    if not forked(): raise OSError("in the child")
    os.wait()
    return "of the parent"
try:
    idem.operation("forked", key=sys.argv[1] + "-raise").run(raises)
except OSError:
    os._exit(0)
""",
            fresh(),
        )
        self.assertEqual(program.end(), 0)
        lines = program.lines()
        self.assertEqual([line for line in lines if line.startswith("state")], ["state in_progress"] * 2)
        self.assertIn("mark Refused", lines)
        self.assertEqual([line for line in lines if line.startswith("of")], ["of the child", "of the parent"])
        key = program.process.args[2]
        for name in ("-with", "-run", "-raise"):
            replay = shared().operation("forked", key=key + name).attempt(lambda: "again")
            self.assertEqual((replay.kind, replay.value), ("replayed", "of the parent"))

    def test_anActionThatGoesOnInAChildIsMarkedFirst(self):
        program = self.program(
            OPEN
            + """
def act(call):
    if os.fork() == 0: os._exit(0)
    os.wait()
    print("mark", idem.find("staged", call.key).members.get("last_mark"))
    os._exit(1)
idem.operation("staged", key=sys.argv[1], staged=True).run(act)
""",
            "marked-" + fresh(),
        )
        self.assertEqual(program.end(), 1)
        self.assertEqual(program.says("mark"), "fork")
        # Without the mark the death of the parent would prove that nothing happened.
        key = program.process.args[2]
        self.assertEqual(shared().operation("staged", key=key, staged=True).attempt(lambda: 1).kind, "in_doubt")

    @support.slow
    def test_fourPreforkedChildrenHaveServersAndOwnersOfTheirOwn(self):
        program = self.program(
            OPEN
            + """
idem.operation("prefork", key=sys.argv[1] + "-parent").run(lambda: 1)
mine = idem._core.server.carrier().pid
children = []
for i in range(4):
    pid = os.fork()
    if pid == 0:
        out = idem.operation("prefork", key="%s-%d" % (sys.argv[1], i)).run(lambda call: os.getpid())
        assert out == os.getpid(), out
        found = idem.find("prefork", "%s-%d" % (sys.argv[1], i))
        assert str(os.getpid()) in found.members["owner"], found.members
        print("server", idem._core.server.carrier().pid, flush=True)
        time.sleep(1 if i else 0)
        sys.exit(0)
    children.append(pid)
for n in range(50):
    key = "%s-p%d" % (sys.argv[1], n)
    assert idem.operation("prefork", key=key).run(lambda call: call.key) == key
assert mine == idem._core.server.carrier().pid
# The children live, and must not hold the pipe of this server: it ends with its stdin, and needs no TERM.
carrier = idem._core.server.carrier()
idem.close()
print("exit", carrier.exit_code())
for pid in children: assert os.waitpid(pid, 0)[1] == 0
""",
            fresh(),
        )
        self.assertEqual(program.end(), 0, program.text())
        self.assertEqual(program.says("exit"), "0")
        servers = {line for line in program.lines() if line.startswith("server")}
        self.assertEqual(len(servers), 4)
        for line in servers:
            pid = int(line.split()[1])
            wait_until(lambda: not is_alive(pid), "the end of a server")

    @support.slow
    def test_processesOfMultiprocessingRunOnce(self):
        for method in ("fork", "spawn"):
            key = fresh()
            shared().about()
            context = multiprocessing.get_context(method)
            with context.Pool(2) as pool:
                results = pool.starmap(work, [(ledger(), key, i) for i in range(4)])
            self.assertEqual(sum(kind == "done" for kind, _ in results), 1, results)
            self.assertEqual(len({value for _, value in results}), 1)
        self.assertEqual(shared().operation("after", key=fresh()).run(lambda: 1), 1)

    @support.slow
    def test_aForkWhileAnotherThreadHoldsTheLocksIsNoDeadlock(self):
        program = self.program(
            OPEN
            + """
import contextlib, signal
key, client = sys.argv[1], idem
client.operation("locked", key=key).run(lambda: 1)
core = client._core
pipe = core.server.carrier()
locks = [core.server._lock, core.server.tickets._changed, core.asking._others._lock, core.asking._waits._lock]
locks += [core.background._lock, pipe._lock, sys.modules["idem.core"]._lock]
held, free = threading.Event(), threading.Event()
def hold():
    with contextlib.ExitStack() as stack:
        for lock in locks: stack.enter_context(lock)
        held.set()
        free.wait(60)
threading.Thread(target=hold, daemon=True).start()
held.wait(60)
pid = os.fork()
if pid == 0:
    signal.alarm(60)
    kind = client.operation("locked", key=key).attempt(lambda: 2).kind
    client.close()
    os._exit(0 if kind == "replayed" else 1)
status = os.waitpid(pid, 0)[1]
free.set()
print("child", status)
""",
            fresh(),
        )
        self.assertEqual(program.says("child"), "0")
        self.assertEqual(program.end(), 0)

    @support.slow
    def test_aChildOfALedgerInMemoryIsToldSo(self):
        program = self.program(
            """
import os
from idem import Idem, Refused
idem = Idem.open("memory:")
idem.operation("memory", key="k").run(lambda: 1)
if os.fork() == 0:
    try:
        idem.operation("memory", key="k").run(lambda: print("ran again", flush=True))
    except Refused as e:
        print("refused", e, flush=True)
    os._exit(0)
os.wait()
print("replay", idem.operation("memory", key="k").attempt(lambda: 2).kind)
"""
        )
        self.assertEqual(program.says("replay"), "replayed")
        self.assertIn("in memory is gone", program.says("refused"))
        self.assertEqual(program.end(), 0)


def work(url, key, number):
    """In another process; the path of the package is that of the parent."""
    import time

    from idem import Idem

    def act(call):
        time.sleep(0.1)
        return number

    outcome = Idem.open(url).operation("pool", key=key, wait=60).attempt(act)
    return outcome.kind, outcome.value


if sys.platform == "win32":
    del ForkTest
