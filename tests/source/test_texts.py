"""Texts are read when somebody asks."""

from __future__ import annotations

from pathlib import Path

import pytest

import compilelint.source.texts as texts_module
from compilelint.source.text import SourceText
from compilelint.source.texts import Texts


def test_a_text_is_read_once_and_only_if_asked_for() -> None:
    read: list[Path] = []
    texts = Texts({"a.py": Path("/p/a.py"), "b.py": Path("/p/b.py")}, {}, lambda path: read.append(path) or "x = 1")
    assert sorted(texts) == ["a.py", "b.py"]
    assert "a.py" in texts
    assert read == []
    assert texts["a.py"] == SourceText("a.py", Path("/p/a.py"), "x = 1")
    assert texts["a.py"].text == "x = 1"
    assert read == [Path("/p/a.py")]


def test_what_is_given_stands_for_what_is_on_disk() -> None:
    given = SourceText("a.py", Path("/p/a.py"), "unsaved")
    assert Texts({"a.py": given.path}, {"a.py": given}, lambda path: "saved")["a.py"] is given


def test_a_file_that_cannot_be_read_has_no_text() -> None:
    texts = Texts({"a.py": Path("/p/a.py")}, {}, lambda path: None)
    assert texts.get("a.py") is None
    with pytest.raises(KeyError):
        texts["gone.py"]


def test_of_many_texts_some_are_packed_and_none_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts_module, "_MAX_CHARACTERS", 25)
    written = {f"{name}.py": f"{name} = '\N{HUGGING FACE} \udc80'" for name in "abcdef"}
    read: list[str] = []
    texts = Texts(
        {name: Path(f"/p/{name}") for name in written}, {}, lambda path: read.append(path.name) or written[path.name]
    )
    for _ in range(3):
        for name, text in written.items():
            assert texts[name] == SourceText(name, Path(f"/p/{name}"), text)
    assert sorted(read) == sorted(written)
