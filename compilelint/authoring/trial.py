"""A page held against checker and Dynamo: what each does on every line of its examples, and what disagrees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compilelint.authoring.dynamo import Answer, DynamoError, Outcomes, ask
from compilelint.authoring.evidence_file import update
from compilelint.authoring.subjects import subjects
from compilelint.catalog import Example, ModeName, Outcome, PageError, Rule, TargetError, load_page, resolve_target
from compilelint.catalog.evidence import outcome_to_json
from compilelint.catalog.example_source import defines_root
from compilelint.catalog.model import MODES
from compilelint.catalog.pages import RUN_GROUP
from compilelint.catalog.pythons import running_python
from compilelint.catalog.scaffold import unwritten
from compilelint.installed import EVIDENCE_FILE
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.project.config import Config
from compilelint.project.files import reason
from compilelint.project_rules import RulesError, project_rules
from compilelint.report.confidence import Confidence
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

_EXAMPLE_FILE = "example.py"


class TrialError(Exception):
    """A page cannot be tried; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class LineFound:
    """A line of an example at which something was expected or found."""

    line: int
    """Of the page."""
    source: str
    modes: tuple[ModeName, ...]
    """In which Dynamo did something there."""
    quiet: tuple[ModeName, ...]
    """In which it did nothing."""
    codes: tuple[str, ...]
    """What the checker finds there."""


