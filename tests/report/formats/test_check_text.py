from __future__ import annotations

import re
from typing import Any

import pytest

from compilelint.report.confidence import Confidence
from compilelint.report.formats.check_text import render, render_statistics
from compilelint.report.model import LibraryPlace, Problem
from compilelint.report.terminal.cells import width_of
from tests.report.make import finding, report


def test_a_finding_is_shown_whole() -> None:
    shown = finding(
        aggravated_by=("inside a `for` loop",),
        suggestion="Keep the value a tensor (drop `.item()`); log or format it outside the compiled region.",
    )
    assert render(report(shown), width=80) == (
        "src/model.py:12:17: CL101 `x.sum().item()` reads a tensor back into Python\n"
        "   |\n"
        "12 |         scale = x.sum().item()\n"
        "   |                 ^^^^^^^^^^^^^^ warning: graph break, high confidence\n"
        "   = reached: src/model.py:40 torch.compile(Net()) → Net.forward\n"
        "   = worse: inside a `for` loop: Dynamo drops the whole frame\n"
        "   = help: Keep the value a tensor (drop `.item()`); log or format it outside\n"
        "           the compiled region.\n"
        "\n"
        "Found 1 hazard (1 graph break) in 1 of 3 files; 12 functions in compiled regions.\n"
    )


