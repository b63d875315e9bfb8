"""Requests by their ids in one scope and operation of a ledger: claimed, settled and looked up, as the documents' stores do."""

from __future__ import annotations

import copy
import hashlib
import inspect
import json
import os
import re
import secrets
import sys
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from . import context, endings, values
from . import document_errors as told
from .asking import Reply
from .caching import described
from .client import Idem, _user as user
from .core import Core
from .errors import IdemError, NotExecuted, Refused, Unanswered, a
from .outcome import Outcome
from .plan import Plan, yes_or_no
from .running import Running
from .taking_over import IMPORT, keep_cleared, ledger_of, take_over
from .unfinished import require_finished
from .ways import BLOCKING, run

_FOR_GOOD = "36500d"
_DAY_MS = 86_400_000
_LOOK_FOR = 10.0
_URLS = "(memory|jsonl|sqlite|redis|rediss|postgres|postgresql):|:memory:"


class RequestLedger:
    """The requests of one operation in one scope."""

    def __init__(
        self,
        path: Any,
        ledger: Optional[str],
        scope: str,
        operation: str,
        ttl_days: Optional[float],
        lease: float,
        time_limit: Optional[float],
        command: Optional[str],
    ) -> None:
        # The file whose requests are still to be taken over.
        self._file: Optional[str] = None
        if path is not None:
            if re.match(_URLS, os.fspath(path)):
                raise ValueError("path names a file; for a URL write ledger=%r" % os.fspath(path))
            ledger, self._file = ledger_of(os.path.abspath(os.path.expanduser(os.fspath(path))))
        self._takes_over = self._file is not None
        self.scope = context.name_of(scope, "the scope")
        self.operation = operation
        self.ledger = ledger
        self.command = command
        self.ttl_ms = None if ttl_days is None else max(1, round(ttl_days * _DAY_MS))
        self._policy: Dict[str, Any] = {
            "side_effect": "write",
            "lease": _duration(lease),
            "time_limit": _FOR_GOOD if time_limit is None else _duration(time_limit),
        }
        if self.ttl_ms is not None:
            self._policy["retention"] = "%dms" % self.ttl_ms
        self._idem = Idem.open(ledger, command=command)
        self._held: List[Ticket] = []
        self._lock = threading.Lock()
        self._opening = threading.Lock()

    def at(self, operation: str) -> RequestLedger:
        """The requests of another operation in the same ledger and scope."""
        self.core()
        other = copy.copy(self)
        other.operation = operation
        return other

    def core(self) -> Core:
        """The connection, after the requests of another store's file were taken over: once for each state of the file."""
        if self._file is not None:
            with self._opening:
                # Other threads wait here: before the end of it they would find requests that were never seen.
                if self._file is not None and os.path.exists(self._file):
                    take_over(self, self._file)
                self._file = None
        return self._idem._core.here()

    def opened(self) -> Core:
        """The connection, for the take-over itself."""
        return self._idem._core.here()

    def close(self) -> None:
        self._idem.close()

    def key(self, request_id: Any) -> str:
        """The key of an id, as Java has it: the id itself where that can be a key, else a digest of it."""
        shown: Any = type(request_id)
        nameless = shown.__str__ is object.__str__ and shown.__repr__ is object.__repr__
        if inspect.isawaitable(request_id) or callable(request_id) or nameless:
            if inspect.iscoroutine(request_id):
                request_id.close()
            raise ValueError("the id of a request is a text or a number; this is %s" % a(shown.__name__))
        text = "" if request_id is None else str(request_id)
        if not text.strip():
            raise ValueError("a request needs an id")
        if re.fullmatch("[!-~]{1,255}", text) and not re.fullmatch("id_[0-9a-f]{64}", text):
            return text
        return "id_" + hashlib.sha256(text.encode("utf-16-be", "surrogatepass")).hexdigest()

    def running(
        self,
        request_id: Any,
        payload: Any,
        way: Any,
        wait: float,
        probe: Optional[Callable[..., Any]] = None,
        returning: Any = Any,
    ) -> Running:
        """A call for this request, which has not begun."""
        return Running(self.core(), self._plan(request_id, payload, wait, probe, returning), way)

    def _plan(self, request_id: Any, payload: Any, wait: float, probe: Any = None, returning: Any = Any) -> Plan:
        key = self.key(request_id)
        labels = {} if key == str(request_id) else {"id": _label(str(request_id))}
        identity = None if payload is None else form(payload)
        return Plan(
            self.operation,
            self.scope,
            key=key,
            identity=identity,
            labels=labels or None,
            policy=self._policy,
            probe=probe,
            wait=wait,
            returning=returning,
        )

    def claim(self, request_id: Any, payload: Any = None) -> Ticket:
        running = self.running(request_id, payload, BLOCKING, 0)
        ending = run(running.enter())
        if ending is not None:
            raise told.problem(request_id, ending)
        ticket = Ticket(self, request_id, running)
        with self._lock:
            self._held.append(ticket)
        return ticket

    def found(self, request_id: Any, payload: Any) -> Tuple[bool, Any]:
        """Whether the request is complete, and its result. Nothing is written."""
        answer = self._ask("result", self._address(request_id)).answer
        if answer.get("answer") == "expired":
            raise told.Expired(request_id, "%s was complete, and its result has expired" % request_id)
        if answer.get("answer") != "complete":
            return False, None
        if payload is not None:
            # Its key answers now, so a claim only compares.
            running = self.running(request_id, payload, BLOCKING, 0)
            ending = run(running.enter())
            if ending is None:
                run(running.failed(NotExecuted("it was only looked for")))
                return False, None
            if ending.kind != "replayed":
                raise told.problem(request_id, ending)
            return True, ending.value
        try:
            return True, endings.stored(self._plan(request_id, None, 0), answer)
        except values.NoForm:
            return True, None

    def derived(self, work: Any) -> str:
        """The key of these fields."""
        members = {"scope": self.scope, "operation": self.operation, "identity": form(work)}
        return str(self._ask("key", members).answer["key"])

    def resolve(
        self, request_id: Any, happened: bool, result: Any, by: Optional[str], why: Optional[str]
    ) -> None:
        members = self._seen(request_id, self.key(request_id))
        members.update({"as": "complete" if yes_or_no(happened, "happened") else "not_executed", "who": by or user(), "why": why or "no reason was given"})
        members["request_id"] = secrets.token_hex(16)
        if happened:
            members["result"] = values.result(result)
            members["retention_ms"] = self.ttl_ms
        else:
            # The caller has seen it: this is the decision of a person.
            members["even_though_it_may_still_act"] = True
        self._decided(request_id, self._ask("resolve", members))

    def forget(self, request_id: Any) -> None:
        members = self._seen(request_id, self.key(request_id))
        if self._takes_over:
            keep_cleared(self, str(members["key"]))
        self._decided(request_id, self._ask("forget", dict(members, even_though_it_may_still_act=True)))

    def forget_key(self, key: str) -> None:
        """Forgets a complete request, if it is still there."""
        found = self._ask("find", self._named(key)).answer.get("entry")
        if found is not None and found.get("state") == "complete":
            self._ask("forget", dict(self._named(key), fence=found["fence"], state="complete"))

    def cleared(self) -> Dict[str, float]:
        """The keys of the requests that were cleared since a file was taken over, and when, in seconds."""
        members = {"scope": self.scope, "operation": IMPORT, "labels": {"cleared": self.operation}, "limit": 1000}
        keys: Dict[str, float] = {}
        after = None
        while True:
            page = values.request(dict(members, after=after))
            reply = run(self.opened().asking.ask(BLOCKING, "browse", page, _LOOK_FOR))
            for entry in reply.answer["entries"]:
                key, at = entry["labels"]["key"], float(entry["labels"]["at"])
                keys[key] = max(at, keys.get(key, 0.0))
            after = reply.answer.get("next")
            if after is None:
                return keys

    def complete_keys(self, most: int) -> List[str]:
        """The keys of the newest complete requests, the oldest of them first."""
        keys: List[str] = []
        after = None
        while len(keys) < most:
            members = {"scope": self.scope, "operation": self.operation, "states": ["complete"], "limit": 1000}
            answer = self._ask("browse", dict(members, after=after)).answer
            keys += [str(entry["key"]) for entry in answer["entries"]]
            after = answer.get("next")
            if after is None:
                break
        return keys[:most][::-1]

    def ticket(self, request_id: Any) -> Ticket:
        """The ticket of a request that this store holds."""
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

    def release(self, ticket: Ticket) -> None:
        with self._lock:
            self._held = [other for other in self._held if other is not ticket]

    def _seen(self, request_id: Any, key: str) -> Dict[str, Any]:
        """The address of an entry, with the state in which it is now."""
        entry = self._ask("find", self._named(key)).answer.get("entry")
        if entry is None:
            raise told.IdemError(request_id, "there is no request %s" % request_id)
        return dict(self._named(key), fence=str(entry["fence"]), state=entry["state"])

    def _decided(self, request_id: Any, reply: Reply) -> None:
        if reply.word != "done":
            entry = reply.answer.get("entry") or {}
            raise told.IdemError(
                request_id,
                "%s was not changed: it is %s%s" % (request_id, reply.word.replace("_", " "), _now(entry)),
            )

    def _address(self, request_id: Any) -> Dict[str, Any]:
        return self._named(self.key(request_id))

    def _named(self, key: str) -> Dict[str, Any]:
        return {"scope": self.scope, "operation": self.operation, "key": key}

    def _ask(self, method: str, members: Mapping[str, Any]) -> Reply:
        try:
            return run(self.core().asking.ask(BLOCKING, method, values.request(dict(members)), _LOOK_FOR))
        except Unanswered as e:
            raise told.Unavailable(None, str(e)) from e
        except Refused:
            raise
        except IdemError as e:
            raise told.Unavailable(None, str(e)) from e


