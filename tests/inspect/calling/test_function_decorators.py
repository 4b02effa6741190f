"""What decorators make of functions, and what of it is entered."""

from __future__ import annotations

from textwrap import dedent

import pytest

from compilelint.inspect import results
from compilelint.inspect.kinds import Const, Tensor
from tests.inspect.make import callees, events, function, kind_of, returned


@pytest.mark.parametrize(
    "decorator",
    [
        "torch.no_grad()",
        "torch.inference_mode()",
        "functools.lru_cache(maxsize=None)",
        "functools.cache",
        "torch.jit.ignore",
        "torch.jit.script",
        "torch.jit.script_if_tracing",
        "unknown.decorator",
        "unknown.decorator(3)",
        "keep",
        "keep_with(3)",
        "wrap",
    ],
)
def test_a_decorated_function_is_entered(decorator: str) -> None:
    around = f"""
def keep(function):
    function.kept = True
    return function
def keep_with(option):
    return keep
def wrap(function):
    @functools.wraps(function)
    def wrapper(*args, **keywords):
        return function(*args, **keywords)
    return wrapper
@{decorator}
def g(x):
    print(x)
"""
    assert "builtins.print" in callees(around + function("g(x)"))


@pytest.mark.parametrize(("marked", "looked_into"), [("True", False), ("False", True)])
def test_what_is_marked_as_the_wrapper_of_torch_jit_is_looked_through(marked: str, looked_into: bool) -> None:
    around = f"""
def script_if_tracing(function):
    @functools.wraps(function)
    def wrapper(*args, **keywords):
        print("wrapper")
        return function(*args, **keywords)
    wrapper.__original_fn = function
    wrapper.__script_if_tracing_wrapper = {marked}
    return wrapper
@script_if_tracing
def g(x):
    input(x)
"""
    called = callees(around + function("g(x)"))
    assert "builtins.input" in called
    assert ("builtins.print" in called) is looked_into


@pytest.mark.parametrize(
    ("decorators", "looked_into"),
    [
        ("@mark", False),
        ("@mark_by_name", False),
        ("@functools.lru_cache\n@mark", False),
        ("@mark\n@functools.lru_cache", True),
        ("@unmarked", True),
    ],
)
def test_what_is_marked_as_a_constant_is_not_looked_into(decorators: str, looked_into: bool) -> None:
    around = f"""
def mark(function):
    function._dynamo_marked_constant = True
    return function
def mark_by_name(function):
    setattr(function, "_dynamo_marked_constant", True)
    return function
def unmarked(function):
    function._dynamo_marked_constant = False
    return function
{decorators}
def g(n):
    print(n)
    return n
"""
    assert ("builtins.print" in callees(around + function("g(3)"))) is looked_into


@pytest.mark.parametrize(
    "given_back",
    ["wrapper", "functools.wraps(function)(wrapper)", "functools.update_wrapper(wrapper, function)"],
)
def test_what_a_wrapper_itself_does_is_seen(given_back: str) -> None:
    around = f"""\
    import functools
    def logged(function):
        def wrapper(*args):
            print(args)
            return function(*args)
        return {given_back}
    @logged
    def g(x):
        return 3
    """
    assert kind_of("g(x)", around=around) == Const(3)
    found = events(f"{dedent(around)}\n{function('g(x)')}", "f", "call")
    assert "logged.<locals>.wrapper" in [event.place.function for event in found]


def test_what_wraps_is_given_is_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[str] = []
    run = results.run
    monkeypatch.setattr(results, "run", lambda frame: walked.append(frame.qualname) or run(frame))
    events(
        """\
        def g(x):
            return 3
        def f(x):
            @functools.wraps(g)
            def inner(x):
                return 4
            return inner(x)
        """
    )
    assert walked == ["f", "f.<locals>.inner"]


def test_a_disabled_function_is_a_call_of_disable() -> None:
    around = "@torch.compiler.disable\ndef g(x):\n    print(x)\n    return 3\n"
    assert callees(around + function("g(x)")) == ["torch.compiler.disable"]
    assert kind_of("g(x)", around=around) == Const(3)


@pytest.mark.parametrize("disable", ["torch.compiler.disable", "torch.compiler.disable(recursive=False)"])
@pytest.mark.parametrize(
    ("above", "parameters"), [("", "self, x"), ("@staticmethod", "x"), ("@classmethod", "cls, x"), ("", "self, x, y=0")]
)
def test_a_disabled_method_is_given_its_object(disable: str, above: str, parameters: str) -> None:
    code = f"""\
class Log:
    {above}
    @{disable}
    def keep({parameters}):
        print(x)
        return x
def f(x: Tensor):
    return Log().keep(x)
"""
    assert callees(code) == ["torch.compiler.disable"]
    assert isinstance(returned(code), Tensor)


