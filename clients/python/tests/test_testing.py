"""The trials of a user's agent: they pass an agent that acts once, and find the mistakes of others."""

import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from idem import testing
from idem.testing import try_agent

from . import shared_ledger, support

STEPS = ("charge", "mail")


def guarded(idem, effect):
    with idem.scope("order-7"):
        for name in STEPS:
            idem.once(name, side_effect="write")(lambda customer: effect(name, customer))("ann")


async def guarded_async(idem, effect):
    with idem.scope("order-7"):

        @idem.once(side_effect="write")
        async def charge(customer):
            return effect("charge", customer)

        await charge("ann")


def bare(idem, effect):
    for name in STEPS:
        effect(name, "ann")


def retrying(idem, effect):
    """Takes a time-out for a failure that had no effect."""

    @idem.once(side_effect="write", scope="order-7", definite=(TimeoutError,))
    def charge(customer):
        return effect("charge", customer)

    charge("ann")


def with_a_new_key(idem, effect):
    """Its scope is another one after a restart."""
    with idem.scope("process-%d" % os.getpid()):
        idem.once("charge", side_effect="write")(lambda customer: effect("charge", customer))("ann")


class TrialsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """One server for all; each trial begins with an empty ledger."""
        shared_ledger.folder()
        place = testing._Place(None).__enter__()
        cls.addClassCleanup(place.__exit__)

        @contextlib.contextmanager
        def reused(command):
            place.clear()
            yield place

        again = mock.patch.object(testing, "_Place", reused)
        again.start()
        cls.addClassCleanup(again.stop)

    def found(self, agent, *trials, **options):
        """Which trials an agent fails."""
        report = try_agent(agent, **options)
        with self.assertRaises(AssertionError) as wrong:
            report.assert_once()
        for name in trials:
            self.assertIn(name, str(wrong.exception))
        return report

    def test_an_agent_that_acts_once_passes(self):
        report = try_agent(guarded)
        report.assert_once()
        self.assertEqual(2, report.effects_of_a_clean_run)
        self.assertEqual(7, len(report.trials), str(report))
        by_name = {trial.name: trial for trial in report.trials}
        self.assertEqual([None, None], by_name["it runs twice"].endings)
        self.assertEqual(2, sum(by_name["it runs twice"].effects.values()))
        for name in ("the answer of effect 1 is lost", "killed before effect 1", "killed after effect 2"):
            self.assertEqual(1, by_name[name].in_doubt, name)
            self.assertIn("InDoubt", by_name[name].endings[1])
        self.assertEqual("kill -9", by_name["killed after effect 1"].endings[0])

    def test_an_async_agent_passes(self):
        report = try_agent(guarded_async, kill=False)
        report.assert_once()
        self.assertEqual(2, len(report.trials))

    def test_a_fake_of_a_remote_is_an_effect(self):
        def agent(idem, effect):
            charge = effect.around(self.charge)
            self.assertEqual("ch_ann", idem.operation("charge", key="k").run(lambda: charge("ann", cents=5)))

        report = try_agent(agent, kill=False)
        report.assert_once()
        self.assertEqual({"charge ann 5": 1}, dict(report.clean))

    def charge(self, customer, cents):
        return "ch_" + customer

    def test_an_agent_without_a_guard_is_found(self):
        self.found(bare, "it runs twice", "killed after effect 1", lose=False)

    def test_an_agent_that_repeats_after_a_time_out_is_found(self):
        self.found(retrying, "the answer of effect 1 is lost", kill=False)

    def test_an_agent_with_a_new_key_after_each_start_is_found(self):
        self.found(with_a_new_key, "it runs twice", lose=False, kill=False)

    def test_an_agent_that_fails_without_a_fault_is_told(self):
        def broken(idem, effect):
            raise KeyError("customer")

        with self.assertRaisesRegex(AssertionError, "KeyError.*test_testing.py"):
            try_agent(broken)

    @unittest.skipIf(importlib.util.find_spec("pytest") is None, "pytest is not installed")
    def test_it_is_a_plugin_of_pytest(self):
        code = (
            "def test_my_agent(idem_trials):\n"
            "    def agent(idem, effect):\n"
            "        idem.operation('charge', key='k').run(lambda: effect('charge'))\n"
            "    idem_trials(agent, lose=False, kill=False).assert_once()\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "test_agent.py"), "w") as file:
                file.write(code)
            words = [sys.executable, "-m", "pytest", "-q", "-p", "idem.testing", "-p", "no:cacheprovider"]
            environment = dict(os.environ, PYTHONPATH=support.SOURCES, PYTHONDONTWRITEBYTECODE="1")
            ended = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, timeout=support.LIMIT)
        self.assertEqual(0, ended.returncode, ended.stdout.decode())
        self.assertIn(b"1 passed", ended.stdout)


if __name__ == "__main__":
    unittest.main()
