from __future__ import annotations

from pathlib import Path

from compilelint.report.views import seen_from
from tests.report.make import report, run


def test_what_happened_when_is_named_from_where_it_is_read() -> None:
    seen = seen_from(report(run=run()), Path("/app"), Path("/app/src")).run
    assert seen is not None
    first, compiled, broken = seen.timeline
    assert (first.path, first.compiled_by) == ("", "/app/train.py:40 torch.compile(Net)")
    assert (compiled.path, compiled.compiled_by) == ("model.py", "")
    assert broken.path == "model.py"
