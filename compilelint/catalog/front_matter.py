"""The front matter of a rule page: TOML of which each mistake is told with its line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, NoReturn

from compilelint.catalog.page_error import PageError
from compilelint.spelling import nearest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PLACEHOLDERS = ("source", "callee", "use")

_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter while it is being checked: it knows on which line a key stands."""

    path: str
    lines: Sequence[str]
    """From the opening `+++` on, without the closing one."""

    def parse(self) -> dict[str, Any]:
        try:
            return tomllib.loads("\n".join(["", *self.lines[1:]]))
        except tomllib.TOMLDecodeError as error:
            where = _TOML_LINE.search(str(error))
            line = int(where.group(1)) if where else len(self.lines)
            raise PageError(self.path, line, _TOML_LINE.sub("", str(error)).strip()) from None

    def line_of(self, key: str, table: int = 0) -> int:
        """Line of `key = …` in the page's own table (0) or in its n-th `[[match]]`."""
        current = 0
        for number, line in enumerate(self.lines, 1):
            if line.strip() == "[[match]]":
                current += 1
                if current == table and not key:
                    return number
            elif current == table and re.match(rf'\s*(\[match\.)?"?{re.escape(key)}"?\s*[=\]]', line):
                return number
        return self.line_of("", table) if table and key else 1

    def fail(self, message: str, key: str = "", table: int = 0) -> NoReturn:
        raise PageError(self.path, self.line_of(key, table), message)

    def known_keys(self, found: Iterable[str], known: Iterable[str], table: int) -> None:
        for key in found:
            if key not in known:
                self.fail(f"unknown key `{key}`{nearest(key, known)}", key, table)

    def text(self, values: Mapping[str, Any], key: str, table: int = 0) -> str:
        value = values[key]
        if not isinstance(value, str) or not value.strip():
            self.fail(f"`{key}` must be a non-empty string", key, table)
        return value

    def word(self, values: Mapping[str, Any], key: str, known: Iterable[str], table: int = 0) -> str:
        value = self.text(values, key, table)
        if value not in known:
            self.fail(f"unknown {key} {value!r}{nearest(value, known)}", key, table)
        return value

    def template(self, values: Mapping[str, Any], key: str, table: int = 0) -> str:
        """A sentence that may hold `{source}`, `{callee}` and `{use}`."""
        value = self.text(values, key, table)
        try:
            fields = [field for _, field, _, _ in Formatter().parse(value) if field is not None]
        except ValueError as error:
            self.fail(f"`{key}`: {error}; write a brace as `{{{{` or `}}}}`", key, table)
        for field in fields:
            if field not in PLACEHOLDERS:
                self.fail(f"`{key}` may hold {{source}}, {{callee}} and {{use}}, not {{{field}}}", key, table)
        return value

    def texts(self, values: Mapping[str, Any], key: str, table: int) -> tuple[str, ...]:
        value = values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.fail(f"`{key}` must be a list of strings", key, table)
        if key in values and not value:
            self.fail(f"`{key}` is empty: leave it out", key, table)
        return tuple(value)


def front_matter_end(lines: list[str], path: str) -> int:
    """Index of the closing `+++`."""
    if not lines or lines[0].rstrip() != "+++":
        raise PageError(path, 1, "a rule page begins with TOML front matter between `+++` lines")
    for index, line in enumerate(lines[1:], 1):
        if line.rstrip() == "+++":
            return index
    raise PageError(path, 1, "the front matter is not closed by a `+++` line")
