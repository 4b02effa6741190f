"""The walk across functions: what is walked again, what is remembered, where it ends."""

from __future__ import annotations

import pytest

from compilelint.inspect import results
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.events import Mode
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import MAX_SILENT_CALLS, Inspector
from compilelint.inspect.kinds import FLOAT, INT, STR, UNKNOWN, Const, Function, Kind, Sequence, Tensor, join, sequence
from compilelint.inspect.walking import MAX_STACK
from compilelint.inspect.ways import MAX_WAYS
from tests.inspect.make import callees, events, inspector, returned, run


def function_of(found: Inspector, name: str) -> Function:
    module = found.tree.module("example.py")
    assert module is not None
    (info,) = (info for info in module.functions.values() if info.qualname == name)
    return Function(info.key, name)


def call(found: Inspector, name: str, *args: Kind, route: Route | None = None) -> Kind:
    return found.run(function_of(found, name), Arguments(args), route or Route(("root",)))


def test_a_function_is_walked_once_for_what_it_is_given() -> None:
    found = inspector("def f(x):\n    print(x)\n    return x\n")
    assert call(found, "f", INT) == INT
    assert call(found, "f", INT) == INT
    assert [event.args for event in found.events] == [(INT,)]


def test_a_method_is_walked_once_however_it_gets_its_object() -> None:
    code = """\
    class Net(nn.Module):
        def step(self, x):
            print(x)
            return super().extra_repr()
        def f(self, x: Tensor):
            self.step(x)
            Net.step(self, x)
    """
    assert callees(code, "Net.f").count("builtins.print") == 1


def test_a_function_is_walked_again_for_something_else() -> None:
    found = inspector("def f(x):\n    print(x)\n    return x\n")
    assert [call(found, "f", kind) for kind in (INT, FLOAT, Tensor())] == [INT, FLOAT, Tensor()]
    assert [event.args for event in found.events] == [(INT,), (FLOAT,), (Tensor(),)]


@pytest.mark.parametrize("values", [(True, 1, 1.0), (1.0, 1, True), (0, False), (False, 0.0)])
def test_a_function_is_walked_again_for_an_equal_value_of_another_type(values: tuple[bool | float, ...]) -> None:
    found = inspector("def f(x):\n    print(x)\n    return [x]\n")
    for silent in (0, 1):
        found.silent = silent
        given = [call(found, "f", Const(value)) for value in values]
        assert [repr(kind) for kind in given] == [repr(sequence("list", [Const(value)])) for value in values]
    assert [repr(event.args) for event in found.events] == [repr((Const(value),)) for value in values]


def test_a_function_is_walked_again_under_another_mode() -> None:
    found = inspector("def f(x):\n    print(x)\n")
    call(found, "f", INT, route=Route(("root",), Mode()))
    call(found, "f", INT, route=Route(("root",), Mode(fullgraph=True)))
    assert [event.place.mode.fullgraph for event in found.events] == [False, True]


def test_a_closure_makes_another_function() -> None:
    code = """
    def make(value):
        def inner():
            return value
        return inner
    def f(x):
        return make(1)(), make('a')()
    """
    kind = returned(code)
    assert isinstance(kind, Sequence)
    assert kind.items == (Const(1), Const("a"))


def test_ways_of_being_called_are_bounded() -> None:
    calls = "\n".join(f"    g({number})" for number in range(20 * MAX_WAYS))
    found = events(f"def g(x):\n    print(x)\ndef f(x):\n{calls}\n", "f", "call")
    assert len(found) <= 5 * MAX_WAYS
    assert any(event.args == (INT,) for event in found)


def test_functions_that_are_passed_do_not_count_together() -> None:
    calls = "\n".join(f"    apply(lambda: {number}, x)" for number in range(3 * MAX_WAYS))
    results = f"def apply(g, x):\n    return g()\ndef f(x):\n{calls}\n    return apply(lambda: 'a', x)\n"
    assert returned(results) == Const("a")


def test_a_long_chain_of_calls_ends() -> None:
    chain = "\n".join(f"def g{n}(x):\n    return g{n + 1}(x)" for n in range(2 * MAX_STACK))
    code = f"{chain}\ndef g{2 * MAX_STACK}(x):\n    print(x)\ndef f(x):\n    return g0(x)\n"
    assert callees(code) == []
    assert returned(code) == UNKNOWN


