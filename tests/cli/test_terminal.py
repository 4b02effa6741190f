"""Colours and progress only where somebody is looking."""

from __future__ import annotations

import io
import sys

import pytest

from compilelint.cli import terminal


class _Stream(io.StringIO):
    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize(
    ("is_terminal", "environment", "colored"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_color(is_terminal: bool, environment: dict[str, str], colored: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.wants_color(_Stream(is_terminal)) is colored


def test_no_progress_off_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", _Stream(False))
    with terminal.progress_bar("checking") as progress:
        assert progress is None


def _drawn(monkeypatch: pytest.MonkeyPatch, seconds: float) -> str:
    stream = _Stream(True)
    monkeypatch.setattr(sys, "stderr", stream)
    times = iter([0.0, seconds, seconds, seconds])
    monkeypatch.setattr(terminal.time, "monotonic", lambda: next(times, seconds))
    with terminal.progress_bar("checking") as progress:
        assert progress is not None
        progress(1, 4)
        progress(3, 4)
    return stream.getvalue()


def test_no_progress_before_a_second_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _drawn(monkeypatch, 0.9) == ""


def test_progress_after_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = _drawn(monkeypatch, 1.1)
    assert "checking" in drawn
    assert "3/4" in drawn
