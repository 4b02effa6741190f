"""Conditions on flags that nobody gives: `def forward(self, x, reset=True)` and `if reset: self.index = 0` begin anew
in each call, and with `reset=False` in none."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from compilelint.inspect.deciding.by_default import outcome_by_default
from compilelint.inspect.deciding.comparing import OPEN
from compilelint.inspect.deciding.written_values import default_of
from compilelint.inspect.importing_files import few_importers
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

_DEFINES = re.compile(r"^\s*(?:async )?def .*$", re.MULTILINE)
"""What declares parameters, and gives them nothing."""


def outcome_of_flags(inspector: Inspector, function: FunctionInfo, test: ast.expr) -> bool | None:
    """What a condition comes to that asks for nothing but parameters which no call gives by name, and which have a
    default; None for all others, and where a text that may call the function gives one."""
    names = {part.id for part in walk(test) if isinstance(part, ast.Name)}
    if not names or any(_is_open(inspector, function, name) for name in names):
        return None
    return outcome_by_default(test, lambda asked: _default(function, asked))


def is_left_out(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition has this outcome only where a call gives a flag that none gives: `if reset:`."""
    found = None if frame.function is None else outcome_of_flags(frame.inspector, frame.function, test)
    return found is (not outcome)


def _default(function: FunctionInfo, asked: ast.expr) -> object:
    default = default_of(function.node, asked.id) if isinstance(asked, ast.Name) else None
    return default.value if isinstance(default, ast.Constant) else OPEN


def _is_open(inspector: Inspector, function: FunctionInfo, name: str) -> bool:
    if not isinstance(default_of(function.node, name), ast.Constant):
        return True
    question = ("flag given", function.key, name)
    return inspector.derived(question, lambda: _is_given(inspector, function, name))


def _is_given(inspector: Inspector, function: FunctionInfo, name: str) -> bool:
    """Whether the function sets it anew, or a file that may call it gives something of this name by its name."""
    if any(isinstance(part, ast.Name) and part.id == name and not _is_read(part) for part in walk(function.node)):
        return True
    own = function.key[0]
    users = few_importers(inspector.tree, own)
    default = default_of(function.node, name)
    usual = re.escape(ast.unparse(default)) if default is not None else ""
    gives = re.compile(rf"\b{re.escape(name)}\s*=(?!=)(?!\s*{usual}\b)|[\"']{re.escape(name)}[\"']")
    texts = [inspector.tree.text(file) for file in (own, *users)] if users is not None else [None]
    return any(text is None or gives.search(_DEFINES.sub("", text.text)) for text in texts)


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)
