"""A check that is asked for again: told from memory if nothing changed, and else as it is without one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from compilelint import cli
from compilelint.cli import commands, run
from compilelint.recall import grounds
from compilelint.report.formats import FORMATS

NET = "import torch\nfrom scale import scale\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return scale(x).item()\n"
SCALE = "def scale(x):\n    return 2 * x\n"
SLOW = "import torch\n\n@torch.compile\ndef g(x: torch.Tensor):\n    return x.sum().item()  # compilelint: ignore\n"
BASE = "[tool.compilelint]\nmin-confidence = 'high'\n"
LONG_AGO_NS = 10**18


class Told(NamedTuple):
    code: int
    output: str
    notes: str


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(grounds, "_YOUNG_NS", -(10**12))  # nothing is too young
    made = tmp_path / "project"
    (made / ".git" / "info").mkdir(parents=True)
    (made / "deep").mkdir()
    write(made, "net.py", NET)
    write(made, "scale.py", SCALE)
    write(made, "deep/slow.py", SLOW)
    write(made, "pyproject.toml", "[tool.compilelint]\nextend = '../base.toml'\nexclude = ['left_*']\n")
    write(made, "../base.toml", "min-confidence = 'medium'\n")
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that are run, as it happens."""
    ran: list[list[str]] = []
    run_command = commands.run_command

    def noting(arguments: list[str], question: object) -> int:
        ran.append(arguments)
        return run_command(arguments, question)  # type: ignore[arg-type]

    monkeypatch.setattr(commands, "run_command", noting)
    return ran


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    def told(*arguments: str) -> Told:
        code = run(["check", *arguments])
        return Told(code, *capsys.readouterr())

    return told


def write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    os.utime(file, ns=(LONG_AGO_NS, LONG_AGO_NS))


FORMS = [
    (),
    ("net.py",),
    ("deep", "net.py"),
    (".", "--min-confidence", "low", "-o", "concise"),
    (".", "-o", "sarif"),
    (".", "--statistics"),
    (".", "--isolated", "--exit-zero"),
    ("gone.py", "net.py"),
]


@pytest.mark.parametrize("arguments", FORMS, ids=" ".join)
def test_what_is_told_again_is_what_was_told(
    arguments: tuple[str, ...], project: Path, asked: list[list[str]], tell: Callable[..., Told]
) -> None:
    without = tell(*arguments, "--no-cache")
    asked.clear()
    assert [tell(*arguments) for _ in range(3)] == [without] * 3
    assert len(asked) == 1


