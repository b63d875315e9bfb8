"""Paths and routes of requests, in the one spelling and notation of all languages."""

from __future__ import annotations

import re
import urllib.parse
from typing import Any, Iterable, Mapping, Match, Optional


def one_path(path: str) -> str:
    """A path in one spelling: ``/%72esources`` is ``/resources``. What would change the path by that stays encoded."""

    def decoded(found: Match[str]) -> str:
        byte = chr(int(found.group()[1:], 16))
        return byte if "!" <= byte <= "~" and byte not in "/\\%" else found.group().upper()

    return re.sub("%[0-9A-Fa-f]{2}", decoded, path)


def is_ambiguous(path: str) -> bool:
    """Whether servers read the path, as it was sent, in different ways."""
    return re.search(r"(?i)%2f|%5c|%00|\\|\x00", path) is not None


def template(pattern: str) -> str:
    """The pattern of a route in the notation of all frameworks: ``{id}`` for ``{id:int}``, ``{*path}`` for ``{path:path}``."""

    def variable(found: Match[str]) -> str:
        return "{%s%s}" % ("*" if found.group(2) == ":path" else "", found.group(1))

    return re.sub("{([^{}:]+)(:[^{}]*)?}", variable, pattern).rstrip("/") or "/"


def sent(scope: Mapping[str, Any]) -> str:
    """The whole path as it was sent, with the root of the application. Some versions of the servers have the root in it."""
    before, path = root(scope), str(scope["path"])
    raw = str((scope.get("raw_path") or b"").decode("latin-1"))
    spelled = urllib.parse.quote(path, errors="surrogatepass")
    if urllib.parse.unquote(raw) in (path, str(scope.get("root_path", "")) + path):
        spelled = raw
    whole = spelled if (one_path(spelled) + "/").startswith(before + "/") else before + spelled
    # Middleware may have chosen the path by a header, or have taken a part away: then both count.
    return whole if spelled == raw or not raw else raw + " -> " + whole


def root(scope: Mapping[str, Any]) -> str:
    """What stands before the paths of the application: the mount that it is in, or a prefix that a proxy takes away."""
    return one_path(urllib.parse.quote(str(scope.get("root_path", "")))).rstrip("/")


def pattern(routes: Optional[Iterable[Any]], scope: Mapping[str, Any]) -> Optional[str]:
    """The pattern of the route that will answer, such as /orders/{id}, with those of the mounts that it is in."""
    for route in routes or ():
        if not hasattr(route, "matches"):
            continue
        match, inner = route.matches(scope)
        if match.name == "FULL":
            own = str(getattr(route, "path", ""))
            if hasattr(route, "endpoint"):
                return own
            below = pattern(getattr(route, "routes", ()), {**scope, **inner})
            return None if below is None else own + below
    return None
