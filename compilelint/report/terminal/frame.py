"""A line of source with carets under the part that matters, fitted to the terminal."""

from __future__ import annotations

from compilelint.report.terminal.cells import pieces, width_of
from compilelint.report.terminal.paint import Paint, Role

_ELLIPSIS = "…"
_LEFT_CONTEXT = 12
_NARROWEST = 20


def code_frame(
    source_line: str,
    line: int,
    first_column: int,
    end_column: int | None,
    *,
    label: str,
    role: Role,
    paint: Paint,
    width: int,
) -> list[str]:
    """The lines of a frame: the source, and carets from `first_column` to before `end_column`.

    Columns are 1-based characters; None means to the end of the line (the span goes on below).
    `label` stands behind the carets, or on a line of its own where it would not fit in `width` cells.
    """
    number = str(line)
    margin = " " * len(number)
    bar = paint("|", "gutter")
    room = max(width - len(number) - 3, _NARROWEST)

    shown = pieces(source_line.rstrip())
    start, end = _bounds(shown, first_column, end_column)
    text, indent, underlined = _crop(shown, start, end, room)

    carets = paint("^" * underlined, role)
    under = [f"{margin} {bar} {' ' * indent}{carets}"]
    if indent + underlined + 1 + width_of(label) <= room:
        under[0] += f" {paint(label, role)}"
    else:
        under.append(f"{margin} {bar} {' ' * min(indent, max(0, room - width_of(label)))}{paint(label, role)}")
    return [f"{margin} {bar}", f"{paint(number, 'gutter')} {bar} {text}", *under]


def _bounds(shown: list[str], first_column: int, end_column: int | None) -> tuple[int, int]:
    """The span as indices of characters, inside the line and never empty."""
    start = min(max(first_column - 1, 0), max(len(shown) - 1, 0))
    end = len(shown) if end_column is None else min(end_column - 1, len(shown))
    return start, max(end, start + 1)


def _crop(shown: list[str], start: int, end: int, room: int) -> tuple[str, int, int]:
    """The part of the line that fits, the cells before its span, and the cells of the span that are seen."""
    widths = [width_of(piece) for piece in shown]
    if sum(widths) <= room:
        return "".join(shown), sum(widths[:start]), max(1, sum(widths[start:end]))

    first = 0
    if sum(widths[:end]) > room - 1:
        first = _from_the_left(widths, start, end, room - 2)
    head = _ELLIPSIS if first else ""
    last = first
    used = len(head)
    while last < len(shown) and used + widths[last] <= room - 1:
        used += widths[last]
        last += 1
    text = head + "".join(shown[first:last]) + (_ELLIPSIS if last < len(shown) else "")
    indent = len(head) + sum(widths[first:start])
    return text, indent, max(1, sum(widths[start : min(end, last)]))


def _from_the_left(widths: list[int], start: int, end: int, room: int) -> int:
    """The first character to show so that the span fits with what context there is room for before it."""
    context = min(_LEFT_CONTEXT, max(0, room - sum(widths[start:end])))
    first = start
    while first > 0 and sum(widths[first - 1 : start]) <= context:
        first -= 1
    return first
