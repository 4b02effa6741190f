from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compilelint.project.config import Config, ConfigError, read_config
from compilelint.project.trace_config import TraceConfig, trace_config


def test_the_table_is_read(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(
        "[tool.compilelint.trace]\n"
        'max-breaks = 2\nmax-recompiles = 0\nmax-compile-seconds = 30\nwarmup = 1\nown = ["lib"]\n'
        'backend = "eager"\n'
    )
    assert trace_config(read_config(file)) == TraceConfig(2, 0, 30.0, 1, ("lib",), "eager")


def test_a_mistake_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.compilelint.trace]\nwarmup = 1\nmax-breaks = -1\n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml:3: trace\.max-breaks must be"):
        trace_config(read_config(file))


def test_nothing_is_asked_without_a_table() -> None:
    assert trace_config(Config()) == TraceConfig()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"max-break": 1}, r"unknown key 'max-break' in \[tool\.compilelint\.trace\].*max-breaks"),
        ({"max-breaks": -1}, "trace.max-breaks must be a whole number that is not negative, not -1"),
        ({"max-breaks": True}, "not True"),
        ({"max-recompiles": 1.5}, "not 1.5"),
        ({"max-compile-seconds": "30"}, "a number of seconds, not '30'"),
        ({"own": "lib"}, "a list of paths and packages"),
        ({"backend": "cudagraphs"}, '"eager", "aot_eager" or "inductor"'),
    ],
)
def test_mistakes_are_named(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        trace_config(Config(file=Path("pyproject.toml"), trace=table))
