"""The rules of idempotency keys over HTTP: keys, problems, and which responses are kept. It knows no server.

They are those of docs/http.md, and so are the names of scopes and operations and the form of a stored response.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import email.utils
import enum
import hashlib
import json
import re
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple

Headers = List[Tuple[str, str]]

KEY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotent-Replayed"
EXPIRES_HEADER = "Idempotency-Expires"
RECORDED_HEADER = "Idempotent-Recorded"

_LONGEST_KEY = 255
_LONGEST_NAME = 255
_NOT_FINAL = frozenset({408, 421, 423, 425, 429})
_URN = "urn:idem:problem:"
_MEDIA_TYPE = "application/problem+json"


class Problem(enum.Enum):
    """A refusal (RFC 9457): its status, its title, and a sentence that tells the client what to do next."""

    KEY_MISSING = (
        400,
        "%s is missing",
        "This request needs a key. Send it again with the header %s and a new unique value, for instance a UUID in "
        "quotes. Nothing was executed.",
    )
    KEY_MALFORMED = (
        400,
        "%s is malformed",
        "Send the request again with one line of the header %s that has a quoted string of 1 to 255 printable ASCII "
        "characters, for instance a UUID in quotes. Nothing was executed.",
    )
    PRINCIPAL_MISSING = (
        401,
        "The caller is not authenticated",
        "A request with the header %s needs an authenticated caller, since keys belong to their caller. "
        "Authenticate, then send the same request again. Nothing was executed.",
    )
    PATH_AMBIGUOUS = (
        400,
        "The path is ambiguous",
        "The path of this request has an encoded slash, a backslash or a NUL, which servers read in different ways. "
        "Send the request again without them. Nothing was executed.",
    )
    BODY_TOO_LARGE = (
        413,
        "The body is too large",
        "The body of this request is larger than requests with the header %s may be. Send less at a time. Nothing "
        "was executed.",
    )
    IN_FLIGHT = (
        409,
        "A request is outstanding for this %s",
        "The first request with this key still runs. Wait a second, then send the same request with the same %s to "
        "get its response. This request executed nothing.",
    )
    IN_DOUBT = (
        409,
        "The outcome of the first request is unknown",
        "The first request with this key may or may not have taken effect, and it was not executed again. Do not "
        "send it with a new %s: that could do the work twice. Ask the operator of this service to resolve "
        "it, then send the same request with the same key to get the response.",
    )
    RESULT_NOT_KEPT = (
        409,
        "The response was not kept",
        "The first request with this key was executed, but its response was too large or was streamed, so it can't "
        "be sent again. Look up the result by other means. Use a new %s only for new work. This request "
        "executed nothing.",
    )
    EXPIRED = (
        410,
        "%s has expired",
        "A request with this key was executed long ago, and its response is no longer kept. Use a new %s for new "
        "work. This request executed nothing.",
    )
    KEY_REUSED = (
        422,
        "%s is already used",
        "The first request with this key had another path, query or body. Send that request unchanged, or use a new "
        "%s for this one. This request executed nothing.",
    )
    HELD = (
        202,
        "The request waits for approval",
        "A person has to approve this request before it is executed. Send the same request with the same %s later "
        "to get the response. Nothing was executed yet.",
    )
    NOT_EXECUTED = (
        503,
        "The request was not executed",
        "The service could not execute the request with this key, and nothing took effect. Wait a second, then "
        "send the same request with the same %s: it will be executed.",
    )
    LEDGER_UNAVAILABLE = (
        503,
        "The record of requests is unavailable",
        "The service can't tell whether this request was executed before, so it executed nothing. Send the same "
        "request with the same %s later.",
    )

    @property
    def status(self) -> int:
        return int(self.value[0])

    @property
    def detail(self) -> str:
        return str(self.value[2]).replace("%s", KEY_HEADER)

    @property
    def type(self) -> str:
        return _URN + self.name.lower().replace("_", "-")

    def response(self, detail: Optional[str] = None, challenge: str = "Bearer") -> Response:
        """The problem as a response."""
        members = {
            "type": self.type,
            "title": str(self.value[1]).replace("%s", KEY_HEADER),
            "status": self.status,
            "detail": detail or self.detail,
        }
        headers = [("Content-Type", _MEDIA_TYPE), ("Cache-Control", "no-store")]
        if self is Problem.PRINCIPAL_MISSING:
            headers.append(("WWW-Authenticate", challenge))
        elif self in (Problem.IN_FLIGHT, Problem.NOT_EXECUTED):
            headers.append(("Retry-After", "1"))
        elif self is Problem.LEDGER_UNAVAILABLE:
            headers.append(("Retry-After", "5"))
        return Response(self.status, headers, json.dumps(members).encode())


STEP_REFUSED = (
    "A step of this request was refused: it runs elsewhere, its outcome is unknown, or it was done with other "
    "values. Earlier steps may have taken effect. Do not send the request with a new %s: that could do the work "
    "twice. Ask the operator of this service to resolve it, then send the same request with the same key to get "
    "the response."
) % KEY_HEADER
NO_RESPONSE = (
    "The first request with this key was executed, but there is no response to send again: a person found that out and "
    "recorded none, or it could not be kept. Look up the result by other means. Use a new %s only for new work. This "
    "request executed nothing."
) % KEY_HEADER
DAMAGED = (
    "The first request with this key was executed, but the stored response is damaged, or has a form that this "
    "service can't read. Look up the result by other means. Use a new %s only for new work. This request executed "
    "nothing."
) % KEY_HEADER


class Ending(enum.Enum):
    """What a response of the handler means for its key."""

    FINAL = "final"
    RELEASED = "released"
    DOUBTFUL = "doubtful"


@dataclasses.dataclass
class Response:
    """A response that is held in memory."""

    status: int
    headers: Headers = dataclasses.field(default_factory=list)
    body: bytes = b""

    def all(self, name: str) -> List[str]:
        return [value for known, value in self.headers if known.lower() == name.lower()]

    def set(self, name: str, value: str) -> None:
        """Sets a header, in place of others with its name."""
        self.headers = [header for header in self.headers if header[0].lower() != name.lower()] + [(name, value)]

    def is_problem(self) -> bool:
        """Whether another guard refused with it."""
        if not any(kind.startswith(_MEDIA_TYPE) for kind in self.all("Content-Type")):
            return False
        try:
            members = json.loads(self.body)
        except (ValueError, RecursionError):
            return False
        return isinstance(members, dict) and str(members.get("type")).startswith(_URN)


@dataclasses.dataclass(frozen=True)
class Meanings:
    """The meaning of each status: the usual one, unless it was declared."""

    final: frozenset[int]
    released: frozenset[int]
    doubtful: frozenset[int]

    @staticmethod
    def of(final: Iterable[int], released: Iterable[int], doubtful: Iterable[int]) -> Meanings:
        meanings = Meanings(frozenset(final), frozenset(released), frozenset(doubtful))
        both = (meanings.final & meanings.released) | (meanings.doubtful & (meanings.final | meanings.released))
        if both:
            raise ValueError("a status has one meaning; declared twice: %s" % sorted(both))
        return meanings

    def ending(self, response: Response) -> Ending:
        status = response.status
        if status in self.final:
            return Ending.FINAL
        if status in self.released:
            return Ending.RELEASED
        if status in self.doubtful:
            return Ending.DOUBTFUL
        if status == 409:
            # "Still in progress" says nothing about the end.
            return Ending.DOUBTFUL if response.all("Retry-After") or response.is_problem() else Ending.FINAL
        return Ending.FINAL if 200 <= status < 500 and status not in _NOT_FINAL else Ending.DOUBTFUL


class Malformed(ValueError):
    """The key can't be read; the message says why and does not repeat the text."""


