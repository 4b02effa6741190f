"""The order of work of a check, nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from compilelint.analysis.answers import WorkerError
from compilelint.analysis.files import Files
from compilelint.analysis.run import analyze_files
from compilelint.analysis.store import Store
from compilelint.check.asked import CheckError, CheckOptions, named_roots
from compilelint.check.baseline import Scope, hold_back
from compilelint.check.cells import in_cells, problems_in_cells
from compilelint.check.collector import collector_paused
from compilelint.check.grounds import grounds_of, surroundings
from compilelint.check.judging import Judged, in_other_files, judge
from compilelint.check.memory import cache_file, make_room, tool_digest
from compilelint.check.pages import remembered_pages
from compilelint.check.plan import Plan, planned
from compilelint.check.reading import environments_asked, followed
from compilelint.check.result import CheckResult
from compilelint.check.rules import UNUSED_SUPPRESSION, Wanted, wanted_in
from compilelint.check.since import on_changed_lines
from compilelint.check.sources import Given, around
from compilelint.check.survey import files_of, remember, remembered, survey
from compilelint.match.analysis import Analysis, AnalysisSettings, Progress
from compilelint.project.packages import could_be_followed
from compilelint.project.suppressions import Suppression, read_suppressions
from compilelint.recall.grounds import looked_at, seen
from compilelint.regions import RootError
from compilelint.report.model import Report
from compilelint.report.order import ordered_errors, ordered_findings
from compilelint.source.quiet import parser_warnings_ignored


@collector_paused()
@parser_warnings_ignored()
def run_check(
    options: CheckOptions,
    *,
    stdin: bytes | str | None = None,
    unsaved: Mapping[Path, str] = MappingProxyType({}),
    progress: Progress | None = None,
    unfreed: list[object] | None = None,
) -> CheckResult:
    """Checks what the options name, or the source given as `stdin`. Raises CheckError.

    `unsaved` holds texts by absolute path that win over what is on disk. `progress` is called as the analysis goes on;
    what it raises ends the check. `unfreed` is filled with what a process that ends afterwards need not free.
    """
    started = time.perf_counter()
    outside = surroundings(options)
    before = seen(looked_at(outside))
    program = tool_digest(()) if options.cache else ""
    with remembered_pages(options.cache, program) as parse:
        plan = planned(options, from_stdin=stdin is not None, parse=parse)
    selection, config = plan.selection, plan.configs.top
    given: Given = unsaved if stdin is None else {**unsaved, **{file.path: stdin for file in selection.checked}}
    packages = followed(options, config, selection.root)
    wanted_of = wanted_in(plan.rules, plan.configs, options, selection.root)
    pages = plan.project.pages.values()
    tool = tool_digest(pages) if pages and options.cache else program
    file = cache_file(options.cache, selection.root) if options.cache else None
    if options.cache and file and not file.exists():
        make_room(options.cache)
    with Store(file) as store:
        known = remembered(store, selection.root, tool)
        checked = survey(selection.checked, given, known)
        context = survey(around(selection.context, given), given, known)
        remember(store, selection.root, tool, known, {**context.stamped, **checked.stamped})
        wanted = {name: wanted_of(checked.paths[name]) for name in checked.states}
        files = files_of(selection.root, checked, context, packages)
        analysis = _analysis(plan, files, wanted, store, tool, progress, unfreed)
    comments = _comments_of(files)
    judged = judge(analysis, sorted(checked.states), comments, plan.rules, wanted, plan.complains)
    # What a baseline holds, and which lines changed, is known of the files that are named.
    is_all = plan.baseline is None and plan.changes is None
    others = in_other_files(analysis, comments, lambda name: wanted_of(selection.root / name)) if is_all else {}
    held = hold_back(judged, plan.baseline, _scope(plan, judged)) if plan.baseline is not None else None
    new = held.new if held is not None else judged.shown
    shown = on_changed_lines(new, selection.root, plan.changes) if plan.changes is not None else new
    notebooks = {**context.notebooks, **checked.notebooks}
    unfollowed = analysis.unfollowed - packages.keys()
    environments = environments_asked(options, config, selection.root, unfollowed)
    report = Report(
        target_torch=plan.target,
        files=len(checked.states.keys() - {problem.path for problem in analysis.problems}),
        functions_in_regions=analysis.functions_in_regions,
        duration_s=time.perf_counter() - started,
        findings=ordered_findings(in_cells(shown, notebooks)),
        errors=ordered_errors(
            [*selection.problems, *checked.problems, *problems_in_cells(analysis.problems, notebooks)]
        ),
        hidden_low_confidence=len(judged.hidden),
        suppressed=len(judged.suppressed),
        in_baseline=len(held.known) if held is not None else 0,
        on_unchanged_lines=len(new) - len(shown),
        in_other_files=others,
        followed=tuple(packages),
        unfollowed=could_be_followed(unfollowed, environments),
    )
    is_repeatable = stdin is None and not unsaved and not analysis.cut_short and seen(looked_at(outside)) == before
    return CheckResult(
        report,
        root=selection.root,
        exit_code=_exit_code(report, selection.named, options.exit_zero),
        accepted=in_cells(judged.suppressed, notebooks),
        warnings=(
            *plan.warnings(),
            *_not_python(checked.foreign, selection.named),
            *_not_run(analysis.templates, selection.named),
        ),
        rules=plan.rules,
        installed=files.library().installed,
        baseline=held,
        hidden=judged.hidden,
        files=frozenset(checked.states),
        followed=tuple(packages.values()),
        unremembered=store.failure,
        grounds=grounds_of(plan, outside, environments) if is_repeatable else None,
    )


def _analysis(
    plan: Plan,
    files: Files,
    wanted: Mapping[str, Wanted],
    store: Store,
    tool: str,
    progress: Progress | None,
    unfreed: list[object] | None,
) -> Analysis:
    """What there is in the files of which something is wanted."""
    options, config = plan.options, plan.configs.top
    settings = AnalysisSettings(
        roots=named_roots(options, config, plan.selection.root),
        explicit_only=config.roots == "explicit",
        importers=options.importers,
        target_torch=plan.target,
        target_python=plan.python,
    )
    on = frozenset().union(*(each.on for each in wanted.values()))
    pages = tuple(rule for rule in plan.rules if rule.code in on and rule is not UNUSED_SUPPRESSION)
    try:
        return analyze_files(
            files,
            frozenset(wanted),
            pages,
            settings,
            store=store,
            tool=tool,
            jobs=options.jobs,
            progress=progress,
            unfreed=unfreed,
        )
    except (RootError, WorkerError) as error:
        raise CheckError(str(error)) from error


def _comments_of(files: Files) -> Callable[[str], Sequence[Suppression]]:
    texts = files.texts()

    def comments(name: str) -> Sequence[Suppression]:
        # A file may have gone since it was walked.
        text = texts.get(name) if files.states[name].may_suppress else None
        return read_suppressions(text.text) if text is not None else ()

    return comments


def _scope(plan: Plan, judged: Judged) -> Scope:
    """What of the project was looked at."""
    return Scope(
        root=plan.selection.root,
        named=plan.selection.named,
        on=judged.on,
        active=frozenset(rule.code for rule in plan.active),
        target_torch=plan.target,
        followed=frozenset((*plan.configs.top.follow, *plan.options.follow)),
        whole=not plan.selection.context,
        all_roots=plan.complains,
    )


def _not_python(foreign: Mapping[str, str], named: frozenset[str]) -> Iterator[str]:
    """Of notebooks of other languages those that the user named are worth a word."""
    for name, language in foreign.items():
        if name in named:
            yield f"{name} is not checked: a notebook of {language}, not of Python"


def _not_run(templates: Mapping[str, str], named: frozenset[str]) -> Iterator[str]:
    """Who names a template wants to know where its hazards are told."""
    for name in sorted(named & templates.keys()):
        yield f"{name} is not run, {templates[name]} is, which is generated from it: check that"


def _exit_code(report: Report, named: frozenset[str], exit_zero: bool) -> int:
    """2 if what the user named could not be checked; a broken file deeper in a tree is a thing to report."""
    if any(problem.path in named for problem in report.errors):
        return 2
    return 1 if (report.findings or report.errors) and not exit_zero else 0
