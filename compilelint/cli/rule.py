"""`compilelint rule`."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compilelint.cli.options import config_option, isolated_option, path
from compilelint.cli.terminal import wants_color, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compilelint.catalog import Rule
    from compilelint.project.config import Config


@click.command(short_help="Show the page of a rule, list all rules, or begin and test a page of your own.")
@click.argument("words", nargs=-1, metavar="[RULE | FAMILY NAME | PAGE...]")
@click.option("--list", "list_", is_flag=True, help="List all rules.")
@click.option("--new", is_flag=True, help="Begin a page: FAMILY is CL1 … CL8, or letters of your own (ACME1).")
@click.option(
    "--directory",
    callback=path,
    metavar="DIR",
    help="With --new: where the page goes.  [default: where extra-rules looks, else lint]",
)
@click.option("--test", is_flag=True, help="Run the checker and Dynamo on PAGE..., and say what disagrees.")
@click.option("--write-evidence", is_flag=True, help="With --test: record what Dynamo did in the evidence.json beside.")
@click.option("-o", "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@click.option(
    "--target-torch",
    metavar="VERSION",
    help="Tell for this torch.  [default: the installed one, else the newest]",
)
@click.option(
    "--target-python",
    metavar="VERSION",
    help="Tell for this Python.  [default: the one that runs compilelint]",
)
@config_option
@isolated_option
@click.pass_context
def rule(
    ctx: click.Context,
    words: tuple[str, ...],
    list_: bool,
    new: bool,
    directory: Path | None,
    test: bool,
    write_evidence: bool,
    format_: str,
    target_torch: str | None,
    target_python: str | None,
    config_file: Path | None,
    isolated: bool,
) -> int:
    """Show what RULE (a code such as CL101, or a name such as tensor-item) is about, a project's own included.

    \b
    compilelint rule CL101
    compilelint rule --list
    compilelint rule --new CL1 my-hazard     begins a page
    compilelint rule --test PAGE             holds it against checker and Dynamo

    Exit code: 0, with --test 1 if something disagrees; 2 the work could not be done.
    """
    if directory is not None and not new:
        raise click.UsageError("--directory goes with --new", ctx)
    if write_evidence and not test:
        raise click.UsageError("--write-evidence goes with --test", ctx)
    if test + new + list_ > 1:
        raise click.UsageError("--list, --new and --test exclude each other", ctx)
    config = _config(config_file, isolated)
    if test:
        if not words:
            raise click.UsageError("--test needs a page: `compilelint rule --test lint/ACME101-my-hazard.md`", ctx)
        return _try(tuple(map(Path, words)), write_evidence, config)
    if new:
        if len(words) != 2:
            raise click.UsageError("--new needs a family and a name: `compilelint rule --new CL1 my-hazard`", ctx)
        _begin(words[0], words[1], directory, config)
        return 0
    if len(words) != (0 if list_ else 1):
        raise click.UsageError("name one rule, or ask for --list", ctx)
    asked = replace(
        config,
        target_torch=target_torch or config.target_torch,
        target_python=target_python or config.target_python,
    )
    _show(words[0] if words else None, format_, asked)
    return 0


def _config(file: Path | None, isolated: bool) -> Config:
    from compilelint.project.config import ConfigError
    from compilelint.project.configs import find_configs

    try:
        return find_configs(file, isolated, Path.cwd()).top
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


def _begin(family: str, name: str, directory: Path | None, config: Config) -> None:
    from compilelint.authoring.new_page import NewPageError, begin_page
    from compilelint.project.root import from_here

    try:
        page = begin_page(family, name, directory, config)
    except NewPageError as error:
        raise click.ClickException(str(error)) from error
    shown = from_here(page.path)
    click.echo(f"{shown} is begun: replace what it marks with TODO, then `compilelint rule --test {shown}`")
    for each in page.notes:
        click.echo(f"note: {each}")


def _try(pages: tuple[Path, ...], write_evidence: bool, config: Config) -> int:
    from compilelint.authoring.trial import TrialError, record, render, try_pages
    from compilelint.project.root import from_here

    try:
        trials = try_pages(pages, config)
        for each in trials:
            click.echo(render(each, str(each.page)), nl=False)
        for file in record(trials) if write_evidence else ():
            click.echo(f"{from_here(file)}: written for torch {trials[0].torch}")
    except TrialError as error:
        raise click.ClickException(str(error)) from error
    return 1 if any(each.problems for each in trials) else 0


def _show(rule: str | None, format_: str, config: Config) -> None:
    from compilelint import catalog
    from compilelint.catalog import describe
    from compilelint.project_rules import RulesError, project_rules

    try:
        project = project_rules(config).on_python(catalog.resolve_python(config.target_python))
        rules = project.every
        target = catalog.resolve_target(config.target_torch, project.measured)
        chosen = None if rule is None else catalog.find_rule(rules, rule)
    except (RulesError, catalog.SelectionError, catalog.TargetError) as error:
        raise click.ClickException(str(error)) from error
    if format_ == "json":
        shown = (
            {"rules": [describe.rule_summary(each) for each in rules]}
            if chosen is None
            else describe.rule_record(chosen)
        )
        click.echo(json.dumps({"schema_version": 1, **shown}, indent=2, ensure_ascii=False))
    elif chosen is not None:
        _print_page(describe.rule_markdown(chosen, target))
    else:
        _print_table(rules, target)


def _print_page(markdown: str) -> None:
    if not wants_color(sys.stdout):
        click.echo(markdown, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(force_terminal=True, width=min(width(), 100)).print(Markdown(markdown))


def _print_table(rules: Sequence[Rule], target: str) -> None:
    from compilelint.catalog import describe, measured_versions
    from compilelint.catalog.evidence_table import release, version_ranges

    measured = measured_versions(rules)
    rows = [("CODE", "NAME", "EFFECT", "SEVERITY", "TORCH", f"MODES ON {release(target)}")]
    rows += [
        (
            each.code,
            each.name,
            each.effect,
            each.severity,
            version_ranges(describe.versions_held(each), measured) or "-",
            ", ".join(describe.modes_held(each, target)) or "-",
        )
        for each in rules
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for number, row in enumerate(rows):
        line = "  ".join([*(cell.ljust(size) for cell, size in zip(row, widths, strict=False)), row[-1]])
        click.echo(click.style(line, bold=True) if number == 0 and wants_color(sys.stdout) else line)
