"""`check --follow`: a package of the project's environment, from the command line to the report, and in a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LIBRARY = """\
import torch


class Layer(torch.nn.Module):
    def __init__(self, debug=False):
        super().__init__()
        self.debug = debug

    def forward(self, x: torch.Tensor):
        if self.debug:
            print(x)
        return x * x.sum().item()
"""
MODEL = """\
import torch
from layers import Layer


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, x):
        return self.layer(x) + 1


if __name__ == "__main__":
    torch.compile(Net(), backend="eager")(torch.ones(3))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with an environment in which a package is installed that it uses."""
    site = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
    (site / "layers").mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = /nowhere\n")
    (site / "layers" / "__init__.py").write_text("from .layer import *\n")
    (site / "layers" / "layer.py").write_text(LIBRARY)
    (tmp_path / "pyproject.toml").write_text('[tool.compilelint]\nfollow = ["layers"]\n')
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    site = project / ".venv" / "lib" / "python3.11" / "site-packages"
    return subprocess.run(
        [sys.executable, "-m", "compilelint", *arguments],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        env={**environment, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), str(site)])},
    )


def findings(project: Path, *arguments: str) -> list[dict[str, Any]]:
    done = run(project, "check", "-o", "json", *arguments)
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return found


def test_a_hazard_in_the_package_is_told_at_the_user_s_line(project: Path) -> None:
    (found,) = findings(project, ".")
    assert (found["code"], found["path"], found["line"]) == ("CL101", "model.py", 11)
    assert found["library"] == [{"path": "layers/layer.py", "line": 12, "end_line": 12, "function": "Layer.forward"}]
    assert found["reached_from"][-1] == "Layer.forward"
    assert findings(project, "--isolated", ".") == []
    assert findings(project, "--isolated", "--follow", "layers", "--python", ".venv", ".") == [found]


def test_a_comment_on_the_user_s_line_accepts_it(project: Path) -> None:
    accepted = MODEL.replace("self.layer(x) + 1", "self.layer(x) + 1  # compilelint: ignore[CL101] known")
    (project / "model.py").write_text(accepted)
    assert findings(project, ".") == []


def test_a_package_that_is_not_there_is_an_error(project: Path) -> None:
    done = run(project, "check", "--follow", "layer", ".")
    assert done.returncode == 2
    assert "follow: layer is not installed in" in done.stderr
    assert ".venv" in done.stderr
    assert "did you mean 'layers'?" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("follow", [(), ("--isolated", "--follow", "layers")])
def test_a_run_confirms_it(project: Path, follow: tuple[str, ...]) -> None:
    done = run(project, "trace", *follow, "--output", "json=run.json", "model.py")
    assert done.returncode == 1, done.stderr
    report = json.loads((project / "run.json").read_text())
    assert [(each["line"], each["verdict"]) for each in report["findings"]] == [(11, "confirmed")]
    (seen,) = report["observations"]
    assert seen["path"].endswith("layers/layer.py")
    assert seen["finding"] == report["findings"][0]["fingerprint"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "breaks"),
    [
        ("self.layer", [("layer.py", 12), ("layer.py", 13)]),
        ("self.off", [("model.py", 15)]),
    ],
)
def test_what_is_called_under_disable_leaves_one_break_at_the_user_s_line(
    project: Path, call: str, breaks: list[tuple[str, int]]
) -> None:
    twice = LIBRARY.replace("return x *", "x = x * x.max().item()\n        return x *")
    (project / ".venv/lib/python3.11/site-packages/layers/layer.py").write_text(twice)
    off = "    @torch.compiler.disable\n    def off(self, x):\n        return self.layer(x)\n\n"
    model = MODEL.replace("return self.layer(x) + 1", f"return {call}(x) + 1")
    (project / "model.py").write_text(model.replace("    def forward", f"{off}    def forward"))
    run(project, "trace", "--no-check", "--output", "json=run.json", "model.py")
    seen = json.loads((project / "run.json").read_text())["observations"]
    assert sorted((Path(each["path"]).name, each["line"]) for each in seen) == breaks


def test_lightning_calls_the_steps_of_a_module_whether_it_is_followed_or_not(project: Path) -> None:
    package = project / ".venv" / "lib" / "python3.11" / "site-packages" / "lightning"
    package.mkdir()
    (package / "__init__.py").write_text("from lightning.core import LightningModule\n")
    (package / "core.py").write_text("import torch\n\n\nclass LightningModule(torch.nn.Module): ...\n")
    net = "class Net(lightning.LightningModule):\n    def training_step(self, x, i):\n        print(x)\n"
    (project / "model.py").write_text(f"import lightning\n\n\n{net}")
    for options in ([], ["--follow", "lightning"]):
        shown = run(project, "check", "-o", "concise", "model.py", *options)
        assert shown.stdout.startswith("model.py:6:9: CL201 "), options
