"""What is compiled of files that were not named: a script compiles a model of another file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from compilelint.check import CheckOptions, run_check
from compilelint.report.confidence import Confidence

SCRIPT = "import torch\nfrom net import Net\n\nmodel = torch.compile(Net())\nmodel(torch.randn(3))\n"
NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        print(x)
        return x * x.sum().item()


class Other(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        print(x)
        return x
"""


def elsewhere(folder: Path, *named: str, **files: str) -> Mapping[str, int]:
    (folder / "pyproject.toml").touch()
    for name, text in {"train": SCRIPT, "net": NET, **files}.items():
        (folder / f"{name}.py").write_text(text)
    options = CheckOptions(paths=tuple(folder / name for name in named), cache=None)
    return run_check(options).report.in_other_files


def test_what_a_script_compiles_of_another_file_is_counted(tmp_path: Path) -> None:
    assert elsewhere(tmp_path, "train.py") == {"net.py": 2}


def test_what_is_named_is_not_elsewhere(tmp_path: Path) -> None:
    assert elsewhere(tmp_path, ".") == {}


@pytest.mark.parametrize(
    ("why", "files"),
    [
        ("nothing is compiled for sure", {"train": SCRIPT.replace("torch.compile(Net())", "Net()")}),
        ("accepted there", {"net": NET.replace("        print(x)\n        return x * ", "        return x * ").replace(
            ".item()", ".item()  # compilelint: ignore[CL101] small")}),
        ("of low confidence", {"net": NET.replace(": torch.Tensor", "").replace("        print(x)\n", "").replace(
            "x.sum().item()", "self.table[0].item()")}),
    ],
)  # fmt: skip
def test_what_would_not_be_shown_is_not_counted(tmp_path: Path, why: str, files: dict[str, str]) -> None:
    assert elsewhere(tmp_path, "train.py", **files) == {}
    named = CheckOptions(paths=(tmp_path / "net.py",), cache=None, min_confidence=Confidence.LOW)
    there = run_check(named).report
    assert there.suppressed or any(each.function == "Net.forward" for each in there.findings)


def test_who_names_the_model_is_told_nothing_of_its_scripts(tmp_path: Path) -> None:
    script = SCRIPT + "\n\n@torch.compile\ndef step(x: torch.Tensor):\n    print(x)\n    return x\n"
    assert elsewhere(tmp_path, "net.py", train=script) == {}
