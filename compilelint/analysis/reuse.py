"""Which results of earlier runs still hold: those of units all of whose texts, and importers, are as they were."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b

import msgspec
import msgspec.structs
from msgspec import Struct

from compilelint.analysis.job import GraphTold, Job, Walked
from compilelint.analysis.store import Store
from compilelint.match.units import Unit
from compilelint.regions.starts.settings import DynamoSettings
from compilelint.source.imports import ImportGraph

_KIND = "unit"
_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Walked)


class Known(Struct, frozen=True):
    """What earlier runs found out about units."""

    holding: dict[Unit, Walked]
    """All that they rest on is as it was."""
    others: dict[Unit, tuple[Walked, frozenset[str]]]
    """Some texts that they rest on changed, these; the rest is as it was."""


def known(
    store: Store, surroundings: str, units: Iterable[Unit], digest: Callable[[str], str], graph: ImportGraph
) -> Known:
    """What earlier runs found out about units, as far as it still holds, or may.

    `surroundings` is what they all depend on; `digest` is that of a file's text as it is now, empty for none.
    """
    keys = {_key(surroundings, unit): unit for unit in units}
    told = GraphTold(graph)
    found = Known({}, {})
    for key, value in store.get(_KIND, keys).items():
        try:
            walked = _decoder.decode(value)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if walked.imports != told.imports and not _same_importers(walked, told):
            continue
        changed = frozenset(name for name, was in walked.texts.items() if digest(name) != was)
        if any(told.facts(name) != walked.facts[name] for name in changed & walked.facts.keys()):
            continue
        # Of what is left of these the outline was asked for, too.
        changed -= walked.facts.keys() - walked.bodies.keys()
        if changed:
            found.others[keys[key]] = walked, changed
        else:
            found.holding[keys[key]] = walked
    store.used(_KIND, (_key(surroundings, unit) for unit in found.holding))
    return found


def _same_importers(walked: Walked, told: GraphTold) -> bool:
    return all(told.importers(name) == was for name, was in walked.importers.items()) and all(
        told.few_importers(name) == was for name, was in walked.few_importers.items()
    )


def keep(store: Store, surroundings: str, walked: Mapping[Unit, Walked]) -> None:
    """Remember what units showed, but for those that name a file whose name is no Unicode."""
    encoded: dict[str, bytes] = {}
    for unit, each in walked.items():
        with suppress(UnicodeEncodeError):
            encoded[_key(surroundings, unit)] = _encode(each)
    store.put(_KIND, encoded)


def surroundings_of(job: Job, tool: str) -> str:
    """A digest of all that every unit depends on but texts: the tool, what it looks for, which files there are."""
    program, files = job.program, job.files
    parts = (
        tool,
        sys.version_info[:2],
        program.target_torch,
        program.target_python,
        program.explicit_only,
        sorted((name, _told(made)) for name, made in program.settings.items()),
        sorted((name, sorted(held)) for name, held in program.holds_in.items()),
        [(rule.code, rule.name, rule.message, rule.suggestion, rule.effect, rule.severity) for rule in job.rules],
        sorted((name, path.as_posix()) for name, path in files.packages.items()),
        sorted((name, path.as_posix()) for name, path in files.paths.items()),
        sorted(files.library().files()),
    )
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _told(settings: DynamoSettings) -> list[object]:
    values = (getattr(settings, field.name) for field in msgspec.structs.fields(settings))
    return [sorted(value) if isinstance(value, frozenset) else value for value in values]


def _key(surroundings: str, unit: Unit) -> str:
    # A file may come to be about torch by what it imports, or not be asked for its roots because others are named.
    asked = "walked" if unit.about_torch else "parsed"
    return "\0".join((surroundings, asked, unit.name, *unit.roots))
