"""A package with hundreds of hazards adopts the check: what is new is told, and only that."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from compilelint.cli import run

pytestmark = pytest.mark.slow


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The source of torch_geometric, in a repository of its own, with a baseline."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    spec = importlib.util.find_spec("torch_geometric")
    assert spec is not None
    assert spec.submodule_search_locations
    source = Path(spec.submodule_search_locations[0])
    shutil.copytree(source, tmp_path / "torch_geometric", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\nbaseline = 'known.json'\ntarget-torch = '2.13'\n")
    monkeypatch.chdir(tmp_path)
    assert run(["baseline"]) == 0
    _git("init")
    _git("add", ".")
    _git("-c", "user.name=n", "-c", "user.email=e", "commit", "-m", "adopted")
    return tmp_path / "torch_geometric"


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def _edit(file: Path, change: Callable[[str], str]) -> None:
    before = file.read_text("utf-8")
    after = change(before)
    assert after != before
    file.write_text(after, "utf-8")


def test_only_what_is_new_is_told(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check"]) == 0
    assert re.search(r"No new hazards: .* \d{3} in the baseline\.", capsys.readouterr().out)

    moved = "\n" + "# moved\n" * 50 + "class "
    _edit(package / "nn/pool/topk_pool.py", lambda text: text.replace("\nclass ", moved, 1))
    _edit(package / "nn/norm/graph_norm.py", lambda text: re.sub(r"\bstd\b", "deviation", text))
    _git("mv", "torch_geometric/nn/aggr/sort.py", "torch_geometric/nn/aggr/sorting.py")
    _edit(package / "nn/aggr/__init__.py", lambda text: text.replace("from .sort import", "from .sorting import"))
    _edit(
        package / "nn/norm/batch_norm.py",
        lambda text: text.replace("        return self.module(x)", "        return self.module(x) * x.mean().item()"),
    )
    for options in ([], ["--no-baseline", "--since", "HEAD"]):
        capsys.readouterr()
        assert run(["check", "-o", "concise", *options]) == 1
        told = capsys.readouterr().out.splitlines()
        assert len(told) == 2, told
        assert told[0].startswith("torch_geometric/nn/norm/batch_norm.py")
        assert "CL101" in told[0]
