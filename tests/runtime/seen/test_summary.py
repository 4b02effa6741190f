from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.model import Run
from compilelint.runtime.events import IN_PROCESS, TORCH_TRACE, Footer, TorchLoaded
from compilelint.runtime.seen.reading import read
from compilelint.runtime.seen.summary import main_session, summary
from compilelint.runtime.session import Session
from tests.runtime.make import CALL, FORWARD, end, item, recompile, session


def run_of(*sessions: Session) -> Run:
    return summary(read(sessions, lambda path: True))


def test_a_run_that_ended_well() -> None:
    run = run_of(session(end(), end("0/1"), end("1/0", FORWARD)))
    assert run.program == "train.py --steps 4"
    assert run.torch == "2.13.0"
    assert (run.ended, run.cut_off, run.ranks) == ("exit code 0", False, (0,))
    assert (run.compiled_frames, run.compilations, run.compile_seconds) == (2, 3, 3.0)


@pytest.mark.parametrize(
    ("footer", "words", "cut_off"),
    [
        (Footer(ended=1.0, exit_code=3), "exit code 3", False),
        (Footer(ended=1.0, exit_code=1, exception="ValueError: no\nmore"), "ended by ValueError: no", False),
        (Footer(ended=1.0, exception="KeyError: " + 300 * "k"), "ended by KeyError: " + 229 * "k" + "…", False),
        (
            Footer(ended=1.0, exception=f"ChildFailedError: \n{60 * '='}\ntrain.py FAILED\n{60 * '-'}\nFailures:"),
            "ended by ChildFailedError: train.py FAILED",
            False,
        ),
        (
            Footer(
                ended=1.0,
                exception="SpawnError: \n\n-- Process 1 died:\nTraceback (most recent call last):\n  F\nKeyError: 3\n",
            ),
            "ended by SpawnError: -- Process 1 died: KeyError: 3",
            False,
        ),
        (Footer(ended=1.0, signal=9, from_launcher=True), "killed by SIGKILL", True),
        (Footer(ended=1.0, signal=15, stopped="timeout"), "ended by --timeout", True),
        (Footer(ended=1.0, exit_code=0, stopped="stop-after"), "ended by --stop-after", False),
        (None, "its end was not recorded", True),
    ],
)
def test_how_a_run_ended(footer: Footer | None, words: str, cut_off: bool) -> None:
    run = run_of(session(end(), footer=footer, whole=footer is not None))
    assert (run.ended, run.cut_off) == (words, cut_off)


def test_the_rank_that_died_is_named() -> None:
    run = run_of(
        session(end(), rank=0, world_size=2),
        session(rank=1, world_size=2, footer=Footer(ended=1.0, signal=11)),
    )
    assert run.ended == "killed by SIGSEGV, rank 1"
    assert run.ranks == (0, 1)
    assert run.cut_off


def test_the_main_process_is_not_a_child() -> None:
    child = session(parent=1, pid=2, started=0.5)
    main = session(pid=1, started=1.0)
    assert main_session([child, main]) is main


def test_ranks_that_compile_the_same_do_not_add_up() -> None:
    run = run_of(session(end(), rank=0), session(end(), end("0/1"), rank=1))
    assert (run.compilations, run.compiled_frames) == (2, 1)


def test_what_limits_the_judgement_is_noted() -> None:
    run = run_of(
        session(
            TorchLoaded(at=0.0, version="2.5.1", settings={"suppress_errors": True}),
            replace(CALL, by_recorder=True, function="Net"),
            replace(CALL, backend="eager", asked_backend="inductor"),
        )
    )
    told = " | ".join(run.notes)
    assert "suppress_errors is on" in told
    assert "--compile wrapped Net at /app/train.py:40" in told
    assert "--backend eager instead of inductor" in told


@pytest.mark.parametrize(
    ("exception", "is_noted"),
    [
        ("TypeError: Encoder does not support len()", True),
        ("TypeError: object of type 'Encoder' has no len()", False),
        (None, False),
    ],
)
def test_the_truth_of_a_compiled_module_is_noted(exception: str | None, is_noted: bool) -> None:
    run = run_of(session(footer=Footer(ended=1.0, exit_code=1, exception=exception)))
    assert any("CL618" in note for note in run.notes) == is_noted


