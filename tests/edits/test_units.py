"""Units of a real package: in any order they come to the same, and nothing that they did not note decides what.

A unit's result is used again as long as the files that it noted are as they were. So it is walked once more in a tree
in which all other files say something else, and once in one in which all functions do into which it did not look.
"""

from __future__ import annotations

import ast
import os
import random
from collections.abc import Callable, Container, Iterable, Mapping, Set
from pathlib import Path

import pytest
from msgspec.structs import replace

from compilelint.analysis.files import Files, digest_of
from compilelint.analysis.job import Job, walker
from compilelint.analysis.moving import Change, moved
from compilelint.analysis.outlines import Outline, outline_to_keep
from compilelint.catalog.load import load_rules
from compilelint.match.analysis import AnalysisSettings, plan
from compilelint.match.units import Unit
from compilelint.source import tree as trees
from compilelint.source.facts import facts_of
from compilelint.source.index import index_module
from compilelint.source.model import ModuleIndex
from compilelint.source.outline import placeholder, watch
from compilelint.source.text import SourceText
from compilelint.source.texts import Texts
from compilelint.source.tree import SourceTree
from tests.edits import package

_Names = Set[str] | None
_SEED = int(os.environ.get("COMPILELINT_EDITS", "0"))
_FUNCTION = "def {0}(*args, **kwargs):\n    print(args)\n    return [args]\n"
_CLASS = "class {0}(torch.nn.Module):\n    def forward(self, *args):\n        print(args)\n        return [args]\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SourceText]:
    return texts_of(package.copy_of_package(tmp_path_factory.mktemp("small"), package.SMALL))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SourceText]:
    return texts_of(package.copy_of_package(tmp_path_factory.mktemp("large"), package.LARGE))


def texts_of(project: Path) -> dict[str, SourceText]:
    files = {path.relative_to(project).as_posix(): path for path in sorted(project.rglob("*.py"))}
    return {name: SourceText(name, path, package.read(path)) for name, path in files.items()}


def tree_of(texts: Mapping[str, SourceText], now: Mapping[str, SourceText] | None = None) -> SourceTree:
    """A tree that knows of each file what `texts` say of its imports, and reads `now`."""
    facts = {name: facts_of(text.text) for name, text in texts.items()}
    paths = {name: text.path for name, text in texts.items()}
    given = Texts(paths, now or texts, lambda path: None)
    return SourceTree.over(Path("/"), given, frozenset(texts), facts, Files(Path("/"), {}, {}).library())


def job_and_units(texts: Mapping[str, SourceText]) -> tuple[Job, list[Unit]]:
    """What there is to walk, in an order that is other for each seed."""
    rules = load_rules()
    program, units = plan(tree_of(texts), AnalysisSettings())
    return Job(Files(Path("/"), {}, {}), rules, program), random.Random(_SEED).sample(units, len(units))


def misleading(texts: Iterable[SourceText]) -> str:
    """A text that has all names which the others define at their top, and they mean something else."""
    every = [node for text in texts for node in ast.parse(text.text).body]
    functions = {node.name for node in every if isinstance(node, ast.FunctionDef)}
    classes = {node.name for node in every if isinstance(node, ast.ClassDef)}
    return "import torch\n" + "".join(
        [*(_FUNCTION.format(name) for name in sorted(functions)), *(_CLASS.format(name) for name in sorted(classes))]
    )


def resting_on_more_than_they_noted(texts: Mapping[str, SourceText], units: int) -> list[str]:
    """Of so many units, walked after and between the others, those that come to something else without the rest."""
    job, order = job_and_units(texts)
    walk = walker(job, tree_of(texts))
    walked = {unit: walk(unit) for unit in order}
    other = misleading(texts.values())
    wrong: list[str] = []
    for unit in random.Random(_SEED + 1).sample(order, min(units, len(order))):
        noted = walked[unit].texts
        now = {name: text if name in noted else replace(text, text=other) for name, text in texts.items()}
        tree = tree_of(texts, now)
        tree.graph.importers = _of_these(tree.graph.importers, walked[unit].importers, texts.keys())  # type: ignore[method-assign]
        tree.graph.few_importers = _of_these(tree.graph.few_importers, walked[unit].few_importers, frozenset())  # type: ignore[method-assign]
        alone = walker(job, tree)(unit)
        if alone.result != walked[unit].result:
            wrong.append(f"{unit.name} comes to something else")
        if unnoted := alone.texts.keys() - noted.keys():
            wrong.append(f"{unit.name} looks at {sorted(unnoted)}")
        if unnoted := alone.importers.keys() - walked[unit].importers.keys():
            wrong.append(f"{unit.name} asks who imports {sorted(unnoted)}")
        if unnoted := alone.few_importers.keys() - walked[unit].few_importers.keys():
            wrong.append(f"{unit.name} asks whether few import {sorted(unnoted)}")
    return wrong


