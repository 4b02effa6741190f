"""From sources to findings."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from dataclasses import replace
from textwrap import dedent

import pytest

from compilelint.catalog import Rule
from compilelint.inspect.walking import MAX_STACK
from compilelint.match.analysis import Analysis, AnalysisSettings, analyze
from compilelint.regions import RootError
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding, UseOfValue
from tests.match.make import TARGET, match, rule
from tests.source.make import tree

PRELUDE = "import torch; from torch import nn, Tensor\n"
ITEM = rule(match(callee=("torch.Tensor.item",), receiver=frozenset({"tensor"})), code="CL101")
PRINT = rule(match(callee=("builtins.print",)), code="CL201")
COUNTER = rule(
    match("attribute-write", construct=frozenset({"augmented"}), receiver=frozenset({"module"})),
    code="CL501",
    effect="recompile",
)
DISCARDED = rule(match("compile", construct=frozenset({"discarded"})), code="CL601", effect="not-compiled")
RULES = (ITEM, PRINT, COUNTER, DISCARDED)


def analysis(
    code: str,
    *roots: str,
    rules: Sequence[Rule] = RULES,
    context: dict[str, str] | None = None,
    explicit_only: bool = False,
    **others: str,
) -> Analysis:
    files = {"a.py": PRELUDE + dedent(code), **{f"{name}.py": dedent(text) for name, text in others.items()}}
    settings = AnalysisSettings(tuple(f"a.py::{root}" for root in roots), explicit_only, TARGET)
    return analyze(tree(files, context), rules, settings)


def findings(code: str, *roots: str, **options: object) -> list[tuple[str, int]]:
    """(code, line) of the findings; the line after the imports is the second."""
    return [(found.code, found.line) for found in analysis(code, *roots, **options).findings]  # type: ignore[arg-type]


def only(code: str, *roots: str, **options: object) -> Finding:
    (found,) = analysis(code, *roots, **options).findings  # type: ignore[arg-type]
    return found


def test_a_finding_says_all_that_is_known() -> None:
    found = only("def f(x: Tensor):\n    return x.sum().item()\n", "f")
    assert (found.code, found.name, found.effect, found.severity) == ("CL101", "name-cl101", "graph-break", "warning")
    assert (found.path, found.line, found.column, found.end_line, found.end_column) == ("a.py", 3, 12, 3, 26)
    assert (found.function, found.confidence) == ("f", Confidence.HIGH)
    assert found.message == "`x.sum().item()` calls torch.Tensor.item"
    assert found.suggestion == "Leave `x.sum().item()` out."
    assert found.gb_ids == ("GB0124",)
    assert found.reached_from == ("a.py --root f", "f")
    assert found.source_line == "    return x.sum().item()"
    assert found.aggravated_by == ()
    assert found.fingerprint


def test_a_match_may_say_it_in_its_own_words() -> None:
    own = rule(match(callee=("builtins.print",), message="prints {callee}", suggestion="no {source}"))
    found = only("def f(x):\n    print(x)\n", "f", rules=[own])
    assert (found.message, found.suggestion) == ("prints builtins.print", "no print(x)")


def test_braces_of_a_sentence_are_written_once_and_those_of_the_source_stay() -> None:
    own = rule(match(callee=("builtins.print",), message="prints `{source}`", suggestion='Say `{{"loss": {source}}}`.'))
    found = only("def f(x):\n    print({'{source}': {}})\n", "f", rules=[own])
    assert found.message == "prints `print({'{source}': {}})`"
    assert found.suggestion == "Say `{\"loss\": print({'{source}': {}})}`."


def test_a_finding_says_what_a_number_is_used_for_and_what_comes_of_it_there() -> None:
    code = (
        "@torch.compile\ndef step(x, n):\n    return scale(x, n)\ndef scale(x, n):\n    return x * len(str(n))\n"
        "for i in range(9):\n    step(x, i)\n"
    )
    numbers = match("compile", construct=frozenset({"int-argument"}))
    recompiles = rule(numbers, code="CL507", effect="recompile")
    assert only(code, rules=[recompiles]).use == UseOfValue("str(n)", "scale", "recompile")
    splits = replace(recompiles, matches=(replace(numbers, at_use="graph-break"),))
    assert only(code, rules=[splits]).use == UseOfValue("str(n)", "scale", "graph-break")
    assert only("def f(x):\n    print(x)\n", "f").use is None


def test_a_break_is_an_error_where_the_code_says_so() -> None:
    block = "    with torch._dynamo.error_on_graph_break(True):\n        print(x)\n"
    code = f"@torch.compile\ndef f(x):\n{block}    print(x)\n"
    assert [found.severity for found in analysis(code).findings] == ["error", "warning"]


def test_findings_are_sorted_by_place() -> None:
    code = "def f(x: Tensor):\n    g(x)\n    print(x.item())\ndef g(x):\n    print(x)\n"
    assert findings(code, "f") == [("CL201", 4), ("CL101", 4), ("CL201", 6)]


def test_only_the_named_roots_count() -> None:
    functions = "def f(x):\n    print(x)\ndef g(x):\n    print(x)\n"
    code = functions + "class A(nn.Module):\n    def forward(self, x):\n        print(x)\n"
    assert findings(code, "f") == [("CL201", 3)]
    assert findings(code, "f", "g") == [("CL201", 3), ("CL201", 5)]
    assert findings(code) == [("CL201", 8)]
    assert findings(code, explicit_only=True) == []
    with pytest.raises(RootError):
        findings(code, "missing")


def test_what_only_matters_where_it_is_compiled_is_not_told_of_what_may_be() -> None:
    printed = rule(match(callee=("builtins.print",), only_explicit=True), code="CL201")
    code = "class A(nn.Module):\n    def forward(self, x):\n        print(x)\n"
    assert findings(code, rules=(printed,)) == []
    assert findings(f"{code}torch.compile(A())(1)\n", rules=(printed,)) == [("CL201", 4)]


def test_how_many_functions_the_regions_hold() -> None:
    code = "def g(x): ...\ndef h(x): ...\ndef f(x):\n    g(x)\n    g(3)\n"
    assert analysis(code, "f").functions_in_regions == 2


def test_calls_as_deep_as_are_followed_have_room_on_the_stack() -> None:
    code = "class M0(nn.Module):\n    def forward(self, x: Tensor):\n        return x.sum().item()\n"
    for number in range(1, MAX_STACK + 1):
        code += (
            f"class M{number}(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            f"        self.inner = M{number - 1}()\n    def forward(self, x: Tensor):\n        for _ in range(2):\n"
            "            if x.shape[0]:\n                x = self.inner(x)\n        return x\n"
        )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 930)
    try:
        result = analysis(code, f"M{MAX_STACK}.forward")
    finally:
        sys.setrecursionlimit(limit)
    assert ([finding.code for finding in result.findings], result.problems) == (["CL101"], ())


# One finding for each place


def test_a_place_that_is_reached_twice_is_one_finding() -> None:
    code = "def g(x):\n    print(x)\ndef f(x):\n    g(1)\n    g(2)\ndef h(x):\n    g(3)\n"
    assert findings(code, "f", "h") == [("CL201", 3)]


def test_the_surest_of_several_ways_counts() -> None:
    code = "def g(x):\n    x.item()\ndef f(x, y: Tensor):\n    g(unknown())\n    g(x)\n    g(y)\n"
    assert only(code, "f").confidence == Confidence.HIGH
    assert only(code.replace("    g(y)\n", ""), "f").confidence == Confidence.MEDIUM


def test_the_worst_of_several_ways_counts() -> None:
    code = "def g(x):\n    print(x)\ntorch.compile(g)\ntorch.compile(g, fullgraph=True)\n"
    found = [found for found in analysis(code).findings if found.code == "CL201"]
    assert [finding.severity for finding in found] == ["error"]


def test_two_calls_on_one_line_are_two_findings() -> None:
    assert findings("def f(x):\n    print(1); print(2)\n", "f") == [("CL201", 3), ("CL201", 3)]


def test_two_rules_may_find_the_same() -> None:
    rules = [PRINT, rule(match(callee=("builtins.*",)), code="CL202")]
    assert findings("def f(x):\n    print(x)\n", "f", rules=rules) == [("CL201", 3), ("CL202", 3)]


# Fullgraph, aggravation, settings


@pytest.mark.parametrize(
    ("decorator", "severity"), [("torch.compile", "warning"), ("torch.compile(fullgraph=True)", "error")]
)
def test_under_fullgraph_a_break_is_an_error(decorator: str, severity: str) -> None:
    assert only(f"@{decorator}\ndef f(x):\n    print(x)\n").severity == severity


def test_under_fullgraph_a_recompile_is_what_it_is() -> None:
    code = """
    class A(nn.Module):
        def __init__(self):
            super().__init__()
            self.n = 0
        @torch.compile(fullgraph=True)
        def forward(self, x):
            self.n += 1
    """
    assert {(found.code, found.severity) for found in analysis(code).findings} == {("CL501", "warning")}


def test_what_fullgraph_captures_is_no_finding_there() -> None:
    captured = rule(match(callee=("torch.Tensor.item",)), hazard={"default": True, "fullgraph": False})
    code = "@torch.compile{}\ndef f(x: Tensor):\n    return x.item()\n"
    assert findings(code.format("(fullgraph=True)"), rules=[captured]) == []
    assert findings(code.format(""), rules=[captured]) == [("CL101", 4)]


def test_a_break_in_a_loop_says_that_the_frame_is_dropped() -> None:
    code = "def f(x):\n    for i in range(3):\n        print(x)\n"
    assert only(code, "f").aggravated_by == ("inside a `for` loop",)
    recompile = rule(match(callee=("builtins.print",)), effect="recompile")
    assert only(code, "f", rules=[recompile]).aggravated_by == ()


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        ("capture_scalar_outputs = True", []),
        ("capture_scalar_outputs = False", [("CL101", 3)]),
        ("capture_dynamic_output_shape_ops = True", [("CL101", 3)]),
    ],
)
def test_capture_flags_of_the_project_count(setting: str, found: list[tuple[str, int]]) -> None:
    captured = rule(match(callee=("torch.Tensor.item",)), hazard={"default": True, "capture-scalars": False})
    code = f"def f(x: Tensor):\n    return x.item()\ntorch._dynamo.config.{setting}\n"
    assert findings(code, "f", rules=[captured]) == found


@pytest.mark.parametrize(("train", "found"), [("import a, setup", []), ("import a", [("CL101", 3)])])
def test_flags_count_where_one_program_loads_both_files(train: str, found: list[tuple[str, int]]) -> None:
    captured = rule(match(callee=("torch.Tensor.item",)), hazard={"default": True, "capture-scalars": False})
    code = "def f(x: Tensor):\n    return x.item()\n"
    flag = "import torch\ntorch._dynamo.config.capture_scalar_outputs = True"
    assert findings(code, "f", rules=[captured], setup=flag, train=train) == found


def test_functions_that_dynamo_reorders_are_harmless() -> None:
    code = "def f(x):\n    print(x)\ntorch._dynamo.config.reorderable_logging_functions.add(print)\n"
    assert findings(code, "f") == []


@pytest.mark.parametrize(
    ("train", "found"),
    [("import a, setup", []), ("import a", [("CL201", 3)]), ("import setup", [("CL201", 3)])],
)
def test_what_dynamo_reorders_is_harmless_in_the_programs_that_say_so(train: str, found: list[tuple[str, int]]) -> None:
    """A script for debugging says nothing of what another one prints."""
    code = "def f(x):\n    print(x)\n"
    reorders = "import torch\ntorch._dynamo.config.reorderable_logging_functions.add(print)"
    assert findings(code, "f", setup=reorders, train=train) == found


@pytest.mark.parametrize(
    ("setting", "found"), [("reorderable_logging_functions", [("CL201", 2)]), ("ignore_logging_functions", [])]
)
def test_what_dynamo_reorders_takes_no_shapes(setting: str, found: list[tuple[str, int]]) -> None:
    code = f"def f(x: Tensor):\n    print(x.shape)\n    print(x, 1)\ntorch._dynamo.config.{setting}.add(print)\n"
    assert [(code, line - 1) for code, line in findings(code, "f")] == found


def test_what_two_scripts_share_is_walked_for_each_of_them() -> None:
    shared = "import torch\n\ndef show(x):\n    print(x)\n    return x + 1\n"
    script = "import torch\nfrom shared import show\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return show(x)\n"
    debug = script + "\ntorch._dynamo.config.reorderable_logging_functions.add(print)\n"
    for scripts in ({"a.py": debug, "b.py": script}, {"a.py": script, "b.py": debug}):
        (found,) = analyze(
            tree({"shared.py": shared, **scripts}), RULES, AnalysisSettings(target_torch=TARGET)
        ).findings
        plain = next(name for name, text in scripts.items() if text == script)
        assert (found.path, found.line, found.reached_from[0]) == ("shared.py", 4, f"{plain}:5 @torch.compile")


def test_nothing_is_found_in_an_own_function_that_dynamo_ignores() -> None:
    code = "def show(x):\n    print(x)\ndef f(x):\n    show(x)\n    {}\n"
    ignored = code + "torch._dynamo.config.ignore_logging_functions.add(show)\n"
    assert findings(ignored.format("print(x)"), "f") == [("CL201", 6)]
    assert findings(code.format("pass"), "f") == [("CL201", 3)]


@pytest.mark.parametrize(("value", "found"), [("3", []), ("3.5", [("CL501", 7)])])
def test_a_counter_is_harmless_where_ints_on_modules_are_dynamic(value: str, found: list[tuple[str, int]]) -> None:
    code = f"""class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = {value}
    def forward(self, x):
        self.n += 1