@pytest.mark.parametrize(
    ("compiled", "exception", "is_noted"),
    [
        ("Layer.step", "TypeError: Layer.step() missing 1 required positional argument: 'x'", True),
        ("Layer.step", "TypeError: Layer.step() missing 2 required positional arguments: 'x' and 'y'", True),
        ("Layer.step", "TypeError: Layer.other() missing 1 required positional argument: 'x'", False),
        ("step", "TypeError: step() missing 1 required positional argument: 'x'", False),
        ("Layer.step", None, False),
    ],
)
def test_a_compiled_method_without_its_object_is_noted(compiled: str, exception: str | None, is_noted: bool) -> None:
    call = replace(CALL, function=compiled)
    run = run_of(session(call, footer=Footer(ended=1.0, exit_code=1, exception=exception)))
    assert any("leaves its object out" in note for note in run.notes) == is_noted


def test_the_first_to_die_is_named_and_not_those_that_a_launcher_ended_then() -> None:
    run = run_of(
        session(rank=0, world_size=2, footer=Footer(ended=2.0, signal=15)),
        session(rank=1, world_size=2, footer=Footer(ended=1.0, signal=9)),
    )
    assert run.ended == "killed by SIGKILL, rank 1"


def test_an_exception_is_named_before_the_ranks_that_were_ended_for_it() -> None:
    run = run_of(
        session(rank=0, world_size=2, footer=Footer(ended=2.0, signal=15)),
        session(rank=1, world_size=2, footer=Footer(ended=1.0, exit_code=1, exception="ValueError: dies")),
        session(rank=2, world_size=3, parent=1, footer=None, whole=False),
    )
    assert run.ended == "ended by ValueError: dies, rank 1"


def test_of_an_exception_the_first_line_is_told() -> None:
    run = run_of(session(footer=Footer(ended=1.0, exit_code=1, exception="SpawnError: \n\n-- Process 0 died:\nmore")))
    assert run.ended == "ended by SpawnError: -- Process 0 died:"


def test_a_worker_that_its_pool_ended_is_no_bad_end() -> None:
    worker = session(parent=1, pid=2, footer=None, whole=False)
    assert run_of(session(), worker).ended == "exit code 0"


def test_what_turns_torch_compile_off_is_told() -> None:
    loaded = TorchLoaded(at=0.0, version="2.13.0", settings={"switch": "TORCH_COMPILE_DISABLE=1"})
    assert run_of(session(loaded)).switched_off == "TORCH_COMPILE_DISABLE=1"
    assert run_of(session(replace(loaded, settings={}))).switched_off == ""


def test_calls_under_a_stance_that_compiles_nothing_are_noted() -> None:
    footers = Footer(ended=1.0, exit_code=0, calls=(5,), only_run=(4,)), Footer(ended=1.0, exit_code=0, calls=(5,))
    (note,) = run_of(*(session(footer=footer) for footer in footers)).notes
    assert note.startswith("4 calls of what is compiled under the stance `eager_on_recompile` or `force_eager`:")


def test_ranks_without_a_session_are_named() -> None:
    assert run_of(session(rank=0, world_size=2), session(rank=1, world_size=2)).notes == ()
    (note,) = run_of(session(rank=2, world_size=4)).notes
    assert note.startswith("no session of ranks 0, 1, 3 of 4:")


def test_what_is_no_program_has_no_exit_code() -> None:
    footer = Footer(ended=1.0)
    recorded = run_of(session(program=("test_it",), settings={IN_PROCESS: True}, footer=footer))
    assert (recorded.program, recorded.ended) == ("test_it", "recorded in this process")
    logged = run_of(session(program=("a log",), settings={TORCH_TRACE: "x.log"}, footer=footer))
    assert (logged.program, logged.ended, len(logged.notes)) == ("a log", "its end is not logged", 1)


def test_code_without_a_graph_is_no_compilation() -> None:
    assert run_of(session(end(ops=0))).compilations == 0
    assert run_of(session(end(ops=None))).compilations == 1


def test_each_process_tells_what_it_did() -> None:
    run = run_of(
        session(end(), item(), rank=0, pid=7, started=1.0),
        session(end(), end("0/1"), recompile("n == 1"), rank=1, pid=8, started=2.0),
    )
    assert [
        (each.pid, each.rank, each.began, each.compile_seconds, each.breaks, each.recompiles)
        for each in run.per_process
    ] == [(7, 0, 0.0, 1.0, 1, 0), (8, 1, 1.0, 2.0, 0, 1)]
    assert (run.started, run.wall_seconds) == (1.0, 8.0)
