"""Which rules a check looks for, and for which torch and Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compilelint import catalog
from compilelint.catalog.load import Parse
from compilelint.catalog.model import Rule
from compilelint.check.asked import CheckError, CheckOptions, chosen
from compilelint.project.config import Config, ConfigError, key_place, word_place
from compilelint.project.configs import Configs
from compilelint.project.patterns import matcher
from compilelint.project.suppressions import UNUSED_CODE, UNUSED_NAME
from compilelint.project_rules import ProjectRules, RulesError, project_rules
from compilelint.report.confidence import Confidence

_SELECTING = ("select", "ignore", "extend-select")
_IGNORING = ("per-file-ignores",)
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


def rules_of(config: Config, parse: Parse, python: str) -> ProjectRules:
    """All rules that there are, for a Python; `parse` does what `catalog.parse_page` does. Raises CheckError."""
    try:
        return project_rules(config, parse).on_python(python)
    except RulesError as error:
        raise CheckError(str(error)) from error


def target_torch(rules: ProjectRules, config: Config, options: CheckOptions) -> str:
    """The version of torch to judge for. Raises CheckError."""
    try:
        return catalog.resolve_target(chosen(options.target_torch, config.target_torch), rules.measured)
    except catalog.TargetError as error:
        raise _error_at(
            "target-torch", error, config, options.target_torch is None and config.target_torch is not None
        ) from error


def target_python(config: Config, options: CheckOptions) -> str:
    """The release of Python to judge for, as "3.12". Raises CheckError."""
    try:
        return catalog.resolve_python(chosen(options.target_python, config.target_python))
    except catalog.TargetError as error:
        raise _error_at("target-python", error, config, options.target_python is None) from error


def _error_at(key: str, error: catalog.TargetError, config: Config, is_configured: bool) -> CheckError:
    place = f"{key_place(config.file, key)}: " if is_configured and config.file is not None else ""
    return CheckError(f"{place}{error}")


def active_rules(rules: Sequence[Rule], config: Config, options: CheckOptions) -> tuple[Rule, ...]:
    """The rules that are on. `--select` sets aside what the configuration says, the other two add to it.

    Raises CheckError.
    """
    try:
        configured = catalog.select(rules, config.select, config.ignore, config.extend_select)
    except catalog.SelectionError as error:
        raise CheckError(f"{word_place(config, _SELECTING, error.selector)}: {error}") from error
    try:
        if options.select:
            return catalog.select(rules, options.select, options.ignore, options.extend_select)
        extended = catalog.select(rules, options.extend_select) if options.extend_select else ()
        ignored = catalog.select(rules, options.ignore) if options.ignore else ()
    except catalog.SelectionError as error:
        raise CheckError(str(error)) from error
    on = {rule.code for rule in (*configured, *extended)} - {rule.code for rule in ignored}
    return tuple(rule for rule in rules if rule.code in on)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is reported of a file: codes and names of the rules that are on, and how sure a finding must be."""

    on: Mapping[str, str]
    min_confidence: Confidence


def wanted_in(rules: Sequence[Rule], configs: Configs, options: CheckOptions, root: Path) -> Callable[[Path], Wanted]:
    """What is reported of each file, by its absolute path. That function, and this one, raise CheckError."""
    known: dict[Path | None, tuple[Config, tuple[Rule, ...], Callable[[str], frozenset[str]]]] = {}

    def wanted(path: Path) -> Wanted:
        config = _config_of(configs, path.parent)
        if config.file not in known:
            known[config.file] = config, active_rules(rules, config, options), _ignores(rules, config, root)
        config, active, ignored_in = known[config.file]
        ignored = ignored_in(path.as_posix())
        return Wanted({rule.code: rule.name for rule in active if rule.code not in ignored}, config.min_confidence)

    return wanted


def _config_of(configs: Configs, directory: Path) -> Config:
    try:
        return configs.of(directory)
    except ConfigError as error:
        raise CheckError(str(error)) from error


def _ignores(rules: Sequence[Rule], config: Config, root: Path) -> Callable[[str], frozenset[str]]:
    """Which codes a configuration ignores in a file of this absolute path."""
    ignores: list[tuple[Callable[[str], bool], frozenset[str]]] = []
    for pattern, selectors in config.per_file_ignores:
        try:
            codes = frozenset(rule.code for rule in catalog.select(rules, selectors)) if selectors else frozenset()
        except catalog.SelectionError as error:
            raise CheckError(f"{word_place(config, _IGNORING, error.selector)}: per-file-ignores: {error}") from error
        ignores.append((matcher([pattern], (config.base or root).as_posix()), codes))
    return lambda path: frozenset().union(*(codes for matches, codes in ignores if matches(path)))