torch._dynamo.config.allow_unspec_int_on_nn_module = True
"""
    assert findings(code) == found


# Files


def test_what_happens_in_files_that_are_not_checked_is_not_reported() -> None:
    context = {"b.py": "def g(x):\n    print(x)\n"}
    code = "from b import g\ndef f(x):\n    g(x)\n    print(x)\n"
    assert findings(code, "f", context=context) == [("CL201", 5)]
    assert [found.path for found in analysis(code, "f", b=context["b.py"]).findings] == ["a.py", "b.py"]


def test_a_file_is_checked_from_the_roots_of_those_that_import_it() -> None:
    context = {"train.py": "import torch\nfrom a import f\ntorch.compile(f)\n"}
    found = only("def f(x):\n    print(x)\n", context=context)
    assert found.reached_from == ("train.py:3 torch.compile(f)", "f")
    assert findings("def f(x):\n    print(x)\n") == []


def test_what_a_checked_file_does_with_what_it_compiles_is_reported() -> None:
    code = "def f(x): ...\ntorch.compile(f)\n"
    assert findings(code) == [("CL601", 3)]
    assert findings(code, "f") == []
    assert findings("import b\n", context={"b.py": PRELUDE + code}) == []


def test_a_file_that_cannot_be_parsed_is_a_problem_and_the_others_are_checked() -> None:
    result = analysis("def f(x):\n    print(x)\n", "f", broken="def f(:")
    assert [problem.path for problem in result.problems] == ["broken.py"]
    assert [found.code for found in result.findings] == ["CL201"]


def test_code_that_nests_too_deep_is_a_problem_and_the_rest_is_checked() -> None:
    deep = "def f(x):\n    return " + " + ".join(["x"] * 800) + "\ndef g(x):\n    print(x)\n"
    result = analysis(deep, "f", "g")
    assert [(problem.path, problem.message) for problem in result.problems] == [("a.py", "f nests too deep to inspect")]
    assert [found.code for found in result.findings] == ["CL201"]


def test_nothing_is_found_in_nothing() -> None:
    assert analysis("") == Analysis((), 0, ())


def test_progress_is_told_file_by_file() -> None:
    steps: list[tuple[int, int]] = []
    files = tree({"a.py": PRELUDE, "b.py": PRELUDE})
    analyze(files, RULES, AnalysisSettings(target_torch=TARGET), lambda done, total: steps.append((done, total)))
    assert steps == [(0, 2), (1, 2)]


# What callers say


CALLED = """
class Inner(nn.Module):
    def forward(self, x):
        return x.item()

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x):
        return self.inner({argument})
