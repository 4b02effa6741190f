"""Asks TorchDynamo whether an example does what its marks say, and on which of its lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from compilelint.catalog.example_source import defines_root, statement_starts
from compilelint.catalog.model import Example, ModeName, Outcome
from compilelint.judging.each_line import Lines, run_each_line
from compilelint.judging.messages import Break, Failure
from compilelint.judging.recorder import Run
from compilelint.judging.run_example import run_example
from compilelint.report.model import Effect

MAX_REASON = 120
"""Characters of one reason that evidence keeps; old torches explain at length."""


@dataclass(frozen=True)
class Judgement:
    """One example in one mode: what Dynamo did, what that says of the hazard, where the marks are wrong."""

    run: Run
    outcome: Outcome
    disagreements: tuple[str, ...]


def judge(
    example: Example, effect: Effect, modes: Sequence[ModeName], elsewhere: frozenset[int] = frozenset()
) -> dict[ModeName, Judgement]:
    """Run one example in these modes. A script, which chooses its own, is run once, as "default".

    `elsewhere` are the marked lines that another version of torch shows: here they need not show anything.
    """
    if not defines_root(example.source):
        modes = ("default",)
    runs = run_example(example.source, modes)
    judged: dict[ModeName, Judgement] = {}
    for mode in sorted(modes, key=lambda mode: mode == "fullgraph"):
        run = runs[mode]
        known: tuple[int, ...] = ()
        if mode == "fullgraph" and run.failure is not None and "capture-shapes" in judged:
            known = judged["capture-shapes"].outcome.lines
        result = outcome(_each_line(example, effect, mode, run, known), example, effect)
        if result.hazard:
            result = replace(result, lines=tuple(sorted({*result.lines, *known})))
        found = tuple(disagreements(run, result, example, effect, mode, elsewhere))
        judged[mode] = Judgement(run, result, found)
    return judged


def _each_line(example: Example, effect: Effect, mode: ModeName, run: Run, known: tuple[int, ...]) -> Lines:
    """The run, and more of them to come to each marked line but those of which it is `known` what happens.

    Under fullgraph every break is an error, and Dynamo captures no more than with both flags: what breaks with them
    fails there, too.
    """
    if not example.hazard or run.script or effect not in ("graph-break", "compile-error"):
        return Lines((run,))
    starts = statement_starts(example.source)
    marked = frozenset(starts.get(line, line) for line, _, marked in example.marks if marked in _marks_in(mode))
    ends = frozenset(starts.get(line, line) for line in known)

    def run_again(source: str) -> Run:
        return run_example(source, (mode,))[mode]

    return run_each_line(example.source, marked, run, run_again, ends)


def outcome(measured: Lines, example: Example, effect: Effect) -> Outcome:
    """What the runs say about the hazard that the example stands for (for a clean one: about any)."""
    run = measured.runs[0]
    marked = tuple(sorted({line for line, _, _ in example.marks}))
    if run.broken is not None and len(measured.runs) == 1:
        return Outcome(False, reason=run.broken)
    failures = [each.failure for each in measured.runs if each.failure is not None]
    breaks = [found for each in measured.runs for found in each.breaks]
    seen: list[Break | Failure] = [*breaks, *failures]
    failed = bool(failures)
    result = Outcome(
        hazard=False,
        gb_ids=tuple(sorted({found.gb_id for found in seen if found.gb_id is not None})),
        reason=_reason(measured.runs),
        unknown=_as_marked(measured.unknown, example),
        dropped=bool(run.dropped) or any(found.drops_frame for found in breaks),
        recompiles=len(run.recompiles),
        error=run.failure.type if run.failure is not None else "",
    )
    if run.script and example.hazard:
        return replace(result, hazard=not failed, lines=() if failed else marked)
    if not example.hazard or effect == "graph-break":
        lines = _as_marked({found.line for found in seen if found.line is not None}, example)
        uncompiled = not example.hazard and not run.script and run.graphs == 0
        hazard = bool(breaks) or failed or uncompiled or (not example.hazard and bool(run.recompiles))
        return replace(result, hazard=hazard, lines=lines)
    if effect == "compile-error":
        lines = _as_marked({failure.line for failure in failures if failure.line is not None}, example)
        return replace(result, hazard=failed, lines=lines)
    shown = {
        "recompile": bool(run.recompiles) or failed,
        "wrong-result": run.wrong_result,
        "not-compiled": run.graphs == 0,
    }.get(effect, False)
    return replace(result, hazard=shown, lines=marked if shown else ())


def _as_marked(lines: Iterable[int], example: Example) -> tuple[int, ...]:
    """Of a statement that spans several lines, those that are marked; else its first."""
    starts = statement_starts(example.source)
    marked: dict[int, set[int]] = {}
    for line, _, _ in example.marks:
        marked.setdefault(starts.get(line, line), set()).add(line)
    found = {starts.get(line, line) for line in lines}
    return tuple(sorted(line for start in found for line in marked.get(start, {start})))


def _reason(runs: Sequence[Run]) -> str:
    reasons = [found.reason for run in runs for found in run.breaks]
    if not reasons:
        reasons = [f"{run.failure.type}: {run.failure.message}" for run in runs if run.failure is not None]
    if reasons:
        return "; ".join(dict.fromkeys(reason[:MAX_REASON] for reason in reasons))
    if recompiles := runs[0].recompiles:
        return f"{len(recompiles)} recompilations: {recompiles[-1]}"
    return "wrong result" if runs[0].wrong_result else ""


def disagreements(
    run: Run,
    result: Outcome,
    example: Example,
    effect: Effect,
    mode: ModeName,
    elsewhere: frozenset[int] = frozenset(),
) -> list[str]:
    """Why the marks of the example and this run cannot both be right; empty if they agree.

    Of marked lines that are shown `elsewhere`, by another version of torch, nothing is expected here.
    """
    if run.broken is not None:
        return [] if _is_shown(example, elsewhere) else [f"the example is broken: {run.broken}"]
    if run.script:
        return _script_disagreements(run, example, elsewhere)
    marked = {line for line, _, marked_mode in example.marks if marked_mode in _marks_in(mode)}
    expected = marked if mode == "default" else {line for line, _, marked_mode in example.marks if marked_mode == mode}
    if example.hazard:
        expected = {line for line in expected if line in result.lines or line not in elsewhere}
    if not expected and not example.hazard:
        return _clean_disagreements(result, mode)
    if not expected and mode != "default":
        return []
    problems = [f"marked, but {effect} was not seen"] if expected and not result.hazard else []
    statements = statement_starts(example.source)

    def begun(lines: Iterable[int | None]) -> set[int]:
        """Where the statements begin that these lines are of."""
        return {statements.get(line, line) for line in lines if line is not None}

    found, allowed = begun(result.lines), begun(marked)
    if mode == "fullgraph":
        return [*problems, f"fails{_at(found)}, where no mark is"] if found and not found & allowed else problems
    if effect in ("graph-break", "compile-error"):
        missing = begun(expected) - found - begun(result.unknown)
        if missing and not problems:
            problems.append(f"marked, but no break{_at(missing)}")
    else:
        found = begun(each.line for each in run.breaks)
    if extra := found - allowed:
        problems.append(f"Dynamo breaks{_at(extra)}, where no mark is: {result.reason}")
    if any(each.line is None for each in run.breaks):
        problems.append("a break has no frame in the example")
    if run.failure is not None and effect == "graph-break":
        problems.append(f"fails instead of breaking: {run.failure.type}: {run.failure.message}")
    return problems


def _marks_in(mode: ModeName) -> tuple[ModeName | None, ...]:
    return (None, mode)


def _is_shown(example: Example, lines: frozenset[int]) -> bool:
    """Whether any line that is marked is one of these."""
    return any(line in lines for line, _, _ in example.marks)


def _clean_disagreements(result: Outcome, mode: ModeName) -> list[str]:
    if mode not in ("default", "fullgraph") or not result.hazard:
        return []
    return [f"clean, but Dynamo says: {result.reason or 'nothing was compiled'}{_at(result.lines)}"]


def _script_disagreements(run: Run, example: Example, elsewhere: frozenset[int]) -> list[str]:
    if run.failure is not None:
        if _is_shown(example, elsewhere):
            return []
        where = f" at line {run.failure.line}" if run.failure.line else ""
        return [f"the script fails{where}: {run.failure.type}: {run.failure.message}"]
    if example.hazard:
        return []
    if run.breaks:
        lines = [found.line for found in run.breaks if found.line is not None]
        return [f"clean, but Dynamo breaks{_at(lines)}: {_reason([run])}"]
    return [f"clean, but recompiles: {_reason([run])}"] if run.recompiles else []


def _at(lines: Iterable[int]) -> str:
    ordered = sorted(lines)
    return f" at line {', '.join(map(str, ordered))}" if ordered else ""
