"""How control flows, what names are where paths meet, and what makes a break worse."""

from __future__ import annotations

import sys

import pytest

from compilelint.inspect.kinds import INT, NONE, UNKNOWN, Const, Kind, Tensor, join, sequence
from compilelint.report.confidence import Confidence
from tests.inspect.make import branches, callees, events, function, happenings, kind_of, returned

INPUT = Tensor(parameter=True)
BREAK = "print(x)"


def reached(body: str) -> int:
    """How many prints a function with this body reaches."""
    return callees(function(body)).count("builtins.print")


# Paths


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ("v = 1\nif flag:\n    v = 2.0", join(Const(2.0), Const(1))),
        ("if flag:\n    v = 1\nelse:\n    v = 'a'", join(Const(1), Const("a"))),
        ("if flag:\n    v = 1\nelif n:\n    v = 2\nelse:\n    v = 3", INT),
        ("v = 1\nif flag:\n    v = x\n    raise ValueError", Const(1)),
        ("v = x\nif flag:\n    v = 1\nelse:\n    raise ValueError", Const(1)),
        ("if flag:\n    v = 1", Const(1)),
        ("v = 1\nfor i in range(n):\n    v = 'a'", join(Const(1), Const("a"))),
        ("v = 1\nfor i in range(n):\n    v = v + 1", INT),
        ("v = 1\nwhile flag:\n    v = x", join(Const(1), INPUT)),
        ("v = 1\nfor i in range(n):\n    if flag:\n        v = 'a'\n        break", join(Const(1), Const("a"))),
        ("v = 1\nfor i in range(n):\n    if flag:\n        v = 'a'\n        continue\n    v = 2.0",
         join(Const(1), Const("a"), Const(2.0))),
        ("v = 1\nfor i in range(n):\n    v = x\n    raise ValueError", Const(1)),
        ("for i in range(n):\n    pass\nelse:\n    v = 1", Const(1)),
        ("v = 1\nm = 0\nfor i in range(m):\n    v = 'a'", Const(1)),
        ("v = 1\nfor i in range(3, 1):\n    v = 'a'\nelse:\n    v = 2", Const(2)),
        ("v = 1\nfor i in range(2):\n    v = 'a'", join(Const(1), Const("a"))),
        ("with what:\n    v = 1", Const(1)),
        ("try:\n    v = 1\nexcept ValueError:\n    v = 'a'", join(Const(1), Const("a"))),
        ("try:\n    v = 1\nexcept ValueError:\n    raise", Const(1)),
        ("v = 1\ntry:\n    pass\nexcept ValueError:\n    raise\nelse:\n    v = 'a'", Const("a")),
        ("try:\n    pass\nfinally:\n    v = 1", Const(1)),
        ("match name:\n    case 'a':\n        v = 1\n    case _:\n        v = 2", INT),
        ("v = 'a'\nmatch n:\n    case 1:\n        v = x", join(Const("a"), INPUT)),
        ("v = 'a'\nmatch n:\n    case 1:\n        v = x\n    case _:\n        v = 2", join(Const(2), INPUT)),
        ("v = 'a'\nmatch n:\n    case 1:\n        v = x\n    case other:\n        raise ValueError", INPUT),
        ("v = 'a'\nmatch n:\n    case _ if flag:\n        v = x", join(Const("a"), INPUT)),
        ("v = 'a'\nmatch 'fast':\n    case 'slow':\n        v = 1\n    case 'fast' | 'quick':\n        v = x", INPUT),
        ("v = 'a'\nmatch None:\n    case None as nothing:\n        v = x\n    case _:\n        v = 1", INPUT),
    ],
)  # fmt: skip
def test_what_a_name_is_where_paths_meet(before: str, kind: Kind) -> None:
    found = kind_of("v", before)
    assert set(getattr(found, "options", (found,))) == set(getattr(kind, "options", (kind,)))


def test_a_name_is_what_it_was_assigned_last() -> None:
    assert branches("x = x.shape[0]\nif x > 2:\n    pass") == []
    assert branches("x = x.sum()\nif x > 2:\n    pass") == [("if", "x > 2")]


