"""Which file imports which: what is remembered of it, and when it is not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from compilelint.analysis.links import keep_links, known_links
from compilelint.analysis.store import Store
from compilelint.source.imports import Links
from tests.analysis.make import analysis, files, write

SOURCES = {
    "a.py": "import b\nfrom c import d\nimport torch\n",
    "b.py": "import a\n",
    "c.py": "d = 1\n",
    "e.py": "import c",
}
LINKS = {
    "a.py": Links(frozenset({"b.py", "c.py"}), (None, "c.py", None)),
    "b.py": Links(frozenset({"a.py"}), (None,)),
    "c.py": Links(frozenset(), ()),
    "e.py": Links(frozenset({"c.py"}), (None,)),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "project", SOURCES)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache.sqlite")


def links(project: Path, store: Store) -> Mapping[str, Links]:
    graph = files(project, store).tree().graph
    for name in files(project, store).states:
        graph.imported(name)
    return graph.links


def test_what_was_kept_is_known(project: Path, store: Store) -> None:
    assert known_links(store, files(project, store), "tool") == {}
    assert links(project, store) == LINKS
    keep_links(store, files(project, store), "tool", links(project, store))
    assert known_links(store, files(project, store), "tool") == LINKS


def test_an_analysis_keeps_them(project: Path, store: Store) -> None:
    analysis(project, store)
    assert known_links(store, files(project, store), "tool") == LINKS
    write(project, {"b.py": "import c\n"})
    analysis(project, store)
    assert known_links(store, files(project, store), "tool") == {**LINKS, "b.py": LINKS["e.py"]}


def test_of_another_text_they_are_not_known(project: Path, store: Store) -> None:
    keep_links(store, files(project, store), "tool", links(project, store))
    write(project, {"b.py": "import c\n"})
    assert known_links(store, files(project, store), "tool") == {name: LINKS[name] for name in ("a.py", "c.py", "e.py")}


@pytest.mark.parametrize("change", ["added", "removed", "renamed"])
def test_among_other_files_they_are_not_known(change: str, project: Path, store: Store) -> None:
    keep_links(store, files(project, store), "tool", links(project, store))
    match change:
        case "added":
            write(project, {"torch.py": ""})
        case "removed":
            (project / "c.py").unlink()
        case _:
            (project / "c.py").rename(project / "f.py")
    assert known_links(store, files(project, store), "tool") == {}


def test_another_program_may_read_imports_otherwise(project: Path, store: Store) -> None:
    keep_links(store, files(project, store), "tool", links(project, store))
    assert known_links(store, files(project, store), "newer") == {}


@pytest.mark.parametrize("value", [b"", b"\xff", b"\x80", msgspec.msgpack.encode({"among": "", "files": {}})])
def test_what_cannot_be_understood_is_not_known(value: bytes, project: Path, store: Store) -> None:
    store.put("imports", {str(project): value})
    assert known_links(store, files(project, store), "tool") == {}


@pytest.mark.parametrize("leading", ["targets", "named"])
def test_what_leads_to_no_file_is_not_known(leading: str, project: Path, store: Store) -> None:
    keep_links(store, files(project, store), "tool", links(project, store))
    kept = msgspec.msgpack.decode(store.get("imports", [str(project)])[str(project)])
    kept["rows"]["a.py"][leading] = [4]
    store.put("imports", {str(project): msgspec.msgpack.encode(kept)})
    assert known_links(store, files(project, store), "tool") == {}
