"""The one line that sums a report up, at the end of every format for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from compilelint.report.doubts import nothing_compiled
from compilelint.report.model import Finding, Report, Verdict
from compilelint.report.run_rules import NOTHING_COMPILED
from compilelint.report.telling import causes_of, is_inner
from compilelint.report.terminal.paint import Paint, plain
from compilelint.report.words import counted, effect_words, observation_words

_PACKAGES_NAMED = 3
"""Of packages that were not followed these are named, the others counted."""
_VERDICTS: dict[Verdict, str] = {
    "confirmed": "confirmed",
    "not-reached": "not reached",
    "refuted": "refuted",
}


def summary(report: Report, paint: Paint = plain) -> str:
    """What was found, in how many files, and what is left out; it ends in a full stop."""
    return _of_check(report, paint) if report.run is None else _of_run(report, paint)


def _unfollowed(packages: tuple[str, ...], functions: int) -> str:
    """What was not looked into, and how it is; without functions in regions only models of packages are compiled."""
    left = len(packages) - _PACKAGES_NAMED
    *most, last = (*packages[:_PACKAGES_NAMED], f"{left} more") if left > 0 else packages
    named = f"{', '.join(most)} and {last}" if most else last
    what = f"what they call of {named}" if functions else f"what is compiled of {named}"
    return f"{what} was not looked into (--follow {packages[0]})"


def _elsewhere(numbers: Mapping[str, int]) -> str:
    """What lies in the files of a model, where only the script was named that compiles it."""
    first, *others = numbers
    files = f"{first} and {counted(len(others), 'other file')}" if others else first
    named = "which were not named" if others else "which was not named"
    return f"{counted(sum(numbers.values()), 'hazard')} in what is compiled of {files}, {named}"


def is_about_comments(finding: Finding) -> bool:
    """Whether a finding is about the check itself: a suppression comment that suppresses nothing."""
    return finding.effect == "none"


def _of_check(report: Report, paint: Paint) -> str:
    regions = f"{counted(report.functions_in_regions, 'function')} in compiled regions"
    hazards = [finding for finding in report.findings if not is_about_comments(finding)]
    if hazards:
        effects = Counter(finding.effect for finding in hazards)
        by_number = sorted(effects.items(), key=lambda item: (-item[1], item[0]))
        kinds = ", ".join(f"{number} {effect_words(effect, number)}" for effect, number in by_number)
        touched = len({finding.path for finding in hazards})
        found = paint(f"Found {counted(len(hazards), 'hazard')}", "bold")
        lead = f"{found} ({kinds}) in {touched} of {counted(report.files, 'file')}"
        facts = [regions]
    elif report.functions_in_regions:
        found = "No new hazards" if report.in_baseline or report.on_unchanged_lines else "No hazards found"
        lead = f"{paint(found, 'good')}: {counted(report.files, 'file')}, {regions}"
        facts = []
    elif not report.files:
        lead = paint("Nothing was checked", "bold")
        facts = []
    else:
        lead = f"{paint('No hazards found', 'bold')}: nothing that {_defines(report.files)} is compiled"
        if report.followed:  # Then it need not be advised.
            lead += f", and no model of {' or '.join(report.followed)} is seen to be"
            facts = ["name roots with --root FILE.py::FUNCTION, or let a run tell: `compilelint trace PROGRAM.py`"]
        elif report.unfollowed:
            facts = []
        else:
            facts = [
                "name roots with --root FILE.py::FUNCTION, and a package whose model is compiled with --follow PACKAGE"
            ]
    if comments := len(report.findings) - len(hazards):
        facts.append(f"{counted(comments, 'suppression comment')} to mend")
    if report.hidden_low_confidence:
        facts.append(f"{report.hidden_low_confidence} more of low confidence (--min-confidence low)")
    if report.in_other_files:
        facts.append(_elsewhere(report.in_other_files))
    if report.unfollowed:
        facts.append(_unfollowed(report.unfollowed, report.functions_in_regions))
    if report.in_baseline:
        facts.append(f"{report.in_baseline} in the baseline")
    if report.on_unchanged_lines:
        facts.append(f"{report.on_unchanged_lines} on lines that did not change")
    if report.suppressed:
        facts.append(f"{report.suppressed} suppressed")
    if report.errors:
        facts.append(counted(len(report.errors), "error"))
    return "; ".join([lead, *facts]) + "."


def _defines(files: int) -> str:
    return f"{counted(files, 'file')} {'defines' if files == 1 else 'define'}"


def _of_run(report: Report, paint: Paint) -> str:
    shown = [each for each in causes_of(report) if not is_inner(each)]
    if shown:
        kinds = Counter(each.main.type for each in shown)
        parts = [f"{count} {observation_words(kind, count)}" for kind, count in kinds.most_common()]
        found = f"Found {counted(len(shown), 'cause')}"
        lead = f"{paint(found, 'bold')} ({', '.join(parts)})"
    elif report.run is None or not report.run.compilations:
        why = f"{nothing_compiled(report.run)} (`compilelint rule {NOTHING_COMPILED}`)"
        lead = f"{paint('Nothing was compiled', 'error')}: {why}"
    else:
        broke = "Nothing new broke" if report.in_baseline else "Nothing broke"
        lead = f"{paint(broke, 'good')}: no graph break, no recompile, no function left out"
    facts: list[str] = []
    if accepted := sum(each.accepted for each in report.observations):
        facts.append(f"{accepted} accepted")
    if report.in_baseline:
        facts.append(f"{report.in_baseline} in the baseline")
    verdicts = Counter(each.verdict for each in report.findings)
    told = [f"{verdicts[verdict]} {word}" for verdict, word in _VERDICTS.items() if verdicts[verdict]]
    if told:
        facts.append(f"hazards in source: {', '.join(told)}")
    if unpredicted := sum(each.is_unforeseen for each in shown):
        facts.append(f"{unpredicted} that no rule predicted")
    unchecked = sum(each.main.verdict is None and not each.main.accepted for each in shown)
    if report.files and unchecked:
        facts.append(f"{unchecked} in files that were not checked (see --check)")
    if report.run and report.run.unreadable:
        facts.append(paint("not all that Dynamo said could be read, so this proves nothing", "error"))
    if report.errors:
        facts.append(counted(len(report.errors), "error"))
    return "; ".join([lead, *facts]) + "."