"""


@pytest.mark.parametrize(
    ("why", "argument", "confidence"),
    [
        ("a tensor is what was assumed", "x", Confidence.MEDIUM),
        ("a tensor for sure", "torch.zeros(3)", Confidence.HIGH),
        ("a number is not what was assumed", "3", Confidence.LOW),
        ("nobody knows", "unknown()", Confidence.MEDIUM),
        ("nobody knows what is in it", "**unknown()", Confidence.MEDIUM),
        ("nobody knows what else is passed", "3, **unknown()", Confidence.LOW),
    ],
)
def test_what_was_assumed_is_taken_back_where_callers_say_otherwise(
    why: str, argument: str, confidence: Confidence
) -> None:
    assert only(CALLED.format(argument=argument)).confidence == confidence


def test_what_is_declared_is_not_taken_back() -> None:
    code = CALLED.format(argument="3").replace("def forward(self, x):\n        return x.item()",
                                               "def forward(self, x: Tensor):\n        return x.item()")  # fmt: skip
    assert only(code).confidence == Confidence.HIGH


OPTION = "class Options:\n    verbose = False\n\n"


def test_with_a_root_what_the_default_options_do_not_lead_to_is_of_low_confidence() -> None:
    code = OPTION + "def f(x, options: Options):\n    if options.verbose:\n        print(x)\n"
    assert only(code, "f").confidence == Confidence.LOW
    usual = code.replace("verbose = False", "verbose = True")
    assert only(usual, "f").confidence == Confidence.HIGH


def test_in_the_file_of_the_root_what_nothing_tells_is_as_usual_as_not() -> None:
    code = "def f(x, n):\n    if n > 3:\n        print(x)\n"
    assert only(code, "f").confidence == Confidence.HIGH
    there = {"b": "def g(x, n):\n    if n > 3:\n        print(x)\n"}
    assert only("from b import g\ndef f(x, n):\n    g(x, n)\n", "f", **there).confidence == Confidence.LOW


def test_a_list_that_is_passed_takes_back_what_only_the_annotation_says() -> None:
    code = """
    def g(sizes: Tensor):
        return sizes.item()

    class A(nn.Module):
        def forward(self, x, sizes=None):
            return g(sizes)
    """
    calling = """
    class B(nn.Module):
        def forward(self, x):
            return g([1, 2])
    """
    assert only(code).confidence == Confidence.HIGH
    assert only(code + calling).confidence == Confidence.LOW


# Generated files

WRITTEN = "class Net(nn.Module):\n    def forward(self, x: Tensor):\n        return x.sum().item()\n"


def test_what_a_generated_file_does_is_found_there_and_to_be_changed_where_it_is_written() -> None:
    generated = f"# This file was generated from a.py. Do NOT edit it.\n{PRELUDE}{WRITTEN}"
    found = only(WRITTEN, generated=generated)
    assert (found.path, found.line) == ("generated.py", 5)
    assert found.suggestion == "Leave `x.sum().item()` out. The file is generated from `a.py`: change that."


def test_a_template_that_somebody_imports_is_run_too() -> None:
    generated = f"# This file was generated from a.py. Do NOT edit it.\n{PRELUDE}{WRITTEN}"
    found = analysis(WRITTEN, generated=generated, train="from a import Net").findings
    assert [each.path for each in found] == ["a.py", "generated.py"]


# Decorators around what is compiled


TIMED = """
def timed(fn):
    def inner(*args):
        print("timed")
        return fn(*args)
    return inner

