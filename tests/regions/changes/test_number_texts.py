"""Numbers that change, put into text by a compiled function. The positive forms are the examples of CL460 and CL461."""

from __future__ import annotations

import pytest

from tests.regions.constructs import events_around

CODE = """
import torch

def named(x, k):
    y = x * k
    return y, f"layer {{k}}"

def f(x, n):
    {body}

g = torch.compile(f)
for i in range(9):
    g(x, {given})
"""


def told(body: str, given: str = "i") -> list[tuple[str, str]]:
    code = CODE.format(body=body.replace("\n", "\n    "), given=given)
    return [(event.callee, event.source) for event in events_around(code) if event.construct == "number-in-text"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x, f'layer {n}'", ("f_string", "f'layer {n}'")),
        ("return x, f'{n}/{x.dim()}'", ("f_string", "f'{n}/{x.dim()}'")),
        ("for k in range(3):\n    x = show(x, f'{k} {n:03d}')\nreturn x", ("f_string", "f'{k} {n:03d}'")),
        ("with record(f'layer {n}'):\n    return x", ("f_string", "f'layer {n}'")),
        ("return x, f'layer {n + 1:03d}'", ("formatted", "f'layer {n + 1:03d}'")),
        ("return x, f'rate {n / 2:.2f}'", ("formatted", "f'rate {n / 2:.2f}'")),
        ("return x, 'layer %d' % n", ("percent", "'layer %d' % n")),
        ("return x, 'layer %d of %d' % (n + 1, 9)", ("percent", "'layer %d of %d' % (n + 1, 9)")),
        ("return named(x, n)", ("f_string", 'f"layer {k}"')),
    ],
)
def test_the_number_is_put_into_text(body: str, expected: tuple[str, str]) -> None:
    assert told(body) == [expected]


def test_of_several_texts_the_first_one_ends_it() -> None:
    assert told("a = f'layer {n}'\nreturn x, a, f'layer {n:03d}'") == [("f_string", "f'layer {n}'")]


def test_a_float_is_no_better() -> None:
    assert told("return x, f'rate {n}'", given="i * 0.5") == [("f_string", "f'rate {n}'")]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("return x, f'{n}'", id="alone-it-stays-open"),
        pytest.param("return x, f'layer {n + 1}'", id="an-expression-is-a-constant"),
        pytest.param("return x, 'layer {}'.format(n)", id="str-format-leaves-it-open"),
        pytest.param("return x, f'layer {n + 1:>4}'", id="a-format-that-text-takes"),
        pytest.param("return x, f'layer {n + 1:{width}d}'", id="a-format-that-is-computed"),
        pytest.param("if n > 3:\n    show(f'layer {n}')\nreturn x", id="under-a-condition"),
        pytest.param("assert n, f'layer {n}'\nreturn x", id="the-message-of-an-assert"),
        pytest.param("if n < 0:\n    raise ValueError(f'bad {n}')\nreturn x", id="the-message-of-an-error"),
        pytest.param("torch._check(n > 0, lambda: f'bad {n}')\nreturn x", id="in-a-lambda"),
        pytest.param("return x, f'layer {n}' if x is None else ''", id="on-a-side-of-an-expression"),
        pytest.param("for _ in range(n):\n    x = x + 1\nreturn x, f'layer {n}'", id="a-constant-before"),
        pytest.param("n = 3\nreturn x, f'layer {n}'", id="another-number"),
        pytest.param("return x % n", id="a-remainder"),
    ],
)
def test_nothing_is_told(body: str) -> None:
    assert told(body) == []


def test_an_argument_that_stays_the_same_is_not_told() -> None:
    assert told("return x, f'layer {n}'", given="3") == []
