"""The order of work of a check, nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from compilelint.check.asked import CheckError, CheckOptions, configured, named_roots
from compilelint.check.baseline import Scope, baseline_file, hold_back, torch_warning
from compilelint.check.cells import in_cells, problems_in_cells
from compilelint.check.collector import collector_paused
from compilelint.check.judging import judge
from compilelint.check.reading import find_files, followed
from compilelint.check.result import CheckResult
from compilelint.check.rules import UNUSED_SUPPRESSION, active_rules, rules_of, target_torch, wanted_in
from compilelint.check.since import changes_asked, on_changed_lines
from compilelint.check.sources import Given, around, read_sources
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.regions import RootError
from compilelint.report.model import Report
from compilelint.report.order import ordered_errors, ordered_findings
from compilelint.source.tree import SourceTree

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


@collector_paused()
def run_check(
    options: CheckOptions,
    *,
    stdin: bytes | str | None = None,
    unsaved: Mapping[Path, str] = MappingProxyType({}),
    progress: Progress | None = None,
) -> CheckResult:
    """Checks what the options name, or the source given as `stdin`. Raises CheckError.

    `unsaved` holds texts by absolute path that win over what is on disk. `progress` is called as the analysis goes on;
    what it raises ends the check.
    """
    started = time.perf_counter()
    configs = configured(options)
    config = configs.top
    project = rules_of(config)
    target = target_torch(project, config, options)
    rules = (UNUSED_SUPPRESSION, *project.judged_by(target).every)
    active = active_rules(rules, config, options)
    selection = find_files(options, configs, stdin is not None)
    changes = changes_asked(options, selection, stdin is not None)
    given: Given = unsaved if stdin is None else {**unsaved, **{file.path: stdin for file in selection.checked}}
    wanted_of = wanted_in(rules, configs, options, selection.root)
    checked = read_sources(selection.checked, given)
    context = read_sources(around(selection.context, given), given)
    tree = SourceTree.load(selection.root, checked.texts, context.texts, followed(options, config, selection.root))
    settings = AnalysisSettings(
        roots=named_roots(options, config, selection.root),
        explicit_only=config.roots == "explicit",
        importers=options.importers,
        target_torch=target,
    )
    wanted = {text.name: wanted_of(text) for text in checked.texts}
    on = frozenset().union(*(each.on for each in wanted.values()))
    pages = tuple(rule for rule in rules if rule.code in on and rule is not UNUSED_SUPPRESSION)
    try:
        analysis = analyze(tree, pages, settings, progress)
    except RootError as error:
        raise CheckError(str(error)) from error
    # Seen from other roots than the project's own, a comment that holds something seems to hold nothing.
    all_roots = not options.root and options.roots is None and options.importers > 0
    complain = all_roots and (stdin is None or options.stdin_filename is not None)
    notebooks = {**context.notebooks, **checked.notebooks}
    judged = judge(analysis, checked.texts, rules, wanted, complain)
    scope = Scope(
        root=selection.root,
        named=selection.named,
        on=judged.on,
        active=frozenset(rule.code for rule in active),
        target_torch=target,
        followed=frozenset((*config.follow, *options.follow)),
        whole=not selection.context,
        all_roots=complain,
    )
    file = baseline_file(options, config)
    held = hold_back(judged, file, scope) if file is not None else None
    new = held.new if held else judged.shown
    shown = on_changed_lines(new, selection.root, changes) if changes else new
    report = Report(
        target_torch=target,
        files=len(checked.texts),
        functions_in_regions=analysis.functions_in_regions,
        duration_s=time.perf_counter() - started,
        findings=ordered_findings(in_cells(shown, notebooks)),
        errors=ordered_errors(
            [*selection.problems, *checked.problems, *problems_in_cells(analysis.problems, notebooks)]
        ),
        hidden_low_confidence=len(judged.hidden),
        suppressed=len(judged.suppressed),
        in_baseline=len(held.known) if held else 0,
        on_unchanged_lines=len(new) - len(shown),
    )
    return CheckResult(
        report,
        selection.root,
        _exit_code(report, selection.named, options.exit_zero),
        in_cells(judged.suppressed, notebooks),
        (
            *project.unproven(target),
            *configs.warnings(),
            *_not_python(checked.foreign, selection.named),
            *(torch_warning(held.file, held.baseline.target_torch, target) if held else ()),
        ),
        rules,
        tree.library.installed,
        held,
        judged.hidden,
    )


def _not_python(foreign: Mapping[str, str], named: frozenset[str]) -> Iterator[str]:
    """Of notebooks of other languages those that the user named are worth a word."""
    for name, language in foreign.items():
        if name in named:
            yield f"{name} is not checked: a notebook of {language}, not of Python"


def _exit_code(report: Report, named: frozenset[str], exit_zero: bool) -> int:
    """2 if what the user named could not be checked; a broken file deeper in a tree is a thing to report."""
    if any(problem.path in named for problem in report.errors):
        return 2
    return 1 if (report.findings or report.errors) and not exit_zero else 0
