"""--compile: compiles the modules that the program calls, if it never compiles anything itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

from compilelint.runtime.dynamo.in_place import compile_in_place
from compilelint.runtime.dynamo.targets import Targets
from compilelint.runtime.imports import when_imported


class _Thread(threading.local):
    inside = False


def compile_modules(targets: Targets) -> Callable[[], None]:
    """From now on, a module that is called outside of any other is compiled in place, until the program
    compiles something by itself.

    Returns what stops this. While a module runs, `torch.nn.Module` is as it was: Dynamo traces its
    `__call__`.
    """
    stop: list[Callable[[], None]] = []
    cancelled = False

    def imported(module: ModuleType) -> None:
        if not cancelled:
            stop.append(_watch(module, targets))

    def undo() -> None:
        nonlocal cancelled
        cancelled = True
        for each in stop:
            each()

    when_imported("torch.nn.modules.module", imported)
    return undo


def _watch(module: Any, targets: Targets) -> Callable[[], None]:
    module_class = module.Module
    original = module_class.__call__
    thread, lock = _Thread(), threading.Lock()
    running = 0
    compiled: set[int] = set()

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal running
        if thread.inside:
            return original(self, *args, **kwargs)
        with lock:
            running += 1
            module_class.__call__ = original
        thread.inside = True
        try:
            if targets.count == len(compiled) and _is_worth_it(self):
                targets.by_recorder = True
                try:
                    compile_in_place(self)
                finally:
                    targets.by_recorder = False
                compiled.add(id(self))
            return original(self, *args, **kwargs)
        finally:
            thread.inside = False
            with lock:
                running -= 1
                if not running and targets.count == len(compiled):
                    module_class.__call__ = __call__

    module_class.__call__ = __call__

    def undo() -> None:
        if module_class.__call__ is __call__:
            module_class.__call__ = original

    return undo


def _is_worth_it(module: Any) -> bool:
    """Not a loss of torch's: it is one operator, and compiled with what calls it, if at all."""
    return module._compiled_call_impl is None and type(module).__module__ != "torch.nn.modules.loss"
