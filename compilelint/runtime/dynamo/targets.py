"""What the program compiles: its calls of torch.compile, and the calls of what they return."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import MethodType
from typing import Any

from compilelint.report.stack import StackFrame, is_of_torch
from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.dynamo import torch_calls
from compilelint.runtime.dynamo.blocks import repeated_blocks
from compilelint.runtime.dynamo.call_counter import number_of
from compilelint.runtime.dynamo.in_place import without_frame
from compilelint.runtime.dynamo.strict import StrictRefused, refusal
from compilelint.runtime.events import CompileCall
from compilelint.runtime.places import asked_by, callers, code_place
from compilelint.runtime.recorder import Recorder

_CALLS_OF_MODULES = ("_call_impl", "_wrapped_call_impl", "__call__")
"""What a module is called by; of a copy of a compiled module torch compiles that."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """How a context was made."""

    backend: str
    replaced: str | None
    fullgraph: bool
    dynamic: bool | None
    mode: str | None


class _Thread(threading.local):
    inside = False
    """Making one compiled function makes others: of a module, its forward."""


class Targets:
    """Numbers the compiled functions, and tells the recorder when they run.

    `backend` replaces what the program asks for; `strict` turns every break into an exception.
    """

    def __init__(self, recorder: Recorder, *, backend: str | None = None, strict: bool = False) -> None:
        self._recorder, self._backend, self._strict = recorder, backend, strict
        self._asked: dict[int, tuple[Any, _Asked]] = {}  # keeps the contexts: an id may not come again
        self._known: dict[int, int] = {}
        """The numbers of the contexts, by their ids."""
        self._owners: dict[int, tuple[int, weakref.ref[Any]]] = {}
        """The numbers of the objects, by their ids, which come again once an object is gone."""
        self._met = 0
        self._thread = _Thread()
        self.by_recorder = False
        """What is compiled now, the recorder compiles: --compile."""

    @property
    def count(self) -> int:
        return len(self._known)

    def contexts(self, original: torch_names.Wrapper) -> torch_names.Wrapper:
        """In place of torch._dynamo.optimize: what all ways to compile come down to."""

        asks, made = torch_names.unseen(self._asks), torch_names.unseen(self._made)

        def optimize(*args: Any, **kwargs: Any) -> Any:
            mode = torch_names.asked_mode()
            args, kwargs, asked = asks(mode, args, kwargs)
            context = original(*args, **kwargs)
            made(context, asked)
            return context

        return optimize

    def _asks(
        self, mode: str | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], _Asked]:
        """The arguments as our own options want them, and what was asked for."""
        given = args[0] if args else kwargs.get("backend", "inductor")
        named = torch_names.backend_name(given)
        replaced = None
        if self._backend is not None and self._backend != named:
            replaced, args = named, args[1:]
            kwargs["backend"] = self._backend
        if self._strict and not kwargs.get("nopython"):
            if not torch_names.can_raise_on_break():
                print(f"error: {refusal(torch_names.version())}", file=sys.stderr, flush=True)
                raise StrictRefused
            kwargs["error_on_graph_break"] = True
        asked = _Asked(
            backend=self._backend or named,
            replaced=replaced,
            fullgraph=bool(kwargs.get("nopython")),
            dynamic=kwargs.get("dynamic"),
            mode=mode,
        )
        return args, kwargs, asked

    def _made(self, context: Any, asked: _Asked) -> None:
        self._asked[id(context)] = (context, asked)

    def functions(self, original: torch_names.Wrapper) -> torch_names.Wrapper:
        """In place of what makes a compiled function with such a context."""

        thread, known, add = self._thread, self._known, torch_names.unseen(self._add)

        def __call__(context: Any, function: Any) -> Any:
            if thread.inside:
                return original(context, function)
            thread.inside = True
            try:
                result = original(context, function)
            finally:
                thread.inside = False
            if id(context) not in known:
                add(context, function)
            return result

        return __call__

    def _add(self, context: Any, function: Any) -> None:
        held = self._asked.setdefault(id(context), (context, _Asked("unknown", None, False, None, None)))
        asked = held[1]
        number = self._known[id(context)] = self._recorder.new_target()
        called, given = _without_partial(without_frame(function))
        module, name, defined = _described(called)
        owner = module if module is not None else getattr(called, "__self__", None)
        self._recorder.declare(
            CompileCall(
                at=0.0,
                number=number,
                function=name,
                what="function" if module is None else "module",
                code=_code(defined),
                stack=asked_by(callers()),
                backend=asked.backend,
                asked_backend=asked.replaced,
                fullgraph=asked.fullgraph,
                dynamic=asked.dynamic,
                mode=asked.mode,
                by_recorder=self.by_recorder,
                repeated=() if module is None else repeated_blocks(module),
                parameters=_parameters(defined)[given:],
                owner=self._number_of(owner) if owner is not None else None,
            )
        )
        if self._recorder.stops:
            torch_calls.on_each_call(context, lambda: self._recorder.enter(number))
        else:
            self._count_calls(context, number)

    def _number_of(self, owner: Any) -> int | None:
        known = self._owners.get(id(owner))
        if known is not None and known[1]() is owner:
            return known[0]
        try:
            self._owners[id(owner)] = self._met, weakref.ref(owner)
        except TypeError:
            return None
        self._met += 1
        return self._met - 1

    def _count_calls(self, context: Any, number: int) -> None:
        """The first call is told; of the others only their number is kept, for which nothing of Python runs."""
        counter = self._recorder.counter(number)

        def entered() -> Callable[[], object]:
            replace_by(counter.count)
            over = counter.count()
            return self._recorder.first(number) if counter.calls == 1 else over

        replace_by = torch_calls.on_each_call(context, entered)

    def running(self) -> tuple[int, int] | None:
        """The outermost compiled call that this thread is in: target, and number of the call.

        Only who asks pays for it, which is who has compiled something.
        """
        outermost: tuple[int, int] | None = None
        for context, hooks in torch_calls.running_calls():
            if (target := self._known.get(id(context))) is not None:
                # The first call has a hook of ours that is no counter's; a torch that keeps them elsewhere shows none.
                unnumbered = 1 if hooks else self._recorder.counter(target).calls
                outermost = target, next(filter(None, map(number_of, hooks)), unnumbered)
        return outermost


def _without_partial(function: Any) -> tuple[Any, int]:
    """What `functools.partial` calls, and how many positional arguments it gives that."""
    given = 0
    while isinstance(function, partial):
        given += len(function.args)
        function = without_frame(function.func)
    return function, given


def _described(function: Any) -> tuple[Any, str, Any]:
    """The module that it is, or None; its name, and the function, or `forward`, that the user wrote."""
    owner = getattr(function, "__self__", None)
    module = next((each for each in (function, owner) if torch_names.is_module(each)), None)
    if module is not None and (module is function or function.__name__ in _CALLS_OF_MODULES):
        kind = type(module)
        called = _called(kind)
        return module, kind.__qualname__, _written(MethodType(called, module)) if callable(called) else None
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return None, name, _written(function)


def _called(kind: Any) -> Any:
    """What a call of such a module comes to: `forward`, or the `__call__` that the class has in place of torch's.

    Of some it is none that can be called: to ask a class of `torch.jit.trace` for its `forward` is an error, and one
    of the user's own may be a property.
    """
    of_torch = next((base for base in kind.__mro__ if base.__module__ == "torch.nn.modules.module"), kind)
    return getattr(kind, "forward", None) if kind.__call__ is of_torch.__call__ else kind.__call__


def _written(function: Any) -> Any:
    """What a decorator of torch's was put around, as `torch.no_grad()` is."""
    while (place := _code(function)) is not None and is_of_torch(place) and hasattr(function, "__wrapped__"):
        bound = getattr(function, "__self__", None)
        function = function.__wrapped__ if bound is None else MethodType(function.__wrapped__, bound)
    return function


def _code(function: Any) -> StackFrame | None:
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code_place(code) if code is not None else None


def _parameters(function: Any) -> tuple[str, ...]:
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return ()
    bound = int(getattr(function, "__self__", None) is not None)
    return tuple(code.co_varnames[bound : code.co_argcount])