def looking_into_more_than_they_noted(texts: Mapping[str, SourceText], units: int) -> list[str]:
    """Of so many units those that come to something else where all say something else into which they did not look.

    What they come to stands on other lines then. At least one of ten must come to something that can be told of it.
    """
    job, order = job_and_units(texts)
    walk = walker(job, tree_of(texts))
    walked = {unit: walk(unit) for unit in order}
    chosen = random.Random(_SEED + 1).sample(order, min(units, len(order)))
    wrong, told = list[str](), 0
    for unit in chosen:
        bodies = walked[unit].bodies
        now = {name: otherwise(text, bodies[name]) if name in bodies else text for name, text in texts.items()}
        for name in walked[unit].facts:
            now[name] = with_the_facts_of(texts[name], now[name] if name in bodies else beginning_anew(texts[name]))
        changes = {
            name: Change(outline(texts[name]), outline(now[name]), digest_of(now[name].text))
            for name in bodies
            if now[name] != texts[name]
        }
        expected = moved(walked[unit], changes)
        told += bool(changes) and expected is not None
        alone = walker(job, tree_of(texts, now))(unit)
        if expected is not None and alone.result != expected.result:
            wrong.append(f"{unit.name} comes to something else")
        if alone.bodies != bodies:
            wrong.append(f"{unit.name} looks into other functions")
    return wrong if told > len(chosen) / 10 else [*wrong, "nearly all look into everything"]


def indexed(text: SourceText) -> ModuleIndex:
    return index_module(text, "module", is_package=False)


def outline(text: SourceText) -> Outline:
    return outline_to_keep(text, watch(indexed(text), lambda body: None))


def otherwise(text: SourceText, looked_into: Container[int]) -> SourceText:
    """A text in which all functions are another line but those that somebody looked into."""
    try:
        bodies = watch(indexed(text), lambda body: None)
    except SyntaxError:
        return text
    lines = text.text.split("\n")
    for number, body in reversed([*enumerate(bodies)]):
        if number not in looked_into:
            indent = placeholder(lines, body).removesuffix("0")
            other = "print.me = print(); return [print]" if body.stores else "print(); return [print]"
            lines[body.first - 1 : body.last] = [indent + other]
    return replace(text, text="\n".join(lines))


def beginning_anew(text: SourceText) -> SourceText:
    """A text that ends with other things of the same names."""
    return replace(text, text=f"{text.text}\n{misleading([text])}")


def with_the_facts_of(text: SourceText, other: SourceText) -> SourceText:
    """Another text of which the same is said at a glance; if what is proposed says something else, the text itself."""
    return other if facts_of(other.text) == facts_of(text.text) else text


def _of_these(importers: Callable[[str], _Names], noted: Container[str], others: _Names) -> Callable[[str], _Names]:
    """The importers of what was noted; everything else is imported by others."""
    return lambda name: importers(name) if name in noted else others


@pytest.fixture
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "_MAX_INDEXED_CHARACTERS", 100_000)


def test_units_of_a_small_part_rest_on_what_they_noted(small: dict[str, SourceText]) -> None:
    assert not resting_on_more_than_they_noted(small, len(small))


def test_units_of_a_small_part_look_into_what_they_noted(small: dict[str, SourceText]) -> None:
    assert not looking_into_more_than_they_noted(small, len(small))


@pytest.mark.slow
def test_units_of_a_large_part_look_into_what_they_noted(large: dict[str, SourceText]) -> None:
    assert not looking_into_more_than_they_noted(large, 50)


@pytest.mark.slow
@pytest.mark.usefixtures("_forgetful")
def test_units_of_a_tree_that_forgets_rest_on_what_they_noted(small: dict[str, SourceText]) -> None:
    assert not resting_on_more_than_they_noted(small, len(small))


@pytest.mark.slow
def test_units_of_a_large_part_rest_on_what_they_noted(large: dict[str, SourceText]) -> None:
    assert not resting_on_more_than_they_noted(large, 50)
