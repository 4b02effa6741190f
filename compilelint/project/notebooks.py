"""Jupyter notebooks as programs: their code cells one after the other, and the way back from a line to its cell."""

from __future__ import annotations

import ast
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compilelint.project.ipython import as_python
from compilelint.source.refused import refusal

SUFFIX = ".ipynb"
_HEADER = "if True:"


class NotebookError(Exception):
    """The file is no notebook; `message` is one line, `line` is 1-based where a line of the file is to blame."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell."""

    number: int
    """Its place among all cells, those of text too; the first is 1."""
    source: str
    """Lines end with `\\n`."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """What of a notebook matters to a check."""

    language: str
    """That of its kernel, in lower case; `python` where it does not say."""
    cells: tuple[Cell, ...]

    @property
    def is_python(self) -> bool:
        return self.language.startswith(("python", "ipython"))


@dataclass(frozen=True, slots=True)
class CellMap:
    """Where the cells of a notebook stand in its program."""

    numbers: tuple[int, ...] = ()
    """The cells, by their `Cell.number`."""
    starts: tuple[int, ...] = ()
    """The line of the program on which each of them begins; the first is 1."""

    def find(self, line: int) -> tuple[int, int]:
        """The cell that holds a line of the program, and the line within the cell."""
        position = max(bisect_right(self.starts, line) - 1, 0)
        return self.numbers[position], line - self.starts[position] + 1


@dataclass(frozen=True, slots=True)
class BrokenCell:
    """A cell that Python cannot parse. `line` is that of the cell."""

    number: int
    message: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Program:
    """The Python of a notebook: names flow from cell to cell as they do from line to line."""

    text: str
    shown: str
    """The same lines as their author wrote them, with IPython's own syntax."""
    cells: CellMap
    broken: tuple[BrokenCell, ...]
    """These are not in it."""


def parse_notebook(text: str) -> Notebook:
    """What a file of any format that nbformat reads says (3 and 4 are in use). Raises NotebookError."""
    # Takes 0.1 s, which a project without notebooks need not wait for.
    from nbformat import NBFormatError, ValidationError, convert
    from nbformat.reader import NotJSONError, reads

    try:
        # Not `nbformat.reads`: that holds each output against the schema, and logs what it thinks of it.
        node = convert(reads(text), 4)
        return Notebook(_language(node.get("metadata", {})), tuple(_code_cells(node.cells)))
    except NotJSONError as error:
        cause = error.__cause__
        if isinstance(cause, json.JSONDecodeError):
            raise NotebookError(f"is no notebook: not valid JSON: {cause.msg}", cause.lineno) from error
        raise NotebookError("is no notebook: not valid JSON") from error
    except RecursionError as error:
        raise NotebookError("is no notebook: its JSON nests too deep") from error
    except NBFormatError as error:
        raise NotebookError(f"is no notebook: {str(error).lower()}") from error
    except (ValidationError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotebookError("is no notebook: a part that every notebook has is missing or of the wrong type") from error


def _language(metadata: Mapping[str, Any]) -> str:
    of_file = metadata.get("language_info", {}).get("name")
    return str(of_file or metadata.get("kernelspec", {}).get("language") or "python").lower()


def _code_cells(cells: Iterable[Any]) -> Iterator[Cell]:
    for number, cell in enumerate(cells, start=1):
        # VS Code lets a cell be of another language than its notebook.
        language = cell.get("metadata", {}).get("vscode", {}).get("languageId", "python")
        if cell.cell_type == "code" and language == "python":
            yield Cell(number, cell.source.replace("\r\n", "\n").replace("\r", "\n"))


def as_program(cells: Iterable[Cell]) -> Program:
    """The program that the cells of a notebook make. What is no Python in them (`%%bash`) is left out."""
    numbers: list[int] = []
    starts: list[int] = []
    text: list[str] = []
    shown: list[str] = []
    broken: list[BrokenCell] = []
    for cell in cells:
        python = as_python(cell.source)
        if python is None:
            continue
        error = _error(python)
        if error is not None and python.lstrip("\n").startswith((" ", "\t")) and not _error(f"{_HEADER}\n{python}"):
            # Pasted with its indentation, which IPython takes away.
            text.append(_HEADER)
            shown.append(_HEADER)
        elif error is not None:
            broken.append(BrokenCell(cell.number, *error))
            continue
        numbers.append(cell.number)
        starts.append(len(text) + 1)
        text += python.split("\n")
        shown += cell.source.split("\n")
    return Program("\n".join(text), "\n".join(shown), CellMap(tuple(numbers), tuple(starts)), tuple(broken))


def _error(python: str) -> tuple[str, int | None] | None:
    """Why Python cannot parse a text, and the line."""
    try:
        ast.parse(python)
    except SyntaxError as error:
        return refusal(error), error.lineno
    except ValueError as error:
        return refusal(error), None
    except (RecursionError, MemoryError):
        return "nests too deep for Python's parser", None
    return None
