"""Sets of what was asked of a tree, each of them a number."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compilelint.inspect.asked_sets import EMPTY, AskedSets
from compilelint.source.tree import Asked

FILES = st.sets(st.sampled_from("abcdefgh"))
BODIES = st.sets(st.tuples(st.sampled_from("ab"), st.integers(0, 3)))


@st.composite
def some_asked(draw: st.DrawFn) -> Asked:
    return Asked(draw(FILES), draw(FILES), draw(BODIES), draw(FILES))


@given(st.lists(st.tuples(some_asked(), st.sets(st.integers(0, 60))), min_size=1, max_size=40))
def test_a_set_holds_what_was_asked_and_what_its_parts_hold(steps: list[tuple[Asked, set[int]]]) -> None:
    sets, known, held = AskedSets(), [EMPTY], [Asked()]
    for asked, places in steps:
        parts = {place for place in places if place < len(known)}
        expected = asked
        for place in parts:
            expected |= held[place]
        number = sets.together(asked, {known[place] for place in parts})
        assert sets.asked_in({number}) == expected
        assert all((number == other) == (expected == what) for other, what in zip(known, held, strict=True))
        known.append(number)
        held.append(expected)


def test_nothing_is_the_empty_set() -> None:
    sets = AskedSets()
    assert sets.together(Asked(), set()) == sets.together(Asked(), {EMPTY}) == EMPTY
    assert sets.asked_in(set()) == sets.asked_in({EMPTY}) == Asked()


def test_one_part_is_the_whole() -> None:
    sets = AskedSets()
    number = sets.together(Asked(texts={"a"}), set())
    assert sets.together(Asked(), {number, EMPTY}) == number
    assert sets.together(Asked(texts={"a"}), {number}) == number


def test_the_same_name_asked_for_something_else_is_something_else() -> None:
    sets = AskedSets()
    assert sets.together(Asked(texts={"a"}), set()) != sets.together(Asked(outlines={"a"}), set())
