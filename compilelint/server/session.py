"""What the server knows of each open document, and when it checks it again.

A change is followed by a quick check, of what the file itself compiles. A thorough one, which also asks the rest of the
project what it makes of the file, follows when a document is opened or saved; on large projects it takes seconds.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from compilelint.catalog.model import Rule
from compilelint.check import CheckError
from compilelint.report.model import Finding
from compilelint.server.checking import Checked, OutdatedError, check_document
from compilelint.server.diagnostics import finding_diagnostic, problem_diagnostic
from compilelint.server.differences import Difference, completed, difference, moved
from compilelint.server.documents import Document, find_document, unsaved_texts
from compilelint.source.imports import MAX_IMPORTERS

TYPING_PAUSE = 0.3
"""Seconds without a change before a quick check."""
IDLE = 2.0
"""Seconds more before a thorough check that is owed."""
AFFORDABLE = 5.0
"""Seconds that a thorough check may take to be done because of another file."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Known:
    """What is known of an open document."""

    shown: tuple[Finding, ...] = ()
    beyond: Difference = field(default_factory=Difference)
    """What the last thorough check found otherwise than a quick one."""
    owes_thorough: bool = True
    """What the last thorough check found may not be true any more."""
    thorough_seconds: float = 0.0
    """How long that took."""
    rules: dict[str, Rule] = field(default_factory=dict)
    target_torch: str = ""
    uris: tuple[str, ...] = ()
    """Where diagnostics were published."""


