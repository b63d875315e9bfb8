"""Files of requests that another store has written: JSON lines, or a SQLite table. Their requests are taken over once."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import logging
import os
import re
import sqlite3
import subprocess
import tempfile
import time
import urllib.parse
import uuid
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Tuple, TypeVar

from . import document_errors as told
from . import finding
from .definite import cross
from .errors import LedgerUnavailable, NotExecuted
from .pipe import environment
from .plan import Plan
from .running import Running
from .ways import BLOCKING, run

if TYPE_CHECKING:
    from .request_ledger import RequestLedger

T = TypeVar("T")

_log = logging.getLogger("idem")

# For how many seconds a file that somebody has locked is waited for.
_PATIENCE = 60.0
# For how many seconds another process that takes over the same file is waited for.
_WAIT = 600.0
# The operation under which a ledger keeps what it has taken over, and what was cleared since.
IMPORT = "import"
_FOR_GOOD = "36500d"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
_CACHED = "SELECT key, result, created_at FROM idempotency_cache ORDER BY created_at, key"
# They would change what the command does or how it answers.
_NOT_FOR_THE_COMMAND = ("IDEM_DRY_RUN", "IDEM_JSON_SHAPE", "IDEM_QUIET", "IDEM_STATUS_FILE")


def ledger_of(path: str) -> Tuple[str, Optional[str]]:
    """The ledger of a store at this path, and the file whose requests it takes over, if there is one."""
    if "?" in path:
        raise ValueError("a path of a ledger has no question mark; this one does: %s" % path)
    file = None
    if path.endswith((".jsonl", ".json")) or os.path.exists(path + ".idem.db") or is_foreign(path):
        # A text file that another program may still append to is no place for a database. Once there is a ledger beside
        # the file, that is the one, whatever the file looks like by now.
        file = path
        path += ".idem.db"
    return "sqlite:%s?busy=60s" % path, file


def is_foreign(path: str) -> bool:
    """Whether a file is there that another store has written; IdemError where that can't be found out."""
    if not os.path.isfile(path) or os.path.getsize(path) == 0:
        return False
    tables = _asked(path, _TABLES, lambda rows: {name for (name,) in rows})
    return tables is None or ("idempotency_cache" in tables and not {"entries", "labels", "migration"} <= tables)


def _asked(path: str, query: str, reader: Callable[[Iterable[Any]], T]) -> Optional[T]:
    """What the reader makes of the rows of a query, one by one: all together may not fit into the memory. None where the
    file is no database. It is read through SQLite, which keeps its locks.
    """
    if os.path.getsize(path) == 0:
        return None  # to SQLite, it is a database without tables
    try:
        try:
            return _read(path, "ro", query, reader)
        except sqlite3.OperationalError as error:
            if not re.search("readonly|unable to open", str(error)):
                raise
            # Its writer died: what that one left half done can only be undone by one who may write.
            return _read(path, "rw", query, reader)
    except sqlite3.Error as error:
        if "not a database" in str(error):
            return None
        message = "%s can't be looked at, so it is not known whose it is: %s" % (path, error)
        kind = told.Unavailable if "locked" in str(error) else told.IdemError
        raise kind(None, message) from error


def _read(path: str, mode: str, query: str, reader: Callable[[Iterable[Any]], T]) -> T:
    place = "file:%s?mode=%s" % (urllib.parse.quote(os.fsencode(path)), mode)
    with contextlib.closing(sqlite3.connect(place, uri=True, timeout=_PATIENCE)) as connection:
        return reader(connection.execute(query))


def take_over(requests: RequestLedger, file: str) -> None:
    """Imports the requests of a file, once for each content of the file, whichever process comes first."""
    state = "%s %s" % (os.path.realpath(file), _digest(file))
    key = "file-" + hashlib.sha256(state.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    outcome = run(_once(requests, key).attempt(lambda call: _imported(requests, file)))
    if outcome.error is not None:
        error = outcome.error.__cause__ or outcome.error
        cross(error, outcome)
        raise error
    if outcome.kind not in ("done", "replayed"):
        raise told.problem(None, outcome)


def _once(requests: RequestLedger, key: str, labels: Optional[Dict[str, str]] = None) -> Running:
    # Its death does no harm: what is there already is left alone when the file is read again.
    policy = {"side_effect": "write", "on_doubt": "rerun", "lease": "60s", "time_limit": _FOR_GOOD, "retention": _FOR_GOOD}
    plan = Plan(IMPORT, requests.scope, key=key, labels=labels, policy=policy, wait=_WAIT)
    return Running(requests.opened(), plan, BLOCKING)


def keep_cleared(requests: RequestLedger, key: str) -> None:
    """Records that a request is about to be cleared: a later take-over leaves out what the file says of it until now."""
    at = repr(time.time())
    labels = {"cleared": requests.operation, "key": key, "at": at}
    outcome = run(_once(requests, "cleared-" + uuid.uuid4().hex, labels).attempt(lambda call: True))
    if outcome.kind != "done":
        raise told.problem(None, outcome)


def _digest(file: str) -> str:
    """A digest of what is in a file. Of a table, it is that of its rows, for only SQLite may open the file of a table."""
    of_rows = _asked(file, _CACHED, lambda rows: _digested(repr(row).encode("utf-8", "surrogatepass") for row in rows))
    if of_rows is not None:
        return of_rows
    with open(file, "rb") as content:
        return _digested(iter(lambda: content.read(1 << 20), b""))


def _digested(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def _seconds(at: Any) -> Optional[float]:
    """A time as seconds, or as a text such as 2025-05-24T15:01:40Z; None for anything else."""
    if isinstance(at, (int, float)):
        return float(at)
    try:
        when = datetime.datetime.fromisoformat(re.sub("[Zz]$", "+00:00", str(at).strip()))
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=datetime.timezone.utc)).timestamp()


