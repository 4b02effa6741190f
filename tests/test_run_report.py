"""Sessions joined with a check of real files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame
from compilelint.report.views import seen_from
from compilelint.run_options import RunError, RunOptions
from compilelint.run_report import RunResult, read_sessions, run_report
from compilelint.runtime.events import CompileStart, Event, Footer, LinesTraced
from compilelint.runtime.session import Session, to_line
from tests.runtime import make

SOURCE = """\
import torch

@torch.compile
def step(x: torch.Tensor) -> torch.Tensor:
    scale = x.sum().item()
    print("scale")
    y = x.max().item()  # compilelint: ignore[CL101] wanted
    return x * scale * y
"""
PRINT = {
    "gb_type": "Failed to trace builtin operator",
    "gb_id": "GB0059",
    "explanation": "Dynamo does not know how to trace builtin operator `print` with argument types ['str']",
    "context": "builtin print [<class 'ConstantVariable'>] False",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    (tmp_path / "train.py").write_text(SOURCE)
    return tmp_path


def a_break(folder: Path, line: int, **changes: Any) -> Event:
    path = str(folder / "train.py")
    code = StackFrame(path, 3, "step")
    return make.item(code=code, stack=(StackFrame(path, line, "step"),), **changes)


def session(folder: Path, *events: Event, **of_header: Any) -> Session:
    code = StackFrame(str(folder / "train.py"), 3, "step")
    return make.session(*events, make.end(code=code), cwd=str(folder), **of_header)


def traced(folder: Path, first: int, last: int) -> Event:
    return LinesTraced(at=1.0, path=str(folder / "train.py"), ranges=((first, last),))


def findings(result: RunResult) -> dict[int, Finding]:
    return {finding.line: finding for finding in result.report.findings}


def observations(result: RunResult) -> dict[int, Observation]:
    return {each.line: each for each in result.report.observations}


def test_findings_and_observations_are_joined(project: Path) -> None:
    run = session(project, a_break(project, 5), traced(project, 3, 7))
    result = run_report([run], RunOptions())
    assert result.root == project
    assert result.report.run is not None
    assert result.report.run.root == str(project)
    found = findings(result)
    assert (found[5].verdict, found[5].code) == ("confirmed", "CL101")
    assert found[6].verdict == "refuted"
    (item,) = result.report.observations
    assert (item.path, item.finding, item.verdict) == ("train.py", found[5].fingerprint, "confirmed")
    assert item.source_line == "    scale = x.sum().item()"
    assert item.owner == StackFrame("train.py", 5, "step")
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("calls", "only_run", "verdict"),
    [
        ((1, 3), (), "not-reached"),
        ((3, 1), (), "refuted"),
        ((3, 1), (2, 0), "not-reached"),
        ((3, 1), (1, 0), "refuted"),
    ],
)
def test_what_torch_could_compile_once_did_not_recompile_however_often_others_were_called(
    project: Path, calls: tuple[int, int], only_run: tuple[int, ...], verdict: str
) -> None:
    counts = "import torch\n\nSTEP = 0\n\n@torch.compile\ndef step(x):\n    global STEP\n    STEP += 1\n    return x\n"
    (project / "train.py").write_text(counts)
    starts = (
        CompileStart(at=1.0, target=target, call=1, compile_id=f"{target}/0", code=StackFrame(str(path), 6, "step"))
        for target, path in enumerate((project / "train.py", project / "other.py"))
    )
    ended = Footer(ended=9.0, exit_code=0, calls=calls, only_run=only_run)
    run = session(project, *starts, traced(project, 6, 9), footer=ended)
    (counter,) = run_report([run], RunOptions()).report.findings
    assert (counter.code, counter.verdict) == ("CL503", verdict)


def test_a_suppressed_hazard_is_accepted_in_the_run(project: Path) -> None:
    result = run_report([session(project, a_break(project, 7), traced(project, 3, 7))], RunOptions())
    assert observations(result)[7].accepted
    assert 7 not in findings(result), "it is suppressed"
    assert result.exit_code == 0


def test_a_comment_for_one_hazard_does_not_accept_another(project: Path) -> None:
    (project / "train.py").write_text(SOURCE.replace('print("scale")', 'print("scale")  # noqa: CL101'))
    result = run_report([session(project, a_break(project, 6, **PRINT))], RunOptions())
    assert not observations(result)[6].accepted
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "comment", ["compilelint: ignore", "compilelint: ignore[CL201]", "noqa: CL2", "compilelint: ignore[CL901] once"]
)
def test_a_comment_accepts_what_only_the_run_shows(project: Path, comment: str) -> None:
    text = SOURCE.replace('print("scale")', f"quiet(x)  # {comment}")
    (project / "train.py").write_text(text)
    result = run_report([session(project, a_break(project, 6, **PRINT))], RunOptions())
    assert observations(result)[6].accepted
    assert "CL001" not in {finding.code for finding in result.report.findings}, "it does hold something"


def test_a_comment_for_another_kind_of_observation_accepts_nothing(project: Path) -> None:
    text = SOURCE.replace('print("scale")', "quiet(x)  # compilelint: ignore[CL902] not this")
    (project / "train.py").write_text(text)
    result = run_report([session(project, a_break(project, 6, **PRINT))], RunOptions())
    assert not observations(result)[6].accepted


def test_what_happens_in_a_package_was_predicted_by_nobody_unless_it_was_checked(project: Path, tmp_path: Path) -> None:
    package = tmp_path / "lib" / "site-packages" / "layers"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(SOURCE)
    code = StackFrame(str(package / "__init__.py"), 3, "step")
    item = make.item(code=code, stack=(replace(code, line=5),))
    run = make.session(item, make.end(code=code), cwd=str(project))
    (seen,) = run_report([run], RunOptions()).report.observations
    assert (seen.verdict, seen.finding) == (None, None)
    (seen,) = run_report([run], RunOptions(own=(str(package),))).report.observations
    assert seen.verdict == "confirmed"


def test_what_the_checker_was_not_sure_of_counts_if_the_run_shows_it(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.compilelint]\nmin-confidence = "high"\n')
    text = "import torch\n\n@torch.compile\ndef step(x, y):\n    return y.item() + x.item()\n"
    (project / "train.py").write_text(text)
    before = run_report([session(project, traced(project, 3, 4))], RunOptions())
    assert findings(before) == {}
    assert before.report.hidden_low_confidence > 0
    after = run_report([session(project, a_break(project, 5))], RunOptions())
    assert findings(after)[5].verdict == "confirmed"


def test_budgets_come_from_the_configuration_and_the_command_line_is_above_it(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.compilelint.trace]\nmax-breaks = 1\n")
    run = session(project, a_break(project, 5))
    configured = run_report([run], RunOptions())
    assert [(each.name, each.limit) for each in configured.report.run.budgets] == [("max-breaks", 1)]  # type: ignore[union-attr]
    assert configured.exit_code == 0
    assert run_report([run], RunOptions(max_breaks=0)).exit_code == 1
    assert run_report([run], RunOptions(max_breaks=0, exit_zero=True)).exit_code == 0
    assert run_report([run], RunOptions(isolated=True)).exit_code == 1


def test_without_a_project_only_what_lies_beside_the_script_is_checked(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SOURCE)
    (tmp_path / "beside.py").write_text(SOURCE)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "other.py").write_text(SOURCE)
    result = run_report([session(tmp_path, a_break(tmp_path, 5))], RunOptions())
    assert {finding.path for finding in result.report.findings} == {"train.py", "beside.py"}
    assert findings(result)[6].verdict == "not-reached"


def test_a_check_can_be_left_out_or_directed(project: Path) -> None:
    (project / "other.py").write_text(SOURCE)
    run = session(project, a_break(project, 5))
    bare = run_report([run], RunOptions(check=False))
    assert bare.report.findings == ()
    assert bare.report.observations[0].verdict is None
    directed = run_report([run], RunOptions(check_paths=(project / "other.py",)))
    assert {finding.path for finding in directed.report.findings} == {"other.py"}


def test_an_own_package_is_attributed(project: Path) -> None:
    stack = (StackFrame(str(project / "train.py"), 8, "step"), StackFrame(make.LIBRARY, 7, "inner"))
    run = session(project, make.item(stack=stack))
    assert run_report([run], RunOptions()).report.observations[0].owner == StackFrame("train.py", 8, "step")
    owned = run_report([run], RunOptions(own=("lib",), check_paths=(project,)))
    assert owned.report.observations[0].owner == StackFrame(make.LIBRARY, 7, "inner")


def test_runs_and_ranks_are_joined(project: Path) -> None:
    ranks = [
        session(project, a_break(project, 5), rank=0, world_size=2),
        session(project, a_break(project, 5), a_break(project, 6, **PRINT), rank=1, world_size=2),
    ]
    result = run_report(ranks, RunOptions())
    assert observations(result)[5].ranks == (0, 1)
    assert observations(result)[6].ranks == (1,)
    assert result.report.run is not None
    assert result.report.run.ranks == (0, 1)


def test_paths_are_shown_as_they_are_called_from_here(project: Path) -> None:
    result = run_report([session(project, a_break(project, 5))], RunOptions())
    report = seen_from(result.report, result.root, project.parent)
    name = f"{project.name}/train.py"
    assert report.observations[0].path == name
    assert report.observations[0].compiled_by.startswith("/app/train.py:40 "), "it lies outside"
    assert report.findings[0].path == name
    assert report.run is not None
    assert report.run.frames[0].path == name
    assert seen_from(result.report, result.root, project) == result.report


def test_sessions_are_read_from_files_and_directories_once(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    for rank in (0, 1):
        given = session(project, a_break(project, 5), rank=rank)
        assert given.footer is not None
        lines = map(to_line, (given.header, *given.events, given.footer))
        (folder / f"rank-{rank}.jsonl").write_text("".join(lines))
    read = read_sessions([folder, folder / "rank-0.jsonl"])
    assert sorted(each.header.rank or 0 for each in read) == [0, 1]
    assert replace(read[0], path="") == replace(session(project, a_break(project, 5), rank=0), path="")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [("missing.jsonl", None, "no such file"), ("odd.jsonl", "{}\n", "not a session")],
)
def test_what_is_no_session_is_refused(tmp_path: Path, name: str, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(RunError, match=message):
        read_sessions([tmp_path / name])


def test_an_empty_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no session in this directory"):
        read_sessions([tmp_path])


def test_a_mistake_in_the_configuration_is_told(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.compilelint.trace]\nmax-beaks = 1\n")
    with pytest.raises(RunError, match="max-beaks"):
        run_report([session(project)], RunOptions())


def test_a_program_that_is_gone_can_still_be_reported(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    result = run_report([session(gone, a_break(gone, 5))], RunOptions())
    assert observations(result)[5].source_line == ""
    assert result.report.findings == ()


def test_what_one_script_compiles_of_a_package_confirms_nothing_in_another(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    layers = "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n        print(x)\n"
    (packages / "layers.py").write_text(layers + "        return x + 1\n")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    for name in ("train.py", "eval.py"):
        (project / name).write_text("import torch\nfrom layers import Net\n\nmodel = torch.compile(Net())\n")
    code = StackFrame(str(packages / "layers.py"), 4, "Net.forward")
    call = replace(make.CALL, function="Net", code=code, stack=(StackFrame(str(project / "train.py"), 4, "<module>"),))
    run = make.session(make.item(code=code, stack=(replace(code, line=5),)), make.end(code=code), cwd=str(project))
    run = replace(run, events=tuple(call if event is make.CALL else event for event in run.events))
    found = run_report([run], RunOptions(follow=("layers",))).report.findings
    assert {each.path: each.verdict for each in found} == {"train.py": "confirmed", "eval.py": None}
