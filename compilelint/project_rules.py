"""All rules that there are in a project: the built-in ones, and those on its own pages (`extra-rules`)."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from packaging.version import Version

from compilelint import catalog
from compilelint.catalog.load import Parse
from compilelint.catalog.model import Rule
from compilelint.project.config import Config
from compilelint.project.files import reason
from compilelint.project.root import from_here


class RulesError(Exception):
    """The project's pages cannot be had; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class ProjectRules:
    """The rules of a project."""

    built_in: tuple[Rule, ...]
    own: tuple[Rule, ...] = ()
    pages: Mapping[str, Path] = field(default_factory=dict)
    """Where its own rules stand, by their codes."""

    @property
    def every(self) -> tuple[Rule, ...]:
        """Both, by code."""
        return tuple(sorted((*self.built_in, *self.own), key=lambda rule: rule.code))

    @property
    def measured(self) -> tuple[str, ...]:
        """The versions of torch that code can be judged for: those of the built-in rules."""
        return catalog.measured_versions(self.built_in)

    def judged_by(self, target: str) -> ProjectRules:
        """The rules with the evidence by which they judge code for one of the `measured` versions.

        A project measures its own pages with the torch that it has. What that one did holds for newer ones, too, until
        they are measured; an older one is not judged by it.
        """
        if not self.own:
            return self
        newest = target == self.measured[-1]
        return replace(self, own=tuple(_judged_by(rule, target, newest) for rule in self.own))

    def on_python(self, python: str) -> ProjectRules:
        """The rules with the evidence by which they judge code for a Python (`"3.12"`).

        A project measures its own pages with the Python that it has. Raises RulesError.
        """
        try:
            differing = catalog.load_differing(python)
        except (catalog.PageError, OSError) as error:
            raise RulesError(str(error)) from error
        return replace(self, built_in=catalog.on_python(self.built_in, differing))

    def unproven(self, target: str) -> Iterator[str]:
        """Of each of the project's own rules that finds nothing for want of evidence, why, and what to do."""
        for rule, judged in zip(self.own, self.judged_by(target).own, strict=True):
            needed = {match.example for match in rule.matches}
            page = from_here(self.pages[rule.code])
            if lacking := sorted(needed - rule.evidence.keys()):
                listed = ", ".join(f"`{name}`" for name in lacking)
                yield (
                    f"{page}: {listed} was not measured as it is now, and without evidence {rule.code} finds nothing: "
                    f"`compilelint rule --test {page} --write-evidence`"
                )
            elif needed - judged.evidence.keys():
                oldest = catalog.measured_versions([rule])[0]
                yield f"{page}: {rule.code} finds nothing for torch {target}: it was measured on {oldest} and newer"


def project_rules(config: Config, parse: Parse = catalog.parse_page) -> ProjectRules:
    """The built-in rules and the project's own; `parse` does what `parse_page` does. Raises RulesError."""
    pages = {page.stem.partition("-")[0]: page for page in extra_pages(config)}
    try:
        rules = catalog.load_rules(extra_pages(config), parse)
    except catalog.PageError as error:
        raise RulesError(str(error)) from error
    except OSError as error:
        raise RulesError(f"{error.filename}: {reason(error)}") from error
    return ProjectRules(
        tuple(rule for rule in rules if rule.code not in pages),
        tuple(rule for rule in rules if rule.code in pages),
        pages,
    )


def extra_pages(config: Config) -> tuple[Path, ...]:
    """The files that `extra-rules` names, each once, but README.md. Raises RulesError for a pattern that names none."""
    folder = config.file.parent if config.file else Path.cwd()
    pages: list[Path] = []
    for pattern in config.extra_rules:
        found = sorted(Path(each) for each in glob.glob(str(folder / pattern), recursive=True))
        if not found:
            raise RulesError(f"{config.file}: extra-rules: no file matches {pattern!r}")
        pages += (each for each in found if each not in pages and each.name != "README.md")
    return tuple(pages)


def _judged_by(rule: Rule, target: str, newest: bool) -> Rule:
    evidence = {}
    for name, versions in rule.evidence.items():
        usable = [version for version in versions if newest or _release(version) <= _release(target)]
        if usable:
            evidence[name] = {target: versions[max(usable, key=Version)]}
    return replace(rule, evidence=evidence)


def _release(version: str) -> tuple[int, ...]:
    return Version(version).release[:2]
