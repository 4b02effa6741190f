"""What an editor sees: a real client of the protocol talks to the server over standard input and output."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.server.client import ROOT, TIMEOUT, Editor, editor

pytestmark = pytest.mark.slow

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.relu().item()
"""
MENDED = NET.replace(".item()", "")


def _run(folder: Path, scenario: Callable[[Editor], Coroutine[Any, Any, None]], *encodings: str) -> None:
    async def session() -> None:
        async with editor(folder, encodings=list(encodings) or None) as client:
            await scenario(client)

    asyncio.run(session())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    (tmp_path / "net.py").write_text(NET)
    return tmp_path


def test_a_finding_is_shown_told_accepted_and_gone(project: Path) -> None:
    async def scenario(client: Editor) -> None:
        uri = client.open(project / "net.py")
        (found,) = await client.diagnostics(uri)
        assert (found.code, found.source, found.severity) == ("CL101", "compilelint", types.DiagnosticSeverity.Warning)
        assert (found.range.start, found.range.end) == (types.Position(5, 15), types.Position(5, 30))
        assert found.message.startswith("`x.relu().item()` reads a tensor's value back into Python")
        assert "graph break, medium confidence" in found.message
        (route,) = found.related_information or ()
        assert (route.location.uri, route.location.range.start.line) == (uri, 3)
        assert route.message == "reached from here: Net.forward"

        assert (await client.hover(uri, 5, 20)).startswith("# CL101 tensor-item")
        assert await client.hover(uri, 2, 0) == ""

        actions = await client.actions(uri, found)
        accept = actions["compilelint: ignore CL101 (tensor-item) here"]
        accepting = client.edited(uri, accept, types.PositionEncodingKind.Utf16)
        assert "        return x.relu().item()  # compilelint: ignore[CL101]\n" in accepting
        client.change(uri, accepting)
        assert await client.diagnostics(uri) == []

        client.change(uri, NET)
        assert len(await client.diagnostics(uri)) == 1
        client.change(uri, MENDED)
        assert await client.diagnostics(uri) == []
        assert await client.stop() == 0

    _run(project, scenario)


def test_the_page_of_a_rule_opens_as_a_document(project: Path) -> None:
    async def scenario(client: Editor) -> None:
        uri = client.open(project / "net.py")
        (found,) = await client.diagnostics(uri)
        command = (await client.actions(uri, found))["compilelint: show the page of CL101"]
        assert isinstance(command, types.Command)
        params = types.ExecuteCommandParams(command.command, command.arguments)
        await asyncio.wait_for(client.client.workspace_execute_command_async(params), TIMEOUT)
        (shown,) = client.shown
        assert shown.endswith("/CL101-tensor-item.md")
        assert Path(shown.removeprefix("file://")).read_text("utf-8").startswith("# CL101 tensor-item")

    _run(project, scenario)


def test_a_text_that_is_no_python_for_a_while_keeps_its_findings(project: Path) -> None:
    async def scenario(client: Editor) -> None:
        uri = client.open(project / "net.py")
        await client.diagnostics(uri)
        client.change(uri, "x = (\n" + NET)
        found = await client.diagnostics(uri)
        assert [(each.code, each.range.start.line) for each in found] == [("CL101", 6), (None, 0)]
        assert found[1].message.startswith("not checked: syntax error: '(' was never closed")
        assert found[1].severity == types.DiagnosticSeverity.Error
        client.change(uri, "x = ()\n" + NET)
        assert [each.code for each in await client.diagnostics(uri)] == ["CL101"]

    _run(project, scenario)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 28), ("utf-16", 23), ("utf-32", 22)])
