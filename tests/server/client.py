"""An editor without a screen: a real client of the protocol, with the server as its child."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.workspace import PositionCodec

TIMEOUT = 30.0
"""Seconds after which a server that says nothing is broken."""
ROOT = Path(__file__).parents[2]


class Editor:
    """What a user of an editor does and sees. Positions are in the client's units."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []
        self.shown: list[str] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self._news = asyncio.Condition()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.setdefault(params.uri, []).append(params)
            async with self._news:
                self._news.notify_all()

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        async def show_message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            async with self._news:
                self._news.notify_all()

        @client.feature(types.WINDOW_SHOW_DOCUMENT)
        async def show_document(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params.uri)
            return types.ShowDocumentResult(success=True)

    async def initialize(self, folders: Sequence[Path], encodings: list[str] | None = None) -> types.InitializeResult:
        capabilities = types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=encodings),
            notebook_document=types.NotebookDocumentClientCapabilities(types.NotebookDocumentSyncClientCapabilities()),
            window=types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(support=True)),
        )
        result = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=capabilities,
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
            )
        )
        self.client.initialized(types.InitializedParams())
        return result

    async def stop(self) -> int:
        """Ends the server as the protocol wants it; its exit code."""
        await asyncio.wait_for(self.client.shutdown_async(None), TIMEOUT)
        self.client.exit(None)
        process = self.client._server
        assert process is not None
        return await asyncio.wait_for(process.wait(), TIMEOUT)

    def open(self, file: Path, text: str | None = None) -> str:
        uri = file.as_uri()
        self.texts[uri] = file.read_text("utf-8") if text is None else text
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "python", 1, self.texts[uri])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        self.versions[uri] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.versions[uri], uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def touched(self, file: Path) -> None:
        """A file was changed by another program."""
        change = types.FileEvent(file.as_uri(), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def diagnostics(
        self, uri: str, wanted: Callable[[list[types.Diagnostic]], bool] = lambda found: True
    ) -> list[types.Diagnostic]:
        """The diagnostics of a document, once those of its present text are such."""

        def there() -> bool:
            last = self.published.get(uri, [])[-1:]
            return any(each.version in (None, self.versions[uri]) and wanted(list(each.diagnostics)) for each in last)

        async with self._news:
            await asyncio.wait_for(self._news.wait_for(there), TIMEOUT)
        return list(self.published[uri][-1].diagnostics)

    async def message(self) -> str:
        """What the server pops up next."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: bool(self.messages)), TIMEOUT)
        return self.messages.pop(0)

    async def hover(self, uri: str, line: int, character: int) -> str:
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        )
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return found.contents.value if found is not None else ""

    async def actions(self, uri: str, diagnostic: types.Diagnostic) -> dict[str, types.CodeAction | types.Command]:
        """What is offered, by titles."""
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri), diagnostic.range, types.CodeActionContext([diagnostic])
        )
        found = await self.client.text_document_code_action_async(params)
        return {each.title: each for each in found or []}

    def edited(self, uri: str, action: types.CodeAction | types.Command, encoding: types.PositionEncodingKind) -> str:
        """The text of a document after an action."""
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        assert action.edit.changes is not None
        lines = self.texts[uri].split("\n")
        codec = PositionCodec(encoding)
        for edit in action.edit.changes[uri]:
            at = codec.position_from_client_units(lines, edit.range.start)
            line = lines[at.line]
            lines[at.line] = line[: at.character] + edit.new_text + line[at.character :]
        return "\n".join(lines)


@asynccontextmanager
async def editor(*folders: Path, encodings: list[str] | None = None) -> AsyncIterator[Editor]:
    """An editor with a server; both are gone afterwards."""
    made = Editor(LanguageClient("test", "1"))
    await made.client.start_io(sys.executable, "-m", "compilelint", "server", cwd=ROOT)
    await made.initialize(folders, encodings)
    try:
        yield made
    finally:
        process = made.client._server
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
        await made.client.stop()
