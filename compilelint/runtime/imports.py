"""Calls back when the program imports a module, and not before: the recorder never imports torch itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

Callback = Callable[[ModuleType], None]


class _Loader(Loader):
    """Runs a module as its own loader does, then calls back."""

    def __init__(self, loader: Loader, called: Callback) -> None:
        self._loader, self._called = loader, called

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # The module keeps the loader it would have had: inspect and pkgutil ask for it.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._called(module)


class _Finder(MetaPathFinder):
    """Finds what the other finders find, for the modules that somebody waits for."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[Callback]] = {}
        self.executed: set[str] = set()
        self._searching: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.waiting or fullname in self._searching:
            return None
        self._searching.add(fullname)
        try:
            spec = find_spec(fullname)
        finally:
            self._searching.discard(fullname)
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _Loader(spec.loader, self._imported)
        return spec

    def _imported(self, module: ModuleType) -> None:
        self.executed.add(module.__name__)
        for called in self.waiting.pop(module.__name__, []):
            called(module)


_finder = _Finder()


def when_imported(name: str, called: Callback) -> None:
    """Call `called(module)` once the module has been executed: at once, if it already has.

    Other modules that import names from it see what the callback made of it. An exception of the
    callback goes to whoever imports the module.
    """
    module = sys.modules.get(name)
    if module is not None and (name in _finder.executed or not _is_initializing(module)):
        called(module)
        return
    _finder.waiting.setdefault(name, []).append(called)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def forget_all() -> None:
    """Wait for nothing any more."""
    _finder.waiting.clear()
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)


def _is_initializing(module: ModuleType) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))
