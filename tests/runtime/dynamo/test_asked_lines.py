from __future__ import annotations

from dataclasses import dataclass

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.asked_lines import asked_line, decision


@dataclass
class Instruction:
    opname: str


@dataclass
class Translator:
    current_instruction: Instruction
    lineno: int


JUMP = Instruction("POP_JUMP_FORWARD_IF_FALSE")
STOPPED = (StackFrame("main.py", 30, "main"), StackFrame("main.py", 7, "choose"))


def test_a_jump_on_a_line_of_its_own_is_about_the_line_before() -> None:
    translator = Translator(JUMP, 8)
    assert asked_line(decision(translator, 7), STOPPED) == 8


def test_what_begins_a_line_and_is_no_jump_tests_nothing() -> None:
    assert decision(Translator(Instruction("LOAD_FAST"), 8), 7) is None
    assert decision(Translator(Instruction("JUMP_FORWARD"), 8), 7) is None


def test_a_jump_before_any_line_tests_nothing() -> None:
    assert decision(Translator(JUMP, -1), 7) is None


def test_a_jump_on_the_line_of_what_it_asks_needs_no_other() -> None:
    assert decision(Translator(JUMP, 7), 7) is None


def test_what_follows_the_jump_on_its_line_is_where_it_is() -> None:
    translator = Translator(JUMP, 8)
    last = decision(translator, 7)
    translator.current_instruction = Instruction("BINARY_SUBSCR")
    assert asked_line(last, STOPPED) is None


def test_a_break_elsewhere_is_none_of_the_jump() -> None:
    translator = Translator(JUMP, 8)
    assert asked_line(decision(translator, 6), STOPPED) is None
    assert asked_line(None, STOPPED) is None


def test_a_translator_that_is_gone_tells_nothing() -> None:
    translator = Translator(JUMP, 8)
    last = decision(translator, 7)
    del translator
    assert asked_line(last, STOPPED) is None
