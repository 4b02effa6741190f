"""What files set in `torch._dynamo.config`: what is remembered of it, and when it is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from compilelint.analysis import run
from compilelint.analysis import settings as module
from compilelint.analysis.files import Files
from compilelint.analysis.settings import settings_made
from compilelint.analysis.store import Store
from compilelint.regions.starts.settings import DynamoSettings
from tests.analysis.make import analysis, files, places, write

SOURCES = {
    "net.py": "import torch\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()\n",
    "sets.py": "from names import config\nimport net  # torch._dynamo\nconfig.capture_scalar_outputs = True\n",
    "names.py": "from torch._dynamo import config\n",
    "talks.py": "import torch  # of torch._dynamo.config\n",
}
SCALARS = {"sets.py": DynamoSettings(capture_scalars=True)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "project", SOURCES)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache.sqlite")


@pytest.fixture
def looked_into(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are looked into, as it happens."""
    names: list[str] = []
    find_settings = module.find_settings

    def noting(inspector: object, asked: list[str]) -> object:
        names.extend(asked)
        return find_settings(inspector, asked)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "find_settings", noting)
    return names


def digest_in(every: Files) -> Callable[[str], str]:
    return lambda name: every.states[name].digest if name in every.states else ""


def made(project: Path, store: Store, tool: str = "tool") -> dict[str, DynamoSettings]:
    every = files(project, store)
    return settings_made(every.tree(), sorted(every.states), every, store, tool, digest_in(every))


def test_what_was_found_is_known(project: Path, store: Store, looked_into: list[str]) -> None:
    assert made(project, store) == SCALARS
    assert looked_into == ["names.py", "sets.py", "talks.py"]
    looked_into.clear()
    assert made(project, store) == SCALARS
    assert looked_into == []


def test_of_other_texts_it_is_not_known(project: Path, store: Store, looked_into: list[str]) -> None:
    made(project, store)
    write(project, {"sets.py": SOURCES["sets.py"].replace("True", "None")})
    looked_into.clear()
    assert made(project, store) == {}
    assert looked_into == ["sets.py"]
    write(project, SOURCES)
    assert made(project, store) == SCALARS


def test_a_text_that_its_names_come_from_counts(project: Path, store: Store, looked_into: list[str]) -> None:
    made(project, store)
    looked_into.clear()
    write(project, {"names.py": "import config\n"})
    assert made(project, store) == {}
    assert looked_into == ["sets.py"], "names.py says nothing of Dynamo any more"


def test_a_new_file_may_change_what_a_name_means(project: Path, store: Store) -> None:
    write(project, {"names.py": "from elsewhere import config  # torch._dynamo\n"})
    assert made(project, store) == {}
    write(project, {"elsewhere.py": "from torch._dynamo import config\n"})
    assert made(project, store) == SCALARS


def test_another_program_may_see_others(project: Path, store: Store, looked_into: list[str]) -> None:
    made(project, store)
    looked_into.clear()
    assert made(project, store, "newer") == SCALARS
    assert len(looked_into) == 3


@pytest.mark.parametrize("value", [b"", b"\xff", b"\x80", msgspec.msgpack.encode({"among": "", "files": {}})])
def test_what_cannot_be_understood_is_not_known(value: bytes, project: Path, store: Store) -> None:
    store.put("settings", {str(project): value})
    assert made(project, store) == SCALARS


def test_what_changed_since_the_files_were_seen_is_not_remembered(
    project: Path, store: Store, looked_into: list[str]
) -> None:
    seen = files(project, store)
    write(project, {"sets.py": SOURCES["sets.py"].replace("True", "None")})
    settings_made(seen.tree(), sorted(seen.states), seen, store, "tool", digest_in(seen))
    write(project, SOURCES)
    looked_into.clear()
    assert made(project, store) == SCALARS
    assert looked_into == ["sets.py"]


def test_an_analysis_goes_by_what_is_set_now(project: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = []
    surroundings_of = run.surroundings_of

    def noting(*arguments: object) -> str:
        keys.append(surroundings_of(*arguments))  # type: ignore[arg-type]
        return keys[-1]

    monkeypatch.setattr(run, "surroundings_of", noting)
    for setting in ("True", "None", "True"):
        write(project, {"sets.py": SOURCES["sets.py"].replace("True", setting)})
        assert places(analysis(project, store)) == places(analysis(project, Store(None)))
    assert keys[0] == keys[1] == keys[4] == keys[5]
    assert keys[2] == keys[3] != keys[0]
