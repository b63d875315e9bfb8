"""Objects as identities and as results: what two different objects must not share."""

import dataclasses
import datetime as dt
import decimal
import enum
import json
import types
import typing
import unittest

from idem import ResultUnavailable, reading, records, values
from idem.documents import IdempKey
from idem.values import NoForm

from . import support

try:
    import pydantic
except ImportError:
    pydantic = None

TWO = pydantic is not None and pydantic.VERSION.startswith("2.")
UTC = dt.timezone.utc


@dataclasses.dataclass
class Method:
    number: str


@dataclasses.dataclass
class Card(Method):
    pass


@dataclasses.dataclass
class Account(Method):
    pass


@dataclasses.dataclass
class Transfer:
    number: str


class Kind(enum.Enum):
    ONE = 1


@dataclasses.dataclass
class Strict:
    key: str

    def __post_init__(self):
        raise ValueError("no key: %s" % self.key)


@dataclasses.dataclass
class Payment:
    by: Method
    others: typing.List[Method] = dataclasses.field(default_factory=list)
    to: typing.Union[Method, Transfer, None] = None
    note: typing.Any = None


if pydantic:

    class Means(pydantic.BaseModel):
        pass

    class ByCard(Means):
        number: str

    class ByAccount(Means):
        iban: str

    class Bill(pydantic.BaseModel):
        by: Means
        nonce: str = pydantic.Field("", exclude=True)
        at: typing.Optional[dt.datetime] = None

    class Aliased(pydantic.BaseModel):
        cents: int = pydantic.Field(0, alias="amount")

    class Secret(pydantic.BaseModel):
        token: pydantic.SecretStr


def written(value):
    return json.loads(values.identity(value))


