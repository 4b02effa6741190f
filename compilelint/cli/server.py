"""`compilelint server`."""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import BinaryIO

import click

from compilelint.cli.options import cache_dir_option, no_cache_option


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, int] | None:
    if value is None:
        return None
    host, separator, port = value.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(f"{value!r}: HOST:PORT expected")
    return host or "localhost", int(port)


@contextmanager
def _own_output() -> Iterator[BinaryIO]:
    """Standard output for the protocol alone: what anything else prints goes to standard error."""
    sys.stdout.flush()
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output, redirect_stdout(sys.stderr):
        yield output


@click.command(short_help="Check what is open in an editor (Language Server Protocol).")
@click.option("--stdio", is_flag=True, help="Speak on standard input and output: the default.")
@click.option("--tcp", callback=_address, metavar="HOST:PORT", help="Wait for one editor at this address instead.")
@cache_dir_option
@no_cache_option
def server(stdio: bool, tcp: tuple[str, int] | None, cache_dir: Path | None, no_cache: bool) -> int:
    """Serve an editor: diagnostics while you type, the page of a rule on hover, comments that accept a finding.

    What is checked, and how, says the configuration of the project that a file is in.

    Exit code: 0, or 1 if the editor went away without a word.
    """
    if stdio and tcp is not None:
        raise click.UsageError("--stdio and --tcp exclude each other")
    if importlib.util.find_spec("pygls") is None:
        raise click.ClickException("the language server needs pygls: pip install 'compilelint[server]'")
    from compilelint.check.memory import cache_directory
    from compilelint.server.server import make_server

    # The collector stays off, as for all commands: the session calls it, and need not look at what is imported.
    gc.freeze()
    # Checks share the interpreter with the loop, which should not wait long for its turn.
    sys.setswitchinterval(0.001)
    made = make_server(None if no_cache else cache_dir or cache_directory())
    with made.leftovers:
        if tcp is None:
            with _own_output() as output:
                made.start_io(stdout=output)
        else:
            try:
                made.start_tcp(*tcp)
            except OSError as error:
                raise click.ClickException(f"{tcp[0]}:{tcp[1]}: {(error.strerror or str(error)).lower()}") from error
    return 0 if made.was_shut_down else 1
