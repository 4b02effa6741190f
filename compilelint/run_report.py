"""One report of a run: its sessions read, joined with a check of the user's own files, and judged."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from compilelint import catalog
from compilelint.catalog.describe import gb_ids
from compilelint.catalog.model import Rule
from compilelint.catalog.pages import RUN_GROUP
from compilelint.check import CheckResult
from compilelint.check.baseline import baseline_file
from compilelint.project.config import Config, ConfigError
from compilelint.project.configs import Configs, find_configs
from compilelint.project.files import Unreadable, project_name, read_source
from compilelint.project.owned import owner_test
from compilelint.project.root import absolute
from compilelint.project.suppressions import UNUSED_CODE, Suppression, matches, read_suppressions
from compilelint.project.trace_config import TraceConfig, trace_config
from compilelint.report.budgets import Limits, exit_code, judged
from compilelint.report.follows import leading
from compilelint.report.model import Finding, Observation, Report
from compilelint.report.run_rules import RUN_RULES
from compilelint.report.stack import StackFrame
from compilelint.report.verdicts.frames import frames_of
from compilelint.report.verdicts.merging import merge
from compilelint.report.verdicts.proofs import shows_effect
from compilelint.report.views import renamed_observation, renamed_run
from compilelint.run_baseline import NewInRun, new_in_run
from compilelint.run_options import RunError, RunOptions
from compilelint.run_sources import CheckAhead, check_sources, project_of, script_file
from compilelint.runtime.dynamo.resuming import went_on
from compilelint.runtime.events import CompileCall, CompileStart
from compilelint.runtime.seen import costs, parts
from compilelint.runtime.seen.reading import Reading, read
from compilelint.runtime.seen.summary import is_from_torch_trace, main_session, summary
from compilelint.runtime.session import Session, SessionError, read_session
from compilelint.runtime.session_files import session_files


@dataclass(frozen=True, slots=True)
class RunResult:
    """The report, the directory that its paths are relative to, and the exit code that the run earns."""

    report: Report
    root: Path
    exit_code: int
    rules: tuple[Rule, ...] = ()
    """All that its findings and observations can be of."""
    warnings: tuple[str, ...] = ()
    """What its user should know and the report does not say."""


def read_sessions(paths: Iterable[Path]) -> tuple[Session, ...]:
    """The sessions in files and directories, each file once. Raises RunError."""
    sessions: list[Session] = []
    for path in paths:
        files = session_files(path)
        if not files:
            raise RunError(f"{path}: no session in this directory")
        try:
            sessions += (read_session(file) for file in files)
        except SessionError as error:
            raise RunError(str(error)) from error
    if not sessions:
        raise RunError("no session given")
    by_path = {os.path.realpath(session.path): session for session in sessions}
    return tuple(by_path.values())


def run_report(sessions: Sequence[Session], options: RunOptions, ahead: CheckAhead | None = None) -> RunResult:
    """What the sessions (of one run or several, of one process or many) say. Raises RunError.

    `ahead` is used if it is of the files that the run is to be joined with.
    """
    started = time.perf_counter()
    main = main_session(sessions)
    base = Path(main.header.cwd)
    # A launcher such as torchrun runs no script of the user's; its ranks do.
    headers = (each.header for each in (main, *sessions))
    scripts = (script_file(header.program, Path(header.cwd)) for header in headers)
    script = next(filter(None, scripts), None)
    project = project_of(options, script, base)
    configs = _configs(options, project.scope)
    config = configs.top
    asked = _asked(options, config)
    owned = owner_test(project.scope, asked.own, base)
    warmup = asked.warmup or 0
    reading = read(sessions, owned, warmup)
    run_summary = summary(reading)
    checked = check_sources(options, project, script, filter(owned, _files(reading)), ahead)
    root = checked.root if checked else project.path
    name = _namer(root)
    lines = cache(_lines)
    observations = tuple(
        replace(
            renamed_observation(each, name),
            source_line=_line(lines(each.path), each.line),
            leading_line=_line(lines(led.path), led.line) if (led := leading(each)) else "",
        )
        for each in reading.observations
    )
    findings = checked.report.findings if checked else ()
    hidden = 0
    if checked:
        observations, findings = _joined(checked, observations, reading, name)
        sure = [
            each
            for each in findings
            # What the checker was not sure of is sure once Dynamo did it.
            if each.verdict == "confirmed" or each.confidence >= configs.of((root / each.path).parent).min_confidence
        ]
        hidden = len(findings) - len(sure)
        findings = tuple(sure)
    target = checked.report.target_torch if checked else _release(run_summary.torch)
    new = NewInRun(findings, observations)
    if file := baseline_file(options, config):
        new = new_in_run(new, file, root, lambda path, number: _line(lines(str(root / path)), number), target)
    limits = Limits(asked.max_breaks, asked.max_recompiles, asked.max_compile_seconds)
    run = replace(
        renamed_run(run_summary, name),
        budgets=judged(limits, new.observations, costs.seconds_by_rank(sessions, warmup)),
        root=str(root),
    )
    report = Report(
        target_torch=target,
        files=checked.report.files if checked else 0,
        functions_in_regions=checked.report.functions_in_regions if checked else 0,
        duration_s=time.perf_counter() - started,
        findings=new.findings,
        observations=new.observations,
        errors=checked.report.errors if checked else (),
        hidden_low_confidence=hidden,
        suppressed=checked.report.suppressed if checked else 0,
        in_baseline=len(findings) - len(new.findings) + len(observations) - len(new.observations),
        run=run,
    )
    code = 0 if options.exit_zero else exit_code(report, limits)
    return RunResult(report, root, code, checked.rules if checked else known_rules(), new.warnings)


def _configs(options: RunOptions, start: Path) -> Configs:
    try:
        return find_configs(options.config_file, options.isolated, start)
    except ConfigError as error:
        raise RunError(str(error)) from error


def _asked(options: RunOptions, config: Config) -> TraceConfig:
    """The configuration, and the command line's word above it."""
    try:
        configured = trace_config(config)
    except ConfigError as error:
        raise RunError(str(error)) from error
    over = {
        key: value
        for key in ("max_breaks", "max_recompiles", "max_compile_seconds", "warmup")
        if (value := getattr(options, key)) is not None
    }
    return replace(configured, own=(*configured.own, *options.own), **over)


