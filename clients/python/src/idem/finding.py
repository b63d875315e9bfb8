"""Where the ledger and the server are."""

from __future__ import annotations

import os
import re
import shutil
from typing import List, Optional, Sequence, Union

from .errors import LedgerUnavailable, Refused


def state_folder() -> str:
    return os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")


def ledger_url(given: Optional[str]) -> str:
    """The URL of the ledger, made absolute, so that a later chdir changes nothing."""
    url = given or os.environ.get("IDEM_LEDGER")
    if not url:
        return "sqlite:" + os.path.join(os.path.abspath(state_folder()), "idem", "idem.db")
    kind, colon, rest = url.partition(":")
    if colon and kind in ("sqlite", "jsonl") and rest and not rest.startswith(("/", ":memory:")):
        path, question, options = rest.partition("?")
        return kind + ":" + os.path.abspath(path) + question + options
    return url


def socket_path() -> str:
    """The socket of this user's server."""
    given = os.environ.get("IDEM_SOCKET")
    if given:
        return os.path.abspath(given)
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = runtime or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(folder, "idem", "serve.sock")


def server_url(given: Optional[str]) -> Optional[str]:
    """The URL of a server, if there is one."""
    if not given:
        return None
    if given.startswith("http+unix:/") or re.match(r"https?://[^/]", given):
        return given
    raise Refused("the URL of a server (IDEM_URL) is http+unix:/path/to/socket, http://host:port or https://host")


def masked(text: str, *secrets: Optional[str]) -> str:
    """A text without passwords in URLs, and without these secrets."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    text = re.sub(r"(\w+://[^:/?#@\s]*):[^@\s]*@", r"\1:***@", text)
    return re.sub(r"(?i)([?&](?:[a-z_]*(?:password|passwd|secret|token)[a-z_]*)=)[^&\s]*", r"\1***", text)


def absolute_command(given: Union[str, Sequence[str], None]) -> Union[str, List[str], None]:
    """A command with a relative path, made absolute before a chdir."""
    if given is None:
        given = os.environ.get("IDEM") or None
    if given is None:
        return None
    if isinstance(given, str):
        return os.path.abspath(given) if os.sep in given else given
    return list(given)


def serve(command: Union[str, List[str], None]) -> List[str]:
    """The command line of a server: a list as it is; the path of a program with the arguments it needs."""
    if isinstance(command, list):
        return command
    name = command or "idem"
    program = shutil.which(name)
    if program is None:
        raise LedgerUnavailable(
            "there is no program '%s': put the command line of Idem on the PATH, or set IDEM to the path of its "
            "launcher (a checkout has one named idem; it needs Java 17)" % name
        )
    return [program, "serve", "--stdio"]


def make_default_folder(ledger: str) -> None:
    """Makes the folder of the user's own ledger. A missing folder of another one may be a mistyped path."""
    folder = os.path.join(os.path.abspath(state_folder()), "idem")
    if ledger == "sqlite:" + os.path.join(folder, "idem.db"):
        os.makedirs(folder, mode=0o700, exist_ok=True)
