"""Tools of a LangChain agent, or of a LangGraph ToolNode, that take effect once, in one line::

    agent = create_agent(model, tools, middleware=[once_tools(idem, reads=["search"])])
    node = ToolNode(tools, wrap_tool_call=guard.wrap_tool_call, awrap_tool_call=guard.awrap_tool_call)

The scope is the thread id: the same tool with the same arguments runs once in a thread, whatever its call id is. Doubt,
replay and approval are told to the model as normal messages: an error would make the framework ask for another try.
Not tried with the real package: the shapes are those of langchain 1.3 and langgraph 1.2, read in their source.
"""

from __future__ import annotations

import importlib
import inspect
import json
import logging
import re
from typing import Any, Awaitable, Callable, Dict, Iterable, Mapping, Optional, Protocol, Union

from idem import Idem, NotExecuted, Refused, context, plan
from idem.definite import is_definite
from idem.tool import ToolAnswer, guard_tool


class ToolCallRequest(Protocol):
    """What a wrapper of tool calls gets."""

    @property
    def tool_call(self) -> Any: ...

    @property
    def runtime(self) -> Any: ...


Scope = Union[None, str, Callable[[Any], Union[str, Awaitable[str]]]]
Handler = Callable[[Any], Any]
AsyncHandler = Callable[[Any], Awaitable[Any]]

_log = logging.getLogger("idem")

# What ToolNode adds to an error, for a model that may try again.
_TRY_AGAIN = r"\s*Please fix (your mistakes|the error and try again)\.\s*\Z"


class ToolGuard:
    """Wraps tool calls, blocking and async."""

    def __init__(
        self,
        idem: Idem,
        *,
        reads: Iterable[str] = (),
        tools: Optional[Mapping[str, Mapping[str, Any]]] = None,
        scope: Scope = None,
        message: Optional[Callable[..., Any]] = None,
        **options: Any,
    ) -> None:
        """Guards all tools but those that only read.

        reads: names of tools that only read.
        tools: options of single tools, such as ``{"charge": {"identity": ["customer", "cents"]}}``; others have all
            arguments as their identity. The names of the options are those of guard_tool.
        scope: a name, or a function of the request, which may be async where the agent is; without it the thread id, or else ``with idem.scope(...)``.
            ``interrupts_before_acting=True`` says that a tool calls ``interrupt()`` only before it acts, or after acts
            that are guarded calls of their own: its resume runs it again. Without it, an interrupt leaves the call in
            doubt, since the graph runs the tool from its start again.
        message: makes a ToolMessage; without it langchain_core's.
        options: options of all tools.
        """
        super().__init__()
        self._idem = idem
        self._reads = frozenset([reads] if isinstance(reads, str) else reads)
        self._tools = {name: self._declared({**options, **own}) for name, own in (tools or {}).items()}
        self._options = self._declared(options)
        for each in (self._options, *self._tools.values()):
            # What is wrong with them is told now, not at the first call.
            guard_tool(idem, name="tool", **each)
        if scope is not None and not callable(scope):
            context.name_of(scope, "the scope")
        self._scope = scope
        self._message = message

    def wrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Any:
        if request.tool_call["name"] in self._reads:
            return handler(request)
        attempt = _Attempt(request)
        guard = self._guard(request, lambda args, call: attempt.kept(attempt.watched(handler)))
        try:
            answer = guard.call(dict(request.tool_call["args"]), scope=self._named(self._scope_of(request)))
        except NotExecuted as nothing:
            return attempt.refused(nothing)
        except Refused as refused:
            raise self._told(refused, request) from None
        return attempt.message(answer, self._message)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncHandler) -> Any:
        if request.tool_call["name"] in self._reads:
            return await handler(request)
        attempt = _Attempt(request)

        async def execute(args: Dict[str, Any], call: Any) -> Any:
            return attempt.kept(await attempt.watched_async(handler))

        guard = self._guard(request, execute)
        try:
            where: Any = self._scope_of(request)
            where = await where if inspect.isawaitable(where) else where
            answer = await guard.acall(dict(request.tool_call["args"]), scope=self._named(where))
        except NotExecuted as nothing:
            return attempt.refused(nothing)
        except Refused as refused:
            raise self._told(refused, request) from None
        return attempt.message(answer, self._message)

    def _declared(self, options: Mapping[str, Any]) -> Dict[str, Any]:
        """Options of guard_tool."""
        made = dict(options)
        if plan.yes_or_no(made.pop("interrupts_before_acting", False), "interrupts_before_acting"):
            own = made.get("definite")
            own = plan.deciding(self._idem._definite if own is None else own)
            made["definite"] = lambda error: _is_a(error, "GraphInterrupt") or is_definite(error, own)
        return made

    def _told(self, refused: Refused, request: ToolCallRequest) -> Refused:
        """The same in the words of LangChain: its users have no operation to give a scope to."""
        if refused.code != "no_scope":
            return refused
        return Refused(
            "'%s' has neither a scope nor a key, so that equal calls of different tasks would be one. Pass "
            'config={"configurable": {"thread_id": "order-7"}} to invoke, or run the agent inside '
            'with idem.scope("order-7"): …. Nothing ran' % request.tool_call["name"],
            code=refused.code,
        )

    def _guard(self, request: ToolCallRequest, execute: Callable[..., Any]) -> Any:
        name = request.tool_call["name"]
        return guard_tool(self._idem, name=name, **self._tools.get(name, self._options))(execute)

    def _scope_of(self, request: ToolCallRequest) -> Any:
        if self._scope is not None:
            return self._scope(request) if callable(self._scope) else self._scope
        config = getattr(request.runtime, "config", None) or {}
        thread = config.get("configurable", {}).get("thread_id")
        return None if thread is None else context.name_of(thread, "a thread_id", int)

    def _named(self, scope: Any) -> Optional[str]:
        return context.name_of(scope, "the scope of a tool call") if callable(self._scope) else scope


