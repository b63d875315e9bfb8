"""One ledger and one server for the tests of this process, apart from those of the user."""

import atexit
import os
import shutil
import tempfile
import time

from idem import Idem, LedgerUnavailable

_opened = {}


def folder():
    """A folder of this process, which is the user's home as far as Idem knows."""
    if "folder" not in _opened:
        _opened["folder"] = made = tempfile.mkdtemp(prefix="idem-tests-")
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        for name in [name for name in os.environ if name.startswith("IDEM_") and not name.startswith(("IDEM_TEST", "IDEM_LONG"))]:
            del os.environ[name]
        for name in ("XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"):
            os.environ[name] = os.path.join(made, name.lower())
    return _opened["folder"]


def opened():
    if "idem" not in _opened:
        _opened["idem"] = idem = Idem.open("sqlite:" + os.path.join(folder(), "idem.db"))
        warmed(idem.about)
    return _opened["idem"]


def warmed(look):
    """Calls a function that only looks until a server has started, which takes long on a busy machine."""
    end = time.monotonic() + 60
    while True:
        try:
            return look()
        except LedgerUnavailable:
            if time.monotonic() > end:
                raise