class Ticket:
    """Proof that this process holds a request. It is renewed until it is settled or its time limit is over."""

    def __init__(self, requests: RequestLedger, request_id: Any, running: Running) -> None:
        call = running.call
        assert call is not None
        self.request_id = request_id
        self.fence = call.fence
        self.key = call.key
        self._pid = call.pid
        self._requests = requests
        self._running = running
        self._done: Optional[Tuple[Any]] = None

    def complete(self, result: Any = None) -> None:
        """It is done; duplicates get this result. One that has no JSON form is not kept; the key is complete anyway."""
        self._own()
        if self._done is None:
            require_finished(result, "the work")
            # From here on nothing frees the key: a completion that could not be recorded is no failure of the work.
            self._done = (result,)
        outcome = run(self._running.done(self._done[0]))
        if outcome.kind == "done":
            self._requests.release(self)
            return
        if outcome.answer.get("state") == "in_doubt" and outcome.answer.get("answer") == "already":
            raise told.InDoubt(self.request_id, told.doubt(self.request_id, outcome), self._done[0], outcome)
        refused = told.problem(self.request_id, outcome)
        refused.result = self._done[0]
        if isinstance(refused, told.Stale):
            self._requests.release(self)
        raise refused

    def failed(self, error: Any = "", nothing_happened: Optional[bool] = None) -> None:
        """It failed; see IdempotencyStore.mark_failed."""
        self._own()
        if self._done is not None:
            self.complete()
            raise told.AlreadyProcessed(self.request_id, self._done[0])
        if nothing_happened is None:
            # No exception at all proves nothing either: this may be another thread, or come after the except block.
            raised = error if isinstance(error, BaseException) else sys.exc_info()[1]
            self._failed(Doubtful(str(error)) if raised is None else raised)
        elif yes_or_no(nothing_happened, "nothing_happened"):
            outcome = self._failed(NotExecuted(str(error) or "nothing was executed"))
            if outcome.kind == "in_doubt":
                # An earlier attempt is.
                raise told.InDoubt(self.request_id, told.doubt(self.request_id, outcome), outcome=outcome)
        else:
            self.in_doubt(error)

    def in_doubt(self, error: Any = "") -> None:
        """It may have happened: it is not run again until somebody has found out."""
        self._own()
        proves = not isinstance(error, BaseException) or isinstance(error, NotExecuted)
        self._failed(Doubtful(str(error)) if proves else error)

    def _failed(self, error: BaseException) -> Outcome[Any]:
        outcome = run(self._running.failed(error))
        word = outcome.answer.get("answer")
        if word not in ("recorded", "already", "stale"):
            raise told.Unavailable(self.request_id, outcome.message)
        self._requests.release(self)
        if outcome.kind == "replayed":
            raise told.AlreadyProcessed(self.request_id, outcome.value, outcome=outcome)
        if word == "stale":
            raise told.Stale(self.request_id, "another caller has %s; nothing was recorded" % self.request_id)
        return outcome

    def _own(self) -> None:
        if self._pid != os.getpid():
            raise ValueError("%s is held by the process %d, and can only be settled there" % (self.request_id, self._pid))


class Doubtful(Exception):
    """A failure that proves nothing."""


def form(value: Any) -> values.Raw:
    """JSON without NaN and half characters, in the form in which keys were always made."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, default=described)
    text.encode("utf-8")
    return values.Raw(text)


def module_of(function: Any) -> str:
    """The module of a function; for a program that was started, the name it would be imported by."""
    module = getattr(function, "__module__", None) or ""
    if module != "__main__":
        return str(module)
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        return str(spec.name)
    return os.path.splitext(os.path.basename(getattr(main, "__file__", None) or module))[0]


def _label(text: str) -> str:
    return re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "?", text)[:120]


def _duration(seconds: float) -> str:
    return "%dms" % max(1, round(seconds * 1000))


def _now(entry: Mapping[str, Any]) -> str:
    return " (now %s)" % entry["state"] if entry.get("state") else ""
