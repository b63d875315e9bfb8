"""Makes what a Python agent does happen once, over the ``idem`` command. One file, no dependencies.

    store = IdempotencyStore(path="./requests.db")

    @store.once(key=lambda order: "charge-" + order["id"])
    def charge(order):
        return payments.charge(order["cents"])

The first call runs, later ones get its result, in this process or any other on the host. A function that raises leaves
its key in doubt, since an exception does not prove that nothing happened; it is not run again until somebody has found
out. Raise ``NotExecuted`` where nothing was done: then the same key may run again.
"""

import functools
import inspect
import json
import os
import shlex
import subprocess
import tempfile
import threading
import time
import uuid

__all__ = [
    "AlreadyProcessed",
    "Conflict",
    "IdemError",
    "IdempotencyStore",
    "InDoubt",
    "InFlight",
    "NotExecuted",
    "Stale",
    "handle_request",
]


class IdemError(Exception):
    """There is no ticket to give; ``code`` says why, and ``may_retry`` whether the same call may be made again."""

    def __init__(self, request_id, error):
        super().__init__(error.get("message", "idem gave no reason"))
        self.request_id = request_id
        self.code = error.get("code", "unknown")
        self.may_retry = bool(error.get("retryable"))
        self.retry_after = error.get("retry_after_ms", 1000) / 1000


class AlreadyProcessed(IdemError):
    """The request is complete; ``result`` is what it gave."""

    def __init__(self, request_id, result=None):
        super().__init__(request_id, {"code": "complete", "message": "%s is complete" % request_id})
        self.result = result


class InFlight(IdemError):
    """Somebody else runs it right now."""


class InDoubt(IdemError):
    """Nobody knows whether it took effect. It is not run again until somebody has found out."""


class Conflict(IdemError):
    """The key was used for something else, or its result has expired."""


class Stale(IdemError):
    """Somebody else has taken it over; what this caller did was not recorded."""


class NotExecuted(Exception):
    """Raised by a function to say that nothing happened: the same key may run again."""


_KINDS = {"IN_FLIGHT": InFlight, "IN_DOUBT": InDoubt, "CONFLICT": Conflict, "EXPIRED": Conflict, "STALE": Stale}


