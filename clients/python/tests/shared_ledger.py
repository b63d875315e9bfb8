"""The shared server of the tests, ready to answer."""

import time
import unittest

from idem import LedgerUnavailable

from . import support


def folder():
    """A folder of this process, which is the user's home as far as Idem knows."""
    if support.COMMAND is None:
        raise unittest.SkipTest("needs the command line of Idem: set IDEM to its launcher")
    return support.FOLDER


def opened():
    folder()
    idem = support.shared()
    warmed(idem.about)
    return idem


def warmed(look):
    """Calls a function that only looks until a server has started, which takes long on a busy machine."""
    end = time.monotonic() + support.LIMIT
    while True:
        try:
            return look()
        except LedgerUnavailable:
            if time.monotonic() > end:
                raise
