"""How functions use what they are given."""

from __future__ import annotations

import ast

import pytest

from compilelint.inspect.arguments.usage import item_path, usage


def uses(body: str) -> dict[str, set[str]]:
    """Of a function with the parameters x, mask, batch and data."""
    (found,) = ast.parse(f"def f(x, mask, batch, data):\n    {body}").body
    assert isinstance(found, ast.FunctionDef)
    return usage(found).uses


@pytest.mark.parametrize("method", ["masked_fill", "bmm"])
def test_what_a_method_of_two_tensors_is_given_is_one(method: str) -> None:
    assert uses(f"x.{method}(mask, 0.0)")["mask"] == {"tensor"}


@pytest.mark.parametrize(
    "expression",
    [
        "x.view(2, mask)",
        "x.expand((2, -1, mask))",
        "x[None].repeat(mask * 2, 1)",
        "F.one_hot(x, mask)",
        "one_hot(x, num_classes=mask)",
        "torch.zeros(mask, 3)",
        "torch.randn((2, mask), device=x.device)",
    ],
)
def test_what_is_taken_for_a_size_is_a_number(expression: str) -> None:
    assert uses(expression)["mask"] == {"number"}


@pytest.mark.parametrize("expression", ["torch.reshape(mask, (2, 3))", "np.reshape(mask, (2, 3))", "x.view(*mask)"])
def test_what_is_changed_and_what_is_spread_is_no_size(expression: str) -> None:
    assert "number" not in uses(expression).get("mask", set())


@pytest.mark.parametrize(
    "expression",
    [
        "x[mask == 1]",
        "x[:, mask > 0]",
        "x.y[~(mask == 1) & (data < 3)]",
        "x[(data < 3) | (mask != batch)]",
        "x[mask >= 2] = 0",
        "chosen = mask <= batch; x[chosen]",
    ],
)
def test_what_is_compared_to_index_something_is_a_tensor(expression: str) -> None:
    assert uses(expression)["mask"] == {"tensor"}


@pytest.mark.parametrize(
    "expression",
    [
        "(x, data)[mask == 1]",
        "{True: x}[mask == 1]",
        "'+-'[mask < 0]",
        "x[mask == 'left']",
        "x[mask is None]",
        "x[0 < mask < 3]",
        "chosen = mask == 1; x[0]",
        "x[1 if mask == 1 else 0]",
    ],
)
def test_what_is_compared_for_something_else_may_be_anything(expression: str) -> None:
    assert "tensor" not in uses(expression).get("mask", set())


@pytest.mark.parametrize("expression", ["sorted(batch)", "sorted(batch, key=len)", "sorted(list(batch))"])
def test_who_orders_something_means_a_list_or_a_dict(expression: str) -> None:
    assert uses(expression)["batch"] == {"container"}


def test_what_is_given_by_that_name_is_drawn_from() -> None:
    assert uses("torch.rand(3, generator=mask)")["mask"] == {"python", "generator"}
    assert "mask" not in uses("torch.rand(3, generator=make(mask))")


def test_the_use_of_a_lambda_s_parameters() -> None:
    found = ast.parse("lambda a, b, c: a.softmax(-1) + b[0] + c['d']", mode="eval").body
    assert isinstance(found, ast.Lambda)
    assert usage(found).uses == {"a": {"tensor"}, "c": {"python"}}


@pytest.mark.parametrize(
    ("expression", "path"),
    [
        ("x", "x"),
        ("data.pos", "data.pos"),
        ("batch['a'][0].b", "batch['a'][0].b"),
        ("batch[key]", None),
        ("f().b", None),
        ("f()[0]", None),
    ],
)
def test_paths(expression: str, path: str | None) -> None:
    assert item_path(ast.parse(expression, mode="eval").body) == path


def test_items_and_attributes_have_uses_of_their_own() -> None:
    assert uses("batch['a'].softmax(-1); data.pos.view(-1)") == {
        "batch": {"python"},
        "batch['a']": {"tensor"},
        "data": {"python"},
        "data.pos": {"tensor"},
    }
    assert "other['a']" not in uses("other['a'].softmax(-1)"), "nobody gave it"


def test_a_name_stands_for_an_item_until_it_is_assigned_again() -> None:
    assert uses("y = batch['a']\n    y = y.softmax(-1)\n    y.items()")["batch['a']"] == {"tensor"}
    assert uses("y.softmax(-1)\n    y = batch['a']")["batch['a']"] == set()


def test_what_is_unpacked_are_items_up_to_a_star() -> None:
    found = uses("y, (u, v), *z, w = batch; y.softmax(-1), z.softmax(-1), w.softmax(-1), u.softmax(-1)")
    assert found == {"batch": {"container"}, "batch[0]": {"tensor"}}


@pytest.mark.parametrize(
    "body",
    [
        "torch.zeros(batch[0]['n'], 1)",
        "torch.arange(x, x + batch[0]['n'])",
        "n = batch[0]['n']\n    return torch.zeros(n)",
    ],
)
def test_an_entry_of_a_dict_that_is_a_size_is_counted(body: str) -> None:
    (found,) = ast.parse(f"def f(x, batch):\n    {body}").body
    assert isinstance(found, ast.FunctionDef)
    assert usage(found).counts == {"batch[0]['n']"}


def test_what_is_used_as_a_tensor_is_not_counted() -> None:
    (found,) = ast.parse("def f(x, batch):\n    torch.zeros(x, x[0])\n    return batch[0]['n'] * x").body
    assert isinstance(found, ast.FunctionDef)
    assert usage(found).counts == set()
