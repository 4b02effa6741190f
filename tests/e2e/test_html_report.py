"""The HTML report in a browser: Debian's chromium, opened from disk as a reader would open it."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from compilelint.report.html.page import render_page
from compilelint.report.model import Report
from tests.report.html.make import PAGE, hostile, whole
from tests.report.make import finding, report, run

pytestmark = pytest.mark.slow

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CONTRAST = """() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const linear = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor);
      if (color[3] > 0.99) return color;
    }
    return [255, 255, 255, 1];
  };
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  const low = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !element.checkVisibility() || element.closest("svg, script")) continue;
    const both = [parse(getComputedStyle(element).color), ground(element)].map(luminance);
    const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    if (ratio < 4.5) low.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}: ${text.slice(0, 30)}`);
  }
  return [...low];
}"""
"""Texts whose contrast to what is behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3)."""

Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists() and not os.environ.get("COMPILELINT_REQUIRE_BROWSER"):
        pytest.skip(f"{CHROMIUM} is not there (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Opens a report from disk; at the end, the browser must have complained of nothing and asked for nothing."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def open_(shown: Report, fragment: str = "", **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(render_page(shown), encoding="utf-8")
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on(
            "request",
            lambda request: request.url.startswith(file.as_uri()) or complaints.append(f"request: {request.url}"),
        )
        page.goto(f"{file.as_uri()}{fragment}")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


def many(count: int) -> Report:
    """A check with so many findings of eight rules."""
    return report(
        *(
            finding(
                code=f"CL10{index % 8}",
                path=f"src/package/module_{index % 97}.py",
                line=index + 1,
                end_line=index + 1,
                function=f"Class{index % 31}.method_{index % 11}",
                severity=("error", "warning", "info")[index % 3],
                fingerprint=f"{index:016x}",
            )
            for index in range(count)
        ),
        rules=(PAGE,),
    )


def visible(page: Any) -> int:
    count: int = page.locator(".finding:visible").count()
    return count


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "shown", [whole(), report(finding(), rules=(PAGE,)), report(run=run())], ids=["run", "check", "clean"]
)
def test_every_text_can_be_read_in_both_themes(scheme: str, shown: Report, opened: Opened) -> None:
    assert opened(shown, color_scheme=scheme).evaluate(CONTRAST) == []


def test_the_theme_is_that_of_the_system_until_it_is_chosen(opened: Opened) -> None:
    page = opened(whole(), color_scheme="dark")
    background = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    button = page.get_by_role("button", name="Theme")
    button.click()
    assert button.get_attribute("aria-label") == "Theme: light"
    assert page.evaluate(background) != dark
    button.click()
    assert page.evaluate(background) == dark
    page.reload()
    assert button.get_attribute("aria-label") == "Theme: dark"


@pytest.mark.parametrize("width", [400, 640, 1280, 1920])
def test_nothing_is_wider_than_the_window(width: int, opened: Opened) -> None:
    page = opened(whole(), viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_to_fix_and_where_time_went_is_seen_without_scrolling(opened: Opened) -> None:
    page = opened(whole())
    for text in ("3 causes", "What to fix first", "Where compile time went"):
        box = page.get_by_text(text).first.bounding_box()
        assert box["y"] + box["height"] < 800


def test_a_cause_opens_with_the_keyboard(opened: Opened) -> None:
    page = opened(whole())
    summary = page.locator("#cause-1 > details > summary")
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("#cause-1 > details").evaluate("(each) => each.open")
    assert page.locator("#cause-1 .help").is_visible()


def test_the_tab_key_reaches_every_part_in_the_order_of_the_page(opened: Opened) -> None:
    page = opened(whole())
    part = "() => (document.activeElement.closest('main > section, .split > section') || {}).id"
    seen: list[str] = []
    for _ in range(120):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(part))
    order = [each for each in dict.fromkeys(seen) if each]
    assert order == ["fix", "cost", "timeline", "ranks", "functions", "recompiles", "findings", "rules"]


def test_what_has_the_focus_can_be_seen(opened: Opened) -> None:
    page = opened(whole())
    page.keyboard.press("Tab")
    assert page.get_by_text("Skip to the report").bounding_box()["x"] >= 0
    page.keyboard.press("Tab")
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_the_arrow_keys_go_from_bar_to_bar(opened: Opened) -> None:
    page = opened(whole())
    page.locator(".lane a[tabindex='0']").first.focus()
    first = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") != first
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.textContent") == first


def test_a_bar_leads_to_its_function_and_opens_it(opened: Opened) -> None:
    page = opened(whole())
    page.locator("details.function").first.evaluate("(each) => { each.open = false; }")
    page.locator(".bar").first.click()
    assert page.locator("details.function").first.evaluate("(each) => each.open")


def test_a_link_to_a_rule_opens_its_page(opened: Opened) -> None:
    page = opened(whole(), "#CL101")
    assert page.locator("#CL101").evaluate("(each) => each.open")
    assert page.locator("#CL101 .prose").is_visible()


def test_findings_are_filtered_by_verdict_rule_severity_and_text(opened: Opened) -> None:
    page = opened(whole())
    every = visible(page)
    page.get_by_label("not reached").uncheck()
    assert visible(page) == every - 1
    page.get_by_label("not reached").check()
    page.locator("select[name=rule]").select_option("CL202")
    assert visible(page) == 1
    assert page.locator("output").inner_text() == f"1 of {every}"
    page.locator("select[name=rule]").select_option("")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("nowhere to be found")
    assert visible(page) == 0
    assert page.get_by_text("No finding fits these filters.").is_visible()


def test_five_thousand_findings_open_and_filter_at_once(opened: Opened) -> None:
    page = opened(many(5000))
    assert page.locator("output").inner_text() == "5000 of 5000"
    spent = """(change) => {
      const field = document.querySelector("input[name=text]");
      const started = performance.now();
      field.value = change;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      document.body.getBoundingClientRect();
      return performance.now() - started;
    }"""
    times = [page.evaluate(spent, text) for text in ("module_3", "module_31", "", "method_7 class2", "")]
    assert statistics.median(times) < 150, times  # milliseconds
    loaded = "() => { const [one] = performance.getEntriesByType('navigation'); return one.domContentLoadedEventEnd }"
    assert page.evaluate(loaded) < 5000


def test_text_of_a_program_does_nothing(opened: Opened) -> None:
    page = opened(hostile())
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    assert page.title().startswith("</script><script>alert(1)</script>")


def test_without_script_the_page_is_a_plain_document(opened: Opened) -> None:
    page = opened(whole(), java_script_enabled=False)
    assert page.locator(".filters").is_hidden()
    assert page.locator(".theme").is_hidden()
    assert visible(page) > 0
    page.locator("#cause-1 > details > summary").click()
    assert page.locator("#cause-1 .help").is_visible()


def test_on_paper_there_is_nothing_to_click(opened: Opened) -> None:
    page = opened(whole())
    page.emulate_media(media="print")
    assert page.locator(".top").is_hidden()
    assert page.locator(".filters").is_hidden()
    assert page.locator("#cause-1 h3").is_visible()
    assert page.locator("#cause-1 .help").evaluate("(each) => each.checkVisibility({ contentVisibilityAuto: true })")
