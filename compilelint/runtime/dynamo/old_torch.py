"""How older torches tell graph breaks.

torch 2.5 emits no artifact for them. Up to 2.8 or so a frame that is dropped for a break in a loop is told
by an exception only, after the artifact: the break is told again then, as one that drops its frame. A
newer torch makes no such exception, and these hooks are silent.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.places import callers

_SKIPPED = re.compile(
    r"graph break in a for/while loop\s+"
    r"<FrameSummary file (?P<path>.+), line (?P<line>\d+) in (?P<function>.+)>"
)
_BRANCH = "Data-dependent branching"
"""What a newer torch calls the one break that torch 2.5 gives no reason for."""

Tell = Callable[..., None]
"""`Listener._break`."""


def splits(tell: Tell, original: torch_names.Wrapper) -> torch_names.Wrapper:
    """A reason is made for every graph that is split, and for no frame that is dropped."""

    def __post_init__(reason: Any) -> Any:
        split = None if torch_names.breaks_are_artifacts() else torch_names.split_reason(reason)
        if split is not None:
            tell(split[0], before=callers()[:-1], inside=split[1])  # the last is the dataclass's own __init__
        return original(reason)

    return __post_init__


def skips(tell: Tell, original: torch_names.Wrapper) -> torch_names.Wrapper:
    """A frame is dropped with an exception, raised while that of the break is handled."""

    def __init__(error: Any, message: object = "", *args: Any) -> None:
        found = _SKIPPED.search(str(message))
        if found is not None:
            cause = sys.exc_info()[1]
            known = cause is not None and torch_names.is_break(cause)
            stack = torch_names.error_stack(cause) if known and cause is not None else ()
            place = StackFrame(found["path"], int(found["line"]), found["function"])
            tell(str(cause) if known else _BRANCH, before=callers(), inside=stack or (place,), dropped=True)
        original(error, message, *args)

    return __init__
