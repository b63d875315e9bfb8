"""Runs the snippets that docs/from-the-documents.md shows, on the real server; IDEM says where its program is.

Where the documents themselves are at hand (IDEM_FOUNDING, or shared/founding beside the repository), their own code
runs as well, with nothing changed but the name of the imported module.
"""

import asyncio
import dataclasses
import datetime
import glob
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

from idem import documents
from idem.documents import (
    AlreadyProcessed,
    DurableIdempotencyStore,
    IdempKey,
    IdempotencyStore,
    IdempotentAgentSession,
    InDoubt,
    NotExecuted,
    WebhookDeduplicator,
    cache_tool,
    make_idempotency_key,
)

from . import shared_ledger

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
COMMAND = [os.environ.get("IDEM", "idem")]


class Remote:
    """Stands for a payment, email or catalogue service, and counts what it was asked."""

    def __init__(self):
        self.calls = []

    def create(self, **given):
        self.calls.append(given)
        return types.SimpleNamespace(id="r-%d" % len(self.calls), status="succeeded")

    send = create

    def get(self, key):
        self.calls.append(key)
        return {"id": key, "n": len(self.calls)}

    price = get

    def refund(self, order_id, idempotency_key):
        self.calls.append(idempotency_key)
        return {"refunded": order_id}


class Refused(Exception):
    """Stands for the HTTPException of FastAPI."""

    def __init__(self, status_code, detail):
        super().__init__(status_code, detail)


class App:
    """Stands for a FastAPI where that is not installed: a route leaves its function as it is."""

    def post(self, path):
        return lambda function: function


FASTAPI = types.SimpleNamespace(FastAPI=App, HTTPException=Refused)


def setUpModule():
    """One folder for all, so that tests with the same path share a server; each has ids or a scope of its own."""
    shared_ledger.folder()
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    unittest.addModuleCleanup(os.chdir, os.getcwd())
    os.chdir(folder.name)


class Case(unittest.TestCase):
    def setUp(self):
        self.runs = []

    def warm(self, store):
        """A server has started for it, and serves every later store at its path."""
        unittest.addModuleCleanup(store.close)
        shared_ledger.warmed(lambda: store.is_processed("nothing"))
        return store

    def key_by(self, formula, value):
        words = [*COMMAND, "key", "--formula", formula, "--identity", json.dumps(value)]
        return subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode().strip()


@dataclasses.dataclass
class Product:
    sku: str
    since: datetime.date


