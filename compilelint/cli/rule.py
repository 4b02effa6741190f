"""`compilelint rule`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from compilelint.cli.terminal import wants_color, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compilelint.catalog import Rule


@click.command(short_help="Show the page of a rule, or the list of all rules.")
@click.argument("rule", required=False)
@click.option("--list", "list_", is_flag=True, help="List all rules.")
@click.option("-o", "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@click.option(
    "--target-torch",
    metavar="VERSION",
    help="Tell for this torch.  [default: the installed one, else the newest]",
)
@click.pass_context
def rule(ctx: click.Context, rule: str | None, list_: bool, format_: str, target_torch: str | None) -> None:
    """Show what RULE (a code such as CL101, or a name such as tensor-item) is about."""
    from compilelint import catalog
    from compilelint.catalog import describe

    if (rule is None) is not list_:
        raise click.UsageError("name one rule, or ask for --list", ctx)
    try:
        rules = catalog.load_rules()
        target = catalog.resolve_target(target_torch, catalog.measured_versions(rules))
        chosen = None if rule is None else catalog.find_rule(rules, rule)
    except (catalog.PageError, catalog.SelectionError, catalog.TargetError) as error:
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

    measured = measured_versions(rules)
    rows = [("CODE", "NAME", "EFFECT", "SEVERITY", "TORCH", f"MODES ON {describe.release(target)}")]
    rows += [
        (
            each.code,
            each.name,
            each.effect,
            each.severity,
            describe.version_ranges(describe.versions_held(each), measured) or "-",
            ", ".join(describe.modes_held(each, target)) or "-",
        )
        for each in rules
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for number, row in enumerate(rows):
        line = "  ".join([*(cell.ljust(size) for cell, size in zip(row, widths, strict=False)), row[-1]])
        click.echo(click.style(line, bold=True) if number == 0 and wants_color(sys.stdout) else line)
