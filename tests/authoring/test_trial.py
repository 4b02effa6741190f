"""A page against checker and Dynamo, where what Dynamo did is made up; tests/e2e asks the real one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from compilelint.authoring import trial
from compilelint.authoring.dynamo import Answer, DynamoError
from compilelint.authoring.trial import Trial, TrialError, record, render, try_pages
from compilelint.catalog import Outcome, load_page
from compilelint.catalog.evidence import parse_evidence
from compilelint.catalog.scaffold import new_page
from compilelint.project.config import Config

HAZARD = """\
import torch
from acme import metrics


def f(x):
    y = torch.relu(x)
    metrics.record(y)  # <- ACME301
    return y * 2
"""
CLEAN = """\
import torch


def f(x):
    return torch.relu(x) * 2
"""
FIRST = 37
"""The line of the page on which the hazard's code begins."""
SHOWN = Outcome(True, (7,), ("GB0124",), "item")
QUIET = Outcome(False)


def write(folder: Path, hazard: str = HAZARD, clean: str = CLEAN, name: str = "no-record") -> Path:
    prose = "".join(
        f"## {title}\n\ntext\n\n"
        for title in ("What it is", "Why it costs", "What to do instead", "When it is fine", "Examples")
    )
    path = folder / f"ACME301-{name}.md"
    path.write_text(
        f'+++\ncode = "ACME301"\nname = "{name}"\ngroup = "untraceable-calls"\neffect = "graph-break"\n'
        'severity = "warning"\nmessage = "m"\nsuggestion = "s"\n\n'
        '[[match]]\nevent = "call"\ncallee = ["acme.metrics.record"]\nexample = "record"\n+++\n\n'
        f"{prose}```python hazard record\n{hazard}```\n\n```python clean outside\n{clean}```\n"
    )
    return path


def answer(
    monkeypatch: pytest.MonkeyPatch,
    hazard: Mapping[str, Outcome],
    clean: Mapping[str, Outcome] | None = None,
    said: Mapping[str, Mapping[str, list[str]]] | None = None,
) -> None:
    """What Dynamo will be said to have done with the examples."""
    outcomes = {"record": hazard, "outside": clean or {"default": QUIET}}
    told = Answer("2.13.0", {"ACME301": outcomes}, {"ACME301": said or {}})  # type: ignore[dict-item]
    monkeypatch.setattr(trial, "ask", lambda pages: told)


def tried(page: Path) -> Trial:
    (found,) = try_pages([page], Config())
    return found


def text(page: Path) -> str:
    return render(tried(page), page.name)


def test_what_agrees_is_shown_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"default": SHOWN, "fullgraph": QUIET})
    page = write(tmp_path)
    assert text(page) == (
        "ACME301-no-record.md (torch 2.13.0)\n"
        "  hazard record\n"
        f"    {FIRST + 6}: metrics.record(y)  # <- ACME301\n"
        "      Dynamo: default (not fullgraph); checker: ACME301\n"
        "  clean outside\n"
        "    nothing, in any mode\n"
        "ACME301-no-record.md: page, checker and Dynamo agree\n"
    )


def test_what_dynamo_contradicts_is_said_once_for_all_modes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"record": {"default": ["marked, but no break"], "fullgraph": ["marked, but no break"]}}
    answer(monkeypatch, {"default": QUIET, "fullgraph": QUIET}, said=said)
    (problem,) = tried(write(tmp_path)).problems
    assert problem == (FIRST - 1, "hazard record, default, fullgraph: marked, but no break")


def test_a_finding_that_no_mark_announces_is_a_disagreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"default": SHOWN})
    page = write(tmp_path, clean=CLEAN.replace("return", "print(x)\n    return"))
    (problem,) = tried(page).problems
    assert problem[1] == "the checker finds CL201 here, and no mark says so"
    assert page.read_text().splitlines()[problem[0] - 1].strip() == "print(x)"


def test_a_mark_that_the_checker_does_not_meet_is_a_disagreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, {"default": SHOWN})
    page = write(tmp_path, hazard=HAZARD.replace("metrics.record(y)", "metrics.other(y)"))
    assert tried(page).problems == ((FIRST + 6, "marked ACME301, and the checker does not find it"),)


def test_a_mark_that_only_another_torch_shows_need_not_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, {"default": QUIET})
    assert tried(write(tmp_path)).problems == ()


def test_a_mark_of_a_rule_that_does_not_exist_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"default": SHOWN})
    page = write(tmp_path, hazard=HAZARD.replace("ACME301", "ACME301, CL199"))
    assert tried(page).problems == ((FIRST + 6, "there is no rule CL199"),)


def test_a_name_that_is_taken_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"default": SHOWN})
    assert tried(write(tmp_path, name="tensor-item")).problems == ((1, "CL101 tensor-item has the same name"),)


def test_what_is_not_yet_written_is_said_and_no_disagreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, begun = new_page("ACME3", "my-hazard", ())
    page = tmp_path / name
    page.write_text(begun)
    hazard, clean = ({"default": Outcome(True, (6,))}, {"default": QUIET})
    told = Answer("2.13.0", {"ACME301": {"replace-me": hazard, "replace-me-too": clean}}, {})  # type: ignore[dict-item]
    monkeypatch.setattr(trial, "ask", lambda pages: told)
    shown = text(page)
    assert f"{name}:7: still to be written, at line 7, 8, 10, " in shown
    assert shown.endswith(": page, checker and Dynamo agree\n")


def test_what_agrees_is_recorded_and_takes_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"default": SHOWN})
    page = write(tmp_path)
    (file,) = record(try_pages([page], Config()))
    assert file == tmp_path / "evidence.json"
    rule = load_page(page, parse_evidence(file.read_text(encoding="utf-8")))
    assert rule.evidence["record"]["2.13.0"]["default"] == SHOWN
    assert rule.proofs["record"] == {"call acme.metrics.record": frozenset({7})}


def test_what_disagrees_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"default": SHOWN}, said={"record": {"default": ["no"]}})
    assert record(try_pages([write(tmp_path)], Config())) == ()
    assert not (tmp_path / "evidence.json").exists()


def test_a_file_that_is_no_evidence_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, {"default": SHOWN})
    (tmp_path / "evidence.json").write_text("[]")
    with pytest.raises(TrialError, match=r"evidence\.json: "):
        record(try_pages([write(tmp_path)], Config()))
    assert (tmp_path / "evidence.json").read_text() == "[]"


def test_two_pages_of_one_code_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match="have the same code"):
        try_pages([write(tmp_path), write(tmp_path, name="other")], Config())


def test_a_page_that_is_not_well_formed_is_told_with_its_line(tmp_path: Path) -> None:
    page = write(tmp_path)
    page.write_text(page.read_text().replace('"warning"', '"warn"'))
    with pytest.raises(TrialError, match=r"ACME301-no-record\.md:6: unknown severity 'warn'"):
        try_pages([page], Config())


def test_a_page_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match=r"ACME301-none\.md: no such file"):
        try_pages([tmp_path / "ACME301-none.md"], Config())


def test_that_dynamo_cannot_be_asked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(pages: object) -> Answer:
        raise DynamoError("no torch")

    monkeypatch.setattr(trial, "ask", ask)
    with pytest.raises(TrialError, match="no torch"):
        try_pages([write(tmp_path)], Config())
