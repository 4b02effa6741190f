"""The line of what a branch asks, where its jump has another one.

Of a condition in several lines (`a[0]` / `if x.any()` / `else c`; `if (` / `ready` / `and x.any()`) Python gives the
jump the line of the whole expression, or of the part before, and that is the line on which Dynamo says that it stopped.
"""

from __future__ import annotations

import dis
import weakref
from dataclasses import dataclass
from typing import Any

from compilelint.report.stack import StackFrame

_DECIDES = frozenset(name for name in dis.opname if "JUMP" in name and "_IF_" in name) | {"TO_BOOL"}


@dataclass(frozen=True, slots=True)
class Decision:
    """A jump that began a line of its own, after what it asks."""

    translator: weakref.ref[Any]
    line: int
    asked: int


def decision(translator: Any, line: int) -> Decision | None:
    """What begins this line, if that is a jump; its translator still knows on which line it was before."""
    if translator.current_instruction.opname not in _DECIDES or translator.lineno in (-1, line):
        return None
    return Decision(weakref.ref(translator), line, translator.lineno)


def asked_line(last: Decision | None, stack: tuple[StackFrame, ...]) -> int | None:
    """The line of what was asked, if Dynamo stopped at this jump."""
    if last is None or not stack or stack[-1].line != last.line:
        return None
    translator = last.translator()
    if translator is None or translator.current_instruction.opname not in _DECIDES:
        return None
    return last.asked
