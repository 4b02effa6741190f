"""--strict: the first graph break ends the run, with an explanation instead of Dynamo's traceback."""

from __future__ import annotations

import linecache
import sys
import textwrap
from collections.abc import Callable
from types import TracebackType

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.dynamo.break_text import BreakText, parse_break
from compilelint.runtime.places import raised_at
from compilelint.runtime.recorder import Recorder

_WIDTH, _MOST_HINTS, _MOST_CALLS = 96, 4, 8
_SITE = "https://meta-pytorch.github.io/compile-graph-break-site/gb/"


class StrictRefused(SystemExit):
    """--strict on a torch that cannot stop at a break: exit code 2."""

    def __init__(self) -> None:
        super().__init__(2)


def refusal(version: str) -> str:
    """What is said of --strict with a torch of this version, which has no error_on_graph_break."""
    since = ".".join(map(str, torch_names.STRICT_SINCE))
    return f"--strict needs torch {since} or newer, this is {version}; --max-breaks 0 judges a whole run instead"


def is_refused(version: str) -> bool:
    """Whether --strict can be refused by the version alone; what is no version is left to the run."""
    return (0, 0) < torch_names.release(version) < torch_names.STRICT_SINCE


def explain_uncaught(recorder: Recorder) -> Callable[[], None]:
    """Explain a graph break that nobody catches, and leave every other exception to the hook that was there.

    Returns what puts the hook back.
    """
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        said = _broken(error)
        if said is None:
            before(kind, error, traceback)
            return
        recorder.stopped("strict")
        print(explanation(said, raised_at(traceback)), file=sys.stderr, flush=True)

    sys.excepthook = hook

    def undo() -> None:
        if sys.excepthook is hook:
            sys.excepthook = before

    return undo


def _broken(error: BaseException) -> BreakText | None:
    if not torch_names.is_break(error):
        return None
    try:
        return parse_break(str(error))
    except ValueError:
        return None


def explanation(said: BreakText, calls: tuple[StackFrame, ...]) -> str:
    """One screen on a break; `calls` are the frames, outermost first, from which Dynamo was called."""
    stack = (*calls, *said.stack)
    lines = ["compilelint: graph break. --strict ends the run at the first one.", ""]
    if stack:
        lines += _place(stack[-1])
    lines += ["", *_wrapped(said.gb_type, "  ")]
    lines += _wrapped(said.explanation or "", "  ")
    if said.hints:
        lines += ["", "  What Dynamo suggests:"]
        for hint in said.hints[:_MOST_HINTS]:
            lines += _wrapped(hint, "    ", first="  - ")
    if len(stack) > 1:
        lines += ["", "  Called from:"]
        lines += [f"    {each.path}:{each.line} in {each.function}" for each in stack[-2 : -2 - _MOST_CALLS : -1]]
    if said.gb_id is not None:
        number = said.gb_id.removeprefix("GB").zfill(4)
        lines += ["", f"  {_SITE}gb{number}.html"]
    return "\n".join(lines) + "\n"


def _place(place: StackFrame) -> list[str]:
    source = linecache.getline(place.path, place.line).strip()
    return [f"  {place.path}:{place.line} in {place.function}", *([f"      {source}"] if source else [])]


def _wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        _WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
    )
