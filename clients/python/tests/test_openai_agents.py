"""The guard of function tools of the OpenAI Agents SDK, with fakes: not tried with the real package."""

import asyncio
import types
import unittest
import uuid

from idem import NotExecuted, Refused
from idem.frameworks.openai_agents import once_tool

from . import fakes, shared_ledger


def setUpModule():
    global idem
    idem = shared_ledger.opened()


class OnceToolTest(unittest.TestCase):
    def setUp(self):
        self.effects = []
        self.scope = uuid.uuid4().hex

    def refund(self, order, reason=""):
        self.effects.append(order)
        if reason == "lost":
            raise TimeoutError("the bank did not answer")
        if reason == "closed" and len(self.effects) == 1:
            raise NotExecuted("the bank is closed")
        return {"refunded": order} if reason == "structured" else "refunded %s" % order

    def tool(self, **settings):
        def refund(order, reason=""):
            return self.refund(order, reason)

        tool = fakes.function_tool(refund)
        for name, value in settings.items():
            setattr(tool, name, value)
        return tool

    def ask(self, tool, times=2, **arguments):
        """The model asks, with another call id each time; a run state that is resumed twice does the same."""
        agent = fakes.Agent("Shop", [tool])

        async def main():
            return [await agent.call("refund", arguments, "c-%d" % n) for n in range(times)]

        return asyncio.run(main())

    def test_bare_it_has_two_effects(self):
        self.ask(self.tool(), order="o-1")
        self.assertEqual(2, len(self.effects))

    def test_guarded_it_has_one(self):
        first, again = self.ask(once_tool(idem, self.tool(), scope=self.scope), order="o-1")
        self.assertEqual("refunded o-1", first)
        self.assertTrue(again.startswith("refunded o-1\n\n"), again)
        self.assertEqual(1, len(self.effects))

    def test_the_scope_may_come_from_the_context(self):
        tool = once_tool(idem, self.tool(), scope=lambda context: self.scope + context.context["order"])
        self.ask(tool, order="o-1")
        self.assertEqual(1, len(self.effects))
        with self.assertRaisesRegex(Refused, "scope"):
            self.ask(once_tool(idem, self.tool()), order="o-1")

    def test_a_scope_is_awaited_and_has_to_be_a_text(self):
        """All users shared the text of a coroutine."""

        async def user(context):
            return context.context["order"] + self.scope

        for _ in range(2):
            self.ask(once_tool(idem, self.tool(), scope=user), order="o-1")
        self.assertEqual(1, len(self.effects))
        for scope in (lambda context: None, lambda context: " ", lambda context: context, lambda context: [user]):
            with self.assertRaisesRegex(Refused, "scope"):
                self.ask(once_tool(idem, self.tool(), scope=scope, key="k"), order="o-1")
        for scope in ("", 7):
            with self.assertRaisesRegex(Refused, "scope"):
                once_tool(idem, self.tool(), scope=scope)
        self.assertEqual(1, len(self.effects))

    def test_a_doubt_is_a_normal_result(self):
        """The SDK's own words are "An error occurred … Please try again", and the text would be recorded as the result."""
        first, again = self.ask(once_tool(idem, self.tool(), scope=self.scope), order="o-1", reason="lost")
        self.assertIn("the bank did not answer", first)
        for text in (first, again):
            self.assertNotIn("Please try again", text)
            self.assertNotIn("refunded", text)
        self.assertEqual(1, len(self.effects))

    def test_a_tool_that_did_nothing_may_run_again(self):
        tool = once_tool(idem, self.tool(), scope=self.scope)
        first, second, third = self.ask(tool, 3, order="o-1", reason="closed")
        self.assertIn("the bank is closed", first)
        self.assertEqual("refunded o-1", second)
        self.assertIn("refunded o-1", third)
        self.assertEqual(2, len(self.effects))

    def test_wrong_arguments_are_no_doubt(self):
        tool = once_tool(idem, self.tool(), scope=self.scope, identity=[])
        self.assertIn("Invalid JSON input", self.ask(tool, 1, oder="o-1")[0])
        self.assertEqual("refunded o-1", self.ask(tool, 1, order="o-1")[0])

    def test_words_of_a_tool_do_not_say_that_it_was_refused(self):
        """A tool that asks another agent passes on the error of that agent's tool."""

        def refund(order):
            self.effects.append(order)
            raise fakes.ModelBehaviorError("Invalid JSON input for tool refund")

        tool = fakes.function_tool(refund)
        for text in self.ask(once_tool(idem, tool, scope=self.scope), order="o-1"):
            self.assertIn("unknown whether", text)
        self.assertEqual(["o-1"], self.effects)

    def test_the_tool_s_own_words_for_an_error_stay(self):
        told = dict(_use_default_failure_error_function=False, _failure_error_function=lambda context, error: "told: %s" % error)
        tool = once_tool(idem, self.tool(**told), scope=self.scope)
        self.assertEqual("told: the bank is closed", self.ask(tool, 1, order="o-1", reason="closed")[0])
        raising = dict(_use_default_failure_error_function=False, _failure_error_function=None)
        self.effects.clear()
        with self.assertRaises(NotExecuted):
            self.ask(once_tool(idem, self.tool(**raising), scope=self.scope + "b"), order="o-1", reason="closed")

    def test_a_structured_result_comes_back_as_it_was(self):
        first, again = self.ask(once_tool(idem, self.tool(), scope=self.scope), order="o-1", reason="structured")
        self.assertEqual([{"refunded": "o-1"}] * 2, [first, again])

    def test_wrong_options_are_refused_at_once(self):
        with self.assertRaisesRegex(Refused, "no option 'side_efect'"):
            once_tool(idem, self.tool(), side_efect="write")

    def test_a_tool_that_hides_its_errors_is_refused(self):
        with self.assertRaisesRegex(TypeError, "errors"):
            once_tool(idem, types.SimpleNamespace(name="refund", on_invoke_tool=None))


if __name__ == "__main__":
    unittest.main()