"""


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("@timed\ndef step(x):\n    return x\nfast = torch.compile(step)\n", ["CL201"]),
        ("@torch.compile\n@timed\ndef step(x):\n    return x\n", ["CL201"]),
        ("@timed\n@torch.compile\ndef step(x):\n    return x\n", []),
        ("@timed\ndef step(x):\n    return x\n", []),
        ("class Net(nn.Module):\n    @timed\n    def forward(self, x):\n        return x\nnet = torch.compile(Net())\n",
         ["CL201"]),
    ],
)  # fmt: skip
def test_what_a_decorator_puts_around_what_is_compiled_is_compiled_with_it(code: str, found: list[str]) -> None:
    assert [each.code for each in analysis(TIMED + code).findings] == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("class Net(nn.Module):\n    @timed\n    def forward(self, x):\n        return x\n", ["CL201"]),
        ("class Net(nn.Module):\n    @timed\n    @torch.compile\n    def forward(self, x):\n        return x\n", []),
        ("class Net(nn.Module):\n    @timed\n    def forward(self, *args):\n        for x in args: print(x)\n",
         ["CL201", "CL201"]),
    ],
)  # fmt: skip
def test_what_a_decorator_puts_around_a_forward_is_in_its_region(code: str, found: list[str]) -> None:
    assert [each.code for each in analysis(TIMED + code).findings] == found


def test_what_a_decorator_calls_is_not_inspected_again_with_what_it_hands_on() -> None:
    code = "class Net(nn.Module):\n    @timed\n    def forward(self, x, size=4):\n        return x.view(size, -1)\n"
    (found,) = analysis(TIMED + code).findings
    assert found.code == "CL201"


def test_what_a_decorator_of_another_file_puts_around_a_forward_is_in_its_region() -> None:
    net = "from timing import timed\nclass Net(nn.Module):\n    @timed\n    def forward(self, x):\n        return x\n"
    assert [each.code for each in analysis(net, timing=TIMED).findings] == ["CL201"]


USED = """\
class Net(nn.Module):
    def forward(self, x, debug=False):
        if debug:
            print(x)
        return x
