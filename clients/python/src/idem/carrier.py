"""What carriers of requests have in common: the pipe to a server of our own, and HTTP to another one."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Dict, NamedTuple, Protocol, Union

from .clocks import Moment
from .ways import Mailbox

#: Errors after which the same request is sent again.
AGAIN = ("busy", "ledger_unavailable", "internal")


class Answer(NamedTuple):
    """An answer; ``sent`` is when the copy of the request that it answers was sent."""

    sent: Moment
    result: Dict[str, Any]


class Problem(NamedTuple):
    """There is no answer, and this is why."""

    sent: Moment
    code: str
    message: str


class Gone(NamedTuple):
    """The connection was lost, and the request may have arrived."""

    sent: Moment


class Carrier(Protocol):
    """Sends requests. An answer, a problem or a loss is put into the box of its request, in any order."""

    #: ``pipe``, ``socket`` or ``url``.
    way: str
    #: When something was last heard, in seconds of the monotonic clock.
    heard: float

    def send(self, method: str, params: str, box: Mailbox, seconds: float) -> Any:
        """Sends a request, whose params are a JSON object. The answer is awaited for so long at most."""

    def forget(self, request: Any) -> None:
        """Nobody waits for this answer any more."""

    def is_lost(self) -> bool: ...

    def kill(self) -> None:
        """Ends a server that has stopped answering, if it is ours."""

    def close(self, seconds: float) -> None: ...

    def abandon(self) -> None:
        """Lets go of what belongs to the parent process, after a fork."""


_decoder = json.JSONDecoder(parse_float=Decimal)


def read(text: Union[str, bytes]) -> Any:
    """Reads JSON. Numbers with a fraction keep their digits."""
    return _decoder.decode(text if isinstance(text, str) else text.decode("utf-8"))
