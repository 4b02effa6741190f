"""Globals that somebody changes after their file made them."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

KEPT = """
CONFIG = {"debug": False, "n": 1, "model": {"debug": False}}
HOOKS = []
DEBUG = False
HOOK = None
class Config:
    HOOKS = []
OPTIONS = types.SimpleNamespace(debug=False)
"""
ASKS = """
def f(x):
    if {}:
        print(x)
    return x
"""


def is_taken(condition: str, changes: str = "", **others: str) -> bool:
    return "builtins.print" in callees("import types\n" + KEPT + changes + ASKS.format(condition), **others)


@pytest.mark.parametrize(
    ("condition", "changes"),
    [
        ("CONFIG['debug']", "CONFIG['debug'] = flag"),
        ("CONFIG['debug']", "CONFIG[key] = flag"),
        ("CONFIG['debug']", "CONFIG.update(debug=flag)"),
        ("CONFIG['debug']", "CONFIG |= flag"),
        ("CONFIG['debug']", "mine = CONFIG\n    mine['debug'] = flag"),
        ("CONFIG['n'] > 3", "CONFIG['n'] += 5"),
        ("CONFIG['model']['debug']", "CONFIG['model']['debug'] = flag"),
        ("HOOKS", "HOOKS.append(flag)"),
        ("HOOKS", "HOOKS.extend(flag)"),
        ("Config.HOOKS", "Config.HOOKS.append(flag)"),
        ("OPTIONS.debug", "OPTIONS.__dict__.update(debug=flag)"),
        ("OPTIONS.debug", "vars(OPTIONS).update(debug=flag)"),
        ("OPTIONS.debug", "setattr(OPTIONS, key, flag)"),
        ("DEBUG", "globals()['DEBUG'] = flag"),
        ("DEBUG", "globals()[key] = flag"),
        ("DEBUG", "globals().update(flag)"),
        ("DEBUG", "global DEBUG\n    DEBUG = flag"),
        ("HOOK is not None", "global HOOK\n    HOOK = flag"),
    ],
)
def test_what_a_function_changes_may_be_otherwise(condition: str, changes: str) -> None:
    assert is_taken(condition, f"def change(flag, key):\n    {changes}\n")


@pytest.mark.parametrize("condition", ["CONFIG['debug']", "HOOKS", "DEBUG", "HOOK is not None", "CONFIG['n'] > 3"])
def test_what_nobody_changes_is_what_its_file_makes_it(condition: str) -> None:
    assert not is_taken(condition)
    assert not is_taken(
        condition, "def reads(x):\n    return x + CONFIG['n'] if HOOKS == [] and DEBUG == x else CONFIG\n"
    )
    assert not is_taken(condition, "class Other:\n    def __init__(self, flag):\n        self.DEBUG = flag\n")


@pytest.mark.parametrize(
    ("condition", "changes"),
    [
        ("settings.DEBUG", "settings.DEBUG = True"),
        ("settings.DEBUG", "setattr(settings, 'DEBUG', True)"),
        ("settings.DEBUG", "setattr(\n        settings,\n        'DEBUG',\n        True,\n    )"),
        ("settings.DEBUG", "vars(settings)['DEBUG'] = True"),
        ("settings.HOOK is not None", "settings.HOOK = 3"),
        ("settings.CONFIG['debug']", "settings.CONFIG['debug'] = True"),
        ("settings.HOOKS", "settings.HOOKS.append(3)"),
    ],
)
def test_who_imports_a_file_may_change_what_it_keeps(condition: str, changes: str) -> None:
    code = "import settings\n" + ASKS.format(condition)
    main = f"import settings\n\ndef main():\n    {changes}\n"
    kept = "import types\n" + KEPT
    assert "builtins.print" in callees(code, settings=kept, main=main)
    assert "builtins.print" not in callees(code, settings=kept, main="import settings\n")
    many = {f"other_{number}": "import settings\n" for number in range(8)}
    assert "builtins.print" not in callees(code, settings=kept, main=main, **many), "it is a library's"


def test_a_name_that_was_imported_stays_what_it_was() -> None:
    """`from settings import DEBUG` copies it; what a list holds is the same list's."""
    code = "from settings import DEBUG, HOOKS\n"
    main = "import settings\n\ndef main():\n    settings.DEBUG = True\n    settings.HOOKS.append(3)\n"
    kept = "import types\n" + KEPT
    assert "builtins.print" not in callees(code + ASKS.format("DEBUG"), settings=kept, main=main)
    assert "builtins.print" in callees(code + ASKS.format("HOOKS"), settings=kept, main=main)


def test_functions_in_a_table_stay_what_they_are() -> None:
    table = "def noisy(x):\n    print(x)\nTABLE = {'noisy': noisy, 'n': 1}\nTABLE['n'] += 1\n"
    assert "builtins.print" in callees(table + "def f(x):\n    TABLE['noisy'](x)\n")
