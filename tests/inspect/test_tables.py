"""Tables of functions that a file fills after it made them."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

FUNCTIONS = """
def noisy(x):
    print(x)
    return x

def reads(x):
    return x.item()
"""
NET = """
class Net(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def forward(self, x):
        return {call}
"""
READS = ("builtins.print", "torch.Tensor.item")


def called(table: str, call: str = "TABLE[self.name](x)", **others: str) -> list[str]:
    found = callees(FUNCTIONS + table + NET.format(call=call), "Net.forward", **others)
    return [name for name in found if name in READS]


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("TABLE = {}\nTABLE['noisy'] = noisy", ["builtins.print"]),
        ("TABLE = {'noisy': noisy}\nTABLE['reads'] = reads", list(READS)),
        ("TABLE = dict(noisy=noisy)\nTABLE['reads'] = reads", list(READS)),
        ("TABLE = {}\nTABLE.update(noisy=noisy, reads=reads)", list(READS)),
        ("TABLE = {}\nTABLE.update({'noisy': noisy})", ["builtins.print"]),
        ("TABLE = {}\nTABLE.setdefault('noisy', noisy)", ["builtins.print"]),
        ("TABLE = {}\nif nn.MORE:\n    TABLE['noisy'] = noisy", ["builtins.print"]),
        ("TABLE = {}\nfor name in ('a', 'b'):\n    TABLE[name] = noisy", ["builtins.print"]),
    ],
)
def test_what_is_put_into_a_table_is_called_from_it(table: str, found: list[str]) -> None:
    assert called(table) == found


def test_a_list_of_functions_is_a_table_too() -> None:
    assert called("TABLE = []\nTABLE.append(noisy)", "[each(x) for each in TABLE]") == ["builtins.print"]
    assert called("TABLE = [reads]\nTABLE.append(noisy)", "[each(x) for each in TABLE]") == [*reversed(READS)]


def test_a_key_that_is_known_means_one_of_them() -> None:
    table = "TABLE = {'noisy': noisy}\nTABLE['reads'] = reads"
    assert called(table, "TABLE['reads'](x)") == ["torch.Tensor.item"]
    assert called(table, "TABLE['noisy'](x)") == ["builtins.print"]


@pytest.mark.parametrize(
    ("why", "table"),
    [
        ("a method that takes nothing along", "TABLE = {}\nTABLE.get('noisy', noisy)"),
        ("another table", "TABLE, OTHER = {}, {}\nOTHER['noisy'] = noisy"),
        ("no function", "TABLE = {}\nTABLE['noisy'] = 'noisy'"),
        ("compared only", "TABLE = {}\nTABLE['noisy'] == noisy"),
        ("inside a function that nobody decorates with", "TABLE = {}\ndef fill(f):\n    TABLE['noisy'] = f"),
    ],
)
def test_what_else_is_done_with_it_fills_nothing(why: str, table: str) -> None:
    assert called(table) == [], why


REGISTRY = """
TABLE = {}

def register(name, *others):
    def decorate(fn):
        TABLE[name] = fn
        return fn
    return decorate

def register_named(fn):
    TABLE[fn.__name__] = fn
    return fn
"""


def test_what_a_decorator_registers_is_called_from_its_table() -> None:
    assert called(f"{REGISTRY}\n@register('loud')\ndef loud(x):\n    print(x)") == ["builtins.print"]
    assert called(f"{REGISTRY}\n@register_named\ndef loud(x):\n    print(x)") == ["builtins.print"]
    made = f"{REGISTRY}\n@register('loud')\nclass Loud:\n    def __call__(self, x):\n        print(x)"
    assert called(made, "TABLE[self.name]()(x)") == ["builtins.print"]


def test_what_is_registered_under_a_known_name_is_found_by_it() -> None:
    table = f"{REGISTRY}\n@register('a')\ndef a(x):\n    print(x)\n@register('b')\ndef b(x):\n    return x.item()"
    assert called(table, "TABLE['b'](x)") == ["torch.Tensor.item"]
    assert called(table) == list(READS)


def test_what_another_file_registers_is_called_from_its_table() -> None:
    users = {
        "registry": REGISTRY,
        "users": "import registry\n@registry.register('loud')\ndef loud(x):\n    print(x)",
        "more": "from registry import register\n@register('b')\ndef b(x):\n    return x.item()",
    }
    assert sorted(called("from registry import TABLE\n", **users)) == list(READS)


@pytest.mark.parametrize(
    ("why", "decorated"),
    [
        ("what gives a decorator decorates nothing", "@register\ndef loud(x):\n    print(x)"),
        ("a decorator decorates as it is", "@register_named()\ndef loud(x):\n    print(x)"),
        ("another name", "@register_other('loud')\ndef loud(x):\n    print(x)"),
        ("a method", "class Loud:\n    @register('loud')\n    def loud(x):\n        print(x)"),
    ],
)
def test_other_decorators_register_nothing(why: str, decorated: str) -> None:
    assert called(f"{REGISTRY}\n{decorated}") == [], why