def _without(requests: RequestLedger, file: str, cleared: Dict[str, float], folder: str) -> str:
    """A copy of the file without what it says of cleared requests from before they were cleared."""
    copy = os.path.join(folder, os.path.basename(file))

    def stays(request_id: Any, at: Any) -> bool:
        try:
            when = cleared.get(requests.key(request_id))
        except ValueError:
            return True  # it is no id; the import says so
        seconds = _seconds(at)
        return when is None or (seconds is not None and seconds > when)

    def written(rows: Iterable[Any]) -> str:
        with contextlib.closing(sqlite3.connect(copy)) as kept, kept:
            kept.execute("CREATE TABLE idempotency_cache (key, result, created_at)")
            kept.executemany(
                "INSERT INTO idempotency_cache VALUES (?, ?, ?)", (row for row in rows if stays(row[0], row[2]))
            )
        return copy

    if _asked(file, _CACHED, written) is not None:
        return copy
    with open(file, "rb") as lines, open(copy, "wb") as kept_lines:
        for line in lines:
            try:
                known = json.loads(line.decode("utf-8-sig"))
                # A line that stays out is left empty, so that messages have the numbers of the lines.
                left_out = isinstance(known, dict) and "id" in known and not stays(known["id"], known.get("ts"))
            except ValueError:
                left_out = False
            kept_lines.write(b"\n" if left_out else line)
    return copy


def _imported(requests: RequestLedger, file: str) -> Any:
    ttl = _FOR_GOOD if requests.ttl_ms is None else "%dms" % requests.ttl_ms
    words = ["import", "--scope", requests.scope, "--operation", requests.operation, "--ttl", ttl, "--json", "--"]
    try:
        with tempfile.TemporaryDirectory(prefix="idem-") as folder:
            cleared = requests.cleared()
            read = _without(requests, file, cleared, folder) if cleared else file
            return _told(_command(requests.command) + words + [read], requests.opened().settings.ledger)
    except _Partly as partly:
        # The other requests of the file are known, and must stay so.
        _log.warning("%s: requests that stand only in refused lines are unknown and may run: %s", file, partly)
        return {"refused": str(partly)}
    except BaseException as unreadable:
        raise NotExecuted("%s was not taken over" % file) from unreadable


class _Partly(Exception):
    """Some lines of the file could not be read."""


def _command(given: Optional[str]) -> List[str]:
    serve = finding.serve(finding.absolute_command(given))
    return serve[: serve.index("serve")] if "serve" in serve else serve[:1]


def _told(words: List[str], ledger: str) -> Any:
    """What the command answers. The ledger is named in the environment, for every user of the host may list words."""
    told_to = {name: value for name, value in environment(ledger).items() if name not in _NOT_FOR_THE_COMMAND}
    try:
        # In a session of its own Ctrl-C does not reach it: a step that has begun comes to its end.
        ended = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=told_to,
            start_new_session=True,
        )
    except OSError as error:
        raise LedgerUnavailable("the command '%s' can't be started: %s" % (words[0], error.strerror)) from error
    try:
        answer = json.loads(ended.stdout.decode("utf-8"))
    except ValueError:
        said = ended.stderr.decode("utf-8", "replace").strip()
        message = "idem import gave no answer (exit %d): %s" % (ended.returncode, said)
        raise told.Unavailable(None, finding.masked(message)) from None
    if answer["ok"]:
        return answer["data"]
    refusal = answer["error"]
    message = ". ".join(filter(None, [refusal.get("message"), refusal.get("fix_required")]))
    if str(refusal.get("code")).lower() == "refused_lines":
        raise _Partly(message)
    raise told.IdemError(None, message)
