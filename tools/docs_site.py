"""The documentation site's hook (mkdocs.yml): a page for each rule, and links from every mention of one.

What the site adds to docs/*.md is made while it is built and never committed: the pages of rules/ with their
evidence, their index by family, and the repository's own README, CONTRIBUTING and CHANGELOG. A code or a file of
docs/ that a text names becomes a link; one that does not exist is a warning, which `mkdocs build --strict` makes
an error.
"""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compilelint.catalog import Rule, load_rules, measured_versions
from compilelint.catalog.describe import rule_page, versions_held
from compilelint.catalog.evidence_table import release, version_ranges
from compilelint.catalog.front_matter import PLACEHOLDERS
from compilelint.catalog.pages import GROUPS
from compilelint.project.suppressions import UNUSED_CODE

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

REPOSITORY = Path(__file__).resolve().parents[1]
log = logging.getLogger("mkdocs.hooks.docs_site")

RULES_INDEX = "rules/index.md"
FROM_REPOSITORY = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Files of the repository → pages of the site."""
FAMILIES = {
    "data-to-python": "Data to Python",
    "side-effects": "Side effects",
    "untraceable-calls": "Untraceable calls",
    "python-constructs": "Python constructs",
    "recompiles": "Recompiles",
    "wrapping": "Wrapping, regions, cold start",
    "operators-autograd": "Operators and autograd",
    "flags": "Flags and switches",
    "run": "What only a run shows",
}

REGISTRY = "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb{}.html"
"""Where torch's own messages send people for an id of its break registry."""

_FENCE = re.compile(r"^(?P<fence>```+|~~~+)(?P<info>[^\n]*)\n(?P<code>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_MENTION = re.compile(
    r"`docs/(?P<quoted>[\w-]+\.md)`"
    r"|(?P<span>`+)(?!`).*?(?<!`)(?P=span)(?!`)"
    r"|\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)"
    r"|(?<![\w/])docs/(?P<doc>[\w-]+\.md)"
    r"|\b(?P<code>CL\d{3})\b"
    r"|\bGB(?P<gb>\d{4})\b",
    re.DOTALL,
)


def rule_pages(rules: Sequence[Rule]) -> dict[str, str]:
    """The site's pages about rules: where each is → its Markdown."""
    pages = {rule_path(rule): rule_page(rule) for rule in rules}
    return {RULES_INDEX: rules_index(rules), **pages}


def rule_path(rule: Rule) -> str:
    """Where the site has a rule's page."""
    return f"rules/{rule.code}-{rule.name}.md"


def by_family(rules: Sequence[Rule]) -> Iterator[tuple[str, list[Rule]]]:
    """The families that have rules, with their titles."""
    for group, prefix in GROUPS.items():
        if of_group := [rule for rule in rules if rule.group == group]:
            yield f"{prefix} {FAMILIES[group]}", of_group


def rules_index(rules: Sequence[Rule]) -> str:
    """The page that lists all rules, a table for each family."""
    measured = measured_versions(rules)
    first, last = release(measured[0]), release(measured[-1])
    lines = [
        "# Rules",
        "",
        f"{len(rules)} rules. Each is proved by examples that were run through the real compiler, on torch {first} to "
        f"{last}; the last column says on which of these Dynamo did what the page says, in some mode.",
    ]
    for title, of_family in by_family(rules):
        lines += ["", f"## {title}", "", "| rule | effect | what it is about | torch |", "|---|---|---|---|"]
        for rule in of_family:
            link = f"[{rule.code} {rule.name}]({rule.code}-{rule.name}.md)"
            held = version_ranges(versions_held(rule), measured) or "none measured"
            message = rule.message.format(**dict.fromkeys(PLACEHOLDERS, "…")).replace("|", "\\|")
            lines.append(f"| {link} | {rule.effect} | {message} | {held} |")
    return "\n".join(lines) + "\n"


def linked(markdown: str, page: str, targets: Mapping[str, str], warn: Callable[[str], None]) -> str:
    """A page's text with a link at each mention of what `targets` knows: rule codes, files of the repository.

    `page` is where the text stands on the site. What looks like a code or a file of docs/ and is neither is warned of.
    Code is left alone, but a fence's further words become its title.
    """
    parts: list[str] = []
    end = 0
    for fence in _FENCE.finditer(markdown):
        parts += [_linked_prose(markdown[end : fence.start()], page, targets, warn), _titled(fence)]
        end = fence.end()
    return "".join([*parts, _linked_prose(markdown[end:], page, targets, warn)])


def _titled(fence: re.Match[str]) -> str:
    language, _, words = fence["info"].strip().partition(" ")
    if not words:
        return fence[0]
    return f'{fence["fence"]}{language} title="{words}"\n{fence["code"]}{fence["fence"]}'


def _linked_prose(text: str, page: str, targets: Mapping[str, str], warn: Callable[[str], None]) -> str:
    def link(shown: str, name: str) -> str:
        if name not in targets:
            warn(f"{page}: there is no {name}")
            return shown
        target = posixpath.relpath(targets[name], posixpath.dirname(page) or ".")
        return shown if targets[name] == page else f"[{shown}]({target})"

    def replace(found: re.Match[str]) -> str:
        if found["quoted"] or found["doc"]:
            return link(found[0], f"docs/{found['quoted'] or found['doc']}")
        if found["code"]:
            return found[0] if found["code"] == UNUSED_CODE else link(found[0], found["code"])
        if found["gb"]:
            return f"[{found[0]}]({REGISTRY.format(found['gb'])})"
        if found["target"]:
            path, hash_, anchor = found["target"].partition("#")
            if page in FROM_REPOSITORY.values() and path in targets:
                return f"[{found['text']}]({targets[path]}{hash_}{anchor})"
        return found[0]

    paragraphs = re.split(r"(\n\s*\n)", text)
    return "".join(each if each.startswith("#") else _MENTION.sub(replace, each) for each in paragraphs)


@cache
def _rules() -> tuple[Rule, ...]:
    return load_rules()


@cache
def _targets() -> dict[str, str]:
    docs = REPOSITORY / "docs"
    return {
        **{rule.code: rule_path(rule) for rule in _rules()},
        **{f"docs/{file.name}": file.name for file in docs.iterdir()},
        **FROM_REPOSITORY,
    }


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the rules to the navigation, below the entry of their index."""
    for entry in config.nav or []:
        for title, pages in entry.items() if isinstance(entry, dict) else ():
            if isinstance(pages, list) and RULES_INDEX in pages:
                entry[title] = [
                    *pages,
                    *(
                        {family: [{f"{rule.code} {rule.name}": rule_path(rule)} for rule in rules]}
                        for family, rules in by_family(_rules())
                    ),
                ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not files of docs/."""
    from mkdocs.structure.files import File

    made = rule_pages(_rules())
    for source, page in FROM_REPOSITORY.items():
        made[page] = (REPOSITORY / source).read_text(encoding="utf-8")
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_others: Any) -> str:
    """Link what a page mentions."""
    return linked(markdown, page.file.src_uri, _targets(), log.warning)
