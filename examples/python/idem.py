"""Makes what a Python agent does happen once, over the ``idem`` command. One file, no dependencies, Python 3.8 or newer.

    store = IdempotencyStore(path="./requests.db")

    @store.once(key=lambda order: "charge-" + order["id"])
    def charge(order):
        return payments.charge(order["cents"])

The first call runs, later ones get its result, in this process or any other on the host. A function that raises leaves
its key in doubt, since an exception does not prove that nothing happened; it is not run again until somebody has found
out. Raise ``NotExecuted`` where nothing was done: then the same key may run again.
"""

import asyncio
import collections
import contextlib
import dataclasses
import datetime
import decimal
import enum
import functools
import hashlib
import inspect
import json
import logging
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import uuid

__all__ = [
    "AlreadyProcessed",
    "Conflict",
    "DurableIdempotencyStore",
    "Happened",
    "IdemError",
    "IdempKey",
    "IdempotencyStore",
    "IdempotentAgentSession",
    "InDoubt",
    "InFlight",
    "NotExecuted",
    "RedisIdempotencyStore",
    "ResultUnavailable",
    "Stale",
    "Ticket",
    "WebhookDeduplicator",
    "cache_tool",
    "handle_request",
]

_log = logging.getLogger("idem")

# They would change what idem does or how it answers.
_NOT_FOR_IDEM = ("IDEM_DRY_RUN", "IDEM_JSON_SHAPE", "IDEM_LEDGER", "IDEM_QUIET", "IDEM_STATUS_FILE")

# For how many seconds a file that somebody has locked is waited for.
_PATIENCE = 60.0


class IdemError(Exception):
    """The call was refused; ``code`` says why, and ``may_retry`` whether the same call may be made again."""

    def __init__(self, request_id, error):
        words = [error.get("message", "idem gave no reason"), error.get("fix_required", "")]
        super().__init__(". ".join(filter(None, words)))
        self.request_id = request_id
        self.code = error.get("code", "unknown").lower()
        self.may_retry = bool(error.get("retryable"))
        self.retry_after = error.get("retry_after_ms", 1000) / 1000
        self.result = None


class AlreadyProcessed(IdemError):
    """The request is complete; ``result`` is what it gave."""

    def __init__(self, request_id, result=None, message=None):
        super().__init__(request_id, {"code": "complete", "message": message or "%s is complete" % request_id})
        self.result = result


class ResultUnavailable(AlreadyProcessed):
    """The request is complete, so it must not run again, but its result could not be kept."""


class InFlight(IdemError):
    """Another caller runs it right now."""


class InDoubt(IdemError):
    """It may have taken effect. It is not run again until somebody has found out; see ``IdempotencyStore.resolve``."""

    def __init__(self, request_id, error):
        how = "Find out whether it happened, then: store.resolve(%r, happened=True, result=...) or happened=False"
        super().__init__(request_id, dict(error, fix_required=how % request_id))


class Conflict(IdemError):
    """The key was used for something else, or its result has expired."""


class Stale(IdemError):
    """Another caller has taken it over; what this one did was not recorded. ``result`` is what was to be recorded."""


class NotExecuted(Exception):
    """Raised by a function to say that nothing happened: the same key may run again."""


class Happened:
    """Returned by a probe: it did happen, and this is the result."""

    def __init__(self, result=None):
        self.result = result


_KINDS = {"in_flight": InFlight, "in_doubt": InDoubt, "conflict": Conflict, "expired": Conflict, "stale": Stale}


