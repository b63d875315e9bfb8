"""Celery tasks that take effect once, in one line::

    @app.task(base=once_task(idem), acks_late=True, autoretry_for=(NotExecuted,))
    def charge(customer, cents): ...

The key is the id of the task, which retries and redeliveries keep. A worker that is killed leaves the task in doubt: its
redelivery fails with InDoubt and runs nothing. Where a message may be *published* twice, give a key of your own::

    @app.task(base=once_task(idem, key=lambda order_id, cents: order_id), acks_late=True)

Endings are raised here, unlike in the guards of tools: the next task of a chain must not get a text in place of a receipt.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from idem import Idem, InFlight, LedgerUnavailable, Refused, context, plan

_LATER = 10


def once_task(
    idem: Idem,
    *,
    key: Optional[Callable[..., Any]] = None,
    scope: str = "celery",
    policy: Optional[Dict[str, Any]] = None,
    definite: Any = None,
    probe: Any = None,
    returning: Any = None,
) -> Type[Any]:
    """A base class for tasks that take effect once for each key.

    key: a function of the task's arguments that names the work, such as the id of an order; without it, the id of the
        task. The same key with other arguments is a Conflict.
    definite: types of errors, or a function, that prove that nothing happened, so that a retry may run. NotExecuted always
        does. After any other error the task is in doubt, and its retry fails with InDoubt.
    policy, probe, returning: as for an operation.
    """
    rules = plan.policy({"side_effect": "write"}, policy or {})
    plan.deciding(definite)
    plan.asking(probe)
    context.name_of(scope, "the scope")
    celery_task: Any = importlib.import_module("celery").Task
    asked_to_retry: Any = importlib.import_module("celery.exceptions").Retry

    class AskedToRetry(asked_to_retry):  # type: ignore[misc]
        """The task wants a retry. It is published after this attempt is settled, else it could overtake that."""

        def __init__(self, words: Tuple[Any, ...], options: Dict[str, Any], cause: Optional[BaseException]):
            super().__init__("", cause)
            self.words, self.options, self.cause = words, options, cause

    class OnceTask(celery_task):  # type: ignore[misc]
        abstract = True

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            asked: List[AskedToRetry] = []

            def act(call: Any) -> Any:
                try:
                    return self.run(*args, **kwargs)
                except AskedToRetry as again:
                    asked.append(again)
                    if again.cause is None:
                        raise
                    raise again.cause

            name, identity = self._idem_names(args, kwargs)
            operation = idem.operation(
                self.name,
                scope=scope,
                key=name,
                identity=identity,
                policy=rules,
                definite=definite,
                probe=probe,
                returning=returning,
            )
            try:
                return operation.run(act)
            except (InFlight, LedgerUnavailable) as later:
                if asked or self.request.is_eager or self.request.called_directly:
                    raise
                # Nothing ran: another worker has it, or there was no answer. It waits for as long as that takes.
                try:
                    raise super().retry(exc=later, countdown=_LATER, max_retries=self.request.retries + 1)
                finally:
                    self.__dict__.pop("override_max_retries", None)
            except BaseException as raised:
                if not asked or raised not in (asked[0], asked[0].cause):
                    raise
            again = asked[0]
            raise super().retry(*again.words, **{**again.options, "exc": again.cause})

        def retry(
            self,
            args: Any = None,
            kwargs: Any = None,
            exc: Optional[BaseException] = None,
            throw: bool = True,
            **options: Any,
        ) -> Any:
            if not throw:
                return super().retry(args, kwargs, exc=exc, throw=throw, **options)
            raise AskedToRetry((args, kwargs), options, exc)

        def _idem_names(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Tuple[str, Optional[Dict[str, Any]]]:
            if key is None:
                if self.request.id is None:
                    raise Refused(
                        "%s was called as a function, so it has no task id to be its key: send it with .delay(), or give "
                        "once_task(idem, key=...)" % self.name
                    )
                # Its arguments are not compared: a retry may change them, and the id is unique.
                return str(self.request.id), None
            bound = inspect.signature(self.run).bind(*args, **kwargs)
            bound.apply_defaults()
            given = dict(bound.arguments)
            given.pop("self", None)
            return context.name_of(key(**given), "the key of %s" % self.name, int), {"arguments": given}

    return OnceTask
