from __future__ import annotations

import pytest

from compilelint.catalog.model import Example, Match
from compilelint.catalog.page_error import PageError
from compilelint.catalog.pages import parse_page
from tests.catalog.make import PAGE, PATH, page_line


def test_reads_front_matter() -> None:
    rule = parse_page(PAGE, PATH)
    assert (rule.code, rule.name, rule.group) == ("CL101", "tensor-item", "data-to-python")
    assert (rule.effect, rule.severity) == ("graph-break", "warning")
    assert rule.message == "`{source}` reads a tensor back into Python"
    assert rule.matches == (
        Match(
            event="call",
            example="item",
            callee=("torch.Tensor.item", "torch.cuda.*"),
            not_callee=frozenset({"torch.cuda.synchronize"}),
            receiver=frozenset({"tensor"}),
            arguments=(("0|dim", frozenset({"int", "none"})), ("out", "absent")),
            not_arguments=(("any", frozenset({"scalar"})),),
            detector="shapes:is_odd",
        ),
    )


def test_reads_examples_with_marks_and_their_place_on_the_page() -> None:
    item, keep = parse_page(PAGE, PATH).examples
    assert item == Example(
        name="item",
        hazard=True,
        source="import torch\n\ndef f(x):\n    return x * x.sum().item()  # <- CL101, CL502 (fullgraph)\n",
        page_line=page_line(PAGE, "```python hazard item") + 1,
        marks=((4, "CL101", None), (4, "CL502", "fullgraph")),
    )
    assert (keep.name, keep.hazard, keep.marks) == ("keep-tensor", False, ())


def test_prose_begins_after_the_front_matter() -> None:
    rule = parse_page(PAGE, PATH)
    assert rule.prose.startswith("## What it is\nA read.")
    assert rule.prose.endswith("```\n")


def test_a_clean_example_may_be_marked_for_another_mode() -> None:
    page = PAGE.replace("return x * x.sum()\n", "return x * x.sum()  # <- CL101 (fullgraph)\n")
    assert parse_page(page, PATH).examples[1].marks == ((4, "CL101", "fullgraph"),)


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ('code = "CL101"', 'code = "C1"', 'code = "C1"', "code 'C1' is not of the form CL101"),
        ('code = "CL101"', 'code = "CL102"', "code =", "must be named CL102-tensor-item.md"),
        ('name = "tensor-item"', 'name = "Tensor_item"', "name =", "not kebab case"),
        ("severity =", "severty =", "severty", "unknown key `severty`; did you mean 'severity'?"),
        ('severity = "warning"\n', "", "+++", "`severity` is missing"),
        ('"warning"', '"warn"', "severity =", "unknown severity 'warn'; did you mean 'warning'?"),
        ('"graph-break"', '"graphbreak"', "effect =", "did you mean 'graph-break'?"),
        ('"data-to-python"', '"recompiles"', "group =", "codes of group recompiles begin with CL5"),
        ("{source}", "{sauce}", "message =", "not {sauce}"),
        ("`{source}`", "`{source`", "message =", "write a brace as"),
        ('event = "call"', 'event = "cal"', "event =", "unknown event 'cal'; did you mean 'call'?"),
        ('receiver = ["tensor"]', 'receiver = ["tensr"]', "receiver =", "did you mean 'tensor'?"),
        ('receiver = ["tensor"]', "receiver = []", "receiver =", "`receiver` is empty"),
        ('receiver = ["tensor"]', 'receivers = ["tensor"]', "receivers", "did you mean 'receiver'?"),
        ('["scalar"]', '["scaler"]', "not-arguments", "did you mean 'scalar'?"),
        ('"absent"', '"gone"', "arguments =", 'a list of labels, "present" or "absent"'),
        ('["torch.cuda.synchronize"]', '["torch.cpu.synchronize"]', "not-callee =", "no `*` of `callee` means"),
        ("torch.cuda.*", "torch.*.item", "callee =", "a `*` may stand at the end only"),
        ("torch.cuda.*", "*", "callee =", "is not a dotted name"),
        ('example = "item"', 'example = "itm"', "example =", "did you mean 'item'?"),
        ('example = "item"', 'example = "keep-tensor"', "example =", "no block `python hazard keep-tensor`"),
        ('example = "item"\n', "", "[[match]]", "this [[match]] has no `example`"),
        ("shapes:is_odd", "shapes.is_odd", "detector =", "not of the form module:function"),
        ('event = "call"', 'event = "call"\nonly-explicit = 1', "only-explicit =", "must be true or false"),
        ('event = "call"', 'event = "call"\nat-use = "graph-brake"', "at-use =", "did you mean 'graph-break'?"),
        ("## Why it costs", "## Why it is slow", "## Why it is", "`## Why it costs` is next"),
        ("## When it is fine\nNever.\n", "", "## Examples", "`## When it is fine` is next"),
        ("python hazard item", "python hazrd item", "hazrd", "write `python hazard NAME`"),
        ("clean keep-tensor", "clean item", "clean item", "a second example named 'item'"),
        ("# <- CL101, CL502 (fullgraph)", "", "hazard item", "marks its offending lines"),
        ("(fullgraph)", "(fulgraph)", "x.sum().item()", "did you mean 'fullgraph'?"),
        ("# <- CL101,", "# <- 101,", "x.sum().item()", "write a mark as"),
        (
            "return x * x.sum()\n",
            "return x * x.sum()  # <- CL101\n",
            "clean keep",
            "a clean example has no marks",
        ),
        ('code = "CL101"', "code = CL101", "code = CL101", "Invalid value"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, at: str, message: str) -> None:
    assert old in PAGE
    page = PAGE.replace(old, new, 1)
    with pytest.raises(PageError) as caught:
        parse_page(page, PATH)
    assert message in caught.value.message
    assert str(caught.value).startswith(f"{PATH}:{page_line(page, at)}: ")


