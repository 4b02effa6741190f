"""Which files of a project import which, as their text says: no file is parsed for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from compilelint.source.facts import FileFacts
from compilelint.source.modules import ModuleNames

MAX_IMPORTERS = 40
"""How many files that import a checked one may have roots."""
FEW = 8
"""As many files of one program may import one of its files, by far fewer than import what a library has for all."""
MAX_DISTANCE = 3
"""So many imports may lie between a file with roots and the checked one that they reach."""
ENOUGH = 12
"""Where so many files with roots are near, none that lies further is looked at."""
MAX_STARS = 12
"""Of a file that imports all names of more files than this, none is known to come from one of them."""
_Names: TypeAlias = "frozenset[str] | None"
"""Names of a module; None for all that it has."""


def names_in(listed: str) -> Iterator[tuple[str, str]]:
    """The names after the `import` of `from … import …`, each with what the file calls it; none of `*`."""
    for part in listed.split(","):
        words = part.split()
        if words and words[0].isidentifier():
            yield words[0], words[-1]


class Links(Struct, frozen=True):
    """What the imports of a file lead to in its project."""

    imported: frozenset[str]
    """The files that it imports."""
    named: tuple[str | None, ...]
    """Of each import, in order, the file that stands after its `from`; None if that is none of the project's."""


class _FromImport(Struct, frozen=True):
    """What a file imports from another one with `from`."""

    called: Mapping[str, str]
    """Names there, and what the file calls them."""
    has_all: bool
    """It imports `*`."""

    @property
    def is_any(self) -> bool:
        return self.has_all or bool(self.called)


def _passed_on(what: _FromImport, names: _Names) -> _Names:
    """What a file calls those of these names of another file that it imports from there."""
    if what.has_all:
        return names
    if names is None:
        return frozenset(what.called.values())
    return frozenset(what.called[name] for name in names & what.called.keys())


