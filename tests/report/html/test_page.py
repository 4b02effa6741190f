from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from compilelint.report.formats import Look, format_of
from compilelint.report.html.page import render_page
from compilelint.report.model import Source
from tests.report.html.make import PAGE, hostile, whole
from tests.report.make import finding, report, run


class Page(HTMLParser):
    """What a browser would find in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.unclosed: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "br", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.unclosed.append(tag)
        else:
            self.open.pop()

    def values(self, name: str) -> Iterator[str]:
        return (attributes[name] or "" for _, attributes in self.tags if name in attributes)


NOTHING = run(
    compilations=0, compile_calls=0, torch="", frames=(), timeline=(), per_process=(), first_result_seconds=None
)
REPORTS = {
    "a check without findings": report(),
    "a check": report(finding(), finding(cell=3, path="a.ipynb", fingerprint="c" * 16), rules=(PAGE,)),
    "a run with everything": whole(),
    "a run that compiled nothing": report(run=NOTHING),
    "a run without trouble": report(run=run(budgets=())),
    "a run as it was recorded before times were": report(run=run(timeline=(), per_process=(), wall_seconds=0.0)),
    "a hostile program": hostile(),
}


@pytest.fixture(params=list(REPORTS))
def text(request: pytest.FixtureRequest) -> str:
    return render_page(REPORTS[request.param])


def test_the_page_is_well_formed(text: str) -> None:
    page = Page(text)
    assert (page.open, page.unclosed) == ([], [])


def test_every_name_is_given_once_and_every_link_leads_somewhere(text: str) -> None:
    page = Page(text)
    names = list(page.values("id"))
    assert len(names) == len(set(names))
    links = list(page.values("href"))
    assert [link for link in links if link[0] != "#" or link[1:] not in names] == []


def test_nothing_is_loaded_and_only_the_pages_own_script_may_run(text: str) -> None:
    page = Page(text)
    assert not list(page.values("src"))
    assert "http-equiv" in text
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    policy = next(each["content"] for tag, each in page.tags if tag == "meta" and "http-equiv" in each)
    assert policy is not None
    assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy


def test_text_of_a_program_is_text_whatever_it_holds() -> None:
    text = render_page(hostile())
    page = Page(text)
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not [
        tag for tag, attributes in page.tags if tag == "img" or any(name.startswith("on") for name in attributes)
    ]
    assert not {"\u202e", "\x00", "\x1b"} & set(text)
    assert "49" not in text.replace("{{ 7*7 }}", "")


def test_the_head_answers_what_was_compiled_and_how_it_ended() -> None:
    text = re.sub(r"<[^>]+>", "", render_page(whole()))
    assert "3 causes to mend; 1.5 s of 4.0 s went into compiling; first result after 0.75 s." in " ".join(text.split())
    assert "The run was cut off." in text
    assert "max-breaks = 0: broken, found 1" in text


def test_a_run_that_compiled_nothing_says_so() -> None:
    text = render_page(report(run=NOTHING))
    assert "Nothing was compiled" in text
    assert 'id="timeline"' not in text


def test_the_format_asks_for_all_that_it_shows() -> None:
    html = format_of("html")
    assert (html.rules, html.sources, html.base) == (True, True, "project")
    assert html.render(report(), Look()).text.startswith("<!doctype html>")


def test_equal_reports_give_equal_pages() -> None:
    assert render_page(whole()) == render_page(whole())


def test_source_is_in_the_page_once_for_each_function_and_not_for_each_finding() -> None:
    body = "\n".join(f"    line_{number} = x" for number in range(200))
    source = Source("src/model.py", "f", 1, f"def f(x):\n{body}")
    many = [
        finding(line=line, fingerprint=f"{line:016}", source_line=f"    line_{line - 2} = x") for line in range(2, 200)
    ]
    one, all_ = (len(render_page(report(*findings, sources=(source,)))) for findings in (many[:1], many))
    assert (all_ - one) / len(many) < 2000