class Ticket:
    """Proof that this process holds a request. It is renewed until it is settled or its time limit is over."""

    def __init__(self, store, request_id, fence):
        self.request_id = request_id
        self.fence = fence
        self._store = store
        self._done = None  # The result and how to record it, once somebody has said that the work is done.
        self._heartbeat = _Heartbeat(store._lease / 3, store._time_limit, self._renew)

    def complete(self, result=None):
        """It is done; duplicates get this result. One that has no JSON form is not kept; the key is complete anyway."""
        if self._done is None:
            # From here on nothing frees the key: a completion that could not be recorded is no failure of the work.
            self._done = (result, *_recorded(result))
        try:
            self._settle("complete", *self._done[1:])
        except IdemError as refused:
            refused.result = self._done[0]
            if refused.may_retry or isinstance(refused, (Stale, InDoubt)) or self._done[2] is None:
                raise
            # Such as a result that is too large.
            _log.warning("%s is recorded without its result: %s", self.request_id, refused)
            self._done = (self._done[0], ["--no-result", _line(refused, 300)], None)
            self._settle("complete", *self._done[1:])

    def failed(self, error="", nothing_happened=None):
        """It failed; see IdempotencyStore.mark_failed."""
        if self._done is not None:
            self.complete()
            raise AlreadyProcessed(self.request_id, self._done[0])
        if nothing_happened is None:
            # No exception at all proves nothing either: this may be another thread, or come after the except block.
            raised = error if isinstance(error, BaseException) else sys.exc_info()[1]
            nothing_happened = isinstance(raised, NotExecuted)
        self._settle("failed" if nothing_happened else "in_doubt", ["--error", _line(error)])

    def in_doubt(self, error=""):
        """It may have happened: it is not run again until somebody has found out."""
        self._settle("in_doubt", ["--error", _line(error)])

    def _broke_off(self, raised):
        """Settles what a function that raised has left behind. The function's own exception is the one to raise."""
        nothing = isinstance(raised, NotExecuted)
        try:
            self.failed(str(raised) if nothing else repr(raised), nothing_happened=nothing)
        except IdemError as refused:
            _log.warning("%s: how it ended could not be recorded: %s", self.request_id, refused)
        if not nothing and hasattr(raised, "add_note"):
            raised.add_note("idem: %s is in doubt now; it is not run again until store.resolve" % self.request_id)

    def _settle(self, state, words, text=None):
        # Not renewed from here on: if nothing can be recorded, the lease ends and the request is in doubt.
        self._heartbeat.stop()
        how = ["settle", "--fence", str(self.fence), "--as", state, *self._store._ttl, *words]
        try:
            answer = _again(lambda: self._store._ask(self.request_id, how, text))
        except Stale:
            self._store._release(self)
            raise
        self._store._release(self)
        recorded = answer["state"]
        if recorded == state or (state == "not_executed" and recorded == "failed"):
            return
        message = "%s is %s; this %s was not recorded" % (self.request_id, recorded, state)
        if recorded == "complete":
            raise AlreadyProcessed(self.request_id, message=message)
        raise (InDoubt if recorded == "in_doubt" else Stale)(self.request_id, {"code": recorded, "message": message})

    def _renew(self):
        self._store._ask(self.request_id, ["renew", "--fence", str(self.fence), "--lease", self._store._lease_time])


