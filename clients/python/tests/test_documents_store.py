"""The stores of the founding documents, on the real server; IDEM says where its program is."""

import asyncio
import contextlib
import dataclasses
import datetime
import json
import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import typing
import unittest
import uuid
from unittest import mock

from idem import Idem, Refused, taking_over
from idem.documents import (
    AlreadyProcessed,
    Conflict,
    DurableIdempotencyStore,
    Happened,
    IdemError,
    IdempotencyStore,
    IdempotentAgentSession,
    InDoubt,
    InFlight,
    NotExecuted,
    RedisIdempotencyStore,
    ResultUnavailable,
    Stale,
    WebhookDeduplicator,
    handle_request,
)

from . import shared_ledger, support

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
HELPERS = os.path.dirname(os.path.abspath(__file__))

# Stands for a server whose answers are lost: while a file "lost-METHOD" is there, that request is not passed on. It writes
# down its words and its variables.
LOSING = """
import json, os, subprocess, sys, threading
folder, idem = %r, %r
told = {name: value for name, value in os.environ.items() if name.startswith("IDEM_")}
with open(os.path.join(folder, "told"), "a", encoding="utf-8") as file:
    file.write(json.dumps([sys.argv[1:], told]) + "\\n")
if "serve" not in sys.argv:
    sys.exit(subprocess.run([idem, *sys.argv[1:]]).returncode)
server = subprocess.Popen([idem, *sys.argv[1:]], stdin=subprocess.PIPE)
for line in sys.stdin.buffer:
    if not os.path.exists(os.path.join(folder, "lost-" + json.loads(line)["method"])):
        server.stdin.write(line)
        server.stdin.flush()
server.stdin.close()
sys.exit(server.wait())
"""


def how_to_run(check=True):
    """How a program is run that imports the package and its tests."""
    paths = os.pathsep.join([SOURCES, os.path.dirname(HELPERS)])
    return {
        "env": dict(os.environ, PYTHONPATH=paths, PYTHONIOENCODING="utf-8", PYTHONDONTWRITEBYTECODE="1"),
        **({"check": True} if check else {}),
    }


def document_handler(store, request_id, payload, run_agent):
    """The handler of the founding document, line by line."""
    if store.is_processed(request_id):
        raise AlreadyProcessed(request_id)
    store.mark_in_progress(request_id)
    try:
        result = run_agent(payload)
        store.mark_complete(request_id, result=result)
        return result
    except Exception as e:
        store.mark_failed(request_id, error=str(e))
        raise


def setUpModule():
    """Most tests share one ledger, and so one server; each has a scope of its own."""
    global shared, losing
    shared = os.path.join(shared_ledger.folder(), "requests.db")
    losing = os.path.join(support.FOLDER, "losing")
    os.mkdir(losing)
    warm(IdempotencyStore(path=shared))


def warm(store):
    shared_ledger.warmed(lambda: store.is_processed("nothing"))
    return store


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = shared
        self.scope = "%s-%s" % (type(self).__name__, uuid.uuid4().hex[:8])
        self.store = self.another()
        self.runs = []

    def another(self, **more):
        """A store of the same requests."""
        return IdempotencyStore(path=self.path, scope=self.scope, **more)

    def at_path(self, name, kind=IdempotencyStore, **more):
        """A store with a ledger of its own, and so with a server of its own."""
        store = kind(self.at(name), **more)
        self.addCleanup(store.close)
        return store

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def agent(self, payload):
        self.runs.append(payload)
        return {"order": payload["order"], "state": "placed"}

    def losing_store(self, folder=None, **more):
        """A store whose answers can be lost, and the file that makes those of settle so. In a folder of its own it has a
        server of its own, else it shares one."""
        place = folder or losing
        program = os.path.join(place, "losing")
        if not os.path.exists(program):
            with open(program, "w") as file:
                file.write("#!%s" % sys.executable)
                file.write(LOSING % (place, support.COMMAND))
            os.chmod(program, 0o700)
        store = self.another(command=program, **more)
        requests = store._requests
        requests._idem = Idem.open(requests.ledger, command=program, resend=0.1, settle_for=0.5)
        if folder is not None:
            self.addCleanup(store.close)
        lost = os.path.join(place, "lost-settle")
        self.addCleanup(lambda: os.path.exists(lost) and os.remove(lost))
        return warm(store), lost

    def program(self, lines):
        """The words of a program with a store of the same requests."""
        begin = "from idem.documents import *\nfrom tests.test_documents_store import warm\n"
        begin += "store = warm(IdempotencyStore(path=%r, scope=%r))\n" % (self.path, self.scope)
        return [sys.executable, "-c", begin + lines]

    def taken_until_in_doubt(self, request_id):
        """Asks until the request is in doubt; a grant in between would be a second run."""
        while True:
            try:
                self.store.mark_in_progress(request_id)
                self.fail(request_id + " was free")
            except InFlight:
                continue
            except InDoubt:
                return

    def quiet(self):
        """Keeps warnings that a test provokes out of its output."""
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)


