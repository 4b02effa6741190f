from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from compilelint.report.markdown_text import block, cell, code, in_html, inline, row

GFM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HOSTILE = [
    "plain",
    "*a* _b_ **c** ~~d~~ `e`",
    "<img src=x onerror=y> &amp; &lt;",
    "[x](javascript:1) ![y](z) <http://a>",
    "a | b \\| c",
    "`a|b` and `` `x` `` and lone ` tick",
    "\\`not code\\`",
    "$x$ \\ end\\",
    "`",
    "```",
    "値🙂",
]


def text_of(markdown: str) -> str:
    """What a reader sees, without the elements around it."""
    html = GFM.render(markdown)
    assert not re.search(r"<(?!/?(?:p|code|table|thead|tbody|tr|th|td)\b)", html), html
    plain = re.sub(r"<[^>]+>", "", html).strip()
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        plain = plain.replace(entity, char)
    return plain


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_as_it_is_but_for_the_ticks_of_code(text: str) -> None:
    expected = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"\1", text)
    assert text_of(inline(text)) == expected


@pytest.mark.parametrize("text", HOSTILE)
def test_a_cell_stays_one_cell(text: str) -> None:
    table = "\n".join([row("a", "b"), row("---", "---"), row(cell(text), "end")])
    cells = re.findall(r"<td>(.*?)</td>", GFM.render(table))
    assert len(cells) == 2
    assert cells[1] == "end"


@pytest.mark.parametrize("text", ["a", "`", "a`b", "``a``", "a|b"])
def test_code_is_code_whatever_it_holds(text: str) -> None:
    assert GFM.render(code(text)) == f"<p><code>{text}</code></p>\n"


def test_nothing_is_no_code() -> None:
    assert code(" ") == ""


def test_a_block_ends_where_it_is_to_end() -> None:
    html = GFM.render(block("a = 1\n```\n# x\x1b"))
    assert html == '<pre><code class="language-python">a = 1\n```\n# x\\x1b\n</code></pre>\n'


def test_nobody_is_mentioned_and_no_issue_is_named() -> None:
    assert "@me" not in inline("ask @me about #1")
    assert "#1" not in inline("ask @me about #1")
    assert "`@me`" in inline("`@me`")
    assert in_html("@me `@f`") == "@&#8203;me <code>@f</code>"


def test_html_is_text_inside_of_html() -> None:
    assert in_html("it's") == "it's"
    assert in_html("<b> `x<y` & \x1b") == r"&lt;b&gt; <code>x&lt;y</code> &amp; \x1b"
