"""Findings and reports for the tests of the formats, with a sensible default for every field."""

from __future__ import annotations

from dataclasses import replace

from compilelint.report.model import Confidence, Finding, Report

ITEM = Finding(
    code="CL101",
    name="tensor-item",
    effect="graph-break",
    severity="warning",
    confidence=Confidence.HIGH,
    path="src/model.py",
    line=12,
    column=17,
    end_line=12,
    end_column=31,
    function="Net.forward",
    message="`x.sum().item()` reads a tensor back into Python",
    suggestion="Keep the value a tensor (drop `.item()`).",
    gb_ids=("GB0124",),
    reached_from=("src/model.py:40 torch.compile(Net())", "Net.forward"),
    aggravated_by=(),
    source_line="        scale = x.sum().item()",
    fingerprint="0123456789abcdef",
)


def finding(**changes: object) -> Finding:
    """The finding of a `.item()` call, with these fields changed."""
    return replace(ITEM, **changes)  # type: ignore[arg-type]


def report(*findings: Finding, **changes: object) -> Report:
    """A report of these findings over three files."""
    base = Report(target_torch="2.13", files=3, functions_in_regions=12, duration_s=0.3141592, findings=findings)
    return replace(base, **changes)  # type: ignore[arg-type]
