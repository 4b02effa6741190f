"""Comments that accept hazards: where they hold, what they mean, which are complained about."""

from __future__ import annotations

import textwrap

import pytest

from compilelint.project.suppressions import complaints, matches, read_suppressions, suppress
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding

RULES = {
    "CL001": "unused-suppression",
    "CL101": "tensor-item",
    "CL102": "tensor-branch",
    "CL201": "print-call",
}


def _finding(line: int, code: str = "CL101", end_line: int | None = None) -> Finding:
    return Finding(
        code=code,
        name=RULES[code],
        effect="graph-break",
        severity="warning",
        confidence=Confidence.HIGH,
        path="m.py",
        line=line,
        column=1,
        end_line=end_line or line,
        end_column=2,
        function="f",
        message="",
        suggestion="",
        gb_ids=(),
        reached_from=(),
        aggravated_by=(),
        source_line="",
        fingerprint="",
    )


def _kept(source: str, *findings: Finding) -> list[tuple[int, str]]:
    result = suppress(findings, read_suppressions(textwrap.dedent(source)))
    return [(each.line, each.code) for each in result.kept]


def _complaints(source: str, *findings: Finding, active: dict[str, str] = RULES) -> list[tuple[int, str]]:
    comments = read_suppressions(textwrap.dedent(source))
    used = suppress(findings, comments).used
    return [(each.line, each.message) for each in complaints("m.py", comments, used, RULES, active)]


@pytest.mark.parametrize(
    "comment",
    [
        "# compilelint: ignore[CL101] read once per epoch",
        "#compilelint:ignore[CL101]",
        "# compilelint: ignore[CL201, CL101]",
        "# compilelint: ignore[CL1]",
        "# compilelint: ignore[cl101]",
        "# compilelint: ignore[tensor-item]",
        "# compilelint: ignore[ALL]",
        "# compilelint: ignore",
        "# type: ignore[attr]  # compilelint: ignore[CL101]",
        "# noqa: CL101",
        "# NOQA:cl101",
        "# noqa: E501, CL101",
        "# noqa: E501 CL1",
        "# noqa",
        "# noqa  # because",
        "# type: ignore # noqa: CL101",
    ],
)
def test_suppresses(comment: str) -> None:
    assert _kept(f"y = x.item()  {comment}\n", _finding(1)) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("y = x.item()  # compilelint: ignore[CL102]", "another rule"),
        ("y = x.item()  # compilelint: ignore[print-call]", "another rule's name"),
        ("y = x.item()  # noqa: E501", "another tool's code"),
        ("y = x.item()  # noqa: this is explained", "no code at all"),
        ("y = x.item()  # noqa-like", "another word"),
        ("y = x.item()  # ruff: noqa", "another tool's directive"),
        ("y = x.item()  # see compilelint: ignore[CL101]", "prose"),
        ("y = x.item()  # write `# compilelint: ignore[CL101]`", "prose about the comment"),
        ("y = x.item('# compilelint: ignore[CL101]')", "a string"),
        ("y = x.item()  # compilelint: ignore[CL101", "never closed"),
        ("y = x.item()  # compilelint: ignore[]", "nothing between the brackets"),
        ("y = x.item()  # compilelint: disable[CL101]", "no directive of ours"),
        ("y = x.item()  # compilelint: ignore-file[CL101]", "not at the top"),
    ],
)
def test_does_not_suppress(line: str, why: str) -> None:
    assert _kept(line + "\n", _finding(1)) == [(1, "CL101")], why


def test_a_string_over_several_lines_holds_no_comment() -> None:
    source = '''\
    s = """
    # noqa
    # compilelint: ignore[CL101]
    """
    y = x.item()
    '''
    assert read_suppressions(textwrap.dedent(source)) == ()


STATEMENT = """\
before = 1
y = call(  {first}
    x.item(),  {own}
    x.other(),  {other}
)  {last}
after = 1
"""


@pytest.mark.parametrize("place", ["first", "own", "last"])
def test_holds_on_the_first_the_last_and_the_own_line_of_a_statement(place: str) -> None:
    places = dict.fromkeys(("first", "own", "other", "last"), "")
    source = STATEMENT.format(**places | {place: "# noqa: CL101"})
    assert _kept(source, _finding(3)) == []


def test_does_not_hold_on_another_line_within_a_statement() -> None:
    source = STATEMENT.format(first="", own="", other="# noqa: CL101", last="")
    assert _kept(source, _finding(3)) == [(3, "CL101")]


def test_holds_on_the_last_line_of_a_finding_within_a_longer_statement() -> None:
    source = "f(\n  g(\n    x.item()\n  ),  # noqa: CL101\n  h,\n)\n"
    assert _kept(source, _finding(2, end_line=4)) == []


def test_a_comment_on_a_header_does_not_hold_for_the_body() -> None:
    source = """\
    if x.sum() > 0:  # compilelint: ignore[CL102]
        y = x.item()
    """
    assert _kept(source, _finding(1, "CL102"), _finding(2, "CL101"), _finding(2, "CL102")) == [
        (2, "CL101"),
        (2, "CL102"),
    ]


