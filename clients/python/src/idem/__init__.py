"""
Makes what an agent does happen once.

    from idem import Idem

    idem = Idem.open()

    @idem.once(identity=["customer", "cents"])
    def charge(customer, cents, note=""):
        ...

    with idem.scope("order-7"):
        charge("cus_1", 4200)
"""

from .call import Call, Doubted, Happened
from .client import About, Entry, Idem, Session
from .definite import connection_refused
from .ensure import Ensured
from .errors import (
    Conflict,
    Denied,
    Expired,
    Failed,
    Held,
    IdemError,
    InDoubt,
    InFlight,
    LedgerUnavailable,
    Lost,
    NotExecuted,
    Refused,
    ResultUnavailable,
    Unrecorded,
)
from .guarding import GuardedCall
from .operation import Guard, Operation
from .outcome import Outcome
from .reading import Codec
from .tool import Tool, ToolAnswer, guard_tool

__version__ = "0.1.0"

__all__ = [
    "About",
    "Call",
    "Codec",
    "Conflict",
    "Denied",
    "Doubted",
    "Ensured",
    "Entry",
    "Expired",
    "Failed",
    "Guard",
    "GuardedCall",
    "Happened",
    "Held",
    "Idem",
    "IdemError",
    "InDoubt",
    "InFlight",
    "LedgerUnavailable",
    "Lost",
    "NotExecuted",
    "Operation",
    "Outcome",
    "Refused",
    "ResultUnavailable",
    "Session",
    "Tool",
    "ToolAnswer",
    "Unrecorded",
    "connection_refused",
    "guard_tool",
]
