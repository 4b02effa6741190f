from __future__ import annotations

import pytest

from compilelint.catalog.example_source import defines_root, statement_starts


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return x\n",
        "f = torch.nn.Linear(4, 4)\n",
        "f: object = make()\n",
        "g, f = make()\n",
        "if True:\n    f = g\n",
        "with torch.no_grad():\n    f = g\n",
    ],
)
def test_a_root_is_whatever_binds_f(source: str) -> None:
    assert defines_root(source)


@pytest.mark.parametrize(
    "source",
    [
        "def forward(f):\n    return f\n",
        "print(f)\n",
        "def g():\n    f = 1\n    return f\n",
        "class A:\n    f = 1\n",
        "x.f = 1\n",
    ],
)
def test_an_f_that_is_not_the_modules_is_no_root(source: str) -> None:
    assert not defines_root(source)


def test_lines_of_a_statement_lead_to_its_first() -> None:
    source = "x = g(\n    1,\n)\nif (\n    x\n):\n    y = 1\n    z = (\n        2\n    )\n"
    assert statement_starts(source) == {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 6: 4, 7: 7, 8: 8, 9: 8, 10: 8}


def test_a_decorator_belongs_to_the_header_of_its_function() -> None:
    starts = statement_starts("@first\n@second(\n    1)\ndef f():\n    return 1\n")
    assert [starts[line] for line in (1, 2, 3, 4, 5)] == [4, 4, 4, 4, 5]
