"""Which file's call of torch.compile leads to a finding, and whether that call was part of a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable

from compilelint.report.model import Finding

_COMPILED = re.compile(r"(?P<path>.+):\d+ @?torch\.compile\b")
"""How a call of torch.compile is told where a region begins: `train.py:40 torch.compile(net)`."""


def files_that_compile(findings: Iterable[Finding]) -> frozenset[str]:
    """The files that call torch.compile for something that a finding is in."""
    return frozenset(filter(None, map(_compiled_in, findings)))


def is_of_run(
    finding: Finding,
    ran: Container[str] | None,
    compiles: Callable[[str | None], bool],
    compiling: Container[str] = (),
) -> bool:
    """Whether what leads to a finding may have been compiled in a run of these files (None: nobody knows which), of
    which some called torch.compile.

    A script that was not run compiled no model of a package, though another one did. Nor did Dynamo see a script that
    compiles its own code and lies beside the one that was run, though classes of both have the same names, often; what
    such a script (`compiling` are the files that compile something) does around that was not run either.
    """
    compiled_in = _compiled_in(finding)
    if finding.library and not compiles(compiled_in):
        return False
    is_of_own = compiled_in == finding.path or (compiled_in is None and finding.path in compiling)
    return ran is None or not is_of_own or finding.path in ran or compiles(finding.path)


def _compiled_in(finding: Finding) -> str | None:
    """The file of the call of torch.compile that leads to a finding, if one does."""
    found = _COMPILED.match(finding.reached_from[0]) if finding.reached_from else None
    return found["path"] if found is not None else None