class SnippetsTest(Case):
    def test_the_endpoint(self):
        store = self.warm(IdempotencyStore(path="./idempotency-keys.jsonl"))

        async def run_agent(payload):
            self.runs.append(payload)
            if payload.get("lost"):
                raise TimeoutError("no answer")
            return {"order": payload["order"]}

        async def run_agent_endpoint(request_id: str, payload: dict) -> dict:
            if store.is_processed(request_id):
                cached = store.get_result(request_id)
                return {"status": "already_processed", "result": cached}
            store.mark_in_progress(request_id)
            try:
                result = await run_agent(payload)
                store.mark_complete(request_id, result=result)
                return {"status": "complete", "result": result}
            except Exception as e:
                store.mark_failed(request_id, error=str(e))
                raise RuntimeError(str(e))

        self.assertEqual("complete", asyncio.run(run_agent_endpoint("a", {"order": 7}))["status"])
        again = asyncio.run(run_agent_endpoint("a", {"order": 7}))
        self.assertEqual({"status": "already_processed", "result": {"order": 7}}, again)
        with self.assertRaises(RuntimeError):
            asyncio.run(run_agent_endpoint("b", {"lost": True}))
        with self.assertRaises(InDoubt):
            asyncio.run(run_agent_endpoint("b", {"lost": True}))
        self.assertEqual(2, len(self.runs))

    def test_the_endpoint_of_the_page_about_http(self):
        with open(os.path.join(ROOT, "docs", "http.md"), encoding="utf-8") as page:
            code = page.read().split("```python\n")[1].split("```")[0]

        def run_agent(payload):
            self.runs.append(payload)
            if payload.get("lost"):
                raise TimeoutError("no answer")
            return {"order": payload["order"]}

        names = {"run_agent": run_agent}
        with mock.patch.dict(sys.modules, {} if importlib.util.find_spec("fastapi") else {"fastapi": FASTAPI}):
            exec(compile(code, "docs/http.md", "exec"), names)
            refused = sys.modules["fastapi"].HTTPException
        self.warm(names["store"])
        endpoint = names["run_agent_endpoint"]
        self.assertEqual({"status": "complete", "result": {"order": 7}}, endpoint("a", {"order": 7}))
        self.assertEqual({"status": "already_processed", "result": {"order": 7}}, endpoint("a", {"order": 7}))
        with self.assertRaises(refused):
            endpoint("a", {"order": 8})
        with self.assertRaises(TimeoutError):
            endpoint("b", {"lost": True})
        with self.assertRaises(refused):
            endpoint("b", {"lost": True})
        self.assertEqual(2, len(self.runs))

    def test_a_key_for_a_remote(self):
        key = IdempKey.for_args(scope="charge:s-1", args={"customer_id": "ann", "amount_cents": 4200})
        other = IdempKey.for_args(scope="charge:s-1", args={"amount_cents": 4200, "customer_id": "ann"})
        self.assertEqual(str(key), str(other))
        self.assertNotEqual(key, IdempKey.for_args(scope="charge:s-2", args={"amount_cents": 4200}))
        content = json.dumps({"amount_cents": 4200, "customer_id": "ann"})
        self.assertEqual(str(key), self.key_by("agentidemp.scoped_sha256_hex", ["charge:s-1", content]))

    def test_reads_are_cached(self):
        class Shared(dict):
            """As much of redis.Redis as is used."""

            def set(self, key, value, ex):
                self[key] = value.encode()

        catalog, shared = Remote(), Shared()

        @cache_tool(ttl_seconds=300, max_size=1)
        def lookup(customer_id: str) -> dict:
            return catalog.get(customer_id)

        def price_tool():
            @cache_tool(ttl_seconds=120, store=shared)
            def get_product_price(sku: str) -> dict:
                return catalog.price(sku)

            return get_product_price

        self.assertEqual(lookup("ann"), lookup(customer_id="ann"))
        lookup("bob")
        self.assertEqual(3, lookup("ann")["n"], "of the oldest there is none left")
        self.assertEqual(price_tool()("sku-1"), price_tool()("sku-1"))
        self.assertEqual(4, len(catalog.calls))
        brief = cache_tool(ttl_seconds=0)(catalog.get)
        self.assertNotEqual(brief("x"), brief("x"))

    def test_the_cache_never_mixes_two_objects(self):
        """Two accounts got each other's balance."""
        with self.assertRaisesRegex(ValueError, "two objects"):

            class Wrong:
                @cache_tool(ttl_seconds=300)
                def balance(self, day):
                    return day

        class Account:
            def __init__(self, name):
                self.name, self.calls = name, 0

            @cache_tool(ttl_seconds=300, key=lambda self, day: [self.name, day])
            def balance(self, day):
                self.calls += 1
                return "%s %s" % (self.name, day)

        ann, bob = Account("ann"), Account("bob")
        self.assertEqual(["ann 1", "bob 1", "ann 1"], [each.balance(1) for each in (ann, bob, ann)])
        self.assertEqual(1, ann.calls)
        with self.assertRaisesRegex(ValueError, "two objects"):
            cache_tool(ttl_seconds=1, store={})(ann.balance)

    def test_async_reads_are_cached(self):
        @cache_tool(ttl_seconds=300)
        async def look_up(sku: str) -> dict:
            self.runs.append(sku)
            return {"sku": sku}

        async def main():
            return [await look_up("a"), await look_up(sku="a")]

        self.assertEqual([{"sku": "a"}] * 2, asyncio.run(main()))
        self.assertEqual(["a"], self.runs)

    def test_a_cached_dataclass_comes_back_from_a_shared_store(self):
        kept = {}
        store = types.SimpleNamespace(get=kept.get, set=lambda key, text, ex: kept.update({key: text.encode()}))

        def look_up(sku: str) -> Product:
            self.runs.append(sku)
            return Product(sku, datetime.date(2026, 1, 1))

        found = [cache_tool(ttl_seconds=300, store=store)(look_up)("a") for _ in range(2)]
        self.assertEqual([Product("a", datetime.date(2026, 1, 1))] * 2, found)
        self.assertEqual(["a"], self.runs)

    def test_a_store_that_keeps_nothing_loses_no_result(self):
        """The answer of the call was thrown away with the error of the store, and the model asked again."""

        class Full(dict):
            def set(self, key, value, ex):
                raise ConnectionError("the store is full of " + value)

        def look_up(sku: str) -> dict:
            self.runs.append(sku)
            return {"sku": sku}

        async def look_up_async(sku: str) -> dict:
            return look_up(sku)

        with self.assertLogs("idem", "WARNING") as logs:
            self.assertEqual({"sku": "a"}, cache_tool(ttl_seconds=60, store=Full())(look_up)("a"))
            self.assertEqual({"sku": "b"}, asyncio.run(cache_tool(ttl_seconds=60, store=Full())(look_up_async)("b")))
        self.assertEqual(["a", "b"], self.runs)
        self.assertIn("is not cached: ConnectionError", logs.output[0])
        self.assertNotIn("sku", logs.output[0], "a result may hold secrets")

    def test_limits_that_a_cache_can_not_keep_are_refused_at_once(self):
        seen = []
        store = types.SimpleNamespace(get=lambda key: None, set=lambda key, text, ex: seen.append(ex))
        for ttl in (0.5, 1.5, 0, -1, float("nan"), float("inf"), "x", None, True):
            with self.assertRaisesRegex(ValueError, "ttl_seconds"):
                cache_tool(ttl_seconds=ttl, store=store)
        for ttl in (-1, float("nan"), "x", None, True):
            with self.assertRaisesRegex(ValueError, "ttl_seconds"):
                cache_tool(ttl_seconds=ttl)
        for size in (-1, 1.5, "x", None, True):
            with self.assertRaisesRegex(ValueError, "max_size"):
                cache_tool(ttl_seconds=1, max_size=size)
        cache_tool(ttl_seconds=60.0, store=store)(lambda: 1)()
        self.assertEqual(["60"], [repr(each) for each in seen])

    def test_a_function_by_key(self):
        store = self.warm(IdempotencyStore(path="agent.db"))

        def _charge_payment(customer_id, amount, currency):
            return {"transaction_id": "txn_%d" % time.monotonic_ns(), "amount": amount}

        @store.once()
        def charge_payment(customer_id: str, amount: float, currency: str = "USD") -> dict:
            return _charge_payment(customer_id, amount, currency)

        r1 = charge_payment("cust_123", 99.99)
        r2 = charge_payment("cust_123", 99.99)
        assert r1["transaction_id"] == r2["transaction_id"]

    def test_the_old_keys(self):
        """As the document's own function makes them; arguments without a form in JSON are refused, and not taken by their text."""
        given = {"customer_id": "cust_123", "amount": 99.99, "currency": "USD"}
        payload = json.dumps({"args": ("charge_payment",), "kwargs": given}, sort_keys=True, default=str)
        theirs = "idem_" + hashlib.sha256(payload.encode()).hexdigest()[:24]
        self.assertEqual(theirs, make_idempotency_key("charge_payment", **given))
        with self.assertRaises(TypeError):
            make_idempotency_key("charge_payment", object())
        store = self.warm(DurableIdempotencyStore(db_path="agent.db"))
        charge = lambda: {"transaction_id": "txn_%d" % time.monotonic_ns()}  # noqa: E731
        first, again = [store.execute_once(theirs, charge) for _ in range(2)]
        self.assertEqual([False, True], [first.pop("_from_cache"), again.pop("_from_cache")])
        self.assertEqual(first, again)

    def test_the_tools_of_a_session(self):
        def send(inputs):
            self.runs.append(inputs["to"])
            return {"sent": inputs["to"]}

        self.warm(IdempotencyStore(path="agent.db"))
        for _ in range(2):
            session = IdempotentAgentSession(session_id="order-flow-abc123", path="agent.db")
            self.assertEqual({"sent": "ann"}, session.call_tool("send_email", {"to": "ann"}, send))
        IdempotentAgentSession(session_id="another", path="agent.db").call_tool("send_email", {"to": "ann"}, send)
        self.assertEqual(["ann", "ann"], self.runs)

    def test_a_durable_store(self):
        store = self.warm(DurableIdempotencyStore(db_path="agent.db"))

        def create_subscription(user_id: str, plan: str) -> dict:
            key = hashlib.sha256(f"create_subscription:{user_id}:{plan}".encode()).hexdigest()
            return store.execute_once(
                key,
                lambda: {"subscription_id": f"sub_{user_id}_{time.monotonic_ns()}", "status": "active"},
            )

        r1 = create_subscription("user_123", "pro")
        r2 = create_subscription("user_123", "pro")
        assert r1["subscription_id"] == r2["subscription_id"]
        self.assertEqual([False, True], [r1["_from_cache"], r2["_from_cache"]])
        store.set("elsewhere", {"done": True})
        self.assertEqual({"done": True}, store.get("elsewhere"))
        self.assertIsNone(store.get("nowhere"))

    def test_a_webhook(self):
        deduplicator = self.warm(WebhookDeduplicator(path="agent.db", scope="a webhook"))

        def process_event(payload: dict) -> dict:
            self.runs.append(payload)
            if len(self.runs) == 1:
                raise NotExecuted("the database is down")
            return {"processed": True, "event_id": payload.get("event_id")}

        def handle_webhook(payload: dict):
            event_id = payload.get("event_id") or hashlib.sha256(
                json.dumps(payload, sort_keys=True).encode()
            ).hexdigest()
            return deduplicator.process_if_new(event_id, process_event, payload)

        event = {"event_id": "evt_12345", "type": "payment.succeeded", "user_id": "user_123"}
        with self.assertRaises(NotExecuted):
            handle_webhook(event)
        r1 = handle_webhook(event)
        r2 = handle_webhook(event)
        assert r1 is not None, "an event whose handler did nothing is not lost"
        assert r2 is None
        self.assertTrue(deduplicator.is_duplicate("evt_12345"))

    def test_is_duplicate_registers_the_event(self):
        """It only looked, so that the documents' own handler ran for each delivery."""
        deduplicator = self.warm(WebhookDeduplicator(path="agent.db", scope="registered"))
        self.assertEqual([False, True, True], [deduplicator.is_duplicate("evt_1") for _ in range(3)])
        self.assertTrue(WebhookDeduplicator(path="agent.db", scope="registered").is_duplicate("evt_1"))
        self.assertIsNone(deduplicator.process_if_new("evt_1", self.runs.append, 1))
        self.assertEqual([], self.runs)

    def test_the_oldest_events_beyond_max_size_are_forgotten(self):
        deduplicator = self.warm(WebhookDeduplicator(max_size=2, path="agent.db", scope="the oldest"))
        self.assertEqual([False] * 3, [deduplicator.is_duplicate("evt_%d" % n) for n in range(3)])
        self.assertEqual([True, True], [deduplicator.is_duplicate("evt_%d" % n) for n in (1, 2)])
        self.assertFalse(deduplicator.is_duplicate("evt_0"))
        # A new process counts those that are there.
        later = WebhookDeduplicator(max_size=2, path="agent.db", scope="the oldest")
        self.assertFalse(later.is_duplicate("evt_9"))
        self.assertEqual([True, False], [later.is_duplicate("evt_%d" % n) for n in (0, 2)])
        with self.assertRaisesRegex(ValueError, "path="):
            WebhookDeduplicator("events.db")

    def test_the_key_of_a_command(self):
        def idempotency_key(operation: str, inputs: dict) -> str:
            payload = f"{operation}:{sorted(inputs.items())}"
            return hashlib.sha256(payload.encode()).hexdigest()[:32]

        inputs = {"amount": 100, "user": "alice"}
        key = idempotency_key("create-order", inputs)
        self.assertEqual(key, self.key_by("cli_workaround_key", {"operation": "create-order", "inputs": inputs}))
        words = [*COMMAND, "run", "--key", key, "--ledger", "sqlite:orders.db", "--status-file", "status.json"]
        effects = []
        for _ in range(2):
            subprocess.run([*words, "--", "sh", "-c", "echo ordered >> orders"], check=True, stderr=subprocess.DEVNULL)
            with open("status.json") as status:
                effects.append(json.load(status)["data"]["effect"])
        self.assertEqual(["created", "noop"], effects)
        with open("orders") as orders:
            self.assertEqual("ordered\n", orders.read())


