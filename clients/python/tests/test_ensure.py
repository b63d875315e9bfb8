"""Things that are made unless they are there."""

import asyncio
import collections
import concurrent.futures
import contextlib
import decimal
import math
import threading
import unittest
from unittest import mock

from . import support
from idem import client
from idem import InDoubt, NotExecuted, Refused
from .support import fresh, shared


class EnsureTest(support.Case):
    def setUp(self):
        super().setUp()
        self.there = {}
        self.effects = []
        self.customer = fresh()

    def look(self):
        return self.there.get(self.customer)

    def create(self, call):
        self.effects.append(call.key)
        self.there[self.customer] = {"id": "sub_%d" % len(self.effects)}
        return self.there[self.customer]

    def ensure(self, **more):
        given = {"unless": self.look, "then": self.create, "identity": {"customer": self.customer}, **more}
        return shared().ensure("create_subscription", **given)

    def test_whatIsThereIsNotCreatedAgain(self):
        """With a probe alone, what was created elsewhere was created again: the probe is asked only after a doubt."""
        self.there[self.customer] = {"id": "sub_0"}
        found = self.ensure()
        self.assertEqual(({"id": "sub_0"}, "noop", "already_exists"), (found.value, found.effect, found.reason))
        self.assertFalse(found.created)
        self.assertEqual([], self.effects)

    def test_whatIsNotThereIsCreatedAndFoundLater(self):
        first, again = self.ensure(), self.ensure()
        self.assertEqual([True, False], [first.created, again.created])
        self.assertEqual(["created", "already_exists"], [first.reason, again.reason])
        self.assertEqual({"id": "sub_1"}, again.value)
        self.assertNotIn("sub_1", repr(first))
        self.there.clear()
        self.assertTrue(self.ensure().created, "it was cancelled meanwhile")
        self.assertEqual(2, len(self.effects))

    def test_ofManyCallersOneCreatesIt(self):
        begin, found = threading.Barrier(6), []

        def call():
            begin.wait(support.LIMIT)
            found.append(self.ensure(wait="60s"))

        threads = [threading.Thread(target=call) for _ in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(support.LIMIT)
        self.assertEqual([{"id": "sub_1"}] * 6, [each.value for each in found])
        self.assertEqual([False] * 5 + [True], sorted(each.created for each in found))
        self.assertEqual(1, len(self.effects))

    def test_anErrorOfTheLookCreatesNothing(self):
        def broken():
            raise KeyError("no connection")

        with self.assertRaisesRegex(KeyError, "no connection"):
            self.ensure(unless=broken)
        self.assertTrue(self.ensure().created)

    def test_aLostAnswerIsLookedForWhenTheAttemptCanNoLongerAct(self):
        def lost(call):
            self.create(call)
            raise TimeoutError("no answer")

        with self.assertRaises(TimeoutError):
            self.ensure(then=lost, time_limit="1s")
        with self.assertRaises(InDoubt):
            shared().ensure(
                "create_subscription",
                unless=self.look,
                then=self.create,
                identity={"customer": self.customer},
                time_limit="1s",
                wait=0,
            )
        found = self.ensure(time_limit="1s", wait="60s")
        self.assertEqual(("noop", {"id": "sub_1"}), (found.effect, found.value))
        self.assertEqual(1, len(self.effects))

    def test_theScopeIsNotTheTaskAroundIt(self):
        for task in (fresh(), fresh()):
            with shared().scope(task):
                self.ensure()
        self.assertEqual(1, len(set(self.effects)))
        self.there.clear()
        shared().session("tenant-1").ensure(
            "create_subscription", unless=self.look, then=self.create, identity={"customer": self.customer}
        )
        self.assertEqual(2, len(set(self.effects)))

    def test_itIsAsyncToo(self):
        async def look():
            await asyncio.sleep(0)
            return self.look()

        async def create():
            await asyncio.sleep(0)
            self.effects.append("async")
            self.there[self.customer] = "sub"
            return "sub"

        async def main():
            ensure = shared().ensure_async
            calls = [ensure("create_later", unless=look, then=create, key=self.customer) for _ in range(3)]
            return await asyncio.gather(*calls)

        found = asyncio.run(main())
        self.assertEqual([False, False, True], sorted(each.created for each in found))
        self.assertEqual(["async"], self.effects)

    def test_whatCanNotBeEnsuredIsRefused(self):
        async def later(*_):
            return None

        def piece_by_piece():
            yield None

        class PieceByPiece:
            def __call__(self):
                yield None

        wrong = (
            {"unless": PieceByPiece()},
            {"then": PieceByPiece()},
            {"unless": later},
            {"then": later},
            {"unless": None},
            {"then": "create"},
            {"identity": None},
            {"retention": "1d"},
            {"probe": later},
            {"side_effect": "read"},
            {"tombstone": "1d"},
            {"approval": True},
            {"policy": {"side_effect": "read"}},
            {"policy": {"retention": "1d"}},
            {"policy": {"repeat": "replay"}},
            {"policy": {"tombstone": "1d"}},
            {"policy": {"approval": True}},
            {"unless": piece_by_piece},
            {"scope": " "},
        )
        for each in wrong:
            with self.subTest(each), self.assertRaises(Refused):
                self.ensure(**each)
        for each in ({"approval": True}, {"policy": {"approval": True}}):
            with self.assertRaisesRegex(Refused, "ensure"):
                self.ensure(**each)
        with self.assertRaises(TypeError):
            # It looks async only when it is called: nothing was created.
            self.ensure(unless=lambda: later())
        self.assertEqual([], self.effects)
        self.assertTrue(self.ensure().created)

    def test_anErrorOfTheLookDoesNotFreeTheCallAroundIt(self):
        """The steps before it in that call have taken effect."""

        async def later():
            return None

        def raising(error):
            raise error

        for look in (
            lambda: raising(ConnectionRefusedError("no look")),
            lambda: raising(NotExecuted("no look")),
            lambda: later(),
        ):
            paid, key = [], fresh()

            def pay():
                paid.append(1)
                self.ensure(unless=look)

            outer = shared().operation("pay", key=key, definite=ConnectionRefusedError)
            kinds = [outer.attempt(pay).kind for _ in range(2)]
            self.assertEqual((["in_doubt"] * 2, [1]), (kinds, paid))
        self.assertTrue(self.ensure().created)

    def test_aLookThatGivesNoThingIsAnErrorOfTheLook(self):
        wrong = (
            *(False, True, 0, 0.0, math.nan, decimal.Decimal(0), "", b"", bytearray(), [], {}, (), set(), frozenset(), range(0)),
            *(collections.deque(), (each for each in ()), filter(None, ["a"]), concurrent.futures.Future(), lambda: "sub_1"),
            *([concurrent.futures.Future()], {"thing": iter("a")}),
        )
        for given in wrong:
            with self.subTest(given), self.assertRaisesRegex(Refused, "give the thing, or None"):
                self.ensure(unless=lambda: given)

        async def gives_a_coroutine():
            return asyncio.Future()

        async def main():
            await shared().ensure_async("create_later", unless=gives_a_coroutine, then=self.create, key=self.customer)

        with self.assertRaisesRegex(Refused, "give the thing, or None"):
            asyncio.run(main())
        self.assertEqual([], self.effects)
        self.assertTrue(self.ensure().created)

    def test_theRecordOfAnOrdinaryCallStays(self):
        ran = []
        charge = shared().operation("charge", key=self.customer, labels={"of": "shop"})
        charge.run(lambda: ran.append(1))
        with self.assertRaisesRegex(Refused, "ordinary call"):
            shared().ensure("charge", unless=self.look, then=self.create, key=self.customer)
        self.assertTrue(charge.attempt(lambda: ran.append(1)).replayed)
        self.assertEqual(([1], []), (ran, self.effects))

    def test_theResultOfAnOrdinaryCallIsNotTheThing(self):
        """It began after an ensure had forgotten what another had left, and was taken for that of an ensure."""
        charge = shared().operation("charge", scope="default", key=self.customer)
        self.settled_by_a_person("charge")
        with self.after("forget", lambda: charge.run(lambda: "charged")):
            with self.assertRaisesRegex(Refused, "ordinary call"):
                shared().ensure("charge", unless=self.look, then=self.create, key=self.customer)
        self.assertEqual("charged", charge.run(lambda: "again"))

    def test_anOrdinaryCallThatBeginsBeforeTheForgetIsNotForgotten(self):
        charge = shared().operation("charge", scope="default", key=self.customer, policy={"repeat": "run"})
        self.settled_by_a_person("charge")
        with self.after("find", lambda: charge.run(lambda: "charged")):
            with self.assertRaisesRegex(Refused, "ordinary call"):
                shared().ensure("charge", unless=self.look, then=self.create, key=self.customer)
        again = shared().operation("charge", scope="default", key=self.customer)
        self.assertEqual("charged", again.run(lambda: "again"))

    def settled_by_a_person(self, name):
        """An answer of a person is kept for long."""

        def lost():
            raise TimeoutError("no answer")

        with self.assertRaises(TimeoutError):
            shared().ensure(name, unless=self.look, then=lost, key=self.customer)
        seen = shared().find(name, self.customer)
        shared().resolve(seen, happened=True, who="ann", why="seen", even_though_it_may_still_act=True)

    @contextlib.contextmanager
    def after(self, method, act):
        """Runs an action once, after the next answer to such a request."""
        ask, acts = client.Operations._ask, [act]

        async def asked(operations, way, asked_for, params):
            answer = await ask(operations, way, asked_for, params)
            if asked_for == method and acts:
                acts.pop()()
            return answer

        with mock.patch.object(client.Operations, "_ask", asked):
            yield

    def test_theDoubtOfAnOrdinaryCallIsNotProbed(self):
        def fails(call):
            call.remote_ended()
            raise OSError("it ended")

        # The end of the action was seen, so that the probe may be asked soon.
        soon = {"key": self.customer, "probe_grace": "1ms"}
        with self.assertRaises(OSError):
            shared().operation("charge", scope="default", **soon).run(fails)
        looks = []
        with self.assertRaisesRegex(InDoubt, "its probe failed: .*ordinary call"):
            shared().ensure("charge", unless=lambda: looks.append(1), then=self.create, wait="60s", **soon)
        self.assertEqual(([], []), (looks, self.effects))

    def test_theEntryHasTheLabelThatAllLanguagesKnow(self):
        labels = []

        def create(call):
            labels.append(shared().find("create_subscription", call.key).members["labels"])
            return self.create(call)

        self.ensure(then=create, labels={"of": "shop"})
        self.assertLessEqual({"ensure": "true", "of": "shop"}.items(), labels[0].items())

    def test_whatAPersonSettledIsLookedForAgain(self):
        def lost(call):
            self.create(call)
            raise TimeoutError("no answer")

        with self.assertRaises(TimeoutError):
            self.ensure(then=lost, labels={"of": "shop"})
        entry = shared().find("create_subscription", self.effects[0])
        self.assertEqual("shop", entry.members["labels"]["of"])
        shared().resolve(entry, happened=True, who="ann", why="seen")
        self.assertEqual("already_exists", self.ensure().reason)
        self.there.clear()
        self.assertTrue(self.ensure().created)


if __name__ == "__main__":
    unittest.main()
