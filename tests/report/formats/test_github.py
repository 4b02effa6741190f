from __future__ import annotations

from compilelint.report.formats import Look
from compilelint.report.formats.github import render
from compilelint.report.model import Problem, Report
from tests.report.make import finding, observation, report, run


def lines(given: Report) -> list[str]:
    return render(given, Look()).text.splitlines()


def test_a_finding_is_an_annotation_at_its_place() -> None:
    command, summary = lines(report(finding()))
    assert command == (
        "::warning file=src/model.py,line=12,endLine=12,col=17,endColumn=31,title=CL101 tensor-item"
        "::src/model.py:12:17: CL101 `x.sum().item()` reads a tensor back into Python"
        "%0AKeep the value a tensor (drop `.item()`)."
    )
    assert summary.startswith("Found 1 hazard")


def test_what_a_command_would_be_cut_at_is_escaped() -> None:
    hostile = finding(path="a,b:c%.py", message="50% off::warning::\r\n::error::\x1b[2J", suggestion="", name="x,y:z")
    command, _ = lines(report(hostile))
    assert command == (
        "::warning file=a%2Cb%3Ac%25.py,line=12,endLine=12,col=17,endColumn=31,title=CL101 x%2Cy%3Az"
        r"::a,b:c%25.py:12:17: CL101 50%25 off::warning::\x0d%0A::error::\x1b[2J"
    )


def test_columns_are_left_out_where_it_goes_on_below() -> None:
    command, _ = lines(report(finding(end_line=14)))
    assert "line=12,endLine=14,title=" in command


def test_severities_are_levels() -> None:
    found = [finding(severity=each) for each in ("info", "error", "warning")]
    assert [line.split()[0] for line in lines(report(*found))[:3]] == ["::error", "::warning", "::notice"]


def test_what_github_would_drop_is_in_the_log_and_said() -> None:
    many = [finding(line=line, message=f"m{line} ##[error]") for line in range(1, 14)]
    rendered = render(report(*many, finding(line=99, severity="error")), Look())
    shown = rendered.text.splitlines()
    assert shown[0].startswith("::error ")
    assert sum(line.startswith("::warning ") for line in shown) == 10
    assert shown[11:16] == [
        "::group::3 more alerts, which GitHub does not show as annotations",
        "- src/model.py:11:17: CL101 m11 ## [error]",
        "- src/model.py:12:17: CL101 m12 ## [error]",
        "- src/model.py:13:17: CL101 m13 ## [error]",
        "::endgroup::",
    ]
    assert rendered.left_out == "GitHub shows 10 annotations of each level: 3 more are only in the log"


def test_what_keeps_the_report_from_being_true_is_an_error() -> None:
    shown = lines(
        report(
            errors=(Problem("b.py", "invalid syntax", 3), Problem("a.ipynb", "bad", 2, cell=5)),
            run=run(compilations=0, compile_calls=0),
        )
    )
    assert shown[:4] == [
        "::error file=a.ipynb,title=compilelint could not check this::a.ipynb:cell 5:2: error: bad",
        "::error file=b.py,line=3,title=compilelint could not check this::b.py:3: error: invalid syntax",
        "::error title=compilelint::Nothing was compiled: no call of `torch.compile` was seen "
        "(`compilelint rule CL908`)",
        "::error title=budget max-breaks::budget max-breaks = 0: found 1",
    ]


def test_what_has_no_file_names_none() -> None:
    command, _ = lines(report(finding(path="-")))
    assert command.startswith("::warning title=CL101 tensor-item::-:12:17: CL101")


def test_of_a_run_the_causes_are_told() -> None:
    command, note, summary = lines(report(observations=(observation(),), run=run(budgets=())))
    assert command.startswith("::warning file=src/model.py,line=12,endLine=12,col=9,endColumn=31,title=CL901::")
    assert note == "note: --backend eager instead of inductor"
    assert summary.startswith("Found 1 cause")
