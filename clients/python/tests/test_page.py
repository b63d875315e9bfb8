"""Runs the code of docs/python.md, from the top to the bottom."""

import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from idem import Idem, NotExecuted, guard_tool
from idem.outcome import _ERRORS

from . import fakes, shared_ledger, support

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PAGE = os.path.join(ROOT, "docs", "python.md")

SHOP = """
import types
from idem import Idem

payments = types.SimpleNamespace()
idem = Idem.open("sqlite:/not/there/shop.db")

@idem.once(identity=["customer", "cents"], side_effect="write")
def charge(customer, cents, note=""):
    return {"receipt": payments.charge(customer, cents)}
"""


def blocks():
    """The title of the section, the word after python and the code of each block."""
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    found = re.finditer(r"^## ([^\n]+)$|^```python ?(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    title = ""
    for each in found:
        if each.group(1):
            title = each.group(1)
        else:
            yield title, each.group(2), each.group(3), text[: each.start()].count("\n") + 1


def there(name):
    # Celery takes away its own spec.
    return name in sys.modules or importlib.util.find_spec(name) is not None


class Payments:
    def __init__(self):
        self.charges = []

    def charge(self, customer, cents, idempotency_key=None):
        self.charges.append((customer, cents))
        return "ch_%d" % len(self.charges)

    def find(self, customer):
        return None


class PageTest(unittest.TestCase):
    """Each section of the page goes on with the names of those above it."""

    @classmethod
    def setUpClass(cls):
        shared_ledger.folder()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.addClassCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        cls.payments = Payments()
        cls.names = {"__name__": "page"}
        module = types.ModuleType("page")
        module.__dict__.update(cls.names)
        cls.names = module.__dict__
        sys.modules["page"] = module
        cls.addClassCleanup(sys.modules.pop, "page")
        cls.all = list(blocks())
        # It shares its server with the page, and starts it in time.
        idem = Idem.open("sqlite:shop.db")
        cls.addClassCleanup(idem.close)
        shared_ledger.warmed(idem.about)
        cls.run_section("Five minutes")
        # From here on each charge is another one.
        cls.names["payments"] = cls.payments
        cls.addClassCleanup(lambda: cls.names["idem"].close())

    @classmethod
    def run_section(cls, title):
        chosen = [block for block in cls.all if block[0] == title and not block[1]]
        assert chosen, "the page has no code under " + title
        said = io.StringIO()
        for _, _, code, line in chosen:
            with contextlib.redirect_stdout(said):
                exec(compile("\n" * line + code, PAGE, "exec"), cls.names)
        return said.getvalue()

    def need(self, *packages):
        missing = [name for name in packages if not there(name)]
        if missing:
            self.skipTest("not installed: " + ", ".join(missing))

    def test_the_five_minutes(self):
        """As a file that is run twice, with nothing but what the page says."""
        folder = tempfile.mkdtemp(dir=support.FOLDER)
        with open(os.path.join(folder, "shop.py"), "w", encoding="utf-8") as file:
            file.writelines(code for title, word, code, _ in self.all if title == "Five minutes" and not word)
        environment = dict(os.environ, PYTHONPATH=support.SOURCES, PYTHONDONTWRITEBYTECODE="1")
        said = []
        for _ in range(2):
            words = [sys.executable, "shop.py"]
            ended = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, timeout=support.LIMIT)
            self.assertEqual(0, ended.returncode)
            said.append(ended.stdout.decode().splitlines())
        charged = ["charging cus_1 4200"] * 2
        accounts = ["charging a-1 100", "charging a-2 100"]
        self.assertEqual([*charged, "sending", "sent to ann@example.com", *accounts], said[0])
        self.assertEqual(["sent to ann@example.com"], said[1])
        with Idem.open("sqlite:" + os.path.join(folder, "shop.db")) as left:
            entries = left.ask("stats")["entries"]
        self.assertEqual(["complete"], [state for state, number in entries.items() if number], "no doubt is left behind")

    def test_the_endings(self):
        self.assertIn("Do not call it again", self.run_section("How a call can end"))

    def test_what_is_made_unless_it_is_there(self):
        before = len(self.payments.charges)
        self.assertEqual("created created\n", self.run_section("Make it unless it is there"))
        with mock.patch.object(self.payments, "find", lambda customer: "ch_1"):
            self.assertEqual("noop already_exists\n", self.run_section("Make it unless it is there"))
        self.assertEqual(before + 1, len(self.payments.charges))

    def test_the_readme(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as page:
            code = page.read().split("```python\n")[1].split("```")[0]
        names = dict(self.names)
        with mock.patch.object(Idem, "open", lambda ledger: self.names["idem"]):
            exec(compile(code, "README.md", "exec"), names)
        self.assertEqual(("cus_1", 4200), self.payments.charges[-1])

    def test_every_kind_of_ending_is_in_the_table(self):
        with open(PAGE, encoding="utf-8") as page:
            table = page.read().split("## How a call can end")[1].split("## ")[0]
        for kind, error in _ERRORS.items():
            self.assertIn("`%s`" % kind, table)
            self.assertIn("`%s`" % error.__name__, table)

    def test_fastapi(self):
        self.need("fastapi", "httpx")
        from starlette.testclient import TestClient

        self.names["user_of_token"] = lambda header: "ann" if header == "Bearer t-1" else None
        self.run_section("FastAPI and Starlette")
        before = len(self.payments.charges)
        headers = {"idempotency-key": "k", "authorization": "Bearer t-1"}
        with TestClient(self.names["app"]) as client:
            answers = [client.post("/orders", json={"customer": "c", "cents": 1}, headers=headers) for _ in range(2)]
        self.assertEqual(answers[0].json(), answers[1].json())
        self.assertEqual("true", answers[1].headers["idempotent-replayed"])
        self.assertEqual(before + 1, len(self.payments.charges))

    def test_celery(self):
        self.need("celery")
        self.names["NotExecuted"] = NotExecuted
        self.run_section("Celery")
        before = len(self.payments.charges)
        task = self.names["charge_task"]
        answers = [task.apply(["c", 1], task_id="t-1").get() for _ in range(2)]
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(before + 1, len(self.payments.charges))

    def test_langchain_and_openai_with_fakes(self):
        def charge(customer):
            return self.payments.charge(customer, 1)

        def refund(order):
            return "refunded"

        middleware = types.SimpleNamespace(AgentMiddleware=fakes.AgentMiddleware)
        messages = types.SimpleNamespace(ToolMessage=fakes.ToolMessage)
        self.names.update(create_agent=fakes.create_agent, model=None, tools=[charge], Agent=fakes.Agent)
        self.names.update(refund_tool=fakes.function_tool(refund), search_tool=fakes.function_tool(charge))
        before = len(self.payments.charges)
        with mock.patch.dict(sys.modules, {"langchain.agents.middleware": middleware, "langchain_core.messages": messages}):
            self.run_section("LangChain and LangGraph")
            call = {"name": "charge", "args": {"customer": "c"}, "id": "c-1"}
            answers = self.names["agent"].run([call, dict(call, id="c-2")], "thread-1")
        self.run_section("OpenAI Agents")
        self.assertEqual(before + 1, len(self.payments.charges))
        self.assertIn("This was done before at", answers[1].content)

    def test_guard_tool(self):
        self.run_section("Any other framework")

    def test_the_words_for_a_model_are_those_of_the_page(self):
        def refund(args):
            raise TimeoutError("the bank did not answer")

        tool = guard_tool(self.names["idem"], name="refund")(refund)
        held = guard_tool(self.names["idem"], name="refund", approval=True)(refund)
        texts = [tool.call({"order": 2}, scope="words").text for _ in range(2)]
        texts.append(held.call({"order": 3}, scope="words").text)
        with open(PAGE, encoding="utf-8") as page:
            shown = re.findall(r"\| \*('refund' was .+?)\* \|", page.read())
        self.assertEqual(5, len(shown))
        for text, words in zip(texts, shown):
            for part in words.rstrip(".").split("…"):
                self.assertIn(part.replace("idem_a8a9", "idem_").replace("idem_fac2", "idem_").strip(), text)

    @support.slow
    def test_the_trials_of_an_agent(self):
        self.need("pytest")
        with open("test_agent.py", "w", encoding="utf-8") as file:
            file.writelines(code for _, word, code, _ in self.all if word == "test")
        with open("shop.py", "w", encoding="utf-8") as file:
            file.write(SHOP)
        words = [sys.executable, "-m", "pytest", "-rP", "-p", "idem.testing", "-p", "no:cacheprovider", "test_agent.py"]
        environment = dict(os.environ, PYTHONPATH=support.SOURCES, PYTHONDONTWRITEBYTECODE="1")
        ended = subprocess.run(words, env=environment, stdout=subprocess.PIPE, timeout=support.LIMIT)
        said = ended.stdout.decode()
        self.assertEqual(0, ended.returncode, said)
        self.assertIn("2 passed", said)
        with open(PAGE, encoding="utf-8") as page:
            shown = page.read().split("## Testing an agent")[1].split("```text\n")[1].split("```")[0]
        for line in shown.splitlines():
            self.assertRegex(said, ".*".join(map(re.escape, line.split("…"))))


if __name__ == "__main__":
    unittest.main()
