"""What breaks the graph of a class that stands with its type arguments, as `Box[Tensor]` does."""

from __future__ import annotations

import re

from compilelint.runtime.dynamo.told import Reason, Told

_CALLED = re.compile(r"the function `(?:[\w<>]+\.)*(\w+)(\[.+\])`")
"""How Dynamo names what it was to call: a class of the program's with its module."""
_NO_CALL_IN_VIEW = "a class stands with its type arguments (`Box[Tensor](x)`), which Dynamo does not trace"


def of_class(told: Told) -> Reason | None:
    """Dynamo makes nothing of `Box[Tensor]`, and does not call `list[Tensor]`; annotations it does not look at."""
    if told.context == "typing._GenericAlias":
        return Reason(
            _NO_CALL_IN_VIEW, "Leave them out: `Box(x)`. In an annotation (`box: Box[Tensor] = Box(x)`) they are free."
        )
    found = _CALLED.search(told.explanation) if "TypingVariable()" in told.context else None
    if found is None:
        return None
    name = found[1]
    return Reason(
        f"a class is called with its type arguments (`{name}{found[2]}`), which Dynamo does not trace",
        f"Leave them out: `{name}(…)`. In an annotation (`made: {name}{found[2]} = {name}(…)`) they are free.",
    )
