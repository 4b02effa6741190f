"""The files of a project: indexed when somebody asks, forgotten when there are too many."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compilelint.report.model import Problem
from compilelint.source.index import index_lambdas, index_module
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.modules import ModuleNames
from compilelint.source.text import SourceText

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(.*)|import[ \t]+([^#\n]+))", re.MULTILINE)
_TORCH_WORDS = ("torch", "lightning", "transformers", "diffusers")
_MAX_IMPORTERS = 40
_MAX_INDEXED_CHARACTERS = 80_000_000
"""About two million lines; the trees of so much source take some 3 GB."""


@dataclass(slots=True)
class SourceTree:
    """All files that the check may look into. `checked` are those whose findings are wanted."""

    root: Path
    texts: dict[str, SourceText]
    checked: frozenset[str]
    names: ModuleNames
    _indexed: OrderedDict[str, ModuleIndex]
    _failed: dict[str, Problem]
    _size: int = 0
    _imports: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def load(cls, root: Path, checked: Sequence[SourceText], context: Sequence[SourceText]) -> SourceTree:
        """A tree over the files to check and the rest of their project; parses nothing yet."""
        texts = {text.name: text for text in [*context, *checked]}
        return cls(
            root,
            texts,
            frozenset(text.name for text in checked),
            ModuleNames(texts.values()),
            OrderedDict(),
            {},
        )

    def module(self, name: str) -> ModuleIndex | None:
        """The index of a file, or None if it is not Python that this interpreter can parse (see `problems`)."""
        module = self._indexed.get(name)
        if module is not None:
            self._indexed.move_to_end(name)
            return module
        if name in self._failed or name not in self.texts:
            return None
        text = self.texts[name]
        try:
            module = index_module(text, self.names.dotted(name), self.names.is_package(name))
        except (SyntaxError, ValueError) as error:
            self._failed[name] = _syntax_problem(name, error)
            return None
        except (RecursionError, MemoryError):
            self._failed[name] = Problem(name, "nests too deep for Python's parser")
            return None
        self._indexed[name] = module
        self._size += len(text.text)
        while self._size > _MAX_INDEXED_CHARACTERS and len(self._indexed) > 1:
            forgotten, _ = self._indexed.popitem(last=False)
            self._size -= len(self.texts[forgotten].text)
        return module

    def import_module(self, dotted: str, importer: str) -> ModuleIndex | None:
        """The module of the project that `import dotted` means in the file `importer`."""
        name = self.names.find(dotted, importer)
        return self.module(name) if name is not None else None

    def function(self, key: Key) -> FunctionInfo | None:
        module = self.module(key[0])
        if module is None:
            return None
        if key not in module.functions and key not in module.classes:
            index_lambdas(module)
        return module.functions.get(key)

    def class_(self, key: Key) -> ClassInfo | None:
        module = self.module(key[0])
        return module.classes.get(key) if module is not None else None

    def problems(self) -> tuple[Problem, ...]:
        """Why checked files could not be indexed, for all files asked for so far."""
        return tuple(problem for name, problem in sorted(self._failed.items()) if name in self.checked)

    def files_with_roots(self) -> tuple[str, ...]:
        """The files in which compilation may start and reach a checked file, sorted by name.

        These are the checked files, and the files of the project that import one of them directly, that have
        anything to do with torch: they mention it, or import a file of the project that does. Files further away are
        left out, and so are importers beyond the first few: a commit of one file must not check a whole project.
        """
        importers = self._importers()
        about_torch = {name for name, text in self.texts.items() if any(word in text.text for word in _TORCH_WORDS)}
        reach_torch = _closure(about_torch, importers)
        direct = {importer for name in self.checked for importer in importers.get(name, ())} - self.checked
        context = sorted(direct & reach_torch)[:_MAX_IMPORTERS]
        return tuple(sorted({*(self.checked & reach_torch), *context}))

    def loaded_with(self, name: str) -> set[str]:
        """The files that a program may hold together with this one: some file's imports lead to both."""
        programs = _closure({name}, self._importers())
        return _closure(programs, self._imported())

    def _importers(self) -> dict[str, set[str]]:
        importers: dict[str, set[str]] = {}
        for name, targets in self._imported().items():
            for target in targets:
                importers.setdefault(target, set()).add(name)
        return importers

    def _imported(self) -> dict[str, set[str]]:
        if not self._imports:
            self._imports.update((name, self._imported_files(text)) for name, text in self.texts.items())
        return self._imports

    def _imported_files(self, text: SourceText) -> set[str]:
        dotted = self.names.dotted(text.name)
        package = dotted if self.names.is_package(text.name) else dotted.rpartition(".")[0]
        found: set[str] = set()
        for source, names, plain in _IMPORT.findall(text.text):
            for candidate in _candidates(source, names, plain, package):
                target = self.names.find(candidate, text.name)
                if target is not None:
                    found.add(target)
        found.discard(text.name)
        return found


def _candidates(source: str, names: str, plain: str, package: str) -> Iterable[str]:
    if plain:
        for part in plain.split(","):
            yield part.strip().split(" ")[0]
        return
    level = len(source) - len(source.lstrip("."))
    base = source.lstrip(".")
    if level:
        parts = package.split(".") if package else []
        prefix = ".".join(parts[: len(parts) - level + 1])
        base = f"{prefix}.{base}".strip(".") if base else prefix
    yield base
    for part in names.strip("() \t").split(","):
        word = part.strip().split(" ")[0].strip("()\\")
        if word.isidentifier():
            yield f"{base}.{word}".removeprefix(".")


def _closure(start: set[str], successors: dict[str, set[str]]) -> set[str]:
    reached = set(start)
    pending = list(start)
    while pending:
        for name in successors.get(pending.pop(), ()):
            if name not in reached:
                reached.add(name)
                pending.append(name)
    return reached


def _syntax_problem(name: str, error: SyntaxError | ValueError) -> Problem:
    if isinstance(error, SyntaxError):
        return Problem(name, f"syntax error: {error.msg}", error.lineno)
    return Problem(name, f"cannot be parsed: {error}")
