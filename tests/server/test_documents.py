"""What an editor has open, as files of a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.workspace import Workspace

from compilelint.project.notebooks import Cell, parse_notebook
from compilelint.server.documents import find_document, unsaved_texts


def _open(workspace: Workspace, uri: str, text: str = "", language: str = "python") -> str:
    workspace.put_text_document(types.TextDocumentItem(uri, language, 1, text))
    return uri


def _open_notebook(workspace: Workspace, uri: str, *cells: tuple[str, str]) -> list[str]:
    """Cells are given by their languages and texts."""
    uris = [f"vscode-notebook-cell:{number}" for number in range(len(cells))]
    kinds = [types.NotebookCellKind.Markup if each == "markdown" else types.NotebookCellKind.Code for each, _ in cells]
    notebook = types.NotebookDocument(
        uri, "jupyter-notebook", 1, [types.NotebookCell(*each) for each in zip(kinds, uris, strict=True)]
    )
    texts = [types.TextDocumentItem(each, kind, 1, text) for each, (kind, text) in zip(uris, cells, strict=True)]
    workspace.put_notebook_document(types.DidOpenNotebookDocumentParams(notebook, texts))
    return uris


@pytest.mark.parametrize(
    ("uri", "language", "path"),
    [
        ("file:///p/a%20b.py", "python", Path("/p/a b.py")),
        ("file:///p/script", "python", Path("/p/script")),
        ("file:///p/a.py", "py", Path("/p/a.py")),
        ("untitled:Untitled-1", "python", None),
        ("file:///p/.virtual_documents/sub/n.ipynb", "python", Path("/p/sub/n.ipynb.py")),
    ],
)
def test_python_is_told_by_its_language_or_its_name(uri: str, language: str, path: Path | None) -> None:
    workspace = Workspace(None)
    document = find_document(workspace, _open(workspace, uri, "x\r\ny\n", language))
    assert document is not None
    assert (document.uri, document.path) == (uri, path)
    assert [(part.uri, part.cell, part.lines) for part in document.parts] == [(uri, None, ("x", "y", ""))]


@pytest.mark.parametrize(
    ("uri", "language"),
    [
        ("file:///p/a.md", "markdown"),
        ("file:///p/n.ipynb", "json"),
        ("file:///p/a.pyi", "python"),
        ("vscode-notebook-cell:/p/n.ipynb#1", "python"),
    ],
)
def test_what_is_nothing_to_check(uri: str, language: str) -> None:
    workspace = Workspace(None)
    assert find_document(workspace, _open(workspace, uri, language=language)) is None
    assert find_document(workspace, "file:///p/never_opened.py") is None
    assert unsaved_texts(workspace) == {}


def test_a_notebook_is_found_by_its_name_and_by_its_cells() -> None:
    workspace = Workspace(None)
    uris = _open_notebook(workspace, "file:///p/n.ipynb", ("markdown", "# x"), ("python", "a\nb"), ("sql", "c"))
    document = find_document(workspace, "file:///p/n.ipynb")
    assert document is not None
    assert find_document(workspace, uris[1]) == document
    assert [(part.uri, part.cell) for part in document.parts] == [(uri, n) for n, uri in enumerate(uris, start=1)]
    assert parse_notebook(document.text).cells == (Cell(2, "a\nb"),)
    assert unsaved_texts(workspace) == {Path("/p/n.ipynb"): document.text}


def test_lines_end_where_those_of_the_protocol_do() -> None:
    workspace = Workspace(None)
    document = find_document(workspace, _open(workspace, "file:///p/a.py", "a\x0cb\u2028c\rd"))
    assert document is not None
    assert document.parts[0].lines == ("a\x0cb\u2028c", "d")
