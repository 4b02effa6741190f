"""The rules about what only a run shows, by what they are about: their pages are those of CL9."""

from __future__ import annotations

from collections.abc import Mapping

from compilelint.report.model import Finding, Observation, ObservationType

RUN_RULES: dict[ObservationType, str] = {
    "graph-break": "CL901",
    "frame-skipped": "CL902",
    "recompile": "CL903",
    "recompile-limit": "CL904",
    "compile-error": "CL905",
    "cudagraph-skip": "CL906",
    "repeated-blocks": "CL907",
}
NOTHING_COMPILED = "CL908"


def rule_of(observation: Observation, findings: Mapping[str, Finding]) -> str:
    """The code of the rule to read about an observation: that of the finding that predicted it, else of its type.

    `findings` are those of the report, by fingerprint.
    """
    predicted = findings.get(observation.finding or "")
    return predicted.code if predicted else RUN_RULES[observation.type]