def test_a_function_is_disabled_by_what_older_releases_may_lack() -> None:
    disable = 'disable = getattr(getattr(torch, "compiler", None), "disable", None) or (lambda function: function)\n'
    around = f"{disable}@disable\ndef g(x):\n    print(x)\n    return 3\n"
    assert callees(around + function("g(x)")) == ["torch.compiler.disable"]


def test_a_function_under_a_context_decorator_is_called_by_it() -> None:
    code = """\
    import contextlib
    class Scaled(contextlib.ContextDecorator):
        def __enter__(self): return self
        def __exit__(self, *error): return False
    @Scaled()
    def double(x):
        print(x)
        return x * 2
    def f(x: Tensor):
        return double(x)
    """
    assert callees(code) == ["contextlib.ContextDecorator.__call__", "builtins.print"]
    assert isinstance(returned(code), Tensor)


def test_a_context_decorator_that_is_made_in_the_region_is_traced() -> None:
    code = """\
    import contextlib
    class Scaled(contextlib.ContextDecorator):
        def __enter__(self): return self
        def __exit__(self, *error): return False
    def f(x: Tensor):
        @Scaled()
        def double(x):
            return x * 2
        return double(x)
    """
    assert "contextlib.ContextDecorator.__call__" not in callees(code)


def test_a_context_decorator_that_gives_the_function_back_is_not_entered() -> None:
    code = """\
    import contextlib
    class Range(contextlib.ContextDecorator):
        def __call__(self, function): return function
        def __enter__(self): return self
        def __exit__(self, *error): return None
    @Range()
    def double(x):
        return x * 2
    def f(x: Tensor):
        return double(x)
    """
    assert callees(code) == []
    assert isinstance(returned(code), Tensor)


def test_a_function_under_a_stance_is_refused_where_it_is_called() -> None:
    code = "@torch.compiler.set_stance('force_eager')\ndef g(z):\n    print(z)\n"
    assert callees(code + function("g(x)")) == ["torch.compiler.set_stance"]


@pytest.mark.parametrize(
    "decorator",
    ["torch.compiler.allow_in_graph", "torch._dynamo.nonstrict_trace", "torch.compiler.assume_constant_result"],
)
def test_what_dynamo_does_not_look_into_is_not_entered(decorator: str) -> None:
    assert callees(f"@{decorator}\ndef g(z):\n    print(z)\n    return z\n" + function("g(x)")) == []


@pytest.mark.parametrize(
    ("decorator", "callee"),
    [
        ("torch.compiler.disable", "torch._dynamo.disable"),
        ("torch.jit.script", "torch.jit.script"),
        ("functools.lru_cache", "functools.lru_cache"),
        ("torch.compiler.allow_in_graph", "torch.compiler.allow_in_graph"),
    ],
)
def test_a_decorator_in_the_region_is_a_call(decorator: str, callee: str) -> None:
    defined = f"@{decorator}\ndef g(z):\n    return z\n"
    assert callee in callees(function(f"{defined}g(x)"))
    assert callee not in callees(defined + function("g(x)"))


OBJECTS = """
class Timed:
    def __init__(self, f):
        self.f = f
    def __call__(self, x):
        print(x)
        return self.f(x)

class Named:
    def __init__(self, name):
        self.name = name
    def __call__(self, f):
        def wrapper(*args):
            print(self.name)
            return f(*args)
        return wrapper
"""


@pytest.mark.parametrize("decorator", ["Timed", "Named('a')"])
def test_what_an_object_does_that_decorates_a_function_is_seen(decorator: str) -> None:
    code = OBJECTS + f"@{decorator}\ndef g(x):\n    return x.tolist()\ndef f(x: Tensor):\n    return g(x)\n"
    assert {"builtins.print", "torch.Tensor.tolist"} <= set(callees(code))


def test_a_class_that_decorates_a_method_is_a_descriptor() -> None:
    code = OBJECTS + "class Net(nn.Module):\n    @Timed\n    def g(self, x):\n        return x.tolist()\n"
    code += "    def forward(self, x):\n        return self.g(x)\n"
    assert "builtins.print" not in callees(code, "Net.forward")
