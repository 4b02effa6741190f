from __future__ import annotations

from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.regions import explicit_roots
from tests.source.make import tree

METRICS = """
def record(x):
    print(x)

class Meter:
    def __add__(self, other):
        return other
    def update(self, x, *, scale=1):
        return x
"""


def calls(body: str) -> list[tuple[str, str]]:
    """(callee, source) of the calls of what the project defines, in a function with this body."""
    code = f"from acme import metrics\nfrom acme.metrics import Meter, record as note\n\ndef f(x):\n    {body}\n"
    files = tree({"acme/__init__.py": "", "acme/metrics.py": METRICS, "main.py": code})
    found = Inspector(files, lambda type_, callee: callee.startswith("acme."))
    (start,) = explicit_roots(found, ["main.py::f"])
    found.run_root(start.function, Route((start.label,)))
    return [(event.callee, event.source) for event in found.events]


def test_a_function_is_named_as_it_is_imported() -> None:
    assert calls("metrics.record(x); note(x)") == [
        ("acme.metrics.record", "metrics.record(x)"),
        ("acme.metrics.record", "note(x)"),
    ]


def test_a_method_is_named_by_its_class() -> None:
    assert calls("Meter().update(x)") == [
        ("acme.metrics.Meter", "Meter()"),
        ("acme.metrics.Meter.update", "Meter().update(x)"),
    ]


def test_what_python_calls_by_itself_is_no_call_in_the_source() -> None:
    assert calls("m = Meter(); return m + x") == [("acme.metrics.Meter", "Meter()")]


def test_what_is_only_named_is_not_called() -> None:
    assert calls("return metrics.record, Meter") == []
