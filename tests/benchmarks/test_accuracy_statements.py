"""Which statement holds a line."""

from __future__ import annotations

import sys

import pytest

from benchmarks.accuracy.statements import statements

SOURCE = """\
@decorate(
    1,
)
def f(
    a=[
        1],
) -> int:
    '''Doc.'''
    x = g(
        a,
        b,
    )
    with open(x) as first, open(
        x
    ) as second:
        y = [
            h(z)
            for z in x
        ]
    if (
        x
        and y
    ):
        return x
    elif y:
        pass
    for z in (
        x):
        z()
    while x: y()
    try:
        f()
    except (
        A, B
    ) as e:
        raise
    finally:
        g()
    match x:
        case [1,
              2] if (
            y):
            pass
    class C(
        Base,
        metaclass=M):
        z = 1
    return lambda: (
        x
    )
"""


@pytest.mark.parametrize(
    ("line", "span"),
    [
        (1, (1, 7)),
        (4, (1, 7)),
        (6, (1, 7)),
        (8, (8, 8)),
        (9, (9, 12)),
        (11, (9, 12)),
        (14, (13, 15)),
        (15, (13, 15)),
        (17, (16, 19)),
        (18, (16, 19)),
        (21, (20, 22)),
        (24, (24, 24)),
        (25, (25, 25)),
        (28, (27, 28)),
        (29, (29, 29)),
        (32, (32, 32)),
        (34, (33, 35)),
        (36, (36, 36)),
        (38, (38, 38)),
        (39, (39, 39)),
        (41, (40, 42)),
        (45, (44, 46)),
        (47, (47, 47)),
        (49, (48, 50)),
    ],
)
def test_a_line_belongs_to_the_innermost_statement_or_header(line: int, span: tuple[int, int]) -> None:
    assert statements(SOURCE).at(line) == span


def test_a_line_without_a_statement_stands_for_itself() -> None:
    assert statements("x = 1\n\n# nothing\n").at(3) == (3, 3)


def test_a_file_that_is_not_python_has_no_statements() -> None:
    assert statements("def f(:\n  pass\n").at(2) == (2, 2)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is of Python 3.11")
def test_an_exception_group_is_no_statement_of_its_own() -> None:
    assert statements("try:\n    f()\nexcept* A:\n    g()\n").at(2) == (2, 2)
