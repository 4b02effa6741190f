"""Constants that are read of a class: what nobody sets is what it says."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import BOOL, UNKNOWN, Const, Kind
from tests.inspect.make import returned

_CONFIG = "class Config:\n    DEBUG = False\n    LEVEL = 2\n    HOOK = None\n\nclass Small(Config):\n    pass\n"


def read(expression: str, more: str = "", **others: str) -> Kind:
    return returned(f"{_CONFIG}{more}\ndef f(x):\n    return {expression}\n", **others)


def test_what_nobody_sets_is_known() -> None:
    assert read("Config.DEBUG") == Const(False)
    assert read("Small.LEVEL") == Const(2)


def test_what_is_there_to_be_filled_is_not() -> None:
    assert read("Config.HOOK") == UNKNOWN


@pytest.mark.parametrize(
    "sets",
    [
        "Config.DEBUG = True",
        "def main(args):\n    Config.DEBUG = args.debug",
        "def main(n):\n    Config.DEBUG |= n",
        "def main(n, v):\n    setattr(Config, n, v)",
        "class Other:\n    def start(self):\n        self.DEBUG = True",
    ],
)
def test_what_somebody_may_set_is_not(sets: str) -> None:
    assert read("Config.DEBUG", sets) == BOOL


def test_nor_what_who_imports_it_sets() -> None:
    user = "from example import Config\nConfig.DEBUG = True\n"
    assert read("Config.DEBUG", user=user) == BOOL
    assert read("Config.LEVEL", user=user) == Const(2)


def test_of_an_object_any_may_be_another() -> None:
    assert read("Config().DEBUG") == BOOL


def test_what_many_import_is_there_to_be_set() -> None:
    others = {f"user{n}": "from example import Config\n" for n in range(9)}
    assert read("Config.DEBUG", **others) == BOOL
