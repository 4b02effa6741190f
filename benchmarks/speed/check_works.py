"""The runs of `compilelint check` that are timed. The memory of each is in a folder that is given."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.speed.measuring import Command, Work
from benchmarks.speed.trees import one_function_changed

FIRST = "first run"
ONE_PROCESS = "first run, `--jobs 1`"
NOTHING = "nothing changed"
FUNCTION = "one function changed"
HOOK = "the pre-commit hook, one changed file"
TWICE = "first run, with a copy beside it"
TWICE_ONE_PROCESS = "first run, with a copy beside it, `--jobs 1`"

PROGRAM = (str(Path(sys.executable).with_name("compilelint")),)
_EXIT_CODES = (0, 1)


def first(name: str, folder: Path, paths: Sequence[str], cache: Path, rounds: int, *options: str) -> Work:
    """Nothing is remembered."""

    @contextmanager
    def setting(number: int) -> Iterator[Command]:
        shutil.rmtree(cache, ignore_errors=True)
        yield _check(folder, cache, *options, *paths)

    return Work(name, setting, rounds)


def again(folder: Path, package: str, cache: Path, rounds: int) -> Work:
    """All was checked just before."""

    @contextmanager
    def setting(number: int) -> Iterator[Command]:
        _warm(folder, package, cache)
        yield _check(folder, cache, package)

    return Work(NOTHING, setting, rounds)


def changed(folder: Path, package: str, cache: Path, functions: Sequence[str], rounds: int) -> Work:
    """All was checked just before, then one function was changed: another one in each round."""

    @contextmanager
    def setting(number: int) -> Iterator[Command]:
        _warm(folder, package, cache)
        with one_function_changed(folder, functions[number % len(functions)], _new(number)):
            yield _check(folder, cache, package)

    return Work(FUNCTION, setting, rounds)


def hook(folder: Path, package: str, cache: Path, functions: Sequence[str], rounds: int) -> Work:
    """The same, but only the changed file is checked, as the pre-commit hook does (`.pre-commit-hooks.yaml`)."""

    @contextmanager
    def setting(number: int) -> Iterator[Command]:
        _warm(folder, package, cache)
        with one_function_changed(folder, functions[number % len(functions)], _new(number)) as path:
            yield _check(folder, cache, "--force-exclude", str(path.relative_to(folder)))

    return Work(HOOK, setting, rounds)


def _new(number: int) -> str:
    return f"changed_in_round = {number}"


def _warm(folder: Path, package: str, cache: Path) -> None:
    command = _check(folder, cache, package)
    done = subprocess.run(
        command.words, cwd=folder, env=command.whole_environment(), capture_output=True, text=True, check=False
    )
    if done.returncode not in _EXIT_CODES:
        raise subprocess.CalledProcessError(done.returncode, command.words, done.stdout, done.stderr)


def _check(folder: Path, cache: Path, *words: str) -> Command:
    return Command((*PROGRAM, "check", *words), folder, {"COMPILELINT_CACHE_DIR": str(cache)}, _EXIT_CODES)