def test_a_chain_that_is_not_so_long_is_walked_to_its_end() -> None:
    chain = "\n".join(f"def g{n}(x):\n    return g{n + 1}(x)" for n in range(MAX_STACK // 2))
    code = f"{chain}\ndef g{MAX_STACK // 2}(x):\n    print(x)\n    return 3\ndef f(x):\n    return g0(x)\n"
    assert callees(code) == ["builtins.print"]
    assert returned(code) == Const(3)


def test_an_event_says_the_whole_way_to_it() -> None:
    code = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.block = Block()
        def forward(self, x):
            with torch.no_grad():
                return self.block(x)
    class Block(nn.Module):
        def forward(self, x):
            for i in range(3):
                helper(x)
    def helper(x):
        print(x)
    """
    (event,) = events(code, "Net.forward", "call")[-1:]
    assert event.callee == "builtins.print"
    assert event.place.reached_from == (
        "example.py --root Net.forward",
        "Net.forward",
        "Block.forward (inside a `for` loop)",
        "helper",
    )


def test_what_is_walked_silently_says_nothing_and_is_no_region() -> None:
    found = inspector("def f(x):\n    print(x)\n    return 3\n")
    with found.silently():
        assert call(found, "f", INT) == Const(3)
    assert (found.events, found.entered) == ([], set())
    assert call(found, "f", INT) == Const(3)
    assert len(found.events) == 1


def test_decorators_and_defaults_say_nothing() -> None:
    code = """
    def make():
        print(1)
        return lambda g: g
    @make()
    def g(x, y=print(2)):
        return x
    def f(x):
        return g(x)
    """
    assert callees(code) == []


def test_the_region_is_what_was_entered() -> None:
    code = "def g(x):\n    pass\ndef h(x):\n    pass\ndef f(x):\n    g(x)\n    h\n"
    found = inspector(code)
    run(found)
    assert found.entered == {function_of(found, "f").key, function_of(found, "g").key}


@pytest.mark.parametrize(
    ("call_", "known"),
    [("g(x)", True), ("g(3)", True), ("g(unknown)", False), ("g", False)],
)
def test_functions_that_are_called_with_known_arguments(call_: str, known: bool) -> None:
    found = inspector(f"def g(x):\n    pass\ndef f(x: Tensor):\n    {call_}\n")
    run(found)
    assert (("example.py", "g") in found.called) is known


def test_a_root_is_not_called_by_anybody() -> None:
    found = inspector("def f(x: Tensor):\n    pass\n")
    run(found)
    assert found.called == set()


# Globals


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("V = 3", Const(3)),
        ("V: int = unknown()", INT),
        ("V: str", STR),
        ("A, V = 1, 'a'", Const("a")),
        ("V = W\nW = 3", Const(3)),
        ("V = W\nW = V", UNKNOWN),
        ("V = 3\nV = 'a'", join(Const(3), Const("a"))),
        ("V = 3\nV = V + 1", Const(4)),
        ("V = [1]\nV = tuple(V)", Sequence("tuple", UNKNOWN, (Const(1),))),
        ("try:\n    V = 3\nexcept ValueError:\n    V = None", Const(3)),
        ("V = torch.zeros(3)", Tensor("float", 1, parameter=True)),
        ("def V(x): ...\nV = unknown", None),
    ],
)
def test_what_a_global_stands_for(code: str, kind: Kind | None) -> None:
    found = returned(f"{code}\ndef f(x):\n    return V\n")
    if kind is None:
        assert isinstance(found, Function)
    else:
        assert found == kind


def test_functions_that_call_each_other_in_circles_are_not_walked_over_and_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = 12
    calls = ", ".join(f"g{number}(x)" for number in range(count))
    circle = "\n".join(f"def g{number}(x):\n    return [{calls}]" for number in range(count))
    found = inspector(f"{circle}\nvalue = g0(1)\ndef f(x):\n    return value\n")
    walked: list[str] = []
    run_body = results.run
    monkeypatch.setattr(results, "run", lambda frame: walked.append(frame.qualname) or run_body(frame))
    run(found)
    assert len(walked) <= MAX_SILENT_CALLS * count + 1
