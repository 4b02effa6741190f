from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from compilelint.report.formats import Look
from compilelint.report.formats.markdown import MOST_BYTES, render, within
from compilelint.report.model import Budget, Problem, Report
from tests.report.make import finding, observation, report, run

GFM = MarkdownIt("commonmark", {"html": True}).enable("table")


def text(given: Report) -> str:
    return render(given, Look()).text


def rows(markdown: str) -> list[list[str]]:
    """The cells of each row of each table, as HTML."""
    html = GFM.render(markdown)
    return [re.findall(r"<td[^>]*>(.*?)</td>", each) for each in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)]


def test_a_check_tells_its_rules_in_a_table_and_its_files_to_be_unfolded() -> None:
    shown = text(
        report(
            finding(),
            finding(line=13),
            finding(path="a.ipynb", cell=2, line=1, code="CL501", name="counter", effect="recompile", severity="error"),
        )
    )
    assert [cells for cells in rows(shown) if cells] == [
        ["CL501", "counter", "error", "recompile", "1"],
        ["CL101", "tensor-item", "warning", "graph break", "2"],
    ]
    assert "<details><summary><code>src/model.py</code>: 2</summary>\n\n- `12:17` CL101 `x.sum().item()` reads" in shown
    assert "- `cell 2:1:17` CL501 " in shown
    assert shown.startswith("### compilelint check\n\n**Found 3 hazards (")


def test_a_run_tells_its_causes_by_cost_with_seconds_times_and_ranks() -> None:
    shown = text(
        report(
            finding(verdict="refuted"),
            observations=(
                observation(line=20, compile_seconds=3.0, ranks=(0, 1), owner=None, reason="a `b|c` d | e"),
                observation(hits=7),
            ),
            run=run(ranks=(0, 1), budgets=(Budget("max-breaks", 1, 2), Budget("max-compile-seconds", 9, 1.5))),
        )
    )
    assert [cells for cells in rows(shown) if cells] == [
        ["max-breaks", "1", "2", "<strong>broken</strong>"],
        ["max-compile-seconds", "9", "1.5", "kept"],
        [
            "1",
            "<code>src/model.py:20:9</code>",
            "graph break: a <code>b|c</code> d | e",
            "3.0 s",
            "3",
            "0, 1",
            "CL901",
        ],
        [
            "2",
            "<code>src/model.py:12:9</code>",
            "graph break: <code>.item()</code> reads a tensor's value back into Python",
            "0.1 s",
            "7",
            "0",
            "CL901",
        ],
        ["refuted: traced, and nothing of the kind happened", "1"],
    ]
    assert "```python\nscale = x.sum().item()\n```\n\n- ranks: only rank 0 of 2" in shown


def test_a_run_that_proves_nothing_says_so_first() -> None:
    shown = text(report(run=run(compilations=0, compile_calls=0, unreadable=("a *new* event",), budgets=())))
    assert "> [!WARNING]\n> Nothing was compiled: no call of `torch.compile` was seen" in shown
    assert "\n> Not all that Dynamo said could be read: a \\*new\\* event." in shown


def test_what_a_run_does_not_fail_for_is_a_note() -> None:
    shown = text(report(run=run(cut_off=True, notes=("no backward graphs before torch 2.6",))))
    assert "> [!NOTE]\n> The run was cut off: this is what was seen until then.\n> No backward graphs" in shown


def test_errors_are_told() -> None:
    assert "- `b.py:3`: invalid \\<syntax\\>" in text(report(errors=(Problem("b.py", "invalid <syntax>", 3),)))


@pytest.mark.parametrize("given", [report(finding()), report(observations=(observation(),), run=run())])
def test_no_heading_is_larger_than_the_third(given: Report) -> None:
    assert set(re.findall(r"<h\d>", GFM.render(text(given)))) == {"<h3>"}


def test_what_github_does_not_take_is_left_out_the_least_grave_first_and_said() -> None:
    many = [finding(path=f"src/{number:04}.py", message="値" * 100) for number in range(400)]
    rendered = within(64 * 1024, report(*many, finding(path="zzz.py", severity="error")))
    assert len(rendered.text.encode()) <= 64 * 1024
    kept = rendered.text.count("<details>")
    assert 100 < kept < 401
    assert "zzz.py" in rendered.text
    assert rendered.left_out == f"a summary holds 64 KiB: {401 - kept} of 401 are left out"
    assert rendered.text.endswith(f"**… {rendered.left_out}**\n")


def test_a_file_with_more_findings_than_fit_is_shown_in_part() -> None:
    many = [finding(line=line, message="m" * 300) for line in range(1, 1_000)]
    rendered = within(128 * 1024, report(*many))
    assert "src/model.py</code>: 1 to 200 of 999</summary>" in rendered.text
    assert rendered.left_out.endswith(" of 999 are left out")


def test_thirty_thousand_findings_are_less_than_a_mebibyte() -> None:
    many = [finding(path=f"src/{line % 90}.py", line=line) for line in range(1, 30_001)]
    rendered = render(report(*many), Look())
    assert len(rendered.text.encode()) <= MOST_BYTES == 1_048_576
    assert rendered.left_out.startswith("a summary holds 1024 KiB: ")
