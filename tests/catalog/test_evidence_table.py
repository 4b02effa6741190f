from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.catalog.evidence_table import evidence_table, version_ranges
from compilelint.catalog.model import Example, Outcome, Rule
from compilelint.catalog.pages import parse_page
from tests.catalog.make import PAGE, PATH

MEASURED = ("2.5.1", "2.6.0", "2.7.1", "2.9.1", "2.13.0")
SOURCE = """\
def f(x):
    a = x.item()  # <- CL101
    b = x.tolist()  # <- CL101
    print(b)  # <- CL201
    c = x | 1  # <- CL101
    return [a, b, c, x.numpy()]  # <- CL101 (fullgraph)
"""
ALL_MODES = ((2, "CL101", None), (3, "CL101", None), (4, "CL201", None), (5, "CL101", None))
HAZARD = Example("all-of-it", True, SOURCE, 1, (*ALL_MODES, (6, "CL101", "fullgraph")))
CLEAN = Example("keep-tensor", False, "def f(x):\n    return x\n", 9)


def rule(**evidence: dict[str, Outcome]) -> Rule:
    """With what was measured of the hazard by default, by version; `v2_9_1` is 2.9.1."""
    of_hazard = {version[1:].replace("_", "."): {**modes} for version, modes in evidence.items()}
    return replace(parse_page(PAGE, PATH), examples=(HAZARD, CLEAN), evidence={"all-of-it": of_hazard})  # type: ignore[dict-item]


def rows(of: Rule) -> list[str]:
    return evidence_table(of).splitlines()


def test_lines_that_went_together_are_one_row_and_others_are_not() -> None:
    table = rows(
        rule(
            v2_5_1={"default": Outcome(True, (2, 3, 4, 5))},
            v2_6_0={"default": Outcome(True, (2, 3, 4))},
            v2_13_0={"default": Outcome(False)},
        )
    )
    assert table == [
        "| | default |",
        "|---|---|",
        "| all of it: `a = x.item()`, `b = x.tolist()` | 2.5-2.6 |",
        "| all of it: `c = x \\| 1` | 2.5 |",
        "| all of it: `return [a, b, c, x.numpy()]` | - |",
    ]


def test_marks_of_another_rule_have_no_row() -> None:
    assert "print" not in evidence_table(rule(v2_5_1={"default": Outcome(True, (4,))}))


def test_a_mark_of_one_mode_holds_in_that_mode_only() -> None:
    shown = Outcome(True, (6,))
    table = rows(rule(v2_5_1={"default": shown, "fullgraph": shown}))
    assert table[0] == "| | default | fullgraph |"
    assert table[-1] == "| all of it: `return [a, b, c, x.numpy()]` | - | 2.5 |"


def test_of_many_lines_the_first_are_shown() -> None:
    marks = tuple((line, "CL101", None) for line in range(1, 7))
    of = replace(
        rule(v2_5_1={"default": Outcome(True, tuple(range(1, 7)))}), examples=(replace(HAZARD, marks=marks), CLEAN)
    )
    assert "`b = x.tolist()` and 3 more | 2.5 |" in rows(of)[-1]


def test_what_could_not_be_measured_is_not_called_fine() -> None:
    table = rows(
        rule(
            v2_5_1={"default": Outcome(True, (2,), unknown=(3,))},
            v2_6_0={"default": Outcome(True, (2, 3))},
        )
    )
    assert "| all of it: `b = x.tolist()` | 2.6 (not known: 2.5) |" in table


def test_a_clean_example_that_is_not_clean_everywhere_is_named() -> None:
    of = rule(v2_13_0={"default": Outcome(True, (2,))})
    clean = {"2.5.1": {"default": Outcome(True)}, "2.13.0": {"default": Outcome(False)}}
    table = evidence_table(replace(of, evidence={**of.evidence, "keep-tensor": clean}))  # type: ignore[dict-item]
    assert table.endswith("\n\nThe clean example “keep tensor” is not clean on torch 2.5.\n")


def test_without_evidence_there_is_no_table() -> None:
    of = rule()
    assert evidence_table(replace(of, evidence={})) == ""


def test_a_long_line_is_cut() -> None:
    source = f"def f(x):\n    return {'x + ' * 40}x.item()  # <- CL101\n"
    example = replace(HAZARD, source=source, marks=((2, "CL101", None),))
    of = replace(rule(v2_5_1={"default": Outcome(True, (2,))}), examples=(example,))
    assert "…`" in rows(of)[-1]
    assert len(rows(of)[-1]) < 80


@pytest.mark.parametrize(
    ("held", "text"),
    [
        ((), ""),
        (("2.6.0",), "2.6"),
        (("2.5.1", "2.6.0", "2.9.1"), "2.5-2.6, 2.9"),
        (("2.5.1", "2.7.1", "2.9.1", "2.13.0"), "2.5, 2.7-2.13"),
        (MEASURED, "2.5-2.13"),
    ],
)
def test_versions_are_told_as_ranges_over_what_was_measured(held: tuple[str, ...], text: str) -> None:
    assert version_ranges(held, MEASURED) == text
