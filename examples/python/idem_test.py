"""Exercises idem.py against the real command; IDEM says how it is called."""

import os
import subprocess
import sys
import tempfile
import threading
import unittest

from idem import AlreadyProcessed, Conflict, IdempotencyStore, InDoubt, InFlight, NotExecuted, handle_request


class IdemTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "requests.db")
        self.store = IdempotencyStore(path=self.path)
        self.runs = []

    def tearDown(self):
        self.folder.cleanup()

    def agent(self, payload):
        self.runs.append(payload)
        return {"order": payload["order"], "state": "placed"}

    def test_a_request_is_handled_once(self):
        first = handle_request(self.store, "req-001", {"order": 7}, self.agent)
        with self.assertRaises(AlreadyProcessed) as duplicate:
            handle_request(self.store, "req-001", {"order": 7}, self.agent)

        self.assertEqual({"order": 7, "state": "placed"}, first)
        self.assertEqual(first, duplicate.exception.result)
        self.assertEqual(1, len(self.runs))
        self.assertTrue(self.store.is_processed("req-001"))
        self.assertEqual(first, self.store.get_result("req-001"))
        self.assertFalse(self.store.is_processed("req-002"))

    def test_an_id_with_another_payload_is_a_conflict(self):
        handle_request(self.store, "req-001", {"order": 7}, self.agent)
        with self.assertRaises(Conflict):
            self.store.mark_in_progress("req-001", {"order": 8})

    def test_what_did_nothing_may_run_again_and_what_broke_off_may_not(self):
        def refused(payload):
            raise NotExecuted("no connection")

        def lost(payload):
            raise TimeoutError("no answer")

        with self.assertRaises(NotExecuted):
            handle_request(self.store, "refused", {"order": 1}, refused)
        self.assertEqual(1, handle_request(self.store, "refused", {"order": 1}, self.agent)["order"])
        with self.assertRaises(TimeoutError):
            handle_request(self.store, "lost", {"order": 2}, lost)
        with self.assertRaises(InDoubt):
            handle_request(self.store, "lost", {"order": 2}, self.agent)
        self.assertEqual([{"order": 1}], self.runs)

    def test_another_process_finds_it_in_flight_and_then_complete(self):
        self.store.mark_in_progress("req-001")
        with self.assertRaises(InFlight):
            IdempotencyStore(path=self.path).mark_in_progress("req-001")
        self.store.mark_complete("req-001", result=[1, None, "zwölf"])

        program = "import idem; print(idem.IdempotencyStore(path=%r).get_result('req-001'))" % self.path
        environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.abspath(__file__)), PYTHONIOENCODING="utf-8")
        seen = subprocess.run([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, check=True)
        self.assertEqual("[1, None, 'zwölf']", seen.stdout.decode("utf-8").strip())

    def test_a_function_runs_once_for_its_key(self):
        @self.store.once(key=lambda order, note: "charge-%d" % order)
        def charge(order, note):
            self.runs.append(order)
            return {"charged": order}

        self.assertEqual({"charged": 7}, charge(7, "thanks"))
        self.assertEqual({"charged": 7}, charge(7, note="thanks"))
        self.assertEqual({"charged": 8}, charge(8, "thanks"))
        self.assertEqual([7, 8], self.runs)

    def test_a_key_is_derived_from_the_arguments(self):
        @self.store.once()
        def send(to, subject="Welcome"):
            self.runs.append(to)
            return len(self.runs)

        self.assertEqual(1, send("ann"))
        self.assertEqual(1, send(to="ann", subject="Welcome"))
        self.assertEqual(2, send("bob"))

    def test_of_several_at_once_one_runs(self):
        gate = threading.Barrier(4)
        results = []

        @self.store.once(key=lambda: "one", wait=30)
        def act():
            self.runs.append("ran")
            return "done"

        def call():
            gate.wait()
            results.append(act())

        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(["done"] * 4, results)
        self.assertEqual(["ran"], self.runs)


if __name__ == "__main__":
    unittest.main()
