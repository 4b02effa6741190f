"""The check without its command line: where many runs share one parsing of the sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from benchmarks.accuracy.claims import TARGET, Claim
from compilelint.catalog import load_rules
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.model import Finding
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree


def source_tree(package: Path, sources: Mapping[str, str], checked: Iterable[str]) -> SourceTree:
    """A package's sources (`package/path.py` → text), of which these files are checked and the others only known."""
    texts = {name: SourceText(name, package.parent / name, text) for name, text in sources.items()}
    wanted = set(checked)
    return SourceTree.load(
        package.parent,
        [text for name, text in texts.items() if name in wanted],
        [text for name, text in texts.items() if name not in wanted],
    )


def check_files(package: Path, sources: Mapping[str, str], files: Iterable[str]) -> tuple[Claim, ...]:
    """What the check says, with any confidence, of these files of a package, as if only they were staged."""
    analysis = analyze(source_tree(package, sources, files), load_rules(), AnalysisSettings(target_torch=TARGET))
    return tuple(map(claim_of, analysis.findings))


def claim_of(finding: Finding) -> Claim:
    """A finding whose path is that of a file in the package's parent folder."""
    return Claim(
        finding.path,
        finding.line,
        finding.end_line,
        finding.code,
        finding.effect,
        finding.severity,
        finding.confidence.label,
        finding.message,
    )
