"""action.yml and the files of docs/ci.md, as far as they can be run without the services that they are for."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
FILES: dict[str, str] = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
TRAINS = """\
import sys
import torch
from src.net import f

assert sys.argv[1:] == ["--steps", "20"]
torch.compile(f, backend="eager")(torch.ones(3))
"""
HAZARD = "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return x * x.sum().item()\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a hazard, and a program that comes to it."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "net.py").write_text(HAZARD.replace("@torch.compile\n", ""))
    (folder / "src" / "model.py").write_text(HAZARD)
    (folder / "train.py").write_text(TRAINS)
    (folder / "requirements.txt").write_text("torch\n")
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a job: `compilelint` is this one, `pip` installs nothing and notes what it was asked for."""
    tools = tmp_path / "tools"
    tools.mkdir()
    scripts = {
        "compilelint": f'exec "{sys.executable}" -m compilelint "$@"',
        "pip": f'echo "$@" >> "{tmp_path}/installed"',
        "python": f'if [ "$2" = pip ]; then shift 2; exec pip "$@"; fi; exec "{sys.executable}" "$@"',
    }
    for name, script in scripts.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "RUNNER_TEMP": str(tools),
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "t",
        "GIT_CONFIG_KEY_1": "user.email",
        "GIT_CONFIG_VALUE_1": "t@example.com",
    }