@dataclasses.dataclass(frozen=True)
class Key:
    """A key as a client sent it."""

    value: str
    quoted: bool

    @staticmethod
    def parse(lines: Sequence[str]) -> Key:
        if len(lines) != 1:
            raise Malformed("there are %d header lines" % len(lines))
        text = lines[0].strip(" \t")
        key = Key(_unquoted(text), True) if text.startswith('"') else Key(_bare(text), False)
        if not key.value.strip():
            raise Malformed("it is empty")
        if len(key.value) > _LONGEST_KEY:
            raise Malformed("it has more than %d characters" % _LONGEST_KEY)
        return key

    def echo(self) -> str:
        """The key in the form in which it was sent, for the response."""
        return '"%s"' % self.value.replace("\\", "\\\\").replace('"', '\\"') if self.quoted else self.value


def _unquoted(text: str) -> str:
    found = re.match(r'"((?:[^"\\]|\\["\\])*)"[ \t]*(?:;.*)?\Z', text, re.DOTALL)
    if found is None:
        raise Malformed("the closing quote is missing, something follows it, or a backslash has no quote after it")
    value = re.sub(r"\\(.)", r"\1", found.group(1))
    if re.search("[^ -~]", value):
        raise Malformed("it has a character that is not printable ASCII")
    return value


def _bare(text: str) -> str:
    if re.search("[^!-~]", text):
        raise Malformed("it has a character that is not printable ASCII, or an unquoted space")
    if re.search('[,"]', text):
        # A comma may stem from two header lines that a proxy has joined.
        raise Malformed("a comma or a quote is only allowed in a quoted string")
    return text


