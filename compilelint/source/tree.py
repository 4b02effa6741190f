"""The files of a project: indexed when somebody asks, forgotten when there are too many."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compilelint.report.model import Problem
from compilelint.source.index import index_lambdas, index_module
from compilelint.source.library import Library
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.modules import ModuleNames
from compilelint.source.text import SourceText

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(.*)|import[ \t]+([^#\n]+))", re.MULTILINE)
_STAR_IMPORT = re.compile(r"import[ \t]+\*")
_TORCH_WORDS = ("torch", "lightning", "transformers", "diffusers")
MAX_IMPORTERS = 40
"""How many files that import a checked one may have roots."""
_MAX_INDEXED_CHARACTERS = 80_000_000
"""About two million lines; the trees of so much source take some 3 GB."""


@dataclass(slots=True)
class SourceTree:
    """All files that the check may look into. `checked` are those whose findings are wanted.

    `texts` are the project's; those of the library are read when somebody asks for them.
    """

    root: Path
    texts: dict[str, SourceText]
    checked: frozenset[str]
    names: ModuleNames
    library: Library
    _indexed: OrderedDict[str, ModuleIndex]
    _failed: dict[str, Problem]
    _size: int = 0
    _imports: dict[str, set[str]] = field(default_factory=dict)
    _imported_by: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def load(
        cls,
        root: Path,
        checked: Sequence[SourceText],
        context: Sequence[SourceText],
        library: Library | None = None,
    ) -> SourceTree:
        """A tree over the files to check, the rest of their project and the packages to follow; parses nothing yet."""
        texts = {text.name: text for text in [*context, *checked]}
        return cls(
            root,
            texts,
            frozenset(text.name for text in checked),
            ModuleNames(texts.values()),
            library or Library(),
            OrderedDict(),
            {},
        )

    def module(self, name: str) -> ModuleIndex | None:
        """The index of a file, or None if it is not Python that this interpreter can parse (see `problems`)."""
        module = self._indexed.get(name)
        if module is not None:
            self._indexed.move_to_end(name)
            return module
        text = None if name in self._failed else self.text(name)
        if text is None:
            return None
        dotted = self.library.dotted(name) if self.is_followed(name) else self.names.dotted(name)
        try:
            module = index_module(text, dotted, self.is_package(name))
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
            gone = self.text(forgotten)
            self._size -= len(gone.text) if gone is not None else 0
        return module

    def text(self, name: str) -> SourceText | None:
        """The text of a file of the project or of a followed package."""
        return self.texts.get(name) or self.library.text(name)

    def is_followed(self, name: str) -> bool:
        """Whether the file is that of a followed package: nobody's to check, only to walk into."""
        return name not in self.texts and self.library.owns(name)

    def is_package(self, name: str) -> bool:
        """Whether the file is the `__init__.py` of a package."""
        return name.endswith("/__init__.py") if self.is_followed(name) else self.names.is_package(name)

    def find(self, dotted: str, importer: str) -> str | None:
        """The file that `import dotted` means in the file `importer`; None if it lies outside.

        What the project has hides what is installed, as it does for a script; an installed package knows no project.
        """
        if self.is_followed(importer):
            return self.library.find(dotted)
        return self.names.find(dotted, importer) or self.library.find(dotted)

    def import_module(self, dotted: str, importer: str) -> ModuleIndex | None:
        """The module of the project, or of a followed package, that `import dotted` means in the file `importer`."""
        name = self.find(dotted, importer)
        return self.module(name) if name is not None else None

    def providers(self, module: ModuleIndex, name: str) -> Iterator[ModuleIndex]:
        """The modules from which a module may have a name that it does not bind itself, in order.

        These are what it imports with `*`, less those in whose text the name does not occur: packages of models
        import hundreds of files, of which one is worth parsing. For a package that says nowhere in source where its
        names come from they are the files that define one of that name.
        """
        for source in module.star_imports:
            found = self.find(source, module.name)
            text = self.text(found) if found is not None else None
            if text is not None and (name in text.text or _STAR_IMPORT.search(text.text)):
                yield from filter(None, [self.module(text.name)])
        if not module.star_imports:
            for file in self.library.definers(module.name, name) if self.is_followed(module.name) else ():
                yield from filter(None, [self.module(file)])

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

    def files_with_roots(self, most_importers: int = MAX_IMPORTERS) -> tuple[str, ...]:
        """The files in which compilation may start and reach a checked file, sorted by name.

        These are the checked files, and the files of the project that import one of them directly, that have
        anything to do with torch: they mention it, or import a file of the project that does. Files further away are
        left out, and so are importers beyond the first few: a commit of one file must not check a whole project.
        """
        if not most_importers:
            return tuple(sorted(filter(self._reaches_torch, self.checked)))
        importers = self._importers()
        about_torch = set(filter(self._is_about_torch, self.texts))
        reach_torch = _closure(about_torch, importers)
        direct = {importer for name in self.checked for importer in importers.get(name, ())} - self.checked
        context = sorted(direct & reach_torch)[:most_importers]
        return tuple(sorted({*(self.checked & reach_torch), *context}))

    def _is_about_torch(self, name: str) -> bool:
        text = self.texts[name].text
        return any(word in text for word in (*_TORCH_WORDS, *self.library.packages))

    def _reaches_torch(self, name: str) -> bool:
        """The same question as above asked of one file: its imports are followed no further than needed."""
        seen = {name}
        pending = [name]
        while pending:
            current = pending.pop()
            if self._is_about_torch(current):
                return True
            found = self._imported_files(self.texts[current]) - seen
            seen |= found
            pending += found
        return False

    def loaded_with(self, name: str) -> set[str]:
        """The files that a program may hold together with this one: some file's imports lead to both."""
        programs = _closure({name}, self._importers())
        return _closure(programs, self._imported())

    def importers(self, name: str) -> set[str]:
        """The files of the project that import this one directly."""
        return self._importers().get(name, set())

    def _importers(self) -> dict[str, set[str]]:
        if not self._imported_by:
            for name, targets in self._imported().items():
                for target in targets:
                    self._imported_by.setdefault(target, set()).add(name)
        return self._imported_by

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
