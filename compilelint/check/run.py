"""The order of work of a check, nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable

from compilelint.check.asked import CheckError, CheckOptions, configured, named_roots
from compilelint.check.judging import judge
from compilelint.check.reading import find_files, followed, read_texts
from compilelint.check.result import CheckResult
from compilelint.check.rules import UNUSED_SUPPRESSION, active_rules, rules_of, target_torch
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.regions import RootError
from compilelint.report.model import Report
from compilelint.report.order import ordered_errors, ordered_findings
from compilelint.source.tree import SourceTree

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


def run_check(options: CheckOptions, *, stdin: bytes | None = None, progress: Progress | None = None) -> CheckResult:
    """Checks what the options name, or the source given as `stdin`. Raises CheckError.

    `progress` is called as the analysis goes on.
    """
    started = time.perf_counter()
    config = configured(options)
    project = rules_of(config)
    target = target_torch(project, config, options)
    rules = (UNUSED_SUPPRESSION, *project.judged_by(target).every)
    active = active_rules(rules, config, options)
    selection = find_files(options, config, stdin is not None)
    checked, unreadable = read_texts(selection.checked, stdin)
    context, _ = read_texts(selection.context, None)
    tree = SourceTree.load(selection.root, checked, context, followed(options, config, selection.root))
    settings = AnalysisSettings(
        roots=named_roots(options, config, selection.root),
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
    judged = judge(analysis, checked, rules, active, config, complain)
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
    return CheckResult(report, selection.root, exit_code, judged.suppressed, tuple(project.unproven(target)), rules)


def _exit_code(report: Report, named: frozenset[str], exit_zero: bool) -> int:
    """2 if what the user named could not be checked; a broken file deeper in a tree is a thing to report."""
    if any(problem.path in named for problem in report.errors):
        return 2
    return 1 if (report.findings or report.errors) and not exit_zero else 0
