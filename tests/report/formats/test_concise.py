from __future__ import annotations

import re

from compilelint.report.formats import Look
from compilelint.report.formats.concise import render
from compilelint.report.model import Problem
from tests.report.make import finding, observation, report, run


def test_each_finding_is_a_line_and_the_last_line_sums_up() -> None:
    shown = report(
        finding(), finding(path="a.ipynb", cell=3, line=2, column=5), errors=(Problem("b.py", "invalid syntax", 3),)
    )
    assert render(shown, Look()) == (
        "a.ipynb:cell 3:2:5: CL101 `x.sum().item()` reads a tensor back into Python\n"
        "src/model.py:12:17: CL101 `x.sum().item()` reads a tensor back into Python\n"
        "b.py:3: error: invalid syntax\n"
        "Found 2 hazards (2 graph breaks) in 2 of 3 files; 12 functions in compiled regions; 1 error.\n"
    )


def test_a_run_tells_first_what_it_did_then_what_is_accepted_then_what_it_did_not_show() -> None:
    confirmed = finding(verdict="confirmed")
    shown = report(
        confirmed,
        finding(line=3, fingerprint="r", verdict="refuted"),
        finding(line=4, fingerprint="n", verdict=None),
        finding(path="other.py", fingerprint="o", verdict="not-reached"),
        observations=(
            observation(finding=confirmed.fingerprint, verdict="confirmed"),
            observation(line=20, type="compile-error", severity="error", verdict="runtime-only"),
            observation(line=21, accepted=True),
            observation(line=22, severity="info"),
        ),
        run=run(),
    )
    message = "`x.sum().item()` reads a tensor back into Python"
    reason = "`.item()` reads a tensor's value back into Python"
    assert render(shown, Look()).splitlines()[:-1] == [
        f"src/model.py:20:9: CL905 {reason} [not predicted, 3 times, 0.1 s of compiling]",
        f"src/model.py:12:17: CL101 {message} [confirmed, 3 times, 0.1 s of compiling]",
        f"src/model.py:21:9: CL901 {reason} [accepted]",
        f"src/model.py:3:17: CL101 {message} [refuted]",
        f"src/model.py:4:17: CL101 {message} [not shown by a run]",
        "1 more cause inside torch, Python and what they import: nothing of yours to change",
        "1 more hazard in 1 file that this run never came to: `compilelint check` lists them",
    ]


def test_colour_only_adds_codes() -> None:
    shown = report(finding(verdict="refuted"), observations=(observation(),), run=run())
    coloured = render(shown, Look(color=True))
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(shown, Look())


def test_source_and_messages_cannot_send_codes_to_the_terminal() -> None:
    text = render(report(finding(path="a\x1b[2J.py", message="`\x1b[8m`\n\x07")), Look())
    assert all(line.isprintable() for line in text.splitlines())
    assert len(text.splitlines()) == 2