class IdempotencyStore:
    """Marks requests by their ids. Taking one is a single atomic step, and it is renewed until it is settled."""

    def __init__(self, path=None, ledger=None, scope="default", operation="request", lease=60.0, command=None):
        """Opens nothing yet.

        path: the file of the ledger; ledger: its URL instead; neither: the user's own ledger.
        command: how idem is called; unless told, the variable IDEM, or idem on the path.
        """
        if path is not None:
            ledger = ("jsonl:" if str(path).endswith(".jsonl") else "sqlite:") + str(path)
        self._ledger = ledger
        self._place = ["--scope", scope, "--operation", operation]
        self._lease = lease
        self._command = shlex.split(command or os.environ.get("IDEM", "idem"))
        self._held = {}
        self._lock = threading.Lock()

    def is_processed(self, request_id):
        """Whether the request is complete."""
        return self._looked_up(request_id) is not None

    def get_result(self, request_id):
        """What a complete request gave; None where it is not complete, or gave nothing."""
        found = self._looked_up(request_id)
        return None if found is None else found.get("result")

    def mark_in_progress(self, request_id, payload=None):
        """Takes the request, or raises AlreadyProcessed, InFlight, InDoubt or Conflict.

        payload: what the request asks for; the same id with another payload is a conflict.
        """
        words = ["claim", request_id, "--lease", "%dms" % (self._lease * 1000), "--attempt-id", uuid.uuid4().hex]
        if payload is not None:
            words += ["--identity", "-"]
        answer = self._asked_twice(request_id, words, payload)
        if not answer.get("granted"):
            raise AlreadyProcessed(request_id, answer.get("result"))
        heartbeat = _Heartbeat(self._lease / 3, functools.partial(self._renew, request_id, answer["fence"]))
        with self._lock:
            self._held[request_id] = (answer["fence"], heartbeat)
        heartbeat.start()

    def mark_complete(self, request_id, result=None):
        """It is done; duplicates get this result, which is anything that json can write."""
        text = json.dumps(result)
        self._settle(request_id, ["--as", "complete", "--result", "-"], text)

    def mark_failed(self, request_id, error=""):
        """Nothing happened: the same id may be taken again."""
        self._settle(request_id, ["--as", "failed", "--error", str(error)])

    def mark_in_doubt(self, request_id, error=""):
        """It may have happened: nobody takes it again until somebody has found out."""
        self._settle(request_id, ["--as", "in_doubt", "--error", str(error)])

    def once(self, key=None, wait=10.0):
        """A decorator: the function runs once for each key, and later calls get its result.

        key: a function of the same arguments, or None to derive the key from the function's name and its arguments.
        wait: how many seconds to wait for a running duplicate.
        """

        def decorate(function):
            @functools.wraps(function)
            def guarded(*args, **kwargs):
                given = _arguments(function, args, kwargs)
                request_id = key(*args, **kwargs) if key else self._derived(function, given)
                try:
                    self._take(request_id, {"function": function.__qualname__, "arguments": given}, wait)
                except AlreadyProcessed as done:
                    return done.result
                return self._run(request_id, lambda: function(*args, **kwargs))

            return guarded

        return decorate

    def _run(self, request_id, action):
        try:
            result = action()
        except NotExecuted as nothing:
            self.mark_failed(request_id, error=nothing)
            raise
        except BaseException as unknown:
            self.mark_in_doubt(request_id, error=repr(unknown))
            raise
        self.mark_complete(request_id, result=result)
        return result

    def _take(self, request_id, payload, wait):
        until = time.monotonic() + wait
        while True:
            try:
                return self.mark_in_progress(request_id, payload)
            except InFlight as running:
                left = until - time.monotonic()
                if left <= 0:
                    raise
                time.sleep(min(left, running.retry_after, 0.5))

    def _derived(self, function, given):
        words = ["key", "--identity", "-", *self._place]
        done = self._call([*words, "--json"], json.dumps({"function": function.__qualname__, "arguments": given}))
        return done["key"]

    def _looked_up(self, request_id):
        """The answer for a complete request, or None. Nothing is written."""
        try:
            answer = self._ask(request_id, ["claim", request_id, "--dry-run"])
        except (InFlight, InDoubt):
            return None
        return answer if answer.get("state") == "complete" else None

    def _settle(self, request_id, how, text=None):
        with self._lock:
            held = self._held.get(request_id)
        if held is None:
            raise ValueError("%s was not taken by this store: call mark_in_progress first" % request_id)
        fence, heartbeat = held
        try:
            self._ask(request_id, ["settle", request_id, "--fence", str(fence), *how], text)
        except IdemError as refused:
            if refused.may_retry:
                raise  # It is still held and renewed, so the same call may be made again.
            self._release(request_id, heartbeat)
            raise
        self._release(request_id, heartbeat)

    def _release(self, request_id, heartbeat):
        heartbeat.stop()
        with self._lock:
            self._held.pop(request_id, None)

    def _renew(self, request_id, fence):
        lease = "%dms" % (self._lease * 1000)
        self._ask(request_id, ["renew", request_id, "--fence", str(fence), "--lease", lease])

    def _asked_twice(self, request_id, words, payload):
        """A claim whose answer was lost is sent again with the same attempt id, and gets the same answer."""
        text = None if payload is None else json.dumps(payload)
        try:
            return self._ask(request_id, words, text)
        except IdemError as lost:
            if not lost.may_retry or isinstance(lost, InFlight):
                raise
            return self._ask(request_id, words, text)

    def _ask(self, request_id, words, text=None):
        place = list(self._place) + (["--ledger", self._ledger] if self._ledger else [])
        return self._call([*words, *place, "--json"], text, request_id)

    def _call(self, words, text=None, request_id=None):
        # A file and not a pipe: every version of the command can read it, whatever its size.
        with tempfile.TemporaryFile() as given:
            given.write((text or "").encode("utf-8"))
            given.seek(0)
            done = subprocess.run([*self._command, *words], stdin=given, stdout=subprocess.PIPE, check=False)
        try:
            answer = json.loads(done.stdout.decode("utf-8"))
        except ValueError:
            raise IdemError(request_id, {"message": "idem %s gave no answer (exit %d)" % (words[0], done.returncode)})
        if answer["ok"]:
            return answer["data"]
        error = answer["error"]
        raise _KINDS.get(error["code"], IdemError)(request_id, error)


class _Heartbeat(threading.Thread):
    """Renews one request until it is told to stop, or the ticket is lost."""

    def __init__(self, interval, renew):
        super().__init__(daemon=True)
        self._interval = interval
        self._renew = renew
        self._stopped = threading.Event()

    def run(self):
        while not self._stopped.wait(self._interval):
            try:
                self._renew()
            except Stale:
                return
            except IdemError:
                continue

    def stop(self):
        self._stopped.set()


def _arguments(function, args, kwargs):
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def handle_request(store, request_id, payload, run_agent):
    """Runs the agent once for each request id, and raises AlreadyProcessed for duplicates."""
    if store.is_processed(request_id):
        raise AlreadyProcessed(request_id, store.get_result(request_id))

    # One atomic step: of two that come at the same time, one is refused here.
    store.mark_in_progress(request_id, payload)

    try:
        result = run_agent(payload)
    except NotExecuted as e:
        store.mark_failed(request_id, error=str(e))
        raise
    except Exception as e:
        # It may have happened: a time-out proves nothing.
        store.mark_in_doubt(request_id, error=str(e))
        raise
    store.mark_complete(request_id, result=result)
    return result
