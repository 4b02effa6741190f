"""One check, from what the user asked for to the report."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from compilelint import catalog
from compilelint.catalog.model import Rule
from compilelint.catalog.pages import RUN_GROUP
from compilelint.match.analysis import Analysis, AnalysisSettings, analyze
from compilelint.project.config import Config, ConfigError, Roots, find_config, read_config
from compilelint.project.discovery import Selection, discover, discover_stdin
from compilelint.project.files import (
    SourceFile,
    Unreadable,
    decode_source,
    project_name,
    read_source,
)
from compilelint.project.packages import PackageError, find_environments, find_packages
from compilelint.project.patterns import matcher
from compilelint.project.root import absolute, meeting_point
from compilelint.project.suppressions import (
    UNUSED_CODE,
    UNUSED_NAME,
    complaints,
    read_suppressions,
    suppress,
)
from compilelint.project_rules import ProjectRules, RulesError, project_rules
from compilelint.regions import RootError
from compilelint.report.confidence import Confidence
from compilelint.report.fingerprint import assign
from compilelint.report.model import Finding, Problem, Report
from compilelint.report.order import ordered_errors, ordered_findings
from compilelint.source.library import Library
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

_T = TypeVar("_T")
Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""

UNUSED_SUPPRESSION = Rule(
    code=UNUSED_CODE,
    name=UNUSED_NAME,
    group="suppressions",
    effect="none",
    severity="info",
    message="nothing to suppress here",
    suggestion="Remove the comment.",
    matches=(),
    examples=(),
    prose="",
)
"""Stands among the rules so that it can be selected and ignored; it is about comments, so it has no page."""


class CheckError(Exception):
    """What was asked for cannot be done; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the command line says. None and () leave a thing to the configuration."""

    paths: tuple[Path, ...] = (Path("."),)
    stdin_filename: Path | None = None
    config_file: Path | None = None
    isolated: bool = False
    """Read no configuration file."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    respect_gitignore: bool | None = None
    force_exclude: bool | None = None
    root: tuple[str, ...] = ()
    """`path.py::Qual.name`, the path relative to the current directory."""
    roots: Roots | None = None
    target_torch: str | None = None
    min_confidence: Confidence | None = None
    follow: tuple[str, ...] = ()
    """Packages to follow into, beside those that the configuration names."""
    python: Path | None = None
    """The environment in which they are installed, or its interpreter."""
    exit_zero: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The report, the directory that its paths are relative to, and the exit code of design section 7."""

    report: Report
    root: Path
    exit_code: int
    accepted: tuple[Finding, ...] = ()
    """What comments suppress: a run that shows it is told so, and it counts for nothing."""
    warnings: tuple[str, ...] = ()
    """What its user should know and no finding says."""


@dataclass(frozen=True, slots=True)
class _Judged:
    shown: tuple[Finding, ...]
    hidden: int
    suppressed: tuple[Finding, ...]


def run_check(options: CheckOptions, *, stdin: bytes | None = None, progress: Progress | None = None) -> CheckResult:
    """Checks what the options name, or the source given as `stdin`. Raises CheckError.

    `progress` is called as the analysis goes on.
    """
    started = time.perf_counter()
    config = _config(options)
    project = _project_rules(config)
    target = _target(project, config, options)
    rules = (UNUSED_SUPPRESSION, *project.judged_by(target).every)
    active = _active(rules, config, options)
    selection = _selection(options, config, stdin is not None)
    checked, unreadable = _read(selection.checked, stdin)
    context, _ = _read(selection.context, None)
    tree = SourceTree.load(selection.root, checked, context, _library(options, config, selection.root))
    settings = AnalysisSettings(
        roots=_named_roots(options, config, selection.root),
        explicit_only=config.roots == "explicit",
        target_torch=target,
    )
    pages = tuple(rule for rule in active if rule is not UNUSED_SUPPRESSION)
    try:
        analysis = analyze(tree, pages, settings, progress)
    except RootError as error:
        raise CheckError(str(error)) from error
    # Seen from other roots than the project's own, a comment that holds something seems to hold nothing.
    complain = not options.root and options.roots is None and (stdin is None or options.stdin_filename is not None)
    judged = _judged(analysis, checked, rules, active, config, complain)
    report = Report(
        target_torch=target,
        files=len(checked),
        functions_in_regions=analysis.functions_in_regions,
        duration_s=time.perf_counter() - started,
        findings=ordered_findings(judged.shown),
        errors=ordered_errors([*selection.problems, *unreadable, *analysis.problems]),
        hidden_low_confidence=judged.hidden,
        suppressed=len(judged.suppressed),
    )
    exit_code = _exit_code(report, selection.named, options.exit_zero)
    return CheckResult(report, selection.root, exit_code, judged.suppressed, tuple(project.unproven(target)))


def seen_from(result: CheckResult, directory: Path) -> Report:
    """The report with paths as they are called from a directory, for people who click on them."""
    if absolute(directory) == result.root:
        return result.report

    def seen(name: str) -> str:
        return project_name(result.root / name, absolute(directory)) if name != "-" else name

    def step_seen(step: str) -> str:
        place = re.match(r"(.+?\.py)(?=:\d)", step)
        return seen(place[1]) + step[place.end() :] if place else step

    report = result.report
    findings = tuple(
        replace(each, path=seen(each.path), reached_from=tuple(map(step_seen, each.reached_from)))
        for each in report.findings
    )
    errors = tuple(replace(each, path=seen(each.path)) for each in report.errors)
    return replace(report, findings=findings, errors=errors)


def _config(options: CheckOptions) -> Config:
    """The configuration file's word, and the command line's above it."""
    try:
        if options.config_file is not None:
            config = read_config(options.config_file)
        elif not options.isolated and (file := find_config(meeting_point(_anchors(options)))):
            config = read_config(file)
        else:
            config = Config()
        matcher(options.exclude)
    except ConfigError as error:
        raise CheckError(str(error)) from error
    except re.error as error:
        raise CheckError(f"--exclude: not a path pattern: {error}") from error
    return replace(
        config,
        # Ruff's `--exclude` replaces the list; here .venv stays excluded whatever else is.
        extend_exclude=(*config.extend_exclude, *options.exclude),
        respect_gitignore=_first(options.respect_gitignore, config.respect_gitignore),
        force_exclude=_first(options.force_exclude, config.force_exclude),
        roots=_first(options.roots, config.roots),
        min_confidence=_first(options.min_confidence, config.min_confidence),
    )


def _first(asked: _T | None, configured: _T) -> _T:
    return configured if asked is None else asked


def _anchors(options: CheckOptions) -> tuple[Path, ...]:
    """The paths that say which project this is."""
    return (options.stdin_filename,) if options.stdin_filename else options.paths


def _selection(options: CheckOptions, config: Config, from_stdin: bool) -> Selection:
    if from_stdin:
        return discover_stdin(options.stdin_filename, config)
    return discover(options.paths, config)


def _read(files: Iterable[SourceFile], stdin: bytes | None) -> tuple[list[SourceText], list[Problem]]:
    texts: list[SourceText] = []
    problems: list[Problem] = []
    for file in files:
        try:
            text = read_source(file.path) if stdin is None else decode_source(stdin)
        except Unreadable as error:
            problems.append(Problem(file.name, error.message, error.line))
        else:
            texts.append(SourceText(file.name, file.path, text))
    return texts, problems


def _library(options: CheckOptions, config: Config, root: Path) -> Library:
    """The packages to follow into."""
    names = tuple(dict.fromkeys((*config.follow, *options.follow)))
    if not names:
        return Library()
    configured = config.file.parent / config.python if config.file is not None and config.python is not None else None
    try:
        environments = find_environments(_first(options.python, configured), root, os.environ)
        packages = find_packages(names, environments)
    except PackageError as error:
        raise CheckError(f"follow: {error}") from error
    return Library({name: absolute(path) for name, path in packages.items()}, _text_of)


def _text_of(path: Path) -> str | None:
    try:
        return read_source(path)
    except Unreadable:
        return None


def _project_rules(config: Config) -> ProjectRules:
    try:
        return project_rules(config)
    except RulesError as error:
        raise CheckError(str(error)) from error


def _active(rules: Sequence[Rule], config: Config, options: CheckOptions) -> tuple[Rule, ...]:
    """The rules that are on. `--select` sets aside what the configuration says, the other two add to it."""
    try:
        configured = catalog.select(rules, config.select, config.ignore, config.extend_select)
    except catalog.SelectionError as error:
        raise CheckError(f"{config.file}: {error}") from error
    try:
        if options.select:
            return catalog.select(rules, options.select, options.ignore, options.extend_select)
        extended = catalog.select(rules, options.extend_select) if options.extend_select else ()
        ignored = catalog.select(rules, options.ignore) if options.ignore else ()
    except catalog.SelectionError as error:
        raise CheckError(str(error)) from error
    return tuple(rule for rule in rules if (rule in configured or rule in extended) and rule not in ignored)


def _target(rules: ProjectRules, config: Config, options: CheckOptions) -> str:
    try:
        return catalog.resolve_target(_first(options.target_torch, config.target_torch), rules.measured)
    except catalog.TargetError as error:
        configured = options.target_torch is None and config.target_torch is not None
        raise CheckError(f"{config.file}: {error}" if configured else str(error)) from error


def _named_roots(options: CheckOptions, config: Config, root: Path) -> tuple[str, ...]:
    """`path.py::Qual.name`, relative to the project root; the command line's replace the configured."""
    return tuple(_relative_to_root(spec, root) for spec in options.root) or config.root