def test_a_comment_alone_on_its_line_does_not_hold_for_the_next() -> None:
    assert _kept("# compilelint: ignore[CL101]\ny = x.item()\n", _finding(2)) == [(2, "CL101")]


@pytest.mark.parametrize(
    "top",
    [
        "# compilelint: ignore-file[CL101] generated\n",
        "#!/usr/bin/env python\n# License.\n\n# compilelint: ignore-file[CL101]\n",
        '"""What it is."""\n\n# compilelint: ignore-file[CL101]\n',
        '"""What it is."""  # compilelint: ignore-file[CL101]\n',
        "# compilelint: ignore-file\n",
    ],
)
def test_a_whole_file(top: str) -> None:
    assert _kept(top + "import torch\n" * 40, _finding(45), _finding(45, "CL101")) == []


def test_a_whole_file_but_only_of_one_rule() -> None:
    source = "# compilelint: ignore-file[CL101]\nimport torch\n"
    assert _kept(source, _finding(2), _finding(2, "CL201")) == [(2, "CL201")]


def test_a_text_that_is_no_python_keeps_its_comments() -> None:
    assert _kept("def f(:\n  y = (x.item()  # compilelint: ignore[CL101]\n", _finding(2)) == []


def test_wide_characters_and_form_feeds_do_not_shift_lines() -> None:
    source = "s = '漢字\x0c\x1c'\n\x0cy = x.item()  # noqa: CL101\n"
    assert _kept(source, _finding(2)) == []


def test_a_comment_in_use_is_fine() -> None:
    assert _complaints("y = x.item()  # compilelint: ignore[CL101]\n", _finding(1)) == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("y = 1  # compilelint: ignore[CL101]\n", "nothing to suppress here for `CL101`"),
        (
            "y = 1  # compilelint: ignore[tensor-item, CL2]\n",
            "nothing to suppress here for `tensor-item`, `CL2`",
        ),
        ("y = 1  # compilelint: ignore\n", "nothing to suppress here for `ALL`"),
        ("# compilelint: ignore-file[CL2]\n", "nothing to suppress here for `CL2`"),
        ("y = 1  # compilelint: ignore[CL111]\n", "no rule is called `CL111`; did you mean 'CL101'?"),
        (
            "y = 1  # compilelint: ignore[tensor-itm]\n",
            "no rule is called `tensor-itm`; did you mean 'tensor-item'?",
        ),
        ("y = 1  # compilelint: ingore[CL101]\n", "`ingore` is no directive; did you mean 'ignore'?"),
        ("y = 1  # compilelint: ignore[CL101\n", "the `[` is never closed"),
        ("y = 1  # compilelint: ignore[ ]\n", "no rule between the brackets"),
        (
            "y = 1  # compilelint: ignore-file[CL101]\n",
            "`ignore-file` has an effect only before the first statement of the file",
        ),
    ],
)
def test_complains(source: str, message: str) -> None:
    assert _complaints(source) == [(1, message)]


def test_complains_only_about_the_part_that_holds_nothing() -> None:
    source = "y = x.item()  # compilelint: ignore[CL101, CL201]\n"
    assert _complaints(source, _finding(1)) == [(1, "nothing to suppress here for `CL201`")]


def test_does_not_complain_about_noqa_because_it_is_shared_with_other_tools() -> None:
    assert _complaints("y = 1  # noqa: CL101\nz = 1  # noqa\n") == []


def test_does_not_complain_about_a_rule_that_was_not_looked_for() -> None:
    assert _complaints("y = 1  # compilelint: ignore[CL101]\n", active={"CL201": "print-call"}) == []


def test_does_not_complain_where_complaints_are_suppressed() -> None:
    assert _complaints("y = 1  # compilelint: ignore[CL101, CL001] only on old torch\n") == []


def test_a_complaint_points_at_the_comment() -> None:
    comments = read_suppressions("y = 1  # why  # compilelint: ignore[CL101] old\n")
    (found,) = complaints("m.py", comments, frozenset(), RULES, RULES)
    assert (found.code, found.severity, found.line, found.source_line) == (
        "CL001",
        "info",
        1,
        "y = 1  # why  # compilelint: ignore[CL101] old",
    )
    pointed = found.source_line[found.column - 1 : found.end_column - 1]
    assert pointed == "# compilelint: ignore[CL101]"


def test_codes_match_by_their_beginning_and_names_only_whole() -> None:
    assert matches("CL1", "CL101", "tensor-item")
    assert matches("tensor-item", "CL101", "tensor-item")
    assert not matches("tensor", "CL101", "tensor-item")
    assert not matches("C", "CL101", "tensor-item")
    assert not matches("CL1011", "CL101", "tensor-item")


def test_a_projects_own_codes_match_whole() -> None:
    assert matches("ACME101", "ACME101", "no-reads")
    assert matches("acme101", "ACME101", "no-reads")
    assert not matches("ACME1", "ACME101", "no-reads")
