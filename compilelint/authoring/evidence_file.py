"""Writes the evidence.json beside rule pages: what a torch did is put in, and dropped once its example is gone."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

from compilelint.authoring.subjects import subjects
from compilelint.catalog import PageError, Rule, load_page, page_paths
from compilelint.catalog.evidence import (
    RawEvidence,
    RawExample,
    RawOutcome,
    format_evidence,
    outcome_from_json,
    read_raw,
    shown,
    source_hash,
)
from compilelint.catalog.model import ModeName

Measured: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Rule code → example → mode → outcome, of one version."""


def update(target: Path, version: str, measured: Measured) -> None:
    """Put what was `measured` on one torch version into an evidence.json, for the pages beside it.

    Of a page that cannot be read, the evidence is left as it is. Raises OSError, and ValueError if the file is not of
    its form.
    """
    with _locked(target):
        rules, unreadable = _pages(target.parent)
        known = read_raw(target.read_text(encoding="utf-8")) if target.exists() else {}
        changed = [rule for rule in rules if rule.code in measured]
        evidence = with_proofs(merge(known, version, measured, rules), changed)
        evidence.update({code: known[code] for code in unreadable if code in known})
        _write(target, evidence)


def update_differing(target: Path, base: Path, measured: Mapping[str, Measured]) -> None:
    """Put into `target` what was `measured` on another Python, by torch version, of examples that differ from `base`
    with one of these, or did so before.

    Raises OSError, and ValueError if a file is not of its form.
    """
    with _locked(target):
        rules, _ = _pages(base.parent)
        usual = read_raw(base.read_text(encoding="utf-8"))
        merged = read_raw(target.read_text(encoding="utf-8")) if target.exists() else {}
        for version, found in measured.items():
            merged = merge(merged, version, found, rules)
        _write(target, {code: kept for code, found in merged.items() if (kept := _other(found, usual.get(code, {})))})


def _other(found: Mapping[str, RawExample], usual: Mapping[str, RawExample]) -> dict[str, RawExample]:
    """The examples of which, with some torch, something else was measured than is usual."""
    differing: dict[str, RawExample] = {}
    for name, example in found.items():
        of_usual = usual.get(name, {}).get("measured", {})
        measured = {
            version: modes for version, modes in example["measured"].items() if version in of_usual and _ran(modes)
        }
        if any(_told(modes) != _told(of_usual[version]) for version, modes in measured.items()):
            differing[name] = {**example, "measured": measured}
    return differing


def _ran(modes: Mapping[str, RawOutcome]) -> bool:
    """Whether the example came to an end: one that is killed, or fails without Dynamo, says why and shows nothing."""
    return all(outcome["hazard"] or not outcome.get("reason") for outcome in modes.values())


def _told(modes: Mapping[str, RawOutcome]) -> object:
    return shown({cast("ModeName", mode): outcome_from_json(outcome) for mode, outcome in modes.items()})


def renew_proofs(target: Path) -> None:
    """Write into an evidence.json what the checker of today finds in every example beside it; Dynamo is not asked.

    Raises OSError, and ValueError if the file is not of its form.
    """
    with _locked(target):
        rules, _ = _pages(target.parent)
        _write(target, with_proofs(read_raw(target.read_text(encoding="utf-8")), rules))


def _write(target: Path, evidence: RawEvidence) -> None:
    written = target.with_suffix(".new")
    written.write_text(format_evidence(evidence), encoding="utf-8")
    written.replace(target)  # at once: the checker may be reading it


def _pages(folder: Path) -> tuple[list[Rule], list[str]]:
    """The rules in a folder, and the codes of pages that cannot be read."""
    rules: list[Rule] = []
    unreadable: list[str] = []
    for path in page_paths(folder):
        try:
            rules.append(load_page(path, {}))
        except PageError:
            unreadable.append(path.name.partition("-")[0])
    return rules, unreadable


def merge(old: RawEvidence, version: str, measured: Measured, rules: Sequence[Rule]) -> RawEvidence:
    """`old` with what was `measured` on one torch version put in.

    What was measured of an example that is gone from the `rules`, or of another text of it, is dropped.
    """
    merged: RawEvidence = {}
    for rule in rules:
        for example in rule.examples:
            known = old.get(rule.code, {}).get(example.name, {})
            present = source_hash(example)
            kept = dict(known["measured"]) if known.get("source") == present else {}
            if example.name in measured.get(rule.code, {}):
                kept[version] = dict(measured[rule.code][example.name])
            if kept:
                entry = {"source": present, "proofs": known.get("proofs", {}), "measured": kept}
                merged.setdefault(rule.code, {})[example.name] = entry
    return merged


def with_proofs(evidence: RawEvidence, rules: Sequence[Rule]) -> RawEvidence:
    """The evidence with what the checker of today finds on each line of the hazard examples of these rules."""
    found = {rule.code: subjects(rule) for rule in rules}
    return {
        code: {
            name: {**example, "proofs": found[code].get(name, {})} if code in found else example
            for name, example in examples.items()
        }
        for code, examples in evidence.items()
    }


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Several people measure at once: each puts its own into what the others wrote."""
    if os.name == "nt":
        yield
        return
    import fcntl

    with open(Path(tempfile.gettempdir()) / f"{path.name}.lock", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