def test_columns_are_in_the_units_of_the_client(project: Path, encoding: str, column: int) -> None:
    async def scenario(client: Editor) -> None:
        uri = client.open(project / "net.py", NET.replace("return x", "'\U0001f525é€'; return x"))
        (found,) = await client.diagnostics(uri)
        assert (found.range.start.character, found.range.end.character) == (column, column + 15)
        assert await client.hover(uri, 5, column)
        assert not await client.hover(uri, 5, column - 1)
        action = (await client.actions(uri, found))["compilelint: ignore CL101 (tensor-item) here"]
        edited = client.edited(uri, action, types.PositionEncodingKind(encoding))
        assert "'; return x.relu().item()  # compilelint: ignore[CL101]\n" in edited

    _run(project, scenario, encoding)


def test_what_is_not_saved_wins_over_the_disk(project: Path) -> None:
    (project / "helper.py").write_text("def read(t):\n    return t\n")

    async def scenario(client: Editor) -> None:
        helper = client.open(project / "helper.py", "def read(t):\n    return t.item()\n")
        net = client.open(project / "net.py", "from helper import read\n" + NET.replace("x.relu().item()", "read(x)"))
        await client.diagnostics(net)
        client.save(helper)
        (found,) = await client.diagnostics(helper, bool)
        assert found.range.start.line == 1
        assert [each.location.uri for each in found.related_information or ()] == [net]

    _run(project, scenario)


def test_what_others_make_of_a_file_is_kept_while_one_types(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.compilelint]\nroots = 'explicit'\n")
    (project / "train.py").write_text("import torch\nfrom net import Net\n\ntorch.compile(Net())\n")

    async def scenario(client: Editor) -> None:
        uri = client.open(project / "net.py")
        (found,) = await client.diagnostics(uri, bool)
        assert [each.location.range.start.line for each in found.related_information or ()] == [3]
        client.change(uri, "# one line more\n" + NET)
        (moved,) = await client.diagnostics(uri)
        assert moved.range.start.line == found.range.start.line + 1
        client.change(uri, MENDED)
        assert await client.diagnostics(uri) == []

    _run(project, scenario)


def test_what_changes_on_disk_is_seen(project: Path) -> None:
    (project / "helper.py").write_text("def read(t):\n    return 1\n")
    branching = "from helper import read\n" + NET.replace("return x.relu().item()", "if read(x):\n            return x")

    async def scenario(client: Editor) -> None:
        uri = client.open(project / "net.py", branching)
        assert await client.diagnostics(uri) == []
        (project / "helper.py").write_text("def read(t):\n    return t.sum() > 0\n")
        client.touched(project / "helper.py")
        assert [each.code for each in await client.diagnostics(uri, bool)] == ["CL110"]
        (project / "pyproject.toml").write_text("[tool.compilelint]\nignore = ['CL110']\n")
        client.touched(project / "pyproject.toml")
        assert await client.diagnostics(uri, lambda found: not found) == []

    _run(project, scenario)


def test_a_notebook_is_checked_as_one_program(project: Path) -> None:
    notebook = (project / "n.ipynb").as_uri()
    cells = {f"vscode-notebook-cell:/n.ipynb#{number}": text for number, text in enumerate(["%pip list", NET, "Net()"])}

    async def scenario(client: Editor) -> None:
        document = types.NotebookDocument(
            uri=notebook,
            notebook_type="jupyter-notebook",
            version=1,
            cells=[types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in cells],
        )
        texts = [types.TextDocumentItem(uri, "python", 1, text) for uri, text in cells.items()]
        client.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(document, texts))
        client.versions = dict.fromkeys(cells, 1)
        _, uri, _ = cells
        (found,) = await client.diagnostics(uri, bool)
        assert (found.code, found.range.start) == ("CL101", types.Position(5, 15))
        assert [each.location.uri for each in found.related_information or ()] == [uri]
        client.texts[uri] = NET
        action = (await client.actions(uri, found))["compilelint: ignore CL101 (tensor-item) here"]
        text = client.edited(uri, action, types.PositionEncodingKind.Utf16)
        change = types.NotebookDocumentCellContentChanges(
            types.VersionedTextDocumentIdentifier(2, uri), [types.TextDocumentContentChangeWholeDocument(text)]
        )
        client.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(
                types.VersionedNotebookDocumentIdentifier(2, notebook),
                types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(text_content=[change])),
            )
        )
        client.versions[uri] = 2
        assert await client.diagnostics(uri, lambda found: not found) == []

    _run(project, scenario)