class RequestsTest(Case):
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
        with self.assertRaises(Conflict):
            self.store.get_result("req-001", {"order": 8})
        self.assertEqual(7, self.store.get_result("req-001", {"order": 7})["order"])

    def test_what_did_nothing_may_run_again_and_what_broke_off_may_not(self):
        def refused(payload):
            raise NotExecuted("no connection")

        def lost(payload):
            raise TimeoutError("no answer")

        for handle in (handle_request, document_handler):
            name = handle.__name__
            with self.assertRaises(NotExecuted):
                handle(self.store, "refused-" + name, {"order": 1}, refused)
            self.assertEqual(1, handle(self.store, "refused-" + name, {"order": 1}, self.agent)["order"])
            with self.assertRaises(TimeoutError):
                handle(self.store, "lost-" + name, {"order": 2}, lost)
            with self.assertRaises(InDoubt):
                handle(self.store, "lost-" + name, {"order": 2}, self.agent)
        self.assertEqual([{"order": 1}] * 2, self.runs)

    def test_a_failure_without_proof_is_in_doubt(self):
        def elsewhere(request_id):
            thread = threading.Thread(target=self.store.mark_failed, args=(request_id, "no answer"))
            thread.start()
            thread.join()

        def afterwards(request_id):
            try:
                raise TimeoutError("no answer")
            except TimeoutError as error:
                caught = error
            self.store.mark_failed(request_id, error=caught)

        for fail in (elsewhere, afterwards):
            self.store.mark_in_progress(fail.__name__)
            fail(fail.__name__)
            with self.assertRaises(InDoubt):
                self.store.mark_in_progress(fail.__name__)

    def test_a_failure_with_proof_may_run_again(self):
        for request_id, how in (
            ("said", {"nothing_happened": True}),
            ("handed over", {"error": NotExecuted("no connection")}),
        ):
            self.store.mark_in_progress(request_id)
            self.store.mark_failed(request_id, **how)
            self.store.mark_in_progress(request_id)
        self.store.mark_not_executed("said", "the queue was full")
        self.store.mark_in_progress("said")

    def test_any_text_is_an_error(self):
        self.store.mark_in_progress("req-001")
        self.store.mark_failed("req-001", "no\0answer\x1b[31m \ud800" + "x" * 300000)
        with self.assertRaises(InDoubt):
            self.store.mark_in_progress("req-001")

    def test_the_ledger_is_named_in_the_environment_only(self):
        for name in ("IDEM_DRY_RUN", "IDEM_JSON_SHAPE", "IDEM_STATUS_FILE", "IDEM_QUIET", "IDEM_LEDGER"):
            self.addCleanup(os.environ.pop, name, None)
        os.environ.update(IDEM_DRY_RUN="true", IDEM_JSON_SHAPE="flat", IDEM_QUIET="true")
        os.environ.update(IDEM_STATUS_FILE=self.at("status"), IDEM_LEDGER="sqlite:" + self.at("another.db"))
        self.path = self.at("zwölf.jsonl")
        with open(self.path, "w") as file:
            file.write('{"id": "old", "state": "complete", "result": 1, "ts": 1748107200}\n')
        store, _ = self.losing_store(self.folder.name)
        store.mark_in_progress("req-001")
        store.mark_complete("req-001", result=7)

        self.assertEqual([7, 1], [store.get_result("req-001"), store.get_result("old")])
        self.assertFalse(os.path.exists(self.at("another.db")))
        self.assertFalse(os.path.exists(self.at("status")))
        with open(self.at("told"), encoding="utf-8") as file:
            calls = [json.loads(line) for line in file]
        self.assertEqual({"serve", "import"}, {words[0] for words, _ in calls})
        for words, variables in calls:
            self.assertFalse([word for word in words if "ledger" in word or "sqlite" in word])
            self.assertEqual("sqlite:%s.idem.db?busy=60s" % self.path, variables["IDEM_LEDGER"])

    def test_another_process_finds_it_in_flight_and_then_complete(self):
        self.store.mark_in_progress("req-001")
        with self.assertRaises(InFlight):
            self.another().mark_in_progress("req-001")
        self.store.mark_complete("req-001", result=[1, None, "zwölf"])

        lines = "print(store.get_result('req-001'))\nstore.mark_in_progress('a')\n"
        lines += "try: store.mark_in_progress('a')\nexcept InFlight: store.mark_complete('a')"
        seen = subprocess.run(
            self.program(lines), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how_to_run()
        )
        self.assertEqual("[1, None, 'zwölf']", seen.stdout.decode("utf-8").strip())
        self.assertEqual(b"", seen.stderr)

    @support.slow
    def test_a_completion_that_can_not_be_recorded_is_not_freed_by_the_failure_that_follows(self):
        store, lost = self.losing_store(lease=1.0, time_limit=3)

        def agent(payload):
            open(lost, "w").close()
            return self.agent(payload)

        with self.assertRaises(IdemError):
            document_handler(store, "req-001", {"order": 7}, agent)
        os.remove(lost)
        try:
            self.taken_until_in_doubt("req-001")
        except AlreadyProcessed:
            # It was sent again before its lease ran out.
            pass
        self.assertEqual(1, len(self.runs))

    def test_the_failure_that_follows_a_lost_completion_completes_it(self):
        store, lost = self.losing_store()
        store.mark_in_progress("req-001")
        open(lost, "w").close()
        with self.assertRaises(IdemError):
            store.mark_complete("req-001", result=7)
        os.remove(lost)
        with self.assertRaises(AlreadyProcessed) as done:
            store.mark_failed("req-001", error="no answer")

        self.assertEqual(7, done.exception.result)
        self.assertEqual(7, self.store.get_result("req-001"))

    def live_tickets(self, store):
        return store._requests.core().server.tickets.live()

    def test_nothing_is_renewed_once_it_is_settled_or_could_not_be(self):
        store, lost = self.losing_store()
        settled = store.mark_in_progress("settled")
        self.assertEqual(1, len(self.live_tickets(store)))
        settled.complete()
        store.mark_in_progress("unsettled")
        open(lost, "w").close()
        with self.assertRaises(IdemError):
            store.mark_complete("unsettled")
        self.assertEqual([], self.live_tickets(store))

    def test_a_mark_by_id_never_settles_the_run_of_another(self):
        first = self.store.mark_in_progress("req-001")
        ticket = first._running.call._held.ticket
        self.store._requests._ask("settle", {"ticket": ticket, "as": "failed", "error": {"type": "x", "message": "y"}})
        second = self.store.mark_in_progress("req-001")
        with self.assertRaises(ValueError):
            self.store.mark_complete("req-001", result="of the first")
        with self.assertRaises(Stale) as stale:
            self.store.mark_complete(first, result="of the first")
        self.assertEqual("of the first", stale.exception.result)
        self.store.mark_complete(second, result="of the second")
        self.assertEqual("of the second", self.store.get_result("req-001"))

    def in_doubt(self, request_id):
        self.store.mark_in_progress(request_id)
        self.store.mark_in_doubt(request_id, error="no answer")

    def test_doubt_is_resolved_with_a_result(self):
        self.in_doubt("happened")
        self.store.resolve("happened", happened=True, result={"receipt": 7}, by="ann", why="seen in the bank's list")
        self.assertEqual({"receipt": 7}, self.store.get_result("happened"))
        self.in_doubt("without a result")
        self.store.resolve("without a result", happened=True)
        self.assertTrue(self.store.is_processed("without a result"))

    def test_what_was_in_doubt_and_did_not_happen_runs_again(self):
        for request_id in ("did not", "cleared"):
            self.in_doubt(request_id)
        self.store.resolve("did not", happened=False)
        self.store.clear("cleared")
        self.store.mark_in_progress("did not")
        self.store.mark_in_progress("cleared")

    def test_a_result_expires_after_ttl_days(self):
        store = self.another(ttl_days=1 / 86400 / 1000)
        store.mark_in_progress("req-001")
        store.mark_complete("req-001")
        while store.is_processed("req-001"):
            pass
        store.mark_in_progress("req-001")

    def test_a_crash_is_in_doubt_as_soon_as_the_process_is_gone(self):
        lines = "store.mark_in_progress('req-001')\nprint('taken', flush=True)\nimport sys; sys.stdin.read()"
        agent = subprocess.Popen(
            self.program(lines), stdin=subprocess.PIPE, stdout=subprocess.PIPE, **how_to_run(check=False)
        )
        with agent:
            self.assertEqual(b"taken\n", agent.stdout.readline())
            with self.assertRaises(InFlight):
                self.store.mark_in_progress("req-001")
            agent.kill()
        with self.assertRaises(InDoubt):
            self.store.mark_in_progress("req-001")

    def test_an_idem_that_can_not_be_started_is_told_at_once(self):
        for gone in (self.at("no idem here"), "no-idem-on-the-path"):
            with self.assertRaisesRegex(IdemError, "IDEM"):
                IdempotencyStore(path=self.path, command=gone).mark_in_progress("req-001")

    @unittest.skipUnless(support.LONG, "it waits for a time limit; set IDEM_LONG=1")
    def test_a_server_that_is_gone_for_good_frees_nothing(self):
        store, _ = self.losing_store(self.folder.name, lease=1.0, time_limit=3)

        def agent(payload):
            os.remove(self.at("losing"))
            store._requests.core().server._carrier.kill()
            return self.agent(payload)

        with self.assertRaises(IdemError):
            document_handler(store, "req-002", {"order": 7}, agent)
        self.taken_until_in_doubt("req-002")
        self.assertEqual(1, len(self.runs))

    def test_a_ticket_belongs_to_the_process_that_got_it(self):
        ticket = self.store.mark_in_progress("req-001")
        child = os.fork()
        if child == 0:
            try:
                ticket.complete("of the child")
            except ValueError:
                os._exit(7)
            finally:
                os._exit(1)
        self.assertEqual(7, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        ticket.complete("of the parent")
        self.assertEqual("of the parent", self.store.get_result("req-001"))

    def test_any_text_is_an_id(self):
        for request_id in ("--help", 42, "order für Ann, " + "x" * 300):
            self.store.mark_in_progress(request_id)
            self.store.mark_complete(request_id, result="done")
            self.assertEqual("done", self.store.get_result(request_id))
        with self.assertRaises(ValueError):
            self.store.mark_in_progress(None)

    def test_redis_serves_the_same_marks(self):
        url = os.environ.get("IDEM_TEST_REDIS")
        if url is None:
            self.skipTest("IDEM_TEST_REDIS names no server")
        store = RedisIdempotencyStore(redis_url=url, ttl_seconds=600)
        self.assertEqual(7, document_handler(store, "req-001", {"order": 7}, self.agent)["order"])
        with self.assertRaises(AlreadyProcessed):
            document_handler(RedisIdempotencyStore(redis_url=url), "req-001", {"order": 7}, self.agent)


class PathsTest(Case):
    def founding_file(self, name):
        lines = [
            {"id": "done", "state": "in_progress", "ts": 1748107100},
            {"id": "done", "state": "complete", "result": {"order": 1}, "ts": 1748107200},
            {"id": "running", "state": "in_progress", "ts": 1748107201},
            {"id": "failed", "state": "failed", "error": "timeout", "ts": 1748107202},
        ]
        path = self.at(name)
        with open(path, "w") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        return path

    def test_the_document_s_path_serves_many_threads(self):
        gate = threading.Barrier(3)
        ends = []

        def call(request_id):
            store = self.at_path("idempotency-keys.jsonl")
            gate.wait()
            try:
                ends.append(document_handler(store, request_id, {"order": 1}, self.agent)["state"])
            except (AlreadyProcessed, InFlight):
                ends.append("refused")

        threads = [threading.Thread(target=call, args=(name,)) for name in ("one", "one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(["placed", "placed", "refused"], sorted(ends))
        self.assertEqual(2, len(self.runs))

    def test_the_requests_of_a_founding_file_are_known(self):
        path = self.founding_file("keys.jsonl")
        with open(path) as file:
            before = file.read()
        store = warm(self.at_path("keys.jsonl"))
        self.assertEqual({"order": 1}, store.get_result("done"))
        with self.assertRaises(AlreadyProcessed):
            document_handler(store, "done", {"order": 1}, self.agent)
        with self.assertRaises(InDoubt):
            document_handler(store, "running", {"order": 1}, self.agent)
        with self.assertRaises(InDoubt):
            document_handler(store, "failed", {"order": 1}, self.agent)
        with open(path, "r+") as file:
            self.assertEqual(before, file.read())
            file.write('{"id": "later", "state": "complete", "result": 2, "ts": 1748107300}\n')
        self.assertEqual(2, self.at_path("keys.jsonl").get_result("later"))
        self.assertEqual(0, len(self.runs))

    def test_what_was_cleared_stays_cleared_whatever_happens_to_the_file(self):
        """The file was taken over again when it was touched, and with it the cleared request."""
        path = self.founding_file("keys.jsonl")
        store = warm(self.at_path("keys.jsonl"))
        store.clear("done")
        store.close()
        os.utime(path, (1, 1))
        self.assertFalse(self.at_path("keys.jsonl").is_processed("done"))
        with open(path, "a") as file:
            file.write('{"id": "later", "state": "complete", "result": 2, "ts": 1748107300}\n')
        grown = self.at_path("keys.jsonl")
        self.assertEqual(2, grown.get_result("later"))
        self.assertFalse(grown.is_processed("done"))
        grown.close()
        for result, newer in ((3, "99999999998"), (4, '"5138-11-16T09:46:39Z"')):
            with open(path, "a") as file:
                file.write('{"id": "done", "state": "complete", "result": %d, "ts": %s}\n' % (result, newer))
            with contextlib.closing(self.at_path("keys.jsonl")) as again:
                self.assertEqual(result, again.get_result("done"), "the other program has run it since")
                again.clear("done")

    def test_a_short_file_has_no_rows_whatever_it_is(self):
        for content in ["", "{}", '{"id": "a", "state": "complete", "ts": 1}\n']:
            path = self.at("short.jsonl")
            with open(path, "w") as file:
                file.write(content)
            self.assertIsNone(taking_over._asked(path, taking_over._CACHED, list))

    @support.slow
    def test_so_does_a_row_of_a_table(self):
        path = self.founding_table(self.at("cache.db"))
        store = self.at_path("cache.db", operation="execute_once")
        self.assertEqual({"plan": "pro"}, store.get_result("k"))
        store.clear("k")
        store.close()
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("INSERT INTO idempotency_cache SELECT 'l', result, created_at FROM idempotency_cache")
        store = self.at_path("cache.db", operation="execute_once")
        self.assertTrue(store.is_processed("l"))
        self.assertFalse(store.is_processed("k"))

    def test_a_founding_file_is_known_by_what_is_in_it(self):
        path = self.founding_file("keys.log")
        self.assertEqual(("sqlite:%s.idem.db?busy=60s" % path, path), taking_over.ledger_of(path))
        self.assertEqual(("sqlite:%s?busy=60s" % self.at("new.db"), None), taking_over.ledger_of(self.at("new.db")))

    def test_a_large_table_is_not_held_in_the_memory(self):
        table = self.at("large.db")
        with contextlib.closing(sqlite3.connect(table)) as rows, rows:
            rows.execute("CREATE TABLE idempotency_cache (key TEXT PRIMARY KEY, result TEXT, created_at TEXT)")
            large = (("k%d" % i, json.dumps("x" * 500_000), "2025-05-24T15:01:40Z") for i in range(20))
            rows.executemany("INSERT INTO idempotency_cache VALUES (?, ?, ?)", large)
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        taking_over._digest(table)
        self.assertLess(tracemalloc.get_traced_memory()[1], 4_000_000)

    @support.slow
    def test_a_file_is_taken_over_whatever_its_ids_and_results_are(self):
        """A NaN, an id with a space or a number as an id made every request of the file unknown."""
        done = [("two words", 1), (42, {"total": float("nan")}), ("caf\u00e9", "\ud83d"), (1.5, None), (True, [])]
        path = self.at("keys.jsonl")
        with open(path, "w") as file:
            for request_id, result in done:
                file.write(json.dumps({"id": request_id, "state": "in_progress", "ts": 1748107100}) + "\n")
                line = {"id": request_id, "state": "complete", "result": result, "ts": 1748107200}
                file.write(json.dumps(line) + "\n")
            file.write('{"id": "torn", "state": "in_pro{"id": "next", "state": "complete", "ts": 1}\n')
            file.write(json.dumps({"id": "last", "state": "complete", "result": 7, "ts": 1748107200}) + "\n")
        store = self.at_path("keys.jsonl")
        with self.assertLogs("idem", "WARNING") as said:
            warm(store)
        self.assertEqual(7, store.get_result("last"))
        self.assertIn("Line 11", "".join(said.output))
        for request_id, _ in done:
            self.assertTrue(store.is_processed(request_id), request_id)
        self.assertEqual(1, store.get_result("two words"))

    def test_no_thread_is_answered_before_the_file_is_taken_over(self):
        self.founding_file("keys.jsonl")
        store = self.at_path("keys.jsonl")
        shared_ledger.warmed(store._requests._idem.about)
        taking, moved = threading.Event(), threading.Event()
        lock, answers = threading.Lock(), []

        class Watched:
            """The store's lock, which tells when a second thread has come to it."""

            def __enter__(self):
                if taking.is_set():
                    moved.set()
                lock.acquire()

            def __exit__(self, *_):
                lock.release()

        def held_up(requests, file):
            taking.set()
            moved.wait(support.LIMIT)
            taking_over.take_over(requests, file)

        def ask():
            answers.append(store.get_result("done"))
            moved.set()

        store._requests._opening = Watched()
        with mock.patch("idem.request_ledger.take_over", held_up):
            threads = [threading.Thread(target=ask), threading.Thread(target=ask)]
            threads[0].start()
            self.assertTrue(taking.wait(support.LIMIT))
            threads[1].start()
            for thread in threads:
                thread.join()
        self.assertEqual([{"order": 1}] * 2, answers)

    def founding_table(self, path):
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(
                "CREATE TABLE idempotency_cache (key TEXT PRIMARY KEY, result TEXT NOT NULL, created_at REAL NOT NULL)"
            )
            now = datetime.datetime.now().timestamp()
            connection.execute("INSERT INTO idempotency_cache VALUES ('k', '{\"plan\": \"pro\"}', ?)", (now,))
        return path

    def test_a_file_that_can_not_be_looked_at_is_refused_at_once(self):
        patience = mock.patch.object(taking_over, "_PATIENCE", 0.01)
        patience.start()
        self.addCleanup(patience.stop)
        path = self.founding_table(self.at("locked.db"))
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("BEGIN EXCLUSIVE")
            with self.assertRaisesRegex(IdemError, "locked") as refused:
                IdempotencyStore(path=path)
            self.assertTrue(refused.exception.may_retry)
        damaged = self.founding_table(self.at("damaged.db"))
        with open(damaged, "r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 200)
        with self.assertRaisesRegex(IdemError, "can't be looked at"):
            IdempotencyStore(path=damaged)
        self.assertEqual({"locked.db", "damaged.db"}, set(os.listdir(self.folder.name)))

    def test_a_file_whose_writer_died_is_looked_at(self):
        path, left = self.founding_table(self.at("left.db")), self.at("copy.db")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("PRAGMA cache_size = 1")
            writer.execute("BEGIN")
            writer.execute("CREATE TABLE entry (x)")
            writer.executemany("INSERT INTO entry VALUES (?)", [("x" * 1000,)] * 100)
            for end in ("", "-journal"):
                shutil.copyfile(path + end, left + end)
        self.assertTrue(taking_over.is_foreign(left))
        self.assertEqual([("idempotency_cache",)], taking_over._read(left, "ro", taking_over._TABLES, list))

    @support.slow
    def test_the_ledger_beside_a_file_stays_the_ledger(self):
        path = self.founding_table(self.at("old.db"))
        store = warm(self.at_path("old.db"))
        self.assertEqual({"plan": "pro"}, store.get_result("k"))
        document_handler(store, "req-001", {"order": 1}, self.agent)
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("ALTER TABLE idempotency_cache RENAME TO kept")
        self.assertEqual("sqlite:%s.idem.db?busy=60s" % path, self.at_path("old.db")._requests.ledger)
        os.remove(path)
        self.assertTrue(self.at_path("old.db").is_processed("req-001"))

    def test_a_ledger_with_another_table_in_it_is_still_the_ledger(self):
        document_handler(warm(self.at_path("requests.db")), "req-001", {"order": 1}, self.agent)
        self.founding_table(self.at("requests.db"))
        self.assertTrue(self.at_path("requests.db").is_processed("req-001"))
        self.assertFalse(os.path.exists(self.at("requests.db.idem.db")))

    @support.slow
    def test_a_founding_table_is_known(self):
        self.founding_table(self.at("agent_idempotency.db"))
        store = warm(self.at_path("agent_idempotency.db", DurableIdempotencyStore))
        self.assertEqual({"plan": "pro", "_from_cache": True}, store.execute_once("k", self.agent))
        self.assertEqual({"plan": "pro"}, store.get("k"))

    def test_a_byte_order_mark_is_skipped_and_a_line_that_is_not_utf_8_is_named(self):
        with open(self.at("keys.jsonl"), "wb") as file:
            file.write(b'\xef\xbb\xbf{"id": "first", "state": "complete", "result": 1, "ts": "2025-05-24T17:20:00+00:00"}\n')
            file.write(b'{"id": "latin", "state": "complete", "result": "caf\xe9"}\n')
        store = self.at_path("keys.jsonl")
        with self.assertLogs("idem", "WARNING") as said:
            self.assertEqual(1, warm(store).get_result("first"))
        self.assertIn("Line 2: it is not UTF-8", said.output[0])

    def test_a_json_array_is_refused_before_anything_runs(self):
        with open(self.at("keys.json"), "w") as file:
            file.write('[{"id": "a", "state": "complete"},\n{"id": "b", "state": "complete"}\n]\n')
        store = self.at_path("keys.json")
        with self.assertRaisesRegex(IdemError, "is a JSON array"):
            store.mark_in_progress("c")

    def test_a_file_that_can_not_be_read_is_refused_before_anything_runs(self):
        path = self.at("notes.jsonl")
        with open(path, "w") as file:
            file.write("dear diary\n")
        store = self.at_path("notes.jsonl")
        shared_ledger.warmed(store._requests._idem.about)
        for _ in range(2):
            with self.assertRaisesRegex(IdemError, "line 1"):
                document_handler(store, "req-001", {"order": 1}, self.agent)
        self.assertEqual([], self.runs)

    def test_a_path_names_a_file(self):
        for wrong in (":memory:", "sqlite:a.db", "memory:"):
            with self.assertRaises(ValueError):
                IdempotencyStore(path=wrong)
        with self.assertRaises(ValueError):
            IdempotencyStore(path=self.at("a?b.db"))

    def test_a_relative_path_is_the_same_file_after_a_change_of_folder(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder.name)
        store = IdempotencyStore(path="keys of mine, 100%.db")
        os.chdir(before)
        self.assertEqual("sqlite:%s?busy=60s" % self.at("keys of mine, 100%.db"), store._requests.ledger)


@dataclasses.dataclass
class Line:
    sku: str


@dataclasses.dataclass
class Receipt:
    cents: int
    at: datetime.datetime
    lines: typing.List[Line]


class OnceTest(Case):
    def test_a_function_runs_once_for_its_key(self):
        @self.store.once(key=lambda order, note: "charge-%d" % order)
        def charge(order, note):
            self.runs.append(order)
            return {"charged": order}

        self.assertEqual({"charged": 7}, charge(7, "thanks"))
        self.assertEqual({"charged": 7}, charge(7, note="thanks"))
        self.assertEqual({"charged": 8}, charge(8, "thanks"))
        self.assertEqual([7, 8], self.runs)

    def test_without_parentheses(self):
        """It failed at the first call, with a message about the decorator's inside."""
        ran = []

        @self.store.once
        def charge(customer, cents):
            ran.append(customer)
            return cents

        self.assertEqual([4200, 4200], [charge("ann", 4200), charge("ann", 4200)])
        self.assertEqual(["ann"], ran)
        members = {"scope": self.scope, "labels": {"customer": "ann"}}
        found = self.store._requests._ask("browse", members).answer
        self.assertEqual(["4200"], [entry["labels"]["cents"] for entry in found["entries"]])
        with self.assertRaisesRegex(ValueError, "give key="):
            self.store.once(lambda order: "charge-7")

    def test_a_key_is_derived_from_the_arguments(self):
        @self.store.once(ignore="client")
        def send(to, subject="Welcome", day=None, client=None):
            self.runs.append(to)
            return len(self.runs)

        self.assertEqual(1, send("ann", client=object()))
        self.assertEqual(1, send(to="ann", subject="Welcome", client=object()))
        self.assertEqual(2, send("bob"))
        self.assertEqual(3, send("bob", day=datetime.date(2026, 1, 1)))
        with self.assertRaisesRegex(TypeError, "ignore="):
            send(object())

    def test_functions_of_two_modules_have_keys_of_their_own(self):
        for module in ("orders", "refunds", "orders"):

            def send(to):
                self.runs.append(module)
                return module

            send.__module__, send.__qualname__ = module, "send"
            self.assertEqual(module, self.store.once()(send)("ann"))
        self.assertEqual(["orders", "refunds"], self.runs)

    def test_a_program_has_the_key_of_its_module(self):
        program = self.at("shop.py")
        with open(program, "w") as file:
            file.write("from idem.request_ledger import module_of\ndef send(): pass\nprint(module_of(send))\n")
        for words in ([program], ["-m", "shop"], ["-c", "import shop"]):
            seen = subprocess.run(
                [sys.executable, *words], cwd=self.folder.name, stdout=subprocess.PIPE, **how_to_run()
            )
            self.assertEqual(b"shop", seen.stdout.strip())

    def test_a_method_without_a_key_is_refused_at_once(self):
        """One account's charge returned the receipt of another."""
        with self.assertRaisesRegex(ValueError, "two objects"):

            class Shop:
                @self.store.once
                def charge(self, cents):
                    return cents

        with self.assertRaisesRegex(ValueError, "two objects"):
            self.store.once(self.store.clear)
        with self.assertRaisesRegex(ValueError, "two objects"):
            self.store.once(self.store.mark_complete, identity=["request_id"])
        with self.assertRaisesRegex(ValueError, r'identity=\["self\.id", "cents"\]'):

            class Account:
                @self.store.once(identity=["cents"])
                def charge(self, cents):
                    return cents

    def test_two_objects_have_two_results(self):
        runs, store = self.runs, self.store

        class Account:
            def __init__(self, name):
                self.name = name

            @store.once(key=lambda self, cents: "%s-%d" % (self.name, cents))
            def charge(self, cents):
                runs.append(self.name)
                return self.name

            @store.once(identity=["self.name", "order"])
            def ship(self, order, note=""):
                runs.append(order)
                return "%s %s" % (note, self.name)

        self.assertEqual(["ann", "bob", "ann"], [Account(name).charge(5) for name in ("ann", "bob", "ann")])
        sent = [Account(name).ship("o-1", note=note) for note, name in enumerate(("ann", "bob", "ann"))]
        self.assertEqual(["0 ann", "1 bob", "0 ann"], sent)
        self.assertEqual(["ann", "bob", "o-1", "o-1"], self.runs)

    def test_of_several_at_once_one_runs(self):
        gate = threading.Barrier(4)
        results = []

        @self.store.once(key=lambda: "one", wait=60)
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

    def test_a_result_without_a_json_form_is_complete_and_not_replayed(self):
        self.quiet()
        for name, value in (("object", object()), ("nan", float("nan")), ("half", "\ud800")):

            def act():
                self.runs.append(name)
                return value

            act = self.store.once(key=lambda name=name: name)(act)
            self.assertIs(value, act())
            with self.assertRaises(ResultUnavailable):
                act()
            self.assertTrue(self.store.is_processed(name))
        self.assertEqual(["object", "nan", "half"], self.runs)

    def test_a_dataclass_and_its_parts_come_back(self):
        @self.store.once
        def charge(cents: int) -> Receipt:
            self.runs.append(cents)
            return Receipt(cents, datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc), [Line("a")])

        self.assertEqual(charge(5), charge(5))
        self.assertIsInstance(charge(5), Receipt)
        self.assertEqual([Line("a")], charge(5).lines)
        self.assertEqual(Receipt(5, charge(5).at, [Line("a")]), self.another().once(charge.__wrapped__)(5))
        self.assertEqual([5], self.runs)

    def test_a_pydantic_model_comes_back(self):
        try:
            import pydantic
        except ImportError:
            self.skipTest("pydantic is not installed")

        class Order(pydantic.BaseModel):
            cents: int
            day: datetime.date

        def place(order: Order) -> Order:
            self.runs.append(order.cents)
            return order

        order = Order(cents=5, day=datetime.date(2026, 1, 1))
        place = self.store.once(returning=Order)(place)
        self.assertEqual([order, order], [place(order), place(order)])
        self.assertEqual([5], self.runs)

    def test_the_first_call_gives_what_later_ones_get(self):
        act = self.store.once(key=lambda: "plain")(lambda: {1: ("a", "b")})
        self.assertEqual({"1": ["a", "b"]}, act())
        self.assertEqual({"1": ["a", "b"]}, act())
        coded = self.store.once(
            key=lambda: "coded", encode=datetime.datetime.isoformat, decode=datetime.datetime.fromisoformat
        )(lambda: datetime.datetime(2026, 1, 1))
        self.assertEqual([datetime.datetime(2026, 1, 1)] * 2, [coded(), coded()])

    def test_a_function_that_gives_its_values_later_is_refused(self):
        with self.assertRaises(TypeError):

            @self.store.once()
            def lines():
                yield 1

    def test_what_names_no_request_is_refused(self):
        async def later():
            return "id"

        for name in (None, "", " ", later(), later, object()):
            with self.assertRaises(ValueError):
                self.store.mark_in_progress(name)
            with self.assertRaises(ValueError):
                self.store.execute_once(name, lambda: self.fail("it ran"))
        self.store.mark_in_progress(7)
        for scope in (None, "", " ", object()):
            with self.assertRaisesRegex(Refused, "scope"):
                IdempotencyStore(path=self.path, scope=scope)

    def test_a_session_without_an_id_is_a_new_one(self):
        """All sessions without an id were one: Bob got Ann's receipt."""
        with self.assertLogs("idem", "WARNING") as logs:
            sessions = [IdempotentAgentSession(None, path=self.path), IdempotentAgentSession(path=self.path)]
        self.assertIn("session_id", logs.output[0])
        names = ["ann", "bob"]
        got = [each.call_tool("charge", {"cents": 1}, lambda inputs: names.pop(0)) for each in sessions * 2]
        self.assertEqual(["ann", "bob"] * 2, got)
        self.assertNotEqual(sessions[0].session_id, sessions[1].session_id)
        for blank in ("", "  ", 7, object()):
            with self.assertRaisesRegex(Refused, "session_id"):
                IdempotentAgentSession(blank, path=self.path)
        self.assertEqual("s-1", IdempotentAgentSession("s-1", path=self.path).session_id)

    def test_what_can_not_be_called_is_refused_before_it_is_claimed(self):
        key = uuid.uuid4().hex
        durable, webhook = DurableIdempotencyStore(self.path), WebhookDeduplicator(path=self.path)
        session = IdempotentAgentSession("s", path=self.path)
        calls = (
            lambda: self.store.execute_once(key, None),
            lambda: durable.execute_once(key, "charge"),
            lambda: webhook.process_if_new(key, 5),
            lambda: session.call_tool("charge", {"a": 1}, None),
            lambda: handle_request(self.store, key, None, None),
        )
        for each in calls:
            with self.assertRaisesRegex(TypeError, "no function"):
                each()
        self.store.mark_in_progress(key)

    def test_an_async_probe_needs_an_async_function(self):
        async def look(name):
            return NotExecuted

        with self.assertRaisesRegex(TypeError, "probe"):
            self.store.once(key=lambda name: name, probe=look)(lambda name: name)

    def test_only_true_and_false_say_what_happened(self):
        ticket = self.store.mark_in_progress("said")
        for said in ("no", 1, []):
            with self.assertRaisesRegex(Refused, "nothing_happened"):
                self.store.mark_failed(ticket, nothing_happened=said)
        self.store.mark_in_doubt(ticket)
        with self.assertRaisesRegex(Refused, "happened"):
            self.store.resolve("said", happened="no")

    def test_a_probe_has_the_last_word_in_doubt(self):
        store = self.another(time_limit=2)
        verdicts = {"found": Happened({"receipt": 7}), "nothing": NotExecuted, "unknown": None}

        @store.once(key=lambda name: name, probe=lambda name: verdicts[name], wait=60)
        def charge(name):
            self.runs.append(name)
            if self.runs.count(name) == 1:
                raise TimeoutError("no answer")
            return "charged"

        for name in verdicts:
            with self.assertRaises(TimeoutError):
                charge(name)
        self.assertEqual({"receipt": 7}, charge("found"))
        self.assertEqual({"receipt": 7}, charge("found"))
        self.assertEqual("charged", charge("nothing"))
        with self.assertRaises(InDoubt):
            charge("unknown")
        self.assertEqual(["found", "nothing", "unknown", "nothing"], self.runs)

    def test_a_doubt_says_what_failed_and_how_to_end_it(self):
        """It said only that the action had ended."""

        @self.store.once(key=lambda: "k")
        def act():
            raise TimeoutError("the bank did not answer")

        with self.assertRaises(TimeoutError):
            act()
        with self.assertRaisesRegex(InDoubt, "TimeoutError.*the bank did not answer.*store.resolve\\('k'"):
            act()

    def test_an_interrupted_function_is_in_doubt(self):
        lines = (
            "import signal\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "@store.once(key=lambda: 'k')\n"
            "def act():\n"
            "    print('acts', flush=True)\n"
            "    signal.pause()\n"
            "act()"
        )
        with subprocess.Popen(
            self.program(lines), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **how_to_run(check=False)
        ) as agent:
            self.assertEqual(b"acts\n", agent.stdout.readline())
            agent.send_signal(signal.SIGINT)
        with self.assertRaises(InDoubt):
            self.store.mark_in_progress("k", {"function": "act"})


class AsyncTest(Case):
    def test_an_async_function_runs_once(self):
        @self.store.once(key=lambda order: "charge-%d" % order, wait=60)
        async def charge(order):
            self.runs.append(order)
            await asyncio.sleep(0)
            return {"charged": order}

        async def both():
            return await asyncio.gather(charge(7), charge(7))

        self.assertEqual([{"charged": 7}] * 2, asyncio.run(both()))
        self.assertEqual([7], self.runs)

    def test_an_async_function_that_raises_or_is_cancelled_is_in_doubt(self):
        @self.store.once(key=lambda name: name)
        async def act(name):
            self.runs.append(name)
            if name == "raises":
                raise TimeoutError("no answer")
            self.acts.set()
            await asyncio.Event().wait()

        async def cancelled():
            self.acts = asyncio.Event()
            task = asyncio.ensure_future(act("cancelled"))
            await self.acts.wait()
            task.cancel()
            await task

        with self.assertRaises(TimeoutError):
            asyncio.run(act("raises"))
        with self.assertRaises(asyncio.CancelledError):
            asyncio.run(cancelled())
        for name in ("raises", "cancelled"):
            with self.assertRaises(InDoubt):
                asyncio.run(act(name))
        self.assertEqual(["raises", "cancelled"], self.runs)

    def test_a_task_that_is_cancelled_before_it_ran_frees_its_key(self):
        first = self.store.mark_in_progress("k", {"function": "act"})

        async def act():
            self.runs.append("ran")
            return "done"

        act.__qualname__ = "act"
        act = self.store.once(key=lambda: "k", wait=60)(act)

        async def cancelled():
            task = asyncio.ensure_future(act())
            await asyncio.sleep(0)
            task.cancel()
            await task

        with self.assertRaises(asyncio.CancelledError):
            asyncio.run(cancelled())
        self.assertEqual([], self.runs)
        first.failed("not now", nothing_happened=True)
        self.assertEqual("done", asyncio.run(act()))


if __name__ == "__main__":
    unittest.main()
