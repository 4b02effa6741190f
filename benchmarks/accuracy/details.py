"""Misses and false alarms, one by one, with their lines of source: what to look at next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from benchmarks.accuracy.claims import Claim
from benchmarks.accuracy.judge import Judge
from benchmarks.accuracy.models import Prediction
from benchmarks.accuracy.truth import Site


def details(judge: Judge, claims: Iterable[Claim], predictions: Iterable[Prediction]) -> str:
    """All of one package, the rules with most false alarms first."""
    claims = tuple(claims)
    parts = [f"# {judge.truth.package}", *_misses(judge, claims), *_alarms(judge, claims), *_models(predictions)]
    parts += _apart(judge)
    return "\n".join(parts)


def _misses(judge: Judge, claims: tuple[Claim, ...]) -> Iterator[str]:
    found = judge.found(claim for claim in claims if claim.shown)
    missed = [site for site, is_found in found.items() if not (is_found or site.apart)]
    yield f"\n## {len(missed)} missed sites"
    for site in missed:
        statement = judge.statement(site.file, site.line)
        hidden = [
            f"{each.rule} ({each.confidence}{', ' + each.not_judged if each.not_judged else ''})"
            for each in claims
            if each.file == site.file and judge.statement(each.file, each.line) == statement
        ]
        models = [model.name for model in judge.truth.models if any(_same(site, each) for each in model.sites)]
        yield f"missed {site.file}:{site.line} in {site.function}: {site.gb_id} {site.reason}"
        yield f"    {_source(judge, site.file, site.line)}"
        yield f"    models: {', '.join(models[:4])}" + (f"; hidden: {', '.join(hidden)}" if hidden else "")


def _same(site: Site, other: Site) -> bool:
    return (site.file, site.line) == (other.file, other.line)


def _alarms(judge: Judge, claims: tuple[Claim, ...]) -> Iterator[str]:
    by_rule: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.shown and judge.verdict(claim) == "refuted":
            by_rule[claim.rule].append(claim)
    yield f"\n## {sum(map(len, by_rule.values()))} false alarms"
    for rule, alarms in sorted(by_rule.items(), key=lambda item: (-len(item[1]), item[0])):
        yield f"\n### {rule}: {len(alarms)}"
        for claim in alarms:
            yield f"refuted {claim.file}:{claim.line} {claim.rule} {claim.confidence}: {claim.message}"
            yield f"    {_source(judge, claim.file, claim.line)}"


def _models(predictions: Iterable[Prediction]) -> Iterator[str]:
    by_outcome: dict[str, list[Prediction]] = defaultdict(list)
    for each in predictions:
        by_outcome[each.outcome].append(each)
    for outcome in ("false-positive", "false-negative", "no-root"):
        wrong = by_outcome[outcome]
        yield f"\n## {len(wrong)} models: {outcome}"
        for each in wrong:
            said = [f"{claim.file}:{claim.line} {claim.rule} {claim.confidence}" for claim in each.claims]
            did = [
                f"{site.file}:{site.line} {site.gb_id}" + (f" ({site.apart})" if site.apart else "")
                for site in each.model.sites
            ]
            yield f"{each.model.name} {', '.join(each.roots) or each.model.class_name}"
            yield from (f"    said {line}" for line in said[:8])
            yield from (f"    broke {line}" for line in did[:8])


def _apart(judge: Judge) -> Iterator[str]:
    apart = [site for site in judge.truth.sites if site.apart]
    yield f"\n## {len(apart)} sites set apart"
    for site in apart:
        yield f"{site.apart} {site.file}:{site.line} in {site.function}: {site.gb_id} {site.reason}"
        yield f"    {_source(judge, site.file, site.line)}"


def _source(judge: Judge, file: str, line: int) -> str:
    lines = judge.sources.get(file, "").split("\n")
    return lines[line - 1].strip() if line <= len(lines) else ""
