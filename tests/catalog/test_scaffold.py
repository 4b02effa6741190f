from __future__ import annotations

import pytest

from compilelint.catalog.pages import GROUPS, parse_page
from compilelint.catalog.scaffold import ScaffoldError, new_page, next_code, unwritten


@pytest.mark.parametrize(
    ("family", "taken", "code"),
    [
        ("CL1", (), "CL101"),
        ("CL1", ("CL101", "CL117", "CL206"), "CL118"),
        ("CL1", ("CL199", "CL102", "CL101"), "CL103"),
        ("ACME1", ("CL140", "ACME103"), "ACME104"),
        ("ACME", ("ACME001", "ACME1001", "AACME007"), "ACME002"),
        ("ACME12", (), "ACME121"),
    ],
)
def test_the_code_after_the_last_one_of_the_family(family: str, taken: tuple[str, ...], code: str) -> None:
    assert next_code(family, taken) == code


@pytest.mark.parametrize(
    ("family", "message"),
    [
        ("CL", "there is no family 'CL': CL1 data-to-python, CL2"),
        ("CL0", "there is no family 'CL0'"),
        ("CL9", "about what only a run shows"),
        ("cl1", "'cl1' is no family"),
        ("A1", "'A1' is no family"),
        ("CL101", "'CL101' is no family"),
    ],
)
def test_what_is_no_family_is_refused(family: str, message: str) -> None:
    with pytest.raises(ScaffoldError, match=message):
        next_code(family, ())


def test_a_full_family_is_refused() -> None:
    with pytest.raises(ScaffoldError, match="all codes of CL1 are taken"):
        next_code("CL1", [f"CL1{number:02}" for number in range(1, 100)])


@pytest.mark.parametrize("name", ["My-hazard", "my_hazard", "-x", ""])
def test_a_name_that_is_not_kebab_case_is_refused(name: str) -> None:
    with pytest.raises(ScaffoldError, match="not kebab case"):
        new_page("CL1", name, ())


FAMILIES = [prefix for prefix in GROUPS.values() if prefix != "CL9"]


@pytest.mark.parametrize("family", [*FAMILIES, "ACME", "ACME5"])
def test_a_new_page_is_well_formed_and_says_what_is_unwritten(family: str) -> None:
    name, text = new_page(family, "my-hazard", ())
    rule = parse_page(text, name)
    assert rule.code in name
    assert {each.hazard for each in rule.examples} == {True, False}
    lines = text.splitlines()
    assert unwritten(text)
    assert all("TODO" in lines[number - 1] for number in unwritten(text))


@pytest.mark.parametrize(
    ("family", "group", "effect"),
    [
        ("CL2", "side-effects", "graph-break"),
        ("CL5", "recompiles", "recompile"),
        ("ACME5", "recompiles", "recompile"),
        ("ACME9", "untraceable-calls", "graph-break"),
    ],
)
def test_the_family_says_what_kind_of_page(family: str, group: str, effect: str) -> None:
    name, text = new_page(family, "my-hazard", ())
    rule = parse_page(text, name)
    assert (rule.group, rule.effect) == (group, effect)
