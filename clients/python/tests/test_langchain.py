"""The guard of LangChain and LangGraph tools, with fakes: not tried with the real package."""

import asyncio
import re
import sys
import types
import unittest
import uuid
from unittest import mock

from idem import NotExecuted, Refused
from idem.frameworks.langchain import ToolGuard, once_tools

from . import fakes, shared_ledger


def setUpModule():
    global idem
    idem = shared_ledger.opened()


def call(name="charge", call_id="c-1", **args):
    return {"name": name, "args": args, "id": call_id, "type": "tool_call"}


class Case(unittest.TestCase):
    def setUp(self):
        self.effects = []
        self.thread = uuid.uuid4().hex

    def charge(self):
        def charge(customer, cents=4200):
            """Charges a customer."""
            self.effects.append(customer)
            return {"receipt": len(self.effects)}

        return charge

    def node(self, *tools, handle_tool_errors=fakes.reraising, **options):
        guard = ToolGuard(idem, message=fakes.ToolMessage, **options)
        hooks = dict(wrap_tool_call=guard.wrap_tool_call, awrap_tool_call=guard.awrap_tool_call)
        return fakes.ToolNode(tools, handle_tool_errors=handle_tool_errors, **hooks)


class BareAndGuardedTest(Case):
    """The model asks twice, with another call id; then the graph is resumed, which runs the node again."""

    CALLS = [call(customer="ann"), call(call_id="c-2", customer="ann")]

    def test_bare_it_has_four_effects(self):
        node = fakes.ToolNode([self.charge()])
        node.run(self.CALLS)
        node.run(self.CALLS)
        self.assertEqual(4, len(self.effects))

    def test_guarded_it_has_one(self):
        node = self.node(self.charge())
        messages = node.run(self.CALLS, self.thread) + node.run(self.CALLS, self.thread)
        self.assertEqual(1, len(self.effects))
        self.assertEqual('{"receipt": 1}', messages[0].content)
        self.assertEqual(["c-1", "c-2", "c-1", "c-2"], [message.tool_call_id for message in messages])
        self.assertEqual({}, messages[0].additional_kwargs)
        for replay in messages[1:]:
            self.assertEqual({"idem": "replayed"}, replay.additional_kwargs)
            self.assertTrue(replay.content.startswith('{"receipt": 1}\n\n'), replay.content)
            self.assertEqual("success", replay.status)

    def test_guarded_and_async_it_has_one(self):
        node = self.node(self.charge())

        async def main():
            return await node.arun(self.CALLS, self.thread) + await node.arun(self.CALLS, self.thread)

        self.assertEqual(4, len(asyncio.run(main())))
        self.assertEqual(1, len(self.effects))

    def test_it_is_a_middleware_of_create_agent(self):
        middleware = types.SimpleNamespace(AgentMiddleware=fakes.AgentMiddleware)
        messages = types.SimpleNamespace(ToolMessage=fakes.ToolMessage)
        with mock.patch.dict(sys.modules, {"langchain.agents.middleware": middleware, "langchain_core.messages": messages}):
            agent = fakes.create_agent("model", [self.charge()], middleware=[once_tools(idem)])
            for _ in range(2):
                agent.run(self.CALLS, self.thread)
                asyncio.run(agent.arun(self.CALLS, self.thread))
        self.assertEqual(1, len(self.effects))


