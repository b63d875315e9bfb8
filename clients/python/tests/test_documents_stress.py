"""The handler of the founding document, line by line, under threads, processes and kill -9.

Workers handle the same requests again and again on one .jsonl path until each is complete or in doubt. Some agents kill
their own process before or after the effect, and the parent kills workers at random. Whatever happens, no request has
more than one effect. IDEM_STRESS gives the number of requests of each kind. It runs with IDEM_LONG=1.
"""

import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

from idem.documents import AlreadyProcessed, IdempotencyStore, InDoubt, InFlight, NotExecuted, Unavailable

HERE = os.path.abspath(__file__)
KINDS = ("plain", "dies-before", "dies-after", "raises-before", "raises-after")


def work(folder, seed):
    store = IdempotencyStore(path="./idempotency-keys.jsonl")

    def run_agent(payload):
        kind, request_id = payload["kind"], payload["id"]
        if kind == "dies-before" and first(folder, request_id):
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "raises-before" and first(folder, request_id):
            raise NotExecuted("no connection")
        append(os.path.join(folder, "effects"), request_id + "\n")
        if kind == "dies-after":
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "raises-after":
            raise TimeoutError("no answer")
        return {"done": request_id}

    def handle_request(request_id: str, payload: dict) -> dict:
        # Check if we've seen this request before
        if store.is_processed(request_id):
            raise AlreadyProcessed(request_id)

        # Mark as in-progress before doing work
        store.mark_in_progress(request_id)

        try:
            result = run_agent(payload)
            store.mark_complete(request_id, result=result)
            return result
        except Exception as e:
            store.mark_failed(request_id, error=str(e))
            raise

    def handle_all(order):
        left = list(order)
        while left:
            kind, request_id = left.pop(0)
            try:
                handle_request(request_id, {"kind": kind, "id": request_id})
                append(os.path.join(folder, "ends"), request_id + " complete\n")
            except AlreadyProcessed:
                append(os.path.join(folder, "ends"), request_id + " complete\n")
            except InDoubt:
                append(os.path.join(folder, "ends"), request_id + " in doubt\n")
            except (InFlight, NotExecuted, TimeoutError, Unavailable):
                left.append((kind, request_id))

    chance = random.Random(seed)
    threads = []
    for _ in range(2):
        order = requests()
        chance.shuffle(order)
        threads.append(threading.Thread(target=handle_all, args=(order,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def requests():
    return [(kind, "%s-%d" % (kind, n)) for n in range(int(os.environ.get("IDEM_STRESS", "1"))) for kind in KINDS]


def first(folder, name):
    """Whether nobody has come here before."""
    try:
        os.close(os.open(os.path.join(folder, "first-" + name), os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def append(path, line):
    """One write, so that lines of several processes stay whole."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line.encode("ascii"))
    finally:
        os.close(file)


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return file.read().splitlines()


@unittest.skipUnless(os.environ.get("IDEM_LONG"), "it takes a minute; set IDEM_LONG=1")
class StressTest(unittest.TestCase):
    def test_the_document_s_handler_has_one_effect_for_each_request(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_until_all_has_ended(folder)
            effects = collections.Counter(lines(os.path.join(folder, "effects")))
            ends = collections.defaultdict(set)
            for line in lines(os.path.join(folder, "ends")):
                request_id, end = line.split(" ", 1)
                ends[request_id].add(end)

        self.assertEqual({}, {name: count for name, count in effects.items() if count > 1}, "effects that doubled")
        for kind, name in requests():
            # A worker may be killed while its result is recorded. The others may see a doubt until its server, which ends
            # after the worker, has done so.
            self.assertTrue(ends[name], name)
            if "complete" in ends[name]:
                self.assertEqual(1, effects[name], name)
            if kind.startswith("dies") or kind == "raises-after":
                self.assertEqual({"in doubt"}, ends[name], name)

    def run_until_all_has_ended(self, folder):
        seed = 1
        workers = [self.start(folder, seed + n) for n in range(3)]
        seen = 0
        try:
            while workers:
                # A worker that dies is replaced; one that ends has seen the end of every request.
                for worker in [worker for worker in workers if worker.poll() is not None]:
                    workers.remove(worker)
                    if worker.returncode == -signal.SIGKILL:
                        seed += 3
                        workers.append(self.start(folder, seed))
                    else:
                        self.assertEqual(0, worker.returncode)
                # Killed just after an effect, which is the moment that matters; at most twice, so that it ends.
                effects = len(lines(os.path.join(folder, "effects")))
                if effects > seen and seen < 2:
                    seen = effects
                    random.Random(seed).choice(workers).kill()
                threading.Event().wait(0.02)
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()

    def start(self, folder, seed):
        sources = os.path.join(os.path.dirname(os.path.dirname(HERE)), "src")
        environment = dict(os.environ, PYTHONPATH=sources, PYTHONDONTWRITEBYTECODE="1")
        return subprocess.Popen([sys.executable, HERE, folder, str(seed)], cwd=folder, env=environment)


if __name__ == "__main__":
    if len(sys.argv) == 3 and os.path.isdir(sys.argv[1]):
        work(sys.argv[1], int(sys.argv[2]))
    else:
        unittest.main()