def test_colour_only_adds_codes() -> None:
    full = report(finding(aggravated_by=("inside a `try`",)), errors=(Problem("b.py", "invalid syntax", 3),))
    coloured = render(full, color=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(full)
    coloured_table = render_statistics(full, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured_table) == render_statistics(full)


def test_source_and_messages_cannot_send_codes_to_the_terminal() -> None:
    hostile = finding(
        path="a\x1b[2J.py",
        message="`\x1b[8m`",
        source_line="x = '\x1b[8m'",
        suggestion="\x9b31m",
        reached_from=("\x07",),
    )
    text = render(report(hostile, errors=(Problem("b\x1b.py", "bad\x1b"),)))
    assert all(line.isprintable() for line in text.splitlines())
    assert r"a\x1b[2J.py:12:17:" in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_notes_and_frames_keep_within_the_width(width: int) -> None:
    shown = finding(
        source_line="        scale = " + "x.sum() + " * 30,
        end_column=300,
        reached_from=tuple(f"src/package/module_{number}.py:4 function" for number in range(9)),
        suggestion="Do this instead of that. " * 12,
    )
    _head, *rest = render(report(shown), width=width).split("\n\n")[0].splitlines()
    assert max(map(width_of, rest)) <= width
    assert len(rest) > 5


def test_a_span_over_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    shown = finding(source_line="        y = torch.where(", column=13, end_line=14, end_column=4)
    assert "   |             ^^^^^^^^^^^^ warning" in render(report(shown))


def test_a_long_route_keeps_its_ends() -> None:
    text = render(report(finding(reached_from=tuple("abcdefgh"))))
    assert "= reached: a → b → (3 more) → f → g → h" in text
    assert "= reached: m.py:4 Net.forward → g\n" in render(
        report(finding(reached_from=("m.py:4 Net.forward", "Net.forward", "g")))
    )
    assert "= reached: a → b → c → d → e → f\n" in render(report(finding(reached_from=tuple("abcdef"))))


def test_further_places_in_a_package_are_listed_the_first_few() -> None:
    places = tuple(LibraryPlace(f"lib/m{number}.py", number, number, "f") for number in range(1, 8))
    assert "= also: lib/m2.py:2, lib/m3.py:3\n" in render(report(finding(library=places[:3])))
    assert "lib/m5.py:5, 2 more\n" in render(report(finding(library=places)), width=120)
    assert "also" not in render(report(finding(library=places[:1])))


@pytest.mark.parametrize("effect", ["recompile", "compile-error", "slow-start", "wrong-result", "not-compiled"])
def test_only_a_graph_break_is_made_worse_by_a_loop(effect: str) -> None:
    assert "worse" not in render(report(finding(effect=effect, aggravated_by=("inside a `for` loop",))))


def test_a_finding_without_source_names_its_effect_all_the_same() -> None:
    text = render(report(finding(source_line="", confidence=Confidence.MEDIUM)))
    assert "= effect: warning: graph break, medium confidence" in text
    assert "^" not in text


def test_errors_stand_with_path_and_line() -> None:
    errors = (Problem("c.py", "permission denied"), Problem("b.py", "invalid syntax", 3))
    text = render(report(errors=errors))
    assert text.startswith("b.py:3: error: invalid syntax\nc.py: error: permission denied\n\n")
    assert text.endswith("; 2 errors.\n")


@pytest.mark.parametrize(
    ("changes", "summary"),
    [
        ({}, "No hazards found: 3 files, 12 functions in compiled regions."),
        (
            {"files": 1, "functions_in_regions": 1},
            "No hazards found: 1 file, 1 function in compiled regions.",
        ),
        (
            {"functions_in_regions": 0},
            "No hazards found: nothing that 3 files define is compiled; name roots with --root FILE.py::FUNCTION, "
            "and a package whose model is compiled with --follow PACKAGE.",
        ),
        (
            {"files": 1, "functions_in_regions": 0},
            "No hazards found: nothing that 1 file defines is compiled; name roots with --root FILE.py::FUNCTION, "
            "and a package whose model is compiled with --follow PACKAGE.",
        ),
        (
            {"files": 1, "functions_in_regions": 0, "followed": ("transformers",)},
            "No hazards found: nothing that 1 file defines is compiled, and no model of transformers is seen to be; "
            "name roots with --root FILE.py::FUNCTION, or let a run tell: `compilelint trace PROGRAM.py`.",
        ),
        ({"files": 0, "functions_in_regions": 0}, "Nothing was checked."),
        (
            {"hidden_low_confidence": 5, "suppressed": 2},
            "No hazards found: 3 files, 12 functions in compiled regions; "
            "5 more of low confidence (--min-confidence low); 2 suppressed.",
        ),
    ],
)
def test_the_summary_of_a_clean_run_says_what_was_looked_at(changes: dict[str, Any], summary: str) -> None:
    assert render(report(**changes)) == f"{summary}\n"


def test_the_summary_counts_by_effect_and_files_with_hazards() -> None:
    findings = [
        finding(line=1),
        finding(line=2, effect="recompile"),
        finding(line=3, effect="recompile"),
        finding(line=4, effect="not-compiled", path="src/b.py"),
    ]
    last = render(report(*findings)).splitlines()[-1]
    assert last.startswith("Found 4 hazards (2 recompiles, 1 graph break, 1 not compiled) in 2 of 3 files; ")


def test_output_does_not_depend_on_the_order_of_arrival() -> None:
    one, two = finding(line=3), finding(line=9, effect="recompile")
    assert render(report(one, two)) == render(report(two, one))


def test_statistics_list_rules_by_frequency_and_no_place() -> None:
    often = [finding(line=line, code="CL501", name="step-counter", effect="recompile") for line in range(1, 12)]
    text = render_statistics(report(finding(), *often))
    assert text.splitlines()[:2] == [
        "11  CL501  step-counter  recompile",
        " 1  CL101  tensor-item   graph break",
    ]
    assert "src/model.py" not in text


def test_statistics_of_a_clean_run_are_the_summary_alone() -> None:
    assert render_statistics(report()) == render(report())


def test_a_suppression_comment_to_mend_is_no_hazard() -> None:
    unused = finding(
        code="CL001",
        name="unused-suppression",
        effect="none",
        severity="info",
        message="nothing to suppress here for `CL101`",
        source_line="y = x.item2()  # compilelint: ignore[CL101]",
        column=16,
        end_column=44,
        reached_from=(),
        suggestion="Remove the comment.",
    )
    alone = render(report(unused))
    assert "^^^ info: suppression comment\n" in alone
    assert alone.splitlines()[-1] == (
        "No hazards found: 3 files, 12 functions in compiled regions; 1 suppression comment to mend."
    )
    assert "Found 1 hazard (1 graph break) in 1 of 3 files" in render(report(unused, finding()))
    assert "1  CL001  unused-suppression  suppression comment" in render_statistics(report(unused))
