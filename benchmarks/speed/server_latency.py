"""How long an editor waits for `compilelint server`.

    pip install --no-deps --target corpus transformers==5.23.0 timm==1.0.31
    python benchmarks/speed/server_latency.py corpus/timm timm/models/vision_transformer.py
    python benchmarks/speed/server_latency.py corpus/transformers transformers/models/llama/modeling_llama.py

The package is copied into a project of its own, so that all of it is known. A client of the protocol opens the file,
asks for a hover text again and again while the thorough check runs, changes the file five times, and tells that it was
saved. Prints a row of a Markdown table: seconds from opening to the first diagnostics and to those of the thorough
check, from a change to its diagnostics (the median, with the pause that the server waits for more typing), from saving
to the thorough diagnostics, the longest wait for a hover text, and memory at its peak. Nothing is remembered at first.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

CHANGES = 5


async def measure(project: Path, name: str) -> str:
    """The row for one file of a project."""
    client = LanguageClient("latency", "1")
    news: asyncio.Queue[int | None] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: types.PublishDiagnosticsParams) -> None:
        news.put_nowait(params.version)

    await client.start_io(sys.executable, "-m", "compilelint", "server", "--cache-dir", str(project / ".cache"))
    folder = types.WorkspaceFolder(project.as_uri(), project.name)
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), workspace_folders=[folder]))
    client.initialized(types.InitializedParams())
    uri, text = (project / name).as_uri(), (project / name).read_text("utf-8")

    started = time.perf_counter()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 0, text)),
    )
    await news.get()
    first = time.perf_counter() - started
    hovers = [await _hover(client, uri)]
    while news.empty():
        await asyncio.sleep(0.1)
        hovers.append(await _hover(client, uri))
    await news.get()
    thorough = time.perf_counter() - started

    changes = []
    for version in range(1, CHANGES + 1):
        started = time.perf_counter()
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri),
                [types.TextDocumentContentChangeWholeDocument(f"{text}\n# {version}\n")],
            )
        )
        while await news.get() != version:
            pass
        changes.append(time.perf_counter() - started)

    started = time.perf_counter()
    client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await news.get()
    await news.get()
    saved = time.perf_counter() - started

    process = client._server
    assert process is not None
    memory = _peak_memory(process.pid)
    await client.shutdown_async(None)
    client.exit(None)
    await process.wait()
    return (
        f"| {name} | {first:.1f} | {thorough:.1f} | {statistics.median(changes):.1f} | {saved:.1f} "
        f"| {max(hovers):.2f} | {memory / 1e3:.0f} MB |"
    )


async def _hover(client: LanguageClient, uri: str) -> float:
    started = time.perf_counter()
    await client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 0)))
    return time.perf_counter() - started


def _peak_memory(process: int) -> int:
    """In kB, from Linux."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def main() -> None:
    package, name = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        shutil.copytree(package, project / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        (project / "pyproject.toml").write_text("[tool.compilelint]\n")
        print("| file | opened, first | opened, thorough | changed | saved, thorough | hover, longest | memory |")
        print("|---|---|---|---|---|---|---|")
        print(asyncio.run(measure(project, name)))


if __name__ == "__main__":
    main()
