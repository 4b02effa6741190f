"""Trees of sources that exist only in memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from compilelint.source.library import Library
from compilelint.source.model import ModuleIndex
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

FOLDER = Path("/project")


def text(name: str, code: str = "") -> SourceText:
    """A file of the project folder."""
    return SourceText(name, FOLDER / name, dedent(code))


def tree(files: Mapping[str, str], context: Mapping[str, str] | None = None) -> SourceTree:
    """A tree over these files to check, and others of their project."""
    return SourceTree.load(
        FOLDER,
        [text(name, code) for name, code in files.items()],
        [text(name, code) for name, code in (context or {}).items()],
    )


def installed(folder: Path, files: Mapping[str, str]) -> Library:
    """A library of the packages that these files, written below the folder, make up."""
    for name, code in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(code))
    tops = {name.partition("/")[0] for name in files}
    return Library({top.removesuffix(".py"): folder / top for top in tops}, Path.read_text)


def following(files: Mapping[str, str], library: Library) -> SourceTree:
    """A tree over these files to check that follows into a library."""
    return SourceTree.load(FOLDER, [text(name, code) for name, code in files.items()], [], library)


def index(code: str, name: str = "example.py", **others: str) -> ModuleIndex:
    """The index of one file; `others` are the files beside it."""
    module = tree({name: code, **{f"{other}.py": content for other, content in others.items()}}).module(name)
    assert module is not None
    return module
