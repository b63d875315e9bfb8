"""Decorated functions, scopes and tools."""

import asyncio
import datetime
import inspect
import types
import uuid

from . import support
from idem import InDoubt, NotExecuted, Refused, guard_tool
from .support import fresh, shared


class OnceTest(support.Case):
    def test_aFunctionHappensOnceForItsIdentity(self):
        ran = []

        @shared().once("charge", identity=["customer", "cents"], side_effect="write")
        def charge(customer: str, cents: int, note: str = "") -> str:
            """Charges."""
            ran.append(note)
            return "%s %d" % (customer, cents)

        with shared().scope(fresh()):
            self.assertEqual([charge("a", 1), charge("a", cents=1, note="x"), charge("a", 2)], ["a 1", "a 1", "a 2"])
        self.assertEqual(len(ran), 2)
        self.assertEqual((charge.__name__, charge.__doc__), ("charge", "Charges."))
        self.assertEqual(list(inspect.signature(charge).parameters), ["customer", "cents", "note"])

    def test_anAsyncFunctionHappensOnce(self):
        ran = []

        @shared().once
        async def fetch(n: int) -> int:
            await asyncio.sleep(0)
            ran.append(n)
            return n

        async def main():
            with shared().scope(fresh()):
                return await asyncio.gather(fetch(1), fetch(1), fetch(2))

        self.assertTrue(inspect.iscoroutinefunction(fetch))
        self.assertEqual(asyncio.run(main()), [1, 1, 2])
        self.assertEqual(sorted(ran), [1, 2])

    def test_aWriteWithoutAScopeIsRefusedWithTheLineToAdd(self):
        @shared().once
        def unscoped(n):
            self.fail("it ran")

        with self.assertRaisesRegex(Refused, r'with idem.scope\("order-7"\)'):
            unscoped(1)

    def test_aMethodWithoutNamedFieldsIsRefusedAtDecoration(self):
        with self.assertRaisesRegex(Refused, "is a method"):

            class Account:
                @shared().once
                def charge(self, cents):
                    self.fail("it ran")

        class Owner:
            def __init__(self, name):
                self.name = name

            @shared().once("own", identity=lambda self, cents: {"owner": self.name, "cents": cents})
            def charge(self, cents):
                return self.name

            @classmethod
            @shared().once("made", key=lambda cls, n: "%s-%d" % (scope, n))
            def make(cls, n):
                return n

        scope = fresh()
        with shared().scope(scope):
            self.assertEqual([Owner("ann").charge(1), Owner("bob").charge(1), Owner("ann").charge(1)], ["ann", "bob", "ann"])
            self.assertEqual(Owner.make(1), 1)

    def test_aMethodNamesWhatTellsItsObjectsApart(self):
        def method(self, cents):
            return self.account

        # Object 2 would get the result of object 1.
        for wrong in ({"identity": ["cents"]}, {"identity": []}, {"key": "k"}, {"scope": "s", "identity": ["cents"]}):
            with self.assertRaisesRegex(Refused, r'identity=\["self\.\w+", "cents"\]', msg=str(wrong)):
                shared().once("charge_account", **wrong)(method)
        right = (
            {"identity": ["self.account", "cents"]},
            {"identity": ["self.owner.name"]},
            {"identity": lambda self, cents: {"account": self.account, "cents": cents}},
            {"key": lambda self, cents: "%s-%d" % (self.account, cents)},
            {"scope": lambda self, cents: mine + self.account},
        )
        for n, options in enumerate(right):
            mine = fresh()
            ran = []

            class Account:
                def __init__(self, account):
                    self.account = account
                    self.owner = types.SimpleNamespace(name=account)

                @shared().once("charge_account", **options)
                def charge(self, cents):
                    ran.append(self.account)
                    return self.account

            with shared().scope(mine):
                answers = [Account(each).charge(1) for each in ("ann", "bob", "ann")]
            self.assertEqual(answers, ["ann", "bob", "ann"], n)
            self.assertEqual(ran, ["ann", "bob"], n)

    def test_aFieldOfAnArgumentMayBeNamed(self):
        @shared().once("ship", identity=["order.id"])
        def ship(order, note=""):
            return note

        first, other = types.SimpleNamespace(id=1), types.SimpleNamespace(id=2)
        with shared().scope(fresh()):
            self.assertEqual([ship(first, "a"), ship(first, "b"), ship(other, "c")], ["a", "a", "c"])
        with self.assertRaisesRegex(Refused, "no parameter 'orders'"):
            shared().once("ship", identity=["orders.id"])(lambda order: None)

    def test_aClassMethodMayNameItsArgumentsAlone(self):
        class Shop:
            @classmethod
            @shared().once("opened", identity=["n"])
            def open(cls, n):
                return n

            @staticmethod
            @shared().once("shut")
            def shut(n):
                return n

        with shared().scope(fresh()):
            self.assertEqual((Shop.open(1), Shop.shut(2)), (1, 2))

    def test_generatorsAreRefused(self):
        def pieces():
            yield 1

        async def more():
            yield 1

        for function in (pieces, more):
            with self.assertRaisesRegex(Refused, "generator"):
                shared().once(function)
            with self.assertRaisesRegex(Refused, "generator"):
                shared().operation("pieces", key=fresh()).run(function)

    def test_twoFunctionsWithOneNameAreRefused(self):
        def first():
            def send():
                pass

            return send

        def second():
            def send():
                pass

            return send

        shared().once(first())
        shared().once(first())
        # Another module has opened the same ledger.
        with support.Idem.open(support.ledger()) as other:
            with self.assertRaisesRegex(Refused, "two functions"):
                other.once(second())

    def test_wrongFieldsAndOptionsAreRefusedAtOnce(self):
        def charge(cents):
            pass

        with self.assertRaisesRegex(Refused, "no parameter 'sum'"):
            shared().once("x", identity=["sum"])(charge)
        with self.assertRaisesRegex(Refused, "list of names"):
            shared().once("x", identity="cents")(charge)
        with self.assertRaisesRegex(Refused, "there is no option 'timelimit'"):
            shared().operation("x", key="k", timelimit="5s")
        with self.assertRaisesRegex(Refused, "retry the call itself"):
            shared().operation("x", key="k", retry=3)
        with self.assertRaisesRegex(Refused, "neither a key nor an identity"):
            shared().operation("x", scope="s")

    def test_wrongOptionsOfAFunctionAreRefusedAtDecoration(self):
        def charge(cents):
            self.fail("it ran")

        wrong = (
            ({"side_efect": "write"}, "no option 'side_efect'"),
            ({"side_effect": "wrte"}, "side_effect.*'wrte'.*read, idempotent, write or destructive"),
            ({"policy": {"on_doubt": "again"}}, "on_doubt.*'again'.*halt, probe or rerun"),
            ({"reworded": "allow"}, "warn, conflict or ignore"),
            ({"repeat": "always"}, "replay or run"),
            ({"time_limit": "5 minutes"}, "time_limit.*no duration"),
            ({"wait": "soon"}, "wait.*no duration"),
            ({"approval": "yes"}, "approval.*True or False"),
        )
        for options, words in wrong:
            with self.assertRaisesRegex(Refused, words, msg=str(options)):
                shared().once("x", **options)(charge)
            with self.assertRaisesRegex(Refused, words, msg=str(options)):
                guard_tool(shared(), name="x", **options)(charge)

    def test_aDurationIsATextATimedeltaOrSeconds(self):
        for limit in ("20s", "PT20S", 20, 20.5, datetime.timedelta(seconds=20)):
            call = shared().operation("limited", key=fresh(), time_limit=limit).run(lambda call: call.time_left)
            self.assertTrue(10 < call <= 20.5, (limit, call))

    def test_aReadJustRuns(self):
        ran = []

        @shared().once("look", side_effect="read")
        def look(n):
            ran.append(n)
            return n

        self.assertEqual([look(1), look(1)], [1, 1])
        self.assertEqual(len(ran), 2)

    def test_aReadThatNeedsAnApprovalIsRefusedAndNotRunWithoutIt(self):
        words = "a read runs without asking.*remove the approval.*side_effect='write'"
        for policy, options in (
            (None, {"side_effect": "read", "approval": True}),
            ({"approval": True}, {"side_effect": "read"}),
            ({"approval": True, "side_effect": "read"}, {}),
        ):
            with self.assertRaisesRegex(Refused, words):
                shared().once("look", policy=policy, **options)(lambda n: n)
            with self.assertRaisesRegex(Refused, words):
                shared().operation("look", policy=policy, **options)
        self.assertEqual(shared().once("look", policy={"approval": True}, side_effect="read", approval=False)(lambda n: n)(1), 1)

    def test_aSessionHasItsScope(self):
        name = fresh()
        session = shared().session(name)
        self.assertEqual(session.operation("in_session", identity={"a": 1}).run(lambda call: call.scope), name)
        double = session.once("double")(lambda n: 2 * n)
        self.assertEqual(double(4), 8)

    def test_theScopeFollowsTasksAndThreadsOfTheLoop(self):
        async def main():
            async def scope_of(name):
                with shared().scope(name):
                    await asyncio.sleep(0)
                    return await shared().operation("scoped", identity={"n": name}).run_async(self.scope)

            return await asyncio.gather(scope_of("a-" + mine), scope_of("b-" + mine))

        mine = fresh()
        self.assertEqual(asyncio.run(main()), ["a-" + mine, "b-" + mine])

    async def scope(self, call):
        return call.scope


