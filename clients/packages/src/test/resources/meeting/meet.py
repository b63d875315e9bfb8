"""Calls each vector on each ledger, and prints how that ended. Arguments: vectors file, URLs of ledgers."""
import datetime as dt, enum, json, sys, uuid
from decimal import Decimal
from idem import Idem


class Effect(enum.Enum):
    WRITE = "w"


NATIVE = {
    "an instant": {"at": dt.datetime(2026, 11, 18, 10, 14, 2, tzinfo=dt.timezone(dt.timedelta(hours=1)))},
    "a date": {"on": dt.date(2026, 11, 18)},
    "a duration": {"for": dt.timedelta(minutes=90)},
    "the double 1.0": {"n": 1.0},
    "the decimal 1.10": {"n": Decimal("1.10")},
    "2^53 + 1": {"n": 2**53 + 1},
    "a large number": {"n": Decimal("1e+21")},
    "an enum": {"effect": Effect.WRITE},
    "a UUID": {"id": uuid.UUID("0b7f4c1e-9d7a-4d53-8f7e-2f7c3f1a9b11")},
    "bytes": {"data": b"\x00\x01\xff"},
}
with open(sys.argv[1], encoding="utf-8") as file:
    vectors = [json.loads(line) for line in file]
for ledger in sys.argv[2:]:
    with Idem.open(ledger) as idem:
        for vector in vectors:
            identity = NATIVE.get(vector["name"], vector["identity"])
            where = {"scope": vector["scope"], "occurrence": vector["occurrence"], "identity": identity}
            outcome = idem.operation(vector["operation"], **where).attempt(lambda: vector["identity"])
            print(outcome.kind, outcome.key, json.dumps(outcome.value))
