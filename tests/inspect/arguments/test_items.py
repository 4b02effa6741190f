"""What may be known of the items and attributes of a parameter."""

from __future__ import annotations

import pytest

from compilelint.inspect.arguments.items import MODULE, is_module, may_be_of
from compilelint.inspect.kinds import FLOAT, INT, OBJECT, TENSOR, UNKNOWN, Dictionary, Instance, Kind, ProjectClass

NET = Instance(ProjectClass(("net.py", 1, 0), "Net"), module=True)
OTHER = Instance(ProjectClass(("net.py", 9, 0), "Options"), module=False)


@pytest.mark.parametrize("holder", [UNKNOWN, MODULE, OBJECT, Dictionary(UNKNOWN)])
def test_what_nothing_is_known_of_may_hold_anything(holder: Kind) -> None:
    assert may_be_of(holder, TENSOR)


@pytest.mark.parametrize(
    ("holder", "item", "may"),
    [
        (NET, INT, True),
        (NET, TENSOR, False),
        (NET, FLOAT, False),
        (OTHER, INT, False),
        (TENSOR, INT, False),
        (None, INT, False),
    ],
)
def test_of_a_module_of_the_project_only_numbers_are_told(holder: Kind | None, item: Kind, may: bool) -> None:
    assert may_be_of(holder, item) is may


def test_what_a_module_is() -> None:
    assert [is_module(each) for each in (MODULE, NET, OTHER, UNKNOWN)] == [True, True, False, False]
