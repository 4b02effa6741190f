"""Decisions that a page's table cannot declare: one function for each, from an event to yes or no, or to how surely
it is so (None: it is not)."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from compilelint.inspect.events import Event
from compilelint.report.confidence import Confidence

ASKED_LAST = frozenset(
    {
        "functions:is_root",
        "functions:lives_on",
        "functions:made_in_region",
        "functions:outlives_the_call",
        "origins:held_by_module",
        "origins:held_by_global",
    }
)
"""Those that look at more than what makes events alike: at the steps by which one is reached, at the closure of a
function, at what the region belongs to. They are asked once it is clear that the event may concern somebody."""


class DetectorError(LookupError):
    """A rule names a detector that does not exist."""


def find(name: str, code: str) -> Callable[[Event], bool | Confidence | None]:
    """The detector `module:function` below this package, for the rule with this code.

    Raises DetectorError if there is none.
    """
    module_name, _, function_name = name.partition(":")
    try:
        module = importlib.import_module(f"{__name__}.{module_name}")
        detector: Callable[[Event], bool | Confidence | None] = getattr(module, function_name)
    except (ImportError, AttributeError):
        raise DetectorError(f"{code}: there is no detector {name!r}") from None
    return detector
