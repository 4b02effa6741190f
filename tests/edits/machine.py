"""Random edits of a project, with a memory that sees some states of it and not others.

Whatever was done, a check with memory must say what one without says: that is the whole property.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import pytest
from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from compilelint import catalog
from compilelint.analysis import workers
from compilelint.catalog import Rule
from compilelint.catalog.load import load_rules
from compilelint.check import CheckOptions, survey
from compilelint.recall import grounds
from tests.edits import package
from tests.edits.checks import Said, differences, everything, printed, said
from tests.edits.spots import changed, lines_with_comments, spots

_COMMENTS = ("  # compilelint: ignore", "  # compilelint: ignore[CL101]", "  # compilelint: ignore[CL2] for now")
_SETTINGS = ("capture_scalar_outputs = True", "capture_dynamic_output_shape_ops = True", "x = 1")
_NAMES = ("extra.py", "torch.py", "typing.py", "utils.py", "__init__.py", "train.py")
_BROKEN = ("def (:\n", "x = '\n", "\0", "# coding: no-such\n", "class A:\n\tdef f(self):\n        pass\n")
_FEWEST_FILES = 5
_MOST_FILES = 20
"""Of which those are chosen that are named most often."""


class Edits(RuleBasedStateMachine):
    """A project, two memories of it (of checks in one process and in two), and what was done."""

    parts: ClassVar[Sequence[str]] = package.SMALL

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(prefix="compilelint-edits-")
        self.project = package.copy_of_package(Path(self._folder.name).resolve(), self.parts)
        self.originals = {path: package.read(path) for path in package.python_files(self.project)}
        self.expected = Said(())
        self.changed = True
        self._patch = pytest.MonkeyPatch()
        # Whatever is edited here was edited just now: what is remembered of files would never be asked.
        for module in (survey, grounds):
            self._patch.setattr(module, "_YOUNG_NS", -(10**15))
        self._patch.setattr(workers, "_WORTH_A_START", 1)
        self._patch.setattr(catalog, "load_rules", lambda extra=(), parse=None: _rules(extra))

    def teardown(self) -> None:
        self._patch.undo()
        self._folder.cleanup()

    # What is done

    @rule(data=st.data(), times=st.integers(1, 4), unnoticed=st.booleans())
    def change_what_files_mean(self, data: st.DataObject, times: int, unnoticed: bool) -> None:
        write = package.write_unnoticed if unnoticed else package.write
        for _ in range(times):
            path = self._some_file(data)
            text = package.read(path)
            if places := spots(text):
                spot = data.draw(st.sampled_from(places))
                other = data.draw(st.sampled_from(spot.others))
                self._say(f"{self._name(path)}: {text[spot.start : spot.end][:60]!r} → {other!r}")
                write(path, changed(text, spot, other))

    @rule(data=st.data(), comment=st.sampled_from(_COMMENTS))
    @precondition(lambda self: self.expected.places)
    def accept_a_finding(self, data: st.DataObject, comment: str) -> None:
        name, line = data.draw(st.sampled_from(self.expected.places))
        path = self.project / name
        if not path.is_file() or path.suffix != ".py" or package.read(path).count("\n") < line:
            return
        self._say(f"{name}:{line}{comment}")
        package.write(path, lines_with_comments(package.read(path), [line], comment))

    @rule(data=st.data(), broken=st.sampled_from(_BROKEN))
    def break_a_file(self, data: st.DataObject, broken: str) -> None:
        path = self._some_file(data)
        self._say(f"{self._name(path)} begins with {broken!r}")
        package.write(path, broken + package.read(path))

    @rule(data=st.data())
    @precondition(lambda self: self._edited())
    def mend_a_file(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(self._edited()))
        self._say(f"{self._name(path)} is as it was")
        package.write(path, self.originals[path])

    @rule()
    def mend_all(self) -> None:
        self._say("all is as it was")
        package.restore(self.project, self.originals)

    @rule(data=st.data())
    def touch(self, data: st.DataObject) -> None:
        path = self._some_file(data)
        self._say(f"touch {self._name(path)}")
        package.write(path, package.read(path))

    @rule(data=st.data())
    @precondition(lambda self: len(package.python_files(self.project)) > _FEWEST_FILES)
    def remove(self, data: st.DataObject) -> None:
        path = self._some_file(data)
        self._say(f"remove {self._name(path)}")
        path.unlink()

    @rule(data=st.data(), name=st.sampled_from(_NAMES))
    def copy(self, data: st.DataObject, name: str) -> None:
        path, other = self._some_file(data), self._some_file(data).with_name(name)
        self._say(f"copy {self._name(path)} to {self._name(other)}")
        package.write(other, package.read(path))

    @rule(data=st.data(), name=st.sampled_from(_NAMES))
    def rename(self, data: st.DataObject, name: str) -> None:
        path = self._some_file(data)
        self._say(f"rename {self._name(path)} to {name}")
        path.replace(path.with_name(name))

    @rule(data=st.data())
    def swap(self, data: st.DataObject) -> None:
        one, other = self._some_file(data), self._some_file(data)
        if one != other:
            self._say(f"swap {self._name(one)} and {self._name(other)}")
            package.swap(one, other)

    @rule(data=st.data(), name=st.sampled_from(("run.py", "run.ipynb")))
    def compile_something(self, data: st.DataObject, name: str) -> None:
        path = self._some_file(data)
        module = ".".join(path.relative_to(self.project).with_suffix("").parts).removesuffix(".__init__")
        words = [line.split()[1].split("(")[0].strip(":") for line in package.read(path).split("\n") if _defines(line)]
        if not words:
            return
        word = data.draw(st.sampled_from(words))
        self._say(f"{name} compiles {module}.{word}")
        made = package.program(module, word) if name == "run.py" else package.notebook(module, word)
        package.write(self.project / name, made)

    @rule(data=st.data())
    def say_that_it_was_generated(self, data: st.DataObject) -> None:
        path, other = self._some_file(data), self._some_file(data)
        self._say(f"{self._name(path)} was generated from {self._name(other)}")
        package.write(path, f"# generated from {self._name(other)}, do not edit\n{package.read(path)}")

    @rule(data=st.data(), setting=st.sampled_from(_SETTINGS))
    def set_up_dynamo(self, data: st.DataObject, setting: str) -> None:
        path = self._some_file(data)
        self._say(f"{self._name(path)} sets {setting}")
        package.write(path, f"{package.read(path)}\nimport torch\ntorch._dynamo.config.{setting}\n")

    @rule(data=st.data(), table=st.sampled_from(package.CONFIGURATIONS), nested=st.booleans())
    def configure(self, data: st.DataObject, table: str, nested: bool) -> None:
        folder = self._some_file(data).parent if nested else self.project
        self._say(f"configure {self._name(folder)}: {table}")
        package.configure(folder, table)

    # What is asked

    @invariant()
    def one_process_remembers_what_is_so(self) -> None:
        if not self.changed:
            return
        self.changed = False
        self.expected = said(everything(self.project))
        self._agrees(self._remembering("one"))
        self.the_same_is_told_again()

    @rule()
    def the_same_is_told_again(self) -> None:
        assert printed(self.project, self._cache("told")) == self.expected.printed

    @rule()
    def two_processes_remember_what_is_so(self) -> None:
        self._agrees(replace(self._remembering("two"), jobs=2))

    @rule()
    def another_process_remembers_what_is_so(self) -> None:
        self._agrees(self._remembering("two"))

    @rule(seed=st.integers(0, 99))
    def the_order_of_files_does_not_matter(self, seed: int) -> None:
        files = package.python_files(self.project)
        expected = said(replace(everything(self.project), paths=tuple(sorted(files))))
        random.Random(seed).shuffle(files)
        self._agree(expected, said(replace(self._remembering("one"), paths=tuple(files))))
        self._agree(expected, said(replace(self._remembering("two"), paths=tuple(files), jobs=2)))

    @rule(data=st.data())
    def of_some_files_the_same_is_said(self, data: st.DataObject) -> None:
        files = data.draw(st.lists(st.sampled_from(package.python_files(self.project)), min_size=1, max_size=4))
        note(f"check {[self._name(path) for path in files]}")
        self._without_memory_the_same(paths=tuple(files))

    @rule(data=st.data())
    def otherwise_asked_the_same_is_said(self, data: st.DataObject) -> None:
        asked = data.draw(
            st.sampled_from(
                (
                    {"target_torch": "2.6"},
                    {"target_python": "3.13"},
                    {"roots": "explicit"},
                    {"ignore": ("CL1",)},
                    {"importers": 0},
                )
            )
        )
        note(f"check with {asked}")
        self._without_memory_the_same(**asked)

    @rule(data=st.data())
    def what_is_not_saved_counts_once(self, data: st.DataObject) -> None:
        path, other = self._some_file(data), self._some_file(data)
        note(f"{self._name(path)} is open, with the text of {self._name(other)}")
        self._without_memory_the_same({path: package.read(other)})

    def _without_memory_the_same(self, unsaved: Mapping[Path, str] = MappingProxyType({}), **options: object) -> None:
        asked = replace(self._remembering("one"), **options)  # type: ignore[arg-type]
        self._agree(said(replace(asked, cache=None), unsaved), said(asked, unsaved))

    def _agrees(self, options: CheckOptions) -> None:
        self._agree(self.expected, said(options))

    def _agree(self, expected: Said, found: Said) -> None:
        different = differences(expected, found)
        assert not different, "\n".join(["without memory (-) and with (+)", *different])

    def _remembering(self, memory: str) -> CheckOptions:
        return replace(everything(self.project), cache=self._cache(memory))

    def _cache(self, memory: str) -> Path:
        return Path(self._folder.name) / memory

    def _edited(self) -> list[Path]:
        every = self.originals.items()
        return [path for path, text in every if not path.is_file() or package.read(path) != text]

    def _some_file(self, data: st.DataObject) -> Path:
        files = package.python_files(self.project)
        told = {self.project / name for name, _ in self.expected.places}
        sorts = (files, files[:_MOST_FILES], [path for path in files if path in told])
        return data.draw(st.sampled_from(data.draw(st.sampled_from([*filter(None, sorts)]))))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.project).as_posix()

    def _say(self, what: str) -> None:
        note(what)
        self.changed = True


@cache
def _rules(extra: tuple[Path, ...] = ()) -> tuple[Rule, ...]:
    """Read once: the pages are not edited here, and take longer than the rest of a check with memory."""
    return load_rules(extra)


def _defines(line: str) -> bool:
    return line.startswith(("class ", "def "))
