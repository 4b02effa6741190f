"""What a file's text says at a glance, without being parsed: of each file of a project somebody asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from compilelint.source.lines import starts_of_lines_with

_IMPORT = re.compile(
    r"[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(?:\(([^)]*)|((?:[^\n\\]|\\\n)*))|import[ \t]+([^#\n]+))"
)
_BETWEEN_NAMES = re.compile(r"#.*|[\s\\()]+")
_GENERATED_FROM = re.compile(r"^#.*\bgenerated from (?:the )?`?([\w./\\-]+\.py)\b", re.MULTILINE | re.IGNORECASE)
_KEEP_OFF = re.compile(r"^#.*\b(?:do not|don't) (?:edit|modify|change)\b", re.MULTILINE | re.IGNORECASE)
"""What generators write into their files. Others say where their data comes from, or who has once made them."""
_HEAD = re.compile(r"(?:[ \t]*(?:#.*)?\n)*")
"""The comments before anything else, with which generators begin."""
_TORCH_WORDS = ("torch", "lightning", "transformers", "diffusers")
_COMPILES = re.compile(r"compile(?:(?<=\btorch[._]compile)\b|(?<=\.compile)(?<!\bre\.compile)\w*\()")
"""`torch.compile`, `torch_compile`, `.compile_repeated_blocks(`: found by the word that all have, which `re` looks for
quickly."""


class FileFacts(Struct, frozen=True):
    """What is known of a file's text before anybody parses it."""

    imports: tuple[tuple[str, str, str], ...]
    """Of each import: what comes after `from` and after its `import`, or, of a plain one, all that it names."""
    mentions_torch: bool
    may_configure: bool = False
    """It may set something in `torch._dynamo.config`."""
    generated_from: str = ""
    """The path of the Python file from which it is generated, where comments at its top say so, and not to edit it."""
    is_script: bool = False
    """It may be run itself: it asks whether it is."""
    has_models: bool = False
    """It may define modules, or compile something: what is most likely to reach another file."""
    says_compile: bool = False
    """It names `torch.compile`, be it in a comment."""
    compiles: bool = False
    """It does so in code."""


def facts_of(text: str) -> FileFacts:
    """The facts of a text."""
    compilations = [_line_before(text, found.start()) for found in _COMPILES.finditer(text)]
    return FileFacts(
        tuple(_imports_in(text)),
        any(word in text for word in _TORCH_WORDS),
        "_dynamo" in text and "config" in text,
        _generated_from(text),
        "__main__" in text,
        "def forward(" in text or "compile" in text,
        bool(compilations),
        any("#" not in line and "`" not in line for line in compilations),
    )


def _imports_in(text: str) -> Iterator[tuple[str, str, str]]:
    for start in starts_of_lines_with("import", text):
        found = _IMPORT.match(text, start)
        if found is not None:
            yield found[1] or "", _BETWEEN_NAMES.sub(" ", found[2] or found[3] or "").strip(), found[4] or ""


def _generated_from(text: str) -> str:
    head = _HEAD.match(text)
    found = _GENERATED_FROM.search(head[0]) if head is not None else None
    return found[1] if found is not None and _KEEP_OFF.search(found.string) is not None else ""


def _line_before(text: str, end: int) -> str:
    return text[text.rfind("\n", 0, end) + 1 : end]
