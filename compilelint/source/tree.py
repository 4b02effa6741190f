"""The files of a project: indexed when somebody asks, forgotten when there are too many."""

from __future__ import annotations

import ast
import re
import symtable
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType

from compilelint.report.model import Problem
from compilelint.source.bindings import may_bind
from compilelint.source.facts import FileFacts, facts_of
from compilelint.source.imports import MAX_IMPORTERS, ImportGraph, Links
from compilelint.source.index import index_lambdas, index_module
from compilelint.source.library import Library
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.modules import ModuleNames
from compilelint.source.outline import leave_out, parse_outline, watch
from compilelint.source.refused import refusal
from compilelint.source.text import SourceText
from compilelint.source.texts import Texts
from compilelint.source.watched import Body, BodyKey

_STAR_IMPORT = re.compile(r"import[ \t]+\*")
_MAX_INDEXED_CHARACTERS = 5_000_000
"""About 125,000 lines; the trees of so much source take some 200 MB, and several processes may have them."""


@dataclass(slots=True)
class Asked:
    """What somebody asked of a tree, whether or not it was there."""

    texts: set[str] = field(default_factory=set)
    """The files whose text was asked for."""
    facts: set[str] = field(default_factory=set)
    """Those whose facts were."""
    outlines: set[str] = field(default_factory=set)
    """Those whose index was, which tells of all but the `bodies`."""
    bodies: set[BodyKey] = field(default_factory=set)
    """The functions into which somebody looked."""
    importers: set[str] = field(default_factory=set)
    """The files of which the importers were asked for."""
    few_importers: set[str] = field(default_factory=set)
    """Those of which they were if they are few."""

    def __or__(self, other: Asked) -> Asked:
        return Asked(
            self.texts | other.texts,
            self.facts | other.facts,
            self.outlines | other.outlines,
            self.bodies | other.bodies,
            self.importers | other.importers,
            self.few_importers | other.few_importers,
        )

    @property
    def files(self) -> set[str]:
        """All of which anything was asked but importers."""
        return self.texts | self.facts | self.outlines


