"""Exercises idem.py against the real command; IDEM says how it is called."""

import asyncio
import contextlib
import datetime
import json
import logging
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = dict(os.environ, PYTHONPATH=HERE, PYTHONIOENCODING="utf-8", PYTHONDONTWRITEBYTECODE="1")

import idem  # noqa: E402
from idem import (  # noqa: E402
    AlreadyProcessed,
    Conflict,
    Happened,
    IdemError,
    IdempotencyStore,
    InDoubt,
    InFlight,
    NotExecuted,
    RedisIdempotencyStore,
    ResultUnavailable,
    Stale,
    handle_request,
)

# Stands for an idem whose answers are lost: while a file "lost-WORD" is there, that step is not made and says nothing.
LOSING = """
import os, subprocess, sys
if os.path.exists(os.path.join(%r, "lost-" + sys.argv[1])):
    sys.exit(137)
sys.exit(subprocess.run([*%r, *sys.argv[1:]]).returncode)
"""

# Stands for an idem that writes down its words and its variables, and then gives an answer, or the real one.
TELLING = """
import json, os, subprocess, sys
told = {name: value for name, value in os.environ.items() if name.startswith("IDEM_") and "TEST" not in name}
with open(%r, "a", encoding="utf-8") as file:
    file.write(json.dumps([sys.argv[1:], told]) + "\\n")
answer = %r
if answer is not None:
    print(answer)
    sys.exit(0)
sys.exit(subprocess.run([*%r, *sys.argv[1:]]).returncode)
"""


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


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = self.at("requests.db")
        self.store = IdempotencyStore(path=self.path)
        self.runs = []

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def agent(self, payload):
        self.runs.append(payload)
        return {"order": payload["order"], "state": "placed"}

    def losing_store(self, **more):
        """A store whose answers can be lost, and the file that makes those of settle so."""
        program = self.at("losing.py")
        with open(program, "w") as file:
            file.write(LOSING % (self.folder.name, shlex.split(os.environ.get("IDEM", "idem"))))
        command = shlex.join([sys.executable, program])
        return IdempotencyStore(path=self.path, command=command, **more), self.at("lost-settle")

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
        self.assertEqual("no answer [31m ?x", idem._line("no\0answer\x1b[31m \ud800x"))
        self.assertEqual(2000, len(idem._line("x" * 3000)))

    def telling_store(self, answer=None, **more):
        """A store whose idem writes down how it was called, and gives this answer or the real one."""
        program, told = self.at("telling.py"), self.at("told")
        with open(program, "w") as file:
            file.write(TELLING % (told, answer, shlex.split(os.environ.get("IDEM", "idem"))))
        return IdempotencyStore(command=shlex.join([sys.executable, program]), **more), told

    def test_the_ledger_is_named_in_the_environment_only(self):
        for name in ("IDEM_DRY_RUN", "IDEM_JSON_SHAPE", "IDEM_STATUS_FILE", "IDEM_QUIET", "IDEM_LEDGER"):
            self.addCleanup(os.environ.pop, name, None)
        os.environ.update(IDEM_DRY_RUN="true", IDEM_JSON_SHAPE="flat", IDEM_QUIET="true")
        os.environ.update(IDEM_STATUS_FILE=self.at("status"), IDEM_LEDGER="sqlite:" + self.at("another.db"))
        store, told = self.telling_store(path=self.at("zwölf.db"))
        store.mark_in_progress("req-001")
        store.mark_complete("req-001", result=7)

        self.assertEqual(7, IdempotencyStore(path=self.at("zwölf.db")).get_result("req-001"))
        self.assertFalse(os.path.exists(self.at("another.db")))
        self.assertFalse(os.path.exists(self.at("status")))
        with open(told, encoding="utf-8") as file:
            calls = [json.loads(line) for line in file]
        for words, variables in calls:
            self.assertFalse([word for word in words if "ledger" in word or "sqlite" in word])
            self.assertEqual({"IDEM_LEDGER": "sqlite:%s?busy=60s" % self.at("zwölf.db")}, variables)

    def test_an_answer_that_says_neither_granted_nor_complete_is_an_error(self):
        for data in ({}, {"granted": False, "state": "absent"}, {"state": "failed", "result_unavailable": "gone"}):
            store, _ = self.telling_store(json.dumps({"ok": True, "data": data}), path=self.path)
            with self.assertRaisesRegex(IdemError, "neither granted") as refused:
                store.mark_in_progress("req-001")
            self.assertNotIsInstance(refused.exception, AlreadyProcessed)
            with self.assertRaises(IdemError):
                store.execute_once("req-001", self.agent, {"order": 7})
        self.assertEqual([], self.runs)

    def test_another_process_finds_it_in_flight_and_then_complete(self):
        self.store.mark_in_progress("req-001")
        with self.assertRaises(InFlight):
            IdempotencyStore(path=self.path).mark_in_progress("req-001")
        self.store.mark_complete("req-001", result=[1, None, "zwölf"])

        program = "import idem; print(idem.IdempotencyStore(path=%r).get_result('req-001'))" % self.path
        seen = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, stdout=subprocess.PIPE, check=True)
        self.assertEqual("[1, None, 'zwölf']", seen.stdout.decode("utf-8").strip())

    def test_a_completion_that_can_not_be_recorded_is_not_freed_by_the_failure_that_follows(self):
        store, lost = self.losing_store(lease=1.0)

        def agent(payload):
            open(lost, "w").close()
            return self.agent(payload)

        with self.assertRaises(IdemError):
            document_handler(store, "req-001", {"order": 7}, agent)
        os.remove(lost)
        self.taken_until_in_doubt("req-001")
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

    def test_nothing_is_renewed_once_it_is_settled_or_could_not_be(self):
        store, lost = self.losing_store()
        settled = store.mark_in_progress("settled")
        settled.complete()
        unsettled = store.mark_in_progress("unsettled")
        open(lost, "w").close()
        with self.assertRaises(IdemError):
            store.mark_complete("unsettled")
        for ticket in (settled, unsettled):
            ticket._heartbeat.join(60)
            self.assertFalse(ticket._heartbeat.is_alive())

    def test_a_long_run_is_renewed_until_its_time_limit(self):
        renewed = threading.Semaphore(0)
        store = IdempotencyStore(path=self.path, lease=0.6, time_limit=600)
        ticket = store.mark_in_progress("long")
        renew = ticket._heartbeat._renew
        ticket._heartbeat._renew = lambda: (renew(), renewed.release())
        self.assertTrue(renewed.acquire(timeout=60))
        ticket._heartbeat._until = 0
        ticket._heartbeat.join(60)
        self.assertFalse(ticket._heartbeat.is_alive())
        ticket.complete()

    def test_a_mark_by_id_never_settles_the_run_of_another(self):
        first = self.store.mark_in_progress("req-001")
        self.store._ask("req-001", ["settle", "--fence", str(first.fence), "--as", "failed"])
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
        words = [*self.store._command, "resolve", "--help"]
        if b"--result" not in subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout:
            self.skipTest("this idem resolve takes no --result")
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
        store = IdempotencyStore(path=self.path, ttl_days=1 / 86400 / 1000)
        store.mark_in_progress("req-001")
        store.mark_complete("req-001")
        while store.is_processed("req-001"):
            pass
        store.mark_in_progress("req-001")

    def test_a_crash_is_in_doubt_as_soon_as_the_process_is_gone(self):
        program = (
            "import idem, sys; idem.IdempotencyStore(path=%r, lease=3600).mark_in_progress('req-001');"
            "print('taken', flush=True); sys.stdin.read()" % self.path
        )
        agent = subprocess.Popen(
            [sys.executable, "-c", program], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with agent:
            self.assertEqual(b"taken\n", agent.stdout.readline())
            with self.assertRaises(InFlight):
                self.store.mark_in_progress("req-001")
            agent.kill()
        with self.assertRaises(InDoubt):
            self.store.mark_in_progress("req-001")

    def test_what_idem_says_to_people_is_not_written_to_stderr(self):
        program = (
            "import idem\nstore = idem.IdempotencyStore(path=%r)\nstore.mark_in_progress('a')\n"
            "try: store.mark_in_progress('a')\nexcept idem.InFlight: store.mark_complete('a')" % self.path
        )
        seen = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, stderr=subprocess.PIPE, check=True)
        self.assertEqual(b"", seen.stderr)

    def test_an_idem_that_can_not_be_started_is_told_and_frees_nothing(self):
        gone = self.at("no idem here")
        with self.assertRaisesRegex(IdemError, "set IDEM="):
            IdempotencyStore(path=self.path, command=shlex.quote(gone)).mark_in_progress("req-001")
        store = IdempotencyStore(path=self.path, lease=1.0)

        def agent(payload):
            store._command = [gone]
            return self.agent(payload)

        with self.assertRaises(IdemError):
            document_handler(store, "req-002", {"order": 7}, agent)
        self.taken_until_in_doubt("req-002")

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
        path = self.at("idempotency-keys.jsonl")
        gate = threading.Barrier(3)
        ends = []

        def call(request_id):
            store = IdempotencyStore(path=path)
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
        for name in ("keys.jsonl", "keys.log"):
            path = self.founding_file(name)
            with open(path) as file:
                before = file.read()
            store = IdempotencyStore(path=path)
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
            self.assertEqual(2, IdempotencyStore(path=path).get_result("later"))
        self.assertEqual(0, len(self.runs))

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
        store = IdempotencyStore(path=path)
        with self.assertLogs("idem", "WARNING") as said:
            self.assertEqual(7, store.get_result("last"))
        self.assertIn("Line 11", "".join(said.output))
        for request_id, _ in done:
            self.assertTrue(store.is_processed(request_id), request_id)
        self.assertEqual(1, store.get_result("two words"))

    def test_no_thread_is_answered_before_the_file_is_taken_over(self):
        store = IdempotencyStore(path=self.founding_file("keys.jsonl"))
        taking, moved = threading.Event(), threading.Event()
        take_over, lock, answers = store._take_over, threading.Lock(), []

        class Watched:
            """The store's lock, which tells when a second thread has come to it."""

            def __enter__(self):
                if taking.is_set():
                    moved.set()
                lock.acquire()

            def __exit__(self, *_):
                lock.release()

        def held_up(file):
            taking.set()
            moved.wait()
            take_over(file)

        def ask():
            answers.append(store.get_result("done"))
            moved.set()

        store._opening, store._take_over = Watched(), held_up
        threads = [threading.Thread(target=ask), threading.Thread(target=ask)]
        threads[0].start()
        taking.wait()
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
        patience, idem._PATIENCE = idem._PATIENCE, 0.01
        self.addCleanup(setattr, idem, "_PATIENCE", patience)
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
        self.assertTrue(idem._is_foreign(left))
        self.assertEqual({"idempotency_cache"}, idem._tables(left, "ro"))

    def test_the_ledger_beside_a_file_stays_the_ledger(self):
        path = self.founding_table(self.at("old.db"))
        store = IdempotencyStore(path=path)
        self.assertEqual({"plan": "pro"}, store.get_result("k"))
        document_handler(store, "req-001", {"order": 1}, self.agent)
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("ALTER TABLE idempotency_cache RENAME TO kept")
        self.assertEqual(path + ".idem.db", IdempotencyStore(path=path)._ledger[len("sqlite:") : -len("?busy=60s")])
        os.remove(path)
        self.assertTrue(IdempotencyStore(path=path).is_processed("req-001"))

    def test_a_ledger_with_another_table_in_it_is_still_the_ledger(self):
        document_handler(self.store, "req-001", {"order": 1}, self.agent)
        self.founding_table(self.path)
        self.assertTrue(IdempotencyStore(path=self.path).is_processed("req-001"))
        self.assertFalse(os.path.exists(self.path + ".idem.db"))

    def test_a_founding_table_is_known(self):
        path = self.founding_table(self.at("agent_idempotency.db"))
        store = idem.DurableIdempotencyStore(db_path=path)
        self.assertEqual({"plan": "pro", "_from_cache": True}, store.execute_once("k", self.agent))
        self.assertEqual({"plan": "pro"}, store.get("k"))

    def test_a_file_that_can_not_be_read_is_refused_before_anything_runs(self):
        path = self.at("notes.jsonl")
        with open(path, "w") as file:
            file.write("dear diary\n")
        store = IdempotencyStore(path=path)
        for _ in range(2):
            with self.assertRaisesRegex(IdemError, "line 1"):
                document_handler(store, "req-001", {"order": 1}, self.agent)
        self.assertEqual([], self.runs)

    def test_what_serves_one_process_only_is_refused_at_once(self):
        for wrong in ({"path": ":memory:"}, {"path": "sqlite:a.db"}, {"ledger": "jsonl:a"}, {"ledger": "memory:"}):
            with self.assertRaises(ValueError):
                IdempotencyStore(**wrong)
        with self.assertRaises(ValueError):
            IdempotencyStore(path=self.at("a?b.db"))

    def test_a_relative_path_is_the_same_file_after_a_change_of_folder(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder.name)
        store = IdempotencyStore(path="keys of mine, 100%.db")
        os.chdir(before)
        store.mark_in_progress("a")
        self.assertTrue(os.path.exists(self.at("keys of mine, 100%.db")))


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
        words = shlex.split(os.environ.get("IDEM", "idem")) + ["ls", "--json", "--label", "customer=ann"]
        words += ["--ledger", "sqlite:" + self.path]
        found = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
        self.assertEqual(["4200"], [entry["labels"]["cents"] for entry in found["data"]["entries"]])
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
            file.write("import idem\ndef send(): pass\nprint(idem._module(send))\n")
        for words in ([program], ["-m", "shop"], ["-c", "import shop"]):
            seen = subprocess.run(
                [sys.executable, *words], cwd=self.folder.name, env=ENVIRONMENT, stdout=subprocess.PIPE, check=True
            )
            self.assertEqual(b"shop", seen.stdout.strip())

    def test_the_object_of_a_method_is_no_part_of_the_key(self):
        runs, store = self.runs, self.store

        class Shop:
            @store.once()
            def charge(self, cents):
                runs.append(cents)
                return cents

        self.assertEqual([5, 5], [Shop().charge(5), Shop().charge(5)])
        self.assertEqual([5], self.runs)

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
        moment = datetime.datetime(2026, 1, 1)
        for name, value in (("moment", moment), ("nan", float("nan")), ("half", "\ud800")):

            def act():
                self.runs.append(name)
                return value

            act = self.store.once(key=lambda name=name: name)(act)
            act()
            with self.assertRaises(ResultUnavailable):
                act()
            self.assertTrue(self.store.is_processed(name))
        self.assertEqual(["moment", "nan", "half"], self.runs)

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

    def test_a_probe_has_the_last_word_in_doubt(self):
        store = IdempotencyStore(path=self.path, time_limit=0.001)
        verdicts = {"found": Happened({"receipt": 7}), "nothing": NotExecuted, "unknown": None}

        @store.once(key=lambda name: name, probe=lambda name: verdicts[name])
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

    def test_an_interrupted_function_is_in_doubt(self):
        program = (
            "import idem, signal, sys\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "store = idem.IdempotencyStore(path=%r)\n"
            "@store.once(key=lambda: 'k')\n"
            "def act():\n"
            "    print('acts', flush=True)\n"
            "    signal.pause()\n"
            "act()" % self.path
        )
        with subprocess.Popen(
            [sys.executable, "-c", program], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
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
        claiming = threading.Event()
        go_on = threading.Event()
        claim = self.store._claim

        def held_up(*args, **kwargs):
            claiming.set()
            go_on.wait()
            return claim(*args, **kwargs)

        self.store._claim = held_up

        @self.store.once(key=lambda: "k")
        async def act():
            self.runs.append("ran")
            return "done"

        async def cancelled():
            task = asyncio.ensure_future(act())
            await asyncio.get_running_loop().run_in_executor(None, claiming.wait)
            task.cancel()
            go_on.set()
            await task

        with self.assertRaises(asyncio.CancelledError):
            asyncio.run(cancelled())
        self.assertEqual([], self.runs)
        self.assertEqual("done", asyncio.run(act()))


if __name__ == "__main__":
    unittest.main()
