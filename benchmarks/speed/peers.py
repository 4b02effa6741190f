"""The other tools, as people run them, and the floor: what Python itself needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.speed.measuring import Command, Work

FLOOR = "`ast.parse` of every file, one process"
START = '`python -c "import click"`'
TORCHFIX = "TorchFix"

_FLOOR = """
import ast, pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*.py"):
    ast.parse(path.read_bytes())
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another linter."""

    name: str
    words: tuple[str, ...]
    """Its command, to which the folder is added."""
    environment: str
    """The environment that it is installed in: TorchFix would be a part of flake8 otherwise."""
    packages: tuple[str, ...]
    """Whose versions matter."""
    exit_codes: Collection[int] = (0, 1)
    rounds: int = 1
    largest: int = 200_000
    """Lines of the largest tree that it is given."""


PEERS = (
    Peer(TORCHFIX, ("torchfix",), "torchfix", ("TorchFix", "libcst"), rounds=2),
    Peer("Fixit", ("fixit", "--quiet", "lint"), "linters", ("fixit", "libcst"), exit_codes=range(4)),
    Peer("flake8", ("flake8",), "linters", ("flake8",)),
    Peer("pylint", ("pylint",), "linters", ("pylint",), exit_codes=range(32)),
    Peer("ruff", ("ruff", "check", "--no-cache"), "linters", ("ruff",), rounds=5, largest=10_000_000),
)


def peer_work(peer: Peer, environments: Path, folder: Path, package: str) -> Work:
    """A peer's run on a package of a project. `environments` holds the environments of all peers."""
    program, *options = peer.words
    words = (str(environments / peer.environment / "bin" / program), *options, package)
    # pylint remembers figures of earlier runs in a folder that it is told so.
    command = Command(words, folder, {"PYLINTHOME": str(folder / ".pylint")}, peer.exit_codes)
    return fixed_work(peer.name, command, peer.rounds, tool=peer.name)


def floors(folder: Path, package: str, rounds: int) -> tuple[Work, ...]:
    """What no Python tool that reads all files can do without."""
    parse = Command((sys.executable, "-c", _FLOOR, package), folder)
    start = Command((sys.executable, "-c", "import click"), folder)
    return fixed_work(FLOOR, parse, rounds, tool="Python"), fixed_work(START, start, rounds, tool="Python")


def fixed_work(name: str, command: Command, rounds: int, *, tool: str) -> Work:
    """A work that is the same command in each round."""

    @contextmanager
    def setting(number: int) -> Iterator[Command]:
        yield command

    return Work(name, setting, rounds, tool)


def versions(peer: Peer, environments: Path) -> dict[str, str]:
    """Of the packages of a peer that is installed. Raises CalledProcessError if it is not."""
    code = "import importlib.metadata, sys; print(*map(importlib.metadata.version, sys.argv[1:]), sep='\\n')"
    done = subprocess.run(
        [environments / peer.environment / "bin" / "python", "-c", code, *peer.packages],
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        package if package == peer.words[0] or package == peer.name else f"{package} of {peer.name}": version
        for package, version in zip(peer.packages, done.stdout.split(), strict=True)
    }