def main(x, use):
    net = torch.compile(Net())
    {}
"""


@pytest.mark.parametrize(
    ("why", "use", "found"),
    [
        ("asked for by no call", "net(x)", []),
        ("asked for", "net(x, debug=True)", [("CL201", 5)]),
        ("others may ask for it", "use(net)", [("CL201", 5)]),
    ],
)
def test_what_a_model_does_on_request_counts_in_its_file_where_it_is_requested(
    why: str, use: str, found: list[tuple[str, int]]
) -> None:
    assert findings(USED.format(use)) == found, why


def test_of_a_model_that_another_file_imports_all_counts() -> None:
    assert findings(USED.format("net(x)"), b="from a import Net\n") == [("CL201", 5)]


def test_a_branch_is_not_taken_that_a_partial_rules_out() -> None:
    code = """
    from functools import partial
    def step(x: Tensor, train=True):
        if train:
            return x.sum().item()
        return x
    fast = torch.compile({})
    """
    assert findings(code.format("partial(step, train=False)")) == []
    assert findings(code.format("partial(step, train=True)")) == [("CL101", 6)]
    assert findings(code.format("step")) == [("CL101", 6)]


def test_what_comes_first_in_a_call_of_a_partial_is_what_the_partial_leaves() -> None:
    code = """
    from functools import partial
    def step(net, x: Tensor, debug=False):
        if debug:
            return x.sum().item()
        return net(x)
    def main(x):
        fast = torch.compile(partial(step, nn.ReLU()))
        fast(x, True)
    """
    assert findings(code) == [("CL101", 6)]


NET = """
class Layer(nn.Module):
    def __init__(self, loud=True):
        super().__init__()
        self.loud = loud
    def forward(self, x):
        if self.loud:
            print("layer")
        return x
