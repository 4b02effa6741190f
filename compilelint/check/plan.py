"""What a check is going to do: known, and refused if it cannot be done, before any file is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compilelint.catalog.load import Parse
from compilelint.catalog.model import Rule
from compilelint.check.asked import CheckOptions, configured
from compilelint.check.baseline import Known, baseline_file, load_baseline, torch_warning
from compilelint.check.reading import find_files
from compilelint.check.rules import UNUSED_SUPPRESSION, active_rules, rules_of, target_python, target_torch
from compilelint.check.since import changes_asked
from compilelint.project.changes import Changes
from compilelint.project.configs import Configs
from compilelint.project.discovery import Selection
from compilelint.project_rules import ProjectRules


@dataclass(frozen=True, slots=True)
class Plan:
    """One check."""

    options: CheckOptions
    configs: Configs
    project: ProjectRules
    target: str
    """The torch to judge for."""
    python: str
    """And the Python."""
    rules: tuple[Rule, ...]
    """All that there are."""
    active: tuple[Rule, ...]
    """Those that are on where no directory says otherwise."""
    selection: Selection
    baseline: Known | None
    changes: Changes | None
    complains: bool
    """About comments that hold nothing, and entries of the baseline: seen from other roots than the project's own, what
    holds something seems to hold nothing."""

    def warnings(self) -> Iterator[str]:
        """What the user should know, all that directories configure being read."""
        yield from self.project.unproven(self.target)
        yield from self.configs.warnings()
        if self.baseline is not None:
            yield from torch_warning(self.baseline.file, self.baseline.content.target_torch, self.target)


def planned(options: CheckOptions, from_stdin: bool, parse: Parse) -> Plan:
    """What the options ask for; `parse` does what `catalog.parse_page` does. Raises CheckError."""
    configs = configured(options)
    python = target_python(configs.top, options)
    project = rules_of(configs.top, parse, python)
    target = target_torch(project, configs.top, options)
    rules = (UNUSED_SUPPRESSION, *project.judged_by(target).every)
    active = active_rules(rules, configs.top, options)
    file = baseline_file(options, configs.top)
    baseline = load_baseline(file) if file is not None else None
    selection = find_files(options, configs, from_stdin)
    all_roots = not options.root and options.roots is None and options.importers > 0
    return Plan(
        options=options,
        configs=configs,
        project=project,
        target=target,
        python=python,
        rules=rules,
        active=active,
        selection=selection,
        baseline=baseline,
        changes=changes_asked(options, selection, from_stdin),
        complains=all_roots and (not from_stdin or options.stdin_filename is not None),
    )
