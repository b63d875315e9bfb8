"""Programs and servers are killed under load: nothing runs twice, nothing is told wrongly. IDEM_LONG=1 kills 200 times."""

import collections
import os
import random
import signal
import time

from . import support
from idem import Idem
from .support import LONG, fresh, ledger, wait_until

LONG_END = 600.0
WORK = """
import itertools, os, random, signal, sys, threading, time
from idem import Idem
name, count, kills = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
idem = Idem.open(os.environ["LEDGER"], resend=0.5, give_up=20)
# A killed program is known to be gone, so that nothing has to be waited for.
wait = 30 if kills else 0
runs = itertools.count()
def act(call):
    value = "%s-%d-%d" % (call.key, os.getpid(), next(runs))
    # A file for each effect, since a kill may cut a line that is being written.
    os.close(os.open("%s/%s=%s" % (os.environ["EFFECTS"], call.key, value), os.O_CREAT | os.O_EXCL))
    time.sleep(0.005)
    return value
def work(first):
    for i in range(first, count, 4):
        key = "%s-%d" % (name, i)
        outcome = idem.operation("kills", key=key, wait=wait).attempt(act)
        while outcome.kind == "unavailable":
            # Nothing ran: no server lived long enough to answer.
            outcome = idem.operation("kills", key=key, wait=wait).attempt(act)
        os.write(1, ("told %s %s %s\\n" % (key, outcome.kind, outcome.value)).encode())
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for thread in threads: thread.start()
def effects():
    return len(os.listdir(os.environ["EFFECTS"]))
while kills and any(thread.is_alive() for thread in threads):
    # More than the server before it had granted: one that is killed earlier answers nothing.
    before = effects()
    while effects() < before + 5 and any(thread.is_alive() for thread in threads): time.sleep(0.005)
    time.sleep(random.uniform(0, 0.03))
    carrier = idem._core.server.carrier()
    if carrier is not None:
        os.kill(carrier.pid, signal.SIGKILL)
        kills -= 1
for thread in threads: thread.join()
print("killed all" if not kills else "left %d" % kills, flush=True)
"""


setUpModule = support.launched


class KillsTest(support.Case):
    def setUp(self):
        super().setUp()
        self.effects = os.path.join(support.FOLDER, "effects-" + fresh())
        self.url = ledger("kills-" + fresh())
        os.mkdir(self.effects)

    def work(self, name, count, kills):
        return self.program(WORK, name, str(count), str(kills), LEDGER=self.url, EFFECTS=self.effects)

    def ran(self):
        """The values of each key's effects."""
        found = collections.defaultdict(list)
        for name in os.listdir(self.effects):
            key, _, value = name.partition("=")
            found[key].append(value)
        return found

    def check(self, programs, count, name):
        ran = self.ran()
        for key, values in ran.items():
            self.assertEqual(len(values), 1, "the action of %s ran twice" % key)
        for program in programs:
            for line in program.lines():
                if line.startswith("told"):
                    _, key, kind, value = line.split(" ", 3)
                    if kind in ("done", "replayed"):
                        self.assertEqual([value], ran[key], line)
                    else:
                        self.assertEqual(kind, "in_doubt", line)
        states = collections.Counter()
        with Idem.open(self.url) as idem:
            for i in range(count):
                key = "%s-%d" % (name, i)
                outcome = idem.operation("kills", key=key, wait=0).attempt(lambda: self.fail("it ran again"))
                states[outcome.kind] += 1
                if outcome.kind == "replayed":
                    self.assertEqual([outcome.value], ran[key])
        self.assertEqual(set(states) - {"replayed", "in_doubt"}, set(), states)
        told = sum(line.startswith("told") for program in programs for line in program.lines())
        print("%d programs, %d calls, %d effects, %s" % (len(programs), told, len(ran), dict(states)), flush=True)
        return states

    def test_killedProgramsLeaveDoubtsAtOnceAndNothingRunsTwice(self):
        count, kills, name = (800, 100, "p") if LONG else (60, 2, "p")
        programs = []
        for _ in range(kills):
            before = len(self.ran())
            program = self.work(name, count, 0)
            programs.append(program)
            wait_until(lambda: len(self.ran()) > before or program.process.poll() is not None, "an effect")
            time.sleep(random.uniform(0, 0.03))
            if program.process.poll() is not None:
                # On a busy machine a program may run all that is left before this one looks again.
                break
            os.kill(program.pid, signal.SIGKILL)
            program.process.wait()
        self.assertGreater(len(programs), 1, "the first program was killed")
        last = self.work(name, count, 0)
        self.assertEqual(last.end(LONG_END), 0)
        states = self.check(programs + [last], count, name)
        self.assertGreater(states["replayed"], 0)
        # Each killed program was at four calls.
        self.assertLessEqual(states["in_doubt"], 4 * kills)

    def test_killedServersLeaveNoDoubtInAProgramThatLives(self):
        kills = 100 if LONG else 2
        count = 40 * kills
        program = self.work("s", count, kills)
        self.assertEqual(program.end(LONG_END), 0)
        self.assertIn("killed all", program.lines())
        states = self.check([program], count, "s")
        self.assertEqual(states["replayed"], count)
        self.assertEqual(len(self.ran()), count)
