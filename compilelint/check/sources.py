"""The texts of files, as a check needs them: notebooks become programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from compilelint.project.files import SourceFile, Unreadable, as_source, decode_source, read_data
from compilelint.project.notebooks import SUFFIX, CellMap, NotebookError, as_program, parse_notebook
from compilelint.report.model import Problem
from compilelint.source.text import SourceText

Given = Mapping[Path, str | bytes]
"""What stands for the text of files: standard input, or what an editor has not saved yet."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What was read."""

    texts: tuple[SourceText, ...]
    problems: tuple[Problem, ...]
    notebooks: Mapping[str, CellMap]
    """Of each notebook among the texts, by its name, where its cells are."""
    foreign: Mapping[str, str]
    """The notebooks that are not Python, by name: their languages. They are not among the texts."""


def read_sources(files: Iterable[SourceFile], given: Given) -> Sources:
    """The texts of files, and what could not be read."""
    texts: list[SourceText] = []
    problems: list[Problem] = []
    notebooks: dict[str, CellMap] = {}
    foreign: dict[str, str] = {}
    for file in files:
        try:
            data = given[file.path] if file.path in given else read_data(file.path)
            if file.path.suffix != SUFFIX:
                text = as_source(data) if isinstance(data, str) else decode_source(data)
                texts.append(SourceText(file.name, file.path, text))
                continue
            notebook = parse_notebook(_json_text(data))
        except (Unreadable, NotebookError) as error:
            problems.append(Problem(file.name, error.message, error.line))
            continue
        if not notebook.is_python:
            foreign[file.name] = notebook.language
            continue
        program = as_program(notebook.cells)
        texts.append(SourceText(file.name, file.path, program.text, program.shown))
        notebooks[file.name] = program.cells
        problems += (Problem(file.name, each.message, each.line, each.number) for each in program.broken)
    return Sources(tuple(texts), tuple(problems), notebooks, foreign)


def around(files: Iterable[SourceFile], given: Given) -> list[SourceFile]:
    """Those of the files of a project that a check of others needs: all but notebooks that compile nothing.

    A notebook is not imported; it matters to other files for what it compiles of them.
    """
    return [file for file in files if file.path.suffix != SUFFIX or _mentions_compile(file, given)]


def _mentions_compile(file: SourceFile, given: Given) -> bool:
    try:
        data = given[file.path] if file.path in given else read_data(file.path)
    except Unreadable:
        return False
    return "compile" in data if isinstance(data, str) else b"compile" in data


def _json_text(data: str | bytes) -> str:
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"byte 0x{data[error.start]:02x} is not valid utf-8", line) from error
