"""The hooks, run by the real pre-commit in another repository, with the configuration of the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import compilelint

REPOSITORY = Path(compilelint.__file__).parents[1]

pytestmark = pytest.mark.slow

HAZARD = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * x.sum().item()
"""


def _run(*command: str, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("home")
    git_config = folder / "gitconfig"
    git_config.write_text("[user]\nname = t\nemail = t@example.com\n[safe]\ndirectory = *\n")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON"))}
    return {
        **inherited,
        "PRE_COMMIT_HOME": str(folder / "pre-commit"),
        "GIT_CONFIG_GLOBAL": str(git_config),
        "COLUMNS": "200",
    }


def _configuration(*hooks: str) -> str:
    """That of the README; the address of this repository, and its commit, are filled in."""
    page = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml \.pre-commit-config\.yaml\n(.*?)```", page, re.DOTALL)
    assert "https://example.org/compilelint" in block
    assert "rev: main" in block
    here = block.replace("https://example.org/compilelint", str(REPOSITORY))
    return re.sub(r"- id: compilelint\b.*", "\n      ".join(f"- id: {hook}" for hook in hooks), here)


@pytest.fixture
def scratch(tmp_path: Path, environment: dict[str, str]) -> Path:
    head = _run("git", "rev-parse", "HEAD", cwd=REPOSITORY, env=environment)
    if head.returncode:
        pytest.skip("not a git checkout")
    configuration = _configuration("compilelint").replace("rev: main", f"rev: {head.stdout.strip()}")
    (tmp_path / ".pre-commit-config.yaml").write_text(configuration)
    (tmp_path / "pyproject.toml").write_text('[tool.compilelint]\nextend-exclude = ["vendored"]\n')
    _run("git", "init", "-q", cwd=tmp_path, env=environment)
    return tmp_path


def _hook(folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    _run("git", "add", "-A", cwd=folder, env=environment)
    return _run(sys.executable, "-m", "pre_commit", "run", cwd=folder, env=environment)


def test_the_hook_stops_a_hazard_and_lets_the_rest_pass(scratch: Path, environment: dict[str, str]) -> None:
    (scratch / "clean.py").write_text("import torch\n\n\n@torch.compile\ndef f(x):\n    return x + 1\n")
    (scratch / "vendored").mkdir()
    (scratch / "vendored/net.py").write_text(HAZARD)
    passed = _hook(scratch, environment)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "Passed" in passed.stdout

    (scratch / "net.py").write_text(HAZARD)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(HAZARD)])
    nbformat.write(notebook, scratch / "net.ipynb")
    failed = _hook(scratch, environment)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "net.py:6:20: CL101" in failed.stdout
    assert "net.ipynb:cell 1:6:20: CL101" in failed.stdout
    assert "vendored" not in failed.stdout
    assert "Traceback" not in failed.stdout

    installed = {path.name for path in Path(environment["PRE_COMMIT_HOME"]).rglob("site-packages/*")}
    assert "compilelint" in installed
    assert not installed & {"torch", "numpy", "libcst"}


def test_the_hook_of_the_whole_project_sees_what_a_commit_breaks_elsewhere(
    scratch: Path, environment: dict[str, str]
) -> None:
    (scratch / "layers.py").write_text("def scale(x):\n    return (x * 2).tolist()\n")
    assert _hook(scratch, environment).returncode == 0, "nobody compiles it"
    _run("git", "commit", "-qnm", "x", cwd=scratch, env=environment)
    calls = HAZARD.replace("x * x.sum().item()", "layers.scale(x)").replace("import torch", "import torch, layers")
    (scratch / "net.py").write_text(calls)
    assert _hook(scratch, environment).returncode == 0, "layers.py is not in the commit"

    configuration = (scratch / ".pre-commit-config.yaml").read_text()
    (scratch / ".pre-commit-config.yaml").write_text(configuration.replace("id: compilelint", "id: compilelint-all"))
    failed = _hook(scratch, environment)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "layers.py:2:12: CL102" in failed.stdout
