"""The lines of the rest of a function, against Python's own and in a recorded program, under the real torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType

import pytest

from compilelint.runtime.dynamo import line_tables
from compilelint.runtime.events import GraphBreak
from compilelint.runtime.session import read_session

pytestmark = pytest.mark.slow

LAUNCH = """
import sys
from pathlib import Path
from compilelint.runtime import launcher
launcher.run([sys.argv[2]], Path(sys.argv[1]), {})
"""
PROGRAM = """\
import torch


def rest(x):
    print("break")
    y = (
        x.view(-1)
        .sum()
        .abs()
    )
    return [
        x + 1,
        y.item(),
    ]


torch.compile(rest, backend="eager")(torch.ones(2))
"""


def chained(x):  # type: ignore[no-untyped-def]
    y = (
        x.view(-1)
        .sum()
        .abs()
    )  # fmt: skip
    return y + 1


def written_by(writer: Callable[..., object]) -> list[int | None]:
    """The lines of `chained`'s instructions, after torch took it apart and put it together."""
    from torch._dynamo import bytecode_transformation as torch_writes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch_writes, "linetable_311_writer", writer)
        instructions = torch_writes.cleaned_instructions(chained.__code__)
        _, table = torch_writes.assemble(instructions, chained.__code__.co_firstlineno)
    return lines(chained.__code__.replace(co_linetable=table))


def lines(code: CodeType) -> list[int | None]:
    return [line for line, *_ in code.co_positions()]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="its tables have no entries that are too short")
def test_they_are_those_that_python_wrote() -> None:
    from torch._dynamo.bytecode_transformation import linetable_311_writer

    assert written_by(line_tables.exact(linetable_311_writer)) == lines(chained.__code__)
    assert written_by(linetable_311_writer) != lines(chained.__code__), "torch is right by now: nothing to mend"


def test_a_break_after_a_chain_of_calls_is_told_at_its_line(tmp_path: Path) -> None:
    program, session = tmp_path / "program.py", tmp_path / "session.jsonl"
    program.write_text(PROGRAM, encoding="utf-8")
    subprocess.run([sys.executable, "-c", LAUNCH, str(session), str(program)], check=True, timeout=240)
    breaks = [event.stack[-1].line for event in read_session(session).events if isinstance(event, GraphBreak)]
    assert breaks == [5, 13]
