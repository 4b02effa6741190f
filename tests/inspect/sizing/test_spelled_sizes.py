import ast

import pytest

from compilelint.inspect.sizing.spelled_sizes import Named, is_part, is_size, named_sizes

NAMED = Named(sizes=frozenset({"shape"}), parts=frozenset({"n"}))


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def names(*lines: str) -> tuple[set[str], set[str]]:
    found = named_sizes(ast.parse("\n".join(lines)))
    return set(found.sizes), set(found.parts)


@pytest.mark.parametrize("text", ["x.shape", "x.size()", "torch.Size((1, 2))", "x.shape[:2]", "shape", "shape[1:]"])
def test_a_whole_size(text: str) -> None:
    assert is_size(expression(text), NAMED)


@pytest.mark.parametrize("text", ["x.size(0)", "x.shape[0]", "n", "x.sizes()", "other[:2]", "len(x)"])
def test_no_whole_size(text: str) -> None:
    assert not is_size(expression(text), NAMED)


@pytest.mark.parametrize(
    "text", ["x.shape[0]", "x.size(1)", "x.numel()", "n", "shape[0]", "2 * n - 1", "m + x.size(0)"]
)
def test_a_part_of_a_size(text: str) -> None:
    assert is_part(expression(text), NAMED)


@pytest.mark.parametrize("text", ["x.shape", "shape", "m", "len(x)", "items[0]", "-n", "m + 1"])
def test_no_part_of_a_size(text: str) -> None:
    assert not is_part(expression(text), NAMED)


def test_names_of_sizes_lead_to_other_names_in_whatever_order() -> None:
    assert names("last = n - 1", "n = whole[0]", "whole = shape", "shape = x.shape") == (
        {"shape", "whole"},
        {"n", "last"},
    )


def test_a_name_that_is_assigned_twice_may_hold_something_else() -> None:
    assert names("n = x.size(0)", "n = 3", "m = n + 1") == (set(), set())


def test_what_a_size_is_unpacked_into_are_parts_of_it() -> None:
    assert names("b, (t, c), *rest = x.shape", "n = b * 2") == (set(), {"b", "n"})


def test_a_name_that_leads_to_itself_is_no_size() -> None:
    assert names("a = b", "b = a", "n = n + 1") == (set(), set())
