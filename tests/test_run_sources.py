"""Which files a run is joined with, and when a check that was done ahead is theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.run_options import RunError, RunOptions
from compilelint.run_sources import CheckAhead, check_ahead, check_sources, project_of, script_file

BREAKS = "import torch\n\n@torch.compile\ndef step(x: torch.Tensor) -> float:\n    return x.sum().item()\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(BREAKS)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "net.py").write_text(BREAKS)
    return tmp_path / "train.py"


def ahead_of(script: Path, options: RunOptions) -> CheckAhead:
    found = check_ahead(options, script, script.parent)
    assert found is not None
    return found


def paths_found(script: Path, *come_to: Path, options: RunOptions, ahead: CheckAhead | None = None) -> list[str]:
    project = project_of(options, script, script.parent)
    result = check_sources(options, project, script, map(str, come_to), ahead)
    assert result is not None
    return [finding.path for finding in result.report.findings]


@pytest.mark.parametrize(
    ("program", "found"),
    [(("train.py", "-m"), True), (("gone.py",), False), (("-m", "train.py"), False), ((), False)],
)
def test_the_script_of_a_program(script: Path, program: tuple[str, ...], found: bool) -> None:
    assert script_file(program, script.parent) == (script if found else None)


def test_without_a_project_files_beside_the_script_and_those_come_to(script: Path) -> None:
    assert paths_found(script, options=RunOptions()) == ["train.py"]
    assert paths_found(script, script.parent / "below" / "net.py", options=RunOptions()) == ["below/net.py", "train.py"]


def test_what_they_import_is_checked_with_them(script: Path) -> None:
    modes = ["a", "b", "c", "d", "e"]
    called = (
        f"import torch\nfrom nets import Net\n\nnet = torch.compile(Net())\nfor mode in {modes}:\n    net(1, mode)\n"
    )
    net = (
        "from torch import nn\n\nclass Net(nn.Module):\n    def forward(self, x, mode):\n"
        "        return x if mode == 'a' else 2\n"
    )
    script.write_text(called)
    (script.parent / "nets").mkdir()
    (script.parent / "nets" / "__init__.py").write_text("from .layers import Net\n")
    (script.parent / "nets" / "layers.py").write_text(net)
    assert paths_found(script, script.parent / "nets" / "layers.py", options=RunOptions()) == ["train.py"]


def test_a_project_is_checked_whole(script: Path) -> None:
    (script.parent / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert paths_found(script, options=RunOptions()) == ["below/net.py", "train.py"]


def test_a_check_ahead_is_not_done_again(script: Path) -> None:
    ahead = ahead_of(script, RunOptions())
    script.write_text("")
    assert paths_found(script, script, options=RunOptions(), ahead=ahead) == ["train.py"]


def test_a_check_ahead_of_other_files_is_not_used(script: Path) -> None:
    ahead = ahead_of(script, RunOptions())
    below = script.parent / "below" / "net.py"
    script.write_text("")
    assert paths_found(script, below, options=RunOptions(), ahead=ahead) == ["below/net.py"]


def test_what_cannot_be_checked_is_told_once_the_run_is_over(script: Path) -> None:
    options = RunOptions(config_file=script.parent / "gone.toml")
    assert check_ahead(options, script, script.parent) is None
    with pytest.raises(RunError, match="gone"):
        paths_found(script, options=options)


def test_nothing_is_checked_if_it_is_not_asked_for(script: Path) -> None:
    options = RunOptions(check=False)
    assert check_ahead(options, script, script.parent) is None
    assert check_sources(options, project_of(options, script, script.parent), script, [str(script)]) is None


def test_the_check_remembers_where_it_is_told_to(script: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    check_ahead(RunOptions(cache_dir=cache, no_cache=True), script, script.parent)
    assert not cache.exists()
    check_ahead(RunOptions(cache_dir=cache), script, script.parent)
    assert {file.suffix for file in cache.iterdir()} == {".sqlite"}