class DataclassTest(unittest.TestCase):
    def test_an_object_of_another_class_than_declared_says_so(self):
        self.assertEqual({"by": {"number": "1"}, "others": [], "to": None, "note": None}, written(Payment(Method("1"))))
        self.assertEqual({"class": "Card", "fields": {"number": "1"}}, written(Payment(Card("1")))["by"])
        self.assertNotEqual(written(Payment(Card("1"))), written(Payment(Account("1"))))
        lists = [written(Payment(Method("1"), [each("1")])) for each in (Method, Card, Account)]
        self.assertEqual([{"number": "1"}], lists[0]["others"])
        self.assertEqual(2, len({json.dumps(each) for each in lists[1:]}))

    def test_an_object_of_a_union_says_which_it_is_where_two_look_alike(self):
        self.assertNotEqual(written(Payment(Method("1"), to=Method("1"))), written(Payment(Method("1"), to=Transfer("1"))))

    def test_an_object_says_so_wherever_its_declaration_allows_another(self):
        class Numbered(typing.Protocol):
            number: str

        Either = typing.TypeVar("Either", Method, Transfer)
        Bound = typing.TypeVar("Bound", bound=Method)
        alias = types.SimpleNamespace(__value__=typing.Union[Method, Transfer])
        alias_type = type("TypeAliasType", (), vars(alias))()
        hidden = ("typing.Union[shop.Method, shop.Transfer]", "Method | Transfer", "Optional[Transfer | Method]")
        for declared in (*hidden, Numbered, Either, alias_type):
            forms = [values.identity(records.Field(kind("1"), declared)) for kind in (Method, Transfer)]
            self.assertEqual(2, len(set(forms)), declared)
        for declared in ("typing.Optional[shop.Method]", "list[Method] | None", Bound, Method, "typing.Any", "Method | Any"):
            self.assertEqual({"number": "1"}, written(records.Field(Method("1"), declared)), declared)
        self.assertEqual("Card", written(records.Field(Card("1"), Bound))["class"])

    def test_a_field_that_takes_anything_has_the_fields_alone(self):
        self.assertEqual({"number": "1"}, written(Payment(Method("1"), note=Card("1")))["note"])

    def test_a_class_whose_types_can_not_be_read_is_compared_by_its_names(self):
        @dataclasses.dataclass
        class Local:
            by: "typing.Optional[Method]"
            other: "typing.NotThere" = None

        self.assertEqual({"number": "1"}, written(Local(Method("1")))["by"])
        self.assertEqual("Card", written(Local(Card("1")))["by"]["class"])

    def test_what_contains_itself_is_refused(self):
        payment = Payment(Method("1"))
        payment.note = [payment]
        with self.assertRaisesRegex(NoForm, "contains itself"):
            values.identity(payment)

    def test_an_argument_says_so_too(self):
        ran = []

        @dataclasses.dataclass
        class Order:
            by: Method

        def pay(by: Method, order: Order) -> str:
            ran.append(type(by).__name__)
            return ran[-1]

        for fields in (None, ["by"], ["order.by"]):
            paid = support.shared().once("pay-%s" % fields, identity=fields, scope=support.fresh())(pay)
            for kind in (Method, Card, Account, Card):
                self.assertEqual(kind.__name__, paid(kind("1"), Order(kind("1"))))
        self.assertEqual(["Method", "Card", "Account"] * 3, ran)

    def test_an_object_that_is_called_has_the_types_of_its_call(self):
        @dataclasses.dataclass
        class Pay:
            by: Card

            def __call__(self, by: Method) -> str:
                return type(by).__name__

        class Slots:
            __slots__ = ("__name__", "__qualname__")

            def __call__(self, by: Method) -> str:
                return type(by).__name__

        for function in (Pay(Card("1")), Slots()):
            function.__name__ = function.__qualname__ = "pay"
            paid = support.shared().once("pay-object", scope=support.fresh())(function)
            self.assertEqual(["Method", "Card", "Account"], [paid(kind("1")) for kind in (Method, Card, Account)])

    def test_a_model_counts_with_all_of_its_fields_whatever_it_writes(self):
        """As pydantic 2 behaves, where that is not installed."""

        class Model:
            model_fields = {"by": types.SimpleNamespace(annotation=Method), "nonce": types.SimpleNamespace(annotation=str)}

            def __init__(self, by, nonce=""):
                self.by, self.nonce = by, nonce

            def model_dump(self, **how):
                return {"by": {}}

        Model.__module__ = "pydantic.main"
        calls = [Model(Method("1")), Model(Method("2")), Model(Card("1")), Model(Method("1"), "n")]
        self.assertEqual(4, len({values.identity(each) for each in calls}))

    def test_keys_of_the_documents_know_the_class_too(self):
        keys = {IdempKey.for_args("s", {"payment": Payment(each("1"))}) for each in (Method, Card, Account)}
        self.assertEqual(3, len(keys))
        plain = {"by": {"number": "1"}, "others": [], "to": None, "note": None}
        self.assertEqual(IdempKey.for_args("s", plain), IdempKey.for_args("s", Payment(Method("1"))))


