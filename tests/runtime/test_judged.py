"""The recorder against Dynamo's own log: the same breaks, frames given up and recompiles, by program."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    CompileError,
    Event,
    FrameSkipped,
    GraphBreak,
    LimitHit,
    Recompile,
    Unreadable,
)
from compilelint.runtime.logs.torch_trace import read_torch_trace
from compilelint.runtime.session import Session, read_session
from compilelint.runtime.session_files import session_files
from tests.runtime import logs_judge
from tests.runtime.logs_judge import Said, without_addresses

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
ALONE = sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem not in ("ddp", "library"))
PACKAGES = os.environ.get("COMPILELINT_CORPUS", "")
"""Where transformers, diffusers and torch_geometric are installed, if not next to torch."""
LIBRARY = (
    ("transformers_mixtral", "transformers_bert"),
    ("transformers_led", "transformers_xlm"),
    ("transformers_wav2vec2", "transformers_vit"),
    ("diffusers_unet", "diffusers_ddpm", "diffusers_pndm"),
    ("torch_geometric_gcn", "torch_geometric_pool", "torch_geometric_supergat"),
    ("torch_geometric_set2set", "torch_geometric_negative"),
)
"""Models by the process that runs them: importing their package takes longer than compiling one of them."""
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
LAUNCH = """
import sys
from pathlib import Path
from compilelint.runtime import launcher
session, *program = sys.argv[1:]
ended = launcher.run(program, Path(session), {})
launcher.end_like(ended)
sys.exit(ended.exit_code)
"""


def environment(trace: Path | None = None) -> dict[str, str]:
    variables = {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), PACKAGES])),
        "OMP_NUM_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": os.environ.get("TORCHINDUCTOR_CACHE_DIR", ""),
    }
    return {**variables, **({"TORCH_TRACE": str(trace)} if trace else {})}


def trace(program: Iterable[str], session: Path, variables: Mapping[str, str]) -> tuple[int, tuple[Session, ...]]:
    done = launch(program, session, variables)
    return done.returncode, tuple(map(read_session, session_files(session)))


def launch(program: Iterable[str], session: Path, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LAUNCH, str(session), *program],
        cwd=PROGRAMS,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def said_by(sessions: Iterable[Session], exit_code: int = 0) -> Said:
    """What sessions say, in the judge's words."""
    events = [event for session in sessions for event in session.events]
    assert not [event for event in events if isinstance(event, Unreadable)]
    recompiles: Counter[tuple[str, int, str, str]] = Counter()
    for event in events:
        # What a stance forbids torch tells only the program, by an exception.
        if isinstance(event, Recompile) and not (event.forbidden and event.compile_id is None):
            guard = without_addresses(event.guards[0].partition("\n")[0])
            recompiles[event.code.path, event.code.line, bare(event.code), guard] += 1
    return Said(
        breaks=frozenset(
            (event.stack[-1].path, event.stack[-1].line)
            for event in events
            if isinstance(event, GraphBreak) and not event.raised
        ),
        given_up=frozenset((code.path, code.line, bare(code)) for code in map(given_up, events) if code),
        recompiles=recompiles,
        limits=frozenset(
            (event.limit, event.code.path, event.code.line)
            for event in events
            if isinstance(event, LimitHit) and event.code
        ),
        exit_code=exit_code,
    )


def given_up(event: Event) -> StackFrame | None:
    """The frame that runs without Dynamo after this event."""
    match event:
        case FrameSkipped() | LimitHit(raised=False):
            return event.code
        case GraphBreak(frame_dropped=True, raised=False) | CompileError(suppressed=True):
            return event.code
    return None


def bare(code: StackFrame) -> str:
    return code.function.rpartition(".")[2]


@pytest.mark.parametrize("name", ALONE)
def test_a_program_is_seen_as_dynamo_logs_it(name: str, tmp_path: Path) -> None:
    expected = logs_judge.run([f"{name}.py"], PROGRAMS, environment(tmp_path / "trace"))
    code, sessions = trace([f"{name}.py"], tmp_path / "s.jsonl", environment())
    assert said_by(sessions, code) == expected
    from_logs = dataclasses.replace(said_by(read_torch_trace(tmp_path / "trace")), exit_code=expected.exit_code)
    assert (from_logs.breaks, from_logs.recompiles, from_logs.limits) == (
        expected.breaks,
        expected.recompiles,
        expected.limits,
    )


@pytest.mark.parametrize("name", ["operators", "aggravated"])
def test_the_programs_own_logs_change_nothing(name: str, tmp_path: Path) -> None:
    variables = {**environment(), "TORCH_LOGS": logs_judge.LOGS}
    expected = logs_judge.run([f"{name}.py"], PROGRAMS, environment())
    code, sessions = trace([f"{name}.py"], tmp_path / "s.jsonl", variables)
    assert said_by(sessions, code) == expected


def test_ranks_are_seen_as_dynamo_logs_them(tmp_path: Path) -> None:
    expected = logs_judge.run([*TORCHRUN, "ddp.py"], PROGRAMS, environment(tmp_path / "trace"))
    code, sessions = trace([*TORCHRUN, "ddp.py"], tmp_path / "s.jsonl", environment())
    assert expected.breaks
    assert expected.recompiles
    assert said_by(sessions, code) == expected
    by_rank = {session.header.rank: said_by([session]) for session in sessions if session.header.rank is not None}
    assert by_rank[0].breaks < by_rank[1].breaks
    assert sum(by_rank[0].recompiles.values()) < sum(by_rank[1].recompiles.values())
    from_logs = read_torch_trace(tmp_path / "trace")
    assert {said_by([each]).breaks for each in from_logs} == {each.breaks for each in by_rank.values()}


@pytest.mark.parametrize("names", LIBRARY, ids="+".join)
def test_real_models_are_seen_as_dynamo_logs_them(names: tuple[str, ...], tmp_path: Path) -> None:
    """In one run, which torch logs and the recorder watches: that neither changes the other is tested above."""
    package = next(each for each in ("transformers", "diffusers", "torch_geometric") if names[0].startswith(each))
    if not PACKAGES and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed; COMPILELINT_CORPUS may say where it is")
    variables = {**environment(), "TORCH_LOGS": logs_judge.LOGS}
    done = launch(["library.py", *names], tmp_path / "s.jsonl", variables)
    expected = logs_judge.read(done.stderr, done.returncode)
    assert expected.exit_code == 0
    assert expected.recompiles
    sessions = map(read_session, session_files(tmp_path / "s.jsonl"))
    assert said_by(sessions, done.returncode) == expected
