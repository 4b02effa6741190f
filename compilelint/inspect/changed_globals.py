"""Globals that somebody changes after their file made them: `config.DEBUG = True`, `HOOKS.append(hook)`.

What source says of their values is then one of several.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import UNKNOWN, Const, Dictionary, External, Kind, Sequence
from compilelint.source.lines import lines_with
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_ASSIGNED = r"\s*(?:[-+*/%&|^@]|\*\*|//|<<|>>)?=(?!=)"
_PART = r"(?:\[[^\]\n]*\]|\.\w+)"
_FILLING = (
    r"\.(?:append|appendleft|extend|insert|add|update|setdefault|pop|popitem|popleft|remove|discard|clear|sort|reverse"
    r"|__setitem__)\("
)
_CHANGES = (
    rf"\b{{name}}{_PART}+{_ASSIGNED}"
    rf"|\b{{name}}{_PART}*{_FILLING}"
    r"|\b{name}\s*(?:[-+*/%&|^@]|\*\*|//|<<|>>)="
    r"|=\s*(?:\w+\.)*{name}\s*$"
    r"|\bvars\((?:\w+\.)*{name}\)|\bsetattr\((?:\w+\.)*{name},"
)
"""What may change what a global holds: an item or an attribute that is assigned, a method that fills it, `|=`, another
name for it."""
_SETS = (
    r"\.{name}(?<!\bself\.{name})(?<!\bcls\.{name})\s*=(?!=)"
    r"|\bsetattr\(\s*\w+,\s*[\"']{name}\b|[\"']{name}[\"']\]\s*=(?!=)"
)
"""What gives a global of another file a value: `config.DEBUG = True`, `vars(config)["DEBUG"] = True`."""
_SETS_OWN = r"\bglobals\(\)\.update\(|\bglobals\(\)\[(?:[\"']{name}[\"']|[^\"'\]]+)\]\s*=(?!=)|^exec\("
"""What gives a global of its own file a value that no assignment shows, as scripts do that take any from outside."""


def setters(inspector: Inspector, module: ModuleIndex) -> Mapping[str, Collection[FunctionInfo]]:
    """The functions of a file that declare a global as such, as they do to set it, by its name."""
    return inspector.derived(("set globals", module.name), lambda: _setters(module))


def _setters(module: ModuleIndex) -> dict[str, list[FunctionInfo]]:
    found: dict[str, list[FunctionInfo]] = {}
    for info in module.functions.values():
        for node in walk(info.node) if says(info.node, module.lines, "global ") else ():
            for name in node.names if isinstance(node, ast.Global) else ():
                found.setdefault(name, []).append(info)
    return found


def is_set_elsewhere(inspector: Inspector, module: ModuleIndex, name: str) -> bool:
    """Whether a global may get another value by what is no statement of its file that names it: from who imports the
    file, or through `globals()`."""
    own = (
        line
        for text in _texts(inspector, [module.name])
        for word in ("globals()", "exec(")
        for line in lines_with(word, text)
    )
    users = [*_texts(inspector, _users(inspector, module))]
    # Most users import it or read it: a pattern of its own is worth making for the others.
    dotted = (line for text in users for line in lines_with(f".{name}", text) if "=" in line)
    quoted = (text for text in users if f'"{name}"' in text or f"'{name}'" in text)
    return _says(own, _SETS_OWN, name) or _says(itertools.chain(dotted, quoted), _SETS, name)


def _users(inspector: Inspector, module: ModuleIndex) -> tuple[str, ...] | list[str]:
    return few_importers(inspector.tree, module.name) or ()


def as_changed(inspector: Inspector, module: ModuleIndex, name: str, kind: Kind) -> Kind:
    """What a global holds: of what somebody fills, or puts something else into, any values of their sorts."""
    if not any(map(_is_known, kinds.options(kind))):
        return kind
    return _opened(kind) if is_changed(inspector, module, name) else kind


def is_changed(inspector: Inspector, module: ModuleIndex, name: str) -> bool:
    """Whether the text of its file, or of who imports that, may change what a global holds."""
    return inspector.derived(("global changed", module.name, name), lambda: _is_changed(inspector, module, name))


def _is_changed(inspector: Inspector, module: ModuleIndex, name: str) -> bool:
    texts = _texts(inspector, [module.name, *_users(inspector, module)])
    return _says((line for text in texts for line in lines_with(name, text)), _CHANGES, name)


def _says(texts: Iterable[str], pattern: str, name: str) -> bool:
    """Whether one of these texts has it."""
    return any(re.search(pattern.format(name=re.escape(name)), text, re.MULTILINE) for text in texts)


def _texts(inspector: Inspector, files: Iterable[str]) -> Iterator[str]:
    for file in files:
        text = inspector.tree.text(file)
        if text is not None:
            yield text.text


def _is_known(kind: Kind) -> bool:
    """Whether source tells more of it than what sort of things it holds."""
    match kind:
        case Sequence(items=items):
            return items is not None and kind.type != "tuple"
        case Dictionary(entries=entries, closed=closed):
            return closed or any(_is_value(each) for _, each in entries)
        case External(args=values, keys=(_, *_)):
            return any(map(_is_value, values))
        case _:
            return False


def _is_value(kind: Kind) -> bool:
    return isinstance(kind, Const | Sequence | Dictionary)


def _opened(kind: Kind) -> Kind:
    """What may hold more, and other values; functions and classes stay what they are, as tables of them do."""
    match kind:
        case Const(value=value):
            return UNKNOWN if value is None else kinds.widen(kind)
        case Sequence(items=tuple(items)):
            return Sequence(kind.type, kinds.join(*map(_opened, items)) if items else UNKNOWN)
        case Dictionary(entries=entries):
            opened = tuple((key, _opened(each)) for key, each in entries)
            return replace(kind, value=_opened(kind.value), entries=opened, closed=False)
        case External(args=values, keys=(_, *_)):
            return replace(kind, args=tuple(map(_opened, values)))
        case kinds.Union(options=options):
            return kinds.join(*map(_opened, options))
        case _:
            return kind
