"""Reads the text in which Dynamo tells a graph break.

The same text stands in the `graph_breaks` log, in the structured artifact `dynamo_graph_break_reason`
and in the exception of a frame that was given up. From torch 2.7 on it is made by
`torch._dynamo.exc.format_graph_break_message`: title, explanation, hints, developer context, a link
with the GB id; what goes wrong while Dynamo handles a break follows after a line of asterisks. Before
that it is one `Reason: …` line. Nothing here needs torch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import GraphBreak

_AT = re.compile(
    r"^Graph break(?: \(user stack suppressed[^)]*\))? in user code at (?P<path>.*):(?P<line>\d+)$",
    re.MULTILINE,
)
_REASON = re.compile(r"^(?:Graph Break )?Reason: ", re.MULTILINE)
_USER_STACK = re.compile(r"^(?:User code traceback:|from user code(?: at)?:)[ ]*$", re.MULTILINE)
_ATTRIBUTION = re.compile(r"^Stack variable source attribution:[ ]*$", re.MULTILINE)
_FRAME = re.compile(r'^\s+File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<function>.+)$', re.MULTILINE)
_GB_ID = re.compile(r"/gb(\d+)\.html", re.IGNORECASE)
_MARK = re.compile(r"^ {4} *[~^]+$", re.MULTILINE)
_LINK = re.compile(r"^\s*For more details about this graph break.*$", re.MULTILINE)
_ANOTHER = re.compile(r"^\*\*\* While handling this graph break, another graph break occurred: \*\*\*$", re.MULTILINE)
_EXPLAINED = re.compile(r"^(?P<title>(?:(?!\s*$).)+)\n(?:  Higher Order Operator: .*\n)?  Explanation: ", re.MULTILINE)
_PART = re.compile(r"^  (?P<name>Explanation|Hint|Developer debug context): ?", re.MULTILINE)
_ERROR_TYPE = re.compile(r"^(?:\w+\.)*(?:Unsupported|UserError): ")
_OPERATION = re.compile(
    r"(?:^\s*Original traceback:|fake tensor exception at)\s*\n(?P<frames>(?:(?!\s*$).*\n?)+)", re.MULTILINE
)
"""What a backend could not compile, as torch 2.7 and later spell it, and as 2.5 and 2.6 do."""
_TOLD_ELSEWHERE = ("WON'T CONVERT", "Graph break: torch.compile cannot properly resume from this graph break")
"""How an artifact begins that no break is told by: of an operator that failed, of a frame that is left out."""
_DROPS = ("Skipping the f", "frame skipped", "will skip tracing the frame", "Skipping frame because")


@dataclass(frozen=True, slots=True)
class BreakText:
    """What one message about a graph break says."""

    path: str | None
    """Innermost place, None where the text has neither a first line nor a stack."""
    line: int | None
    gb_type: str
    """Title of the first cause."""
    reason: str
    """The whole text of the first cause."""
    gb_id: str | None
    explanation: str | None
    hints: tuple[str, ...]
    context: str | None
    wrapped_by: tuple[str, ...]
    """Titles of what happened on top of the first cause, innermost first."""
    frame_dropped: bool
    stack: tuple[StackFrame, ...]
    """Outermost frame first; empty where Dynamo left it out as a duplicate."""

    def to_place(self, function: str) -> tuple[StackFrame, ...]:
        """The stack, which ends at the innermost place; `function` is there if the stack does not come so far.

        A break at the first instruction of a function has a stack of its callers only.
        """
        if self.path is None or self.line is None:
            return self.stack
        if self.stack and (self.stack[-1].path, self.stack[-1].line) == (self.path, self.line):
            return self.stack
        return (*self.stack, StackFrame(self.path, self.line, function))


def parse_break(text: str) -> BreakText:
    """What Dynamo's message says. Raises ValueError if it holds no reason at all."""
    at = _AT.search(text)
    message = text[at.end() :] if at else text
    body, stack = _parted(message)
    lead = _REASON.search(body)
    said = (body[lead.end() :] if lead else body).strip()
    if not said:
        raise ValueError("no reason in the text of a graph break")
    causes = [part.strip() for part in _ANOTHER.split(said)]
    first, title = _first_cause(causes[0])
    place = (at["path"], int(at["line"])) if at else None
    if place is None and stack:
        place = (stack[-1].path, stack[-1].line)
    parts = _parts(first)
    gb_id = _GB_ID.search(first)
    return BreakText(
        path=place[0] if place else None,
        line=place[1] if place else None,
        gb_type=title,
        reason=_LINK.sub("", first).strip(),
        gb_id=f"GB{gb_id[1]}" if gb_id else None,
        explanation=next((value for name, value in parts if name == "Explanation"), None),
        hints=tuple(value for name, value in parts if name == "Hint"),
        context=next((value for name, value in parts if name == "Developer debug context"), None),
        wrapped_by=tuple(_first_cause(each)[1] for each in causes[1:] if each),
        frame_dropped=any(sign in said for sign in _DROPS),
        stack=stack,
    )