def test_a_notebook_that_the_client_has_joined_is_python(project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "beside.py").write_text("def is_large(t):\n    return t.sum() > 9\n")
    text = "from beside import is_large\n" + NET.replace("return x.relu().item()", "return x if is_large(x) else x + 1")

    async def scenario(client: Editor) -> None:
        uri = client.open(project / ".virtual_documents" / "sub" / "n.ipynb", text)
        (found,) = await client.diagnostics(uri)
        assert (found.code, found.range.start) == ("CL110", types.Position(6, 20))
        assert [each.location.uri for each in found.related_information or ()] == [uri]

    _run(project, scenario)


def test_a_wrong_configuration_is_told_once_and_ends_nothing(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.compilelint]\nselect = 5\n")

    async def scenario(client: Editor) -> None:
        uri = client.open(project / "net.py")
        assert "pyproject.toml:2: select must be a list of strings" in await client.message()
        client.change(uri, NET + "#")
        (project / "pyproject.toml").write_text("[tool.compilelint]\n")
        client.save(uri)
        assert len(await client.diagnostics(uri)) == 1
        assert client.messages == []

    _run(project, scenario)


def test_excluded_files_and_bare_notebooks_say_nothing_and_closing_clears(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.compilelint]\nexclude = ['old.py']\n")

    async def scenario(client: Editor) -> None:
        bare = types.TextDocumentItem((project / "n.ipynb").as_uri(), "json", 1, "{}")
        client.client.text_document_did_open(types.DidOpenTextDocumentParams(bare))
        client.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem("vscode-notebook-cell:/n.ipynb#1", "python", 1, NET))
        )
        old = client.open(project / "old.py", NET)
        assert await client.diagnostics(old) == []
        uri = client.open(project / "net.py")
        assert len(await client.diagnostics(uri)) == 1
        client.close(uri)
        assert await client.diagnostics(uri, lambda found: not found) == []
        assert set(client.published) == {old, uri}

    _run(project, scenario)


def test_a_document_that_was_never_saved_is_checked(project: Path) -> None:
    async def scenario(client: Editor) -> None:
        item = types.TextDocumentItem("untitled:Untitled-1", "python", 1, NET)
        client.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        client.versions[item.uri] = 1
        assert [each.code for each in await client.diagnostics("untitled:Untitled-1")] == ["CL101"]
        new = client.open(project / "not_there_yet.py", NET)
        assert [each.code for each in await client.diagnostics(new)] == ["CL101"]

    _run(project, scenario)


def test_an_editor_may_come_over_tcp(project: Path) -> None:
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]

    async def scenario() -> None:
        command = [sys.executable, "-m", "compilelint", "server", "--tcp", f"localhost:{port}"]
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
        client = Editor(LanguageClient("test", "1"))
        try:
            await asyncio.wait_for(_connected(client, port), TIMEOUT)
            await client.initialize([project])
            uri = client.open(project / "net.py")
            assert len(await client.diagnostics(uri)) == 1
            await client.client.shutdown_async(None)
            client.client.exit(None)
            assert await asyncio.wait_for(process.wait(), TIMEOUT) == 0
        finally:
            if process.returncode is None:
                process.kill()
            await client.client.stop()

    asyncio.run(scenario())


async def _connected(client: Editor, port: int) -> None:
    while True:
        try:
            return await client.client.start_tcp("localhost", port)
        except ConnectionError:
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("politely", [True, False])
def test_the_server_ends_with_its_editor(project: Path, politely: bool) -> None:
    async def scenario(client: Editor) -> None:
        client.open(project / "net.py")
        process = client.client._server
        assert process is not None
        assert process.stdin is not None
        if politely:
            client.client.exit(None)
        else:
            process.stdin.close()
        assert await asyncio.wait_for(process.wait(), TIMEOUT) == 1

    _run(project, scenario)
