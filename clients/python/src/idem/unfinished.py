"""Results that are not there yet."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import inspect
import io
from collections import abc
from typing import Any, Iterable, Optional, Tuple

from .errors import a

_MOST_OPENED = 100_000
_PLAIN = (str, bytes, int, float, type(None))


class Unfinished(TypeError):
    """A function returned something that is not there yet, so it is unknown whether its work has ended."""

    #: Whether that work may have begun.
    began = True

    def __init__(self, what: str, whose: str = "the action") -> None:
        super().__init__(
            "%s returned %s, so its work may not have ended. Wait for it, or read it to its end, inside of %s, and return "
            "the value that it gave" % (whose, what, whose)
        )


def require_finished(value: Any, whose: str = "the action") -> None:
    """Raises Unfinished for a value that is not there yet."""
    what = unfinished(value)
    if what is not None:
        raise Unfinished(what, whose)


def unfinished(value: Any) -> Optional[str]:
    """
    A value that is not there yet, in words; None if it is there. What awaits, iterates or is a future does its work later,
    also inside of dicts, lists, sets, dataclasses and models. A future that is done is one, too: else the timing would
    decide. At most a hundred thousand of these are opened, the outer ones first.
    """
    if isinstance(value, _PLAIN):
        return None
    if inspect.isroutine(value):
        return "a function"
    what = _pending(value)
    if what is not None:
        return what
    holders = [("", value)]
    known = {id(value)}
    for path, holder in holders:
        for step, each in _members(holder):
            if isinstance(each, _PLAIN) or id(each) in known:
                continue
            at = path + step if path else step.lstrip(".")
            what = _pending(each)
            if what is not None:
                return "%s at '%s'" % (what, at[:80])
            if len(holders) < _MOST_OPENED:
                known.add(id(each))
                holders.append((at, each))
    return None


def _pending(value: Any) -> Optional[str]:
    try:
        if isinstance(value, io.IOBase) or callable(getattr(type(value), "fetchone", None)):
            return None  # An open file, or the cursor of a statement that has run: what is read later changes nothing.
        later = isinstance(value, (abc.Iterator, abc.AsyncIterator, concurrent.futures.Future)) or inspect.isawaitable(value)
        # A mock answers to everything.
        return a(type(value).__name__) if later and type(value).__module__ != "unittest.mock" else None
    except Exception:
        return None  # It can't be looked at, and has no form that is kept.


def _members(holder: Any) -> Iterable[Tuple[str, Any]]:
    try:
        if isinstance(holder, (list, tuple, set, frozenset, collections.deque)):
            return [("[%d]" % i, each) for i, each in enumerate(holder)]
        if isinstance(holder, dict):
            return [(".%s" % (key,), each) for key, each in holder.items()]
        kind = type(holder)
        if dataclasses.is_dataclass(kind):
            return [("." + each.name, getattr(holder, each.name, None)) for each in dataclasses.fields(kind)]
        if callable(getattr(kind, "model_dump", None)) or callable(getattr(kind, "parse_obj", None)):
            return [("." + name, each) for name, each in vars(holder).items()]
    except Exception:
        pass
    return ()
