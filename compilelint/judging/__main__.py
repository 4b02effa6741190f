"""The judge's command, which runs in a process of its own: nothing else of compilelint imports torch.

    python -m compilelint.judging rules/CL101-tensor-item.md …
    python -m compilelint.judging --json PAGE …     # outcomes as evidence, and disagreements, one JSON document

For every example and mode it prints what Dynamo did, and whether that agrees with the marks. Exit
code 0 if all agree, 1 if something disagrees, 2 if a page cannot be read.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import torch

from compilelint.catalog.evidence import Evidence, lines_shown, outcome_to_json, parse_evidence
from compilelint.catalog.load import load_page
from compilelint.catalog.model import MODES, Example, ModeName
from compilelint.catalog.page_error import PageError
from compilelint.installed import EVIDENCE_FILE
from compilelint.judging.judge import Judgement, judge
from compilelint.judging.recorder import Run

TORCH = str(torch.__version__).partition("+")[0]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE.md")
    parser.add_argument("--mode", action="append", choices=MODES, help="only this mode (repeatable)")
    parser.add_argument("--example", action="append", help="only this example (repeatable)")
    parser.add_argument("--unmeasured", action="store_true", help="only what evidence.json lacks for this torch")
    parser.add_argument("--json", action="store_true", help="print the outcomes as evidence")
    options = parser.parse_args(arguments)
    answer = _keep_stdout() if options.json else sys.stdout
    modes: Sequence[ModeName] = options.mode or MODES
    evidence: dict[str, dict[str, dict[str, object]]] = {}
    disagreements: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
    status = 0
    for page in options.pages:
        try:
            rule = load_page(page, _evidence_beside(page))
        except (PageError, OSError, ValueError) as error:
            print(error, file=sys.stderr)
            status = 2
            continue
        for example in rule.examples:
            if options.example and example.name not in options.example:
                continue
            if options.unmeasured and TORCH in rule.evidence.get(example.name, {}):
                continue
            judged = judge(example, rule.effect, modes, lines_shown(rule, example.name, but=TORCH))
            for mode, judgement in judged.items():
                if judgement.disagreements:
                    status = max(status, 1)
                    of_rule = disagreements.setdefault(rule.code, {})
                    of_rule.setdefault(example.name, {})[mode] = judgement.disagreements
                if not options.json or judgement.disagreements:
                    _show(page, rule.code, example, mode, judgement, sys.stderr if options.json else sys.stdout)
            if any(told_nothing(judgement.run) for judgement in judged.values()):
                status = max(status, 1)
                continue
            evidence.setdefault(rule.code, {})[example.name] = {
                mode: outcome_to_json(judgement.outcome) for mode, judgement in judged.items()
            }
    if options.json:
        json.dump({"torch": TORCH, "evidence": evidence, "disagreements": disagreements}, answer)
        answer.flush()
    return status


def told_nothing(run: Run) -> bool:
    """Whether a run was killed, or lost the ground under it: that is no evidence of a torch that does nothing."""
    return run.broken is not None and run.broken_at is None


def _keep_stdout() -> TextIO:
    """Standard output for the answer alone: what examples and torch's libraries write there goes to standard error."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "w", encoding="utf-8")


def _evidence_beside(page: Path) -> Evidence:
    path = page.parent / EVIDENCE_FILE
    return parse_evidence(path.read_text(encoding="utf-8")) if path.exists() else {}


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
