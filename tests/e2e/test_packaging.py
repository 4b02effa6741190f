"""What users install works: from a wheel, from a source checkout, and with nothing imported too early."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import compilelint

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = sorted(page.name for page in (ROOT / "rules").glob("*.md"))


def _run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


class Environment:
    """A fresh virtual environment that sees this one's libraries, but not this one's compilelint."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        [site] = folder.glob("[Ll]ib/**/site-packages")
        (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")

    def install(self, *what: str | Path) -> None:
        options = ["--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed", "--quiet"]
        pip = [sys.executable, "-m", "pip", "--python", self.scripts / "python", "install", *options]
        done = _run(*pip, *what, cwd=self.folder)
        assert done.returncode == 0, done.stderr

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return _run(self.scripts / program, *arguments, cwd=self.folder)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--quiet"]
    built = _run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, ROOT, cwd=folder)
    assert built.returncode == 0, built.stderr
    [found] = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def from_wheel(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("from-wheel"))
    environment.install(wheel)
    return environment


@pytest.fixture(scope="module")
def editable(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("editable"))
    environment.install("--editable", ROOT)
    return environment


@pytest.fixture(params=["wheel", "editable"])
def environment(request: pytest.FixtureRequest) -> Environment:
    fixtures: dict[str, str] = {"wheel": "from_wheel", "editable": "editable"}
    found: Environment = request.getfixturevalue(fixtures[request.param])
    return found


def test_the_wheel_holds_the_rules_the_licence_and_the_type_marker(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert sorted(Path(name).name for name in names if name.startswith("compilelint/_rules/CL")) == PAGES
    assert "compilelint/_rules/evidence.json" in names
    assert "compilelint/py.typed" in names
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    assert not [name for name in names if not name.startswith(("compilelint/", "compilelint-"))]


def test_the_wheel_holds_the_whole_package(wheel: Path) -> None:
    # Whatever git ignores hatchling leaves out, also files that are in git.
    here = {path.relative_to(ROOT).as_posix() for path in (ROOT / "compilelint").rglob("*") if path.is_file()}
    assert {name for name in here if "__pycache__" not in name} - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_a_wheel_runs_from_its_own_files(from_wheel: Environment) -> None:
    shown = from_wheel.run("python", "-c", "import compilelint; print(compilelint.__file__)")
    assert Path(shown.stdout.strip()).is_relative_to(from_wheel.folder)


def test_an_editable_install_runs_from_the_checkout(editable: Environment) -> None:
    shown = editable.run("python", "-c", "import compilelint; print(compilelint.__file__)")
    assert Path(shown.stdout.strip()).is_relative_to(ROOT)


def test_every_rule_is_listed(environment: Environment) -> None:
    listed = environment.run("compilelint", "rule", "--list")
    assert listed.returncode == 0, listed.stderr
    assert PAGES
    assert [page for page in PAGES if page.split("-")[0] not in listed.stdout] == []


def test_a_file_is_checked(environment: Environment) -> None:
    source = "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return x * x.sum().item()\n"
    (environment.folder / "model.py").write_text(source, encoding="utf-8")
    checked = environment.run("compilelint", "check", "model.py")
    assert checked.returncode == 1, checked.stderr
    assert checked.stdout.startswith("model.py:6:16: CL101 ")


def test_a_run_is_traced(environment: Environment) -> None:
    source = (
        "import torch\n\n@torch.compile(backend='eager')\ndef f(x):\n    print()\n    return x\n\nf(torch.ones(1))\n"
    )
    (environment.folder / "program.py").write_text(source, encoding="utf-8")
    traced = environment.run("compilelint", "trace", "program.py")
    assert traced.returncode == 1, traced.stderr
    assert "program.py:5: graph break" in traced.stdout


def test_a_page_for_a_browser_is_made_of_what_is_installed(environment: Environment) -> None:
    (environment.folder / "model.py").write_text("x = 1\n", encoding="utf-8")
    made = environment.run("compilelint", "check", "-o", "html", "model.py")
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("<!doctype html>")
    assert "prefers-color-scheme" in made.stdout


def test_a_page_of_a_project_is_begun_tested_and_takes_effect(environment: Environment) -> None:
    (environment.folder / "pyproject.toml").write_text('[tool.compilelint]\nextra-rules = ["lint/*.md"]\n')
    (environment.folder / "broken.py").write_text(
        "import torch\n\n\n@torch.compile\ndef f(x):\n    torch._dynamo.graph_break()\n    return x\n"
    )
    begun = environment.run("compilelint", "rule", "--new", "ACME1", "my-hazard")
    assert begun.returncode == 0, begun.stderr
    page = str(Path("lint", "ACME101-my-hazard.md"))
    before = environment.run("compilelint", "check", "broken.py")
    assert "ACME101 finds nothing" in before.stderr
    tested = environment.run("compilelint", "rule", "--test", page, "--write-evidence")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "Dynamo: default, fullgraph, capture-scalars, capture-shapes; checker: ACME101, CL321" in tested.stdout
    after = environment.run("compilelint", "check", "broken.py")
    assert (after.returncode, after.stderr) == (1, "")
    assert "broken.py:6:5: ACME101 `torch._dynamo.graph_break()`" in after.stdout
    contradicted = (environment.folder / page).read_text().replace("torch._dynamo.graph_break()  #", "x.sum()  #")
    (environment.folder / page).write_text(contradicted)
    refuted = environment.run("compilelint", "rule", "--test", page)
    assert refuted.returncode == 1, refuted.stdout + refuted.stderr
    assert "marked, but graph-break was not seen" in refuted.stdout


def test_the_version_is_the_package_s(environment: Environment) -> None:
    shown = environment.run("compilelint", "--version")
    assert compilelint.__version__ in shown.stdout
    metadata = environment.run("python", "-c", "import importlib.metadata as m; print(m.version('compilelint'))")
    assert metadata.stdout.strip() == compilelint.__version__


def test_it_runs_as_a_module(environment: Environment) -> None:
    assert environment.run("python", "-m", "compilelint", "--help").returncode == 0
