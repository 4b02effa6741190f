"""The records of the JSON report, one to a line: for programs that read as they go."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from compilelint.report.formats import Look
from compilelint.report.formats.json import document
from compilelint.report.model import Report


def render(report: Report, look: Look) -> str:
    """Objects with a `type`: a `summary`, of a run the `run`, then each `finding`, `observation` and `error`."""
    return "".join(f"{json.dumps(each)}\n" for each in _records(document(report)))


def _records(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    head = {key: whole[key] for key in ("schema_version", "tool", "target_torch")}
    yield {"type": "summary", **head, **whole["summary"]}
    if whole["run"] is not None:
        yield {"type": "run", **whole["run"]}
    for finding in whole["findings"]:
        yield {"type": "finding", **finding}
    for observation in whole["observations"]:
        yield {**observation, "type": "observation", "observation": observation["type"]}
    for error in whole["errors"]:
        yield {"type": "error", **error}
