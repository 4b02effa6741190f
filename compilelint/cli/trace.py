"""`compilelint trace`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from compilelint.cli.options import format_option, output_option, path, run_options
from compilelint.cli.output import deliver, load, warn

if TYPE_CHECKING:
    from compilelint.run_options import RunOptions
    from compilelint.trace import Traced

_OF_THE_REPORT = (
    "check_paths",
    "follow",
    "own",
    "config_file",
    "isolated",
    "warmup",
    "baseline",
    "no_baseline",
    "exit_zero",
    "max_breaks",
    "max_recompiles",
    "max_compile_seconds",
    "cache_dir",
    "no_cache",
)
"""Options that are about what is reported of a run, not about the run."""


class _Program(click.Command):
    """A command whose arguments end where the program's begin: at SCRIPT, or after `-m MODULE` or `-c CODE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._separated(args))

    def _separated(self, args: list[str]) -> list[str]:
        """`args` with `--` before what is the program's, so that no option of its own is taken for ours."""
        valued = {
            name
            for param in self.params
            if isinstance(param, click.Option) and not param.is_flag
            for name in param.opts
        }
        position = 0
        while position < len(args) and args[position].startswith("-") and args[position] != "-":
            word = args[position]
            if word == "--":
                return args
            if word.startswith(("-m", "-c")):
                attached = [word[2:]] if word[2:] else []
                return [*args[:position], "--", word[:2], *attached, *args[position + 1 :]]
            position += 2 if word in valued else 1
        return [*args[:position], "--", *args[position:]]


@click.command(cls=_Program, short_help="Run a program and see what torch.compile really does with it.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="SCRIPT [ARGS]... | -m MODULE [ARGS]...")
@format_option
@output_option
@click.option(
    "--backend",
    type=click.Choice(["eager", "aot_eager", "inductor"]),
    help="Compile with this, whatever the program asks for: eager judges without Inductor's cost.",
)
@click.option("--strict", is_flag=True, help="Stop the program at the first graph break (torch 2.9 and newer).")
@click.option(
    "--compile",
    is_flag=True,
    help="Compile the modules that the program calls, if it compiles nothing itself.",
)
@click.option(
    "--stop-after",
    type=click.IntRange(1),
    metavar="N",
    help="End the program after N calls of compiled code.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End the program after this time.",
)
@click.option(
    "--nproc-per-node",
    type=click.IntRange(1),
    metavar="N",
    help="Run N ranks of the program on this machine, with torch's own launcher.",
)
@click.option("--live", is_flag=True, help="Print each event to standard error as it happens.")
@click.option(
    "--session",
    callback=path,
    metavar="FILE",
    help="Record to this file (of a rank: into this folder).  [default: in the temporary folder]",
)
@click.option(
    "--from-torch-trace",
    "torch_trace",
    callback=path,
    metavar="DIR",
    help="Run nothing: report what a run logged with TORCH_TRACE=DIR.",
)
@run_options("Exit with 0 whatever Dynamo did, if the program succeeds.")
def trace(
    program: tuple[str, ...],
    format_: str,
    outputs: tuple[tuple[str, Path], ...],
    no_check: bool,
    torch_trace: Path | None,
    **asked: Any,
) -> int:
    """Run SCRIPT, or MODULE, as python does, and report what torch.compile did with it.

    `-c CODE` and - (a script on standard input) are programs, too.

    Exit code: the program's own if it fails, and by the signal that ended it; else 0 nothing to report,
    1 breaks, recompiles or a broken budget, 2 the run proves nothing (nothing was compiled, something
    could not be read).
    """
    from compilelint.run_options import RunError, RunOptions
    from compilelint.runtime.launcher import end_like
    from compilelint.trace import TraceOptions, run_trace

    options = RunOptions(check=not no_check, **{name: asked.pop(name) for name in _OF_THE_REPORT})
    if bool(program) == (torch_trace is not None):
        raise click.UsageError("give either a program to run or --from-torch-trace")
    if program and program[0].endswith(".ipynb"):
        raise click.UsageError(
            "a notebook is no program: `jupyter nbconvert --to script` makes one of it, to be traced"
        )
    if torch_trace is not None:
        return _report_logs(torch_trace, options, format_, outputs)
    prepare = partial(load, (format_, *(name for name, _ in outputs)))
    try:
        traced = run_trace(TraceOptions(program=program, report=options, prepare=prepare, **asked))
    except RunError as error:
        raise click.ClickException(str(error)) from error
    if traced.result is not None:
        deliver(traced.result, format_, outputs)
        warn(traced.result.warnings)
    for line in _remarks(traced, compiles=asked["compile"]):
        click.echo(line, err=True)
    if not traced.ended.timed_out:
        end_like(traced.ended)
    return traced.exit_code


def _report_logs(folder: Path, options: RunOptions, format_: str, outputs: tuple[tuple[str, Path], ...]) -> int:
    """Report what TORCH_TRACE has left in a folder; the exit code."""
    from compilelint.run_options import RunError
    from compilelint.run_report import run_report
    from compilelint.runtime.logs.torch_trace import read_torch_trace
    from compilelint.runtime.session import SessionError

    try:
        result = run_report(read_torch_trace(folder), options)
    except (RunError, SessionError) as error:
        raise click.ClickException(str(error)) from error
    deliver(result, format_, outputs)
    warn(result.warnings)
    return result.exit_code


def _remarks(traced: Traced, *, compiles: bool) -> Iterator[str]:
    """What is to be said of a run beside its report; `compiles`: what it calls was to be compiled."""
    if traced.of_other_rank:
        return
    if traced.result is None:
        if not traced.ended.exit_code:  # else the program has said what was wrong
            yield "error: nothing was compiled: the program did not import torch"
        return
    yield f"session: {traced.session}"
    run = traced.result.report.run
    ended_well = traced.ended.exit_code == 0  # else it may only not have come to it
    if run is not None and not run.compile_calls and not run.switched_off and ended_well and not compiles:
        yield "hint: with --compile, the modules that the program calls are compiled"
