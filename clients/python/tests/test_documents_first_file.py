"""A ledger that examples/python/idem.py has written, the one file over the command line that these names come from.

data/ledger-of-the-first-file.sql is a dump of it: what was done under these names stays done.
"""

import contextlib
import datetime
import decimal
import os
import sqlite3
import tempfile
import unittest

from idem import documents
from idem.documents import AlreadyProcessed, Conflict, InDoubt, ResultUnavailable

from . import shared_ledger

DUMP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "ledger-of-the-first-file.sql")


class FirstFileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shared_ledger.folder()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = os.path.join(folder.name, "requests.db")
        with contextlib.closing(sqlite3.connect(cls.path)) as connection, open(DUMP, encoding="utf-8") as dump:
            connection.executescript(dump.read())
        cls.store = documents.IdempotencyStore(path=cls.path, ttl_days=36500)
        shared_ledger.warmed(lambda: cls.store.is_processed("plain"))

    def never(self, *args, **kwargs):
        self.fail("it ran again")

    def test_requests_are_known(self):
        payload = {"lines": [{"cents": 4200, "sku": "a"}], "order": 7}
        with self.assertRaises(AlreadyProcessed) as done:
            documents.handle_request(self.store, "req-001", payload, self.never)
        self.assertEqual({"order": 7, "state": "placed"}, done.exception.result)
        with self.assertRaises(Conflict):
            self.store.mark_in_progress("req-001", {"order": 8})
        self.assertEqual([1, None, "zwölf"], self.store.get_result("plain"))
        self.assertEqual("done", self.store.get_result("order für Ann"))
        with self.assertRaises(ResultUnavailable):
            self.store.mark_in_progress("without a result")

    def test_doubt_stays_doubt_and_says_what_failed(self):
        with self.assertRaisesRegex(InDoubt, "no answer.*store.resolve") as doubt:
            self.store.mark_in_progress("doubted", {"order": 9})
        self.assertEqual("doubted", doubt.exception.request_id)

    def test_what_did_nothing_may_run(self):
        ticket = self.store.mark_in_progress("free", {"order": 10})
        ticket.failed("once more", nothing_happened=True)

    def test_numbers_and_dates_of_a_payload_are_compared_as_before(self):
        payload = {"amount": 99.99, "big": 2**60, "tiny": 1e-9, "when": datetime.date(2026, 1, 1)}
        payload["price"] = decimal.Decimal("1.50")
        with self.assertRaises(AlreadyProcessed) as done:
            self.store.mark_in_progress("numbers", payload)
        self.assertEqual({"amount": 99.99, "big": 2**60}, done.exception.result)

    def test_functions_have_the_same_keys(self):
        def charge(customer, cents, when=None, note=""):
            self.never()

        charge.__module__, charge.__qualname__ = "shop", "charge"
        once = self.store.once
        self.assertEqual({"charged": 4200}, once(charge)("ann", 4200))
        self.assertEqual({"charged": 4200}, once(charge)("ann", 4200, datetime.datetime(2026, 1, 2, 3, 4, 5)))
        self.assertEqual({"charged": 1}, once(charge, ignore="note")("bob", 1, note="y"))
        self.assertEqual({"charged": 5}, once(charge, key=lambda customer, cents: "charge-" + customer)("cyd", 5))

    def test_sessions_durable_stores_and_webhooks_know_their_calls(self):
        session = documents.IdempotentAgentSession("order-flow-abc123", path=self.path)
        self.assertEqual({"sent": "ann"}, session.call_tool("send_email", {"n": 1.5, "to": "ann"}, self.never))
        durable = documents.DurableIdempotencyStore(db_path=self.path)
        self.assertEqual({"plan": "pro", "_from_cache": True}, durable.execute_once("k", self.never))
        events = documents.WebhookDeduplicator(path=self.path)
        self.assertIsNone(events.process_if_new("evt_1", self.never))
        self.assertTrue(events.is_duplicate("evt_1"))


if __name__ == "__main__":
    unittest.main()