@pytest.mark.parametrize(
    "body",
    [
        f"return\n{BREAK}",
        f"raise ValueError\n{BREAK}",
        f"if flag:\n    return 1\nelse:\n    return 2\n{BREAK}",
        f"if True:\n    return\n{BREAK}",
        f"if False:\n    {BREAK}",
        f"if not True:\n    {BREAK}",
        f"if x is None:\n    {BREAK}",
        f"while True:\n    flag = what()\n{BREAK}",
        f"while x is None:\n    {BREAK}",
        f"x = torch.rand(3)\nwhile x.dim() > 1:\n    {BREAK}\n    x = x[:, 0]",
        f"for i in range(n):\n    while x is None:\n        {BREAK}",
        f"for i in range(n):\n    break\n    {BREAK}",
        f"for i in range(n):\n    continue\n    {BREAK}",
        f"with what:\n    return\n{BREAK}",
        f"try:\n    return\nexcept ValueError:\n    return\n{BREAK}",
        f"try:\n    flag = what()\nfinally:\n    return\n{BREAK}",
        f"if typing.TYPE_CHECKING:\n    {BREAK}",
        f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    {BREAK}",
        f"if not torch.compiler.is_compiling():\n    {BREAK}",
        f"if torch.compiler.is_compiling():\n    return x\n{BREAK}",
        f"if torch.jit.is_scripting():\n    {BREAK}",
        "def compiling():\n    try:\n        return torch.compiler.is_compiling()\n"
        f"    except AttributeError:\n        return False\nif not compiling():\n    {BREAK}",
        f"if flag and torch.jit.is_scripting():\n    {BREAK}",
        f"if isinstance(n, str):\n    {BREAK}",
        f"match n:\n    case 1:\n        return\n    case _:\n        raise ValueError\n{BREAK}",
        f"match 'fast':\n    case 'slow':\n        {BREAK}\n    case 'fast':\n        pass",
        f"match 'fast':\n    case 'fast':\n        pass\n    case _:\n        {BREAK}",
        f"del flag\nif not x.shape:\n    return\nreturn\n{BREAK}",
    ],
)
def test_what_is_never_run_is_not_walked(body: str) -> None:
    assert reached(body) == 0


@pytest.mark.parametrize(
    "body",
    [
        f"if flag:\n    return\n{BREAK}",
        f"for i in range(n):\n    return\n{BREAK}",
        f"while flag:\n    return\n{BREAK}",
        f"while True:\n    if flag:\n        break\n{BREAK}",
        f"done = False\nwhile not done:\n    done = True\n    {BREAK}",
        f"done = True\nfor i in range(n):\n    while not done:\n        {BREAK}\n    done = False",
        f"rows = []\nwhile not rows:\n    rows.append(x)\n    {BREAK}",
        f"while x is None:\n    pass\nelse:\n    {BREAK}",
        f"with contextlib.suppress(ValueError):\n    raise ValueError\n{BREAK}",
        f"try:\n    return\nexcept ValueError:\n    pass\n{BREAK}",
        f"try:\n    raise ValueError\nfinally:\n    {BREAK}",
        f"match n:\n    case 1:\n        return\n{BREAK}",
        f"match n:\n    case 1:\n        return\n    case 2:\n        pass\n    case _:\n        return\n{BREAK}",
        f"match 'fast':\n    case 'slow':\n        pass\n    case 'fast':\n        {BREAK}",
        f"if torch.compiler.is_compiling():\n    {BREAK}",
        f"if maybe is None:\n    {BREAK}",
        f"if not torch.jit.is_scripting():\n    {BREAK}",
        f"async def g():\n    return\n{BREAK}",
    ],
)
def test_what_may_be_run_is_walked(body: str) -> None:
    assert reached("import contextlib\n" + body) == 1


def test_a_loop_s_events_happen_once() -> None:
    assert reached(f"for i in range(3):\n    for j in range(3):\n        {BREAK}") == 1


def test_a_loop_s_body_sees_what_it_leaves_behind() -> None:
    assert branches("v = 0\nfor i in range(n):\n    if v > 0:\n        pass\n    v = x.sum()") == [("if", "v > 0")]
    assert branches("v = 0\nwhile v < 3:\n    v = v + x.sum()") == [("while", "v < 3")]


