"""A cause in words, as every format for people tells it: where to look, what happened, what it cost, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from compilelint.report.causes import Cause, causes
from compilelint.report.follows import after_break, short_path, told_at, what_else
from compilelint.report.model import Finding, Observation, Report, Run
from compilelint.report.run_rules import RUN_RULES
from compilelint.report.stack import StackFrame, is_of_torch, package_that_led_to
from compilelint.report.verdicts.recompiles import is_about_first
from compilelint.report.verdicts.wording import span

WORTH_TELLING = 0.05
"""Seconds: what compiled faster than this is not told by its time."""
_STEPS = 4
_LONGEST_TITLE = 120
_LONGEST_NAME = 48


@dataclass(frozen=True, slots=True)
class Told:
    """A cause, and what is said of it. Texts are as they come: each format escapes what it must."""

    cause: Cause
    main: Observation
    """That of the cause, at the place where a reader is to look: the user's own call, if a rule is about that."""
    finding: Finding | None
    """What predicted it."""
    said: str
    """One sentence, without a full stop."""
    cost: str
    """How often, and how long it was compiled: `3 times, 0.4 s of compiling`."""
    notes: tuple[tuple[str, str], ...]
    """What else is to be known, each with its title: `worse`, `ranks`, `also`, `after`, `inside`, `reached`, `help`,
    `dynamo`, and at last `check` or `rule`."""

    @property
    def rule(self) -> str:
        """The code of the rule to read about it."""
        return self.finding.code if self.finding is not None else RUN_RULES[self.main.type]

    @property
    def columns(self) -> tuple[int, int | None]:
        """What to mark in the line of source: first column, and the one behind the last, None for the line's end."""
        finding, main = self.finding, self.main
        if finding and finding.path == main.path and finding.line == main.line:
            return finding.column, finding.end_column if finding.end_line == finding.line else None
        text = main.source_line
        return len(text) - len(text.lstrip()) + 1, None


def causes_of(report: Report) -> tuple[Cause, ...]:
    """Those of a run that no comment accepts, the one to change first on top."""
    return causes(each for each in report.observations if not each.accepted)


def is_inner(cause: Cause) -> bool:
    """Whether torch or Python did it to itself: there is nothing to change, and one line is enough."""
    return cause.main.severity == "info" and cause.main.type != "repeated-blocks"


def told(cause: Cause, findings: Mapping[str, Finding], run: Run) -> Told:
    """What is said of a cause. `findings` are those of the report, by fingerprint."""
    finding = _predicted_by(cause, findings)
    main, inside = cause.main, ""
    if finding is not None and _is_below(main, finding):
        reason = f": {main.reason}" if _is_said_apart(finding, main) else ""  # else said above
        inside = f"{short_path(main.path)}:{main.line}{reason}"
        main = replace(main, path=finding.path, line=finding.line, source_line=finding.source_line)
        cause = replace(cause, main=main)
    elif (finding is None or not finding.library) and (place := told_at(main)).path != main.path:
        inside = f"{short_path(main.path)}:{main.line}"
        main = replace(main, path=place.path, line=place.line, function=place.function, source_line=main.leading_line)
        cause = replace(cause, main=main)
    return Told(
        cause=cause,
        main=main,
        finding=finding,
        said=finding.message if finding is not None and _speaks_for(finding, main) else _reason(main),
        cost=_cost(cause),
        notes=(
            *((("inside", inside),) if inside else ()),
            *_notes(cause, finding, run),
            _read_on(cause, finding, findings),
        ),
    )


def _reason(observation: Observation) -> str:
    """What happened; of a part after a break also that it is not about the line that is shown, which broke."""
    frame = observation.frame
    is_part = observation.type == "recompile" and frame is not None and " (after line " in frame.function
    return f"after this line, {observation.reason}" if is_part else observation.reason


def _predicted_by(cause: Cause, findings: Mapping[str, Finding]) -> Finding | None:
    """What predicted a cause, or part of it."""
    predicted = (findings.get(each.finding or "") for each in cause.predictable)
    return next((finding for finding in predicted if finding is not None), None)


