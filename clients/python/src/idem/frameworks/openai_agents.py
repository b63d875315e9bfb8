"""Function tools of the OpenAI Agents SDK that take effect once, in one line::

    agent = Agent(name="Shop", tools=[once_tool(idem, charge, scope="order-7"), search])

Doubt, replay and approval are told to the model as normal results: the SDK turns an error into "An error occurred …
Please try again". A run that is approved and resumed twice runs the tool once. Not tried with the real package: the shapes
are those of openai-agents 0.22, read in its source.
"""

from __future__ import annotations

import copy
import inspect
import json
from typing import Any, Awaitable, Callable, Dict, Protocol, TypeVar, Union

from idem import Idem, NotExecuted, Refused
from idem import context as around
from idem.tool import guard_tool


class FunctionTool(Protocol):
    """As much of agents.FunctionTool as is used."""

    name: str
    on_invoke_tool: Callable[[Any, str], Awaitable[Any]]


Tool = TypeVar("Tool", bound=FunctionTool)
Scope = Union[None, str, Callable[[Any], Union[str, Awaitable[str]]]]


def once_tool(idem: Idem, tool: Tool, *, scope: Scope = None, **options: Any) -> Tool:
    """A copy of the tool that takes effect once for the same arguments.

    scope: a name, or a function of the tool's context, which may be async; without it ``with idem.scope(...)`` around the run. The SDK itself
        has no session that a tool could see.
    options: as for guard_tool, such as ``identity=["customer", "cents"]``.
    """
    if not hasattr(tool, "_failure_error_function"):
        raise TypeError(
            "%s does not show its errors, so a failure would be recorded as a result: make it with @function_tool of a newer "
            "openai-agents (0.22)"
            % getattr(tool, "name", tool)
        )
    if scope is not None and not callable(scope):
        around.name_of(scope, "the scope of '%s'" % tool.name)
    guard = guard_tool(idem, name=tool.name, **options)
    bare, guarded = copy.copy(tool), copy.copy(tool)
    # Else an error would come back as a text, and the text would be recorded as the result.
    setattr(bare, "_use_default_failure_error_function", False)
    setattr(bare, "_failure_error_function", None)

    async def on_invoke_tool(context: Any, arguments: str) -> Any:
        try:
            given = json.loads(arguments) if arguments else {}
        except ValueError:
            given = None
        if not isinstance(given, dict):
            # Its own check answers, before anything runs.
            return await tool.on_invoke_tool(context, arguments)

        async def execute(args: Dict[str, Any], call: Any) -> Any:
            try:
                return _plain(await bare.on_invoke_tool(context, arguments))
            except Exception as raised:
                if _refused(raised, tool):
                    raise NotExecuted(str(raised)) from raised
                raise

        where: Any = scope
        if callable(scope):
            where = scope(context)
            where = around.name_of(await where if inspect.isawaitable(where) else where, "the scope of '%s'" % tool.name)
        try:
            answer = await guard(execute).acall(given, scope=where)
        except Refused:
            raise
        except Exception as definite:
            return await _told(tool, context, definite)
        if answer.text is not None:
            return answer.text
        if answer.note and isinstance(answer.value, str):
            return "%s\n\n%s" % (answer.value, answer.note)
        return answer.value

    guarded.on_invoke_tool = on_invoke_tool
    return guarded


def _refused(raised: BaseException, tool: FunctionTool) -> bool:
    """
    Whether the SDK has refused the arguments before it called the function: then all of the way to the error is in the
    module of its tools. A function, or an agent that is a tool, may pass on the same error of another tool.
    """
    sdk = {each.__module__ for each in type(tool).__mro__ if each.__name__ == "FunctionTool"}
    # The first step is our own call.
    step = raised.__traceback__ and raised.__traceback__.tb_next
    if step is None or type(raised).__name__ != "ModelBehaviorError":
        return False
    while step is not None:
        if step.tb_frame.f_globals.get("__name__") not in sdk:
            return False
        step = step.tb_next
    return str(raised).startswith("Invalid JSON input for tool %s" % tool.name)


def _plain(given: Any) -> Any:
    """A result as the SDK gives it to the model: a text, or structured outputs as they are."""
    if isinstance(given, (list, tuple)):
        return [_plain(each) for each in given]
    dump = getattr(given, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    return given if isinstance(given, (str, dict)) else str(given)


async def _told(tool: Any, context: Any, error: Exception) -> Any:
    """What the tool itself says of an error: here one that proves that nothing happened, so that a new try is right."""
    if tool._use_default_failure_error_function:
        return "The tool did nothing: %s. It may be called again." % error
    if tool._failure_error_function is None:
        raise error
    said = tool._failure_error_function(context, error)
    return await said if inspect.isawaitable(said) else said
