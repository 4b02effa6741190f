from __future__ import annotations

from compilelint.report.finding_words import finding_notes, nature, worse_words
from compilelint.report.model import LibraryPlace
from tests.report.make import finding


def test_the_effect_and_how_sure_it_is() -> None:
    assert nature(finding()) == "graph break, high confidence"
    assert nature(finding(effect="none")) == "suppression comment"


def test_of_a_long_route_its_ends_are_told() -> None:
    steps = ("a.py:1 torch.compile(f)", *"fghijklm")
    assert dict(finding_notes(finding(reached_from=steps)))["reached"] == (
        "a.py:1 torch.compile(f) → f → (4 more) → k → l → m"
    )


def test_a_forward_that_is_a_root_itself_is_named_once() -> None:
    notes = dict(finding_notes(finding(reached_from=("a.py:1 Net.forward", "Net.forward"))))
    assert notes["reached"] == "a.py:1 Net.forward"


def test_further_places_in_a_package_are_told_but_not_all() -> None:
    places = tuple(LibraryPlace("lib/a.py", line, line, "f") for line in range(1, 8))
    assert dict(finding_notes(finding(library=places)))["also"] == (
        "lib/a.py:2, lib/a.py:3, lib/a.py:4, lib/a.py:5, 2 more"
    )


def test_a_loop_costs_its_whole_function_and_a_try_what_comes_after_it() -> None:
    loop, block = "inside a `for` loop", "inside a `try` block"
    assert worse_words((loop, loop)).endswith("drops the whole frame")
    assert worse_words((block,)).endswith("gives up the rest of the frame")
    assert worse_words((block, loop)) == f"{block}, {loop}: Dynamo gives up the rest of the frame"


def test_only_a_break_is_made_worse_by_what_is_around_it() -> None:
    around = ("inside a `for` loop",)
    assert dict(finding_notes(finding(aggravated_by=around)))["worse"].startswith("inside a `for` loop: Dynamo drops")
    assert "worse" not in dict(finding_notes(finding(aggravated_by=around, effect="recompile")))
