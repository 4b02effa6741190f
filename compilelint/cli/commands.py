"""The commands: options in, text and an exit code out. What is heavy is imported when it is needed."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from compilelint import __version__
from compilelint.cli import reader_gone
from compilelint.spelling import nearest

if TYPE_CHECKING:
    from compilelint.recall.question import Question

COMMANDS = ("check", "trace", "report", "baseline", "rule", "server", "clean")
"""Each is the function of its name in the module of its name."""


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"compilelint.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"there is no command {args[0]!r}{nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "--version", "-V", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Find what makes torch.compile break, recompile or give up."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)


def run_command(arguments: Sequence[str], question: Question | None) -> int:
    """Runs one command; its exit code. Whatever goes wrong ends in one line on stderr and exit code 2.

    `question` is what the arguments ask, if the answer is to be remembered.
    """
    try:
        code = cli.main(list(arguments), prog_name="compilelint", standalone_mode=False, obj=question)
        sys.stdout.flush()
    except click.ClickException as error:
        _tell_where()
        click.echo(f"error: {error.format_message()}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        return reader_gone()
    except Exception as error:
        if isinstance(error, FileNotFoundError) and not _is_anywhere():
            click.echo("error: the current directory is gone", err=True)
        else:
            _tell_internal(error)
        return 2
    return code if isinstance(code, int) else 0


def _is_anywhere() -> bool:
    """Whether there is a current directory."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _tell_internal(error: Exception) -> None:
    _tell_where()
    said = " ".join(f"{type(error).__name__}: {error}".split())
    click.echo(f"internal error: {said}; please report it, with what COMPILELINT_DEBUG=1 shows", err=True)


def _tell_where() -> None:
    if os.environ.get("COMPILELINT_DEBUG"):
        import traceback

        traceback.print_exc()
