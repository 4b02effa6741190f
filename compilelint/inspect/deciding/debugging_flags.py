"""Flags that are there to look into a program: `if self.debug:`, `if verbose > 1:`.

They are off where nobody turns them on, and who turns them on wants to see something, not to be fast.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.members.never_set import sets_any

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_WORDS = frozenset(
    {"debug", "debugging", "dbg", "dump", "plot", "print", "profile", "profiler", "profiling", "verbose", "verbosity"}
)


def is_for_debugging(node: ast.expr) -> bool:
    """Whether a name or an attribute is called like such a flag."""
    return _has_word(flag_name(node))


@functools.cache
def _has_word(name: str) -> bool:
    return not _WORDS.isdisjoint(name.lower().strip("_").split("_"))


def flag_name(node: ast.expr) -> str:
    """The name or the attribute that is read; empty for what is neither."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def may_be_on(inspector: Inspector, files: Iterable[str], name: str) -> bool:
    """Whether the text of one of these files, or of who imports it, gives a name anything that may be something:
    `Net(debug=True)`, `settings.debug = options.debug`, `{"debug": True}`."""
    users = {user for file in files for user in (file, *(few_importers(inspector.tree, file) or ()))}
    return any(_turns_on(inspector, user, name) for user in sorted(users))


def _turns_on(inspector: Inspector, file: str, name: str) -> bool:
    return inspector.derived(("turns on", file, name), lambda: _says_so(inspector, file, name))


def _says_so(inspector: Inspector, file: str, name: str) -> bool:
    text = inspector.tree.text(file)
    word = re.escape(name)
    gives = rf"\b{word}(?:\s*:[^=\n]*)?\s*[-+*|]?=(?!=|\s*(?:False|None|0|{word})\b)|[\"']{word}[\"']"
    return text is None or sets_any(inspector, file) or re.search(gives, text.text) is not None
