"""Runs of several ranks: which one this process is, and where each writes.

Nothing here talks to other machines: ranks meet in a directory, which may be shared.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compilelint.runtime.session_files import SUFFIX

_VARIABLES = (
    # torch.distributed.run, accelerate, deepspeed
    ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"),
    tuple(f"OMPI_COMM_WORLD_{name}" for name in ("RANK", "LOCAL_RANK", "SIZE", "LOCAL_SIZE")),
    # Only srun sets the size of a step; a batch script that is no rank has the other variables, too.
    ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS", ""),
    ("PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", "MPI_LOCALNRANKS"),
)
_LAUNCH = (
    "TORCHELASTIC_RUN_ID",
    "TORCHELASTIC_RESTART_COUNT",
    "MASTER_ADDR",
    "MASTER_PORT",
    "SLURM_JOB_ID",
    "SLURM_STEP_ID",
)
LAUNCH_SETTING = "launch"
"""In the settings of a session: what is the same for all ranks of a run, and for no others."""


@dataclass(frozen=True, slots=True)
class Place:
    """One rank among others, as its launcher numbers it."""

    rank: int
    local_rank: int | None
    world_size: int
    local_world_size: int | None


def place(environment: Mapping[str, str] = os.environ) -> Place | None:
    """Which rank this process is; None if no launcher says so.

    Read from what torchrun (and what builds on it), Open MPI, srun and MPICH set.
    """
    for names in _VARIABLES:
        rank, local_rank, world_size, local_world_size = (_number(environment.get(name)) for name in names)
        if rank is not None and world_size is not None and 0 <= rank < world_size:
            return Place(rank, local_rank, world_size, local_world_size)
    return None


def launch_id(environment: Mapping[str, str] = os.environ) -> str:
    """The same text in all ranks of one run, and another in the next, as far as launchers tell them apart."""
    return "/".join(filter(None, (environment.get(name) for name in _LAUNCH)))


def torchrun(program: Sequence[str], nproc_per_node: int) -> tuple[str, ...]:
    """What to run in the place of `program`, for so many ranks of it on this machine."""
    options = ("--standalone", f"--nproc-per-node={nproc_per_node}")
    return ("-m", "torch.distributed.run", *options, *program)


def session_path(folder: Path, rank: int, environment: Mapping[str, str] = os.environ) -> Path:
    """Where a rank writes; torchrun may start all of them again, and that is another file."""
    restart = environment.get("TORCHELASTIC_RESTART_COUNT", "0")
    return folder / f"rank-{rank:05}{'' if restart == '0' else f'.restart-{restart}'}{SUFFIX}"


def _number(text: str | None) -> int | None:
    try:
        return int(text) if text else None
    except ValueError:
        return None