class IdempotencyStore:
    """Marks requests by their ids. Taking one is a single atomic step, and it is renewed until it is settled."""

    def __init__(
        self,
        path=None,
        ledger=None,
        scope="default",
        operation="request",
        ttl_days=None,
        lease=60.0,
        time_limit=300.0,
        command=None,
    ):
        """Opens no ledger yet. IdemError where a file is at the path and can't be looked at, such as a locked one.

        path: a file. A file of requests that another store has written (JSON lines, or a SQLite table
            idempotency_cache) is taken over on first use and left as it is; the ledger stands beside it, with .idem.db
            after its name, and always does for a name in .jsonl.
        ledger: a URL instead of a path, such as postgresql://host/database. With neither, it is the user's own ledger.
        ttl_days: for how long results answer duplicates. Without it 7 days, and requests that were taken over stay for
            good.
        lease: after how many seconds without a sign of life a request is in doubt where a dead process can't be seen.
        time_limit: for how many seconds a request is renewed; None for as long as the process lives. A probe is asked
            when it is over.
        command: how idem is called; without it the variable IDEM, or idem on the path.
        """
        self._file = None
        if path is not None:
            if re.match("(memory|jsonl|sqlite|redis|rediss|postgres|postgresql):|:memory:", os.fspath(path)):
                raise ValueError("path names a file; for a URL write ledger=%r" % os.fspath(path))
            ledger = self._ledger_of(os.path.abspath(os.path.expanduser(os.fspath(path))))
        self._ledger = ledger or os.environ.get("IDEM_LEDGER")
        if re.match("(memory|jsonl):", self._ledger or ""):
            raise ValueError(
                "%s serves one process at a time, and each call of idem is a process: use sqlite:FILE"
                % self._ledger.split(":")[0]
            )
        self._place = ["--scope", scope, "--operation", operation]
        self._ttl = [] if ttl_days is None else ["--ttl", _milliseconds(ttl_days * 86400)]
        self._lease = lease
        self._lease_time = _milliseconds(lease)
        self._time_limit = time_limit
        self._command = shlex.split(command or os.environ.get("IDEM", "idem"))
        self._held = []
        self._lock = threading.Lock()
        self._opening = threading.Lock()

    def _ledger_of(self, path):
        if "?" in path:
            raise ValueError("a path of a ledger has no question mark; this one does: %s" % path)
        if path.endswith((".jsonl", ".json")) or os.path.exists(path + ".idem.db") or _is_foreign(path):
            # A text file that another program may still append to is no place for a database. Once there is a ledger
            # beside the file, that is the one, whatever the file looks like by now.
            self._file = path
            path += ".idem.db"
        return "sqlite:%s?busy=60s" % path

    def is_processed(self, request_id, payload=None):
        """Whether the request is complete; Conflict when it is for another payload."""
        return self._looked_up(request_id, payload) is not None

    def get_result(self, request_id, payload=None):
        """What a complete request gave; None where it is not complete, or gave nothing."""
        found = self._looked_up(request_id, payload)
        return None if found is None else found.get("result")

    def mark_in_progress(self, request_id, payload=None):
        """Takes the request, or raises AlreadyProcessed, InFlight, InDoubt or Conflict.

        payload: what the request asks for; the same id with another payload is a conflict.
        It returns a ticket, which the other marks take in place of the id.
        """
        return self._claim(request_id, payload)

    def mark_complete(self, request_id, result=None):
        """It is done; duplicates get this result. One that has no JSON form is not kept; the key is complete anyway."""
        self._ticket(request_id).complete(result)

    def mark_failed(self, request_id, error="", nothing_happened=None):
        """It failed.

        Where nothing happened the same id may be taken again: in an except block for NotExecuted, where the error is a
        NotExecuted itself, or where the caller knows and says nothing_happened=True. Everywhere else the request is in
        doubt: a failure does not prove that nothing happened. After a mark_complete that raised, the completion is
        recorded instead, and this call raises AlreadyProcessed.
        """
        self._ticket(request_id).failed(error, nothing_happened)

    def mark_not_executed(self, request_id, why=""):
        """Nothing happened and nothing will, as the caller knows: the same id may be taken again."""
        self._ticket(request_id).failed(why, nothing_happened=True)

    def mark_in_doubt(self, request_id, error=""):
        """It may have happened: it is not taken again until somebody has found out."""
        self._ticket(request_id).in_doubt(error)

    def resolve(self, request_id, happened, result=None, by=None, why=None):
        """Ends doubt: a person has found out whether it happened. If so, duplicates get this result; else it may run."""
        words = ["resolve", "--as", "complete" if happened else "failed", *self._ttl]
        words += [word for option, value in (("--by", by), ("--why", why)) if value for word in (option, value)]
        if happened:
            words += ["--result", "-"]
        self._ask(request_id, words, _text(result) if happened else None)

    def clear(self, request_id):
        """Removes what is known of a request that is not in progress: its id may be used again."""
        self._ask(request_id, ["forget", "--yes"])

    def once(self, function=None, *, key=None, wait=10.0, probe=None, ignore=(), encode=None, decode=None):
        """A decorator for functions, methods and async functions: it runs once for each key, later calls get its result.
        Write @store.once, or @store.once(key=...) with options.

        key: a function of the same arguments, or None to derive the key from the function's module and name and its
            arguments.
        wait: how many seconds to wait for a running duplicate.
        probe: a function of the same arguments that asks the outside world after doubt. It returns Happened(result), or
            NotExecuted, or anything else where it can't tell. It is asked when the doubted call's time limit is over.
        ignore: names of arguments that are no part of the work, such as a client. self and cls never are. The same key
            with other arguments is a Conflict.
        encode, decode: turn a result into JSON values and back.
        """

        def decorate(function):
            ignored = {"self", "cls", *([ignore] if isinstance(ignore, str) else ignore)}
            signature = inspect.signature(function)
            called = getattr(function, "__qualname__", "<unnamed>")
            module = _module(function)
            if key is None and called.endswith(">"):
                raise ValueError("%r has no name to make a key of: give key=" % function)

            def name(*args, **kwargs):
                bound = signature.bind(*args, **kwargs)
                bound.apply_defaults()
                given = {name: value for name, value in bound.arguments.items() if name not in ignored}
                # Flat where that is unambiguous, so that a person finds the entry by its arguments.
                work = {"function": called, **({"arguments": given} if "function" in given else given)}
                return (key(*args, **kwargs) if key else self._derived({"module": module, **work})), work

            return self._guarded(function, name, wait, probe, encode, decode)

        return decorate if function is None else decorate(function)

    def execute_once(self, key, fn, *args, **kwargs):
        """Runs fn(*args, **kwargs) once for this key; later calls get its result. With an async fn, await the answer."""
        return self._guarded(fn, lambda *_, **__: (key, None))(*args, **kwargs)

    def _execute(self, key, fn, args, kwargs):
        """The result, and whether fn ran for it just now."""
        if inspect.iscoroutinefunction(fn):
            raise TypeError("%r is async: use IdempotencyStore.execute_once" % fn)
        ran = []

        def run():
            ran.append(True)
            return fn(*args, **kwargs)

        return IdempotencyStore.execute_once(self, key, run), bool(ran)

    def _guarded(self, function, name, wait=10.0, probe=None, encode=None, decode=None):
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError("%r gives its values later, when its call has long returned: return a list" % function)

        def take(args, kwargs, given_up, ask):
            request_id, work = name(*args, **kwargs)
            return self._take(request_id, work, wait, given_up, ask and functools.partial(ask, *args, **kwargs))

        def value_of(done):
            if isinstance(done, ResultUnavailable):
                raise done
            return decode(done.result) if decode else done.result

        def finish(ticket, result):
            """Records the result, and gives it as duplicates will get it."""
            try:
                value = _plain(encode(result) if encode else result)
            except Exception as unfit:
                _log.warning("the result of %s can't be replayed: %s", ticket.request_id, unfit)
                ticket._done = (result, ["--no-result", _why(result, unfit)], None)
                ticket.complete()
                return result
            ticket.complete(value)
            return decode(value) if decode else value

        @functools.wraps(function)
        def guarded(*args, **kwargs):
            try:
                ticket = take(args, kwargs, threading.Event(), probe)
            except AlreadyProcessed as done:
                return value_of(done)
            try:
                result = function(*args, **kwargs)
                if inspect.isawaitable(result):
                    raise TypeError("%r returned something to await: declare it with async def" % function)
            except BaseException as raised:
                ticket._broke_off(raised)
                raise
            return finish(ticket, result)

        @functools.wraps(function)
        async def guarded_async(*args, **kwargs):
            loop = asyncio.get_running_loop()
            given_up = threading.Event()

            def ask(*args, **kwargs):
                verdict = probe(*args, **kwargs)
                if inspect.isawaitable(verdict):
                    return asyncio.run_coroutine_threadsafe(verdict, loop).result()
                return verdict

            taking = loop.run_in_executor(None, take, args, kwargs, given_up, probe and ask)
            try:
                ticket = await asyncio.shield(taking)
            except asyncio.CancelledError as cancelled:
                given_up.set()
                await _to_its_end(taking)
                if not taking.exception():
                    await _to_its_end(loop.run_in_executor(None, taking.result().failed, repr(cancelled), True))
                raise
            except AlreadyProcessed as done:
                return value_of(done)
            try:
                result = await function(*args, **kwargs)
            except BaseException as raised:
                await _to_its_end(loop.run_in_executor(None, ticket._broke_off, raised))
                raise
            finishing = loop.run_in_executor(None, finish, ticket, result)
            cancelled = await _to_its_end(finishing)
            if cancelled:
                raise cancelled
            return finishing.result()

        return guarded_async if inspect.iscoroutinefunction(function) else guarded

    def _take(self, request_id, payload, wait, given_up, probe=None):
        until = time.monotonic() + wait
        while True:
            try:
                return self._claim(request_id, payload)
            except InFlight as running:
                left = until - time.monotonic()
                if left <= 0 or given_up.wait(min(left, running.retry_after, 0.5)):
                    raise
            except InDoubt:
                if probe is None:
                    raise
                self._ask_probe(request_id, payload, probe)

    def _ask_probe(self, request_id, payload, probe):
        """Returns when the doubted attempt did nothing; raises AlreadyProcessed when it is done, else InDoubt."""
        try:
            ticket = self._claim(request_id, payload, "probe")
        except InDoubt as early:
            when = "%s. Its probe is asked when the time limit of the doubted call (here %s s) is over"
            early.args = (when % (early, self._time_limit),)
            raise
        try:
            verdict = probe()
        except NotExecuted as nothing:
            verdict = nothing
        except BaseException as unknown:
            ticket.in_doubt("the probe raised %r" % unknown)
            raise
        if isinstance(verdict, Happened):
            ticket.complete(verdict.result)
            raise AlreadyProcessed(request_id, verdict.result)
        elif isinstance(verdict, NotExecuted) or verdict is NotExecuted:
            ticket._settle("not_executed", ["--error", "a probe found that nothing had happened"])
        else:
            ticket.in_doubt("the probe can't tell")
            raise InDoubt(request_id, {"code": "in_doubt", "message": "%s: the probe can't tell" % request_id})

    def _claim(self, request_id, payload=None, take_over="none"):
        words = ["claim", "--attempt-id", uuid.uuid4().hex, "--owner-pid", str(os.getpid()), "--take-over", take_over]
        words += ["--lease", self._lease_time, "--timeout", _milliseconds(self._time_limit or 0)]
        if _key(request_id) != str(request_id):
            words += ["--label", "id=" + re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "?", str(request_id))[:120]]
        if payload is not None:
            words += ["--identity", "-"]
        text = None if payload is None else _text(payload, _described)
        try:
            # Sent again with the same attempt id it gets the same answer.
            answer = _again(lambda: self._ask(request_id, words, text), InFlight)
        except (KeyboardInterrupt, SystemExit):
            # It may have been granted, and nobody will run it.
            with contextlib.suppress(IdemError):
                self._held_by(request_id, self._ask(request_id, words, text)).failed("interrupted", True)
            raise
        return self._held_by(request_id, answer)

    def _held_by(self, request_id, answer):
        if not answer.get("granted"):
            if answer.get("state") != "complete":
                why = "idem neither granted %s nor found it complete: %s" % (request_id, _line(json.dumps(answer), 300))
                raise IdemError(request_id, {"code": "unexpected", "message": why})
            if "result_unavailable" in answer:
                why = "%s is complete, and its result is not known: %s" % (request_id, answer["result_unavailable"])
                raise ResultUnavailable(request_id, message=why)
            raise AlreadyProcessed(request_id, answer.get("result"))
        ticket = Ticket(self, request_id, answer["fence"])
        with self._lock:
            self._held.append(ticket)
        ticket._heartbeat.start()
        return ticket

    def _release(self, ticket):
        with self._lock:
            self._held = [other for other in self._held if other is not ticket]

    def _ticket(self, request_id):
        if isinstance(request_id, Ticket):
            return request_id
        with self._lock:
            held = [ticket for ticket in self._held if ticket.request_id == request_id]
        if not held:
            raise ValueError("%s is not held by this store: call mark_in_progress first, settle once" % request_id)
        if len(held) > 1:
            raise ValueError(
                "%s was taken %d times by this store: hand over the ticket that mark_in_progress returned"
                % (request_id, len(held))
            )
        return held[0]

    def _derived(self, work):
        return self._call(["key", "--identity", "-", *self._place, "--json"], _text(work, _described))["key"]

    def _looked_up(self, request_id, payload):
        """The answer for a complete request, or None. Nothing is written."""
        words = ["claim", "--dry-run"] + ([] if payload is None else ["--identity", "-"])
        try:
            answer = self._ask(request_id, words, None if payload is None else _text(payload, _described))
        except (InFlight, InDoubt):
            return None
        return answer if answer.get("state") == "complete" else None

    def _ask(self, request_id, words, text=None):
        self._open()
        return self._call([*words, *self._place, "--json", "--", _key(request_id)], text, request_id)

    def _environment(self):
        """What idem is told. The ledger is named here and not in its words, which every user of the host may list."""
        told = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_IDEM}
        return dict(told, IDEM_LEDGER=self._ledger) if self._ledger else told

    def _open(self):
        """Takes over the requests of another store's file before anything is asked: once for each state of the file."""
        if self._file is None:
            return
        with self._opening:
            # Other threads wait here: before the end of it they would find requests that were never seen.
            if self._file is not None and os.path.exists(self._file):
                self._take_over(self._file)
            self._file = None

    def _take_over(self, file):
        seen = os.stat(file)
        state = "%s %d %d" % (os.path.realpath(file), seen.st_size, seen.st_mtime_ns)
        importer = IdempotencyStore(
            ledger=self._ledger,
            scope=self._place[1],
            operation="import",
            time_limit=None,
            command=shlex.join(self._command),
        )
        key = "file-" + hashlib.sha256(state.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        until = time.monotonic() + 600
        while True:
            try:
                # Its death does no harm: what is there already is left alone when the file is read again.
                ticket = importer._claim(key, take_over="rerun")
                break
            except AlreadyProcessed:
                return
            except InFlight:
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)
        words = ["import", *self._place, *(self._ttl or ["--ttl", "36500d"]), "--json", "--", file]
        try:
            taken = self._call(words)
        except IdemError as partly:
            if partly.code != "refused_lines":
                ticket.failed(partly, nothing_happened=True)
                raise
            # The other requests of the file are known, and must stay so.
            _log.warning("%s: requests that stand only in refused lines are unknown and may run: %s", file, partly)
            taken = {"refused": str(partly)}
        except BaseException as unreadable:
            ticket.failed(unreadable, nothing_happened=True)
            raise
        ticket.complete(taken)

    def _call(self, words, text=None, request_id=None):
        try:
            given = (text or "").encode("utf-8")
            process, out, err = self._finished([*self._command, *words], given, self._environment())
        except OSError as error:
            message = "idem can't be started (%s); set IDEM=/path/to/idem, or put it on the path" % error
            raise IdemError(request_id, {"code": "unavailable", "message": message, "retryable": True}) from error
        try:
            answer = json.loads(out.decode("utf-8"))
        except ValueError:
            said = err.decode("utf-8", "replace").strip()
            message = "idem %s gave no answer (exit %d): %s" % (words[0], process.returncode, said)
            raise IdemError(request_id, {"message": message, "retryable": True})
        if answer["ok"]:
            return answer["data"]
        error = answer["error"]
        raise _KINDS.get(error["code"].lower(), IdemError)(request_id, error)

    @staticmethod
    def _finished(words, text, environment):
        # A file and not a pipe: every version of the command can read it, whatever its size. In a session of its own
        # Ctrl-C does not reach it: a step that has begun comes to its end.
        with tempfile.TemporaryFile() as given:
            given.write(text)
            given.seek(0)
            process = subprocess.Popen(
                words,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        try:
            return (process, *process.communicate())
        except BaseException:
            process.communicate()
            raise


class RedisIdempotencyStore(IdempotencyStore):
    """The same for many hosts, in Redis."""

    def __init__(self, redis_url, ttl_seconds=86400, **more):
        super().__init__(ledger=redis_url, ttl_days=ttl_seconds / 86400, **more)


class DurableIdempotencyStore(IdempotencyStore):
    """Keeps the results of functions by key, across restarts and processes."""

    def __init__(self, db_path=None, ttl_seconds=86400, **more):
        super().__init__(db_path, operation="execute_once", ttl_days=ttl_seconds / 86400, **more)

    def get(self, key):
        """The result for this key, or None."""
        return self.get_result(key)

    def set(self, key, result):
        """Records a result that came about elsewhere."""
        self._claim(key).complete(result)

    def execute_once(self, key, fn, *args, **kwargs):
        """Runs fn(*args, **kwargs) once for this key. A dict as a result tells in _from_cache whether it is a replay."""
        result, ran = self._execute(key, fn, args, kwargs)
        return {**result, "_from_cache": not ran} if isinstance(result, dict) else result


class WebhookDeduplicator(IdempotencyStore):
    """Handles each event once. An event whose handler raised NotExecuted is handled when it is delivered again."""

    def __init__(self, path=None, ttl_seconds=3600, **more):
        super().__init__(path, operation="webhook", ttl_days=ttl_seconds / 86400, **more)

    def is_duplicate(self, event_id):
        """Whether the event was handled."""
        return self.is_processed(event_id)

    def process_if_new(self, event_id, fn, *args, **kwargs):
        """What the handler gives; None for an event that was handled before."""
        try:
            result, ran = self._execute(event_id, fn, args, kwargs)
        except ResultUnavailable:
            return None
        return result if ran else None


class IdempotentAgentSession:
    """The tool calls of one task: the same tool with the same inputs runs once, also after a restart."""

    def __init__(self, session_id, path=None, **more):
        self._store = functools.partial(IdempotencyStore, path, scope=session_id, **more)

    def call_tool(self, tool_name, inputs, tool_fn):
        store = self._store(operation=tool_name)
        key = store._call(["key", "--identity", "-", *store._place, "--json"], _text(inputs, _described))["key"]
        return store._guarded(tool_fn, lambda given: (key, given))(inputs)


class IdempKey(str):
    """A key to hand to a remote: the same scope and arguments give the same key, whatever the order of the names."""

    @classmethod
    def for_args(cls, scope, args):
        text = "%s\0%s" % (scope, json.dumps(args, sort_keys=True, allow_nan=False, default=_described))
        return cls("ik_" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:32])


