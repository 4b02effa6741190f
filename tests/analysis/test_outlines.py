"""Where the bodies of functions stand: what is remembered of it, and when it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from compilelint.analysis.outlines import Outline, keep_outlines, known_outlines, left_out, outline_of
from compilelint.analysis.store import Store
from compilelint.source.outline import bodies_of
from compilelint.source.unparsed import Body, Unparsed
from tests.analysis.make import PROJECT, analysis, files, places, write
from tests.source.make import index, text

LONG = """\
import torch
def long(x: torch.Tensor):
    a = 1
    b = 2
    c = 3
    d = 4
    return x
def short(x):
    return x
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "project", {**PROJECT, "long.py": LONG})


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache.sqlite")


def outline(code: str) -> Outline:
    return outline_of(text("m.py", code), bodies_of(index(code)))


def known(project: Path, store: Store) -> dict[str, Outline]:
    return known_outlines(store, str(project), "tool")


def unparsed(project: Path, store: Store, name: str) -> list[str]:
    """The functions of a file that are left out when somebody asks for it."""
    module = files(project, store).tree(outlines=known(project, store)).module(name)
    assert module is not None
    return [info.qualname for info in module.functions.values() if isinstance(info.node, Unparsed)]


def test_it_holds_for_its_text() -> None:
    assert left_out(text("m.py", LONG), outline(LONG)) == [Body(3, 7, 12, stores=False)]
    assert left_out(text("m.py", LONG), None) == ()


def test_it_holds_for_no_other_text() -> None:
    assert left_out(text("m.py", f"# moved\n{LONG}"), outline(LONG)) == ()


@pytest.mark.parametrize("numbers", [b"", b"\x03", bytes(16), bytes(32)])
def test_it_is_not_believed_if_it_changed(numbers: bytes) -> None:
    assert left_out(text("m.py", LONG), replace(outline(LONG), numbers=numbers)) == ()


def test_what_was_kept_is_known(store: Store) -> None:
    kept = {"m.py": outline(LONG), "n.py": outline("x = 1\n")}
    assert known_outlines(store, "root", "tool") == {}
    keep_outlines(store, "root", "tool", kept)
    assert known_outlines(store, "root", "tool") == kept


def test_another_program_and_another_project_know_nothing(store: Store) -> None:
    keep_outlines(store, "root", "tool", {"m.py": outline(LONG)})
    assert known_outlines(store, "root", "other tool") == {}
    assert known_outlines(store, "other root", "tool") == {}


def test_another_python_knows_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_outlines(store, "root", "tool", {"m.py": outline(LONG)})
    monkeypatch.setattr("sys.implementation.cache_tag", "cpython-399")
    assert known_outlines(store, "root", "tool") == {}


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_analysis_keeps_them(project: Path, store: Store, jobs: int) -> None:
    assert unparsed(project, store, "long.py") == []
    analysis(project, store, jobs=jobs)
    assert unparsed(project, store, "long.py") == ["long"]
    assert known(project, store).keys() == {*PROJECT, "long.py"} - {"broken.py"}


def test_who_looks_into_a_function_finds_it(project: Path, store: Store) -> None:
    write(project, {"caller.py": PROJECT["net.py"].replace("layers import scale", "long import long as scale")})
    first = analysis(project, store)
    assert "caller.py:5 CL101" in places(first)
    write(project, {"caller.py": f"# moved\n{(project / 'caller.py').read_text()}"})
    assert "caller.py:6 CL101" in places(analysis(project, store))


def test_of_a_changed_text_they_are_learned_anew(project: Path, store: Store) -> None:
    analysis(project, store)
    write(project, {"long.py": f"# moved\n{LONG}"})
    assert unparsed(project, store, "long.py") == []
    analysis(project, store)
    assert unparsed(project, store, "long.py") == ["long"]
