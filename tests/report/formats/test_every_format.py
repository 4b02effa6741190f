"""Each format with each kind of report: what it makes is whole, whatever the report holds."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from markdown_it import MarkdownIt

from compilelint.report.confidence import Confidence
from compilelint.report.formats import FORMATS, Look, Rendered, format_of
from compilelint.report.model import LibraryPlace, Problem, Report, RulePage
from compilelint.report.stack import StackFrame
from tests.report.formats.schemas import GITLAB, junit_schema, sarif_schema
from tests.report.make import RUN, finding, observation, report, run

HOSTILE = (
    "値🙂 e\u0301 \x00\x1b[2J\x9b \u202e ]]> </script><img onerror=x> | `a|b` ``c` @me #1 %0A ::error::\r\n [x](1)"
)
NOTEBOOK = json.dumps({"cells": [{"source": ["a\n", "x.item()"]}]}, indent=1)
EVERYTHING = report(
    finding(),
    finding(line=13, end_line=15, severity="error", verdict="refuted"),
    finding(message=HOSTILE, suggestion=HOSTILE, source_line=HOSTILE, function=HOSTILE, path=f"src/{HOSTILE}.py"),
    finding(code="CL999", effect="none", confidence=Confidence.LOW, severity="info", path="-", fingerprint="c"),
    finding(path="a.ipynb", cell=1, line=2, end_line=2, fingerprint="n"),
    finding(
        library=(LibraryPlace("lib/値.py", 7, 8, "f"),) * 9, reached_from=("値.py:1 f", "g"), aggravated_by=("a `try`",)
    ),
    errors=(Problem("b\x01.py", f"bad {HOSTILE}", 3), Problem("c.py", "gone"), Problem("a.ipynb", "bad", 2, cell=9)),
    rules=(RulePage("CL101", "tensor-item", "graph-break", "warning", HOSTILE, HOSTILE),),
    texts={"a.ipynb": NOTEBOOK, "src/model.py": "\n" * 11 + "        scale = x.sum().item()\n"},
    hidden_low_confidence=3,
    suppressed=2,
)
LIBRARY = "/env/lib/python3.11/site-packages/lib/code.py"
REPORTS: dict[str, Report] = {
    "empty check": report(files=0, functions_in_regions=0),
    "check": EVERYTHING,
    "run": replace(
        EVERYTHING,
        findings=tuple(replace(each, verdict="not-reached") for each in EVERYTHING.findings),
        observations=(
            observation(finding="0123456789abcdef", verdict="confirmed"),
            observation(line=20, reason=HOSTILE, title=HOSTILE, context=HOSTILE, source_line=HOSTILE, function=HOSTILE),
            observation(
                path=LIBRARY, line=5, type="recompile", variable="x", owner=StackFrame("src/model.py", 12, "f")
            ),
            observation(path="<unknown>", line=1, function="", stack=(), owner=None, frame=None, type="compile-error"),
            observation(path="a.py", accepted=True),
            observation(path=LIBRARY, line=7, severity="info", owner=None),
            observation(path="b.py", type="recompile-limit", severity="error", ranks=(1,)),
        ),
        run=run(ranks=(0, 1), cut_off=True, unreadable=(HOSTILE,), program=HOSTILE),
    ),
    "run with nothing compiled": report(
        run=run(compilations=0, compile_calls=0, compiled_frames=0, first_result_seconds=None, frames=(), budgets=())
    ),
    "run that broke nothing": report(run=RUN),
}


def _xml(text: str) -> None:
    junit_schema().validate(text)


def _json_lines(text: str) -> None:
    assert all("type" in json.loads(line) for line in text.splitlines())


def _gitlab(text: str) -> None:
    found: list[dict[str, Any]] = json.loads(text)
    for each in found:
        jsonschema.validate(each, GITLAB)
    assert len({each["fingerprint"] for each in found}) == len(found)


def _markdown(text: str) -> None:
    """Nothing of what messages hold is an element, a link or a mention."""
    html = MarkdownIt("commonmark", {"html": True}).render(text)
    assert not re.search("<(?:a|img|script)|@me|#1", re.sub("<code.*?</code>", "", html, flags=re.DOTALL))


def _printable(text: str) -> None:
    assert all(line.isprintable() for line in text.splitlines())


VALID: dict[str, Callable[[str], None]] = {
    "full": _printable,
    "concise": _printable,
    "grouped": _printable,
    "statistics": _printable,
    "json": json.loads,
    "json-lines": _json_lines,
    "sarif": lambda text: sarif_schema().validate(json.loads(text)),
    "github": _printable,
    "gitlab": _gitlab,
    "junit": _xml,
    "markdown": _markdown,
}


def rendered(name: str, given: Report) -> Rendered:
    return format_of(name).render(given, Look())


@pytest.mark.parametrize("given", REPORTS.values(), ids=REPORTS.keys())
@pytest.mark.parametrize("name", FORMATS)
def test_every_report_in_every_format(name: str, given: Report) -> None:
    text = rendered(name, given).text
    assert text.endswith("\n")
    text.encode("utf-8")
    VALID.get(name, lambda text: None)(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_thirty_thousand_findings_take_seconds_in_no_format(name: str) -> None:
    texts = {f"src/{number}.py": "x = 1\n" * 100 for number in range(300)}
    many = report(
        *(
            finding(
                path=f"src/{number % 300}.py",
                line=number // 300 + 1,
                fingerprint=f"{number:016x}",
                end_line=number // 300 + 1,
            )
            for number in range(30_000)
        ),
        texts=texts,
    )
    started = time.process_time()
    assert rendered(name, many).text
    assert time.process_time() - started < 10  # about one second where nothing else runs


@pytest.mark.parametrize("name", FORMATS)
def test_only_what_says_so_tells_how_long_a_check_took(name: str) -> None:
    short, long = (format_of(name).render(replace(EVERYTHING, duration_s=each), Look()).text for each in (1.25, 2.75))
    timed = format_of(name).timed
    before, after = short.split(timed, 1) if timed else (short, "")
    assert long == before + timed + after.replace("1.25", "2.75", 1)
