"""Asks TorchDynamo whether the examples of rule pages do what their marks say.

    python tools/dynamo_judge.py rules/CL101-tensor-item.md …
    python tools/dynamo_judge.py --json PAGE …     # outcomes as evidence, one JSON document

For every example and mode it prints what Dynamo did, and whether that agrees with the marks. Exit
code 0 if all agree, 1 if something disagrees, 2 if a page cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from compilelint.catalog.evidence import outcome_to_json, source_hash
from compilelint.catalog.model import Example, ModeName, Outcome
from compilelint.catalog.pages import MODES, PageError, parse_page
from compilelint.report.model import Effect
from tools.dynamo_recorder import Run
from tools.example_source import defines_root, statement_starts
from tools.run_example import run_example


@dataclass(frozen=True)
class Judgement:
    """One example in one mode: what Dynamo did, what that says of the hazard, where the marks are wrong."""

    run: Run
    outcome: Outcome
    disagreements: tuple[str, ...]


def judge(example: Example, effect: Effect, modes: Sequence[ModeName]) -> dict[ModeName, Judgement]:
    """Run one example in these modes. A script, which chooses its own, is run once, as "default"."""
    if not defines_root(example.source):
        modes = ("default",)
    runs = run_example(example.source, modes)
    judged = {}
    for mode in modes:
        run = runs[mode]
        result = outcome(run, example, effect)
        judged[mode] = Judgement(run, result, tuple(disagreements(run, result, example, effect, mode)))
    return judged


def outcome(run: Run, example: Example, effect: Effect) -> Outcome:
    """What a run says about the hazard that the example stands for (for a clean one: about any)."""
    marked = tuple(sorted({line for line, _, _ in example.marks}))
    break_lines = tuple(sorted({found.line for found in run.breaks if found.line is not None}))
    if run.failure is not None and run.failure.line is not None:
        break_lines = tuple(sorted({*break_lines, run.failure.line}))
    gb_ids = {found.gb_id for found in run.breaks} | {run.failure.gb_id if run.failure else None}
    ids = tuple(sorted(gb_id for gb_id in gb_ids if gb_id is not None))
    if run.broken is not None:
        return Outcome(False, reason=run.broken)
    failed = run.failure is not None
    reason = _reason(run)
    if run.script and example.hazard:
        return Outcome(not failed, () if failed else marked, ids, reason)
    if not example.hazard or effect == "graph-break":
        uncompiled = not example.hazard and not run.script and run.graphs == 0
        hazard = bool(run.breaks) or failed or uncompiled or (not example.hazard and bool(run.recompiles))
        return Outcome(hazard, break_lines, ids, reason)
    if effect == "compile-error":
        return Outcome(failed, break_lines if failed else (), ids, reason)
    shown = {
        "recompile": bool(run.recompiles) or failed,
        "wrong-result": run.wrong_result,
        "not-compiled": run.graphs == 0,
    }.get(effect, False)
    return Outcome(shown, marked if shown else (), ids, reason)


def _reason(run: Run) -> str:
    if run.breaks:
        return "; ".join(dict.fromkeys(found.reason for found in run.breaks))
    if run.failure is not None:
        return f"{run.failure.type}: {run.failure.message}"
    if run.recompiles:
        return f"{len(run.recompiles)} recompilations: {run.recompiles[-1]}"
    return "wrong result" if run.wrong_result else ""


def disagreements(run: Run, result: Outcome, example: Example, effect: Effect, mode: ModeName) -> list[str]:
    """Why the marks of the example and this run cannot both be right; empty if they agree."""
    if run.broken is not None:
        return [f"the example is broken: {run.broken}"]
    if run.script:
        return _script_disagreements(run, example)
    statements = statement_starts(example.source)
    marked = {line for line, _, marked_mode in example.marks if marked_mode in _marks_in(mode)}
    expected = {line for line, _, marked_mode in example.marks if marked_mode == mode}
    if mode == "default":
        expected = marked
    if mode != "default" and example.hazard and not expected:
        return []
    if not example.hazard and not expected:
        if mode not in ("default", "fullgraph") or not result.hazard:
            return []
        return [f"clean, but Dynamo says: {result.reason or 'nothing was compiled'}{_at(result.lines)}"]
    found = {statements.get(line, line) for line in result.lines}
    wanted = {statements.get(line, line) for line in expected}
    allowed = {statements.get(line, line) for line in marked}
    problems: list[str] = []
    if bool(expected) != result.hazard and expected:
        problems.append(f"marked, but {effect} was not seen")
    if mode == "fullgraph":  # the first error ends the run
        if found and not found & allowed:
            problems.append(f"fails{_at(found)}, where no mark is")
        return problems
    if effect in ("graph-break", "compile-error"):
        missing = wanted - found
        if missing and not problems and (effect == "graph-break" or not found):
            problems.append(f"marked, but no break{_at(missing)}")
    else:
        found = {
            statements.get(found_break.line, found_break.line)
            for found_break in run.breaks
            if found_break.line is not None
        }
    if extra := found - allowed:
        problems.append(f"Dynamo breaks{_at(extra)}, where no mark is: {result.reason}")
    if any(found_break.line is None for found_break in run.breaks):
        problems.append("a break has no frame in the example")
    if run.failure is not None and effect == "graph-break":
        problems.append(f"fails instead of breaking: {run.failure.type}: {run.failure.message}")
    return problems


def _marks_in(mode: ModeName) -> tuple[ModeName | None, ...]:
    return (None, mode)


def _script_disagreements(run: Run, example: Example) -> list[str]:
    if run.failure is not None:
        where = f" at line {run.failure.line}" if run.failure.line else ""
        return [f"the script fails{where}: {run.failure.type}: {run.failure.message}"]
    if example.hazard:
        return []
    if run.breaks:
        lines = [found.line for found in run.breaks if found.line is not None]
        return [f"clean, but Dynamo breaks{_at(lines)}: {_reason(run)}"]
    return [f"clean, but recompiles: {_reason(run)}"] if run.recompiles else []


def _at(lines: Iterable[int]) -> str:
    ordered = sorted(lines)
    return f" at line {', '.join(map(str, ordered))}" if ordered else ""


def notes(code: str, example: Example, judged: Mapping[ModeName, Judgement]) -> list[str]:
    """What is no contradiction but makes evidence blunt: a mode in which only some of the marks hold.

    A run that ended in an error tells nothing about the lines after it.
    """
    default, captured = judged.get("default"), judged.get("capture-shapes")
    if default is None or captured is None or captured.run.failure is not None:
        return []
    statements = statement_starts(example.source)
    own = {statements.get(line, line) for line, marked, mode in example.marks if (marked, mode) == (code, None)}
    before, after = (own & {statements.get(line, line) for line in each.outcome.lines} for each in (default, captured))
    gone = before - after
    if not after or not gone:
        return []
    return [f"under the capture flags nothing happens{_at(gone)}, but elsewhere it does: split the example"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE.md")
    parser.add_argument("--mode", action="append", choices=MODES, help="only this mode (repeatable)")
    parser.add_argument("--example", action="append", help="only this example (repeatable)")
    parser.add_argument("--json", action="store_true", help="print the outcomes as evidence")
    options = parser.parse_args(arguments)
    modes: Sequence[ModeName] = options.mode or MODES
    evidence: dict[str, dict[str, dict[str, object]]] = {}
    contradicted: set[str] = set()
    status = 0
    for page in options.pages:
        try:
            rule = parse_page(page.read_text(encoding="utf-8"), str(page))
        except (PageError, OSError, UnicodeError) as error:
            print(error, file=sys.stderr)
            status = 2
            continue
        for example in rule.examples:
            if options.example and example.name not in options.example:
                continue
            judged = judge(example, rule.effect, modes)
            for mode, judgement in judged.items():
                if judgement.disagreements:
                    status = max(status, 1)
                    contradicted.add(rule.code)
                if not options.json or judgement.disagreements:
                    _show(page, rule.code, example, mode, judgement, sys.stderr if options.json else sys.stdout)
            if not options.json:
                for note in notes(rule.code, example, judged):
                    print(f"      note: {note}")
            evidence.setdefault(rule.code, {})[example.name] = {
                "source": source_hash(example),
                **{mode: outcome_to_json(judgement.outcome) for mode, judgement in judged.items()},
            }
    if options.json:
        json.dump({"evidence": evidence, "contradicted": sorted(contradicted)}, sys.stdout)
    return status


def _show(page: Path, code: str, example: Example, mode: ModeName, judgement: Judgement, out: TextIO) -> None:
    run, problems = judgement.run, judgement.disagreements
    kind = "hazard" if example.hazard else "clean"
    verdict = "ok  " if not problems else "FAIL"
    print(f"{verdict} {code} {kind} {example.name} [{mode}] graphs={run.graphs}", file=out)
    for found in run.breaks:
        dropped = " (frame dropped)" if found.drops_frame else ""
        print(f"      break line {found.line} {found.gb_id or '-'} {found.reason}{dropped}", file=out)
    if run.failure is not None:
        failure = run.failure
        print(
            f"      error line {failure.line} {failure.gb_id or '-'} {failure.type}: {failure.message}",
            file=out,
        )
    for guards in run.recompiles:
        print(f"      recompile {guards}", file=out)
    if run.wrong_result:
        print("      result differs from eager", file=out)
    for problem in problems:
        print(f"      {page}:{example.page_line}: {problem}", file=out)


if __name__ == "__main__":
    sys.exit(main())
