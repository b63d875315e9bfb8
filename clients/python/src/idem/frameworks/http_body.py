"""The body of a request, kept for the handler, and the digest by which two requests are compared."""

from __future__ import annotations

import decimal
import hashlib
import json
import mmap
import re
import tempfile
import urllib.parse
from typing import IO, Any, Dict, List, Optional, Tuple, Union, cast

_IN_MEMORY = 1 << 20
_CHUNK = 1 << 16
_LONGEST_LINE = 8192
_MOST_LINES = 100
_LONGEST_NUMBER = 1000
_LONGEST_OF_A_DOUBLE = 25
#: Of all numbers in a canonical text: 1e999 is two hundred times as long there. All languages have the same number.
_MOST_FILLING = 100_000

Bytes = Union[bytes, mmap.mmap]


class Body:
    """The bytes of a request: in memory up to 1 MiB, in a private file beyond that."""

    def __init__(self) -> None:
        self._file = cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))
        self.size = 0

    def write(self, chunk: bytes) -> None:
        self._file.write(chunk)
        self.size += len(chunk)

    def read_from_the_start(self) -> IO[bytes]:
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        self._file.close()

    def digest(self, content_type: str) -> str:
        """Equal for bodies with the same values: JSON, forms and multipart are compared by content, others by bytes."""
        media = media_type(content_type)
        try:
            if self.size <= _IN_MEMORY and (media == "application/json" or media.endswith("+json")):
                return "values:" + _sha256(canonical_json(self._whole()))
            if self.size <= _IN_MEMORY and media == "application/x-www-form-urlencoded":
                return "values:" + _sha256(_canonical(_fields(self._whole())))
            if media.startswith("multipart/") and self.size:
                parts = self._parts(content_type)
                if parts is not None:
                    return "values:" + _sha256(_canonical(parts))
        except (ValueError, RecursionError, decimal.InvalidOperation):
            # The handler will judge it. Here its bytes are enough to tell it from another body.
            pass
        digest = hashlib.sha256()
        content = self.read_from_the_start()
        for chunk in iter(lambda: content.read(_CHUNK), b""):
            digest.update(chunk)
        return "bytes:" + digest.hexdigest()

    def _whole(self) -> bytes:
        return self.read_from_the_start().read()

    def _parts(self, content_type: str) -> Optional[List[Dict[str, str]]]:
        if self.size <= _IN_MEMORY:
            return multipart(self._whole(), content_type)
        self._file.flush()
        with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return multipart(content, content_type)


def media_type(content_type: str) -> str:
    return content_type.split(";", 1)[0].strip().lower()


def canonical_json(text: bytes) -> str:
    """The canonical text of RFC 8785, by which all languages compare: the order of names, spaces and the spelling of
    numbers do not count.

    ValueError for what is no JSON, such as NaN, or has a name twice.
    """

    def refused(constant: str) -> Any:
        raise ValueError("%s is no JSON" % constant)

    def unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ValueError("a name is there twice")
        return members

    value = json.loads(
        text.decode("utf-8"), parse_float=decimal.Decimal, parse_constant=refused, object_pairs_hook=unique
    )
    return _canonical(value)


