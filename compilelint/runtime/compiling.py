"""--compile: compiles the modules that the program calls, if it never compiles anything itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

from compilelint.runtime.imports import when_imported
from compilelint.runtime.targets import Targets


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

    def imported(torch: ModuleType) -> None:
        if not cancelled:
            stop.append(_watch(torch, targets))

    def undo() -> None:
        nonlocal cancelled
        cancelled = True
        for each in stop:
            each()

    when_imported("torch", imported)
    return undo


def _watch(torch: Any, targets: Targets) -> Callable[[], None]:
    module_class = torch.nn.Module
    original = module_class.__call__
    thread, lock = _Thread(), threading.Lock()
    running = 0
    compiled: set[int] = set()

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal running
        if thread.inside or torch.compiler.is_compiling():
            return original(self, *args, **kwargs)
        with lock:
            running += 1
            module_class.__call__ = original
        thread.inside = True
        try:
            if targets.count == len(compiled) and self._compiled_call_impl is None:
                targets.by_recorder = True
                try:
                    self.compile()
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
