"""Verdicts on findings in packages: Dynamo names the place in the package, the finding stands at the user's line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.model import Finding, LibraryPlace, Observation
from compilelint.report.stack import StackFrame
from compilelint.report.verdicts.merging import merge
from tests.report.make import finding, observation

Traced = dict[str, set[int]]
INSTALLED = "/env/lib/python3.12/site-packages/lib/layers.py"
FIRST, SECOND = LibraryPlace("lib/layers.py", 7, 8, "Layer.forward"), LibraryPlace("lib/other.py", 30, 30, "f")


def predicted(line: int = 12, fingerprint: str = "a" * 16) -> Finding:
    return finding(line=line, end_line=line, library=(FIRST, SECOND), fingerprint=fingerprint)


def seen(path: str = INSTALLED, line: int = 8, below: int = 12, **changes: object) -> Observation:
    stack = (StackFrame("src/model.py", below, "forward"), StackFrame(path, line, "forward"))
    return observation(path=path, line=line, stack=stack, owner=stack[0], gb_id=None, **changes)


def verdict(
    found: list[Finding], did: list[Observation], traced: dict[str, set[int]] | None = None
) -> list[str | None]:
    lines = {path: frozenset(numbers) for path, numbers in (traced or {}).items()}
    return [each.verdict for each in merge(found, did, lines).findings]


@pytest.mark.parametrize(
    ("gb_id", "verdicts"),
    [
        ("GB0036", ["refuted", "confirmed"]),
        ("GB0033", ["confirmed", "refuted"]),
        ("GB0007", ["confirmed", "confirmed"]),
        (None, ["confirmed", "confirmed"]),
    ],
)
def test_of_two_findings_on_a_line_the_one_is_confirmed_that_is_about_it(
    gb_id: str | None, verdicts: list[str]
) -> None:
    size = replace(predicted(), code="CL108", gb_ids=("GB0033",))
    select = replace(predicted(fingerprint="b" * 16), code="CL123", gb_ids=("GB0036",))
    assert verdict([size, select], [replace(seen(), gb_id=gb_id)], {INSTALLED: {8, 9}}) == verdicts


@pytest.mark.parametrize("path", [INSTALLED, ".venv/lib/python3.12/site-packages/lib/layers.py", "lib/layers.py"])
def test_a_break_at_the_place_confirms_wherever_the_package_is_installed(path: str) -> None:
    assert verdict([predicted()], [seen(path)]) == ["confirmed"]


def test_every_place_counts() -> None:
    assert verdict([predicted()], [seen("/env/lib/other.py", 30)]) == ["confirmed"]


@pytest.mark.parametrize(("path", "line"), [(INSTALLED, 9), ("/env/mylib/layers.py", 8), ("/env/lib/layers.pyx", 8)])
def test_a_break_elsewhere_below_the_line_is_another_one(path: str, line: int) -> None:
    merged = merge([predicted()], [seen(path, line)], {})
    assert merged.findings[0].verdict == "not-reached"
    assert merged.observations[0].verdict == "runtime-only"


def test_of_two_lines_the_one_that_led_there_is_confirmed() -> None:
    assert verdict([predicted(12), predicted(20, "b" * 16)], [seen(below=20)]) == ["not-reached", "confirmed"]


def test_what_is_compiled_as_it_is_has_no_line_that_leads_there() -> None:
    assert verdict([predicted(40)], [seen(below=12)]) == ["confirmed"]


@pytest.mark.parametrize(
    ("label", "verdicts"),
    [
        ("train.py:40 torch.compile(net)", ["confirmed", "refuted"]),
        ("eval.py:40 torch.compile(net)", ["not-reached", "not-reached"]),
        ("eval.py:40 @torch.compile", ["not-reached", "not-reached"]),
        ("eval.py:40 Net.forward", ["confirmed", "refuted"]),
    ],
)
def test_what_another_script_compiles_says_nothing_of_one_that_was_not_run(label: str, verdicts: list[str]) -> None:
    there = replace(predicted(40), reached_from=(label, "Layer.forward"))
    lines = {INSTALLED: frozenset({7})}
    for did, expected in zip(([seen(below=12)], []), verdicts, strict=True):
        merged = merge([there], did, lines, compiles=lambda path: path in (None, "train.py"))
        assert merged.findings[0].verdict == expected


def test_where_traced_lines_were_not_recorded_a_script_that_was_not_run_has_no_verdict() -> None:
    there = replace(predicted(40), reached_from=("eval.py:40 torch.compile(net)", "Layer.forward"))
    merged = merge([there], [seen(below=12)], None, compiles=lambda path: path != "eval.py")
    assert merged.findings[0].verdict is None


def test_places_that_were_traced_refute() -> None:
    assert verdict([predicted()], [], {INSTALLED: {7}}) == ["refuted"]
    assert verdict([predicted()], [], {INSTALLED: {9}, "src/model.py": {12}}) == ["not-reached"]


def test_a_recompile_is_shown_by_the_frame_that_uses_the_value() -> None:
    counter = finding(effect="recompile", library=(FIRST,), gb_ids=())
    stack = (StackFrame("src/model.py", 12, "forward"), StackFrame(INSTALLED, 7, "forward"))
    recompile = observation(type="recompile", path=INSTALLED, line=1, stack=stack, owner=stack[0], gb_id=None)
    assert verdict([counter], [recompile]) == ["confirmed"]


def test_a_recompile_of_all_that_the_line_compiles_shows_no_place_in_it() -> None:
    """`model = torch.compile(model)` compiles the package: that a size changed is not what its cache is about."""
    filled = finding(code="CL520", effect="recompile", line=12, end_line=12, library=(FIRST,), gb_ids=())
    resized = observation(
        type="recompile",
        path="/env/lib/other.py",
        line=30,
        gb_id=None,
        title="size",
        variable="kwargs['inputs']",
        change="size 2 3",
        compiled_by="src/model.py:12 torch.compile(Net)",
        stack=(StackFrame("src/model.py", 12, "<module>"), StackFrame("/env/lib/other.py", 30, "forward")),
        inside=1,
    )
    merged = merge([filled], [resized], {INSTALLED: frozenset({7, 8})})
    assert (merged.findings[0].verdict, merged.observations[0].finding) == (None, None)


def test_a_break_inside_torch_is_that_of_the_line_which_led_there() -> None:
    """`module.register_forward_hook(hook)` in the package breaks in `RemovableHandle` of torch."""
    torch = StackFrame("/env/lib/python3.12/site-packages/torch/utils/hooks.py", 27, "__init__")
    for line, found in ((8, "confirmed"), (9, "not-reached")):
        stack = (StackFrame("src/model.py", 12, "forward"), StackFrame(INSTALLED, line, "install"), torch)
        did = observation(path=torch.path, line=27, stack=stack, owner=stack[0], gb_id=None)
        assert verdict([predicted()], [did]) == [found]


@pytest.mark.parametrize(
    ("variable", "function", "found"),
    [
        ("self.config.kind", "forward", "confirmed"),
        ("self.config.size", "forward", None),
        ("self.config.kind", "other", None),
    ],
)
def test_a_recompile_is_of_the_variable_that_the_finding_names(variable: str, function: str, found: str | None) -> None:
    """`if self.config.kind is None: self.config.kind = "a"` is guarded where it is read, a line above."""
    fills = finding(
        code="CL520",
        effect="recompile",
        message='`self.config.kind = "a"` runs in the first call only',
        line=12,
        end_line=12,
        library=(FIRST,),
        gb_ids=(),
    )
    stack = (StackFrame("src/model.py", 12, "<module>"), StackFrame(INSTALLED, 6, function))
    did = observation(
        type="recompile", path="/env/lib/wrapper.py", line=1, gb_id=None, variable=variable, stack=stack, inside=1
    )
    assert merge([fills], [did], {INSTALLED: frozenset({7})}).findings[0].verdict == found


def test_a_break_at_a_place_that_was_not_sure_confirms_and_no_trace_of_it_refutes() -> None:
    found = replace(predicted(), library=(FIRST,), unsure=(SECOND,))
    assert verdict([found], [seen("/env/lib/other.py", 30)]) == ["confirmed"]
    assert verdict([found], [], {"/env/lib/other.py": {30}}) == ["not-reached"]


def test_an_operator_that_fails_while_the_graph_is_built_is_no_break() -> None:
    """`torch.randn(shape, generator=None)` of a size that varies: nothing that reads a tensor back."""
    failed = seen(type="compile-error", title="TorchRuntimeError", severity="error")
    assert verdict([predicted()], [failed]) == ["not-reached"]
    assert verdict([replace(predicted(), effect="compile-error")], [failed]) == ["confirmed"]
    assert verdict([predicted()], [replace(failed, title="Data-dependent branching")]) == ["confirmed"]


@pytest.mark.parametrize(
    ("gb_id", "path", "verdict"),
    [
        ("GB0170", "/env/lib/python3.12/site-packages/solver/ode.py", "confirmed"),
        ("GB0059", "/env/lib/python3.12/site-packages/solver/ode.py", "refuted"),
        ("GB0170", "/env/lib/python3.12/site-packages/lib/inner.py", "refuted"),
    ],
)
def test_what_happens_in_a_package_that_a_place_calls_shows_what_the_check_knows_of_it(
    gb_id: str, path: str, verdict: str
) -> None:
    there = replace(predicted(), gb_ids=("GB0170",))
    stack = (StackFrame("src/model.py", 12, "forward"), StackFrame(INSTALLED, 8, "forward"), StackFrame(path, 3, "f"))
    below = observation(path=path, line=3, stack=stack, owner=stack[0], gb_id=gb_id)
    merged = merge([there], [below], {INSTALLED: frozenset({8})})
    assert merged.findings[0].verdict == verdict
