"""Where the bodies of functions stand: what is remembered of it, and when it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from compilelint.analysis.files import digest_of
from compilelint.analysis.outlines import Outline, bodies_in, keep_outlines, known_outlines, outline_to_keep
from compilelint.analysis.store import Store
from compilelint.source.outline import watch
from compilelint.source.watched import Body
from tests.analysis.make import PROJECT, analysis, write
from tests.source.make import index, text

LONG = """\
import torch
def long(x: torch.Tensor):
    a = 1
    b = 2
    c = 3
    d = 4
    e = 5
    return x
def short(x): return x
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache.sqlite")


def outline(code: str) -> Outline:
    return outline_to_keep(text("m.py", code), watch(index(code), lambda body: None))


def test_it_holds_for_its_text() -> None:
    assert bodies_in(text("m.py", LONG), outline(LONG)) == [Body(3, 8, 12, stores=False)]
    assert bodies_in(text("m.py", LONG), None) is None


def test_it_holds_for_no_other_text() -> None:
    assert bodies_in(text("m.py", f"# moved\n{LONG}"), outline(LONG)) is None


@pytest.mark.parametrize("numbers", [b"", b"\x03", bytes(16), bytes(32)])
def test_it_is_not_believed_if_it_changed(numbers: bytes) -> None:
    assert bodies_in(text("m.py", LONG), replace(outline(LONG), numbers=numbers)) is None


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(LONG.replace("d = 4", "d = 5"), id="another statement"),
        pytest.param(LONG.replace("    b = 2\n    c = 3\n    d = 4\n    e = 5\n    return x\n", ""), id="one line"),
        pytest.param(LONG.replace("    d = 4\n", ""), id="shorter"),
        pytest.param(LONG.replace("    d = 4\n", "    d = 4\n\n    # six\n    f = 6\n"), id="longer"),
        pytest.param(LONG.replace("    a = 1", "\n    # one\n    a = 1"), id="a comment before it"),
        pytest.param(LONG.replace("    a = 1", "    a  =  1"), id="another first line"),
        pytest.param(LONG.replace("    return x\ndef", "    return (x,\n)\ndef"), id="another last line"),
    ],
)
def test_another_body_is_seen_as_such(changed: str) -> None:
    before, now = outline(LONG), outline(changed)
    assert before.rest == now.rest
    assert before.digest(0) != now.digest(0)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(LONG.replace("return x\ndef", "return x\n\ndef"), id="a line between functions"),
        pytest.param(LONG.replace("long(x", "long(y"), id="signature"),
        pytest.param(LONG.replace("):\n    a = 1", "):  # why\n    a = 1"), id="a comment beside the signature"),
        pytest.param(LONG.replace("    return x\n", "    return x\n    # done\n"), id="a comment after the body"),
        pytest.param(LONG.replace("    a = 1", "    x.a = 1"), id="assigns an attribute"),
        pytest.param(LONG.replace("    d = 4\n", "    def d(): ...\n"), id="defines a function"),
        pytest.param(LONG.replace("short(x): return x", "short(x): return 1"), id="a short function"),
    ],
)
def test_what_is_not_in_a_body_belongs_to_the_rest(changed: str) -> None:
    assert outline(LONG).rest != outline(changed).rest


def test_there_is_no_digest_of_a_body_that_is_not_there() -> None:
    assert outline(LONG).digest(1) == b""


def test_what_was_kept_is_known(store: Store) -> None:
    kept = {"a text": outline(LONG), "another": outline("x = 1\n")}
    assert known_outlines(store, "tool", kept) == {}
    keep_outlines(store, "tool", kept)
    assert known_outlines(store, "tool", ["a text", "another", "a third"]) == kept
    assert known_outlines(store, "tool", ["another"]) == {"another": kept["another"]}


def test_another_program_knows_nothing(store: Store) -> None:
    keep_outlines(store, "tool", {"a text": outline(LONG)})
    assert known_outlines(store, "other tool", ["a text"]) == {}


def test_another_python_knows_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_outlines(store, "tool", {"a text": outline(LONG)})
    monkeypatch.setattr("sys.implementation.cache_tag", "cpython-399")
    assert known_outlines(store, "tool", ["a text"]) == {}


def test_what_cannot_be_read_is_not_known(store: Store) -> None:
    keep_outlines(store, "tool", {"a text": outline(LONG)})
    assert store._connection is not None
    with store._connection:
        store._connection.execute("UPDATE entry SET value = x'00ff'")
    assert known_outlines(store, "tool", ["a text"]) == {}


@pytest.mark.parametrize("numbers", [b"", b"\x03", bytes(32)])
def test_what_does_not_fit_together_is_not_known(store: Store, numbers: bytes) -> None:
    keep_outlines(store, "tool", {"a text": replace(outline(LONG), numbers=numbers)})
    assert known_outlines(store, "tool", ["a text"]) == {}


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_analysis_keeps_them(tmp_path: Path, store: Store, jobs: int) -> None:
    project = write(tmp_path / "project", {**PROJECT, "long.py": LONG})
    analysis(project, store, jobs=jobs)
    digests = {name: digest_of(code) for name, code in {**PROJECT, "long.py": LONG}.items()}
    # Of what is not about torch nobody asked more than whether it is Python.
    parsed = {*digests.values()} - {digests["broken.py"], digests["plain.py"]}
    assert known_outlines(store, "tool", digests.values()).keys() == parsed
    assert known_outlines(store, "tool", [digests["long.py"]]) == {digests["long.py"]: outline(LONG)}