@pytest.mark.parametrize(("form", "timed"), [(name, each.timed) for name, each in FORMATS.items() if each.timed])
def test_how_long_it_took_is_told_anew(
    form: str,
    timed: str,
    project: Path,
    asked: list[list[str]],
    tell: Callable[..., Told],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = tell("-o", form)
    monkeypatch.setattr(cli, "time", SimpleNamespace(perf_counter=iter([100.0, 112.25]).__next__))
    again = tell("-o", form)
    assert len(asked) == 1
    assert f"{timed}12.250" in again.output
    assert again.output == re.sub(f"(?<={re.escape(timed)})[0-9.]+", "12.250", first.output, count=1)


NEVER = [
    (".", "--no-cache"),
    (".", "--output", "concise=told.txt"),
    ("net.py", "--root", "net.py::f"),
]


@pytest.mark.parametrize("arguments", NEVER, ids=" ".join)
def test_what_is_never_told_from_memory(
    arguments: tuple[str, ...], project: Path, asked: list[list[str]], tell: Callable[..., Told]
) -> None:
    codes = [tell(*arguments).code for _ in range(3)]
    assert codes == [1, 1, 1]
    assert len(asked) == 3


CHANGES: dict[str, Callable[[Path], object]] = {
    "a text": lambda folder: write(folder, "net.py", NET.replace(".item()", "+ 1")),
    "a text of the same size and time": lambda folder: write(folder, "net.py", NET.replace(".item()", " + 1   ")),
    "a text that another imports": lambda folder: write(folder, "scale.py", SCALE.replace("2 * x", "x.tolist()")),
    "a comment": lambda folder: write(
        folder, "deep/slow.py", SLOW.replace("compilelint: ignore", "compilelint ignore")
    ),
    "a new file": lambda folder: write(folder, "deep/new.py", NET.replace("from scale import scale", "scale = abs")),
    "a new notebook": lambda folder: write(folder, "new.ipynb", "no notebook"),
    "a module that is gone": lambda folder: (folder / "deep/slow.py").unlink(),
    "a module of another name": lambda folder: (folder / "net.py").rename(folder / "ten.py"),
    "a module that is left out": lambda folder: (folder / "net.py").rename(folder / "left_net.py"),
    "a directory of another name": lambda folder: (folder / "deep").rename(folder / "left_deep"),
    "the configuration": lambda folder: write(folder, "pyproject.toml", "[tool.compilelint]\nselect = ['CL3']\n"),
    "a broken configuration": lambda folder: write(folder, "pyproject.toml", "[tool.compilelint\n"),
    "what it extends": lambda folder: write(folder, "../base.toml", "ignore = ['CL1']\n"),
    "what it extends is gone": lambda folder: (folder / "../base.toml").unlink(),
    "a nested configuration": lambda folder: write(folder, "deep/pyproject.toml", "[tool.compilelint]\nignore=['ALL']"),
    "what git ignores": lambda folder: write(folder, ".gitignore", "net.py\n"),
    "what git ignores here alone": lambda folder: write(folder, ".git/info/exclude", "net.py\n"),
    "an environment": lambda folder: write(folder, "deep/pyvenv.cfg", ""),
    "no repository": lambda folder: (folder / ".git").rename(folder / ".hg"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_after_each_change_all_is_told_as_without_memory(
    change: Callable[[Path], object], project: Path, tell: Callable[..., Told]
) -> None:
    before = [tell() for _ in range(2)]
    change(project)
    after = [tell() for _ in range(2)]
    assert after == [tell("--no-cache")] * 2
    # Without the repository the project is where the configuration is: the same.
    assert after[0] != before[0] or not (project / ".git").exists()


def test_a_baseline_and_what_is_accepted_in_it_count(project: Path, tell: Callable[..., Told]) -> None:
    assert run(["baseline", "--output", "accepted.json"]) == 0
    arguments = ("--baseline", "accepted.json")
    tell(*arguments)
    clean = tell(*arguments)
    assert clean.code == 0
    assert tell(*arguments) == clean
    (project / "net.py").unlink()
    gone = tell(*arguments)
    assert "out of date" in gone.notes
    assert tell(*arguments) == gone == tell(*arguments, "--no-cache")
    write(project, "net.py", NET)
    accepted = (project / "accepted.json").read_text()
    write(project, "accepted.json", accepted.replace("net.py", "ten.py"))
    other = tell(*arguments)
    assert other not in (clean, gone)
    assert tell(*arguments) == other == tell(*arguments, "--no-cache")


def test_another_torch_is_judged_for(
    project: Path, tmp_path: Path, tell: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    write(project, "accepted.json", '{"schema_version": 1, "target_torch": "2.13.0", "entries": []}')
    arguments = ("--baseline", "accepted.json", "-o", "concise")
    assert tell(*arguments).notes == tell(*arguments).notes == ""
    (folder / "torch-2.9.1.dist-info").mkdir()
    write(folder, "torch-2.9.1.dist-info/METADATA", "Name: torch\nVersion: 2.9.1\n")
    assert "written for torch 2.13.0" in tell(*arguments).notes


def test_what_is_asked_elsewhere_or_otherwise_is_another_question(
    project: Path, tell: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tell("net.py")
    assert here.output != tell("net.py", "-o", "concise").output
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in tell("net.py").output
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.chdir(project / "deep")
    assert tell("../net.py").output != here.output
    assert tell("net.py").code == 2


def test_a_change_while_it_is_checked_is_not_hidden(
    project: Path, tell: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    from compilelint.check import run as module

    planned = module.planned

    def changing(*arguments: object, **named: object) -> object:
        plan = planned(*arguments, **named)  # type: ignore[arg-type]
        (project / "pyproject.toml").unlink()
        return plan

    monkeypatch.setattr(module, "planned", changing)
    write(project, "left_over.py", SLOW.replace("  # compilelint: ignore", ""))
    told = tell()
    assert "left_over" not in told.output
    monkeypatch.undo()
    monkeypatch.chdir(project)
    assert "left_over" in tell().output


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"seen": 1}'])
def test_an_answer_that_cannot_be_read_is_none(
    content: bytes, project: Path, own_cache: Path, asked: list[list[str]], tell: Callable[..., Told]
) -> None:
    there = {*own_cache.glob("*.answer.json")}
    first = tell()
    (answer,) = {*own_cache.glob("*.answer.json")} - there
    answer.write_bytes(content)
    assert [tell(), tell()] == [first, first]
    assert len(asked) == 2


def test_a_cache_that_cannot_be_written_is_none(project: Path, tell: Callable[..., Told]) -> None:
    write(project, "cache", "a file is in the way")
    usual = tell(".", "--no-cache")
    for _ in range(2):
        said = tell(".", "--cache-dir", "cache")
        assert said == (*usual[:2], "warning: cache: file exists; not all of this check is remembered\n")


def test_a_cache_in_the_project_does_not_stand_in_its_own_way(
    project: Path, asked: list[list[str]], tell: Callable[..., Told]
) -> None:
    tell("--cache-dir", "cache")
    tell("--cache-dir", "cache")
    assert len(asked) <= 2
    asked.clear()
    tell("--cache-dir", "cache")
    assert asked == []


def test_standard_input_is_read_each_time(project: Path) -> None:
    command = [sys.executable, "-m", "compilelint", "check", "-"]
    for text, code in ((SCALE, 0), (NET.replace("from scale import scale", "scale = abs"), 1)):
        done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (code, "")


def test_what_is_told_from_memory_needs_no_import_of_what_is_slow(project: Path, tell: Callable[..., Told]) -> None:
    # In two seconds nothing is young any more: the answer is there for a program that is started now.
    script = "import sys, compilelint.recall.grounds as grounds\ngrounds._YOUNG_NS = -10**12\n"
    script += "from compilelint.cli import run\nrun(['check', '-o', 'concise'])\nprint(*sys.modules, file=sys.stderr)"
    told = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True) for _ in range(2)]
    assert told[0].stdout == told[1].stdout
    first, second = (each.stderr.split() for each in told)
    heavy = {"click", "msgspec", "sqlite3", "pathlib", "ast", "compilelint.check", "compilelint.report.model"}
    assert heavy <= {*first}
    assert {*second} & heavy <= {"ast", "pathlib"}  # Python's own start may import these


def test_a_package_that_is_installed_since_is_told_of(
    project: Path, tmp_path: Path, asked: list[list[str]], tell: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "packages"
    (packages / "solvers").mkdir(parents=True)
    monkeypatch.setenv("PYTHONPATH", str(packages))
    write(project, "net.py", NET.replace("scale import scale", "solvers import scale"))
    before = [tell("net.py") for _ in range(2)]
    assert before[0] == before[1]
    assert "solvers" not in before[0].output
    assert len(asked) == 1
    (packages / "added").mkdir()
    write(packages, "solvers/__init__.py", "import torch\n")
    assert "--follow solvers" in tell("net.py").output
