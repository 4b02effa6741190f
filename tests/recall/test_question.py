"""What makes two command lines the same question, and where its answer is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compilelint.recall import question as module
from compilelint.recall.question import asked, cache_directory


def test_the_same_words_at_the_same_place_are_the_same_question() -> None:
    first, second = asked(["check", "a"]), asked(["check", "a"])
    assert (first.told, first.file) == (second.told, second.file)
    assert second.asked_ns >= first.asked_ns


@pytest.mark.parametrize("words", [["check", "b"], ["check", "a", ""], ["check", "a", "-o", "concise"], []])
def test_other_words_are_another_question(words: list[str]) -> None:
    assert asked(words).file != asked(["check", "a"]).file


@pytest.mark.parametrize("name", ["NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "HOME"])
def test_another_environment_is_another_question(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked(["check"])
    monkeypatch.setenv(name, "77")
    assert asked(["check"]).told != before.told


def test_another_directory_is_another_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked(["check"])
    monkeypatch.chdir(tmp_path)
    assert asked(["check"]).file != before.file


def test_another_user_asks_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked(["check"])
    monkeypatch.setattr(module.os, "geteuid", lambda: 12345, raising=False)
    assert asked(["check"]).told != before.told


def test_another_size_of_the_terminal_is_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked(["check"])
    monkeypatch.setattr(module.sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(module.os, "get_terminal_size", lambda descriptor: os.terminal_size((77, 24)))
    assert asked(["check"]).told != before.told


@pytest.mark.parametrize(
    ("words", "directory"),
    [
        (["check", "--cache-dir", "mine"], "mine"),
        (["check", "--cache-dir=mine", "a.py"], "mine"),
        (["check", "--cache-dir=other", "--cache-dir", "mine"], "mine"),
        (["check", "--cache-dir"], "usual"),
        (["check", "a.py"], "usual"),
    ],
)
def test_the_answer_is_where_the_command_line_says(
    words: list[str], directory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPILELINT_CACHE_DIR", "usual")
    assert os.path.dirname(asked(words).file) == directory


def test_the_cache_is_where_caches_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPILELINT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    monkeypatch.setattr(module.os, "name", "posix")
    assert cache_directory() == "/caches/compilelint"
    monkeypatch.setenv("COMPILELINT_CACHE_DIR", "/mine")
    assert cache_directory() == "/mine"
