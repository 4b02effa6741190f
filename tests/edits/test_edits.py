"""A check with memory says what one without says, whatever was edited in between: see machine.py.

The edits are the same each time. With COMPILELINT_EDITS=N in the environment they are N sequences of 30, other ones
each time, of which one that fails is made as short as it can be.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.edits import package
from tests.edits.machine import Edits

_UNTIMED = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=True)
_SAME = settings(_UNTIMED, derandomize=True, phases=(Phase.generate,))
_LONGER = int(os.environ.get("COMPILELINT_EDITS", "0"))
_LONG = settings(_UNTIMED, phases=(Phase.generate,)) if os.environ.get("COMPILELINT_EDITS_AS_FOUND") else _UNTIMED


class _InATinyPart(Edits):
    parts = package.TINY


class _InALargePart(Edits):
    parts = package.LARGE


def test_edits_of_a_tiny_part() -> None:
    run_state_machine_as_test(_InATinyPart, settings=settings(_SAME, max_examples=1, stateful_step_count=6))


@pytest.mark.slow
def test_edits_of_a_small_part() -> None:
    run_state_machine_as_test(Edits, settings=settings(_SAME, max_examples=1, stateful_step_count=16))


@pytest.mark.slow
def test_edits_of_a_large_part() -> None:
    run_state_machine_as_test(_InALargePart, settings=settings(_SAME, max_examples=1, stateful_step_count=10))


@pytest.mark.skipif(not _LONGER, reason="COMPILELINT_EDITS says for how long")
@pytest.mark.parametrize("machine", [Edits, _InALargePart])
def test_other_edits_each_time(machine: type[Edits]) -> None:
    run_state_machine_as_test(machine, settings=settings(_LONG, max_examples=_LONGER, stateful_step_count=30))
