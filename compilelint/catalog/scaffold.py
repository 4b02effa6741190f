"""A new rule page to be filled in: well-formed, and with examples that Dynamo confirms as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from compilelint.catalog.pages import GROUPS, RUN_GROUP

UNWRITTEN = "TODO"
"""Stands where the author has to write."""

_FAMILY = re.compile(r"(?P<letters>[A-Z]{2,8})(?P<digits>\d{0,2})")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DIGITS = 3
_OUR_LETTERS = "CL"
_GROUP_OF_OTHERS = "untraceable-calls"


class ScaffoldError(ValueError):
    """There can be no such page; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class _Stub:
    """What differs between the kinds of pages."""

    effect: str
    match: str
    found_by: str
    """A rule that finds the example, too, until it is replaced."""
    hazard: str
    clean: str


_BREAK = _Stub(
    effect="graph-break",
    match="""\
event = "call"
callee = ["torch._dynamo.graph_break"]
""",
    found_by="CL321",
    hazard="""\
import torch


def f(x):
    y = torch.relu(x)
    torch._dynamo.graph_break()  # <- {marks}
    return y * 2
""",
    clean="""\
import torch


def f(x):
    y = torch.relu(x)
    return y * 2
""",
)
_RECOMPILE = _Stub(
    effect="recompile",
    match="""\
event = "attribute-write"
construct = ["augmented"]
receiver = ["module"]
arguments = {{ 0 = ["int"] }}
""",
    found_by="CL501",
    hazard="""\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # <- {marks}
        return x * self.calls


f = Net()


def inputs():
    return [(torch.randn(4, 4),) for _ in range(4)]
""",
    clean="""\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return x * self.calls


f = Net()


def inputs():
    return [(torch.randn(4, 4),) for _ in range(4)]
""",
)

_PAGE = """\
+++
code = "{code}"
name = "{name}"
group = "{group}"
effect = "{effect}"
severity = "warning"
message = "`{{source}}` TODO: does what, in one sentence"
suggestion = "TODO: what to do instead, in one sentence that is right wherever this rule fires."

# TODO: what to match. This stand-in matches what {found_by} matches; docs/writing-rules.md has all keys.
[[match]]
{match}example = "replace-me"
+++

## What it is

TODO: the construct, as people write it.

## Why it costs

TODO: what Dynamo does with it, and what that costs.

## What to do instead

TODO: before and after, as real code would be changed. The clean example below shows it.

## When it is fine

TODO: when to leave it. Accept it with `# compilelint: ignore[{code}] reason`.

## Examples

TODO: replace both by the smallest programs that run as they stand. Every offending line of the first carries the mark.
The second is what a naive linter would flag and Dynamo compiles without a break. `compilelint rule --test` runs the
checker and Dynamo on them.

```python hazard replace-me
{hazard}```

```python clean replace-me-too
{clean}```
"""


def next_code(family: str, taken: Iterable[str]) -> str:
    """The code after the last that is taken in a family: `CL141` for `CL1`. Raises ScaffoldError.

    A family is the beginning of a code: letters, and as many of its digits as are given.
    """
    found = _FAMILY.fullmatch(family)
    if found is None:
        raise ScaffoldError(f"{family!r} is no family: write the beginning of a code, such as CL1 or ACME1")
    if found["letters"] == _OUR_LETTERS and family not in GROUPS.values():
        listed = ", ".join(f"{prefix} {group}" for group, prefix in GROUPS.items() if group != RUN_GROUP)
        raise ScaffoldError(f"there is no family {family!r}: {listed}; or letters of your own, such as ACME1")
    if family == GROUPS[RUN_GROUP]:
        raise ScaffoldError(f"{family} is about what only a run shows: it has a page for each type of observation")
    width = _DIGITS - len(found["digits"])
    of_family = re.compile(rf"{family}(\d{{{width}}})")
    numbers = {int(match[1]) for code in taken if (match := of_family.fullmatch(code))}
    last = 10**width - 1
    free = max(numbers, default=0) + 1
    if free > last:  # the numbers of pages that are gone are taken last
        free = next((number for number in range(1, last + 1) if number not in numbers), 0)
    if not free:
        raise ScaffoldError(f"all codes of {family} are taken")
    return f"{family}{free:0{width}}"


def new_page(family: str, name: str, taken: Iterable[str]) -> tuple[str, str]:
    """The file name and the text of a new page. `taken` are the codes in use. Raises ScaffoldError."""
    if _NAME.fullmatch(name) is None:
        raise ScaffoldError(f"{name!r} is not kebab case: write a name such as my-hazard")
    code = next_code(family, taken)
    group = _group(code)
    stub = _RECOMPILE if group == "recompiles" else _BREAK
    text = _PAGE.format(
        code=code,
        name=name,
        group=group,
        effect=stub.effect,
        match=stub.match.format(),
        found_by=stub.found_by,
        hazard=stub.hazard.format(marks=f"{code}, {stub.found_by}"),
        clean=stub.clean,
    )
    return f"{code}-{name}.md", text


def unwritten(text: str) -> tuple[int, ...]:
    """The lines of a page, 1-based, on which its author has still to write."""
    return tuple(number for number, line in enumerate(text.splitlines(), 1) if UNWRITTEN in line)


def _group(code: str) -> str:
    """Of a project's own codes, too, the first digit says the group if it is one of ours."""
    digit = code.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")[0]
    groups = {prefix[-1]: group for group, prefix in GROUPS.items() if group != RUN_GROUP}
    return groups.get(digit, _GROUP_OF_OTHERS)
