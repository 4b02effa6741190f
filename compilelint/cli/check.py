"""`compilelint check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from compilelint.cli.check_options import asked, check_options
from compilelint.cli.options import baseline_options, format_option, output_option, path
from compilelint.cli.output import deliver, warn
from compilelint.cli.terminal import progress_bar
from compilelint.recall.answers import Answer, keep, without_seconds
from compilelint.recall.question import Question, asks_for_memory
from compilelint.report.formats import format_of

if TYPE_CHECKING:
    from compilelint.check import CheckResult

_REASON = "accepted on adoption"


class _Check(click.Command):
    """A command of which one option may have a value: `--add-ignores=REASON`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # The word after the bare option is a path.
        return super().parse_args(ctx, [f"{word}={_REASON}" if word == "--add-ignores" else word for word in args])


@click.command(cls=_Check, short_help="Find hazards in source files, without importing them or torch.")
@click.argument("paths", nargs=-1)
@format_option
@output_option
@check_options
@click.option("--stdin-filename", callback=path, metavar="FILE", help="What the file given as - is called.")
@click.option("--statistics", is_flag=True, help="Show counts per rule: -o statistics.")
@baseline_options
@click.option("--update-baseline", is_flag=True, help="Take out of the baseline what is gone; nothing is added.")
@click.option(
    "--since",
    "--diff-base",
    metavar="REV",
    help="Report only what is on lines that changed since the branch left this git revision.",
)
@click.option(
    "--add-ignores",
    metavar="[=REASON]",
    help="Write comments into the files that accept what would be reported.  [default reason: accepted on adoption]",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@click.pass_context
def check(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    format_: str,
    outputs: tuple[tuple[str, Path], ...],
    statistics: bool,
    update_baseline: bool,
    add_ignores: str | None,
    **values: Any,
) -> int:
    """Find what makes torch.compile break, recompile or give up in PATHS (default: the current directory).

    Nothing is imported or run. `-` reads one file from standard input.

    Exit code: 0 nothing to report, 1 findings, 2 the check could not be done.
    """
    from compilelint.check import CheckError, run_check, update

    options = asked(paths, **values)
    if statistics and format_ not in {"text", "statistics"}:
        raise click.UsageError(f"--statistics is -o statistics: it excludes -o {format_}")
    if add_ignores is not None and (update_baseline or outputs):
        raise click.UsageError("--add-ignores writes comments alone: it excludes --update-baseline and --output")
    if add_ignores is not None and "-" in paths:
        raise click.UsageError("--add-ignores writes into files, not into standard input")
    stdin = sys.stdin.buffer.read() if paths == ("-",) else None
    unfreed: list[object] = []
    unfreed.append(unfreed)  # a cycle: without a collector its objects go with the process, not one by one
    try:
        with progress_bar("checking") as progress:
            result = run_check(options, stdin=stdin, progress=progress, unfreed=unfreed)
        updated = update(result.baseline) if update_baseline else None
    except CheckError as error:
        raise click.ClickException(str(error)) from error

    if add_ignores is not None:
        code = _add_ignores(result, add_ignores)
        return 0 if code == 1 and options.exit_zero else code
    shown = "statistics" if statistics else format_
    delivered = deliver(result, shown, outputs)
    notes = [*(f"warning: {each}" for each in result.warnings), *_remarks(result, updated)]
    for note in notes:
        click.echo(note, err=True)
    if options.cache is not None and not (outputs or update_baseline):
        said = (*(f"warning: {each}" for each in delivered.warnings), *notes)
        answer = Answer(delivered.output, "".join(f"{line}\n" for line in said), result.exit_code)
        timed = format_of(shown).timed
        _remember(ctx, result, without_seconds(answer, timed) if timed else answer)
    if result.unremembered and (values["cache_dir"] or asks_for_memory() or os.environ.get("COMPILELINT_DEBUG")):
        click.echo(f"warning: {options.cache}: {result.unremembered}; not all of this check is remembered", err=True)
    return result.exit_code


def _remarks(result: CheckResult, updated: str | None) -> Iterator[str]:
    """What is to be said of a check as a whole; `updated` is what became of the baseline, if anything was to."""
    if updated is not None:
        yield updated
    elif result.baseline is not None and result.baseline.out_of_date:
        yield f"note: {result.baseline.out_of_date}: --update-baseline mends it"
    if not result.report.files and not result.report.errors:
        yield "warning: no Python files found under the given paths"


def _remember(ctx: click.Context, result: CheckResult, answer: Answer) -> None:
    question = ctx.find_object(Question)
    if question is not None and result.grounds is not None:
        keep(question, answer, result.grounds)


def _add_ignores(result: CheckResult, reason: str) -> int:
    """Write the comments and say so; 0 if nothing is left to report, 1 if something is, 2 if a file is in the way."""
    from compilelint.check.accepting import add_ignores
    from compilelint.report.place import problem_place
    from compilelint.report.views import problems_seen_from
    from compilelint.report.words import counted

    added = add_ignores(result.report.findings, result.root, reason)
    for problem in problems_seen_from((*result.report.errors, *added.failures), result.root, Path.cwd()):
        click.echo(f"error: {problem_place(problem)}: {problem.message}", err=True)
    warn(result.warnings)
    files = counted(added.files, "file")
    click.echo(f"Added {counted(added.comments, 'comment')} in {files}, for {counted(added.accepted, 'finding')}.")
    if added.left:
        click.echo(f"{counted(added.left, 'comment')} that accept nothing are left: remove or mend them.")
    if added.failures or result.exit_code == 2:
        return 2
    return 1 if added.left or result.report.errors else 0