@pytest.mark.parametrize(
    ("page", "line", "message"),
    [
        ("# A page\n", 1, "begins with TOML front matter"),
        ('+++\ncode = "CL101"\n', 1, "not closed"),
        ("", 1, "begins with TOML front matter"),
        (PAGE.replace("## Examples\n", ""), len(PAGE.splitlines()) - 1, "`## Examples` is missing"),
        (PAGE.removesuffix("```\n"), page_line(PAGE, "clean keep-tensor"), "is not closed"),
        (PAGE[: PAGE.index("```python clean")], 0, "the page has no `python clean NAME` block"),
    ],
)
def test_a_page_without_its_parts_is_refused(page: str, line: int, message: str) -> None:
    with pytest.raises(PageError) as caught:
        parse_page(page, PATH)
    assert message in caught.value.message
    assert caught.value.line == (line or len(page.splitlines()))


def test_a_mistake_in_the_second_match_is_found_there() -> None:
    second = '[[match]]\nevent = "call"\nexample = "item"\nreceiver = ["nothing"]\n'
    page = PAGE.replace('detector = "shapes:is_odd"\n', f'detector = "shapes:is_odd"\n\n{second}')
    with pytest.raises(PageError) as caught:
        parse_page(page, PATH)
    assert caught.value.line == page_line(page, '["nothing"]')


def test_other_fenced_blocks_are_prose() -> None:
    page = PAGE.replace("A read.", "A read.\n\n```python\nx.item()  # <- nothing\n```")
    assert len(parse_page(page, PATH).examples) == 2


def test_a_users_own_code_may_be_in_any_group() -> None:
    page = PAGE.replace("CL101", "ACME101").replace('"data-to-python"', '"recompiles"')
    assert parse_page(page, "lint/ACME101-tensor-item.md").group == "recompiles"


MATCH = PAGE[PAGE.index("[[match]]") : PAGE.index("+++\n\n")]
OF_RUNS = PAGE.replace(MATCH, "").replace('"data-to-python"', '"run"').replace("CL101", "CL901")


def test_a_page_about_runs_matches_nothing_in_source() -> None:
    rule = parse_page(OF_RUNS, "rules/CL901-tensor-item.md")
    assert (rule.group, rule.matches) == ("run", ())
    assert rule.examples[0].hazard


def test_a_page_about_runs_with_a_match_is_refused() -> None:
    page = OF_RUNS.replace("+++\n\n", f"{MATCH}+++\n\n")
    with pytest.raises(PageError, match=r"no \[\[match\]\]: there is nothing in source") as caught:
        parse_page(page, "rules/CL901-tensor-item.md")
    assert caught.value.line == page_line(page, "[[match]]")


def test_any_other_page_without_a_match_is_refused() -> None:
    with pytest.raises(PageError, match="`match` is missing"):
        parse_page(PAGE.replace(MATCH, ""), PATH)


def test_a_users_own_page_is_not_about_runs() -> None:
    with pytest.raises(PageError, match="only compilelint's own have group run"):
        parse_page(OF_RUNS.replace("CL901", "ACME901"), "lint/ACME901-tensor-item.md")
