"""Attributes whose names are computed: `setattr(self, f"conv{i}", layer)`, `getattr(self, f"conv{i}")`.

What is written of such a name is known: `conv*` stands for all attributes that are set under names that are made so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind

ANY = "*"
"""Stands for the parts of a name that are not known; alone, for a name of which nothing is."""
_LSTM = kinds.Reference("torch.nn.LSTM")
_RECURRENT = re.compile(r"rnn|lstm|\bgru|_gru")
_PLACEHOLDER = re.compile(r"%[-+ #0-9.]*[a-z]|\{[^{}]*\}")


def attribute_name(kind: Kind, node: ast.AST | None) -> str:
    """The name of an attribute, or, with stars, what is known of it; "" where nothing is."""
    if isinstance(kind, kinds.Const):
        return str(kind.value)
    pattern = _pattern(node)
    written = pattern.replace(ANY, "")
    return pattern if written.isidentifier() and written.strip("_") else ""


def recurrent_layer(owner: Kind, node: ast.AST | None) -> Kind | None:
    """`getattr(nn, rnn_type)`: a class of `torch.nn` that is chosen by such a name is a recurrent one."""
    if owner != kinds.Reference("torch.nn") or not isinstance(node, ast.expr):
        return None
    written = ast.unparse(node).lower()
    return _LSTM if _RECURRENT.search(written) and "cell" not in written else None


def argument(call: ast.AST, position: int) -> ast.AST | None:
    """The expression at this place among the arguments of a call, as it is written."""
    args: Sequence[ast.expr] = call.args if isinstance(call, ast.Call) else ()
    return args[position] if position < len(args) else None


def option(call: ast.AST, position: int, keyword: str) -> ast.AST | None:
    """What is passed for an option, as it is written."""
    named = (given.value for given in call.keywords if given.arg == keyword) if isinstance(call, ast.Call) else ()
    return next(iter(named), argument(call, position))


def _pattern(node: ast.AST | None) -> str:
    """What a text is, with a star for each part that is not known."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_pattern, parts))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _pattern(left) + _pattern(right)
        case (
            ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod())
            | ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"))
        ):
            return _PLACEHOLDER.sub(ANY, text)
        case _:
            return ANY


def set_by(statement: ast.stmt) -> str:
    """The computed name of the attribute that a statement sets on `self`, a star where nothing is known of it; "" for
    all others."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id="self"), name, _])):
            return _computed(name)
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id="self"),
                    attr="register_buffer" | "register_parameter" | "add_module" | "register_module",
                ),
                args=[name, _, *_],
            )
        ):
            return _computed(name)
        case _:
            return ""


def keeps_all_parameters(statement: ast.stmt) -> bool:
    """Whether a statement of `__init__` makes each parameter an attribute: `self.__dict__.update(locals())`,
    `set_attributes(self, locals())`."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=held, attr="update"), args=[given])):
            return _is_locals(given) and ast.unparse(held) in ("self.__dict__", "vars(self)")
        case ast.Expr(value=ast.Call(args=[ast.Name(id="self"), given])):
            return _is_locals(given)
        case _:
            return False


def _is_locals(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "locals"


def _computed(node: ast.expr) -> str:
    return "" if isinstance(node, ast.Constant) else attribute_name(UNKNOWN, node) or ANY


def is_computed(name: str) -> bool:
    """Whether a name has parts that are not known."""
    return ANY in name


def may_be(name: str, other: str) -> bool:
    """Whether a name of which only parts are known may come to this one."""
    return re.fullmatch(re.escape(name).replace(re.escape(ANY), r"\w+"), other) is not None


def under(assigned: Mapping[str, Kind], name: str) -> Kind:
    """What was set under a name of which a number is computed, and which may come to this one: `self.layer1`."""
    found = [
        option
        for other, kind in assigned.items()
        if is_computed(other) and other != ANY and _numbered(other).fullmatch(name)
        for option in kinds.options(kind)
        if option != kinds.NONE
    ]
    return kinds.join(*found) if found else UNKNOWN


def _numbered(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name).replace(re.escape(ANY), "[0-9]+"))


def among(assigned: Mapping[str, Kind], name: str) -> Kind:
    """What an attribute is of whose name only parts are known: what was set under such a name, or one with numbers for
    what is not known: `self.layer1`."""
    numbered = _numbered(name)
    found = [
        option
        for other, kind in assigned.items()
        if other == name or numbered.fullmatch(other)
        for option in kinds.options(kind)
        if option != kinds.NONE
    ]
    return kinds.join(*found) if found else UNKNOWN