def _is_below(observation: Observation, finding: Finding) -> bool:
    """Whether a break is in somebody else's code, below the user's line that the finding is about."""
    owner = observation.owner
    return (
        observation.type in ("graph-break", "compile-error")
        and owner is not None
        and finding.path == owner.path != observation.path
        and finding.line <= owner.line <= finding.end_line
    )


def _is_said_apart(finding: Finding, observation: Observation) -> bool:
    """Whether what Dynamo says is not what the block begins with: an error is told in its own words."""
    return not finding.library and observation.type == "graph-break"


def _speaks_for(finding: Finding, observation: Observation) -> bool:
    """Whether the rule's words are the better ones: they are about this very line of source.

    Those of a finding in a package are about the first of its places.
    """
    return (
        not finding.library
        and _at(finding, observation)
        and observation.type not in ("compile-error", "repeated-blocks")
    )


def _at(finding: Finding, observation: Observation) -> bool:
    return finding.path == observation.path and finding.line <= observation.line <= finding.end_line


def _notes(cause: Cause, finding: Finding | None, run: Run) -> Iterator[tuple[str, str]]:
    main = cause.main
    if main.frame_dropped and main.type == "graph-break":
        yield "worse", _dropped(main)
    ranks = sorted({rank for each in (main, *cause.others) for rank in each.ranks})
    if len(run.ranks) > 1 and ranks != list(run.ranks):
        listed = ", ".join(map(str, ranks))
        yield (
            "ranks",
            f"only rank{'s'[: len(ranks) - 1]} {listed} of {len(run.ranks)}: the others wait meanwhile",
        )
    for also in what_else(cause):
        yield "also", also
    if cause.after is not None:
        yield "after", after_break(cause.after, main)
    if main.type != "repeated-blocks" and (route := _route(_knows_way(cause))):  # that is at the call itself
        yield "reached", route
    counted_blocks = main.type == "repeated-blocks"  # only the run has the names and the number
    if counted_blocks or not finding:
        advice = [_advice(cause)]
    elif is_about_first(main, finding):
        advice = [finding.suggestion or main.advice]
    else:
        advice = [_advice(cause), f"For `{span(finding)}`: {finding.suggestion}" if finding.suggestion else ""]
    for each in filter(None, advice):
        yield "help", each
    if named := _dynamo(main):
        yield "dynamo", named


def _advice(cause: Cause) -> str:
    """What to do; of a limit what its recompiles say together, which know all values that there were."""
    return next(_led_to_limit(cause), cause.main).advice or cause.main.advice


def _knows_way(cause: Cause) -> Observation:
    """What tells the way: of a limit one of its recompiles, which know the line that asks for what changed."""
    main = cause.main
    here = (each for each in _led_to_limit(cause) if (each.path, each.line) == (main.path, main.line))
    return next(here, main)


def _led_to_limit(cause: Cause) -> Iterator[Observation]:
    """The recompiles for what a limit is about."""
    if cause.main.type == "recompile-limit":
        yield from (each for each in cause.others if each.type == "recompile" and each.variable == cause.main.variable)


def _read_on(cause: Cause, finding: Finding | None, findings: Mapping[str, Finding]) -> tuple[str, str]:
    """Which rule predicted it, or the break that it follows from, and which page tells of it."""
    if finding is not None:
        where = "" if _at(finding, cause.main) else f" at {short_path(finding.path)}:{finding.line}"
        return "check", f"{finding.code} {finding.name}{where} is confirmed; `compilelint rule {finding.code}`"
    page = RUN_RULES[cause.main.type]
    leading = findings.get(cause.after.finding or "") if cause.after is not None else None
    if leading is not None:
        led = f"follows from {leading.code} {leading.name} at {short_path(leading.path)}:{leading.line}"
        return "rule", f"{page}: {led}, which is confirmed; `compilelint rule {page}`"
    return "rule", f"{page}:{_unforeseen(cause.main)} `compilelint rule {page}`"


def _unforeseen(observation: Observation) -> str:
    """Why no rule is named: none predicted it, or nobody looked."""
    if observation.verdict:
        return " no rule predicted it;"
    package = package_that_led_to(observation.path, observation.stack[observation.inside :])
    return f" {package} was not checked (with `--follow {package}` it is);" if package else ""


