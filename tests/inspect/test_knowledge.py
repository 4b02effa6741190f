"""What is known is the same whoever asked first."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from compilelint.inspect.knowledge import MAX_OPEN, Knowledge
from tests.source.make import tree

FILES = {f"{name}.py": f"{name} = 1" for name in "abcd"}


def knowledge() -> Knowledge:
    made = Knowledge(tree(FILES))
    made.begin()
    return made


class Questions:
    """Questions that ask each other: each has a file of its own, and is answered by what it was told, in brackets."""

    def __init__(self, asks: dict[str, str]) -> None:
        self.knowledge = knowledge()
        self.asks = asks
        self.answered: list[str] = []

    def ask(self, question: str) -> str:
        return self.knowledge.find(question, question.upper(), lambda: self._answer(question))

    def _answer(self, question: str) -> str:
        self.answered.append(question)
        self.knowledge.tree.text(f"{question}.py")
        told = "".join(map(self.ask, self.asks[question]))
        return f"{question}({told})"


def test_a_question_is_answered_once() -> None:
    questions = Questions({"a": "b", "b": "", "c": "b"})
    assert questions.ask("a") == "a(b())"
    questions.knowledge.begin()
    assert questions.ask("c") == "c(b())"
    assert questions.answered == ["a", "b", "c"]


def test_a_question_that_leads_to_itself_is_told_what_is_said_meanwhile() -> None:
    questions = Questions({"a": "a"})
    assert questions.ask("a") == "a(A)"


def test_what_is_said_meanwhile_may_change() -> None:
    known = knowledge()

    def answer() -> str:
        before = known.find("a", "", str)
        known.say_meanwhile("a", "more")
        return before + "|" + known.find("a", "", str)

    assert known.find("a", "little", answer) == "little|more"


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    for asks in (
        {"a": "b", "b": "a", "c": "ab", "d": "c"},
        {"a": "bc", "b": "c", "c": "a", "d": "bd"},
        {"a": "bd", "b": "ca", "c": "ab", "d": "d"},
        {"a": "b", "b": "cd", "c": "da", "d": "bc"},
    ):
        alone = {question: Questions(asks).ask(question) for question in asks}
        for order in permutations(asks):
            questions = Questions(asks)
            assert {question: questions.ask(question) for question in order} == {each: alone[each] for each in order}


def test_what_was_asked_of_the_tree_is_told_for_known_answers_too() -> None:
    asks = {"a": "bc", "b": "c", "c": "a", "d": "b"}
    for order in permutations(asks):
        questions = Questions(asks)
        for question in order:
            questions.knowledge.begin()
            questions.ask(question)
            expected = {"a.py", "b.py", "c.py", *(["d.py"] if question == "d" else [])}
            assert questions.knowledge.asked().files == expected, order


def test_importers_are_among_what_was_asked() -> None:
    known = knowledge()
    known.find("q", 0, lambda: len(known.tree.importers("a.py")))
    known.begin()
    known.find("q", 0, lambda: 1)
    assert known.asked().importers == {"a.py"}
    assert not known.asked().files


def test_what_is_compiled_on_the_way_is_told_again() -> None:
    known = knowledge()

    def compiles() -> int:
        known.compiled["f"] = None
        return 1

    assert known.find("inner", 0, compiles) == 1
    assert list(known.compiled) == ["f"]
    known.begin()
    assert known.find("outer", 0, lambda: known.find("inner", 0, compiles)) == 1
    assert list(known.compiled) == ["f"]
    known.begin()
    assert not known.compiled
    known.find("outer", 0, int)
    assert list(known.compiled) == ["f"]


def test_an_answer_that_fails_leaves_nothing_behind() -> None:
    questions = Questions({"a": "b", "b": "a", "c": ""})

    def fails(ask: Callable[[str], str]) -> str:
        ask("a")
        raise RecursionError

    try:
        questions.knowledge.find("x", "", lambda: fails(questions.ask))
    except RecursionError:
        assert questions.ask("b") == "b(a(B))"
    else:
        raise AssertionError


def test_what_is_derived_is_derived_once_and_again_under_a_question_that_it_leans_on() -> None:
    known = knowledge()
    derived: list[str] = []

    def derive() -> str:
        def derivation() -> str:
            derived.append("d")
            return known.find("q", "meanwhile", answer) + "!"

        return known.derive("d", derivation)

    def answer() -> str:
        known.tree.text("a.py")
        return f"q({derive()} {derive()})"

    assert derive() == "q(meanwhile! meanwhile!)!"
    assert len(derived) == 2, "once under the question, for both"
    known.begin()
    assert derive() == "q(meanwhile! meanwhile!)!"
    assert len(derived) == 2
    assert known.asked().files == {"a.py"}


def test_derived_answers_do_not_depend_on_what_was_asked_before() -> None:
    asks = {"a": "b", "b": "ca", "c": "b", "d": "abc"}

    class Deriving(Questions):
        def ask(self, question: str) -> str:
            return self.knowledge.derive(("derived", question), lambda: super(Deriving, self).ask(question) + "!")

    alone = {question: Deriving(asks).ask(question) for question in asks}
    for order in permutations(asks):
        questions = Deriving(asks)
        assert {question: questions.ask(question) for question in order} == {each: alone[each] for each in order}


def test_questions_that_lead_on_and_on_end_and_what_leans_on_that_is_not_kept() -> None:
    known, asked = knowledge(), []

    def ask(number: int) -> int:
        def answer() -> int:
            asked.append(number)
            return 1 + ask(number + 1)

        return known.find(number, 0, answer)

    assert ask(0) == MAX_OPEN
    assert ask(5) == MAX_OPEN, "as if nobody had asked before"
    assert asked == [*range(MAX_OPEN), *range(5, 5 + MAX_OPEN)]
    assert ask(0) == MAX_OPEN
    assert len(asked) == 2 * MAX_OPEN, "what was asked for its own sake is known"


def test_a_function_whose_calls_lead_to_each_other_in_many_orders_ends() -> None:
    known = knowledge()
    asked: list[int] = []

    def ask(given: int, about: str | None) -> int:
        def answer() -> int:
            asked.append(given)
            assert len(asked) < 20_000, "each of ten arguments leads to the others, in each order"
            return 1 + sum(ask(other, about) for other in range(10) if other != given)

        return known.find(given, 0, answer, about=about)

    assert ask(1, "f") > 1
    known, asked = knowledge(), []
    with pytest.raises(AssertionError, match="in each order"):
        ask(1, None)


def test_a_function_that_calls_itself_is_asked_as_deep_as_it_goes() -> None:
    known = knowledge()

    def ask(left: int) -> int:
        return known.find(left, 0, lambda: 1 + ask(left - 1) if left else 0, about="f")

    assert ask(15) == 15
