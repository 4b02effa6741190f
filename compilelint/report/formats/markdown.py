"""Markdown for the summary of a GitHub job: what to mend first, in a table, and the rest to be unfolded.

GitHub takes 1 MiB for the summary of a step (docs.github.com, "Workflow commands").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from compilelint.report.alerts import Alert, alerts, by_gravity
from compilelint.report.doubts import doubts, remarks
from compilelint.report.finding_words import effect_of
from compilelint.report.formats import Look, Rendered
from compilelint.report.markdown_text import block, cell, code, in_html, inline, row
from compilelint.report.model import Budget, Report, Run, Verdict
from compilelint.report.order import ordered_errors
from compilelint.report.place import place, place_in_file, problem_place
from compilelint.report.summary import summary
from compilelint.report.words import amount, counted, observation_words, sentence

MOST_BYTES = 1024 * 1024
_AT_THE_END = 1024
"""Bytes that are kept free, for what is said of what is left out."""
_IN_ONE_BLOCK = 200
_UNFOLDED = 50
"""Causes that are told in full."""
_VERDICTS: dict[Verdict | None, str] = {
    "confirmed": "confirmed",
    "refuted": "refuted: traced, and nothing of the kind happened",
    "not-reached": "not reached",
    None: "neither confirmed nor refuted",
}


class _Block(NamedTuple):
    """Markdown that is shown whole or not at all."""

    text: str
    tells: int = 0
    """How many findings or causes are nowhere else."""


def render(report: Report, look: Look) -> Rendered:
    """The report, no heading larger than the third, as much of it as GitHub takes."""
    return within(MOST_BYTES, report)


def within(most: int, report: Report) -> Rendered:
    """The report in at most so many bytes of UTF-8."""
    blocks = [*(_of_check(report) if report.run is None else _of_run(report, report.run)), *_errors(report)]
    every = sum(each.tells for each in blocks)
    room = most - _AT_THE_END
    kept: list[str] = []
    told = 0
    for each in blocks:
        size = len(each.text.encode("utf-8", "backslashreplace")) + 2
        if size <= room:
            kept.append(each.text)
            told += each.tells
            room -= size
    left_out = f"a summary holds {most // 1024} KiB: {every - told} of {every} are left out" if told < every else ""
    said = [f"**… {inline(left_out)}**"] if left_out else []
    return Rendered("\n\n".join([*kept, *said]) + "\n", left_out)


def _of_check(report: Report) -> Iterator[_Block]:
    yield _Block("### compilelint check")
    yield _Block(f"**{inline(summary(report))}**")
    found = by_gravity(alerts(report))
    if found:
        yield _Block("\n".join(_rules(found)))
    by_file: dict[str, list[Alert]] = {}
    for each in found:
        by_file.setdefault(each.path, []).append(each)
    for path, of_file in by_file.items():
        yield from _file(path, sorted(of_file, key=lambda each: (each.cell or 0, each.line, each.column)))


def _rules(found: Sequence[Alert]) -> Iterator[str]:
    yield row("Rule", "", "Severity", "Effect", "Findings")
    yield row("---", "---", "---", "---", "---:")
    counts = Counter(each.rule for each in found)
    firsts: dict[str, Alert] = {}
    for each in found:
        firsts.setdefault(each.rule, each)
    for first in firsts.values():
        name, effect = (first.finding.name, effect_of(first.finding)) if first.finding else ("", "")
        yield row(first.rule, cell(name), first.severity, effect, str(counts[first.rule]))


def _file(path: str, found: Sequence[Alert]) -> Iterator[_Block]:
    for start in range(0, len(found), _IN_ONE_BLOCK):
        part = found[start : start + _IN_ONE_BLOCK]
        whole = len(part) == len(found)
        number = str(len(found)) if whole else f"{start + 1} to {start + len(part)} of {len(found)}"
        lines = [f"- `{place_in_file(each)}` {each.rule} {inline(each.message)}" for each in part]
        yield _Block(_folded(f"<code>{in_html(path)}</code>: {number}", "\n".join(lines)), len(part))


def _of_run(report: Report, run: Run) -> Iterator[_Block]:
    yield _Block("### compilelint trace")
    yield _Block(f"**{inline(summary(report))}**")
    for kind, found in (("WARNING", doubts(report)), ("NOTE", remarks(report))):
        if found:
            yield _Block("\n".join([f"> [!{kind}]", *(f"> {inline(sentence(each))}" for each in found)]))
    yield _Block(_what_ran(run))
    if run.budgets:
        yield _Block("\n".join(_budgets(run.budgets)))
    numbered = list(enumerate(alerts(report), start=1))
    if numbered:
        yield _Block("**What to change first**")
    for start in range(0, len(numbered), _IN_ONE_BLOCK):
        part = numbered[start : start + _IN_ONE_BLOCK]
        yield _Block("\n".join([*_columns(run), *(_cause(number, each, run) for number, each in part)]), len(part))
    for number, each in numbered[:_UNFOLDED]:
        yield _Block(_in_full(number, each))
    if report.findings:
        yield _Block("\n".join(_verdicts(report)))


def _what_ran(run: Run) -> str:
    torch = f"torch {run.torch}" if run.torch else "torch.compile was not loaded"
    ranks = f", {len(run.ranks)} ranks" if len(run.ranks) > 1 else ""
    first = f", first result after {run.first_result_seconds:.1f} s" if run.first_result_seconds is not None else ""
    compiled = f"{counted(run.compiled_frames, 'piece')} of code in {counted(run.compilations, 'compilation')}"
    return (
        f"{code(run.program)} ({inline(torch)}{ranks}; {inline(run.ended)}): "
        f"{compiled}, {run.compile_seconds:.1f} s{first}"
    )


def _budgets(budgets: Iterable[Budget]) -> Iterator[str]:
    yield row("Budget", "Allowed", "Found", "")
    yield row("---", "--:", "--:", "---")
    for each in budgets:
        yield row(each.name, amount(each.limit), amount(each.found), "**broken**" if each.broken else "kept")


def _columns(run: Run) -> Iterator[str]:
    several = len(run.ranks) > 1
    yield row("", "Where", "What happened", "Compiling", "Times", *(["Ranks"] if several else []), "Rule")
    yield row("--:", "---", "---", "--:", "--:", *(["---"] if several else []), "---")


def _cause(number: int, alert: Alert, run: Run) -> str:
    told = alert.told
    if told is None:
        return ""
    parts = (told.cause.main, *told.cause.others)
    ranks = sorted({rank for each in parts for rank in each.ranks})
    return row(
        str(number),
        code(place(alert), in_table=True),
        f"{observation_words(told.main.type)}: {cell(alert.message)}",
        f"{told.cause.compile_seconds:.1f} s",
        str(told.cause.hits),
        *([", ".join(map(str, ranks))] if len(run.ranks) > 1 else []),
        alert.rule,
    )


def _in_full(number: int, alert: Alert) -> str:
    title = f"{number}. <code>{in_html(place(alert))}</code> {in_html(alert.message)}"
    source = [block(alert.source_line.strip())] if alert.source_line.strip() else []
    notes = alert.told.notes if alert.told is not None else ()
    return _folded(title, "\n\n".join([*source, "\n".join(f"- {each}: {inline(text)}" for each, text in notes)]))


def _verdicts(report: Report) -> Iterator[str]:
    counts = Counter(each.verdict for each in report.findings)
    yield row("Hazards in source", "")
    yield row("---", "--:")
    for verdict, words in _VERDICTS.items():
        if counts[verdict]:
            yield row(words, str(counts[verdict]))


def _errors(report: Report) -> Iterator[_Block]:
    found = ordered_errors(report.errors)
    for start in range(0, len(found), _IN_ONE_BLOCK):
        part = found[start : start + _IN_ONE_BLOCK]
        lines = [f"- {code(problem_place(each))}: {inline(each.message)}" for each in part]
        yield _Block(_folded(f"{counted(len(part), 'file or line')} that could not be checked", "\n".join(lines)))


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"
