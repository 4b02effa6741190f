from __future__ import annotations

from compilelint.report.html.markdown import rule_page

PAGE = "# CL101 tensor-item\n\nSee CL102 and `CL102`, not CL999.\n\n## Why\n\n```python\nx = 1\n```\n"


def test_a_page_fits_below_its_own_heading() -> None:
    html = rule_page(PAGE, {"CL102"})
    assert "tensor-item" not in html
    assert "<h4>Why</h4>" in html


def test_rules_that_are_in_the_page_are_linked_and_others_are_not() -> None:
    html = rule_page(PAGE, {"CL102"})
    assert html.count('<a href="#CL102">CL102</a>') == 1
    assert "<code>CL102</code>" in html
    assert "not CL999." in html


def test_code_is_highlighted() -> None:
    assert '<span class="n">x</span>' in rule_page(PAGE, set())


def test_html_in_a_page_of_the_users_own_stays_text() -> None:
    html = rule_page("<script>alert(1)</script>\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)>", set())
    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
