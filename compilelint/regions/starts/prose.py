"""What a file says in comments and docstrings, and what it says besides: only that compiles anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from compilelint.source.lines import lines_with
from compilelint.source.model import ModuleIndex

_MAY_COMPILE = re.compile(r"compile(?!\((?<=\bre\.compile\())(?!r\.is_(?:torchdynamo_|dynamo_)?compiling\b)")
"""The word, but where many files have it that compile no function: `re.compile(…)`, `torch.compiler.is_compiling`."""
_OPTIMIZE = "dynamo.optimize("
"""Before `torch.compile` was, programs said `torch._dynamo.optimize(…)(model)`, and some still do."""
_IS_ABILITY = re.compile(r"\s*_?(?:can|supports?)_\w+(?:: *\w+)? = (?:True|False) *(?:#.*)?$")
"""A line that says what may be compiled, and compiles nothing: `_can_compile_fullgraph = True`."""


def may_compile(module: ModuleIndex, text: str) -> bool:
    """Whether a module, of which this is the text, may compile a function: neither prose nor options do."""
    return _says_compile(text) and _says_compile(without_prose(module))


def _says_compile(text: str) -> bool:
    if any(_MAY_COMPILE.search(line) and not _IS_ABILITY.match(line) for line in lines_with("compile", text)):
        return True
    return _OPTIMIZE in text


def without_prose(module: ModuleIndex) -> str:
    """The lines of a module that are neither comments nor parts of docstrings."""
    docstrings = {
        number
        for node in _docstrings(module)
        if _has_its_lines(module, node)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return "\n".join(
        line
        for number, line in enumerate(module.lines, 1)
        if number not in docstrings and not line.lstrip().startswith("#")
    )


def _docstrings(module: ModuleIndex) -> Iterator[ast.Expr]:
    functions = (info.node for info in module.functions.values() if not isinstance(info.node, ast.Lambda))
    for scope in (module.tree, *functions, *(info.node for info in module.classes.values())):
        match scope.body:
            case [ast.Expr(value=ast.Constant(value=str())) as docstring, *_]:
                yield docstring


def _has_its_lines(module: ModuleIndex, node: ast.Expr) -> bool:
    """Whether nothing else stands on the lines of a statement."""
    before = module.lines[node.lineno - 1].encode(errors="surrogatepass")[: node.col_offset]
    after = module.lines[(node.end_lineno or node.lineno) - 1].encode(errors="surrogatepass")[node.end_col_offset :]
    return not before.strip() and not after.strip()
