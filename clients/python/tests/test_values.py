"""Identities and results."""

import dataclasses
import datetime as dt
import decimal
import enum
import json
import logging
import os
import types
import typing
import unittest
import uuid
from decimal import Decimal

from . import support
from idem import NotExecuted, Refused, ResultUnavailable, reading, values
from idem.carrier import read
from idem.values import NoForm

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "identity-vectors.jsonl")
UTC = dt.timezone.utc


class Effect(enum.Enum):
    WRITE = "w"
    READ = "r"


class Colour(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


@dataclasses.dataclass(frozen=True)
class Receipt:
    id: str
    cents: int
    at: typing.Optional[dt.datetime] = None
    effect: Effect = Effect.WRITE
    price: Decimal = Decimal("1.10")


@dataclasses.dataclass
class Order:
    receipts: typing.List[Receipt]
    by_name: typing.Dict[str, Receipt]
    best: typing.Optional[Receipt] = None
    pair: typing.Tuple[int, Receipt] = (0, Receipt("", 0))


class Point(typing.NamedTuple):
    x: int
    at: dt.date


#: What a program in Python has where the vector has JSON; the others are sent as Python reads them.
NATIVE = {
    "an instant": {"at": dt.datetime(2026, 11, 18, 10, 14, 2, tzinfo=dt.timezone(dt.timedelta(hours=1)))},
    "a date": {"on": dt.date(2026, 11, 18)},
    "a duration": {"for": dt.timedelta(minutes=90)},
    "the double 1.0": {"n": 1.0},
    "the decimal 1.10": {"n": Decimal("1.10")},
    "the decimal 1.1": {"n": Decimal("1.1")},
    "2^53 + 1": {"n": 2**53 + 1},
    "a big integer": {"n": 123456789012345678901234567890},
    "a small number": {"n": 1e-7},
    "a large number": {"n": Decimal("1e+21")},
    "minus zero": {"n": -0.0},
    "an enum": {"effect": Effect.WRITE},
    "a UUID": {"id": uuid.UUID("0b7f4c1e-9d7a-4d53-8f7e-2f7c3f1a9b11")},
    "bytes": {"data": b"\x00\x01\xff"},
    "a field that is null": {"a": 1, "b": None},
    "a list": (1, "two", []),
}


class VectorsTest(support.Case):
    def test_nativeValuesGiveTheKeysOfTheVectors(self):
        with open(VECTORS, encoding="utf-8") as file:
            vectors = [json.loads(line) for line in file]
        self.assertGreater(len(vectors), 20)
        self.assertEqual(set(NATIVE) - {each["name"] for each in vectors}, set())
        for vector in vectors:
            with self.subTest(vector["name"], occurrence=vector["occurrence"]):
                native = NATIVE.get(vector["name"], vector["identity"])
                answer = support.shared().ask(
                    "key",
                    scope=vector["scope"],
                    operation=vector["operation"],
                    occurrence=vector["occurrence"],
                    identity=values.identity(native),
                )
                self.assertEqual(answer["key"], vector["key"])
                self.assertEqual(answer["canonical"], vector["canonical"])


class IdentityTest(unittest.TestCase):
    def refuses(self, value, word):
        with self.assertRaisesRegex(NoForm, word):
            values.identity(value)

    def test_whatHasNoSingleFormIsRefused(self):
        self.refuses({"at": dt.datetime(2026, 11, 18)}, "identity.at is a datetime without a time zone")
        self.refuses({"of": {1, 2}}, "a set")
        self.refuses([1, float("nan")], r"identity\[1\] is nan")
        self.refuses({"n": float("-inf")}, "inf")
        self.refuses({"n": Decimal("NaN")}, "NaN")
        for n in (2.0**53, -(2.0**53), 2.0**53 + 2):
            self.refuses({"n": n}, "2\\*\\*53")
        self.refuses({"n": object()}, "identity.n is an object")
        self.refuses({"n": lambda: 1}, "function")
        self.refuses("\ud800", "surrogate")
        self.refuses({1: "a", "1": "b"}, "'1' twice")
        self.refuses({1.5: "a"}, "names are texts")
        around = []
        around.append(around)
        self.refuses(around, "contains itself")

    def test_aNumberThatNoServerReadsIsRefused(self):
        """The ledger reads numbers of up to 1000 characters; a longer result was told as not recorded."""
        for n in (10**1000, -(10**999), Decimal(10**1000), Decimal("1e1001"), Decimal("1e-1001")):
            self.refuses({"n": n}, "identity.n is a number .*give it as a text")
            with self.assertRaisesRegex(NoForm, "the result is a number .*give it as a text"):
                values.result(n)

    def test_floatsAndExactIntegersAreFine(self):
        self.assertEqual(values.identity([0.1, 2.0**53 - 1, 10**999]), "[0.1,9007199254740991.0,%d]" % 10**999)

    def test_membersThatEqualTheirValueAreThatValue(self):
        self.assertEqual(values.identity([Colour.RED, Level.LOW, Effect.READ]), '["red",1,"READ"]')

    def test_aDataclassIsItsFields(self):
        self.assertEqual(json.loads(values.identity(Point(1, dt.date(2026, 1, 2)))), [1, "2026-01-02"])
        self.assertEqual(
            json.loads(values.identity(Receipt("a", 1))),
            {"id": "a", "cents": 1, "at": None, "effect": "WRITE", "price": 1.1},
        )

    def test_momentsAndDurationsAreWrittenAsJavaDoes(self):
        self.assertEqual(values.instant(dt.datetime(2026, 1, 2, 3, 4, 5, 120000, UTC)), "2026-01-02T03:04:05.120Z")
        self.assertEqual(values.instant(dt.datetime(2026, 1, 2, 3, 4, 5, 123456, UTC)), "2026-01-02T03:04:05.123456Z")
        for seconds, text in [(0, "PT0S"), (-90, "PT-1M-30S"), (-0.5, "PT-0.5S"), (3661.25, "PT1H1M1.25S")]:
            self.assertEqual(values.duration(dt.timedelta(seconds=seconds)), text)


class ResultTest(unittest.TestCase):
    def comes_back(self, value, how):
        self.assertEqual(reading.value(read(values.result(value)), how), value)

    def test_resultsComeBackAsTheDeclaredType(self):
        now = dt.datetime(2026, 11, 18, 9, 14, 2, 5, UTC)
        receipt = Receipt("ch_1", 4200, now, Effect.READ, Decimal("4.20"))
        self.comes_back(receipt, Receipt)
        self.comes_back([receipt], typing.List[Receipt])
        self.comes_back({"a": [receipt]}, typing.Dict[str, typing.List[Receipt]])
        self.comes_back(Order([receipt], {"x": receipt}, receipt, (1, receipt)), Order)
        self.comes_back(None, typing.Optional[Receipt])
        self.comes_back(receipt, typing.Optional[Receipt])
        self.comes_back(now, dt.datetime)
        self.comes_back(dt.datetime(2026, 1, 2), dt.datetime)
        self.comes_back(dt.date(2026, 1, 2), dt.date)
        self.comes_back(dt.time(9, 30), dt.time)
        self.comes_back(dt.timedelta(days=-1, microseconds=7), dt.timedelta)
        self.comes_back(Decimal("123456789012345678901234567890.10"), Decimal)
        self.comes_back(uuid.uuid4(), uuid.UUID)
        self.comes_back(b"\x00\xff", bytes)
        self.comes_back({1, 2}, typing.Set[int])
        self.comes_back((1, "a"), typing.Tuple[int, str])
        self.comes_back((1, 2, 3), typing.Tuple[int, ...])
        self.comes_back(Colour.RED, Colour)
        self.comes_back(Point(1, dt.date(2026, 1, 2)), Point)
        self.comes_back({1: Level.LOW}, typing.Dict[int, Level])
        self.comes_back([0.1, 10**30, "ä", None, True], typing.Any)

    def test_digitsOfAnotherLanguageAreKept(self):
        self.assertEqual(str(reading.value(read("4.20"), Decimal)), "4.20")
        self.assertEqual(repr(reading.value(read("[4.20]"), typing.Any)), "[4.2]")
        self.assertEqual(
            reading.value(read('"2026-11-18T09:14:02.123456789Z"'), dt.datetime),
            dt.datetime(2026, 11, 18, 9, 14, 2, 123456, UTC),
        )

    def test_aUnionOfLookAlikesIsNotGuessed(self):
        @dataclasses.dataclass
        class Refund:
            id: str
            cents: int

        with self.assertRaises(NoForm):
            reading.value({"id": "a", "cents": 1}, typing.Union[Refund, Receipt])
        self.assertEqual(reading.value("a", typing.Union[int, str]), "a")
        self.assertEqual(reading.value(1, typing.Union[int, str]), 1)
        day = dt.date(2026, 1, 2)
        self.assertEqual(reading.value("2026-01-02", typing.Union[dt.date, int]), day)

    def test_modelsOfPydanticComeBack(self):
        try:
            import pydantic
        except ImportError:
            self.skipTest("needs pydantic")

        class Item(pydantic.BaseModel):
            price: decimal.Decimal
            at: dt.datetime

        class Cart(pydantic.BaseModel):
            items: typing.List[Item]

        cart = Cart(items=[Item(price=Decimal("4.20"), at=dt.datetime(2026, 1, 2, tzinfo=UTC))])
        self.comes_back(cart, Cart)
        self.comes_back([cart], typing.List[Cart])
        back = reading.value(read(values.result(cart)), Cart)
        self.assertEqual(str(back.items[0].price), "4.20")
        self.assertEqual(json.loads(values.identity(cart))["items"][0]["at"], "2026-01-02T00:00:00Z")

    def test_modelsOfPydantic2ComeBack(self):
        class Model:
            """As pydantic 2 behaves."""

            model_fields = {"price": types.SimpleNamespace(annotation=Decimal)}

            def __init__(self, price):
                self.price = price

            def model_dump(self, mode="python", by_alias=False):
                return {"price": str(self.price) if mode == "json" else self.price}

            @classmethod
            def model_validate(cls, data):
                return cls(Decimal(data["price"]))

        Model.__module__ = "pydantic.main"
        stored = values.result([Model(Decimal("4.20"))])
        self.assertEqual(stored, '[{"price":"4.20"}]')
        self.assertEqual(str(reading.value(read(stored), typing.List[Model])[0].price), "4.20")
        self.assertEqual(values.identity(Model(Decimal("4.20"))), '{"price":4.20}')


class StoredTest(support.Case):
    def test_theFirstCallerGetsTheStoredValueToo(self):
        idem = support.shared()

        def charge(call) -> Receipt:
            return Receipt("ch_1", 1, dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=2))))

        key = support.fresh()
        first = idem.operation("typed", key=key).run(charge)
        again = idem.operation("typed", key=key).run(charge)
        self.assertIsInstance(first, Receipt)
        self.assertEqual(first, again)
        plain = idem.operation("typed", key=support.fresh()).run(lambda: (1, dt.date(2026, 1, 2)))
        self.assertEqual(plain, [1, "2026-01-02"])

    def test_whatHasNoFormIsRecordedAsUnavailableAndTheCallerKeepsIt(self):
        idem = support.shared()
        key, value = support.fresh(), object()
        with self.assertLogs("idem", logging.WARNING) as logs:
            outcome = idem.operation("formless", key=key).attempt(lambda: value)
        self.assertIs(outcome.value, value)
        self.assertEqual(outcome.kind, "done")
        self.assertIn("is not kept", logs.output[0])
        with self.assertRaises(ResultUnavailable) as caught:
            idem.operation("formless", key=key).run(lambda: value)
        self.assertIn("Do not repeat it", caught.exception.for_model())

    def test_aResultThatTheDeclaredTypeCanNotReadIsNotKept(self):
        idem = support.shared()

        def wrong() -> Receipt:
            return {"unexpected": 1}  # type: ignore

        with self.assertLogs("idem", logging.WARNING):
            outcome = idem.operation("wrong", key=support.fresh()).attempt(wrong)
        self.assertEqual(outcome.value, {"unexpected": 1})

    def test_aLargeResultIsNotKept(self):
        idem = support.shared()
        key = support.fresh()
        with self.assertLogs("idem", logging.WARNING):
            outcome = idem.operation("large", key=key).attempt(lambda: "x" * (17 << 20))
        self.assertEqual((outcome.kind, len(outcome.value)), ("done", 17 << 20))
        self.assertEqual(idem.find("large", key).state, "complete")

    def test_anAnnotationThatCanNotBeReadIsRefusedBeforeAnythingRuns(self):
        ran = []

        def act():
            ran.append(1)

        act.__annotations__["return"] = "Missing"
        with self.assertRaisesRegex(Refused, "returning="):
            support.shared().operation("missing", key=support.fresh()).run(act)
        self.assertEqual(ran, [])

    def test_anIdentityWithoutAFormIsRefusedBeforeAnythingRuns(self):
        with self.assertRaisesRegex(Refused, "time zone"):
            support.shared().operation("naive", scope="s", identity={"at": dt.datetime.now()})

    def test_notExecutedIsNoValue(self):
        # Raised it frees the key; returned it is an object without a form, as any other.
        with self.assertLogs("idem", logging.WARNING):
            outcome = support.shared().operation("odd", key=support.fresh()).attempt(lambda: NotExecuted())
        self.assertEqual(outcome.kind, "done")
