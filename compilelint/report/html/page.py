"""The whole page: one file that needs nothing else, neither a server nor a network."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from compilelint import __version__
from compilelint.report.follows import short_path
from compilelint.report.html import figures
from compilelint.report.html.code import finder, highlighter
from compilelint.report.html.findings import Listed, listed
from compilelint.report.html.fixes import Fixes, fixes
from compilelint.report.html.functions import Function, anchor, functions
from compilelint.report.html.markdown import rule_page
from compilelint.report.html.text import moment_of_day, percent, prose, seconds, shown
from compilelint.report.html.timeline import KIND_WORDS, Chart, chart, process_name
from compilelint.report.model import Moment, Observation, Report, Run
from compilelint.report.order import ordered_errors, ordered_observations
from compilelint.report.place import problem_place
from compilelint.report.run_rules import NOTHING_COMPILED
from compilelint.report.summary import summary
from compilelint.report.words import counted, observation_words


@dataclass(frozen=True, slots=True)
class RunView:
    """What a page shows of a run."""

    run: Run
    hits: tuple[figures.Hits, ...]
    slices: tuple[figures.Slice, ...]
    slices_of: str
    """The process that they are of, if there are several."""
    fixes: Fixes
    chart: Chart | None
    costs: tuple[figures.Cost, ...]
    unattributed: float
    """Seconds of compiling that are in no function's costs."""
    functions: tuple[Function, ...]
    recompiles: tuple[figures.Again, ...]
    processes: tuple[figures.Column, ...]
    accepted: tuple[Observation, ...]


def render_page(report: Report) -> str:
    """The report as an HTML document, ending in a newline."""
    environment = _environment()
    script = _text(environment, "script.js")
    known = frozenset(page.code for page in report.rules)
    view = _run_view(report, report.run) if report.run is not None else None
    found: Listed = listed(report, finder(report.sources), view.fixes.anchors if view is not None else {})
    return (
        environment.get_template("page.html.j2").render(
            report=report,
            view=view,
            listed=found,
            summary=summary(report),
            errors=ordered_errors(report.errors),
            rules=[(page, rule_page(page.page, known)) for page in report.rules],
            known=known,
            nothing_compiled=NOTHING_COMPILED,
            version=__version__,
            style=Markup(_text(environment, "style.css")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
        + "\n"
    )


def _run_view(report: Report, run: Run) -> RunView:
    find, lines = finder(report.sources), highlighter()
    found = fixes(report, run, find, lines)
    every = ordered_observations(report.observations)
    # What torch does to itself is told in one place.
    inner = {_place_of(each) for each in found.inner}
    telling = [each for each in every if each not in set(found.inner)]

    def tell(observation: Observation) -> tuple[str, str]:
        return found.sentences.get(observation, observation.reason), found.anchors.get(observation, "")

    shown_functions = functions(run, telling, find, lines, tell)
    anchors = {each.anchor for each in shown_functions}
    causes = {_place_of(each): name for each, name in found.anchors.items()}

    def link(moment: Moment) -> str:
        if moment.type != "compile":
            return causes.get((moment.type, moment.path, moment.line), "")
        name = anchor(moment.path, moment.function)
        return name if name in anchors else ""

    moments = [each for each in run.timeline if (each.type, each.path, each.line) not in inner]
    return RunView(
        run=run,
        hits=figures.hits(every),
        slices=figures.slices(run),
        slices_of=process_name(run.per_process, figures.busiest(run)),
        fixes=found,
        chart=chart(run, moments, link),
        costs=figures.costs(run, shown_functions),
        unattributed=figures.unattributed(run),
        functions=shown_functions,
        recompiles=figures.recompiles(run, every),
        processes=figures.processes(run),
        accepted=tuple(each for each in every if each.accepted),
    )


def _place_of(observation: Observation) -> tuple[str, str, int]:
    return observation.type, observation.path, observation.line


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("compilelint.report.html", "templates"),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        prose=prose,
        seconds=seconds,
        percent=percent,
        moment_of_day=moment_of_day,
        short_path=short_path,
        observation_words=observation_words,
        problem_place=problem_place,
    )
    environment.globals.update(counted=counted, kind_words=KIND_WORDS)
    return environment


def _text(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]