class ToolTest(support.Case):
    def test_aToolAnswersDoneAndReplayedWithANote(self):
        ran = []
        tool = guard_tool(shared(), name="send", identity=["to"])(lambda args: ran.append(args["to"]) or {"sent": args["to"]})
        scope = fresh()
        first = tool.call({"to": "ann", "body": "hello"}, scope=scope)
        again = tool.call({"to": "ann", "body": "hallo"}, scope=scope)
        self.assertEqual((first.kind, first.value, first.note), ("done", {"sent": "ann"}, None))
        self.assertEqual((again.kind, again.value), ("replayed", {"sent": "ann"}))
        self.assertIn("This was done before at", again.note)
        self.assertEqual(ran, ["ann"])

    def test_doubtIsTextAndADefiniteErrorIsRaised(self):
        def fails(args, call):
            if args["how"] == "definite":
                raise NotExecuted("no such address")
            raise OSError("no answer")

        tool = guard_tool(shared(), name="fail")(fails)
        scope = fresh()
        for _ in range(2):
            answer = tool.call({"how": "unknown"}, scope=scope)
            self.assertEqual((answer.kind, answer.value), ("in_doubt", None))
            self.assertIn("Do not call it again", answer.text)
        for _ in range(2):
            with self.assertRaises(NotExecuted):
                tool.call({"how": "definite"}, scope=scope)

    def test_withoutAScopeItIsRefused(self):
        tool = guard_tool(shared(), name="send")(lambda args: 1)
        with self.assertRaises(Refused):
            tool.call({"a": 1})
        with shared().scope(fresh()):
            self.assertEqual(tool.call({"a": 1}).value, 1)
        self.assertEqual(tool.call({"a": 1}, key=fresh()).value, 1)

    def test_asyncTools(self):
        async def send(args):
            await asyncio.sleep(0)
            return args["n"]

        tool = guard_tool(shared(), name="send_later")(send)
        scope = fresh()

        async def main():
            return [await tool.acall({"n": 1}, scope=scope) for _ in range(2)]

        first, again = asyncio.run(main())
        self.assertEqual((first.kind, again.kind, again.value), ("done", "replayed", 1))

    def test_aCallWithoutItsIdentityIsRefused(self):
        tool = guard_tool(shared(), name="send", identity=["to"])(lambda args: 1)
        with self.assertRaisesRegex(Refused, "can't be told from others"):
            tool.call({"body": "x"}, scope=fresh())

    def test_anErrorOfDoubtIsRaisedByRun(self):
        key = fresh()
        with self.assertRaises(OSError):
            shared().operation("raises", key=key).run(self.lose)
        with self.assertRaises(InDoubt):
            shared().operation("raises", key=key).run(self.lose)

    @staticmethod
    def lose():
        raise OSError()


