"""What Dynamo does otherwise on another Python than the one on which the evidence was measured.

Most of what breaks a graph is torch's word alone. Some of it is the standard library's, which is traced like the user's
code and changes with Python: `cached_property` takes a lock up to 3.11, `pathlib` was written anew. Of each other
Python only those examples are kept that come to something else there with some torch, in a file of its own beside
evidence.json.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from compilelint.catalog.evidence import Evidence, TargetError, shown, source_hash
from compilelint.catalog.model import ExampleEvidence, ModeName, Outcome, Rule, RuleEvidence

MEASURED_ON = "3.11"
"""The Python of evidence.json."""
_FILE = re.compile(r"evidence-(3\.\d+)\.json")
_VERSION = re.compile(r"(3\.\d+)(\.\w+)?")


def running_python() -> str:
    """The release of the Python that runs this, as "3.12"."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def resolve_python(asked: str | None) -> str:
    """The release of Python to judge code for; None asks for the one that runs this. Raises TargetError."""
    if asked is None:
        return running_python()
    found = _VERSION.fullmatch(asked)
    if found is None:
        raise TargetError(f'{asked!r} is not a Python version such as "3.12"')
    return found[1]


def evidence_file(folder: Path, python: str) -> Path:
    """Where that is kept in which a Python differs; the file need not be there."""
    return folder / f"evidence-{python}.json"


def nearest_file(folder: Path, python: str) -> Path | None:
    """The file for a Python, else for the newest before it that was measured; None if that one is evidence.json's."""
    measured = {match[1]: path for path in folder.iterdir() if (match := _FILE.fullmatch(path.name))}
    older = [each for each in (*measured, MEASURED_ON) if _release(each) <= _release(python)]
    return measured.get(max(older, key=_release)) if older else None


def on_python(rules: Iterable[Rule], differing: Evidence) -> tuple[Rule, ...]:
    """The rules with what is different on a Python in the place of what evidence.json has."""
    return tuple(_with(rule, differing[rule.code]) if rule.code in differing else rule for rule in rules)


def _with(rule: Rule, differing: RuleEvidence) -> Rule:
    known = rule.evidence
    texts = {example.name: source_hash(example) for example in rule.examples}
    changed = {
        name: {version: _on(version, known[name], differing.outcomes[name]) for version in known[name]}
        for name, text in differing.sources.items()
        if name in known and texts[name] == text
    }
    return replace(rule, evidence={**known, **changed}) if changed else rule


def _on(version: str, usual: ExampleEvidence, measured: ExampleEvidence) -> Mapping[ModeName, Outcome]:
    """What an example comes to with a torch on another Python: what it came to with one that does the same on the usual
    Python, the nearest in time, if it was not measured itself."""
    versions = list(usual)
    alike = [each for each in versions if each in measured and shown(usual[each]) == shown(usual[version])]
    if not alike:
        return usual[version]
    return measured[min(alike, key=lambda each: abs(versions.index(each) - versions.index(version)))]


def _release(python: str) -> tuple[int, ...]:
    return tuple(map(int, python.split(".")))
