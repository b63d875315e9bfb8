"""A tool of an agent that happens once: what all adapters of frameworks use."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, Callable, Dict, Generic, Mapping, Optional, Sequence, TypeVar, Union

from . import context, plan, reading
from .call import Call
from .client import Operations
from .errors import Refused, a
from .operation import Operation
from .outcome import Outcome

R = TypeVar("R")
Arguments = Mapping[str, Any]
Fields = Union[Sequence[str], Callable[[Arguments], Any], None]
Text = Union[str, Callable[[Arguments], Any], None]


@dataclasses.dataclass(frozen=True)
class ToolAnswer(Generic[R]):
    """
    What the model is told. For ``done`` and ``replayed`` it is the ``value`` (and a ``note`` with a replay), else the
    ``text``. It is a normal answer: frameworks add words to errors that invite a retry.
    """

    kind: str
    value: Optional[R] = None
    text: Optional[str] = None
    note: Optional[str] = None
    outcome: Optional[Outcome[R]] = dataclasses.field(default=None, repr=False)

    @property
    def ok(self) -> bool:
        return self.kind in ("done", "replayed") and self.text is None


class Tool(Generic[R]):
    """A guarded tool; see ``guard_tool``."""

    def __init__(
        self,
        idem: Operations,
        execute: Callable[..., Any],
        name: str,
        scope: Text,
        identity: Fields,
        content: Fields,
        ignored: Optional[Sequence[str]],
        key: Text,
        options: Dict[str, Any],
    ) -> None:
        plan.choices("'%s'" % name, identity, content, ignored)
        if not callable(execute):
            raise Refused("'%s' is a function of the arguments; this is %s" % (name, a(type(execute).__name__)))
        self.name = name
        self._idem = idem
        self._execute = execute
        self._scope = scope
        self._identity = identity
        self._content = content
        self._ignored = ignored
        self._key = key
        self._options = options
        self._takes_call = _takes_two(execute)
        rules = plan.declared(options)
        self._is_read = rules.get("side_effect") == "read"
        self._needs_approval = bool(rules.get("approval"))

    def _operation(self, args: Arguments, scope: Any, key: Optional[str]) -> Operation:
        if scope is not None or callable(self._scope):
            scope = context.name_of(scope, "the scope of '%s'" % self.name)
        options = dict(self._options)
        if options.get("returning") is None:
            options["returning"] = reading.declared(self._execute)
        if not self._is_read:
            named = _fields(self.name, self._identity, args)
            options["identity"] = named if named is not None else plan.without(args, self._content, self._ignored)
            options["content"] = self._content(args) if callable(self._content) else _chosen(self._content, args)
            if self._needs_approval:
                options.setdefault("arguments", dict(args))
        return self._idem.operation(self.name, scope=scope, key=key if key is not None else _text(self._key, args), **options)

    def _action(self, args: Arguments) -> Callable[[Call], Any]:
        return lambda call: self._execute(args, call) if self._takes_call else self._execute(args)

    def call(self, args: Arguments, scope: Optional[str] = None, key: Optional[str] = None) -> ToolAnswer[R]:
        """Calls the tool. Raises only definite errors of the tool, and Refused for a wrong declaration."""
        where = scope if scope is not None else _text(self._scope, args)
        return _answer(self._operation(args, where, key).attempt(self._action(args)))

    async def acall(self, args: Arguments, scope: Optional[str] = None, key: Optional[str] = None) -> ToolAnswer[R]:
        """As ``call``, without blocking the event loop; the tool, and the function that names the scope, may be async."""
        where: Any = scope if scope is not None else _text(self._scope, args)
        where = await where if inspect.isawaitable(where) else where
        return _answer(await self._operation(args, where, key).attempt_async(self._action(args)))


def guard_tool(
    idem: Operations,
    *,
    name: str,
    scope: Text = None,
    identity: Fields = None,
    content: Fields = None,
    ignored: Optional[Sequence[str]] = None,
    key: Text = None,
    **options: Any,
) -> Callable[[Callable[..., Any]], Tool[Any]]:
    """
    Guards a tool: ``guard_tool(idem, name="send", identity=["to"])(execute)``, where ``execute`` takes the arguments as
    one mapping, and the call if it has a second parameter. Without an identity it is all arguments but those that are
    ``content``, which a model may reword, or ``ignored``; also where the call has a key, so that the key of another call is
    refused. Other options are those of an operation.
    """
    plan.declared(options)
    return lambda execute: Tool(idem, execute, name, scope, identity, content, ignored, key, options)


def _text(given: Text, args: Arguments) -> Any:
    return given(args) if callable(given) else given


def _fields(name: str, fields: Fields, args: Arguments) -> Any:
    if fields is None:
        return None
    if callable(fields):
        return fields(args)
    chosen = _chosen(fields, args)
    if fields and not chosen:
        raise Refused("a call of '%s' has none of %s, so that it can't be told from others" % (name, ", ".join(fields)))
    return chosen


def _chosen(names: Optional[Sequence[str]], args: Arguments) -> Any:
    return None if names is None else {each: args[each] for each in names if each in args}


def _takes_two(execute: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(execute).parameters.values()
    except (TypeError, ValueError):
        return True
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    required = [each for each in places if each.default is each.empty]
    return len(required) > 1 or any(each.name == "call" for each in places[1:])


def _answer(outcome: Outcome[Any]) -> ToolAnswer[Any]:
    if outcome.kind == "done" or outcome.ok:
        note = outcome.for_model() if outcome.replayed else None
        return ToolAnswer(outcome.kind, value=outcome.value, note=note, outcome=outcome)
    if outcome.kind == "failed" and outcome.error is not None:
        # Nothing happened: the framework shows the error, and a retry is right.
        raise outcome.error
    return ToolAnswer(outcome.kind, text=outcome.for_model(), outcome=outcome)