@dataclass(frozen=True, slots=True)
class ExampleTrial:
    name: str
    hazard: bool
    lines: tuple[LineFound, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came out for one page. `problems` and `unwritten` have lines of the page."""

    page: Path
    rule: Rule
    torch: str
    examples: tuple[ExampleTrial, ...]
    outcomes: Outcomes
    problems: tuple[tuple[int, str], ...]
    unwritten: tuple[int, ...]


def try_pages(paths: Sequence[Path], config: Config) -> tuple[Trial, ...]:
    """Hold pages against the torch that is installed, and against the checker with all rules of the project.

    Raises TrialError.
    """
    pages = _read(dict.fromkeys(paths))
    try:
        project = project_rules(config).on_python(running_python())
        answer = ask(tuple(pages))
        target = resolve_target(answer.torch, project.measured)
    except (RulesError, DynamoError, TargetError) as error:
        raise TrialError(str(error)) from error
    others = project.judged_by(target).every
    return tuple(try_page(path, rule, others, answer, target) for path, rule in pages.items())


def record(trials: Iterable[Trial]) -> tuple[Path, ...]:
    """Write what Dynamo did into the evidence.json beside each page, of pages that nothing contradicts.

    The files that were written. Raises TrialError.
    """
    measured: dict[Path, dict[str, dict[str, dict[str, object]]]] = {}
    torch = ""
    for each in trials:
        if not each.problems:
            of_folder = measured.setdefault(each.page.absolute().parent / EVIDENCE_FILE, {})
            of_folder[each.rule.code] = {
                name: {mode: outcome_to_json(outcome) for mode, outcome in modes.items()}
                for name, modes in each.outcomes.items()
            }
            torch = each.torch
    for file, found in measured.items():
        try:
            update(file, torch, found)
        except OSError as error:
            raise TrialError(f"{file}: {reason(error)}") from error
        except ValueError as error:
            raise TrialError(f"{file}: {error}") from error
    return tuple(measured)


def _read(paths: Iterable[Path]) -> dict[Path, Rule]:
    try:
        rules = {path: load_page(path, {}) for path in paths}
    except PageError as error:
        raise TrialError(str(error)) from error
    except OSError as error:
        raise TrialError(f"{error.filename}: {reason(error)}") from error
    for path, rule in rules.items():
        same = [other for other in rules if rules[other].code == rule.code and other != path]
        if same:
            raise TrialError(f"{path} and {same[0]} have the same code")
    return rules


def try_page(path: Path, rule: Rule, others: Sequence[Rule], answer: Answer, target: str) -> Trial:
    """Hold a page against what Dynamo did with it, and against the checker with `others` beside it.

    `target` is the version whose evidence the others are judged by.
    """
    outcomes = answer.outcomes.get(rule.code, {})
    proofs = subjects(rule)
    tested = replace(
        rule,
        evidence={name: {target: modes} for name, modes in outcomes.items()},
        proofs={
            name: {subject: frozenset(lines) for subject, lines in found.items()} for name, found in proofs.items()
        },
    )
    rules = (*(other for other in others if other.code != rule.code), tested)
    problems = list(_clashes(rule, others))
    examples: list[ExampleTrial] = []
    for example in rule.examples:
        found = flagged(example, rules, target)
        modes = outcomes.get(example.name, {})
        problems += _unknown_marks(rule, example, others)
        problems += _of_dynamo(example, answer.disagreements.get(rule.code, {}).get(example.name, {}))
        problems += _of_checker(example, found, modes.get("default", Outcome(False)), rules)
        examples.append(ExampleTrial(example.name, example.hazard, tuple(_lines(example, found, modes))))
    text = path.read_text(encoding="utf-8")
    disagreements = tuple(sorted(dict.fromkeys(problems)))
    return Trial(path, rule, answer.torch, tuple(examples), outcomes, disagreements, unwritten(text))


def flagged(example: Example, rules: Sequence[Rule], target: str) -> set[tuple[int, str]]:
    """(Line of the example, code) of all that the checker finds and would show by default."""
    path = Path(_EXAMPLE_FILE)
    tree = SourceTree.load(path.parent, [SourceText(path.name, path, example.source)], [])
    roots = (f"{path.name}::f",) if defines_root(example.source) else ()
    analysis = analyze(tree, rules, AnalysisSettings(roots=roots, target_torch=target))
    if analysis.problems:
        raise TrialError(f"example {example.name!r}: {analysis.problems[0].message}")
    return {(finding.line, finding.code) for finding in analysis.findings if finding.confidence >= Confidence.MEDIUM}


def _clashes(rule: Rule, others: Sequence[Rule]) -> Iterator[tuple[int, str]]:
    for other in others:
        if (other.code == rule.code) is not (other.name == rule.name):
            yield 1, f"{other.code} {other.name} has the same {'code' if other.code == rule.code else 'name'}"


def _unknown_marks(rule: Rule, example: Example, others: Sequence[Rule]) -> Iterator[tuple[int, str]]:
    known = {other.code for other in others} | {rule.code}
    for line, code, _ in example.marks:
        if code not in known:
            yield _page_line(example, line), f"there is no rule {code}"


def _of_dynamo(example: Example, said: Mapping[ModeName, Sequence[str]]) -> Iterator[tuple[int, str]]:
    """What Dynamo contradicts; what it does in several modes is said once."""
    by_text: dict[str, list[str]] = {}
    for mode, texts in said.items():
        for text in texts:
            by_text.setdefault(text, []).append(mode)
    for text, modes in by_text.items():
        kind = "hazard" if example.hazard else "clean"
        yield example.page_line - 1, f"{kind} {example.name}, {', '.join(modes)}: {text}"


def _of_checker(
    example: Example, found: set[tuple[int, str]], default: Outcome, rules: Sequence[Rule]
) -> Iterator[tuple[int, str]]:
    """What the checker finds and no mark says, and the other way round where Dynamo does something."""
    findable = {rule.code for rule in rules if rule.group != RUN_GROUP}
    marked = {(line, code) for line, code, mode in example.marks if mode in (None, "default")}
    for line, code in sorted(found - marked):
        yield _page_line(example, line), f"the checker finds {code} here, and no mark says so"
    for line, code in sorted(marked - found):
        if line in default.lines and code in findable:
            yield _page_line(example, line), f"marked {code}, and the checker does not find it"


def _lines(example: Example, found: set[tuple[int, str]], modes: Mapping[ModeName, Outcome]) -> Iterator[LineFound]:
    source = example.source.splitlines()
    of_dynamo = {line for outcome in modes.values() for line in outcome.lines}
    for line in sorted({line for line, _, _ in example.marks} | {line for line, _ in found} | of_dynamo):
        yield LineFound(
            line=_page_line(example, line),
            source=source[line - 1].strip(),
            modes=tuple(mode for mode in MODES if mode in modes and line in modes[mode].lines),
            quiet=tuple(
                mode for mode in MODES if mode in modes and line not in modes[mode].lines + modes[mode].unknown
            ),
            codes=tuple(sorted(code for at, code in found if at == line)),
        )


def _page_line(example: Example, line: int) -> int:
    return example.page_line + line - 1


def render(trial: Trial, shown: str) -> str:
    """The trial as text: line by line what was found, then what disagrees. `shown` is what the page is called."""
    lines = [f"{shown} (torch {trial.torch})"]
    for example in trial.examples:
        lines.append(f"  {'hazard' if example.hazard else 'clean'} {example.name}")
        if not example.lines:
            lines.append("    nothing, in any mode")
        for each in example.lines:
            did = f"Dynamo: {', '.join(each.modes)}" if each.modes else "Dynamo: nothing"
            if each.modes and each.quiet:
                did += f" (not {', '.join(each.quiet)})"
            lines.append(f"    {each.line}: {each.source}")
            lines.append(f"      {did}; checker: {', '.join(each.codes) or 'nothing'}")
    if trial.unwritten:
        listed = ", ".join(map(str, trial.unwritten))
        lines.append(f"{shown}:{trial.unwritten[0]}: still to be written, at line {listed}")
    lines += [f"{shown}:{line}: {text}" for line, text in trial.problems]
    lines.append(f"{shown}: {_verdict(trial)}")
    return "\n".join(lines) + "\n"


def _verdict(trial: Trial) -> str:
    if not trial.problems:
        return "page, checker and Dynamo agree"
    return f"{len(trial.problems)} disagreement{'s'[: len(trial.problems) - 1]}"