def _files(reading: Reading) -> set[str]:
    """Every file that Dynamo had to do with."""
    stacks = (frame.path for each in reading.observations for frame in each.stack)
    return {*reading.traced, *stacks, *(each.path for each in reading.observations)}


def _namer(root: Path) -> Callable[[str], str]:
    real_root = Path(os.path.realpath(root))

    def name(path: str) -> str:
        if not os.path.isabs(path):
            return path
        called = project_name(absolute(Path(path)), root)
        return called if called[0] != "/" else project_name(Path(os.path.realpath(path)), real_root)

    return name


def _lines(path: str) -> list[str]:
    """Of the file as it is now; none where it cannot be read."""
    return _text(Path(path)).split("\n") if os.path.isabs(path) else []


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _text(path: Path) -> str:
    try:
        return read_source(path)
    except Unreadable:
        return ""


def _joined(
    checked: CheckResult,
    observations: tuple[Observation, ...],
    reading: Reading,
    name: Callable[[str], str],
) -> tuple[tuple[Observation, ...], tuple[Finding, ...]]:
    """Verdicts on both, and what comments in the source accept."""
    traced = None
    if not all(map(is_from_torch_trace, reading.sessions)):
        traced = {name(path): lines for path, lines in reading.traced.items()}
    merged = merge(
        (*checked.report.findings, *checked.accepted),
        observations,
        traced,
        called_again=_called_again(reading.sessions, name),
        is_checked=cache(partial(_is_checked, checked)),
        went_on=_went_on(reading.sessions, name),
        compiles=_compiles(reading.sessions, name),
    )
    comments = cache(_comments)
    by_comment = {finding.fingerprint for finding in checked.accepted}
    judged_observations = tuple(
        replace(
            each,
            accepted=each.finding in by_comment or (each.finding is None and accepts(each, comments, checked.root)),
        )
        for each in merged.observations
    )
    holding = {(frame.path, frame.line) for each in judged_observations if each.accepted for frame in frames_of(each)}
    count = len(checked.report.findings)
    kept = (
        finding
        for finding in merged.findings[:count]
        # A comment that accepts what only the run showed does hold something.
        if finding.code != UNUSED_CODE or (finding.path, finding.line) not in holding
    )
    return judged_observations, tuple(kept)