class EndingsTest(Case):
    def test_another_thread_is_another_task(self):
        node = self.node(self.charge())
        for thread in (self.thread, self.thread + "b"):
            node.run([call(customer="ann")], thread)
        self.assertEqual(2, len(self.effects))

    def test_without_a_thread_a_write_is_refused_with_the_line_to_add(self):
        node = self.node(self.charge())
        with self.assertRaisesRegex(Refused, r'config=\{"configurable": \{"thread_id": "order-7"\}\}'):
            node.run([call(customer="ann")], None)
        with self.assertRaisesRegex(Refused, "thread_id"):
            asyncio.run(node.arun([call(customer="ann")], None))
        self.assertEqual([], self.effects)
        with idem.scope(self.thread):
            node.run([call(customer="ann")], None)
        self.assertEqual(1, len(self.effects))

    def test_a_thread_without_a_name_is_refused(self):
        async def later(request):
            return self.thread

        node = self.node(self.charge(), key="k")
        for thread in ("", " ", object(), ["t-1"], later):
            with self.assertRaisesRegex(Refused, "thread_id|scope"):
                node.run([call(customer="ann")], thread)
        for scope in (lambda request: None, lambda request: "", lambda request: object(), later):
            with self.assertRaisesRegex(Refused, "scope"):
                self.node(self.charge(), scope=scope, key="k").run([call(customer="ann")], self.thread)
        with self.assertRaisesRegex(Refused, "scope"):
            self.node(self.charge(), scope=" ")
        self.assertEqual([], self.effects)
        asyncio.run(self.node(self.charge(), scope=later).arun([call(customer="ann")] * 2, None))
        self.node(self.charge()).run([call(customer="ann")], uuid.UUID(self.thread))
        self.assertEqual(2, len(self.effects))

    def test_named_fields_are_the_identity(self):
        node = self.node(self.charge(), tools={"charge": {"identity": ["customer"]}})
        node.run([call(customer="ann"), call(customer="ann", cents=1)], self.thread)
        self.assertEqual(1, len(self.effects))

    def test_wrong_options_are_refused_at_once(self):
        for options in ({"side_efect": "write"}, {"tools": {"charge": {"side_effect": "wrte"}}}):
            with self.assertRaisesRegex(Refused, "side_ef"):
                ToolGuard(idem, **options)

    def test_a_read_just_runs(self):
        node = self.node(self.charge(), reads=["charge"])
        node.run([call(customer="ann")] * 2, None)
        self.assertEqual(2, len(self.effects))

    def test_a_doubt_is_a_normal_message(self):
        """As an error it gets the words "Please fix your mistakes", and the model tries again."""

        def charge(customer):
            self.effects.append(customer)
            raise TimeoutError("the bank did not answer")

        for handler in (fakes.reraising, True):
            node = self.node(charge, handle_tool_errors=handler)
            thread = "%s-%s" % (self.thread, handler)
            first, again = node.run([call(customer="ann"), call(call_id="c-2", customer="ann")], thread)
            for message in (first, again):
                self.assertEqual("success", message.status)
                self.assertNotIn("fix your mistakes", message.content)
            self.assertIn("the bank did not answer", first.content)
        self.assertEqual(2, len(self.effects), "one for each thread")

    def test_a_result_that_a_person_gave_is_the_content(self):
        """It was looked for under the name that only results of the guard have, and the next call failed with a KeyError."""

        def charge(customer):
            self.effects.append(customer)
            raise TimeoutError("the bank did not answer")

        node = self.node(charge)
        for customer, result, content in (("ann", {"id": "ch_1"}, '{"id": "ch_1"}\n\n'), ("bea", "charged", "charged\n\n")):
            doubt = node.run([call(customer=customer)], self.thread)[0]
            self.assertEqual({"idem": "in_doubt"}, doubt.additional_kwargs)
            key = re.search(r"idem_[0-9a-f]+", doubt.content).group()
            entry = idem.find("charge", key, scope=self.thread)
            self.assertEqual("done", idem.resolve(entry, happened=True, result=result, who="ann", why="seen"))
            replay = node.run([call(customer=customer)], self.thread)[0]
            self.assertTrue(replay.content.startswith(content), replay.content)
        self.assertEqual(["ann", "bea"], self.effects)

    def test_wrong_arguments_are_no_doubt(self):
        node = self.node(self.charge(), tools={"charge": {"identity": []}})
        refused = node.run([call(client="ann")], self.thread)[0]
        self.assertEqual("error", refused.status)
        self.assertIn("Error invoking tool", refused.content)
        self.assertIn("receipt", node.run([call(customer="ann")], self.thread)[0].content)

    def test_words_of_a_tool_do_not_say_that_it_was_refused(self):
        """A tool that had charged could not read the answer; the framework called that wrong arguments, and it ran again."""
        texts = (
            fakes.ValidationError("the receipt of the bank has no number"),
            ValueError("Error invoking tool 'charge' with kwargs {} with error: none"),
            ValueError("chrage is not a valid tool, try one of [charge]."),
        )
        for error in texts:

            def charge(customer):
                self.effects.append(customer)
                raise error

            node, customer = self.node(charge, handle_tool_errors=str), "c-%d" % len(self.effects)
            for message in node.run([call(customer=customer)] * 2, self.thread):
                self.assertIn("unknown whether", message.content)
        self.assertEqual(3, len(self.effects))

    def test_an_unknown_tool_is_told_as_ever(self):
        message = self.node(self.charge()).run([call("chrage", customer="ann")], self.thread)[0]
        self.assertIn("not a valid tool", message.content)

    def test_a_tool_that_did_nothing_may_run_again(self):
        def charge(customer):
            self.effects.append(customer)
            if len(self.effects) == 1:
                raise NotExecuted("no connection")
            return "charged"

        node = self.node(charge)
        with self.assertRaises(NotExecuted):
            node.run([call(customer="ann")], self.thread)
        self.assertEqual("charged", node.run([call(customer="ann")], self.thread)[0].content)

    def refunding(self, act_first):
        self.approved = []

        def refund(order):
            if act_first:
                self.effects.append(order)
            if not self.approved:
                raise fakes.GraphInterrupt("may I?")
            if not act_first:
                self.effects.append(order)
            return "refunded"

        return refund

    def test_a_tool_that_acts_and_then_interrupts_is_in_doubt(self):
        """The graph runs the tool from its start again, once the person has answered."""
        node = self.node(self.refunding(True))
        with self.assertRaises(fakes.GraphInterrupt), self.assertLogs("idem", "WARNING") as logs:
            node.run([call("refund", order="o-1")], self.thread)
        self.assertIn("interrupts_before_acting", logs.output[0])
        self.approved.append(True)
        self.assertIn("unknown whether", node.run([call("refund", order="o-1")], self.thread)[0].content)
        self.assertEqual(["o-1"], self.effects)

    def test_a_tool_that_declares_to_interrupt_before_it_acts_is_resumed(self):
        everywhere = {"interrupts_before_acting": True}
        for n, options in enumerate(({"tools": {"refund": everywhere}}, {**everywhere, "definite": (KeyError,)})):
            node, order = self.node(self.refunding(False), **options), "o-%d" % n
            with self.assertRaises(fakes.GraphInterrupt):
                node.run([call("refund", order=order)], self.thread)
            self.approved.append(True)
            for _ in range(2):
                self.assertIn("refunded", node.run([call("refund", order=order)], self.thread)[0].content)
        self.assertEqual(["o-0", "o-1"], self.effects)
        with self.assertRaisesRegex(Refused, "interrupts_before_acting"):
            self.node(self.charge(), interrupts_before_acting="refund")

    def test_only_an_interrupt_is_free_and_other_errors_are_not(self):
        def refund(order):
            self.effects.append(order)
            raise fakes.GraphBubbleUp("elsewhere") if order == "o-1" else TimeoutError("the bank did not answer")

        node = self.node(refund, interrupts_before_acting=True)
        with self.assertRaises(fakes.GraphBubbleUp):
            node.run([call("refund", order="o-1")], self.thread)
        for order in ("o-1", "o-2", "o-2"):
            self.assertIn("unknown whether", node.run([call("refund", order=order)], self.thread)[0].content)
        self.assertEqual(["o-1", "o-2"], self.effects)

    def test_a_command_is_passed_on_and_not_replayed(self):
        def hand_over(to):
            self.effects.append(to)
            return fakes.Command({"to": to})

        node = self.node(hand_over)
        with self.assertLogs("idem", "WARNING"):
            first, again = node.run([call("hand_over", to="ann")] * 2, self.thread)
        self.assertEqual(fakes.Command({"to": "ann"}), first)
        self.assertEqual("success", again.status)
        self.assertEqual(1, len(self.effects))


if __name__ == "__main__":
    unittest.main()