def cache_tool(ttl_seconds, max_size=512, store=None):
    """A decorator for tools that only read: the same arguments give the same answer for a while.

    store: anything with get(key) and set(key, text, ex=seconds), such as redis.Redis. Without it, the memory of this
    process. It keeps nothing from running twice; for what acts, use IdempotencyStore.once.
    """

    def decorate(function):
        if inspect.iscoroutinefunction(function):
            raise TypeError("cache_tool is for plain functions: %r is async" % function)
        kept = collections.OrderedDict()
        lock = threading.Lock()
        signature = inspect.signature(function)

        @functools.wraps(function)
        def cached(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = {name: value for name, value in bound.arguments.items() if name not in ("self", "cls")}
            key = IdempKey.for_args("%s.%s" % (function.__module__, function.__qualname__), given)
            if store is not None:
                found = store.get(key)
                if found is not None:
                    return json.loads(found)
            else:
                with lock:
                    value, until = kept.get(key, (None, 0))
                    if time.monotonic() < until:
                        kept.move_to_end(key)
                        return value
            value = function(*args, **kwargs)
            if store is not None:
                store.set(key, json.dumps(value), ex=ttl_seconds)
            else:
                with lock:
                    kept[key] = (value, time.monotonic() + ttl_seconds)
                    kept.move_to_end(key)
                    while len(kept) > max_size:
                        kept.popitem(last=False)
            return value

        return cached

    return decorate


def handle_request(store, request_id, payload, run_agent):
    """Runs the agent once for each request id, and raises AlreadyProcessed for duplicates."""
    if store.is_processed(request_id, payload):
        raise AlreadyProcessed(request_id, store.get_result(request_id, payload))

    # One atomic step: of two that come at the same time, one is refused here.
    ticket = store.mark_in_progress(request_id, payload)

    try:
        result = run_agent(payload)
    except BaseException as e:
        # Failed for NotExecuted; in doubt for the rest, which may have happened: a time-out proves nothing.
        store.mark_failed(ticket, error=str(e))
        raise
    store.mark_complete(ticket, result=result)
    return result


class _Heartbeat(threading.Thread):
    """Renews one request until it is told to stop, the ticket is lost or the time limit is over."""

    def __init__(self, interval, time_limit, renew):
        super().__init__(daemon=True, name="idem heartbeat")
        self._interval = interval
        self._until = None if time_limit is None else time.monotonic() + time_limit
        self._renew = renew
        self._stopped = threading.Event()

    def run(self):
        while not self._stopped.wait(self._interval):
            if self._until is not None and time.monotonic() > self._until:
                return
            try:
                self._renew()
            except Stale:
                return
            except IdemError:
                continue

    def stop(self):
        self._stopped.set()


def _again(step, *final):
    """An answer that was lost, or a ledger that is busy: the same step may be made again."""
    for pause in (0.05, 0.5, None):
        try:
            return step()
        except IdemError as lost:
            if pause is None or not lost.may_retry or isinstance(lost, final):
                raise
            time.sleep(pause)


async def _to_its_end(future):
    """Waits until the future is done even if the task is cancelled meanwhile; returns that cancellation."""
    cancelled = None
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError as again:
            cancelled = again
    return cancelled


def _is_foreign(path):
    """Whether a file is there that another store has written; IdemError where that can't be found out.

    It is looked at through SQLite, which keeps its locks.
    """
    if not os.path.isfile(path) or os.path.getsize(path) == 0:
        return False
    try:
        try:
            tables = _tables(path, "ro")
        except sqlite3.OperationalError as error:
            if not re.search("readonly|unable to open", str(error)):
                raise
            # Its writer died: what that one left half done can only be undone by one who may write.
            tables = _tables(path, "rw")
    except sqlite3.Error as error:
        if "not a database" in str(error):
            return True
        message = "%s can't be looked at, so it is not known whose it is: %s" % (path, error)
        locked = "locked" in str(error)
        raise IdemError(None, {"code": "unavailable", "message": message, "retryable": locked}) from error
    return "idempotency_cache" in tables and not {"entries", "labels", "migration"} <= tables


def _tables(path, mode):
    place = "file:%s?mode=%s" % (urllib.parse.quote(os.fsencode(path)), mode)
    with contextlib.closing(sqlite3.connect(place, uri=True, timeout=_PATIENCE)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _module(function):
    """The module of a function; for a program that was started, the name it would be imported by."""
    module = getattr(function, "__module__", None) or ""
    if module != "__main__":
        return module
    main = sys.modules["__main__"]
    if getattr(main, "__spec__", None) is not None:
        return main.__spec__.name
    return os.path.splitext(os.path.basename(getattr(main, "__file__", None) or module))[0]


def _line(said, most=2000):
    """A text as one word of a command line: not too long, and without what can't stand there."""
    return re.sub("[\ud800-\udfff]", "?", re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", str(said)[:most]))


def _key(request_id):
    """The key of an id, as Java has it: the id itself where that can be a key, else a digest of it."""
    text = "" if request_id is None else str(request_id)
    if not text:
        raise ValueError("a request needs an id")
    if re.fullmatch("[!-~]{1,255}", text) and not re.fullmatch("id_[0-9a-f]{64}", text):
        return text
    return "id_" + hashlib.sha256(text.encode("utf-16-be", "surrogatepass")).hexdigest()


def _recorded(result):
    """How settle is told of a result; never raises."""
    try:
        return ["--result", "-"], _text(result)
    except Exception as unfit:
        return ["--no-result", _why(result, unfit)], None


def _why(result, unfit):
    return "its result (%s) has no JSON form: %s" % (type(result).__name__, _line(unfit, 300))


def _text(value, default=None):
    """JSON without NaN and half characters, which the ledger could not read back."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, default=default)
    text.encode("utf-8")
    return text


def _plain(value):
    """The value as it comes back from JSON."""
    return json.loads(_text(value))


def _described(value):
    """How an argument that is no JSON counts towards a key."""
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, uuid.UUID, os.PathLike)):
        return str(value)
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    raise TypeError(
        "an argument of type %s has no JSON form to make a key of; leave it out with ignore=, or change it"
        % type(value).__name__
    )


def _milliseconds(seconds):
    return "%dms" % round(seconds * 1000)
