"""What an editor has open, as files of a project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from compilelint.project.notebooks import SUFFIX
from compilelint.project.root import absolute

_JOINED_NOTEBOOKS = ".virtual_documents"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text that the editor knows by a name of its own: a file, or a cell of a notebook."""

    uri: str
    cell: int | None
    """Its place among the cells of the notebook; the first is 1."""
    lines: tuple[str, ...]
    version: int | None


@dataclass(frozen=True, slots=True)
class Document:
    """A Python file or a notebook that is open, as it is in the editor."""

    uri: str
    path: Path | None
    """None if it was never saved."""
    text: str
    """What `check` would read from disk, once it is saved."""
    parts: tuple[Part, ...]


def find_document(workspace: Workspace, uri: str) -> Document | None:
    """The open document of this name, or the notebook with this cell; None if it is nothing to check."""
    notebook = workspace.get_notebook_document(notebook_uri=uri) or workspace.get_notebook_document(cell_uri=uri)
    if notebook is not None:
        return _notebook(workspace, notebook)
    known = {document.uri: document for document in workspace.text_documents.values()}
    return _file(known[uri]) if uri in known else None


def open_documents(workspace: Workspace) -> Iterator[Document]:
    """All that is open and can be checked."""
    for notebook in list(workspace.notebook_documents.values()):
        yield _notebook(workspace, notebook)
    for text in list(workspace.text_documents.values()):
        document = _file(text)
        if document is not None and workspace.get_notebook_document(cell_uri=text.uri) is None:
            yield document


def unsaved_texts(workspace: Workspace) -> Mapping[Path, str]:
    """What wins over the files on disk."""
    return {each.path: each.text for each in open_documents(workspace) if each.path is not None}


def _file(document: TextDocument) -> Document | None:
    path = _path(document.uri)
    suffix = path.suffix if path is not None else ""
    is_python = suffix == ".py" or (document.language_id == "python" and suffix != ".pyi")
    if not is_python or document.uri.startswith("vscode-notebook-cell:"):
        return None
    if path is not None and suffix == SUFFIX:
        path = _joined(path)
    part = Part(document.uri, None, _lines(document.source), document.version)
    return Document(document.uri, path, document.source, (part,))


def _joined(path: Path) -> Path:
    """Where the Python stands for that jupyter-lsp makes of a notebook: it joins the cells itself, and calls what comes
    out by the notebook's name, in a folder of its own at the top."""
    parts = [part for part in path.parts if part != _JOINED_NOTEBOOKS]
    return Path(*parts[:-1], f"{parts[-1]}.py")


def _notebook(workspace: Workspace, notebook: types.NotebookDocument) -> Document:
    parts: list[Part] = []
    cells: list[dict[str, object]] = []
    for number, cell in enumerate(notebook.cells, start=1):
        text = workspace.get_text_document(cell.document)
        is_code = cell.kind == types.NotebookCellKind.Code and text.language_id in (None, "python")
        cells.append({"cell_type": "code" if is_code else "markdown", "metadata": {}, "source": text.source})
        parts.append(Part(cell.document, number, _lines(text.source), text.version))
    document = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    return Document(notebook.uri, _path(notebook.uri), json.dumps(document), tuple(parts))


def _path(uri: str) -> Path | None:
    path = to_fs_path(uri)
    return absolute(Path(path)) if path else None


def _lines(text: str) -> tuple[str, ...]:
    # Those of the protocol: `str.splitlines` would split at form feeds, too.
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
