"""`[tool.compilelint]`: what it may hold, and how its mistakes are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.project.config import DEFAULT_EXCLUDE, Config, ConfigError, find_config, read_config
from compilelint.report.confidence import Confidence


def _file(folder: Path, text: str, name: str = "pyproject.toml") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_reads_every_key(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        """
        [project]
        name = "p"
        [tool.compilelint]
        select = ["CL1"]
        ignore = ["CL101"]
        extend-select = ["tensor-item"]
        exclude = ["a"]
        extend-exclude = ["b"]
        respect-gitignore = false
        force-exclude = true
        root = ["m.py::f"]
        roots = "explicit"
        target-torch = "2.9"
        min-confidence = "low"
        extra-rules = ["lint/*.md"]
        follow = ["transformers"]
        python = ".venv"
        baseline = "known.json"
        [tool.compilelint.per-file-ignores]
        "tests/*" = ["CL2"]
        [tool.compilelint.trace]
        anything = {goes = 1}
        """,
    )
    assert read_config(file) == Config(
        file=file,
        select=("CL1",),
        ignore=("CL101",),
        extend_select=("tensor-item",),
        per_file_ignores=(("tests/*", ("CL2",)),),
        exclude=("a",),
        extend_exclude=("b",),
        respect_gitignore=False,
        force_exclude=True,
        root=("m.py::f",),
        roots="explicit",
        target_torch="2.9",
        min_confidence=Confidence.LOW,
        extra_rules=("lint/*.md",),
        follow=("transformers",),
        python=".venv",
        baseline="known.json",
        trace={"anything": {"goes": 1}},
    )


def test_a_file_of_our_own_has_its_keys_at_the_top(tmp_path: Path) -> None:
    file = _file(tmp_path, 'select = ["CL1"]\n', "compilelint.toml")
    assert read_config(file).select == ("CL1",)


def test_defaults_leave_environments_out(tmp_path: Path) -> None:
    config = read_config(_file(tmp_path, "[tool.compilelint]\n"))
    assert config.exclude == DEFAULT_EXCLUDE
    assert ".venv" in config.exclude


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('selct = ["CL1"]', ":3: unknown key 'selct' in [tool.compilelint]; did you mean 'select'?"),
        ("zzz = 1", ":3: unknown key 'zzz' in [tool.compilelint]"),
        ('select = "CL1"', ":3: select must be a list of strings, not 'CL1'"),
        ("ignore = [1]", ":3: ignore must be a list of strings, not 1"),
        ("respect-gitignore = 1", ":3: respect-gitignore must be true or false, not 1"),
        ('roots = "some"', ':3: roots must be "all" or "explicit", not \'some\''),
        ('min-confidence = "hi"', ':3: min-confidence must be "low", "medium" or "high", not \'hi\''),
        ("target-torch = 2.9", ':3: target-torch must be a version such as "2.13", not 2.9'),
        ('exclude = ["[z-a]"]', ":3: exclude must be a list of path patterns, not '[z-a]'"),
        ("trace = 1", ":3: trace must be a table, not 1"),
        (
            '[tool.compilelint.per-file-ignores]\n"a.py" = "CL1"',
            ":3: per-file-ignores must be a table from patterns to lists of rule codes, not 'CL1'",
        ),
        ("select = [", ":4: Invalid value"),
    ],
)
def test_tells_a_mistake_in_one_line_with_its_place(tmp_path: Path, lines: str, message: str) -> None:
    file = _file(tmp_path, f"\n[tool.compilelint]\n{lines}\n")
    with pytest.raises(ConfigError) as caught:
        read_config(file)
    told = str(caught.value)
    if "Invalid" in message:
        # The TOML parser's own words and line.
        assert told.startswith(f"{file}:")
    else:
        assert told == f"{file}{message}"
    assert "\n" not in told


def test_a_key_of_another_tool_is_not_taken_for_ours(tmp_path: Path) -> None:
    file = _file(tmp_path, '[tool.ruff]\nselct = 1\n\n[tool.compilelint]\nselct = ["CL1"]\n')
    with pytest.raises(ConfigError, match=r":5: unknown key 'selct'"):
        read_config(file)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    file = _file(tmp_path, '[tool.compilelint]\nignore = ["CL2"]\n')
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_config(file).ignore == ("CL2",)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file or directory"):
        read_config(tmp_path / "no.toml")


def test_a_file_that_is_no_utf8(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="is not valid UTF-8"):
        read_config(tmp_path / "c.toml")


def test_the_nearest_table_upward_is_found(tmp_path: Path) -> None:
    outer = _file(tmp_path, "[tool.compilelint]\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    _file(inner, "[tool.ruff]\n")
    assert find_config(inner) == outer


def test_a_broken_file_that_does_not_name_us_is_not_our_business(tmp_path: Path) -> None:
    _file(tmp_path, "[broken\n")
    assert find_config(tmp_path) is None


def test_a_broken_file_that_names_us_is_found_so_that_it_can_be_told(tmp_path: Path) -> None:
    file = _file(tmp_path, "[tool.compilelint\n")
    assert find_config(tmp_path) == file


def test_what_is_extended_says_the_same_from_another_directory(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    _file(
        tmp_path,
        """
        [tool.compilelint]
        exclude = ["gen/*", "build"]
        extend-exclude = ["a/b"]
        root = ["src/m.py::f"]
        extra-rules = ["lint/*.md"]
        python = ".venv"
        baseline = "known.json"
        target-torch = "2.9"
        per-file-ignores = {"tests/*" = ["CL2"]}
        trace = {warmup = 1, max-breaks = 3}
        """,
    )
    child = _file(
        tmp_path / "sub",
        """
        [tool.compilelint]
        extend = "../pyproject.toml"
        extend-exclude = ["c/d"]
        min-confidence = "low"
        trace = {max-breaks = 0}
        """,
    )
    config = read_config(child)
    assert config.file == child
    assert config.base == tmp_path / "sub"
    assert config.keys == ("extend_exclude", "min_confidence", "trace")
    assert config.exclude == (f"{tmp_path}/gen/*", "build")
    assert config.extend_exclude == (f"{tmp_path}/a/b", "c/d")
    assert config.root == (f"{tmp_path}/src/m.py::f",)
    assert config.extra_rules == (f"{tmp_path}/lint/*.md",)
    assert (config.python, config.baseline) == (f"{tmp_path}/.venv", f"{tmp_path}/known.json")
    assert config.per_file_ignores == ((f"{tmp_path}/tests/*", ("CL2",)),)
    assert (config.target_torch, config.min_confidence) == ("2.9", Confidence.LOW)
    assert config.trace == {"warmup": 1, "max-breaks": 0}


@pytest.mark.parametrize(
    ("child", "select", "ignore", "extend_select"),
    [
        ("", ("CL1", "CL2"), ("CL101", "CL102"), ("CL5",)),
        ('ignore = ["CL201"]', ("CL1", "CL2"), ("CL101", "CL102", "CL201"), ("CL5",)),
        ('extend-select = ["CL101"]', ("CL1", "CL2"), ("CL102",), ("CL5", "CL101")),
        ('select = ["CL1"]', ("CL1",), (), ()),
        ('select = ["CL1"]\nignore = ["CL103"]', ("CL1",), ("CL103",), ()),
    ],
)
def test_select_begins_anew_and_the_others_go_on(
    tmp_path: Path, child: str, select: tuple[str, ...], ignore: tuple[str, ...], extend_select: tuple[str, ...]
) -> None:
    _file(tmp_path, 'select = ["CL1", "CL2"]\nignore = ["CL101", "CL102"]\nextend-select = ["CL5"]', "base.toml")
    config = read_config(_file(tmp_path, f'extend = "base.toml"\n{child}\n', "child.toml"))
    assert (config.select, config.ignore, config.extend_select) == (select, ignore, extend_select)


def test_what_is_extended_may_extend_and_the_home_directory_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    _file(tmp_path, 'exclude = ["x/y"]', "a.toml")
    _file(tmp_path, 'extend = "a.toml"', "b.toml")
    assert read_config(_file(tmp_path, 'extend = "~/b.toml"', "c.toml")).exclude == (f"{tmp_path}/x/y",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('extend = "gone.toml"', r"c.toml:1: extend: .*gone.toml: no such file"),
        ("extend = 3", "c.toml:1: extend must be the path of a configuration file, not 3"),
        ('extend = "c.toml"', "c.toml:1: extend leads back to .*c.toml"),
        ('extend = "d.toml"', "d.toml:1: extend leads back to .*c.toml"),
        ('extend = "pyproject.toml"', r"c.toml:1: there is no \[tool.compilelint\] in .*pyproject.toml"),
        ('extend = "bad.toml"', "bad.toml:1: unknown key 'selct'"),
    ],
)
def test_what_cannot_be_extended_is_told(tmp_path: Path, text: str, message: str) -> None:
    _file(tmp_path, 'extend = "c.toml"', "d.toml")
    _file(tmp_path, "selct = 1", "bad.toml")
    _file(tmp_path, "[project]\n")
    with pytest.raises(ConfigError, match=message):
        read_config(_file(tmp_path, text, "c.toml"))
