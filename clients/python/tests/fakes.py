"""Stands for LangGraph's ToolNode, LangChain's create_agent and the OpenAI Agents SDK: as much as the guards meet.

Each follows the source of the package, with its names: langgraph.prebuilt.tool_node (1.2), langchain.agents (1.3) and
agents.tool (0.22).
"""

import copy
import dataclasses
import inspect
import json
import types


@dataclasses.dataclass
class ToolMessage:
    content: object
    tool_call_id: str
    name: str = None
    status: str = "success"
    additional_kwargs: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Command:
    update: dict


class ValidationError(ValueError):
    """Stands for that of pydantic, which ToolNode takes for wrong arguments wherever it comes from."""


class GraphBubbleUp(Exception):
    pass


class GraphInterrupt(GraphBubbleUp):
    pass


@dataclasses.dataclass
class ToolCallRequest:
    tool_call: dict
    tool: object
    state: object
    runtime: object


class AgentMiddleware:
    """create_agent compares these methods with those of the class of a middleware."""

    tools = ()

    @property
    def name(self):
        return self.__class__.__name__

    def wrap_tool_call(self, request, handler):
        raise NotImplementedError

    async def awrap_tool_call(self, request, handler):
        raise NotImplementedError


class Tool:
    """A tool with the schema of its arguments, as langchain_core.tools.StructuredTool."""

    def __init__(self, function):
        self.name = function.__name__
        self.function = function
        self.tool_call_schema = types.SimpleNamespace(model_validate=lambda args: inspect.signature(function).bind(**args))


def reraising(error):
    raise error


class ToolNode:
    """Runs the tool calls of a message. Its default handler of errors raises again all but wrong arguments."""

    def __init__(self, tools, *, handle_tool_errors=reraising, wrap_tool_call=None, awrap_tool_call=None):
        self.tools = {tool.__name__: Tool(tool) for tool in tools}
        self.handle_tool_errors = handle_tool_errors
        self.wrap_tool_call = wrap_tool_call
        self.awrap_tool_call = awrap_tool_call

    def _checked(self, request):
        call = request.tool_call
        if request.tool is None:
            content = "Error: %s is not a valid tool, try one of [%s]." % (call["name"], ", ".join(self.tools))
            return ToolMessage(content, call["id"], call["name"], "error")
        try:
            request.tool.tool_call_schema.model_validate(call["args"])
        except TypeError as wrong:
            return self._wrong(wrong, call)
        return None

    def _wrong(self, error, call):
        """Also for an error of this kind that the tool itself has raised."""
        content = "Error invoking tool '%s' with kwargs %s with error:\n %s\n Please fix the error and try again."
        return ToolMessage(content % (call["name"], call["args"], error), call["id"], call["name"], "error")

    def _message(self, given, call):
        if isinstance(given, (ToolMessage, Command)):
            return given
        content = given if isinstance(given, str) else json.dumps(given)
        return ToolMessage(content, call["id"], call["name"])

    def _failed(self, error, call):
        if isinstance(error, ValidationError):
            return self._wrong(error, call)
        if isinstance(error, GraphBubbleUp) or not self.handle_tool_errors:
            raise error
        content = "Error: %r\n Please fix your mistakes." % error
        if callable(self.handle_tool_errors):
            content = self.handle_tool_errors(error)
        return ToolMessage(content, call["id"], call["name"], "error")

    def _execute(self, request):
        call = request.tool_call
        refused = self._checked(request)
        if refused is not None:
            return refused
        try:
            return self._message(request.tool.function(**call["args"]), call)
        except Exception as error:
            return self._failed(error, call)

    async def _execute_async(self, request):
        call = request.tool_call
        refused = self._checked(request)
        if refused is not None:
            return refused
        try:
            given = request.tool.function(**call["args"])
            return self._message(await given if inspect.isawaitable(given) else given, call)
        except Exception as error:
            return self._failed(error, call)

    def _request(self, call, thread_id):
        config = {} if thread_id is None else {"configurable": {"thread_id": thread_id}}
        runtime = types.SimpleNamespace(config=config, tool_call_id=call["id"])
        return ToolCallRequest(call, self.tools.get(call["name"]), {}, runtime)

    def run(self, calls, thread_id="t-1"):
        messages = []
        for call in calls:
            request = self._request(call, thread_id)
            if self.wrap_tool_call is None:
                messages.append(self._execute(request))
                continue
            try:
                messages.append(self.wrap_tool_call(request, self._execute))
            except Exception as error:
                messages.append(self._failed(error, call))
        return messages

    async def arun(self, calls, thread_id="t-1"):
        messages = []
        for call in calls:
            request = self._request(call, thread_id)
            if self.awrap_tool_call is None:
                messages.append(await self._execute_async(request))
                continue
            try:
                messages.append(await self.awrap_tool_call(request, self._execute_async))
            except Exception as error:
                messages.append(self._failed(error, call))
        return messages


def create_agent(model, tools, middleware=()):
    """A node for the tools, with the hooks of the middleware, chosen as create_agent does."""
    for each in middleware:
        assert isinstance(each, AgentMiddleware) and each.name and each.tools is not None
    wraps = [m for m in middleware if m.__class__.wrap_tool_call is not AgentMiddleware.wrap_tool_call]
    awraps = [m for m in middleware if m.__class__.awrap_tool_call is not AgentMiddleware.awrap_tool_call]
    assert len(wraps) <= 1, "one is enough here"
    return ToolNode(
        tools,
        wrap_tool_call=wraps[0].wrap_tool_call if wraps else None,
        awrap_tool_call=awraps[0].awrap_tool_call if awraps else None,
    )


class ModelBehaviorError(Exception):
    pass


class _Invoker:
    """Turns errors into texts by the setting of the tool that it is bound to: a copy has one of its own."""

    def __init__(self, function, tool=None):
        self.function = function
        self.tool = tool

    def __agents_bind_function_tool__(self, tool):
        return self if self.tool is tool else _Invoker(self.function, tool)

    async def __call__(self, context, arguments):
        try:
            given = json.loads(arguments) if arguments else {}
            try:
                inspect.signature(self.function).bind(**given)
            except TypeError as wrong:
                raise ModelBehaviorError("Invalid JSON input for tool %s: %s" % (context.tool_name, wrong)) from wrong
            result = self.function(**given)
            return await result if inspect.isawaitable(result) else result
        except Exception as error:
            if self.tool._use_default_failure_error_function:
                return "An error occurred while running the tool. Please try again. Error: %s" % error
            if self.tool._failure_error_function is None:
                raise
            return self.tool._failure_error_function(context, error)


@dataclasses.dataclass
class FunctionTool:
    name: str
    on_invoke_tool: object
    _failure_error_function: object = None
    _use_default_failure_error_function: bool = True

    def __post_init__(self):
        bind = getattr(self.on_invoke_tool, "__agents_bind_function_tool__", None)
        if callable(bind):
            self.on_invoke_tool = bind(self)

    def __copy__(self):
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        FunctionTool.__post_init__(copied)
        return copied


def function_tool(function):
    return FunctionTool(function.__name__, _Invoker(function))


class Agent:
    def __init__(self, name, tools):
        # Tools are copied where an agent is cloned.
        self.tools = {tool.name: copy.copy(tool) for tool in tools}

    async def call(self, name, arguments, call_id="c-1"):
        """A call by the model, as Runner makes it."""
        context = types.SimpleNamespace(tool_name=name, tool_call_id=call_id, context={"order": "o-1"})
        return await self.tools[name].on_invoke_tool(context, json.dumps(arguments))