def test_a_loop_over_known_layers_knows_them() -> None:
    assert kind_of("v", "for v in (1, 'a', 2):\n    pass") == join(INT, Const("a"))


def test_a_deleted_name_is_gone() -> None:
    code = "v = 1\ndef f(x):\n    v = x\n    del v\n    return v\n"
    assert returned(code) == Const(1)


# Errors


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("print(x)", Confidence.HIGH),
        ("if flag:\n    print(x)\n    raise ValueError", Confidence.LOW),
        ("if flag:\n    print(x)\nelse:\n    raise ValueError", Confidence.HIGH),
        ("if flag:\n    print(x)\n    assert False", Confidence.LOW),
        ("if flag:\n    print(x)\n    torch._assert(False, 'no')", Confidence.LOW),
        ("if flag:\n    print(x)\n    torch._assert(n > 2, 'no')", Confidence.HIGH),
        ("if flag:\n    warn(print(x))\n    return None", Confidence.LOW),
        ("if flag:\n    print(x)\n    return None", Confidence.HIGH),
        ("if flag:\n    warn(print(x))", Confidence.LOW),
        ("if flag:\n    text = f'{n} is too long'\n    deprecate(text, print(x))", Confidence.LOW),
        ("if flag:\n    pass\nelse:\n    logger.rank_zero_warn(print(x))", Confidence.LOW),
        ("if flag:\n    logger.info(print(x))", Confidence.HIGH),
        ("if flag:\n    text = g(print(x))\n    warn(text)", Confidence.HIGH),
        ("late = True\nif late:\n    warn(print(x))", Confidence.MEDIUM),
        ("if flag:\n    warn(print(x))\n    x = x + 1", Confidence.HIGH),
        ("if flag:\n    warn(print(x), FutureWarning)\n    x = x + 1", Confidence.LOW),
        ("if flag:\n    warn(print(x), FutureWarning)\n    x = g(x)", Confidence.HIGH),
        ("if flag:\n    logger.warning('flag is deprecated', print(x))\n    x = x + 1", Confidence.LOW),
        ("if flag:\n    text = 'deprecated'\n    warn(text, print(x))\n    x = x[0]", Confidence.LOW),
        ("if flag:\n    deprecate('flag', '1.0', print(x))\n    mask = n\n    late = True", Confidence.LOW),
        ("if flag:\n    x = deprecated(print(x))", Confidence.HIGH),
        ("if flag:\n    x = old(print(x))  # deprecated", Confidence.HIGH),
        ("late = True\nif late:\n    warn('deprecated')\n    x = g(print(x))", Confidence.HIGH),
        ("warn(print(x))", Confidence.HIGH),
        ("raise ValueError(print(x))", Confidence.LOW),
        ("assert flag, print(x)", Confidence.LOW),
        ("assert print(x)", Confidence.HIGH),
        ("try:\n    pass\nexcept ValueError:\n    print(x)", Confidence.LOW),
        ("try:\n    print(x)\nexcept ValueError:\n    pass", Confidence.HIGH),
        ("try:\n    pass\nfinally:\n    print(x)", Confidence.HIGH),
    ],
)
def test_what_happens_only_when_something_went_wrong_is_unlikely(body: str, confidence: Confidence) -> None:
    assert {event.confidence for event in events(function(body), "f", "call") if event.callee == "builtins.print"} == {
        confidence
    }


def test_what_an_error_path_calls_is_as_unlikely() -> None:
    code = "def log(x):\n    print(x)\ndef f(x):\n    if x.ndim > 2:\n        log(x)\n        raise ValueError\n"
    (event,) = [event for event in events(code) if event.callee == "builtins.print"]
    assert event.confidence == Confidence.LOW


# Aggravation

FOR, WHILE, TRY = "inside a `for` loop", "inside a `while` loop", "inside a `try` block"
WITH = "inside a `with` block that Dynamo cannot resume in"
MANAGERS = """
import contextlib

class Manager:
    def __enter__(self): ...
    def __exit__(self, *args): ...

@contextlib.contextmanager
def managed():
    yield
"""


