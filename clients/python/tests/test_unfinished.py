"""Results that are not there yet."""

import asyncio
import collections
import concurrent.futures
import contextlib
import dataclasses
import sqlite3
import tempfile
import typing
from unittest import mock

from idem import Happened, InDoubt
from idem.documents import DurableIdempotencyStore, handle_request
from idem.unfinished import Unfinished

from . import support
from .support import fresh, shared


@dataclasses.dataclass
class Receipt:
    id: str
    delivery: object


class Sent(typing.NamedTuple):
    mail: object


class Done:
    def __await__(self):
        yield from ()


def pieces():
    yield 1


async def pieces_later():
    yield 1


def nested(value, depth):
    for _ in range(depth):
        value = [value]
    return value


def around_itself(value):
    holder = [value]
    holder.insert(0, holder)
    return holder


def ended_future():
    future = concurrent.futures.Future()
    future.set_result("ch_1")
    return future


#: What an action may return, and how the message calls it.
UNFINISHED = [
    (pieces, "a generator"),
    (pieces_later, "an async_generator"),
    (lambda: map(str, [1]), "a map"),
    (lambda: filter(None, [1]), "a filter"),
    (lambda: zip([1]), "a zip"),
    (lambda: iter([1]), "a list_iterator"),
    (concurrent.futures.Future, "a Future"),
    (ended_future, "a Future"),
    (lambda: pieces, "a function"),
    (lambda: ["ch_1", pieces()], "a generator at '[1]'"),
    (lambda: {"rows": pieces()}, "a generator at 'rows'"),
    (lambda: {"a": [{"b": map(str, [])}]}, "a map at 'a[0].b'"),
    (lambda: {concurrent.futures.Future()}, "a Future at '[0]'"),
    (lambda: collections.deque([pieces()]), "a generator at '[0]'"),
    (lambda: Receipt("m_1", concurrent.futures.Future()), "a Future at 'delivery'"),
    (lambda: [Sent(pieces())], "a generator at '[0][0]'"),
    (lambda: nested(pieces(), 3000), "a generator at '[0][0]"),
    (lambda: around_itself(pieces()), "a generator at '[1]'"),
    (lambda: [Done()], "a Done at '[0]'"),
]


class UnfinishedTest(support.Case):
    def in_doubt(self, words, outcome, key):
        self.assertEqual("in_doubt", outcome.kind, words)
        self.assertIsInstance(outcome.error, TypeError)
        self.assertIn("returned %s" % words, str(outcome.error))
        self.assertIn("Wait for it, or read it to its end, inside of the action", outcome.for_model())
        self.assertEqual("in_doubt", shared().find("charge", key).state)

    def test_isNoResult(self):
        for make, words in UNFINISHED:
            for options in ({}, {"definite": TypeError}, {"staged": True}):
                key = fresh()
                charge = shared().operation("charge", key=key, **options)
                # A lambda: what is called is no generator function.
                self.in_doubt(words, charge.attempt(lambda: make()), key)
                with self.assertRaises(InDoubt):
                    charge.run(lambda: self.fail("it ran"))

    def test_aStatementThatHasRunAndAnOpenFileAreFinished(self):
        with contextlib.closing(sqlite3.connect(":memory:")) as connection, tempfile.TemporaryFile() as file:
            for made in (lambda: connection.execute("SELECT 1"), lambda: file):
                with self.assertLogs("idem", "WARNING"):
                    outcome = shared().operation("charge", key=fresh()).attempt(made)
                self.assertEqual("done", outcome.kind)

    def test_isNoResultOfAnAsyncActionEither(self):
        async def forgotten():
            return "ch_1"

        async def main():
            tasks = []
            made = {
                "a Task": lambda: tasks.append(asyncio.ensure_future(forgotten())) or tasks[-1],
                "a Future at '[0]'": lambda: [asyncio.get_running_loop().create_future()],
                **{words: make for make, words in UNFINISHED},
            }
            for words, make in made.items():

                async def act():
                    return make()

                key = fresh()
                self.in_doubt(words, await shared().operation("charge", key=key).attempt_async(act), key)
            await asyncio.gather(*tasks)
            # What an action returns at its top is awaited, as before.
            for act in (forgotten, lambda: forgotten(), lambda: asyncio.ensure_future(forgotten())):
                outcome = await shared().operation("charge", key=fresh()).attempt_async(act)
                self.assertEqual(("done", "ch_1"), (outcome.kind, outcome.value))

        asyncio.run(main())

    def test_aBlockThatCompletesWithOneIsInDoubt(self):
        key = fresh()
        with self.assertRaisesRegex(TypeError, "inside of the block"):
            with shared().operation("charge", key=key).guard() as call:
                call.complete(pieces())
        self.assertEqual("in_doubt", shared().find("charge", key).state)

    def test_aProbeThatFoundOneHasFoundNothing(self):
        key = fresh()
        shared().operation("charge", key=key, probe_grace="1ms").attempt(lambda call: call.remote_ended() or 1 / 0)
        found = shared().operation("charge", key=key, probe_grace="1ms", probe=lambda doubted: Happened(pieces()))
        with self.assertLogs("idem", "WARNING") as logs:
            self.assertRegex(found.attempt(lambda: self.fail("it ran")).message, "its probe failed: Unfinished")
        self.assertIn("the probe returned a generator", logs.output[0])
        self.assertEqual("in_doubt", shared().find("charge", key).state)

    def test_theStoresOfTheDocumentsRefuseIt(self):
        with contextlib.closing(DurableIdempotencyStore(ledger=support.ledger())) as store:
            request, other, third = fresh(), fresh(), fresh()
            with self.assertRaises(Unfinished):
                handle_request(store, request, {}, lambda payload: map(str, [1]))
            with self.assertRaises(InDoubt):
                handle_request(store, request, {}, lambda payload: self.fail("it ran"))
            # A mark by hand may be made again, with the value.
            ticket = store.mark_in_progress(other)
            with self.assertRaises(Unfinished):
                store.mark_complete(ticket, result=pieces())
            with self.assertRaises(Unfinished):
                store.set(third, pieces())
            store.mark_complete(ticket, result="ch_1")
            store.set(third, "ch_1")
            self.assertEqual(["ch_1"] * 2, [store.get(other), store.get(third)])

    def test_whatIsThereIsRecordedAsBefore(self):
        user = {"posts": [{}]}
        user["posts"][0]["user"] = user
        for value in (mock.MagicMock(), user, Receipt, object(), {"undo": pieces}):
            with self.assertLogs("idem", "WARNING"):
                outcome = shared().operation("charge", key=fresh()).attempt(lambda: value)
            self.assertEqual("done", outcome.kind)
            self.assertIs(value, outcome.value)
        twice = Receipt("m_1", None)
        outcome = shared().operation("charge", key=fresh()).attempt(lambda: [twice, (twice, range(3)), {1: twice}][:1])
        self.assertEqual(("done", [{"id": "m_1", "delivery": None}]), (outcome.kind, outcome.value))
        # A read is not recorded, so what it returns is its caller's.
        look = shared().operation("look", side_effect="read")
        self.assertEqual([1], list(look.run(lambda: pieces())))
