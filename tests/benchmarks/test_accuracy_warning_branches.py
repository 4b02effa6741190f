"""Branches that only warn, and whether a model took them."""

from __future__ import annotations

from benchmarks.accuracy.warning_branches import taken
from compilelint.inspect.deciding.complaining import says_deprecated

SOURCE = """\
def forward(self, x, mask=None):
    if mask is not None:
        warnings.warn("no mask is needed")
    if x.ndim == 3:
        x = x[None]
    else:
        text = f"{x.ndim} dimensions"
        logger.warning(text)
    if x.ndim > 4:
        logger.warning("odd")
        x = x[0]
    return x
"""


def test_only_branches_count_whose_condition_was_come_to() -> None:
    assert list(taken(SOURCE, {2, 4, 5, 9, 12})) == [False, False]
    assert list(taken(SOURCE, {2, 3})) == [True]
    assert list(taken(SOURCE, {4, 7})) == [True]
    assert list(taken(SOURCE, {9, 10})) == []


def test_another_sort_of_branch_may_be_asked_for() -> None:
    source = SOURCE.replace('"odd"', '"no longer: deprecated"')
    assert list(taken(source, {9, 10}, says_deprecated)) == [True]
    assert list(taken(source, {2, 4, 9}, says_deprecated)) == [False]
