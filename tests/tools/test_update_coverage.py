from __future__ import annotations

from compilelint.catalog import Outcome
from tests.match.make import rule
from tools.update_coverage import rewritten, rules_by_id

PAGE = r"""| id | break type of Dynamo | rules with evidence of it | note |
|---|---|---|---|
| GB0124 | Unsupported \| Tensor.item() | CL999 | a note \| with a bar |
| GB0011 | Attempted to read | CL101 | – |
| GB0015 | Sparse | – |
| CL101 | GB0124 |
"""


def test_the_third_column_is_what_was_measured() -> None:
    text = rewritten(PAGE, {"GB0124": ["CL101", "CL103"], "GB0015": ["CL712"]})
    assert r"| GB0124 | Unsupported \| Tensor.item() | CL101, CL103 | a note \| with a bar |" in text
    assert "| GB0011 | Attempted to read | – | – |" in text
    assert "| GB0015 | Sparse | CL712 |" in text
    assert "| CL101 | GB0124 |" in text


def test_ids_of_any_version_and_mode_count_but_not_those_of_runs() -> None:
    measured = {"e": {"2.9.1": {"fullgraph": Outcome(True, (1,), ("GB0001",))}}}
    rules = [rule(code="CL102", evidence=measured), rule(code="CL901", evidence=measured)]
    assert rules_by_id(rules) == {"GB0001": ["CL102"]}
