"""The trials of a user's agent: they pass an agent that acts once, and find the mistakes of others."""

import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from idem import testing
from idem.errors import LedgerUnavailable
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


@contextlib.contextmanager
def shop():
    """A module of a user: its own Idem, a function that happens once, and a remote."""
    module = types.ModuleType("shop")
    code = (
        "from idem import Idem\n"
        "idem = Idem.open()\n"
        "def remote(customer):\n"
        "    raise AssertionError('the real remote was called')\n"
        "@idem.once(side_effect='write')\n"
        "def charge_card(customer):\n"
        "    return remote(customer)\n"
    )
    exec(code, module.__dict__)
    try:
        yield module
    finally:
        module.idem.close()


class PlaceTest(unittest.TestCase):
    def test_a_server_that_does_not_start_says_why(self):
        with tempfile.TemporaryDirectory(prefix="idem-" + "long" * 25) as folder:
            with mock.patch.object(tempfile, "tempdir", folder):
                with self.assertRaisesRegex(LedgerUnavailable, "did not start: .* at most 10. bytes"):
                    testing._Place(None).__enter__()
                self.assertEqual([], os.listdir(folder))


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

    def test_an_agent_without_an_effect_proves_nothing(self):
        with self.assertRaisesRegex(AssertionError, "no effect was seen.*effect.around"):
            try_agent(lambda idem, effect: None)

    def test_functions_of_a_module_use_the_ledger_of_the_trial(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ):
            real = os.path.join(folder, "real.db")
            os.environ["IDEM_LEDGER"] = "sqlite:" + real

            def agent(idem, effect):
                shop_module.remote = effect.around(lambda customer: "ch_" + customer)
                with idem.scope("order-7"):
                    shop_module.charge_card("ann")
                # A module that the agent imports while it runs.
                with shop() as late, idem.scope("order-8"):
                    late.remote = effect.around(lambda customer: "ch_" + customer)
                    late.charge_card("bob")

            with shop() as shop_module:
                report = try_agent(agent)
            report.assert_once()
            self.assertEqual(2, report.effects_of_a_clean_run)
            self.assertFalse(os.path.exists(real))

    def test_a_module_in_memory_uses_the_ledger_of_the_trial(self):
        with mock.patch.dict(os.environ, IDEM_LEDGER="memory:"), shop() as shop_module:

            def agent(idem, effect):
                shop_module.remote = effect.around(lambda customer: "ch_" + customer)
                with idem.scope("order-7"):
                    shop_module.charge_card("ann")

            try_agent(agent, lose=False, kill=False).assert_once()

    def test_programs_that_the_agent_starts_use_the_ledger_of_the_trial(self):
        def agent(idem, effect):
            effect("tell")
            self.assertEqual(idem.about().ledger, os.environ["IDEM_LEDGER"])
            self.assertIn("http+unix:", os.environ["IDEM_URL"])

        try_agent(agent, lose=False, kill=False)
        self.assertNotIn("IDEM_URL", os.environ)

    def test_the_report_tells_what_did_not_happen(self):
        lines = str(try_agent(guarded, lose=False)).splitlines()
        self.assertEqual("  it runs twice: every effect once", lines[0])
        self.assertRegex(lines[1], "^  killed before effect 1: charge did not happen, mail did not happen; .*InDoubt.*1 in doubt$")
        self.assertRegex(lines[2], "^  killed after effect 1: mail did not happen; ")
        self.assertRegex(lines[3], "^  killed before effect 2: mail did not happen; ")
        self.assertRegex(lines[4], "^  killed after effect 2: every effect once; .*InDoubt")

    def test_an_effect_that_is_lost_without_a_word_is_found(self):
        def early(idem, effect):
            """Records the charge before it charges."""
            if not idem.operation("charge", key="k").attempt(lambda: 1).replayed:
                effect("charge", "ann")

        self.found(early, "an effect is lost without a word", "killed before effect 1: charge did not happen", lose=False)

    def test_a_repeat_with_other_details_is_found(self):
        def bare_with_an_id(idem, effect):
            effect("charge", os.getpid())

        self.found(bare_with_an_id, "it runs twice: charge × 2", lose=False, kill=False)

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