def aggravation(body: str) -> tuple[str, ...]:
    (event,) = [e for e in events(MANAGERS + function(body), "f", "call") if e.callee == "builtins.print"]
    return event.place.aggravated_by


@pytest.mark.parametrize(
    ("body", "reasons"),
    [
        ("print(x)", ()),
        ("for i in range(n):\n    print(x)", (FOR,)),
        ("while flag:\n    print(x)", (WHILE,)),
        ("for i in range(n):\n    while flag:\n        print(x)", (WHILE, FOR)),
        ("for i in range(n):\n    pass\nprint(x)", ()),
        ("for i in range(n):\n    pass\nelse:\n    print(x)", ()),
        ("for i in print(x):\n    pass", ()),
        ("with Manager():\n    print(x)", (WITH,)),
        ("with Manager():\n    pass\nprint(x)", ()),
        ("with managed():\n    print(x)", (WITH,)),
        ("with torch.no_grad():\n    print(x)", ()),
        ("with torch.no_grad(), Manager():\n    print(x)", (WITH,)),
        ("with contextlib.nullcontext():\n    print(x)", ()),
        ("try:\n    print(x)\nexcept ValueError:\n    pass", (TRY,)),
        ("try:\n    print(x)\nfinally:\n    pass", ("inside a `try` block with a `finally`",)),
        ("try:\n    pass\nfinally:\n    print(x)", ()),
        ("try:\n    pass\nexcept ValueError:\n    print(x)", ()),
        ("try:\n    pass\nexcept ValueError:\n    pass\nelse:\n    print(x)", ()),
    ],
)
def test_what_makes_a_break_worse(body: str, reasons: tuple[str, ...]) -> None:
    assert aggravation(body) == reasons


def test_a_break_in_a_function_called_from_a_loop_says_so_on_its_way() -> None:
    code = "def g(x):\n    print(x)\ndef f(x):\n    for i in range(3):\n        g(x)\n"
    (event,) = [event for event in events(code) if event.callee == "builtins.print"]
    assert event.place.reached_from[1:] == ("f (inside a `for` loop)", "g")
    assert event.place.aggravated_by == ()


# Conditions


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if x.sum() > 0:\n    pass", [("if", "x.sum() > 0")]),
        ("if flag:\n    pass\nelif x.any():\n    pass", [("if", "x.any()")]),
        ("while x.sum() > 0:\n    x = x - 1", [("while", "x.sum() > 0")]),
        ("match x.sum():\n    case 1:\n        pass", [("match", "x.sum()")]),
        ("match n:\n    case 1 if x.any():\n        pass", [("if", "x.any()")]),
    ],
)
def test_a_tensor_decides(body: str, found: list[tuple[str, str]]) -> None:
    assert branches(body) == found


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("a pattern of names matches anything", "match x:\n    case other:\n        pass"),
        ("the shape decides", "match x.shape:\n    case (1, 2):\n        pass"),
        ("a shape", "if x.shape[0] > 4:\n    pass"),
        ("a number of dimensions", "while x.ndim > 2:\n    x = x[0]"),
        ("an option", "assert flag, 'no'"),
        ("a type", "if isinstance(x, Tensor):\n    pass"),
        ("a dtype", "if x.dtype == torch.float32:\n    pass"),
        ("whether there is one", "if maybe is not None:\n    pass"),
        ("how many there are", "if len([x, y]) > 1:\n    pass"),
        ("text", "if name == 'mean':\n    pass"),
    ],
)
def test_no_tensor_decides(why: str, body: str) -> None:
    assert branches(body) == []


def test_what_a_pattern_captures_is_not_known() -> None:
    assert kind_of("v", "v = 1\nmatch what:\n    case [v, *rest]:\n        print(v)\nv = 2") == Const(2)
    shown = events(function("v = 1\nmatch what:\n    case {'a': v, **rest}:\n        print(v, rest)"), "f", "call")
    assert shown[-1].args == (UNKNOWN, UNKNOWN)


# With, definitions, imports, globals


