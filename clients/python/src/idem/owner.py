"""This process, as a server on the same machine can tell it from all others."""

from __future__ import annotations

import base64
import json
import os
import re
import uuid
from typing import Any, Dict, Optional, Tuple

from .values import Raw

_known: Optional[Tuple[int, Raw]] = None


def owner() -> Raw:
    """The owner of claims, as JSON; read anew after a fork."""
    global _known
    pid = os.getpid()
    known = _known
    if known is None or known[0] != pid:
        known = (pid, Raw(json.dumps(_read(pid))))
        _known = known
    return known[1]


def _read(pid: int) -> Dict[str, Any]:
    name = "python-%d" % pid
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = uuid.UUID(file.read().strip()).bytes
        namespace = re.sub(r"\D", "", os.readlink("/proc/self/ns/pid"))
        with open("/proc/self/stat", encoding="utf-8", errors="replace") as file:
            stat = file.read()
        # The pid as /proc knows it: that of this process in its own namespace.
        seen = int(stat.split(" ", 1)[0])
        start = int(stat[stat.rindex(")") + 2 :].split(" ")[19])
    except (OSError, ValueError, IndexError):
        return {"name": name}
    if seen != pid:
        return {"name": name}
    host = base64.urlsafe_b64encode(boot).rstrip(b"=").decode("ascii") + "/" + namespace
    return {"name": name, "process": {"host": host, "pid": pid, "start": start}}
