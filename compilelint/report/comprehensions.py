"""Comprehensions that Dynamo comes to on their own: what is around them it has dropped."""

from __future__ import annotations

import re

from compilelint.report.model import Observation

_COMPREHENSION = re.compile(r"(.+)\.<locals>\.<(?:listcomp|setcomp|dictcomp|genexpr)>")


def around_comprehension(observation: Observation) -> tuple[str, str] | None:
    """The function around a comprehension, or a generator, of which the iterator was made before Dynamo came in."""
    frame = observation.frame
    outer = _COMPREHENSION.fullmatch(frame.function) if frame else None
    if frame is None or outer is None or "tp_iter" not in observation.title:
        return None
    return frame.path, outer[1]