class DocumentsTest(Case):
    """The documents' own code."""

    def setUp(self):
        super().setUp()
        for name in ("agentidemp_py", "agentidemp", "tool_result_cache"):
            sys.modules[name] = documents
            self.addCleanup(sys.modules.pop, name)

    def blocks(self, number):
        """The pieces of code of a document, each from its first import to the end of the block."""
        folder = os.environ.get("IDEM_FOUNDING", os.path.join(os.path.dirname(ROOT), "shared", "founding"))
        found = glob.glob(os.path.join(folder, "%03d_*.txt" % number))
        if not found:
            self.skipTest("the documents are not in " + os.path.normpath(folder))
        with open(found[0], encoding="utf-8") as file:
            parts = file.read().split("Enter fullscreen mode Exit fullscreen mode")
        starts = (part.find("\nfrom ") for part in parts)
        return [part[start:] for part, start in zip(parts, starts) if start >= 0]

    def test_the_handler_runs_as_it_stands(self):
        code = next(block for block in self.blocks(0) if "def handle_request" in block)
        names = {"run_agent": lambda payload: self.runs.append(payload) or {"order": 7}}
        exec(compile(code, "document", "exec"), names)
        self.warm(names["store"])
        self.assertEqual({"order": 7}, names["handle_request"]("req-001", {"order": 7}))
        with self.assertRaises(AlreadyProcessed):
            names["handle_request"]("req-001", {"order": 7})
        self.assertEqual(1, len(self.runs))

    def test_the_three_patterns_run_as_they_stand(self):
        code = next(block for block in self.blocks(1) if "# Pattern 2" in block)
        remote = Remote()
        names = {
            "stripe": types.SimpleNamespace(PaymentIntent=remote),
            "db": types.SimpleNamespace(customers=remote),
            "email_service": remote,
        }
        exec(compile(code, "document", "exec"), names)
        for _ in range(2):
            names["charge_customer"]("ann", 4200, "s-1")
            names["lookup_customer"]("ann")
            names["send_confirmation_email"]("o-1", "ann@example.com", "s-1")
        keys = [call["idempotency_key"] for call in remote.calls if isinstance(call, dict) and "amount" in call]
        self.assertEqual(1, len(set(keys)))
        self.assertEqual(4, len(remote.calls), "two charges with one key, one lookup, one email")


if __name__ == "__main__":
    unittest.main()
