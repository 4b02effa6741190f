"""Projects on disk, and their analysis with a memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from compilelint.analysis.files import Files
from compilelint.analysis.run import analyze_files
from compilelint.analysis.store import Store
from compilelint.check.survey import files_of, remember, remembered, survey
from compilelint.match.analysis import Analysis, AnalysisSettings, Progress
from compilelint.project.files import SourceFile
from tests.match.make import TARGET, match, rule

RULES = (
    rule(
        match(callee=("torch.Tensor.item",), receiver=frozenset({"tensor"})),
        code="CL101",
        hazard={"default": True, "capture-scalars": False},
    ),
    rule(match(callee=("builtins.print",)), code="CL201"),
)
PROJECT = {
    "layers.py": "import torch\ndef scale(x):\n    return 2 * x\n",
    "net.py": """\
import torch
from layers import scale
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return scale(x).item()
""",
    "other.py": "import torch\n@torch.compile\ndef f(x: torch.Tensor):\n    print(x)\n",
    "broken.py": "import torch\ndef f(:\n",
    "plain.py": "import os\n",
}


def write(folder: Path, files: Mapping[str, str] = PROJECT) -> Path:
    """The files of a project in a folder."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def files(folder: Path, store: Store, packages: Mapping[str, Path] | None = None) -> Files:
    """All Python files of a folder, as a check sees them that follows these packages."""
    found = [SourceFile(path, path.name) for path in sorted(folder.glob("*.py"))]
    known = remembered(store, folder, "tool")
    every = survey(found, {}, known)
    remember(store, folder, "tool", known, every.stamped)
    return files_of(folder, every, survey([], {}, known), packages or {})


def analysis(
    folder: Path,
    store: Store,
    *,
    jobs: int = 1,
    tool: str = "tool",
    target: str = TARGET,
    roots: tuple[str, ...] = (),
    packages: Mapping[str, Path] | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """All files of a folder analysed with a memory."""
    every = files(folder, store, packages)
    settings = AnalysisSettings(roots=roots, target_torch=target)
    checked = frozenset(every.states)
    return analyze_files(every, checked, RULES, settings, store=store, tool=tool, jobs=jobs, progress=progress)


def places(found: Analysis) -> list[str]:
    """`net.py:5 CL101` of each finding, and `broken.py:2` of each problem."""
    problems = [f"{problem.path}:{problem.line}" for problem in found.problems]
    return [f"{each.path}:{each.line} {each.code}" for each in found.findings] + problems