class ScopeTest(support.Case):
    """Who shares results: a name that is none must not become the name of all."""

    async def later(self, *_):
        return "ann"

    def test_whatIsNoTextIsNoScope(self):
        ran = []
        for scope in ("", "  ", 7, object(), ["ann"], {"user": "ann"}):
            with self.assertRaisesRegex(Refused, "scope"):
                support.shared().operation("mail", key="k", scope=scope).run(lambda: ran.append(1))
            with self.assertRaisesRegex(Refused, "scope"):
                support.shared().session(scope)
            with self.assertRaisesRegex(Refused, "scope"), support.shared().scope(scope):
                pass
        for scope in (None, self.later("ann")):
            with self.assertRaisesRegex(Refused, "scope"):
                support.shared().session(scope)
        self.assertEqual(ran, [])

    def test_aUuidIsAScopeEverywhere(self):
        idem, name, key, ran = support.shared(), uuid.uuid4(), fresh(), []

        def mail(to=None) -> int:
            ran.append(1)
            return len(ran)

        idem.operation("mail", key=key, scope=name).run(mail)
        idem.session(name).operation("mail", key=key).run(mail)
        with idem.scope(name) as text:
            self.assertEqual(str(name), text)
            idem.operation("mail", identity=1).run(mail)
        for scope in (name, lambda *_: name):
            idem.once("mail", scope=scope, key=key)(mail)("ann")
            guard_tool(idem, name="mail", scope=scope, key=key)(lambda args: mail()).call({"to": "ann"})
        idem.ensure("mail_there", scope=name, key=key, unless=lambda: None, then=mail)
        self.assertEqual(3, len(ran))
        self.assertEqual("complete", idem.find("mail", key, str(name)).state)
        with self.assertRaisesRegex(Refused, "this one is an int"):
            idem.session(7)

    def test_aFunctionThatNamesNoScopeIsRefused(self):
        ran = []
        for n, name in enumerate((lambda to: None, lambda to: " ", lambda to: object(), self.later)):
            mail = support.shared().once("mail-%d-%s" % (n, support.fresh()), scope=name, key="k")(ran.append)
            with self.assertRaisesRegex(Refused, "scope"):
                mail("ann")
            tool = guard_tool(support.shared(), name="mail", scope=name, key="k")(lambda args: ran.append(1))
            with self.assertRaisesRegex(Refused, "scope"):
                tool.call({"to": "ann"})
        self.assertEqual(ran, [])

    def test_anAsyncToolAwaitsTheNameOfItsScope(self):
        scope = support.fresh()

        async def name(args):
            return scope + args["user"]

        async def act(args):
            return args["user"]

        async def main():
            tool = guard_tool(support.shared(), name="mail", scope=name, identity=["to"])(act)
            answers = [await tool.acall({"to": "x", "user": user}) for user in ("ann", "bob", "ann")]
            return [(each.kind, each.value) for each in answers]

        self.assertEqual([("done", "ann"), ("done", "bob"), ("replayed", "ann")], asyncio.run(main()))