class Session:
    """Checks open documents in threads, one quick and one thorough check at a time, and publishes what they find.

    All methods are called in the server's loop.
    """

    def __init__(self, server: LanguageServer, cache: Path | None) -> None:
        self._server = server
        self._cache = cache
        self._known: dict[str, Known] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._quick = ThreadPoolExecutor(1, "quick-check")
        self._thorough = ThreadPoolExecutor(1, "thorough-check")
        self._no_quick = threading.Event()
        """Set while no quick check runs: a thorough one waits for it, they would share the interpreter."""
        self._no_quick.set()
        self._closed = threading.Event()
        self._complaints: dict[str, str] = {}
        """Of documents that cannot be checked, what the user was told."""

    def known(self, uri: str) -> Known | None:
        """What is known of a document."""
        return self._known.get(uri)

    def opened(self, uri: str) -> None:
        """A document was opened."""
        if find_document(self._server.workspace, uri) is not None:
            self._known.setdefault(uri, Known())
            self._schedule(uri, 0, 0)

    def changed(self, uri: str) -> None:
        """Its text was changed in the editor."""
        if uri in self._known:
            self._schedule(uri, TYPING_PAUSE, IDLE)

    def saved(self, uri: str) -> None:
        """It was written to disk; what the others that are open make of it may be different now."""
        if uri in self._known:
            self._known[uri].owes_thorough = True
            self._schedule(uri, 0, 0)
        self.sources_changed(but=uri)

    def sources_changed(self, but: str = "") -> None:
        """Files were changed on disk. `but` was dealt with."""
        for each, known in self._known.items():
            if each != but:
                # On a large project each would take a core for half a minute; such documents wait until they are saved.
                known.owes_thorough |= known.thorough_seconds <= AFFORDABLE
                self._schedule(each, TYPING_PAUSE, IDLE)

    def configuration_changed(self) -> None:
        """What is looked for may be something else now."""
        for each, known in self._known.items():
            known.owes_thorough = True
            known.beyond = Difference()
            self._schedule(each, TYPING_PAUSE, IDLE)

    def closed(self, uri: str) -> None:
        """A document was closed: its diagnostics go."""
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()
        self._complaints.pop(uri, None)
        known = self._known.pop(uri, None)
        for each in known.uris if known is not None else ():
            self._publish(each, None, [])

    def close(self) -> None:
        """Ends all checks, without waiting for them."""
        self._closed.set()
        self._no_quick.set()
        for task in self._tasks.values():
            task.cancel()
        for pool in (self._quick, self._thorough):
            pool.shutdown(wait=False, cancel_futures=True)

    def _schedule(self, uri: str, delay: float, idle: float) -> None:
        """A quick check after `delay` seconds in place of any that is under way; `idle` seconds later, a thorough
        one if it is owed."""
        if uri in self._tasks:
            self._tasks[uri].cancel()
        self._tasks[uri] = asyncio.get_running_loop().create_task(self._refresh(uri, delay, idle))

    async def _refresh(self, uri: str, delay: float, idle: float) -> None:
        await asyncio.sleep(delay)
        document = find_document(self._server.workspace, uri)
        known = self._known.get(uri)
        if document is None or known is None:
            return
        quick = await self._check(document, importers=0)
        if quick is None:
            return
        lines = {part.cell: part.lines for part in document.parts}
        broken = {problem.cell for problem in quick.problems}
        # What cannot be parsed just now will be again: what was found there stays meanwhile.
        waiting = moved((each for each in known.shown if each.cell in broken), lines)
        self._show(document, known, quick, (*completed(quick.findings, known.beyond, lines), *waiting))
        if not known.owes_thorough or broken:
            return
        await asyncio.sleep(idle)
        thorough = await self._check(document, importers=MAX_IMPORTERS)
        if thorough is not None:
            known.beyond = difference(quick.findings, thorough.findings)
            known.owes_thorough = False
            known.thorough_seconds = thorough.result.report.duration_s
            self._show(document, known, thorough, thorough.findings)

    async def _check(self, document: Document, importers: int) -> Checked | None:
        """A check in its thread; None if it cannot be done, which the user is told once."""
        outdated = threading.Event()
        pool, run = (self._thorough, self._patiently) if importers else (self._quick, self._at_once)
        unsaved = unsaved_texts(self._server.workspace)

        def check(go_on: Callable[[], bool]) -> Checked:
            return check_document(document, unsaved, importers=importers, cache=self._cache, go_on=go_on)

        try:
            checked = await asyncio.get_running_loop().run_in_executor(pool, run, check, outdated)
        except asyncio.CancelledError:
            outdated.set()
            raise
        except OutdatedError:
            return None
        except CheckError as error:
            self._complain(document.uri, str(error))
            return None
        except Exception as error:
            _log.exception("a check failed")
            said = " ".join(f"{type(error).__name__}: {error}".split())
            self._complain(document.uri, f"internal error: {said}; please report it")
            return None
        self._complaints.pop(document.uri, None)
        return checked

    def _at_once(self, check: Callable[[Callable[[], bool]], Checked], outdated: threading.Event) -> Checked:
        self._no_quick.clear()
        try:
            return check(lambda: not outdated.is_set() and not self._closed.is_set())
        finally:
            self._no_quick.set()
            gc.collect()

    def _patiently(self, check: Callable[[Callable[[], bool]], Checked], outdated: threading.Event) -> Checked:
        def go_on() -> bool:
            self._no_quick.wait()
            return not outdated.is_set() and not self._closed.is_set()

        try:
            return check(go_on)
        finally:
            # Once for each check, in milliseconds: left to itself the collector doubles the time of one.
            gc.collect()

    def _show(self, document: Document, known: Known, checked: Checked, findings: tuple[Finding, ...]) -> None:
        known.shown = findings
        known.rules = {rule.code: rule for rule in checked.result.rules}
        known.target_torch = checked.result.report.target_torch
        codec = self._server.workspace.position_codec
        result = checked.result
        for part in document.parts:
            diagnostics = [
                finding_diagnostic(each, part, document, codec, result.root, result.installed)
                for each in findings
                if each.cell == part.cell
            ]
            diagnostics += [problem_diagnostic(each, part) for each in checked.problems if each.cell == part.cell]
            self._publish(part.uri, part.version, diagnostics)
        for gone in set(known.uris) - {part.uri for part in document.parts}:
            self._publish(gone, None, [])
        known.uris = tuple(part.uri for part in document.parts)

    def _publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version)
        )

    def _complain(self, uri: str, message: str) -> None:
        """Pops up what is wrong, once for all documents that it is wrong with."""
        known = message in self._complaints.values()
        self._complaints[uri] = message
        if not known:
            shown = types.ShowMessageParams(types.MessageType.Error, f"compilelint: {message}")
            self._server.window_show_message(shown)