class ImportGraph:
    """Who imports whom. Built once; only its memory of answers grows.

    `links` are known, of these files. `packages` are those that are followed: a file that imports
    one may be about torch without saying so.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        names: ModuleNames,
        packages: Iterable[str] = (),
        links: Mapping[str, Links] = MappingProxyType({}),
    ) -> None:
        self._facts = facts
        self._names = names
        self._packages = tuple(packages)
        self._links = dict(links)
        self._direct: dict[str, set[str]] = {}
        self._importers: dict[str, frozenset[str]] = {}
        self._few: dict[str, Set[str] | None] = {}
        self._from_importers: dict[str, Sequence[tuple[str, _FromImport]]] = {}
        self._star_imported: dict[str, tuple[str, ...]] = {}
        self._templates: Mapping[str, str] | None = None

    @property
    def links(self) -> Mapping[str, Links]:
        """What was asked of files so far, and was known before."""
        return self._links

    @property
    def imports(self) -> Mapping[str, tuple[tuple[str, str, str], ...]]:
        """What each file says that it imports: with what files there are, all that decides who imports whom."""
        return {name: self._facts[name].imports for name in sorted(self._facts)}

    def facts(self, name: str) -> FileFacts:
        """What a file of the project says at a glance."""
        return self._facts[name]

    def may_configure(self, name: str) -> bool:
        """Whether a file may set something in `torch._dynamo.config`."""
        return self._facts[name].may_configure

    def imported(self, name: str) -> frozenset[str]:
        """The files of the project that a file imports directly."""
        return self._linked(name).imported

    def _linked(self, name: str) -> Links:
        if name not in self._links:
            self._links[name] = self._follow(name)
        return self._links[name]

    def _follow(self, name: str) -> Links:
        dotted = self._names.dotted(name)
        package = dotted if self._names.is_package(name) else dotted.rpartition(".")[0]
        imported: set[str] = set()
        named: list[str | None] = []
        for source, names, plain in self._facts[name].imports:
            targets = [self._names.find(candidate, name) for candidate in _candidates(source, names, plain, package)]
            imported.update(target for target in targets if target is not None)
            named.append(targets[0] if source and targets[0] != name else None)
        return Links(frozenset(imported - {name}), tuple(named))

    def star_imported(self, name: str) -> tuple[str, ...]:
        """The files of the project of which a file may import all names with `*`, in order."""
        if name not in self._star_imported:
            imports = zip(self._facts[name].imports, self._linked(name).named, strict=False)
            found = (source for (_, listed, _), source in imports if source and listed.startswith("*"))
            self._star_imported[name] = tuple(dict.fromkeys(found))
        return self._star_imported[name]

    def importers(self, name: str) -> Set[str]:
        """The files of the project that import this one, or something of it from another file that imports it."""
        if name not in self._importers:
            self._importers[name] = frozenset({*self._direct_importers(name), *self._served_by_others(name)} - {name})
        return self._importers[name]

    def few_importers(self, name: str) -> Set[str] | None:
        """The same; None where they are more than `FEW`: of them nobody need find out who they are."""
        if name not in self._few:
            self._few[name] = self._few_importers(name)
        return self._few[name]

    def _few_importers(self, name: str) -> Set[str] | None:
        found = self._direct_importers(name) - {name}
        served = self._served_by_others(name)
        while len(found) <= FEW:
            importer = next(served, None)
            if importer is None:
                return found
            found |= {importer} - {name}
        return None

    def _direct_importers(self, name: str) -> Set[str]:
        if not self._direct:
            for importer in self._facts:
                for target in self.imported(importer):
                    self._direct.setdefault(target, set()).add(importer)
        return self._direct.get(name, frozenset())

    def _served_by_others(self, name: str) -> Iterator[str]:
        """The files that import from another one what that has imported from this: packages pass on what is in them."""
        pending: list[tuple[str, _Names]] = [(name, None)]
        done: set[tuple[str, _Names]] = set()
        while pending:
            source, names = pending.pop()
            for passing, what in self._importing_from(source):
                if not what.has_all and names is not None and names.isdisjoint(what.called):
                    continue
                passed = passing, _passed_on(what, names)
                if passed in done:
                    continue
                done.add(passed)
                pending.append(passed)
                if source != name:
                    yield passing

    def _importing_from(self, source: str) -> Sequence[tuple[str, _FromImport]]:
        """The files that import from this one with `from`, and what they import."""
        if source not in self._from_importers:
            found: dict[str, _FromImport] = {}
            for file, listed in self._from_imports.get(source, ()):
                before = found.get(file, _FromImport({}, False))
                has_all = before.has_all or (listed == "*" and len(self.star_imported(file)) <= MAX_STARS)
                found[file] = _FromImport({**before.called, **dict(names_in(listed))}, has_all)
            self._from_importers[source] = [(file, what) for file, what in found.items() if what.is_any]
        return self._from_importers[source]

    @cached_property
    def _from_imports(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Of each file those that import from it with `from`, and what each such import lists."""
        found: dict[str, list[tuple[str, str]]] = {}
        for file, facts in self._facts.items():
            for (_, listed, _), source in zip(facts.imports, self._linked(file).named, strict=False):
                if source is not None:
                    found.setdefault(source, []).append((file, listed))
        return found

    def loaded_with(self, name: str) -> frozenset[str]:
        """The files that a program may hold together with this one: some file's imports lead to both."""
        programs = self._closure({name}, importers=True)
        return frozenset(self._closure(programs, importers=False))

    def files_with_roots(self, checked: Set[str], most_importers: int = MAX_IMPORTERS) -> tuple[str, ...]:
        """The files in which compilation may start and reach a checked file, sorted by name.

        These are the checked files, and the files of the project that import one of them, or such a file in turn, that
        have anything to do with torch: they mention it, or import a file of the project that does. Files further away
        are left out, and so are importers beyond the nearest few: a commit of one file must not check a whole project.
        So are templates: what was generated from them is run in their place.
        """
        run = checked - self.templates.keys()
        if not most_importers:
            return tuple(sorted(filter(self._reaches_torch, run)))
        reach_torch = self._closure(set(filter(self._is_about_torch, self._facts)), importers=True)
        found: list[str] = []
        reached = level = set(checked)
        most = most_importers
        for _ in range(MAX_DISTANCE if self._facts.keys() - checked else 0):
            level = {importer for name in level for importer in self.importers(name)} - reached
            reached = reached | level
            near = sorted(level & reach_torch - self.templates.keys(), key=self._likeliest_first)
            found += near[: most - len(found)]
            most = min(most_importers, ENOUGH)
            if len(found) >= most:
                break
            level = {name for name in level if not self._names.is_package(name)}
        return tuple(sorted({*(run & reach_torch), *found}))

    def _likeliest_first(self, name: str) -> tuple[bool, str]:
        return not self._facts[name].has_models, name

    @property
    def templates(self) -> Mapping[str, str]:
        """The files from which others are generated, each with one of these, that are no scripts and that no other file
        imports that is run.

        Nothing runs them: transformers' `modular_llama.py` is written, and `modeling_llama.py` is what is imported.
        """
        if self._templates is None:
            sources = {
                name: source for name in sorted(self._facts) if (source := self.generated_from(name)) is not None
            }
            templates = {name for name in sources.values() if not self._facts[name].is_script}
            while not_run := {name for name in templates if not self._direct_importers(name) <= templates}:
                templates -= not_run
            # What is generated from it in the end must be run: two files may say of each other that they are generated.
            generated: dict[str, str] = {}
            for name in sorted(sources.keys() - templates):
                at = name
                while (at := sources.get(at, "")) in templates and at not in generated:
                    generated[at] = name
            self._templates = generated
        return self._templates

    def generated_from(self, name: str) -> str | None:
        """The file of the project from which a file says that it is generated.

        It is the one beside it, or else the one of the path that the file gives.
        """
        facts = self._facts.get(name)
        if facts is None or not facts.generated_from:
            return None
        said = PurePosixPath(facts.generated_from.replace("\\", "/"))
        beside = PurePosixPath(name).with_name(said.name)
        return next((each for each in map(str, (beside, said)) if each != name and each in self._facts), None)

    def _is_about_torch(self, name: str) -> bool:
        facts = self._facts[name]
        if facts.mentions_torch or not self._packages:
            return facts.mentions_torch
        return any(package in part for parts in facts.imports for part in parts for package in self._packages)

    def _reaches_torch(self, name: str) -> bool:
        """The same question as above asked of one file: its imports are followed no further than needed."""
        seen = {name}
        pending = [name]
        while pending:
            current = pending.pop()
            if self._is_about_torch(current):
                return True
            found = self.imported(current) - seen
            seen |= found
            pending += found
        return False

    def _closure(self, start: Set[str], *, importers: bool) -> set[str]:
        reached = set(start)
        pending = list(start)
        while pending:
            current = pending.pop()
            for name in self._direct_importers(current) if importers else self.imported(current):
                if name not in reached:
                    reached.add(name)
                    pending.append(name)
        return reached


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
    for name, _ in names_in(names):
        yield f"{base}.{name}".removeprefix(".")
