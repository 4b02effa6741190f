"""What the site adds to docs/*.md. Building it is `make docs`."""

from __future__ import annotations

import pytest

from compilelint.catalog import load_rules
from compilelint.catalog.pages import GROUPS
from tools.docs_site import FAMILIES, RULES_INDEX, by_family, linked, rule_pages, rules_index

TARGETS = {
    "CL101": "rules/CL101-tensor-item.md",
    "CL102": "rules/CL102-tensor-tolist.md",
    "docs/trace.md": "trace.md",
    "CHANGELOG.md": "changelog.md",
}


def link(text: str, page: str = "trace-it.md") -> str:
    warnings: list[str] = []
    shown = linked(text, page, TARGETS, warnings.append)
    assert warnings == []
    return shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See CL101, then on.", "See [CL101](rules/CL101-tensor-item.md), then on."),
        ("GB0124 too", "[GB0124](https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0124.html) too"),
        ("| CL101 | x |", "| [CL101](rules/CL101-tensor-item.md) | x |"),
        ("(docs/trace.md says it)", "([docs/trace.md](trace.md) says it)"),
        ("`docs/trace.md` says it", "[`docs/trace.md`](trace.md) says it"),
    ],
)
def test_a_mention_becomes_a_link(text: str, shown: str) -> None:
    assert link(text) == shown


def test_links_are_relative_to_the_page() -> None:
    assert link("CL101", "rules/CL102-tensor-tolist.md") == "[CL101](CL101-tensor-item.md)"
    assert link("docs/trace.md", "rules/CL102-tensor-tolist.md") == "[docs/trace.md](../trace.md)"


@pytest.mark.parametrize(
    "text",
    [
        "`compilelint rule CL101`",
        "`# compilelint: ignore[CL101]\nreason` over two lines",
        "``a ` CL101``",
        "```\nCL101 docs/trace.md\n```\n",
        "# CL101 tensor-item",
        "[CL101](elsewhere.md)",
        "XCL101 CL1010 ACL1",
        "CL001",
    ],
)
def test_code_headings_and_links_are_left_alone(text: str) -> None:
    assert link(text) == text


def test_a_page_does_not_link_to_itself() -> None:
    assert link("CL101", TARGETS["CL101"]) == "CL101"


def test_links_of_the_repositorys_own_pages_lead_to_the_site() -> None:
    assert (
        link("[t](docs/trace.md#verdicts) [c](CHANGELOG.md)", "index.md") == "[t](trace.md#verdicts) [c](changelog.md)"
    )


def test_the_words_of_a_fence_become_its_title() -> None:
    assert link("```python breaks item\nx\n```\n") == '```python title="breaks item"\nx\n```\n'


@pytest.mark.parametrize(("text", "missing"), [("CL199 is new", "CL199"), ("see docs/none.md", "docs/none.md")])
def test_what_does_not_exist_is_warned_of_and_left(text: str, missing: str) -> None:
    warnings: list[str] = []
    assert linked(text, "a.md", TARGETS, warnings.append) == text
    assert warnings == [f"a.md: there is no {missing}"]


def test_every_rule_has_a_page_and_a_line_in_its_family() -> None:
    rules = load_rules()
    pages = rule_pages(rules)
    index = pages.pop(RULES_INDEX)
    assert len(pages) == len(rules)
    assert index == rules_index(rules)
    assert [rule for _, of_family in by_family(rules) for rule in of_family] == list(rules)
    for rule in rules:
        assert f"| [{rule.code} {rule.name}]({rule.code}-{rule.name}.md) |" in index
        assert pages[f"rules/{rule.code}-{rule.name}.md"].startswith(f"# {rule.code} {rule.name}\n")


def test_every_family_has_a_title() -> None:
    assert set(FAMILIES) == set(GROUPS)
