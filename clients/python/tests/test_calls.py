"""How calls end, in threads and in event loops."""

import asyncio
import os
import signal
import socket
import threading
import time
import urllib.error
from unittest import mock

from . import support
from idem import (
    Conflict,
    Failed,
    Happened,
    Idem,
    IdemError,
    InDoubt,
    InFlight,
    NotExecuted,
    Refused,
    connection_refused,
    guard_tool,
)
from idem.asking import Asking
from idem.errors import LedgerUnavailable, Unanswered

from .support import fresh, shared


class EndingsTest(support.Case):
    def test_itRunsOnceAndTheDuplicateIsMarkedAsAReplay(self):
        ran = []
        operation = shared().operation("charge", scope=fresh(), identity={"customer": "cus_1", "cents": 4200})
        for kind in ("done", "replayed"):
            outcome = operation.attempt(lambda call: ran.append(call.key) or {"id": len(ran)})
            self.assertEqual((outcome.kind, outcome.value, outcome.replayed), (kind, {"id": 1}, kind == "replayed"))
        self.assertEqual(len(ran), 1)
        self.assertIn("was done before at", outcome.message)

    def test_onlyTrueProvesThatNothingHappened(self):
        """An async function gave a coroutine for each error, which counted as yes: each call ran again."""

        async def later(error):
            return False

        for said in ("no", 1, [], object(), None, lambda: False):
            operation = shared().operation("mail", key=fresh(), definite=lambda error: said)
            self.assertEqual("in_doubt", operation.attempt(lambda: 1 / 0).kind)
        with self.assertLogs("idem", "WARNING") as logs:
            operation = shared().operation("mail", key=fresh(), definite=lambda error: later(error))
            self.assertEqual("in_doubt", operation.attempt(lambda: 1 / 0).kind)
        self.assertIn("coroutine", logs.output[0])
        yes = shared().operation("mail", key=fresh(), definite=lambda error: True)
        self.assertEqual("failed", yes.attempt(lambda: 1 / 0).kind)

    def test_whatCanNotDecideIsRefusedWhereItIsDeclared(self):
        async def later(error):
            return False

        def piece(error):
            yield True

        declared = [
            lambda definite: Idem.open(support.ledger(), definite=definite),
            lambda definite: shared().operation("mail", key="k", definite=definite),
            lambda definite: shared().once("mail-%s" % fresh(), definite=definite)(lambda to: to),
            lambda definite: guard_tool(shared(), name="mail", definite=definite),
        ]
        for definite in (later, piece, [OSError], (OSError, "TimeoutError"), dict, {"a": 1}, True):
            for declare in declared:
                with self.assertRaisesRegex(Refused, "definite"):
                    declare(definite)

    def test_anActionThatCanNotBeCalledIsRefusedBeforeAnythingRuns(self):
        for action in (None, 5, "charge", {"a": 1}, lambda call, more: 1, lambda *, named: 1):
            key = fresh()
            with self.assertRaisesRegex(Refused, "action"):
                shared().operation("mail", key=key).run(action)
            with self.assertRaisesRegex(Refused, "action"):
                asyncio.run(shared().operation("mail", key=key).run_async(action))
            self.assertIsNone(shared().find("mail", key))
        for action in (lambda: 1, lambda call: 1, lambda call=None: 1, lambda *given: 1, lambda other=1: 1, [1].count):
            self.assertEqual("done", shared().operation("mail", key=fresh()).attempt(action).kind)
        with self.assertRaisesRegex(Refused, "function"):
            guard_tool(shared(), name="mail")(None)
        for probe in (5, "look", [len]):
            with self.assertRaisesRegex(Refused, "probe"):
                shared().operation("mail", key="k", probe=probe)
            with self.assertRaisesRegex(Refused, "probe"):
                guard_tool(shared(), name="mail", probe=probe)

    def test_aKeyThatIsNoneIsToldInWordsOfPython(self):
        for key in ("", "a b", "größe", "x" * 256, "a\n"):
            with self.assertRaisesRegex(Refused, "identity={…}") as refused:
                shared().operation("mail", key=key)
            self.assertNotIn(".id(", str(refused.exception))

    def test_aBlockingCallHasNoAsyncProbe(self):
        async def look(doubted):
            return NotExecuted

        with self.assertRaisesRegex(Refused, "probe"):
            shared().operation("mail", key=fresh(), probe=look).run(lambda: self.fail("it ran"))

    def test_onlyTrueAndFalseSayWhatHappened(self):
        idem, key = shared(), fresh()
        idem.operation("mail", key=key).attempt(lambda: 1 / 0)
        for happened in ("no", None, 1):
            with self.assertRaisesRegex(Refused, "happened"):
                idem.resolve(idem.find("mail", key), happened=happened, why="seen")
        self.assertEqual("in_doubt", idem.find("mail", key).state)

    def test_anErrorLeavesADoubtThatIsAttachedToIt(self):
        key = fresh()
        error = OSError("no answer")

        def act():
            raise error

        with self.assertRaises(OSError) as caught:
            shared().operation("mail", key=key).run(act)
        self.assertIs(caught.exception, error)
        self.assertEqual(error.idem.kind, "in_doubt")
        self.assertIn("OSError: no answer", error.__notes__[0])
        with self.assertRaises(InDoubt) as doubt:
            shared().operation("mail", key=key).run(lambda: self.fail("it ran again"))
        self.assertIn("Do not call it again", doubt.exception.for_model())

    def test_aDefiniteErrorFreesTheKey(self):
        for error, definite in [
            (NotExecuted("no money"), None),
            (ValueError(), ValueError),
            (ConnectionRefusedError(), connection_refused),
            (urllib.error.URLError(ConnectionRefusedError()), connection_refused),
        ]:
            operation = shared().operation("mail", key=fresh(), definite=definite)

            def act():
                raise error

            outcome = operation.attempt(act)
            self.assertEqual((outcome.kind, outcome.error), ("failed", error))
            self.assertEqual(operation.run(lambda: 1), 1)

    def test_aRefusedConnectionIsProofOfEachClientThatDoesNotRetry(self):
        async def within(aiohttp):
            async with aiohttp.ClientSession() as session:
                await session.post(url)

        with socket.create_server(("127.0.0.1", 0)) as free:
            url = "http://127.0.0.1:%d/" % free.getsockname()[1]
        for name, proof, ask in [
            ("httpx", True, lambda httpx: httpx.post(url)),
            ("httpx", True, lambda httpx: asyncio.run(httpx.AsyncClient().post(url))),
            ("aiohttp", True, lambda aiohttp: asyncio.run(within(aiohttp))),
            # An earlier try of its adapters may have been sent.
            ("requests", False, lambda requests: requests.post(url)),
        ]:
            with self.subTest(name):
                try:
                    client = __import__(name)
                except ImportError:
                    self.skipTest("needs " + name)
                with self.assertRaises(Exception) as refused:
                    ask(client)
                self.assertIs(connection_refused(refused.exception), proof)

    def test_theLastErrorOfAClientThatRetriesIsNoProof(self):
        class APIConnectionError(Exception):
            """Of the SDKs of OpenAI and Anthropic, which try again by themselves."""

        error = APIConnectionError()
        error.__cause__ = ConnectionRefusedError()
        self.assertFalse(connection_refused(error))

    def test_anEarlierRefusalIsNoProofForALaterRequest(self):
        def act():
            try:
                raise ConnectionRefusedError()
            except ConnectionRefusedError:
                raise OSError("reset after the second try")

        outcome = shared().operation("mail", key=fresh(), definite=connection_refused).attempt(act)
        self.assertEqual(outcome.kind, "in_doubt")

    def test_anInnerNotExecutedSaysNothingAboutTheOuterCall(self):
        idem = shared()

        def inner():
            raise NotExecuted("the inner one did nothing")

        def outer():
            idem.operation("inner", key=fresh()).run(inner)

        self.assertEqual(idem.operation("outer", key=fresh()).attempt(outer).kind, "in_doubt")

        def raised_from():
            try:
                outer()
            except NotExecuted as e:
                raise RuntimeError() from e

        self.assertEqual(idem.operation("outer", key=fresh(), definite=connection_refused).attempt(raised_from).kind, "in_doubt")

        def says_so_itself():
            try:
                outer()
            except NotExecuted:
                raise NotExecuted("nothing else was done here")

        self.assertEqual(idem.operation("outer", key=fresh()).attempt(says_so_itself).kind, "failed")

    def test_anOperationInsideItselfIsRefusedAtOnce(self):
        idem, scope = shared(), fresh()
        for options in ({"key": "k"}, {"identity": {"a": 1}}):
            operation = idem.operation("itself", scope=scope, **options)
            began = time.monotonic()
            caught = []

            def act():
                try:
                    operation.run(lambda: self.fail("it ran inside itself"))
                except Refused as e:
                    caught.append(e)
                return "outer"

            self.assertEqual(operation.run(act), "outer")
            self.assertIn("runs inside itself", str(caught[0]))
            self.assertLess(time.monotonic() - began, 9)

    def test_theOuterCallIsTheParent(self):
        idem, outer, inner = shared(), fresh(), fresh()
        idem.operation("outer", key=outer).run(lambda: idem.operation("inner", key=inner).run(lambda: 1))
        parent = idem.find("inner", inner).members["parent"]
        self.assertEqual(parent, {"scope": "default", "operation": "outer", "key": outer})

    def test_aCallThatRunsElsewhereIsInFlight(self):
        key, gate, began = fresh(), threading.Event(), threading.Event()

        def act():
            began.set()
            gate.wait(support.LIMIT)
            return "first"

        values = []
        thread = threading.Thread(target=lambda: values.append(shared().operation("slow", key=key).run(act)))
        thread.start()
        began.wait(support.LIMIT)
        with self.assertRaises(InFlight):
            shared().operation("slow", key=key, wait=0).run(act)
        with self.assertRaises(Conflict):
            shared().operation("slow", key=key, identity={"another": 1}, wait=0).run(act)
        waiter = threading.Thread(target=lambda: values.append(shared().operation("slow", key=key, wait="60s").run(act)))
        waiter.start()
        gate.set()
        thread.join(support.LIMIT)
        waiter.join(support.LIMIT)
        self.assertEqual(values, ["first", "first"])

    def probed(self, probe, action):
        """A call of a key in doubt. The end of the action was seen, so that the probe is asked soon."""
        key = fresh()
        with self.assertRaises(OSError):
            shared().operation("probed", key=key, probe_grace="1ms").run(self.ended)
        return key, shared().operation("probed", key=key, probe_grace="1ms", probe=probe).attempt(action)

    def again(self):
        self.fail("it ran again")

    def test_aProbeSettlesADoubt(self):
        asked = []
        key, outcome = self.probed(lambda doubted: asked.append(doubted.key) or Happened(7), self.again)
        self.assertEqual((outcome.kind, outcome.value, asked), ("replayed", 7, [key]))
        _, outcome = self.probed(lambda doubted: NotExecuted, lambda: 8)
        self.assertEqual((outcome.kind, outcome.value), ("done", 8))
        with self.assertLogs("idem"):
            _, outcome = self.probed(lambda doubted: 1 / 0, self.again)
        self.assertEqual(outcome.kind, "in_doubt")
        self.assertRegex(outcome.message, "its probe failed: ZeroDivisionError")

        def secret(doubted):
            raise OSError("the password is 4711")

        with self.assertLogs("idem"):
            _, outcome = self.probed(secret, self.again)
        self.assertRegex(outcome.message, "its probe failed: OSError")
        self.assertNotIn("4711", outcome.message + outcome.text)

    @staticmethod
    def ended(call):
        call.remote_ended()
        raise OSError("the answer can't be read")

    @staticmethod
    def lose():
        raise OSError("the connection was lost")

    def test_aStagedActionWithoutAMarkHasDoneNothing(self):
        idem, key = shared(), fresh()

        def before():
            raise OSError()

        def after(call):
            call.mark("sending")
            raise OSError()

        self.assertEqual(idem.operation("staged", key=key, staged=True).attempt(before).kind, "failed")
        self.assertEqual(idem.operation("staged", key=key, staged=True).attempt(after).kind, "in_doubt")
        self.assertEqual(idem.find("staged", key).members["last_mark"], "sending")

    def test_aMarkThatWasNotAnsweredStopsTheActionAndNothingHappened(self):
        idem = shared()
        with mock.patch.object(Asking, "ask", self.unanswered(Asking.ask)):
            stopped = idem.operation("staged", key=fresh(), staged=True).attempt(lambda call: call.mark("sending"))
            self.assertEqual(stopped.kind, "failed")
            self.assertIsInstance(stopped.error, LedgerUnavailable)

            def wrapped(call):
                try:
                    call.mark("sending")
                except LedgerUnavailable as e:
                    raise OSError("no mail") from e

            self.assertEqual(idem.operation("staged", key=fresh(), staged=True).attempt(wrapped).kind, "failed")

            def goes_on(call):
                try:
                    call.mark("sending")
                except LedgerUnavailable:
                    pass
                raise OSError("no answer")

            self.assertEqual(idem.operation("staged", key=fresh(), staged=True).attempt(goes_on).kind, "in_doubt")

    @staticmethod
    def unanswered(ask):
        """Marks are written, and their answers are lost."""

        async def asked(self, way, method, *more, **how):
            reply = await ask(self, way, method, *more, **how)
            if method == "mark":
                raise Unanswered("no answer", True)
            return reply

        return asked

    def test_aPersonResolvesADoubt(self):
        idem, key = shared(), fresh()
        with self.assertRaises(OSError):
            idem.operation("mail", key=key).run(self.lose)
        entry = idem.find("mail", key)
        self.assertEqual(entry.state, "in_doubt")
        self.assertEqual(idem.resolve(entry, happened=True, result={"id": 1}, who="ann", why="seen"), "done")
        self.assertEqual(idem.resolve(entry, happened=True, who="bob", why="seen"), "changed")
        self.assertEqual(idem.operation("mail", key=key).run(lambda: self.fail("it ran again")), {"id": 1})
        self.assertIsNone(idem.find("mail", fresh()))

    def test_approvalsAreHeldAndThenRun(self):
        idem = shared()

        @idem.once("pay_out", identity=["to"], approval=True, scope=fresh())
        def pay_out(to, cents):
            return cents

        with self.assertRaises(IdemError) as held:
            pay_out("ann", 3)
        self.assertEqual(held.exception.outcome.kind, "held")
        approval = held.exception.outcome.approval
        self.assertIn("idem approve %s" % approval, str(held.exception))
        self.assertEqual(idem.ask("approvals.approve", approval=approval, who="ann")["answer"], "done")
        self.assertEqual(pay_out("ann", 3), 3)

    def test_anAsyncActionOfABlockingCallIsRefusedAndNothingRan(self):
        async def act():
            raise AssertionError

        key = fresh()
        with self.assertRaisesRegex(Refused, "run_async"):
            shared().operation("async", key=key).run(act)
        with self.assertRaisesRegex(TypeError, "run_async"):
            shared().operation("async", key=key).run(lambda: act())
        self.assertEqual(shared().operation("async", key=key).run(lambda: 1), 1)

    def test_sixteenThreadsShareOnlyWhatIsEqual(self):
        scope, ran, lock, results = fresh(), [], threading.Lock(), []
        gate = threading.Barrier(16)

        def call(number):
            identity, content = {"n": number % 4}, {"text": number % 2}

            def act():
                with lock:
                    ran.append(number % 4)
                time.sleep(0.05)
                return {"n": number % 4}

            gate.wait(support.LIMIT)
            operation = shared().operation("many", scope=scope, identity=identity, content=content, wait=60)
            outcome = operation.attempt(act)
            with lock:
                results.append((number % 4, outcome.kind, outcome.value))

        threads = [threading.Thread(target=call, args=(i,)) for i in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(support.LIMIT)
        self.assertEqual(sorted(ran), [0, 1, 2, 3])
        self.assertEqual(len(results), 16)
        for number, kind, value in results:
            self.assertIn(kind, ("done", "replayed"))
            self.assertEqual(value, {"n": number})


class GuardTest(support.Case):
    def test_aBlockRunsOnce(self):
        key = fresh()
        with shared().operation("block", key=key).guard() as call:
            self.assertFalse(call.replayed)
            self.assertEqual(call.key, key)
            call.complete((1, 2))
        self.assertEqual(call.value, [1, 2])
        with shared().operation("block", key=key).guard() as call:
            self.assertTrue(call.replayed)
            self.assertEqual(call.value, [1, 2])
            with self.assertRaises(Refused):
                call.complete(3)

    def test_aBlockThatDoesNotLookIsTold(self):
        key = fresh()
        with shared().operation("block", key=key).guard() as call:
            call.complete()
        with self.assertRaisesRegex(Refused, "call.replayed"):
            with shared().operation("block", key=key).guard():
                pass

    def test_anErrorInABlockIsADoubtAndAnErrorAfterCompleteIsNot(self):
        key = fresh()
        with self.assertRaises(OSError):
            with shared().operation("block", key=key).guard():
                raise OSError()
        with self.assertRaises(InDoubt):
            with shared().operation("block", key=key).guard():
                self.fail("it ran")
        key = fresh()
        with self.assertRaises(OSError):
            with shared().operation("block", key=key).guard() as call:
                call.complete(1)
                raise OSError()
        self.assertEqual(shared().find("block", key).state, "complete")

    def test_asyncWith(self):
        async def main():
            key = fresh()
            async with shared().operation("block", key=key, staged=True).guard() as call:
                await call.mark_async("here")
                call.complete(1)
            self.assertEqual(call.value, 1)
            with self.assertRaises(OSError):
                async with shared().operation("block", key=fresh()).guard():
                    raise OSError()

        asyncio.run(main())


class AsyncTest(support.Case):
    def test_coroutinesShareTheLoop(self):
        async def main():
            ran = []

            async def act(call):
                ran.append(call.key)
                await asyncio.sleep(0.05)
                return call.key

            scope = fresh()
            with shared().scope(scope):
                operations = [shared().operation("loop", identity={"n": i % 3}, wait=60) for i in range(30)]
                values = await asyncio.gather(*(each.run_async(act) for each in operations))
            self.assertEqual((len(ran), len(set(values))), (3, 3))

        asyncio.run(main())

    def test_aCallCancelledBeforeItsGrantIsWithdrawnAndRunsNothing(self):
        with support.Idem.open(support.ledger("stopped"), command=support.LAUNCHER) as idem:
            idem.about()
            key, server = fresh(), support.server_of(idem)

            async def main():
                os.kill(server, signal.SIGSTOP)
                try:
                    task = asyncio.ensure_future(idem.operation("early", key=key).run_async(self.never))
                    await asyncio.sleep(0.1)
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                finally:
                    os.kill(server, signal.SIGCONT)

            asyncio.run(main())
            support.wait_until(lambda: not idem._core.background._running, "the withdrawal")
            entry = idem.find("early", key)
            self.assertTrue(entry is None or entry.state == "failed", entry)
            self.assertEqual(idem.operation("early", key=key).run(lambda: "later"), "later")

    async def never(self, call):
        self.fail("it ran")

    def test_aCallCancelledWhileItActsIsInDoubt(self):
        key = fresh()

        async def main():
            began = asyncio.Event()

            async def act():
                began.set()
                await asyncio.sleep(support.LIMIT)

            task = asyncio.ensure_future(shared().operation("late", key=key).run_async(act))
            await began.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(main())
        self.assertEqual(shared().find("late", key).state, "in_doubt")

    def test_aLoopThatIsClosedLeavesADoubtAndTheNextLoopWorks(self):
        key = fresh()

        async def act():
            await asyncio.sleep(support.LIMIT)

        async def leave():
            asyncio.ensure_future(shared().operation("left", key=key).run_async(act))
            await asyncio.sleep(0.2)

        asyncio.run(leave())
        support.wait_until(lambda: shared().find("left", key).state == "in_doubt", "the doubt")

        async def main():
            return await shared().operation("left", key=fresh()).run_async(self.one)

        self.assertEqual(asyncio.run(main()), 1)

    async def one(self):
        return 1

    def test_aCoroutineThatIsThrownAwayLeavesADoubt(self):
        key = fresh()
        loop = asyncio.new_event_loop()
        began = []

        async def act():
            began.append(1)
            await asyncio.sleep(support.LIMIT)

        coroutine = shared().operation("thrown", key=key).run_async(act)
        task = loop.create_task(coroutine)
        while not began:
            loop.run_until_complete(asyncio.sleep(0.01))
        coroutine.close()
        support.wait_until(lambda: shared().find("thrown", key).state == "in_doubt", "the doubt")
        task._log_destroy_pending = False
        loop.close()


class FailuresTest(support.Case):
    def test_aWaiterGetsTheFailure(self):
        key, gate, began = fresh(), threading.Event(), threading.Event()

        def act():
            began.set()
            gate.wait(support.LIMIT)
            raise NotExecuted("no money")

        first = threading.Thread(target=lambda: shared().operation("fails", key=key).attempt(act))
        first.start()
        began.wait(support.LIMIT)
        caught = []

        def wait():
            try:
                shared().operation("fails", key=key, wait=60).run(lambda: caught.append("ran"))
            except Failed as e:
                caught.append(e)

        waiter = threading.Thread(target=wait)
        waiter.start()
        waits = shared()._core.asking._waits
        support.wait_until(lambda: waits._free < 64, "the wait")
        gate.set()
        first.join(support.LIMIT)
        waiter.join(support.LIMIT)
        self.assertIsInstance(caught[0], Failed)