def run(script: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A script as runners run it."""
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


# The action


def evaluated(text: str, inputs: dict[str, str], outputs: dict[str, str]) -> str:
    """An expression of a workflow, of the few kinds that the action has."""

    def value(found: re.Match[str]) -> str:
        name = found[1].strip()
        if name.startswith("inputs."):
            return inputs[name.removeprefix("inputs.")]
        if name == "github.action_path":
            return str(ROOT)
        step = re.fullmatch(r"steps\.(\w+)\.outputs\.exit-code", name)
        assert step is not None, name
        return outputs.get(step[1], "")

    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def act(folder: Path, environment: dict[str, str], **given: str) -> tuple[int, str]:
    """Run the action's own scripts in order, as GitHub would; the exit code and all that was printed."""
    named = {name.replace("_", "-"): value for name, value in given.items()}
    inputs = {name: named.get(name, each["default"]) for name, each in ACTION["inputs"].items()}
    assert named.keys() <= inputs.keys()
    outputs: dict[str, str] = {}
    printed = ""
    for step in ACTION["runs"]["steps"]:
        skipped = {"check": not inputs["check"], "trace": not inputs["trace"]}.get(step["id"], "run" not in step)
        if skipped:
            continue
        variables = {name: evaluated(value, inputs, outputs) for name, value in step["env"].items()}
        Path(environment["GITHUB_OUTPUT"]).write_text("")
        done = run(step["run"], folder, {**environment, **variables})
        printed += done.stdout + done.stderr
        if found := re.search(r"exit-code=(\d+)", Path(environment["GITHUB_OUTPUT"]).read_text()):
            outputs[step["id"]] = found[1]
        if done.returncode:
            return done.returncode, printed
    return 0, printed


def test_the_action_checks_and_reports_in_all_forms(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    code, printed = act(project, environment, check="src")
    assert code == 1, printed
    assert "::warning file=src/model.py,line=6," in printed
    results = project / "compilelint-results"
    assert sorted(file.name for file in results.iterdir()) == ["check.html", "check.json", "check.md", "check.sarif"]
    assert json.loads((results / "check.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "CL101"
    assert "CL101" in (tmp_path / "summary.md").read_text()
    assert str(ROOT) in (tmp_path / "installed").read_text()


def test_the_action_traces(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    code, printed = act(
        project, environment, check="", trace="train.py --steps 20", trace_options="--backend eager --max-breaks 0"
    )
    assert code == 1, printed
    assert "file=src/net.py,line=5," in printed
    assert json.loads((project / "compilelint-results" / "trace.json").read_text())["run"]["budgets"][0]["broken"]
    assert "src/net.py:5" in (tmp_path / "summary.md").read_text()


def test_the_action_passes_where_there_is_nothing(project: Path, environment: dict[str, str]) -> None:
    code, printed = act(project, environment, check="src", check_options="--ignore CL1")
    assert code == 0, printed


def test_what_could_not_be_done_fails_the_action(project: Path, environment: dict[str, str]) -> None:
    code, printed = act(project, environment, check="src", check_options="--select CL999")
    assert code == 2
    assert "no rule is called 'CL999'" in printed


def test_options_that_cannot_be_split_are_told_and_nothing_is_checked_without_them(
    project: Path, environment: dict[str, str]
) -> None:
    code, printed = act(project, environment, check="src", check_options="--ignore 'CL1")
    assert code == 1
    assert "cannot be split into words: No closing quotation" in printed
    assert not (project / "compilelint-results").exists()


def test_text_in_an_input_is_never_run(project: Path, environment: dict[str, str]) -> None:
    act(
        project,
        environment,
        check="src; touch hacked $(touch hacked) `touch hacked`",
        check_options="\"$(touch hacked)\" '); touch hacked; (' $(touch hacked) `touch hacked` \\'; touch hacked",
    )
    assert not (project / "hacked").exists()
    assert [step["id"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")] == []


def test_paths_with_blanks_are_quoted_as_in_a_shell(project: Path, environment: dict[str, str]) -> None:
    (project / "src").rename(project / "my source")
    code, printed = act(project, environment, check="'my source'")
    assert code == 1, printed
    assert "file=my source/model.py" in printed


# The files of docs/ci.md


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("github-actions", "action.yml"),
        ("github-workflows", ".github/workflows/compilelint.yml"),
        ("github-workflows", ".github/workflows/compilelint-plain.yml"),
        ("gitlab-ci", ".gitlab-ci.yml"),
    ],
)
def test_files_are_of_their_form(schema: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / Path(name).name
    file.write_text(FILES.get(name) or (ROOT / name).read_text())
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_gives_the_action_what_it_takes() -> None:
    jobs: dict[str, Any] = yaml.safe_load(FILES[".github/workflows/compilelint.yml"])["jobs"]
    uses = [step for job in jobs.values() for step in job["steps"] if "compilelint@" in step.get("uses", "")]
    assert len(uses) == 2
    for step in uses:
        assert step["with"].keys() <= ACTION["inputs"].keys()


def test_the_plain_workflow_tells_what_is_new(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    steps = yaml.safe_load(FILES[".github/workflows/compilelint-plain.yml"])["jobs"]["check"]["steps"]
    install, check, summary = (step["run"] for step in steps if "run" in step)
    commit = "git add -A && git commit -qm x"
    assert run(commit, project, environment).returncode == 0
    assert (
        run("git update-ref refs/remotes/origin/main HEAD && git switch -qc topic", project, environment).returncode
        == 0
    )
    (project / "src" / "new.py").write_text(HAZARD)
    assert run(commit, project, environment).returncode == 0
    environment["GITHUB_BASE_REF"] = "main"
    assert run(install, project, environment).returncode == 0
    checked = run(check, project, environment)
    assert checked.returncode == 1, checked.stderr
    assert "file=src/new.py,line=6" in checked.stdout
    assert "file=src/model.py" not in checked.stdout
    assert run(summary, project, environment).returncode == 0
    assert "src/new.py" in (tmp_path / "summary.md").read_text()


def test_the_jobs_of_gitlab_leave_what_they_promise(project: Path, environment: dict[str, str]) -> None:
    for job in yaml.safe_load(FILES[".gitlab-ci.yml"]).values():
        done = [run(line, project, environment) for line in job["script"]]
        assert [each.returncode for each in done] == [0] * (len(done) - 1) + [1], done[-1].stderr
        left = [*job["artifacts"]["reports"].values(), *job["artifacts"].get("paths", ())]
        assert [name for name in left if not (project / name).is_file()] == []


def test_the_shell_script_fails_at_the_end_and_keeps_all_reports(project: Path, environment: dict[str, str]) -> None:
    done = run(FILES["compilelint.sh"], project, environment)
    assert done.returncode == 1, done.stderr
    results = project / "compilelint-results"
    assert sorted(file.name for file in results.iterdir()) == ["check.sarif", "check.xml", "trace.html", "trace.json"]