@dataclass(slots=True)
class SourceTree:
    """All files that an analysis may look into. `checked` are those whose findings are wanted.

    `texts` are the project's; those of the library are read when somebody asks for them.
    """

    root: Path
    texts: Texts
    checked: frozenset[str]
    names: ModuleNames
    graph: ImportGraph
    library: Library
    known_bodies: Callable[[SourceText], Sequence[Body] | None] = field(default=lambda text: None)
    """The bodies of functions in a text that was parsed in an earlier run: they wait until somebody looks into them."""
    new_bodies: dict[str, Sequence[Body]] = field(default_factory=dict)
    """Those of the files that were parsed as a whole since somebody emptied this."""
    asked: Asked = field(default_factory=Asked)
    """What was asked for since `forget_asked`."""
    too_deep: set[str] = field(default_factory=set)
    """The files that nested too deep for what was left of the stack when they were asked for."""
    _indexed: OrderedDict[str, ModuleIndex] = field(default_factory=OrderedDict)
    _bodies: dict[str, Sequence[Body]] = field(default_factory=dict)
    _failed: dict[str, Problem] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    """The characters of those that are indexed."""
    _size: int = 0
    _last_asked: tuple[str, Asked | None, ModuleIndex | None] = ("", None, None)
    """The file that was asked for last, for whom, and its index: most are asked for several times in a row."""

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
        facts = {name: facts_of(text.text) for name, text in texts.items()}
        paths = {name: text.path for name, text in texts.items()}
        given = Texts(paths, texts, lambda path: None)
        return cls.over(root, given, frozenset(text.name for text in checked), facts, library or Library())

    @classmethod
    def over(
        cls,
        root: Path,
        texts: Texts,
        checked: frozenset[str],
        facts: Mapping[str, FileFacts],
        library: Library,
        links: Mapping[str, Links] = MappingProxyType({}),
    ) -> SourceTree:
        """A tree over texts of which the facts are known, and of some the files that they import."""
        names = ModuleNames(texts.paths)
        return cls(root, texts, checked, names, ImportGraph(facts, names, library.packages, links), library)

    def module(self, name: str) -> ModuleIndex | None:
        """The index of a file, or None if it is not Python that this interpreter can parse (see `problem`).

        It is noted who looks into its functions; who looks at its `lines` elsewhere asks for its `text`, too.
        """
        if name == self._last_asked[0] and self.asked is self._last_asked[1]:
            return self._last_asked[2]
        self.asked.outlines.add(name)
        module = self._indexed.get(name)
        if module is not None:
            self._indexed.move_to_end(name)
            self._last_asked = name, self.asked, module
            return module
        text = None if name in self._failed else self._text(name)
        if text is None:
            return None
        dotted = self.library.dotted(name) if self.is_followed(name) else self.names.dotted(name)
        bodies = self._bodies[name] if name in self._bodies else self.known_bodies(text)
        parse = partial(parse_outline, bodies=bodies) if bodies is not None else ast.parse
        try:
            module = index_module(text, dotted, self.is_package(name), parse)
        except (SyntaxError, ValueError) as error:
            self._failed[name] = _syntax_problem(name, error)
            return None
        except (RecursionError, MemoryError):
            self._failed[name] = Problem(name, "nests too deep for Python's parser")
            self.too_deep.add(name)
            return None
        if bodies is not None:
            leave_out(module, bodies, self._looked_into)
        elif text.written is None:  # else there is more to a body than its text
            self._bodies[name] = self.new_bodies[name] = watch(module, self._looked_into)
        self._indexed[name] = module
        self._sizes[name] = len(text.text)
        self._size += len(text.text)
        while self._size > _MAX_INDEXED_CHARACTERS and len(self._indexed) > 1:
            forgotten, _ = self._indexed.popitem(last=False)
            self._size -= self._sizes.pop(forgotten)
        return module

    def text(self, name: str) -> SourceText | None:
        """The text of a file of the project or of a followed package."""
        self.asked.texts.add(name)
        return self._text(name)

    def line(self, name: str, number: int) -> str:
        """A line of a file of the project as its author wrote it; empty past the last."""
        text, module = self.texts[name], self._indexed.get(name)
        if module is None or text.written is not None:
            return text.line(number)
        return module.lines[number - 1] if number <= len(module.lines) else ""

    def text_of(self, module: ModuleIndex) -> str:
        """The whole text of a module, for who looks for words in it."""
        text = self.text(module.name)
        return text.text if text is not None else ""

    def _text(self, name: str) -> SourceText | None:
        return self.texts.get(name) or self.library.text(name)

    def _looked_into(self, body: BodyKey) -> None:
        self.asked.bodies.add(body)

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

        These are what it imports with `*`, less those whose text does not bind the name: packages of models import
        hundreds of files, of which one is worth parsing. For a package that says nowhere in source where its names come
        from they are the files that define one of that name.
        """
        if name.startswith("__") and name.endswith("__"):
            return  # each module has its own, and `*` leaves them out
        for source in module.star_imports:
            found = self.find(source, module.name)
            if found is not None and self._may_provide(found, name, set()):
                yield from filter(None, [self.module(found)])
        if not module.star_imports:
            for file in self.library.definers(module.name, name, self.text) if self.is_followed(module.name) else ():
                yield from filter(None, [self.module(file)])

    def _may_provide(self, file: str, name: str, seen: set[str]) -> bool:
        """Whether a file may have a name, as far as texts tell: its own, and those of what it imports with `*`."""
        seen.add(file)
        # Texts only save parsing: what the file has in the end is a matter of its outline.
        self.asked.outlines.add(file)
        text = self._text(file)
        if text is None:
            return False
        if may_bind(text.text, name):
            return True
        if self.is_followed(file):
            return _STAR_IMPORT.search(text.text) is not None
        return any(self._may_provide(each, name, seen) for each in self.graph.star_imported(file) if each not in seen)

    def function(self, key: Key) -> FunctionInfo | None:
        module = self.module(key[0])
        if module is None:
            return None
        found = module.functions.get(key)
        if found is None and key not in module.classes:
            index_lambdas(module, key[1])
            found = module.functions.get(key)
        return found

    def class_(self, key: Key) -> ClassInfo | None:
        module = self.module(key[0])
        return module.classes.get(key) if module is not None else None

    def is_python(self, name: str) -> bool:
        """Whether a file is surely Python; where it is not, `module` and `problem` tell.

        Python's compiler says so in half the time that it takes to make a tree for us, and index it.
        """
        text = self.text(name)
        if text is None:
            return False
        try:
            symtable.symtable(text.text, "<unknown>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True

    def problem(self, name: str) -> Problem | None:
        """Why a file could not be indexed, if it was asked for and could not."""
        return self._failed.get(name)

    def files_with_roots(self, most_importers: int = MAX_IMPORTERS) -> tuple[str, ...]:
        """The files in which compilation may start and reach a checked file, sorted by name."""
        return self.graph.files_with_roots(self.checked, most_importers)

    def forget_asked(self) -> None:
        """Begin to note anew what is asked for."""
        self.asked = Asked()

    def facts(self, name: str) -> FileFacts:
        """What the text of a file says at a glance. Raises KeyError if there is none."""
        if name in self.texts:
            self.asked.facts.add(name)
            return self.graph.facts(name)
        text = self.text(name)
        if text is None:
            raise KeyError(name)
        return facts_of(text.text)

    def imported(self, name: str) -> Set[str]:
        """The files of the project that one of its files imports directly; none of a followed package's."""
        if name not in self.texts:
            return frozenset()
        self.asked.facts.add(name)
        return self.graph.imported(name)

    def importers(self, name: str) -> Set[str]:
        """The files of the project that import this one, or something of it from a file that passes it on."""
        self.asked.importers.add(name)
        return self.graph.importers(name)

    def few_importers(self, name: str) -> Set[str] | None:
        """The same, if they are few."""
        self.asked.few_importers.add(name)
        return self.graph.few_importers(name)


def _syntax_problem(name: str, error: SyntaxError | ValueError) -> Problem:
    return Problem(name, refusal(error), error.lineno if isinstance(error, SyntaxError) else None)
