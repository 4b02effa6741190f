from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from compilelint.runtime import ranks
from compilelint.runtime.events import Footer, Header
from compilelint.runtime.gathering import gather
from compilelint.runtime.ranks import Place
from compilelint.runtime.session import SCHEMA_VERSION, to_line

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (
            {"RANK": "3", "LOCAL_RANK": "1", "WORLD_SIZE": "4", "LOCAL_WORLD_SIZE": "2"},
            Place(3, 1, 4, 2),
        ),
        ({"RANK": "1", "WORLD_SIZE": "2"}, Place(1, None, 2, None)),
        (
            {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"},
            Place(0, None, 2, 2),
        ),
        ({"SLURM_PROCID": "5", "SLURM_LOCALID": "1", "SLURM_STEP_NUM_TASKS": "8"}, Place(5, 1, 8, None)),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, None),  # a batch script, not a step of srun's
        ({"RANK": "general"}, None),
        ({"RANK": "4", "WORLD_SIZE": "4"}, None),
        ({}, None),
    ],
)
def test_the_launcher_says_which_rank_this_is(environment: dict[str, str], expected: Place | None) -> None:
    assert ranks.place(environment) == expected


def test_runs_are_told_apart_as_launchers_tell_them_apart() -> None:
    first = {"TORCHELASTIC_RUN_ID": "a", "MASTER_PORT": "1", "RANK": "0"}
    assert ranks.launch_id(first) == ranks.launch_id({**first, "RANK": "1"})
    assert ranks.launch_id(first) != ranks.launch_id({**first, "TORCHELASTIC_RUN_ID": "b"})
    assert ranks.launch_id(first) != ranks.launch_id({**first, "TORCHELASTIC_RESTART_COUNT": "1"})


def test_a_restarted_rank_has_another_file(tmp_path: Path) -> None:
    assert ranks.session_path(tmp_path, 1, {}).name == "rank-00001.jsonl"
    again = {"TORCHELASTIC_RESTART_COUNT": "2"}
    assert ranks.session_path(tmp_path, 1, again).name == "rank-00001.restart-2.jsonl"


def write(folder: Path, rank: int, *, launch: str = "a", over: bool = True, parent: int | None = None) -> None:
    header = Header(
        schema_version=SCHEMA_VERSION,
        compilelint="0",
        program=("train.py",),
        cwd="/",
        python="3.11",
        host="here",
        pid=rank + 100,
        parent=parent,
        rank=rank,
        local_rank=rank,
        world_size=3,
        started=0.0,
        settings={ranks.LAUNCH_SETTING: launch},
    )
    lines = to_line(header)
    if over:
        lines += to_line(Footer(ended=1.0, exit_code=0, from_launcher=True))
    name = f"rank-{rank}" + (".child-1" if parent else "")
    (folder / f"{name}.jsonl").write_text(lines)


def gathered(folder: Path, **changed: Any) -> list[int | None]:
    options = {"everywhere": True, "patience": 0.0, **changed}
    return [each.header.rank for each in gather(folder, "a", Place(0, 0, 3, 2), **options)]


def test_the_sessions_of_a_launch_are_gathered(tmp_path: Path) -> None:
    write(tmp_path, 0)
    write(tmp_path, 1, parent=101)
    write(tmp_path, 2, launch="b")
    (tmp_path / "notes.jsonl").write_text("no session")
    assert gathered(tmp_path) == [0, 1]


def test_rank_0_waits_until_the_others_are_over(tmp_path: Path) -> None:
    write(tmp_path, 0)
    write(tmp_path, 1, over=False)
    write(tmp_path, 2, parent=102)  # a child that is over says nothing about its rank

    def later() -> None:
        time.sleep(0.3)
        write(tmp_path, 1)

    thread = threading.Thread(target=later)
    thread.start()
    started = time.monotonic()
    assert len(gathered(tmp_path, everywhere=False, patience=60.0)) == 3
    assert 0.2 < time.monotonic() - started < 30
    thread.join()


def test_rank_0_does_not_wait_for_ever(tmp_path: Path) -> None:
    write(tmp_path, 0)
    started = time.monotonic()
    assert gathered(tmp_path, patience=0.3) == [0]
    assert time.monotonic() - started >= 0.3


def trace(before: tuple[str, ...], options: tuple[str, ...], *program: str) -> tuple[int, dict[str, Any], str]:
    done = subprocess.run(
        [
            sys.executable,
            *before,
            "-m",
            "compilelint",
            "trace",
            "--no-check",
            "-o",
            "json",
            *options,
            *program,
        ],
        cwd=PROGRAMS,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    out = done.stdout
    report: dict[str, Any] = json.loads(out[out.index('{\n  "schema_version"') :])
    return done.returncode, report, done.stderr


def of_ranks(report: dict[str, Any], type_: str, line: int) -> list[list[int]]:
    return [
        each["ranks"]
        for each in report["observations"]
        if each["type"] == type_ and each["path"].endswith("ddp.py") and each["line"] == line
    ]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["user's torchrun", "--nproc-per-node"])
def test_the_report_says_which_ranks_did_what(tmp_path: Path, how: str) -> None:
    own = how == "--nproc-per-node"
    session = tmp_path / ("s.jsonl" if own else "s")
    options = ("--session", str(session), *(("--nproc-per-node", "2") if own else ()))
    code, report, errors = trace(() if own else TORCHRUN, options, "ddp.py")
    assert code == 1, errors
    assert report["run"]["ranks"] == [0, 1]
    assert report["run"]["program"] == "ddp.py"
    assert of_ranks(report, "graph-break", 19) == [[0, 1]]
    assert of_ranks(report, "graph-break", 25) == [[1]]
    assert of_ranks(report, "recompile", 17) == [[1]]
    assert not report["run"]["cut_off"]
    assert errors.count("session: ") == 1


@pytest.mark.slow
def test_a_rank_that_dies_is_said(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import os, torch\n"
        "f = torch.compile(lambda x: x + 1, backend='eager')\n"
        "f(torch.ones(3))\n"
        "if os.environ['RANK'] == '1':\n"
        "    os.kill(os.getpid(), 9)\n"
        "import time; time.sleep(1)\n"
    )
    code, report, errors = trace(TORCHRUN, ("--session", str(tmp_path / "s")), str(tmp_path / "train.py"))
    assert code == 1, errors
    assert report["run"]["cut_off"]
    assert "SIGKILL, rank 1" in report["run"]["ended"]


@pytest.mark.slow
def test_a_rank_starts_no_launcher(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "compilelint", "trace", "--nproc-per-node", "2", "train.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "RANK": "0", "WORLD_SIZE": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "already one of its ranks" in done.stderr
