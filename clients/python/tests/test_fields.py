import json
import os
import unittest
from unittest import mock

from idem import Refused, endings, guard_tool, plan

from .support import shared

CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def cases(name):
    with open(os.path.join(CLIENTS, name + "-cases.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Asked(Exception):
    """What a call asks for."""


class FieldsTest(unittest.TestCase):
    """The tests of all languages read these cases."""

    def asked(self, call):
        def operation(*args, identity=None, content=None, **more):
            raise Asked(identity, content)

        with mock.patch.object(type(shared()), "operation", side_effect=operation):
            with self.assertRaises(Asked) as found:
                call()
        return [None if each is None else {name: self.plain(value) for name, value in each.items()} for each in found.exception.args]

    @staticmethod
    def plain(value):
        return getattr(value, "value", value)

    def test_theFieldsOfAToolAreThoseOfAllLanguages(self):
        self.assertGreater(len(cases("field")), 10)
        for case in cases("field"):
            fields = case.get("fields", {})
            with self.subTest(case["name"]):
                if "refused" in case:
                    with self.assertRaises(Refused):
                        guard_tool(shared(), name="send", **fields)(lambda args: 1)
                    continue
                for key in (None, "k"):
                    tool = guard_tool(shared(), name="send", **fields)(lambda args: 1)
                    found = self.asked(lambda: tool.call(case["arguments"], scope="s", key=key))
                    self.assertEqual(found, [case["identity"], case["content"]])

    def test_soAreThoseOfAFunction(self):
        for case in cases("field"):
            fields, arguments = case.get("fields", {}), case["arguments"]
            names = sorted({*arguments, *(name for each in fields.values() for name in each)})
            if set(names) != set(arguments):
                continue  # a function has all of its arguments
            space = {}
            exec("def send(%s): pass" % ", ".join(names), space)
            with self.subTest(case["name"]):
                if "refused" in case:
                    with self.assertRaises(Refused):
                        shared().once("send " + case["name"], **fields)(space["send"])
                    continue
                found = self.asked(lambda: shared().once("send", **fields)(space["send"])(**arguments))
                self.assertEqual(found, [case["identity"], case["content"]])

    def test_whatTellsNotWhichArgumentsAreTheIdentityIsRefused(self):
        for fields in ({"content": lambda args: 1}, {"content": ["order.note"]}, {"ignored": ["order.trace"]}):
            with self.assertRaisesRegex(Refused, "identity="):
                guard_tool(shared(), name="send", **fields)(lambda args: 1)

    def test_whatSettlesADoubtIsTheSameInAllLanguages(self):
        self.assertGreater(len(cases("next-step")), 40)
        for case in cases("next-step"):
            probe = (lambda doubted: None) if case["probe"] else None
            made = plan.Plan("charge", "s", policy=case["policy"], probe=probe)
            self.assertEqual(endings.settles(made), case["next"], case)

    def test_durationsAreReadAsInAllLanguages(self):
        self.assertGreater(len(cases("duration")), 20)
        for case in cases("duration"):
            for name in ("wait", "lease", "time_limit", "retention", "tombstone", "probe_grace"):
                with self.subTest(case["text"], name=name):
                    if "ms" not in case:
                        with self.assertRaises(Refused):
                            plan.policy(None, {name: case["text"]})
                        continue
                    self.assertEqual(plan.policy(None, {name: case["text"]}), {name: "%dms" % case["ms"]})
            if "ms" in case:
                self.assertEqual(plan.waiting(case["text"], {}) * 1000, case["ms"])
