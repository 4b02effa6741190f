from __future__ import annotations

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_root
from compilelint.regions import named_roots
from tests.source.make import tree

CALL = """
def f(x):
    metrics.record(x)
"""
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
    found = Inspector(Knowledge(files), lambda type_, callee: callee.startswith("acme."))
    (start,) = named_roots(found, ["main.py::f"])
    run_root(found, start.function, Route((start.label,)))
    return [(event.callee, event.source) for event in found.events]


def test_a_function_is_named_as_it_is_imported() -> None:
    assert calls("metrics.record(x); note(x)") == [
        ("acme.metrics.record", "metrics.record(x)"),
        ("acme.metrics.record", "note(x)"),
    ]


@pytest.mark.parametrize(
    ("file", "imported", "callee"),
    [
        ("own/tools/metrics.py", "own.tools", "own.tools.metrics.record"),
        ("src/own/metrics.py", "own", "own.metrics.record"),
        ("metrics.py", "", "metrics.record"),
    ],
)
def test_without_a_package_a_module_is_named_from_the_root(file: str, imported: str, callee: str) -> None:
    assert named(file, f"from {imported} import metrics" if imported else "import metrics") == [callee]


@pytest.mark.parametrize("file", ["utils/metrics.py", "utils/numpy.py", "random.py"])
def test_what_only_has_the_name_of_another_module_is_not_taken_for_it(file: str) -> None:
    module = file.removesuffix(".py").replace("/", ".")
    wanted = ("metrics.", "numpy.", "torch.", "random.")
    assert named(file, f"import {module} as metrics", wanted) == []


def named(file: str, imports: str, wanted: tuple[str, ...] = ("",)) -> list[str]:
    """The callees of a call of `metrics.record`, which lies in this file."""
    files = tree({file: METRICS, "src/main.py" if file.startswith("src") else "main.py": f"{imports}\n{CALL}"})
    found = Inspector(Knowledge(files), lambda type_, callee: type_ == "call" and callee.startswith(wanted))
    main = next(name for name in files.texts if name.endswith("main.py"))
    (start,) = named_roots(found, [f"{main}::f"])
    run_root(found, start.function, Route((start.label,)))
    return [event.callee for event in found.events if event.callee.endswith("record")]


def test_a_method_is_named_by_its_class() -> None:
    assert calls("Meter().update(x)") == [
        ("acme.metrics.Meter", "Meter()"),
        ("acme.metrics.Meter.update", "Meter().update(x)"),
    ]


def test_what_python_calls_by_itself_is_no_call_in_the_source() -> None:
    assert calls("m = Meter(); return m + x") == [("acme.metrics.Meter", "Meter()")]


def test_what_is_only_named_is_not_called() -> None:
    assert calls("return metrics.record, Meter") == []