def _canonical(value: Any) -> str:
    filling = 0

    def text(value: Any) -> str:
        nonlocal filling
        if isinstance(value, dict):
            # By the units of UTF-16, as JavaScript and Java sort.
            names = sorted(value, key=lambda name: cast(bytes, name.encode("utf-16-be", "surrogatepass")))
            return "{%s}" % ",".join("%s:%s" % (_text(name), text(value[name])) for name in names)
        if isinstance(value, list):
            return "[%s]" % ",".join(map(text, value))
        if isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool):
            number = decimal.Decimal(value)
            written = _number(number)
            if len(written) > _LONGEST_OF_A_DOUBLE:
                filling += len(written) - len("".join(map(str, number.as_tuple().digits)).strip("0"))
                if filling > _MOST_FILLING:
                    raise ValueError("its numbers have too many zeros")
            return written
        return _text(value)

    return text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(number: decimal.Decimal) -> str:
    """As ECMAScript writes it; one that a double does not hold exactly is written digit for digit."""
    _, digits, exponent = number.as_tuple()
    if len(digits) > _LONGEST_NUMBER or abs(int(exponent)) > _LONGEST_NUMBER:
        raise ValueError("a number is too long")
    nearest = decimal.Decimal(repr(float(number)))
    if not nearest.is_finite() or nearest != number:
        plain = format(number, "f")
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    _, digits, exponent = nearest.as_tuple()
    text = "".join(map(str, digits)).strip("0")
    if not text:
        return "0"
    sign, point = "-" if number < 0 else "", nearest.adjusted() + 1
    if point > 21 or point <= -6:
        fraction = "." + text[1:] if text[1:] else ""
        return "%s%s%se%+d" % (sign, text[0], fraction, point - 1)
    if point <= 0:
        return "%s0.%s%s" % (sign, "0" * -point, text)
    whole, fraction = text[:point].ljust(point, "0"), text[point:]
    return sign + whole + ("." + fraction if fraction else "")


def _fields(form: bytes) -> Dict[str, List[str]]:
    """The fields of a form. The order of the values counts for each name, the order of the names does not."""
    fields: Dict[str, List[str]] = {}
    for field in filter(None, form.decode("latin-1").split("&")):
        name, _, value = field.partition("=")
        fields.setdefault(_decoded(name), []).append(_decoded(value))
    return fields


def _decoded(text: str) -> str:
    if re.search("%(?![0-9a-fA-F]{2})", text):
        raise ValueError("a field is not encoded as it should be")
    return urllib.parse.unquote_plus(text, encoding="latin-1")


def multipart(content: Bytes, content_type: str) -> Optional[List[Dict[str, str]]]:
    """Name, file name and digest of each part (RFC 2046); None where it is not well-formed.

    The boundary does not count: it changes with every retry.
    """
    named = re.search(r';\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))', content_type, re.IGNORECASE)
    if named is None:
        return None
    delimiter = b"\r\n--" + (named.group(1) or named.group(2)).encode("latin-1")
    # The first boundary may stand at the very beginning, without the line break.
    if content[: len(delimiter) - 2] == delimiter[2:]:
        at = len(delimiter) - 2
    else:
        found = content.find(delimiter)
        if found < 0:
            return None
        at = found + len(delimiter)
    parts: List[Dict[str, str]] = []
    while True:
        rest, at = _line(content, at)
        if rest is None or not (rest.startswith("--") or not rest.strip()):
            return None
        if rest.startswith("--"):
            return parts
        part, at = _part_names(content, at)
        end = content.find(delimiter, at)
        if part is None or end < 0:
            return None
        digest = hashlib.sha256()
        for start in range(at, end, _CHUNK):
            digest.update(content[start : min(start + _CHUNK, end)])
        part["sha256"] = digest.hexdigest()
        parts.append(part)
        at = end + len(delimiter)


def _line(content: Bytes, at: int) -> Tuple[Optional[str], int]:
    end = content.find(b"\n", at, at + _LONGEST_LINE)
    if end < 0:
        last = content[at : at + _LONGEST_LINE]
        # The last boundary needs no line break.
        return (last.decode("latin-1") if last.startswith(b"--") else None), at + len(last)
    return content[at:end].decode("latin-1").rstrip("\r"), end + 1


def _part_names(content: Bytes, at: int) -> Tuple[Optional[Dict[str, str]], int]:
    names: Dict[str, str] = {}
    for _ in range(_MOST_LINES):
        line, at = _line(content, at)
        if line is None:
            return None, at
        if not line:
            return names, at
        if line.lower().startswith("content-disposition:"):
            pattern = r';\s*(name|filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.){0,1000})"|([^\s;"]*))'
            for name, quoted, bare in re.findall(pattern, line, re.IGNORECASE):
                names[name.lower()] = quoted or bare
    return None, at


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
