"""Functions that a program hands to another file, or to a function that keeps them."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

CALLS = """
import library

def f(x):
    return library.run(x)
"""
LIBRARY = """
CALLBACK = HANDLED = None
HOOKS = []

def helper(x):
    return x

def set_callback(callback):
    global HANDLED, CALLBACK
    HANDLED, CALLBACK = [], None
    CALLBACK = callback

def register(hook, first=False):
    HOOKS.append(hook)

def run(x):
    if CALLBACK is not None:
        CALLBACK(x)
    for hook in HOOKS:
        hook(x)
    return helper(x)
"""
MAIN = """
import library
from library import register, set_callback

def noisy(x):
    print(x)

def main(other):
    {}
"""


def is_heard(handed: str) -> bool:
    return "builtins.print" in callees(CALLS, library=LIBRARY, main=MAIN.format(handed))


@pytest.mark.parametrize(
    "handed",
    [
        "library.CALLBACK = noisy",
        "setattr(library, 'CALLBACK', noisy)",
        "library.helper = noisy",
        "library.set_callback(noisy)",
        "set_callback(callback=noisy)",
        "register(noisy)",
        "library.register(noisy, True)",
        "library.HOOKS.append(noisy)",
    ],
)
def test_what_is_handed_over_is_called(handed: str) -> None:
    assert is_heard(handed)


@pytest.mark.parametrize(
    ("why", "handed"),
    [
        ("nothing is", "pass"),
        ("it is another file's", "other.CALLBACK = noisy"),
        ("nobody knows what it is", "library.CALLBACK = other"),
        ("it is another parameter", "library.register(other, noisy)"),
        ("it only is asked for", "return noisy, library.CALLBACK"),
    ],
)
def test_nothing_else_is_called(why: str, handed: str) -> None:
    assert not is_heard(handed), why


def test_functions_of_the_file_are_put_in_place_by_its_own() -> None:
    code = """
    def quiet(x): ...
    def noisy(x):
        print(x)
    act = quiet
    def louder():
        global act
        act = noisy
    def f(x):
        act(x)
    """
    assert "builtins.print" in callees(code)
    assert "builtins.print" not in callees(code.replace("act = noisy", "act = quiet"))


def test_what_stands_in_for_a_missing_library_is_not_put_in_place() -> None:
    code = """
    def slow(x):
        print(x)
    solver = None
    def solve(x):
        global solver
        if solver is None:
            try:
                from fast import solver
            except ImportError:
                solver = slow
        return solver(x)
    def f(x):
        return solve(x)
    """
    assert "builtins.print" not in callees(code)
