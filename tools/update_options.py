"""Writes docs/options.md: every command with all that it takes, as click knows it.

python tools/update_options.py
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from compilelint.cli.commands import cli

PAGE = Path(__file__).resolve().parents[1] / "docs" / "options.md"
_HEAD = """\
# Commands and options

Written by `python tools/update_options.py` from the commands themselves: `compilelint COMMAND --help` says the same.
What `pyproject.toml` can say instead is in docs/configuration.md, what the formats are in docs/formats.md.
"""
_DEFAULT = re.compile(r"\s*\[default: (?P<value>.*?)\]$")


def page() -> str:
    """The whole page."""
    context = click.Context(cli, info_name="compilelint", **cli.context_settings)
    commands = ((name, cli.get_command(context, name)) for name in cli.list_commands(context))
    sections = ["\n".join(_section(name, command, context)) for name, command in commands if command is not None]
    return "\n\n".join([_HEAD.rstrip(), *sections]) + "\n"


def _section(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"## compilelint {name}"
    yield ""
    yield f"```\n{usage}\n```"
    yield ""
    yield "\n\n".join(map(_paragraph, inspect.cleandoc(command.help or "").split("\n\n")))
    yield ""
    yield "| option | what it does | default |"
    yield "|---|---|---|"
    for option in command.get_params(context):
        if isinstance(option, click.Option) and not option.hidden:
            yield _row(option)


def _paragraph(text: str) -> str:
    """One that click is told to leave as it is, is an example."""
    return f"```\n{text[2:].strip()}\n```" if text.startswith("\b\n") else text.strip()


def _row(option: click.Option) -> str:
    text = " ".join((option.help or "").split())
    told = _DEFAULT.search(text)
    default = told["value"] if told else _default(option)
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = f" `{_escaped(_metavar(option))}`" if not option.is_flag and not option.count else ""
    return f"| {names}{value} | {_escaped(_DEFAULT.sub('', text))} | {_escaped(default)} |"


def _metavar(option: click.Option) -> str:
    if isinstance(option.type, click.Choice) and option.metavar is None:
        return "|".join(map(str, option.type.choices))
    return option.make_metavar(click.Context(click.Command("any")))


def _default(option: click.Option) -> str:
    known = isinstance(option.default, (str, int, float)) and not isinstance(option.default, bool)
    return str(option.default) if known else ""


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
