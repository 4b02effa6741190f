from __future__ import annotations

from compilelint.report.doubts import doubts, remarks
from tests.report.make import finding, observation, report, run


def test_a_check_and_a_run_that_went_well_leave_no_doubt() -> None:
    assert doubts(report(finding())) == remarks(report(finding())) == ()
    assert doubts(report(run=run())) == ()


def test_a_run_that_compiled_nothing_or_could_not_be_read_proves_nothing() -> None:
    never = report(observations=(observation(),), run=run(compilations=0, unreadable=("a new event",)))
    assert doubts(never) == (
        "Nothing was compiled: what the program gave to `torch.compile` was never called, or gave no graph "
        "(`compilelint rule CL908`)",
        "Not all that Dynamo said could be read: a new event",
    )


def test_what_was_cut_off_may_have_been_about_to_compile() -> None:
    (doubt,) = doubts(report(run=run(compilations=0, cut_off=True)))
    assert doubt.startswith("Nothing was compiled: the run was cut off before a first compilation was done")


def test_that_a_run_was_cut_off_is_no_doubt_of_what_was_seen() -> None:
    cut_off = report(run=run(cut_off=True, notes=()))
    assert doubts(cut_off) == ()
    assert remarks(cut_off) == ("The run was cut off: this is what was seen until then",)


def test_what_turns_compiling_off_is_why_nothing_was_compiled() -> None:
    for calls in 0, 2:
        off = run(compilations=0, compile_calls=calls, switched_off="TORCHDYNAMO_DISABLE=1")
        (doubt,) = doubts(report(run=off))
        assert doubt.startswith("Nothing was compiled: `TORCHDYNAMO_DISABLE=1` is set, which turns `torch.compile` off")
