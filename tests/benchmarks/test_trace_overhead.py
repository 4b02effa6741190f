"""The summary of the overhead benchmark, over costs that are made up."""

from __future__ import annotations

import pytest

pytest.importorskip("resource")  # of POSIX only

from benchmarks.speed.trace_overhead import LOGS, TRACE, Cost, summary


def test_a_way_is_compared_with_the_log_round_by_round() -> None:
    logs = [Cost(10.0, 8.0), Cost(20.0, 16.0), Cost(40.0, 32.0)]
    traced = [Cost(11.0, 8.0), Cost(21.0, 16.0), Cost(40.0, 40.0)]
    first, second = summary({LOGS: logs, TRACE: traced})
    assert (first["way"], first["wall_s"], first["wall_ratio"], first["processor_ratio"]) == (LOGS, 20.0, 1.0, 1.0)
    assert (second["way"], second["wall_s"], second["processor_s"]) == (TRACE, 21.0, 16.0)
    assert second["wall_ratio"] == pytest.approx(1.05), "the median of 1.1, 1.05 and 1.0, not a ratio of medians"
    assert second["processor_ratio"] == 1.0


def test_a_round_in_which_all_was_slow_does_not_change_the_ratio() -> None:
    logs = [Cost(1.0, 1.0), Cost(1.0, 1.0), Cost(100.0, 100.0)]
    traced = [Cost(1.02, 1.0), Cost(1.02, 1.0), Cost(102.0, 100.0)]
    (_, row) = summary({LOGS: logs, TRACE: traced})
    assert row["wall_ratio"] == pytest.approx(1.02)


def test_rounds_that_do_not_match_are_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        summary({LOGS: [Cost(1.0, 1.0)], TRACE: [Cost(1.0, 1.0), Cost(1.0, 1.0)]})
