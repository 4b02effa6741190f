"""The server: which messages of the protocol it answers, and with what."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path

from compilelint import __version__
from compilelint.report.model import Finding
from compilelint.server.actions import ignoring, showing
from compilelint.server.diagnostics import holding
from compilelint.server.documents import Document, Part, find_document
from compilelint.server.pages import hover_text, page, write_page
from compilelint.server.session import Known, Session

SHOW_RULE = "compilelint.showRule"
_WATCHED = ("**/*.py", "**/*.ipynb", "**/pyproject.toml")
_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook=types.NotebookDocumentFilterNotebookType(notebook_type="jupyter-notebook")
        )
    ],
    save=True,
)


class CompilelintServer(LanguageServer):
    """The server with what it knows of the client's documents."""

    def __init__(self, cache: Path | None) -> None:
        # Whole texts: a change then means the same to both sides, whatever either takes for the end of a line.
        super().__init__(
            "compilelint",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            notebook_document_sync=_NOTEBOOKS,
        )
        self.session = Session(self, cache)
        self.leftovers = ExitStack()
        self.was_shut_down = False

    @cached_property
    def pages(self) -> Path:
        """The folder of the pages that were opened, gone with `leftovers`. An editor that kills its server, as some do,
        leaves none behind where no page was."""
        folder = tempfile.TemporaryDirectory(prefix="compilelint-", ignore_cleanup_errors=True)
        return Path(self.leftovers.enter_context(folder))


def make_server(cache: Path | None) -> CompilelintServer:
    """A server that has yet to be started with `start_io` or `start_tcp`.

    `cache` is the directory in which its checks remember what they found out, as others do.
    """
    server = CompilelintServer(cache)
    _synchronise(server)
    _answer(server)
    _end(server)
    return server


def _synchronise(server: CompilelintServer) -> None:
    session = server.session
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_of_file(session.opened))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_of_file(session.changed))
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_of_file(session.saved))
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_of_file(session.closed))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(_of_notebook(session.opened))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(_of_notebook(session.changed))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(_of_notebook(session.saved))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(_of_notebook(session.closed))

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            server.client_register_capability(
                types.RegistrationParams([types.Registration("compilelint-files", method, options)])
            )

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        uris = {change.uri for change in params.changes}
        if any(uri.endswith(".toml") for uri in uris):
            session.configuration_changed()
        elif any(session.known(uri) is None for uri in uris):  # of what is open, its own messages tell
            session.sources_changed()


def _of_file(tell: Callable[[str], None]) -> Callable[[Any], None]:
    def told(params: Any) -> None:
        tell(params.text_document.uri)

    return told


def _of_notebook(tell: Callable[[str], None]) -> Callable[[Any], None]:
    def told(params: Any) -> None:
        tell(params.notebook_document.uri)

    return told


def _answer(server: CompilelintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        place = types.Range(params.position, params.position)
        found = _found(server, params.text_document.uri, place)
        if found is None:
            return None
        _, _, findings, known = found
        text = hover_text(findings, known)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text)) if text else None

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def actions(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        found = _found(server, params.text_document.uri, params.range)
        if found is None or not _wants_quick_fixes(params.context.only):
            return []
        document, part, findings, known = found
        codec = server.workspace.position_codec
        pages = _shows_documents(server.client_capabilities)
        return [
            *ignoring(part, findings, codec, params.context.diagnostics),
            *(showing(SHOW_RULE, document.uri, findings, known) if pages else ()),
        ]

    @server.command(SHOW_RULE)
    async def show_rule(uri: str, code: str) -> None:
        known = server.session.known(uri)
        text = page(code, known) if known is not None else ""
        if known is not None and text:
            file = from_fs_path(str(write_page(server.pages, known.rules[code], text)))
            if file is not None:
                await server.window_show_document_async(types.ShowDocumentParams(file, take_focus=True))


def _end(server: CompilelintServer) -> None:
    @server.feature(types.SHUTDOWN)
    def shut_down(params: None) -> None:
        server.was_shut_down = True
        server.session.close()


def _found(
    server: CompilelintServer, uri: str, wanted: types.Range
) -> tuple[Document, Part, list[Finding], Known] | None:
    """The findings at a place, with the document and the part of it that the place is in."""
    document = find_document(server.workspace, uri)
    known = server.session.known(document.uri) if document is not None else None
    part = next((each for each in document.parts if each.uri == uri), None) if document is not None else None
    if document is None or known is None or part is None:
        return None
    return document, part, list(holding(part, known.shown, server.workspace.position_codec, wanted)), known


def _wants_quick_fixes(only: Sequence[types.CodeActionKind | str] | None) -> bool:
    return not only or any(kind in ("", types.CodeActionKind.QuickFix) for kind in only)


def _shows_documents(capabilities: types.ClientCapabilities) -> bool:
    window = capabilities.window
    return window is not None and window.show_document is not None and window.show_document.support
