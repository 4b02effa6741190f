"""What Dynamo did with the models of one package, as collected; reads both layouts of the file.

- `{model: {"class", "sites", "recompiles", "phases", "traced_lines", "versions"}}`: each model with its own lines.
- `{"models": {model: {…, "root"}}, "traced_lines": {file: [[first, last], …]}, "versions": {…}}`: lines kept once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

COMPREHENSIONS = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"})
_OPAQUE_ITERATOR = "GB4347"
_OF_THE_RUN = frozenset(
    {
        "GB0018",  # a number that an earlier break left unbacked comes back as an argument
        "GB0039",  # recompile limit
        "GB0052",  # too many restarts of one frame
        "GB0105",  # the rest: flags of torch._dynamo.config, what is installed, and what the backend raised
        "GB0106",
        "GB0210",
        "GB0219",
        "GB0231",
        "GB0232",
        "GB0263",
        "GB0293",
        "GB0298",
    }
)
_PLACE = re.compile(r"#\s+([^\s#]+\.py):(\d+)")
_GUARD = re.compile(r"^\s*(?:\d+/\d+:\s*)?(?P<guard>.*?)\s*(?:#|$)")
_SIZES = re.compile(r"^tensor |size mismatch|stride mismatch|\.size\(|\.stride\(")
_NAME = re.compile(r"[A-Za-z_]\w*")


class TruthError(Exception):
    """A file of truth cannot be read as one; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where Dynamo broke, or failed, in one model."""

    file: str
    line: int
    function: str
    gb_id: str
    reason: str
    is_break: bool
    """Whether Dynamo split or gave something up there, and did not only reach its limit of recompiles."""
    apart: str
    """Why it is not held against the check: `outside`, `after-break`, `run`; empty if it is."""


@dataclass(frozen=True, slots=True)
class Recompile:
    """A guard that failed: the frame's file, the places in source that its text names, the names in the guard.

    What failed because a tensor had another size names nothing: that is the run's doing.
    """

    file: str
    places: frozenset[tuple[str, int]]
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    class_name: str
    root: str
    """`package/path.py::Qual.name`; empty if the file does not say."""
    sites: tuple[Site, ...]
    recompiles: tuple[Recompile, ...]
    files: frozenset[str]
    """In which lines of this model were traced; empty where lines are kept for the package only."""
    broke: bool
    """Whether Dynamo split, failed or gave up anything of it, in whatever file."""


@dataclass(frozen=True, slots=True)
class Truth:
    package: str
    version: str
    """Of the package; empty if the file does not say."""
    models: tuple[Model, ...]
    traced: Mapping[str, frozenset[int]]
    """Per file, every line that Dynamo traced in any of the models."""

    def of_files(self, files: Collection[str]) -> Truth:
        """What was seen of these files only."""
        models = tuple(
            replace(model, sites=tuple(site for site in model.sites if site.file in files)) for model in self.models
        )
        return replace(self, models=models, traced={name: self.traced[name] for name in self.traced if name in files})

    @property
    def sites(self) -> tuple[Site, ...]:
        """One for each file and line. A line at which any model shows a cause of its own is not set apart."""
        best: dict[tuple[str, int], Site] = {}
        for model in self.models:
            for site in model.sites:
                key = (site.file, site.line)
                if key not in best or (best[key].apart and not site.apart):
                    best[key] = site
        return tuple(best[key] for key in sorted(best))


def read(path: Path) -> Truth:
    """The truth in PACKAGE.json. Raises TruthError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return _truth(path.stem, data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TruthError(f"{path}: not a file of truth: {type(error).__name__}: {error}") from error


def _truth(package: str, data: dict[str, Any]) -> Truth:
    shared = "models" in data and "traced_lines" in data
    entries: dict[str, dict[str, Any]] = data["models"] if shared else data
    versions = data.get("versions", {}) if shared else next(iter(entries.values()), {}).get("versions", {})
    lines: dict[str, set[int]] = {}
    for part in [data] if shared else entries.values():
        for file, ranges in part["traced_lines"].items():
            for first, last in ranges:
                lines.setdefault(file, set()).update(range(first, last + 1))
    models = tuple(_model(package, name, entry) for name, entry in sorted(entries.items()))
    return Truth(package, _version(package, versions), models, {file: frozenset(each) for file, each in lines.items()})


def _version(package: str, versions: Mapping[str, str]) -> str:
    named = {name.replace("-", "_").lower(): version for name, version in versions.items()}
    return named.get(package.lower(), "")


def _model(package: str, name: str, entry: dict[str, Any]) -> Model:
    phases = entry.get("phases", {}).values()
    broke = any(map(_is_break, entry["sites"]))
    return Model(
        name,
        entry.get("class") or "",
        entry.get("root") or "",
        tuple(_site(package, site) for site in entry["sites"]),
        tuple(_recompile(each) for each in entry.get("recompiles", ())),
        frozenset(entry.get("traced_lines", ())),
        broke or any(phase.get("n_break_records") for phase in phases),
    )


def _site(package: str, entry: dict[str, Any]) -> Site:
    return Site(
        entry["file"],
        entry["line"],
        entry.get("function") or "",
        entry.get("gb_id") or "",
        entry.get("reason") or "",
        _is_break(entry),
        apart(package, entry),
    )


def _is_break(site: Mapping[str, Any]) -> bool:
    return bool(site["kinds"] != ["limit"])


def apart(package: str, site: Mapping[str, Any]) -> str:
    """Why a site has no cause in the package's source that a check of it could see; empty if it has one.

    - `outside`: the site lies in torch, in another package, or in the caller's own program (a hook that it registered),
      and no line of the package led there. Where one did (a call of scipy, of a function that Dynamo replaces by one of
      its own), the truth names that line, and it counts.
    - `after-break`: up to Python 3.11 a comprehension is a function, and Dynamo compiles it as a frame of its own where
      what is around it runs without Dynamo, after a break. What it iterates over is an argument then, and Dynamo
      cannot iterate over that. If it is the first break of a run (`primary`), or of another kind, the site counts.
    - `run`: what broke hangs on a flag, on what is installed, on the backend or on how often was compiled before.
    """
    if site["file"].partition("/")[0] not in (package, f"{package}.py"):
        return "outside"
    if site.get("gb_id") in _OF_THE_RUN or not _is_break(site):
        return "run"
    if site.get("function") in COMPREHENSIONS and site.get("gb_id") == _OPAQUE_ITERATOR and not site.get("primary"):
        return "after-break"
    return ""


def _recompile(entry: dict[str, Any]) -> Recompile:
    reasons = [reason for reason in entry.get("reasons", ()) if not _is_about_sizes(reason)]
    return Recompile(entry["file"], frozenset(_places(reasons)), frozenset(_names(reasons)))


def _is_about_sizes(reason: str) -> bool:
    guard = _GUARD.match(reason)
    return bool(_SIZES.search(guard["guard"] if guard else reason))


def _places(reasons: Iterable[str]) -> Iterable[tuple[str, int]]:
    for reason in reasons:
        for file, line in _PLACE.findall(reason):
            yield file, int(line)


def _names(reasons: Iterable[str]) -> Iterable[str]:
    """The last name of what each guard is on: `self.step == 0` is on `step`."""
    for reason in reasons:
        guard = _GUARD.match(reason)
        if guard and (names := _NAME.findall(re.split(r"==|!=| is | in |<|>", guard["guard"])[0])):
            yield names[-1]