def _is_checked(checked: CheckResult, path: str) -> bool:
    return path in checked.files or any((checked.root / path).is_relative_to(each) for each in checked.followed)


def accepts(observation: Observation, comments: Callable[[Path], Iterable[Suppression]], root: Path) -> bool:
    """Whether a comment accepts what no finding predicted: one for everything, or for a rule of this kind."""
    return any(
        frame.line in comment.lines and not comment.mistake and any(_means(code, observation) for code in comment.codes)
        for frame in frames_of(observation)
        for comment in comments(root / frame.path)
    )


def _comments(path: Path) -> tuple[Suppression, ...]:
    return read_suppressions(_text(path))


def _means(written: str, observation: Observation) -> bool:
    """Whether a code in a comment is of a rule that is about what was seen."""
    if written.upper() == "ALL":
        return True
    return any(matches(written, rule.code, rule.name) and _is_about(rule, observation) for rule in known_rules())


def _is_about(rule: Rule, observation: Observation) -> bool:
    if rule.group == RUN_GROUP:
        return rule.code == RUN_RULES[observation.type]
    return shows_effect(observation.type, rule.effect) and (
        observation.gb_id is None or observation.gb_id in _ids(rule)
    )


@cache
def known_rules() -> tuple[Rule, ...]:
    """The built-in rules, read once: what a report names that is joined with no check."""
    return catalog.load_rules()


def _ids(rule: Rule) -> set[str]:
    return {gb_id for version in catalog.measured_versions([rule]) for gb_id in gb_ids(rule, version)}


def _went_on(sessions: Iterable[Session], name: Callable[[str], str]) -> Callable[[StackFrame], bool]:
    places = {(name(path), line) for path, line in went_on(sessions)}
    return lambda frame: (frame.path, frame.line) in places


def _called_again(sessions: Iterable[Session], name: Callable[[str], str]) -> Callable[[Finding], bool]:
    """Whether what a finding is in was called twice where torch compiles, so that it could have been compiled again.

    Of a function that was traced as a part of another one it is not known in how many calls: any that was called twice
    may have been its.
    """
    calls: dict[tuple[str, str], int] = {}
    most = 0
    for session in sessions:
        of_targets = _calls_of_targets(session)
        most = max(most, *of_targets.values(), 0)
        for event in session.events:
            if isinstance(event, CompileStart) and event.target is not None:
                compiled = (name(event.code.path), parts.origin(event.code.function))
                calls[compiled] = max(calls.get(compiled, 0), of_targets.get(event.target, 0))
    return lambda finding: calls.get((finding.path, finding.function), most) > 1


def _compiles(sessions: Iterable[Session], name: Callable[[str], str]) -> Callable[[str | None], bool]:
    """Whether code of a file led to a call of torch.compile; where no call was recorded, any may have."""
    calls = [event for session in sessions for event in session.events if isinstance(event, CompileCall)]
    files = {name(frame.path) for call in calls for frame in call.stack}
    return lambda path: path is None or not files or path in files


def _calls_of_targets(session: Session) -> Mapping[int | None, int]:
    """How often each target was called; of a session that was cut off, in how many calls something happened."""
    found: dict[int | None, int] = {}
    for event in session.events:
        found[event.target] = max(found.get(event.target, 0), event.call)
    footer = session.footer
    only_run = footer.only_run if footer else ()
    told = enumerate(footer.calls if footer else ())
    return {
        **found,
        **{
            target: number - only_run[target] if only_run else max(number, found.get(target, 0))
            for target, number in told
        },
    }


def _release(version: str) -> str:
    """ "2.13" for "2.13.0+cpu"; "0.0" where no torch was loaded."""
    return ".".join(version.split(".")[:2]) or "0.0"