def once_tools(idem: Idem, **options: Any) -> Any:
    """A ToolGuard that is a middleware of ``create_agent``."""
    base: Any = importlib.import_module("langchain.agents.middleware").AgentMiddleware
    return type("OnceTools", (ToolGuard, base), {})(idem, **options)


class ToolError(Exception):
    """The tool answered with an error, which does not prove that nothing happened."""


class _Command:
    """Stands for a Command, which changes the graph, and so can't be given to another call."""


class _Attempt:
    """One call of a tool: what its handler gave, beside what the ledger keeps of it."""

    def __init__(self, request: ToolCallRequest) -> None:
        self._request = request
        self._given: Any = None
        self._bubbled: Optional[BaseException] = None

    def watched(self, handler: Handler) -> Any:
        try:
            return handler(self._request)
        except Exception as raised:
            self._note(raised)
            raise

    async def watched_async(self, handler: AsyncHandler) -> Any:
        try:
            return await handler(self._request)
        except Exception as raised:
            self._note(raised)
            raise

    def _note(self, raised: Exception) -> None:
        # An interrupt of the graph has to reach the graph, whatever it means for the key.
        if _is_a(raised, "GraphBubbleUp"):
            self._bubbled = raised

    def kept(self, given: Any) -> Any:
        self._given = given
        content = getattr(given, "content", None)
        if content is None:
            return _Command()
        if getattr(given, "status", None) == "error":
            if self._never_began(str(content)):
                raise NotExecuted(str(content))
            raise ToolError(re.sub(_TRY_AGAIN, "", str(content)))
        return {"content": content}

    def _never_began(self, content: str) -> bool:
        """
        Whether ToolNode has refused the call. Its words alone prove nothing: it says the same of an error of pydantic that
        the tool itself has raised, so the tool's own schema has to refuse the arguments, too.
        """
        name, tool = self._request.tool_call["name"], getattr(self._request, "tool", None)
        if tool is None:
            return content.startswith("Error: %s is not a valid tool, try one of [" % name)
        refused = "(Error: ToolInvocationError\\(.)?Error invoking tool '%s' with kwargs " % re.escape(name)
        check = getattr(getattr(tool, "tool_call_schema", None), "model_validate", None)
        if not callable(check) or not re.match(refused, content):
            return False
        try:
            check(dict(self._request.tool_call["args"]))
            return False
        except Exception:
            return True

    def refused(self, nothing: NotExecuted) -> Any:
        """The answer of the framework where nothing was executed."""
        if self._given is None:
            raise self._bubbled or nothing
        return self._given

    def message(self, answer: ToolAnswer[Any], make: Optional[Callable[..., Any]]) -> Any:
        if self._bubbled is not None:
            if _is_a(self._bubbled, "GraphInterrupt"):
                _log.warning(
                    "'%s' called interrupt(), and may have acted before: its call is in doubt, and the resumed graph does not "
                    "run it. A tool that interrupts only before it acts declares interrupts_before_acting=True",
                    self._request.tool_call["name"],
                )
            raise self._bubbled
        if self._given is not None and answer.kind in ("done", "unrecorded"):
            return self._given
        content: Any = answer.text
        if answer.text is None and answer.value is not None:
            content = noted(_content(answer.value), answer.note)
        if make is None:
            make = importlib.import_module("langchain_core.messages").ToolMessage
        call = self._request.tool_call
        # Tells a program what the content tells the model.
        mark = {"idem": answer.kind}
        return make(content=content, tool_call_id=call["id"], name=call["name"], additional_kwargs=mark)


def _is_a(raised: BaseException, kind: str) -> bool:
    return any(each.__name__ == kind for each in type(raised).__mro__)


def _content(kept: Any) -> Any:
    """The content of the first message; of a doubt that a person has settled, the result that was given."""
    if isinstance(kept, dict) and set(kept) == {"content"}:
        return kept["content"]
    return kept if isinstance(kept, str) else json.dumps(kept, ensure_ascii=False)


def noted(content: Any, note: Optional[str]) -> Any:
    """The content of a replay with a note for the model."""
    if not note:
        return content
    return [*content, {"type": "text", "text": note}] if isinstance(content, list) else "%s\n\n%s" % (content, note)
