"""Path patterns of the configuration, with the meaning that they have in ruff.

`*` also crosses `/`, `**/` may stand for nothing, `{a,b}` offers alternatives. A pattern without a `/`
is about the last part of a path, anywhere; one with a `/` is about the path from the directory of its configuration.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable


def matcher(patterns: Iterable[str], directory: str = "") -> Callable[[str], bool]:
    """Whether any of the patterns matches a path that is written with `/`.

    Patterns with a `/` are about the path from `directory`, or about all of it if they are absolute.
    """
    bases: list[str] = []
    paths: list[str] = []
    for pattern in patterns:
        if "/" in pattern.removeprefix("./").rstrip("/"):
            paths.append(f"(?:{_regex(anchored(pattern, directory))})")
        else:
            bases.append(f"(?:{_regex(pattern.removeprefix('./').rstrip('/'))})")
    base = re.compile("|".join(bases)) if bases else None
    path = re.compile("|".join(paths)) if paths else None

    def matches(name: str) -> bool:
        if base is not None and base.fullmatch(name.rpartition("/")[2]):
            return True
        return path is not None and path.fullmatch(name) is not None

    return matches


def anchored(pattern: str, directory: str) -> str:
    """A pattern that says from anywhere what it says in a directory."""
    pattern = pattern.removeprefix("./").rstrip("/")
    if not directory or "/" not in pattern or os.path.isabs(pattern):
        return pattern
    start = re.sub(r"[\[{*?]", lambda found: f"[{found[0]}]", directory.rstrip("/"))
    return f"{start}/{pattern}"


def _regex(pattern: str) -> str:
    done: list[str] = []
    index, braces = 0, 0
    while index < len(pattern):
        rest = pattern[index:]
        if rest.startswith("**/") and (index == 0 or pattern[index - 1] == "/"):
            done.append("(?:.*/)?")
            index += 3
            continue
        char = pattern[index]
        index += 1
        if char == "*":
            done.append(".*")
        elif char == "?":
            done.append(".")
        elif char == "[" and (end := pattern.find("]", index + 1)) != -1:
            done.append(_class(pattern[index:end]))
            index = end + 1
        elif char == "{" and "}" in rest:
            done.append("(?:")
            braces += 1
        elif char == "}" and braces:
            done.append(")")
            braces -= 1
        elif char == "," and braces:
            done.append("|")
        else:
            done.append(re.escape(char))
    return "".join(done)


def _class(members: str) -> str:
    negated = members[:1] in ("!", "^")
    escaped = re.sub(r"([\\\[\]&~|^])", r"\\\1", members[1:] if negated else members)
    return f"[{'^' if negated else ''}{escaped}]"