def with_all_frames(said: BreakText, stack: tuple[StackFrame, ...]) -> BreakText:
    """The same with this stack, if that is of this break: Dynamo leaves out a frame that is called like the next."""
    if not stack or not said.stack or (stack[-1].path, stack[-1].line) != (said.stack[-1].path, said.stack[-1].line):
        return said
    return replace(said, stack=stack)


def is_told_elsewhere(text: str) -> bool:
    """Whether what Dynamo says as a break is told by an exception too, which knows more.

    The second of these texts exists only if the program itself has TORCH_LOGS=graph_breaks.
    """
    return text.startswith(_TOLD_ELSEWHERE)


def graph_break(
    said: BreakText,
    text: str,
    *,
    at: float = 0.0,
    compile_id: str | None,
    code: StackFrame | None,
    stack: tuple[StackFrame, ...],
    dropped: bool = False,
    raised: bool = False,
    asked: int | None = None,
) -> GraphBreak:
    """The event that Dynamo's `text`, read as `said`, stands for.

    `dropped`, `raised` and `asked` say what the text does not: that the frame is dropped, that the program gets it,
    which line has what a jump asks.
    """
    return GraphBreak(
        at=at,
        compile_id=compile_id,
        code=code,
        stack=_down_to_operation(stack, said.reason),
        gb_type=said.gb_type,
        reason=said.reason,
        gb_id=said.gb_id,
        explanation=said.explanation,
        hints=said.hints,
        context=said.context,
        wrapped_by=said.wrapped_by,
        frame_dropped=said.frame_dropped or dropped,
        raised=raised,
        asked=asked,
        text=text,
    )


def operation_stack(text: str) -> tuple[StackFrame, ...]:
    """Where the operation stands that a backend could not compile, outermost frame first; empty for other breaks."""
    found = _OPERATION.search(text)
    return parse_stack(found["frames"]) if found else ()


def _down_to_operation(stack: tuple[StackFrame, ...], text: str) -> tuple[StackFrame, ...]:
    """The stack as far as such an operation: of itself it ends where the function begins that was compiled."""
    operation = operation_stack(text)
    if not operation or stack[-len(operation) :] == operation:
        return stack
    begins = bool(stack) and (stack[-1].path, stack[-1].function) == (operation[0].path, operation[0].function)
    return (*(stack[:-1] if begins else stack), *operation)


def parse_stack(text: str) -> tuple[StackFrame, ...]:
    """The frames of a traceback as `traceback.format_list` writes it, in its order."""
    return tuple(
        StackFrame(found["path"], int(found["line"]), found["function"].strip()) for found in _FRAME.finditer(text)
    )


def marked(text: str, place: StackFrame) -> str:
    """A frame's line of source, in such a traceback, from where it marks what was running; empty if it marks nothing.

    Where the mark ends is not dependable: in a part after a break it may take in the statements that follow. If it then
    takes in the whole line, Python leaves it out, as long as it knows places at all: others are marked.
    """
    frame = rf'^ +File "{re.escape(place.path)}", line {place.line}, in .+\n'
    shown = re.compile(frame + r" {4}(?P<source>.*)(?:\n {4}(?P<before> *)[\^~])?", re.MULTILINE)
    found = list(shown.finditer(text))
    if not found or not _MARK.search(text):
        return ""
    return found[-1]["source"][len(found[-1]["before"] or "") :].rstrip()


def _parted(message: str) -> tuple[str, tuple[StackFrame, ...]]:
    """The message without its stacks, and its user stack."""
    starts = list(_USER_STACK.finditer(message))
    stack = parse_stack(_user_frames(message[starts[-1].end() :])) if starts else ()
    body = message[: starts[0].start()] if starts else message
    attribution = _ATTRIBUTION.search(body)
    return (body[: attribution.start()] if attribution else body), stack


def _user_frames(text: str) -> str:
    """The stack itself: in the structured artifact the traceback of Dynamo's exception follows."""
    ends = [
        found
        for mark in ("\nTraceback (most recent call last):", "\nNOTE: the most recent", "\nNoneType: None")
        if (found := text.find(mark)) >= 0
    ]
    return text[: min(ends)] if ends else text


def _first_cause(text: str) -> tuple[str, str]:
    """The part of a message that names the cause, and its title; what Dynamo was doing may come before it."""
    if (found := _EXPLAINED.search(text)) is not None:
        text = text[found.start() :]
    text = _ERROR_TYPE.sub("", text.strip())
    return text, text.partition("\n")[0].strip()


def _parts(cause: str) -> list[tuple[str, str]]:
    """Explanation, hints and developer context, unindented, in order."""
    found = list(_PART.finditer(cause))
    parts: list[tuple[str, str]] = []
    for number, each in enumerate(found, 1):
        end = found[number].start() if number < len(found) else len(cause)
        value = _LINK.sub("", cause[each.end() : end])
        parts.append((each["name"], "\n".join(line.strip() for line in value.strip().splitlines())))
    return parts
