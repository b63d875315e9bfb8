"""Celery tasks with the real package: its own retries, a message that is published twice, and a worker that is killed."""

import contextvars
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import uuid
from unittest import mock

from idem import Conflict, InDoubt, Refused

from . import shared_ledger, support


def setUpModule():
    global shop, folder
    if importlib.util.find_spec("celery") is None:
        raise unittest.SkipTest("not installed: celery")
    shared_ledger.folder()
    made = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(made.cleanup)
    folder = os.environ["FOLDER"] = made.name
    for name in ("queue", "processed", "results"):
        os.mkdir(os.path.join(folder, name))
    shop = importlib.import_module("tests.celery_shop")
    unittest.addModuleCleanup(shop.idem.close)
    shared_ledger.warmed(shop.idem.about)


class Case(unittest.TestCase):
    def setUp(self):
        self.name = uuid.uuid4().hex


class RetryTest(Case):
    """An error after the effect, and autoretry."""

    def test_bare_it_has_two_effects(self):
        shop.bare.apply([self.name, "lost"])
        self.assertEqual(2, shop.effects(self.name))

    def test_guarded_it_has_one_and_ends_in_doubt(self):
        ended = shop.guarded.apply([self.name, "lost"])
        self.assertEqual(1, shop.effects(self.name))
        self.assertEqual("FAILURE", ended.state)
        self.assertIsInstance(ended.result, InDoubt)

    def test_a_task_that_did_nothing_is_retried(self):
        self.assertEqual({"receipt": self.name}, shop.guarded.apply([self.name, "refused"]).get())
        self.assertEqual({"receipt": self.name + "b"}, shop.by_hand.apply([self.name + "b"]).get())
        self.assertEqual([2, 2], [shop.effects(self.name), shop.effects(self.name + "b")])

    def test_a_task_that_acts_and_then_asks_for_a_retry_is_in_doubt(self):
        ended = shop.asks_again.apply([self.name])
        self.assertEqual(1, shop.effects(self.name))
        self.assertIsInstance(ended.result, InDoubt)

    def test_a_task_that_is_delivered_again_gives_the_first_result(self):
        for _ in range(2):
            self.assertEqual({"receipt": self.name}, shop.guarded.apply([self.name], task_id=self.name).get())
        self.assertEqual(1, shop.effects(self.name))

    def test_a_task_that_is_published_twice_has_a_key_of_its_own(self):
        for _ in range(2):
            self.assertEqual({"receipt": self.name}, shop.by_order.apply([self.name]).get())
        self.assertEqual(1, shop.effects(self.name))
        with self.assertRaises(Conflict):
            shop.by_order.apply([self.name, "other"]).get()

    def test_wrong_options_are_refused_at_once(self):
        with self.assertRaisesRegex(Refused, "no option 'timelimit'"):
            shop.once_task(shop.idem, policy={"timelimit": "5s"})
        with self.assertRaisesRegex(Refused, "definite"):
            shop.once_task(shop.idem, definite=[OSError])
        for scope in (None, "", " ", object()):
            with self.assertRaisesRegex(Refused, "scope"):
                shop.once_task(shop.idem, scope=scope)

    def test_a_key_that_is_none_is_refused(self):
        """Every task had the key "None"."""

        async def later(**given):
            return "k"

        for n, key in enumerate((lambda name: None, lambda name: "", lambda name: object(), lambda name: later(name=name))):

            def act(name):
                self.fail("it ran")

            task = shop.app.task(base=shop.once_task(shop.idem, key=key), name="keyless-%d" % n)(act)
            with self.assertRaisesRegex(Refused, "key"):
                task.apply([self.name]).get()

    def test_a_task_that_is_called_as_a_function_has_no_id(self):
        with self.assertRaisesRegex(Refused, "delay"):
            shop.guarded(self.name)
        self.assertEqual(0, shop.effects(self.name))


    def test_a_delivery_while_the_first_one_runs_is_put_off(self):
        """Its time is not counted as a failure: the first may run for hours."""
        from celery import Task
        from celery.exceptions import Retry

        shop.guarded.push_request(id=self.name, called_directly=False, is_eager=False, retries=7)
        self.addCleanup(shop.guarded.pop_request)
        first = shop.idem.operation("guarded", scope="celery", key=self.name).guard()
        with mock.patch.object(Task, "retry", side_effect=Retry()) as put_off, mock.patch("idem.plan._DEFAULT_WAIT", 0.0):
            with first, self.assertRaises(Retry):
                # In another context: here it would be inside itself.
                contextvars.Context().run(shop.guarded, self.name)
        self.assertEqual(8, put_off.call_args.kwargs["max_retries"])
        self.assertEqual(0, shop.effects(self.name))


class KilledWorkerTest(Case):
    """A worker is killed after the effect, and the broker delivers its message again, as it does with acks_late."""

    def worker(self):
        paths = os.pathsep.join([support.SOURCES, os.path.dirname(support.SOURCES)])
        words = [sys.executable, "-m", "celery", "-A", "tests.celery_shop", "worker", "--pool=solo", "--loglevel=CRITICAL"]
        words += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        worker = subprocess.Popen(
            words,
            env=dict(os.environ, PYTHONPATH=paths, PYTHONDONTWRITEBYTECODE="1"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.addCleanup(worker.wait)
        self.addCleanup(worker.kill)
        return worker

    def deliver_again(self):
        """The filesystem broker forgets a message when a worker has taken it; others deliver it again by themselves."""
        processed = os.path.join(folder, "processed")
        for message in os.listdir(processed):
            shutil.move(os.path.join(processed, message), os.path.join(folder, "queue", message))

    def test_bare_it_has_two_effects_and_guarded_one(self):
        self.assertEqual([2, 1], [self.effects_of(shop.bare), self.effects_of(shop.guarded)])

    def effects_of(self, task):
        name = "%s-%s" % (task.name, self.name)
        sent = task.delay(name, "killed")
        self.assertEqual(-9, self.worker().wait(support.LIMIT))
        self.deliver_again()
        second = self.worker()
        support.wait_until(lambda: sent.state in ("SUCCESS", "FAILURE"), "the second delivery")
        second.kill()
        self.deliver_again()
        for message in os.listdir(os.path.join(folder, "queue")):
            os.remove(os.path.join(folder, "queue", message))
        if task is shop.guarded:
            self.assertIsInstance(sent.result, InDoubt)
        else:
            self.assertEqual({"receipt": name}, sent.result)
        return shop.effects(name)


if __name__ == "__main__":
    unittest.main()
