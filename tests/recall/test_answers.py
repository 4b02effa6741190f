"""Answers are kept and told again as long as what they rest on is as it was; nothing depends on them."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from compilelint.recall import answers
from compilelint.recall.answers import Answer, answer_to, keep, without_seconds
from compilelint.recall.grounds import Grounds
from compilelint.recall.question import Question

ANSWER = Answer("a.py:1: ärger \udcff\n", "warning: none\n", 1)
LATER_NS = 10**19


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").write_text("x = 1\n")
    return Grounds((str(tmp_path / "project"),), (str(tmp_path / "a.toml"),))


@pytest.fixture
def question(tmp_path: Path) -> Question:
    return Question(("check",), "/work", ("wide",), str(tmp_path / "cache"), LATER_NS)


def test_what_is_kept_is_told_again(question: Question, grounds: Grounds) -> None:
    assert answer_to(question) is None
    keep(question, ANSWER, grounds)
    assert answer_to(question) == ANSWER
    assert os.listdir(question.cache) == [os.path.basename(question.file)]


@pytest.mark.parametrize("number", ["0.0", "12.345", "7"])
def test_how_long_it_took_is_not_kept(number: str, question: Question, grounds: Grounds) -> None:
    told = Answer(f'{{"seconds": {number}, "text": "\\"seconds\\": 1"}}\n', "", 0)
    kept = without_seconds(told, '"seconds": ')
    assert kept.output == '{"seconds": , "text": "\\"seconds\\": 1"}\n'
    keep(question, kept, grounds)
    again = answer_to(question)
    assert again == kept
    assert again.output_after(0.25) == told.output.replace(number, "0.250")
    assert told.output_after(0.25) == told.output


def test_another_question_has_another_answer(question: Question, grounds: Grounds) -> None:
    keep(question, ANSWER, grounds)
    other = replace(question, around=("narrow",))
    assert answer_to(other) is None
    os.replace(question.file, other.file)  # as if the digests of both were the same
    assert answer_to(other) is None


def test_what_it_rests_on_has_changed(question: Question, grounds: Grounds) -> None:
    keep(question, ANSWER, grounds)
    Path(grounds.files[0]).write_text("")
    assert answer_to(question) is None
    keep(question, replace(ANSWER, exit_code=0), grounds)
    assert answer_to(question) == replace(ANSWER, exit_code=0)


def test_where_a_file_that_was_named_changed_no_directory_is_looked_into(
    question: Question, grounds: Grounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(question, ANSWER, grounds)
    looked_into: list[object] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda directory: (looked_into.append(directory), scandir(directory))[1])
    assert answer_to(question) == ANSWER
    assert grounds.directories[0] in looked_into
    looked_into.clear()
    Path(grounds.files[0]).write_text("")
    assert answer_to(question) is None
    assert looked_into == []


def test_what_changed_while_it_was_answered_is_not_kept(question: Question, grounds: Grounds) -> None:
    written = Path(grounds.directories[0], "a.py").stat().st_ctime_ns
    keep(replace(question, asked_ns=written), ANSWER, grounds)
    assert answer_to(question) is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "null",
        "[]",
        "[" * 100_000,
        "{}",
        "\xff",
        '{"seen": "", "output": "", "notes": "", "exit_code": 0, "directories": [], "files": []}',
    ],
)
def test_what_is_no_answer_is_none(content: str, question: Question, grounds: Grounds) -> None:
    keep(question, ANSWER, grounds)
    Path(question.file).write_text(content, encoding="latin-1")
    assert answer_to(question) is None
    keep(question, ANSWER, grounds)
    assert answer_to(question) == ANSWER


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("output", 1),
        ("notes", None),
        ("exit_code", "x"),
        ("seconds_at", "x"),
        ("directories", [0]),
        ("directories", "/"),
        ("files", None),
    ],
)
def test_an_answer_with_something_else_in_it_is_none(
    key: str, value: object, question: Question, grounds: Grounds
) -> None:
    keep(question, ANSWER, grounds)
    file = Path(question.file)
    file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))
    assert answer_to(question) is None


def test_where_nothing_can_be_written_nothing_is_remembered(question: Question, grounds: Grounds) -> None:
    Path(question.cache).write_text("a file is in the way")
    keep(question, ANSWER, grounds)
    assert answer_to(question) is None


def test_a_write_that_fails_leaves_nothing(
    question: Question, grounds: Grounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(answers.os, "replace", full)
    keep(question, ANSWER, grounds)
    assert os.listdir(question.cache) == []


def test_the_oldest_go_when_there_are_too_many(
    question: Question, grounds: Grounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(question, ANSWER, grounds)
    size = os.path.getsize(question.file)
    os.utime(question.file, ns=(10**18, 10**18))
    mine = Path(question.cache, "notes.answer.json")
    mine.write_text("x" * size * 9)
    monkeypatch.setattr(answers, "_MOST_BYTES", size * 5 // 2)
    others = [replace(question, arguments=("check", str(number))) for number in range(2)]
    for other in others:
        keep(other, ANSWER, grounds)
    assert [answer_to(each) for each in (question, *others)] == [None, ANSWER, ANSWER]
    assert mine.exists()