@unittest.skipUnless(pydantic, "needs pydantic")
class ModelTest(unittest.TestCase):
    def test_a_model_counts_with_all_of_its_fields(self):
        bills = [Bill(by=each) for each in (ByCard(number="4111"), ByCard(number="4242"), ByAccount(iban="DE1"), Means())]
        # As pydantic 1 reads them, they are Means.
        bills = [bill if TWO else bill.copy(update={"by": each}) for bill, each in zip(bills, (b.by for b in bills))]
        self.assertEqual(4 if TWO else len({repr(b) for b in bills}), len({values.identity(bill) for bill in bills}))
        self.assertNotEqual(written(Bill(by=Means(), nonce="1")), written(Bill(by=Means(), nonce="2")))
        keys = {IdempKey.for_args("s", Bill(by=Means(), nonce=nonce)) for nonce in "12"}
        self.assertEqual(2, len(keys))

    def test_the_form_of_an_ordinary_model_stays(self):
        class Line(pydantic.BaseModel):
            price: float
            tags: typing.List[str] = []

        class Order(pydantic.BaseModel):
            id: int
            lines: typing.Dict[str, Line]
            first: typing.Optional[Line] = None
            at: typing.Optional[dt.datetime] = None
            kept: typing.Tuple[int, str] = (1, "a")

        order = Order(id=1, lines={"a": Line(price=1.5)}, first=Line(price=2, tags=["x"]), at=dt.datetime(2026, 1, 2, tzinfo=UTC))
        dumped = order.model_dump() if TWO else order.dict()
        self.assertEqual(values.identity(dumped), values.identity(order))
        as_json = order.model_dump(mode="json") if TWO else json.loads(order.json())
        self.assertEqual(IdempKey.for_args("s", as_json), IdempKey.for_args("s", order))

    def test_a_secret_is_no_part_of_a_key(self):
        for write in (values.identity, lambda value: IdempKey.for_args("s", value)):
            with self.assertRaises((TypeError, NoForm)):
                write(Secret(token="t-1"))

    def test_a_model_that_writes_itself_counts_with_what_it_holds(self):
        class Own(pydantic.BaseModel):
            id: str

            class Config:
                json_encoders = {str: lambda value: ""}

            def dump(self, **how):
                return {}

            locals()["model_dump" if TWO else "dict"] = dump

        for write in (values.identity, lambda value: IdempKey.for_args("s", value)):
            self.assertEqual(write({"id": "1"}), write(Own(id="1")))
            self.assertNotEqual(write(Own(id="1")), write(Own(id="2")))

    @unittest.skipIf(TWO, "of pydantic 1")
    def test_an_encoder_of_a_model_makes_no_two_calls_one(self):
        class Own(pydantic.BaseModel):
            at: dt.date

            class Config:
                json_encoders = {dt.date: lambda value: "some day"}

        keys = {IdempKey.for_args("s", Own(at=dt.date(2026, 1, day))) for day in (1, 2)}
        self.assertEqual(2, len(keys))
        self.assertEqual(keys, {IdempKey.for_args("s", {"at": "2026-01-0%d" % day}) for day in (1, 2)})


@unittest.skipUnless(TWO, "needs pydantic 2")
class SerializerTest(unittest.TestCase):
    def test_a_serializer_changes_no_key(self):
        class ByMethod(pydantic.BaseModel):
            id: str

            @pydantic.field_serializer("id")
            def short(self, value):
                return value[:1]

        class ByType(pydantic.BaseModel):
            id: typing.Annotated[str, pydantic.PlainSerializer(lambda value: value[:1])]

        class Price(pydantic.BaseModel):
            price: typing.Annotated[decimal.Decimal, pydantic.PlainSerializer(float)]

        for write in (values.identity, lambda value: IdempKey.for_args("s", value)):
            for kind in (ByMethod, ByType):
                self.assertEqual(write([{"id": "12"}]), write([kind(id="12")]))
                self.assertNotEqual(write(kind(id="12")), write(kind(id="13")))
            self.assertNotEqual(*(write(Price(price=each)) for each in ("1.00000000000000001", "1.00000000000000002")))

    def test_extra_fields_computed_ones_and_roots_count(self):
        class More(pydantic.BaseModel):
            model_config = {"extra": "allow"}
            id: str

            @pydantic.computed_field
            @property
            def twice(self) -> str:
                return self.id * 2

        class Ids(pydantic.RootModel):
            root: typing.List[int]

        for value in (More(id="1", other=2), Ids([1, 2]), {"a": Ids([1])}):
            dumped = value.model_dump() if isinstance(value, pydantic.BaseModel) else {"a": [1]}
            self.assertEqual(dumped, written(value))