class Net(nn.Module):
    def __init__(self, loud=True):
        super().__init__()
        self.layer = Layer(loud)
        self.loud = loud
    def forward(self, x, mask=None):
        if self.loud:
            print("net")
        if mask is not None:
            print("mask")
        return self.layer(x)
"""
TRAIN = "import torch\nfrom a import Net\nnet = torch.compile(Net({}))\nnet({})\n"


def sureness(**others: str) -> list[int]:
    """The confidence of what is found in the layer, the model and its mask."""
    return [found.confidence for found in analysis(NET, rules=(PRINT,), **others).findings]


def test_what_the_only_program_leaves_out_is_of_low_confidence() -> None:
    assert sureness() == [2, 2, 2]
    assert sureness(train=TRAIN.format("loud=False", "torch.ones(2)")) == [0, 0, 0]
    assert sureness(train=TRAIN.format("", "torch.ones(2)")) == [2, 2, 0]
    assert sureness(train=TRAIN.format("loud=False", "torch.ones(2), torch.ones(2)")) == [0, 0, 2]


@pytest.mark.parametrize(
    "others",
    [
        {"train": TRAIN.format("loud=LOUD", "*given")},
        {"test_a": TRAIN.format("loud=False", "torch.ones(2)")},
        {"train": "import torch\nfrom a import Net\nNet(loud=False)(torch.ones(2))"},
        {"train": TRAIN.format("loud=False", "torch.ones(2)"), "other": TRAIN.format("", "torch.ones(2), given")},
    ],
    ids=["not known", "a test", "not compiled", "another program"],
)
def test_what_a_program_may_do_counts(others: dict[str, str]) -> None:
    assert sureness(**others) == [2, 2, 2]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({"main": "import train\n"}, [0, 0, 2]),
        ({"main": "import train\ntrain.net.loud = given\n"}, [0, 2, 2]),
        ({"main": "import train\n", "cli": "import main\n"}, [2, 2, 2]),
        ({"test_train": "import train\n"}, [2, 2, 2]),
    ],
)
def test_of_what_a_script_imports_the_model_is_known_but_not_how_it_is_called(
    others: dict[str, str], expected: list[int]
) -> None:
    train = TRAIN.format("loud=False", "torch.ones(2)")
    assert sureness(train=train, **others) == expected


def test_what_a_program_does_not_make_counts() -> None:
    code = NET + "class Other(nn.Module):\n    def forward(self, x):\n        print('other')\n"
    found = analysis(code, rules=(PRINT,), train=TRAIN.format("loud=False", "torch.ones(2)")).findings
    assert [each.confidence for each in found] == [0, 0, 0, 2]
