"""Class decorators that replace methods."""

from __future__ import annotations

from tests.inspect.make import returned

REPLACING = """
def replacing(cls):
    original = cls.value

    def value(self):
        return 1

    cls.value = value
    return cls
"""
PLAIN = "class Plain:\n    def value(self):\n        return 'text'\n"


def kind(code: str) -> object:
    return returned(f"{REPLACING}\n{code}\ndef f():\n    return Thing().value()\n")


def test_the_function_that_a_decorator_puts_there_is_called() -> None:
    assert kind(f"@replacing\n{PLAIN.replace('Plain', 'Thing')}") == returned("def f():\n    return 1\n")


def test_a_base_that_is_decorated_counts_for_its_subclasses() -> None:
    assert kind(f"@replacing\n{PLAIN}\nclass Thing(Plain):\n    pass\n") == returned("def f():\n    return 1\n")


def test_a_subclass_has_its_own_method_again() -> None:
    own = "class Thing(Plain):\n    def value(self):\n        return 'text'\n"
    assert kind(f"@replacing\n{PLAIN}\n{own}") == returned("def f():\n    return 'text'\n")


def test_a_decorator_that_writes_nothing_replaces_nothing() -> None:
    leaving = "def leaving(cls):\n    return cls\n"
    assert kind(f"{leaving}\n@leaving\n{PLAIN.replace('Plain', 'Thing')}") == returned("def f():\n    return 'text'\n")
