"""Files of requests that another store has written: JSON lines, or a SQLite table. Their requests are taken over once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import re
import sqlite3
import subprocess
import urllib.parse
from typing import TYPE_CHECKING, Any, List, Optional, Set, Tuple

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

_log = logging.getLogger("idem")

# For how many seconds a file that somebody has locked is waited for.
_PATIENCE = 60.0
# For how many seconds another process that takes over the same file is waited for.
_WAIT = 600.0
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
        kind = told.Unavailable if "locked" in str(error) else told.IdemError
        raise kind(None, message) from error
    return "idempotency_cache" in tables and not {"entries", "labels", "migration"} <= tables


def _tables(path: str, mode: str) -> Set[str]:
    place = "file:%s?mode=%s" % (urllib.parse.quote(os.fsencode(path)), mode)
    with contextlib.closing(sqlite3.connect(place, uri=True, timeout=_PATIENCE)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def take_over(requests: RequestLedger, file: str) -> None:
    """Imports the requests of a file, once for each state of the file, whichever process comes first."""
    seen = os.stat(file)
    state = "%s %d %d" % (os.path.realpath(file), seen.st_size, seen.st_mtime_ns)
    plan = Plan(
        "import",
        requests.scope,
        key="file-" + hashlib.sha256(state.encode("utf-8", "surrogateescape")).hexdigest()[:32],
        # Its death does no harm: what is there already is left alone when the file is read again.
        policy={"side_effect": "write", "on_doubt": "rerun", "lease": "60s", "time_limit": "36500d"},
        wait=_WAIT,
    )
    outcome = run(Running(requests.opened(), plan, BLOCKING).attempt(lambda call: _imported(requests, file)))
    if outcome.error is not None:
        error = outcome.error.__cause__ or outcome.error
        cross(error, outcome)
        raise error
    if outcome.kind not in ("done", "replayed"):
        raise told.problem(None, outcome)


def _imported(requests: RequestLedger, file: str) -> Any:
    ttl = "36500d" if requests.ttl_ms is None else "%dms" % requests.ttl_ms
    words = ["import", "--scope", requests.scope, "--operation", requests.operation, "--ttl", ttl, "--json", "--", file]
    try:
        return _told(_command(requests.command) + words, requests.opened().settings.ledger)
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
