"""Which file's call of torch.compile leads to a finding, and whether that call was part of a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from compilelint.report.model import Finding

_COMPILED = re.compile(r"(?P<path>.+):\d+ @?torch\.compile\b")
"""How a call of torch.compile is told where a region begins: `train.py:40 torch.compile(net)`."""


def is_of_run(finding: Finding, ran: Container[str] | None, compiles: Callable[[str | None], bool]) -> bool:
    """Whether what leads to a finding may have been compiled in a run of these files (None: nobody knows which), of
    which some called torch.compile.

    A script that was not run compiled no model of a package, though another one did. Nor did Dynamo see a script that
    compiles its own code and lies beside the one that was run, though classes of both have the same names, often.
    """
    found = _COMPILED.match(finding.reached_from[0]) if finding.reached_from else None
    compiled_in = found["path"] if found is not None else None
    if finding.library and not compiles(compiled_in):
        return False
    return ran is None or compiled_in != finding.path or finding.path in ran or compiles(finding.path)