_STORED = frozenset(
    "allow content-disposition content-encoding content-language content-location content-type etag last-modified link "
    "location preference-applied retry-after vary".split()
)
# Secrets of one client, headers of one connection, and headers that a replay or the server sets anew.
_NEVER_STORED = frozenset(
    "age authentication-info authorization cache-control connection content-length cookie date keep-alive set-cookie "
    "set-cookie2 te trailer transfer-encoding upgrade www-authenticate".split()
)


class StoredHeaders:
    """The names of the response headers that are kept. A name that ends with * is a prefix."""

    def __init__(self, more: Iterable[str] = ()):
        self._names = set(_STORED)
        for name in more:
            if self._is_never_stored(name.lower()):
                raise ValueError(
                    "the header %s is never stored: it holds a secret of one client, belongs to one connection, or is "
                    "set anew for a replay. Leave it out" % name
                )
            self._names.add(name.lower())

    def stores(self, name: str) -> bool:
        lower = name.lower()
        if self._is_never_stored(lower):
            return False
        return lower in self._names or any(
            lower.startswith(known[:-1]) for known in self._names if known.endswith("*")
        )

    @staticmethod
    def _is_never_stored(lower: str) -> bool:
        return (
            lower in _NEVER_STORED
            or lower.endswith("-token")
            or lower.startswith(("proxy-", "idempoten"))
            or "ratelimit" in lower
            or "rate-limit" in lower
        )


def stored(response: Response, headers: StoredHeaders, kept: bool) -> dict[str, Any]:
    """A response as the entry keeps it: without secrets, and without a body that is too long or was streamed."""
    lines: dict[str, List[str]] = {}
    for name, value in response.headers:
        if headers.stores(name):
            lines.setdefault(name, []).append(value)
    encoding, body = "not-kept", ""
    if kept:
        try:
            encoding, body = "text", response.body.decode("utf-8")
        except UnicodeDecodeError:
            encoding, body = "base64", base64.b64encode(response.body).decode("ascii")
    return {"version": 1, "status": response.status, "headers": lines, "encoding": encoding, "body": body}


def restored(value: Any) -> Optional[Response]:
    """The response to send again; None where its body was not kept, ValueError where it is damaged.

    Any value that is no stored response was given by a person: it is the body of a response with the status 200.
    """
    if not (isinstance(value, Mapping) and {"version", "status", "encoding"} <= set(value)):
        return Response(200, [("Content-Type", "application/json")], json.dumps(value).encode("utf-8"))
    status, encoding, body = value["status"], value["encoding"], value.get("body") or ""
    if value["version"] != 1 or encoding not in ("text", "base64", "not-kept"):
        raise ValueError("the stored response has a form that this release can't read")
    if not isinstance(status, int) or not 100 <= status <= 999:
        raise ValueError("the stored response has no status")
    if encoding == "not-kept":
        return None
    try:
        content = body.encode("utf-8") if encoding == "text" else base64.b64decode(body, validate=True)
    except binascii.Error as damaged:
        raise ValueError("the stored body is damaged") from damaged
    lines = [(name, line) for name, all_lines in (value.get("headers") or {}).items() for line in all_lines]
    return Response(status, lines, content)


def http_date(seconds: float) -> str:
    return email.utils.formatdate(seconds, usegmt=True)


def scope_of(caller: Sequence[str]) -> str:
    """The scope of a caller's keys: ``http:ann``, or ``http://acme/ann`` for one of several parts."""
    if len(caller) > 1:
        return _named("http://", "/".join(part.replace("%", "%25").replace("/", "%2F") for part in caller))
    # Else a name could pass for the parts of another caller.
    return "http:" + _digest(caller[0]) if caller[0].startswith("//") else _named("http:", caller[0])


def operation_of(method: str, route: str) -> str:
    return _named(method + " ", route)


def key_of(text: str) -> str:
    """The key of an entry: the text itself where that can be a key, else a digest of it."""
    if re.fullmatch("[!-~]{1,255}", text) and not re.fullmatch("id_[0-9a-f]{64}", text):
        return text
    return "id_" + hashlib.sha256(text.encode("utf-16-be", "surrogatepass")).hexdigest()


def _named(prefix: str, name: str) -> str:
    # A name that looks like a digest is digested too: else it could pass for the digest of another name.
    fits = (
        len(prefix) + len(name) <= _LONGEST_NAME
        and not name.startswith("sha256:")
        and not re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", name)
    )
    return prefix + (name if fits else _digest(name))


def _digest(name: str) -> str:
    return "sha256:" + hashlib.sha256(name.encode("utf-16-be", "surrogatepass")).hexdigest()
