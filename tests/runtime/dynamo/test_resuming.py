from __future__ import annotations

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.resuming import went_on
from compilelint.runtime.events import CompileStart, GraphBreak
from tests.runtime.make import MAIN, STEP, item, session

REST = StackFrame(MAIN, 12, "torch_dynamo_resume_in_step_at_12")


def started(compile_id: str, code: StackFrame) -> CompileStart:
    return CompileStart(at=0.0, compile_id=compile_id, code=code)


def broke(compile_id: str, code: StackFrame) -> GraphBreak:
    """Below line 12 of `step`."""
    return item(compile_id=compile_id, code=code)


def test_the_rest_that_is_compiled_goes_on() -> None:
    events = [started("0/0", STEP), broke("0/0", STEP), started("1/0", REST)]
    assert went_on([session(*events)]) == {(MAIN, 12)}


def test_a_rest_that_dynamo_never_begins_does_not() -> None:
    assert went_on([session(started("0/0", STEP), broke("0/0", STEP))]) == frozenset()


def test_a_rest_that_breaks_in_the_same_line_needs_a_rest_of_its_own() -> None:
    first = [started("0/0", STEP), broke("0/0", STEP), started("1/0", REST), broke("1/0", REST)]
    assert went_on([session(*first)]) == frozenset()
    assert went_on([session(*first, started("2/0", REST))]) == {(MAIN, 12)}


def test_versions_of_one_code_share_their_rest() -> None:
    again = [started("0/1", STEP), broke("0/1", STEP)]
    assert went_on([session(started("0/0", STEP), broke("0/0", STEP), started("1/0", REST), *again)]) == {(MAIN, 12)}


def test_of_a_condition_both_lines_go_on() -> None:
    """That of the jump, by which the rest is named, and that of what is asked."""
    at_jump = item(compile_id="0/0", code=STEP, stack=(StackFrame(MAIN, 12, "step"),), asked=13)
    assert went_on([session(started("0/0", STEP), at_jump, started("1/0", REST))]) == {(MAIN, 12), (MAIN, 13)}
    assert went_on([session(started("0/0", STEP), at_jump)]) == frozenset()