class ResultTest(support.Case):
    def ending(self, value, returning=None):
        idem, key = support.shared(), support.fresh()
        with self.assertLogs("idem", "WARNING") as logs:
            first = idem.operation("kept", key=key, returning=returning).attempt(lambda: value)
        self.assertIs(value, first.value)
        self.assertIn("is not kept", logs.output[0])
        with self.assertRaises(ResultUnavailable):
            idem.operation("kept", key=key, returning=returning).run(lambda: value)
        return logs.output[0]

    def test_an_object_of_a_subclass_is_not_kept_as_the_declared_one(self):
        said = self.ending(Card("4111"), Method)
        self.assertIn("Card", said)
        self.assertNotIn("4111", said)
        self.ending([Payment(Card("1"))], typing.List[Payment])
        self.ending({"by": {"number": "1"}, "cents": 5}, Payment)

    @unittest.skipUnless(pydantic, "needs pydantic")
    def test_a_model_that_does_not_come_back_equal_is_not_kept(self):
        class Renamed(pydantic.BaseModel):
            cents: int = 0

            if TWO:
                cents: int = pydantic.Field(0, serialization_alias="amount")
            else:

                def json(self, **how):
                    return '{"amount": %d}' % self.cents

        self.ending(Renamed(cents=4200), Renamed)
        self.assertNotIn("t-1", self.ending(Secret(token="t-1"), Secret))
        self.ending(Secret(token="t-1"))
        if TWO:
            self.ending(Bill(by=ByCard(number="4111")), Bill)

    def test_why_a_result_is_not_kept_shows_nothing_of_it(self):
        class Wrong:
            def __init__(self, at):
                self.at = at

            def encode(self, value):
                return self.at("encode", value)

            def decode(self, value):
                return self.at("decode", value)

        def refuse(name):
            def at(step, value):
                if step == name:
                    raise ValueError("bad \ud800 4111")
                return value

            return Wrong(at)

        for returning in (refuse("encode"), refuse("decode")):
            self.assertNotIn("4111", self.ending("4111", returning))
        for given, kind in (("4111", Kind), ("4111", dt.timedelta), ({"key": "4111"}, Strict)):
            said = self.ending(given, kind)
            self.assertNotIn("4111", said)
            self.assertIn("ValueError" if kind is Strict else kind.__name__, said)
        self.ending({"\ud800": object()})
        if pydantic:
            self.assertNotIn("4111", self.ending({"number": 4111}, typing.List[ByCard]))

    def test_a_replay_shows_nothing_of_a_result_that_it_can_not_read(self):
        idem, key = support.shared(), support.fresh()
        idem.operation("kept", key=key).run(lambda: {"key": "4111"})
        again = idem.operation("kept", key=key, returning=Strict).attempt(lambda: None)
        self.assertEqual("ValueError", again.result_missing)
        self.assertNotIn("4111", again.message + again.for_model())

    def kept(self, value, returning=None, back=None):
        self.assertEqual(value if back is None else back, reading.back(values.result(value), value, returning or typing.Any))

    @unittest.skipUnless(TWO, "needs pydantic 2")
    def test_a_model_that_comes_back_equal_is_kept(self):
        T = typing.TypeVar("T")

        class Item(pydantic.BaseModel):
            id: int

        class Page(pydantic.BaseModel, typing.Generic[T]):
            items: typing.List[T]

        class Square(pydantic.BaseModel):
            side: int

            @pydantic.computed_field
            @property
            def now(self) -> str:
                return support.fresh()

        class Line(pydantic.BaseModel):
            at: dt.datetime
            cents: decimal.Decimal = pydantic.Field(alias="amount")
            square: typing.Optional[Square] = None

        found = reading.back('{"items":[{"id":1}]}', Page(items=[Item(id=1)]), Page[Item])
        self.assertEqual(Page[Item](items=[Item(id=1)]), found)
        with self.assertRaises(NoForm):
            reading.back('{"items":[{"id":1}]}', Page(items=[Card("1")]), Page[Item])
        self.assertEqual(2, reading.back(values.result(Square(side=2)), Square(side=2), Square).side)
        given = {"at": "2026-01-02T00:00:00Z", "amount": 5, "square": {"side": "2"}}
        self.assertEqual(2, reading.back(values.result(given), given, Line).square.side)
        with self.assertRaises(NoForm):
            reading.back(values.result({"id": 1, "cents": 5}), {"id": 1, "cents": 5}, Item)

    @unittest.skipUnless(pydantic, "needs pydantic")
    def test_a_dict_for_a_model_is_compared_as_the_model_reads_it(self):
        class Line(pydantic.BaseModel):
            at: dt.datetime
            cents: decimal.Decimal

        given = {"at": "2026-01-02T00:00:00Z", "cents": "5"}
        self.assertEqual(5, reading.back(values.result(given), given, Line).cents)

    @unittest.skipUnless(TWO, "needs pydantic 2")
    def test_a_dict_for_a_model_has_the_names_that_the_model_reads(self):
        class Line(pydantic.BaseModel):
            cents: int = pydantic.Field(validation_alias=pydantic.AliasChoices("amount", pydantic.AliasPath("price", "cents")))
            at: typing.List[dt.datetime] = []
            id: str = pydantic.Field(default_factory=support.fresh)

        for given in ({"amount": 5, "at": ["2026-01-02T00:00:00Z"]}, {"price": {"cents": 5}}):
            self.assertEqual(5, reading.back(values.result(given), given, Line).cents)
        class Data(pydantic.BaseModel):
            data: bytes

        for lost, kind in (({"amount": 5, "tax": 1}, Line), ({"data": b"hi"}, Data)):
            with self.assertRaises(NoForm):
                reading.back(values.result(lost), lost, kind)

    @unittest.skipUnless(TWO, "needs pydantic 2")
    def test_a_list_that_comes_back_shorter_is_not_kept(self):
        class Lines(pydantic.BaseModel):
            lines: typing.List[int]
            by: typing.Dict[str, int] = {}

            @pydantic.field_serializer("lines")
            def first(self, value):
                return value[:1]

        for given, kind in ((Lines(lines=[1, 2]), Lines), (Lines(lines=[1, 2]), None)):
            self.ending(given, kind)

    def test_an_undeclared_object_that_can_not_be_made_again_is_kept_as_a_dict(self):
        @dataclasses.dataclass
        class Local:
            by: "typing.NotThere"

        self.kept(Local("1"), back={"by": "1"})
        if TWO:

            class Renamed(pydantic.BaseModel):
                cents: int = pydantic.Field(serialization_alias="amount")

            class Optional(pydantic.BaseModel):
                cents: int = pydantic.Field(0, serialization_alias="amount")
                by: Method = pydantic.Field(None, validation_alias="method", serialization_alias="who")

            class Square(pydantic.BaseModel):
                model_config = {"extra": "forbid"}
                side: int

                @pydantic.computed_field
                @property
                def area(self) -> int:
                    return self.side**2

            self.kept(Renamed(cents=1), back={"amount": 1})
            self.kept(Optional(cents=1, method=Method("1")), back={"amount": 1, "who": {"number": "1"}})
            self.kept([Square(side=2)], back=[{"side": 2, "area": 4}])

    def test_what_comes_back_equal_is_kept(self):
        self.kept(Payment(Method("1"), [Method("2")], None, [1.5, None]), Payment)
        self.kept((1, dt.date(2026, 1, 2)), back=[1, "2026-01-02"])
        self.kept({1: ("a",)}, back={"1": ["a"]})
        self.kept(Method("1"), back={"number": "1"})
        self.kept({"at": dt.datetime(2026, 1, 2, tzinfo=UTC), "who": b"hi"}, back={"at": "2026-01-02T00:00:00+00:00", "who": "aGk="})
        # As of a server that was declared with a model, and gives a dict.
        self.kept({"by": {"number": "1"}}, Payment, Payment(Method("1")))
        if pydantic:
            self.kept(Aliased(amount=3), Aliased)
            self.kept(Aliased(amount=3), back={"amount": 3})
