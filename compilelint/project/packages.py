"""Where installed packages lie, found as Python would find them, without running it."""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compilelint.spelling import nearest

_KNOWN = ("torch", "numpy")
_NOT_TRACED = ("networkx", "onnx", "onnxruntime", "pandas", "sklearn", "tabulate", "tensorflow", "tqdm", "xarray")
"""Dynamo runs these as they are (torch 2.13, trace_rules.THIRDPARTY_SKIPLIST): nothing in them is compiled."""
_TORCH = re.compile(rb"^(?:import|from) torch\b", re.MULTILINE)
_FILES_ASKED = 200
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class PackageError(Exception):
    """A package cannot be followed into; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Directories from which Python imports, and what they are called in messages."""

    title: str
    folders: tuple[Path, ...]


def find_packages(names: Iterable[str], environments: Sequence[Environment]) -> dict[str, Path]:
    """The directory, or the file, of each package, in the first environment that has it. Raises PackageError."""
    return {name: _find(name, environments) for name in names}


def _find(name: str, environments: Sequence[Environment]) -> Path:
    if not _NAME.fullmatch(name):
        hint = nearest(name.replace("-", "_"), _installed(environments))
        raise PackageError(f"{name!r} is no name that can be imported, and so packages are named here{hint}")
    head = name.partition(".")[0]
    if head in _KNOWN:
        raise PackageError(f"{name} is not to be followed: what Dynamo does with it is known without")
    if head in _NOT_TRACED or head in sys.stdlib_module_names:
        raise PackageError(f"{name} is not to be followed: Dynamo does not trace it")
    for environment in environments:
        bases = [folder.joinpath(*name.split(".")) for folder in environment.folders]
        for base in bases:
            if os.path.isfile(base / "__init__.py"):
                return base
            if os.path.isfile(module := base.with_name(f"{base.name}.py")):
                return module
        # Without an `__init__.py` it is a package only if nothing of that name further down the path has one.
        for base in bases:
            if next(base.glob("*.py"), None) or next(base.glob("*/*.py"), None):
                return base
    looked = ", ".join(dict.fromkeys(environment.title for environment in environments)) or "no environment"
    raise PackageError(f"{name} is not installed in {looked}{nearest(name, _installed(environments))}")


def could_be_followed(names: Iterable[str], environments: Sequence[Environment]) -> tuple[str, ...]:
    """Those of these packages that are installed, and in which there is code of torch."""
    return tuple(name for name in sorted(names) if _uses_torch(name, environments))


def _uses_torch(name: str, environments: Sequence[Environment]) -> bool:
    """Whether a package can be followed, and a file at its top, or one directory below, imports torch."""
    try:
        path = _find(name, environments)
    except PackageError:
        return False
    files = (path,) if path.suffix == ".py" else itertools.chain(path.glob("*.py"), path.glob("*/*.py"))
    return any(_imports_torch(file) for file in itertools.islice(files, _FILES_ASKED))


def _imports_torch(file: Path) -> bool:
    try:
        return _TORCH.search(file.read_bytes()) is not None
    except OSError:
        return False


def _installed(environments: Iterable[Environment]) -> set[str]:
    """The names of what could be followed."""
    found: set[str] = set()
    for environment in environments:
        for folder in environment.folders:
            found.update(path.parent.name for path in folder.glob("*/__init__.py"))
    return found


def find_environments(python: Path | None, project: Path, variables: Mapping[str, str]) -> tuple[Environment, ...]:
    """Where the project's packages may be installed, the likeliest first.

    `python` (an environment's directory, or an interpreter in one) is the only one if it is given. Else these are
    `PYTHONPATH`, the environment that is active, `.venv` in the project or the directories above it, conda's, and that
    of the Python that runs this. Raises PackageError if `python` is no environment.
    """
    if python is not None:
        prefix = _prefix(python)
        if prefix is None:
            raise PackageError(f"{python} is no Python environment: no site-packages belong to it")
        return (_environment(str(python), prefix),)
    return tuple(_likely(project, variables))


def _likely(project: Path, variables: Mapping[str, str]) -> Iterator[Environment]:
    paths = tuple(Path(each) for each in variables.get("PYTHONPATH", "").split(os.pathsep) if each)
    if paths:
        yield Environment("PYTHONPATH", paths)
    if active := variables.get("VIRTUAL_ENV"):
        yield _environment(f"{active} (VIRTUAL_ENV)", Path(active))
    for directory in (project, *project.parents):
        if os.path.isfile(directory / ".venv" / "pyvenv.cfg"):
            yield _environment(str(directory / ".venv"), directory / ".venv")
            break
    if conda := variables.get("CONDA_PREFIX"):
        yield _environment(f"{conda} (CONDA_PREFIX)", Path(conda))
    yield Environment(f"{sys.prefix} (the Python that runs compilelint)", tuple(_own_folders()))


def _own_folders() -> Iterator[Path]:
    standard = os.path.dirname(os.__file__)
    return (Path(each) for each in sys.path if os.path.isdir(each) and os.path.realpath(each) != standard)


def _environment(title: str, prefix: Path) -> Environment:
    """The environment with this prefix, and the one that it was made of if it sees its packages too."""
    folders = list(_site_packages(prefix))
    settings = _settings(prefix / "pyvenv.cfg")
    if settings.get("include-system-site-packages") == "true" and (home := settings.get("home")):
        folders += _site_packages(Path(home).parent)
    return Environment(title, tuple(each for folder in folders for each in (folder, *_added_to(folder))))


def _prefix(python: Path) -> Path | None:
    """The prefix of an environment that is named by its directory or by its interpreter."""
    if not os.path.exists(python):
        return None  # two directories above a slip there may well be an environment: that of the system
    candidates = (python, python.parent.parent, Path(os.path.realpath(python)).parent.parent)
    return next((each for each in candidates if os.path.isdir(each) and any(_site_packages(each))), None)


def _site_packages(prefix: Path) -> Iterator[Path]:
    for pattern in ("lib/python3*/site-packages", "lib/python3*/dist-packages", "lib/python3/dist-packages"):
        yield from sorted(prefix.glob(pattern))
    if os.path.isdir(windows := prefix / "Lib" / "site-packages"):
        yield windows


def _settings(file: Path) -> dict[str, str]:
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return {}
    pairs = (line.partition("=") for line in lines)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _added_to(folder: Path) -> Iterator[Path]:
    """The directories that `.pth` files add: so packages are installed that stay where they are edited."""
    for file in sorted(folder.glob("*.pth")):
        try:
            lines = file.read_text("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            continue
        for line in map(str.rstrip, lines):
            if line and not line.startswith(("#", "import ", "import\t")) and os.path.isdir(added := folder / line):
                yield added