@pytest.mark.parametrize(
    ("manager", "callee"),
    [
        ("torch.no_grad()", "torch.no_grad"),
        ("what.autocast('cuda')", ""),
        ("torch.profiler.record_function('a')", "torch.profiler.record_function"),
        ("Manager()", "Manager"),
        ("open('file')", "builtins.open"),
    ],
)
def test_a_manager_is_entered(manager: str, callee: str) -> None:
    found = events(MANAGERS + function(f"with {manager}:\n    pass"), "f", "with")
    assert [event.callee for event in found] == [callee]


def test_what_a_manager_gives_is_known() -> None:
    around = """
    class Manager:
        def __enter__(self):
            return 3
        def __exit__(self, *args):
            print('bye')
    """
    assert kind_of("v", "with Manager() as v:\n    pass", around) == Const(3)
    assert "builtins.print" in [callee for callee, _ in happenings("with Manager():\n    pass", "call", around=around)]


def test_what_a_generator_manager_gives_is_what_it_yields() -> None:
    around = "import contextlib\n@contextlib.contextmanager\ndef managed():\n    yield 3.0\n"
    assert kind_of("v", "with managed() as v:\n    pass", around) == Const(3.0)


def test_a_class_in_a_function_is_defined_there() -> None:
    (event,) = events(function("class Local(nn.Module):\n    pass"), "f", "class-definition")
    assert (event.callee, event.source) == ("Local", "class Local")
    assert [getattr(arg, "name", "") for arg in event.args] == ["torch.nn.Module"]


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("yield x", "generator"),
        ("yield from x", "generator"),
    ],
)
def test_generators(body: str, form: str) -> None:
    assert happenings(body, "function-definition") == [(form, "def f")]


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("async def f(x):\n    return x", "async"),
        ("async def f(x):\n    await x", "await"),
        ("async def f(x):\n    async with x:\n        pass", "await"),
        ("async def f(x):\n    async for i in x:\n        pass", "await"),
    ],
)
def test_coroutines(code: str, form: str) -> None:
    assert [event.construct for event in events(code, "f", "function-definition")] == [form]


def test_a_global_is_written_where_it_is_declared() -> None:
    around = "count = 0"
    assert happenings("global count\ncount = 3", "global-write", around=around) == [("assign", "count = 3")]
    assert happenings("global count\ncount += 1", "global-write", around=around) == [("augmented", "count += 1")]
    assert happenings("count = 3", "global-write", around=around) == []


def test_a_nested_function_sees_the_names_around_it() -> None:
    assert kind_of("g()", "v = 3\ndef g():\n    return v") == Const(3)
    assert kind_of("g(2)", "def g(depth):\n    return g(depth - 1) if depth else 1.0") != NONE


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with Python 3.11")
def test_except_star_is_a_try() -> None:
    assert aggravation("try:\n    print(x)\nexcept* ValueError:\n    pass") == (TRY,)


def test_a_return_gives_what_it_returns_on_each_path() -> None:
    code = "def f(x: Tensor, flag: bool):\n    if flag:\n        return 1\n    for i in x:\n        return 'a'\n"
    assert set(getattr(returned(code), "options", ())) == {Const(1), Const("a"), NONE}
    assert returned("def f(x):\n    return 1, 2.5, 'a'\n") == sequence("tuple", [Const(1), Const(2.5), Const("a")])
    assert returned("def f(x):\n    pass\n") == NONE
    assert returned("def f(x):\n    raise ValueError\n") == UNKNOWN


@pytest.mark.parametrize(
    ("test", "confidence"),
    [("v", Confidence.LOW), ("self.v", Confidence.LOW), ("v > 3", Confidence.MEDIUM), ("v.sum()", Confidence.MEDIUM)],
)
def test_what_may_be_a_flag_is_one_if_its_bare_name_decides(test: str, confidence: Confidence) -> None:
    code = f"""
def f(self, x: Tensor, what, n: int):
    v = what
    if n > 2:
        v = x * 2
    self.v = v
    if {test}:
        return x
"""
    (branch,) = events(code, "f", "branch")
    assert branch.confidence == confidence


def test_what_was_compared_is_no_flag() -> None:
    code = "def f(x: Tensor, what, n: int):\n    v = x > 3 if n > 2 else what\n    if v:\n        return x\n"
    (branch,) = events(code, "f", "branch")
    assert branch.confidence == Confidence.MEDIUM