def _dropped(observation: Observation) -> str:
    why = f"{', '.join(observation.aggravated_by)}: " if observation.aggravated_by else ""
    named = [f"all of `{frame.function}` ({_place(frame)})" for frame in observation.dropped]
    shown, more = named[:_STEPS], len(named) - _STEPS
    whole = ", ".join(shown) + (f" and {more} more" if more > 0 else "") or "the whole function"
    return f"{why}Dynamo drops {whole}, which {'run' if len(named) > 1 else 'runs'} without torch.compile"


def _route(observation: Observation) -> str:
    """The compile call, then the frames inside of it, as far as they tell more than the place itself.

    Of many the last are told, and the user's own line from which on a library's follow. Where none is the user's own,
    also the line of theirs that led there.
    """
    inside = [frame for frame in observation.stack[observation.inside :] if not is_of_torch(frame)]
    if inside and (inside[-1].path, inside[-1].line) == (observation.path, observation.line):
        inside = inside[:-1]
    steps = [*_hidden(inside[:-_STEPS], observation.owner), *map(_step, inside[-_STEPS:])]
    steps = [step for step, _ in groupby(steps)]  # two parts of a function may be at the same line
    call = re.sub(r"^(.+?)(?=:\d+ )", lambda found: short_path(found[1]), observation.compiled_by)
    if _is_told_by_caller(observation):
        assert observation.owner is not None
        steps.insert(0, f"{_place(observation.owner)} {observation.owner.function}")
    return " → ".join([*([call] if call else []), *steps])


def _hidden(frames: Sequence[StackFrame], owner: StackFrame | None) -> Iterator[str]:
    """How many frames are left out, and between them that of the user's own line, if it is one of them."""
    own = [
        index for index, frame in enumerate(frames) if owner and (frame.path, frame.line) == (owner.path, owner.line)
    ]
    if not own:
        yield from _more(len(frames))
        return
    last = own[-1]
    yield from (*_more(last), _step(frames[last]), *_more(len(frames) - last - 1))


def _more(count: int) -> tuple[str, ...]:
    return (f"({count} more)",) if count else ()


def _step(frame: StackFrame) -> str:
    return f"{_place(frame)} {frame.function}"


def _is_told_by_caller(observation: Observation) -> bool:
    """Whether a library compiles, and is compiled: `trainer.train()` is all that the user knows of."""
    owner, callers = observation.owner, observation.stack[: observation.inside]
    return owner is not None and owner in callers and not observation.compiled_by.startswith(f"{owner.path}:")


def _place(frame: StackFrame) -> str:
    return f"{short_path(frame.path)}:{frame.line}"


def _dynamo(observation: Observation) -> str:
    """What to look for in Dynamo's own words."""
    title = " ".join(observation.title.split())
    if observation.type == "graph-break":
        # Before 2.7 some titles are a paragraph with links; what says most comes first.
        short = title if len(title) <= _LONGEST_TITLE else title.partition(". ")[0]
        return f"{observation.gb_id} {title}" if observation.gb_id else short
    return f"guard {title}" if observation.type == "recompile" and title else ""


def _cost(cause: Cause) -> str:
    main = cause.main
    if main.type == "repeated-blocks":  # how much of it the blocks would save is not known
        return f"{cause.compile_seconds:.1f} s of compiling the whole model"
    # Breaks of one line that one rule predicted count together; recompiles have a note of their own.
    breaks = [each for each in cause.others if each.type == main.type == "graph-break"]
    hits, after = (
        sum(counts) for counts in zip(*((each.hits, each.hits_after_warmup) for each in (main, *breaks)), strict=True)
    )
    parts = ["once" if hits == 1 else f"{hits} times"]
    if main.source_line.lstrip().startswith("@"):  # a function begins at its first decorator, which names none
        whole = len(main.function) <= _LONGEST_NAME
        parts.insert(0, f"`{main.function if whole else main.function.rpartition('<locals>.')[2]}`")
    if after != hits:
        parts.append(f"{after} after warm-up")
    if cause.compile_seconds >= WORTH_TELLING:
        parts.append(f"{cause.compile_seconds:.1f} s of compiling")
    return ", ".join(parts)