def _relative_to_root(spec: str, root: Path) -> str:
    path, separator, function = spec.partition("::")
    here = absolute(Path(path))
    is_here = here.exists() or not (root / path).exists()
    return f"{project_name(here, root) if is_here and path != '-' else path}{separator}{function}"


def _judged(
    analysis: Analysis,
    texts: Iterable[SourceText],
    rules: Sequence[Rule],
    active: Sequence[Rule],
    config: Config,
    complain: bool,
) -> _Judged:
    """What of the findings is shown, with the complaints about comments that suppress nothing."""
    by_file: dict[str, list[Finding]] = {}
    for finding in analysis.findings:
        by_file.setdefault(finding.path, []).append(finding)
    broken = {problem.path for problem in analysis.problems}
    known = {rule.code: rule.name for rule in rules}
    of_runs = {rule.code for rule in rules if rule.group == RUN_GROUP}
    ignored_in = _per_file_ignores(rules, config)
    shown: list[Finding] = []
    suppressed: list[Finding] = []
    hidden = 0
    for text in texts:
        on = {rule.code: rule.name for rule in active if rule.code not in ignored_in(text.name)}
        comments = read_suppressions(text.text)
        wanted = [finding for finding in by_file.get(text.name, ()) if finding.code in on]
        sorted_out = suppress(wanted, comments)
        kept = [each for each in sorted_out.kept if each.confidence >= config.min_confidence]
        hidden += len(sorted_out.kept) - len(kept)
        suppressed += (each for each in sorted_out.dropped if each.confidence >= config.min_confidence)
        shown += kept
        if complain and UNUSED_SUPPRESSION.code in on and text.name not in broken:
            looked_for = {code: name for code, name in on.items() if code not in of_runs}
            shown += assign(complaints(text.name, comments, sorted_out.used, known, looked_for))
    return _Judged(tuple(shown), hidden, tuple(suppressed))


def _per_file_ignores(rules: Sequence[Rule], config: Config) -> Callable[[str], frozenset[str]]:
    """Which codes the configuration ignores in a file of this name."""
    ignores: list[tuple[Callable[[str], bool], frozenset[str]]] = []
    for pattern, selectors in config.per_file_ignores:
        try:
            codes = frozenset(rule.code for rule in catalog.select(rules, selectors)) if selectors else frozenset()
        except catalog.SelectionError as error:
            raise CheckError(f"{config.file}: per-file-ignores: {error}") from error
        ignores.append((matcher([pattern]), codes))
    return lambda name: frozenset().union(*(codes for matches, codes in ignores if matches(name)))


def _exit_code(report: Report, named: frozenset[str], exit_zero: bool) -> int:
    """2 if what the user named could not be checked; a broken file deeper in a tree is a thing to report."""
    if any(problem.path in named for problem in report.errors):
        return 2
    return 1 if (report.findings or report.errors) and not exit_zero else 0
