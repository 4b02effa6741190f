"""Claims held against what Dynamo did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.accuracy.claims import Claim
from benchmarks.accuracy.judge import Judge
from benchmarks.accuracy.truth import read
from tests.benchmarks.accuracy_make import MODEL, line_of, model, site, usual_lines, usual_models, write_truth

FILE = "tiny/model.py"


def judge_of(folder: Path, models: dict[str, Any] | None = None) -> Judge:
    truth = read(write_truth(folder, models or usual_models(), usual_lines()) / "tiny.json")
    return Judge(truth, {FILE: MODEL})


def claim(text: str, effect: str = "graph-break", severity: str = "warning", **more: Any) -> Claim:
    line = line_of(text)
    return Claim(**{"file": FILE, "line": line, "end_line": line, **more}, rule="CL1", effect=effect, severity=severity,
                 confidence="high", message="")  # fmt: skip


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (claim(".item()"), "confirmed"),
        (claim("return x * n"), "refuted"),
        (claim("if mask is not None"), "refuted"),
        (claim("x = x * 2"), "unknown"),
        (claim("print(x)"), "unknown"),
        (claim(".item()", file="tiny/other.py"), "unknown"),
        (claim(".item()", effect="slow-start"), "not-judged"),
        (claim("return x * n", effect="wrong-result"), "not-judged"),
        (claim("return x * n", severity="info"), "not-judged"),
        (claim(".item()", effect="compile-error"), "confirmed"),
        (claim(".item()", effect="recompile"), "refuted"),
    ],
)
def test_a_claim_is_judged_by_its_statement(tmp_path: Path, given: Claim, verdict: str) -> None:
    assert judge_of(tmp_path).verdict(given) == verdict


def test_a_break_in_one_line_of_a_statement_confirms_a_claim_on_another(tmp_path: Path) -> None:
    models = {"missed": model("Missed", site("helper(x),"))}
    assert judge_of(tmp_path, models).verdict(claim("return np.abs")) == "confirmed"


def test_a_part_of_a_statement_that_never_ran_is_unknown(tmp_path: Path) -> None:
    """Dynamo traced the argument's line of that call, and not the line that the claim is about."""
    assert judge_of(tmp_path).verdict(claim("return np.abs")) == "unknown"
    longer = claim("return np.abs", end_line=line_of("helper(x),"))
    assert judge_of(tmp_path).verdict(longer) == "refuted"


def test_a_claim_that_spans_a_body_is_about_its_header_only(tmp_path: Path) -> None:
    header = claim("class Breaks", end_line=line_of("return x * n"))
    assert judge_of(tmp_path).verdict(header) == "unknown"


@pytest.mark.parametrize(
    ("reason", "verdict"),
    [
        ("0/0: x == 3  # n = x.sum().item()  # tiny/model.py:8 in forward", "confirmed"),
        ("0/0: L['self'].n == 3", "confirmed"),
        ("0/0: L['self'].m == 3", "refuted"),
        ("0/0: tensor 'n' size mismatch at index 0. expected 2, actual 3", "refuted"),
    ],
)
def test_a_recompile_is_confirmed_by_the_guard_that_failed(tmp_path: Path, reason: str, verdict: str) -> None:
    recompiles = [{"file": FILE, "line": 7, "function": "forward", "phase": "eval", "reasons": [reason]}]
    judge = judge_of(tmp_path, {"breaks": model("Breaks", recompiles=recompiles)})
    assert line_of("n = x.sum()") == 8
    assert judge.verdict(claim("n = x.sum()", effect="recompile")) == verdict


@pytest.mark.parametrize(("kind", "verdict"), [("break", "confirmed"), ("skip", "confirmed"), ("limit", "refuted")])
def test_reaching_the_limit_of_recompiles_is_no_break(tmp_path: Path, kind: str, verdict: str) -> None:
    judge = judge_of(tmp_path, {"clean": model("Clean", site("return x + 1", kinds=[kind]))})
    assert judge.verdict(claim("return x + 1")) == verdict


def test_sites_are_found_by_claims_of_breaks_only(tmp_path: Path) -> None:
    judge = judge_of(tmp_path)
    item, helper = sorted(judge.truth.sites, key=lambda each: each.line)
    assert judge.found([claim(".item()")]) == {item: True, helper: False}
    assert judge.found([claim(".item()", effect="recompile"), claim("return x * n")]) == {item: False, helper: False}
    assert judge.found([claim(".item()", severity="info")]) == {item: False, helper: False}
