"""Names of parameters and submodules, asked of the wrapper that `torch.compile` gives: all begin with `_orig_mod.`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from compilelint.regions.around import scopes
from compilelint.regions.around.queries import text_of
from compilelint.regions.around.scopes import Scope
from compilelint.regions.starts.compiled_attributes import compiled_at
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

NAMED = frozenset({"named_parameters", "named_modules", "named_children", "named_buffers"})
PREFIX = "_orig_mod"


def _names_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`for name, p in compiled.named_parameters(): if name.startswith("head"):`, which holds of none; not in files that
    know about the prefix, and not where a name is asked for what is in it, or at its end."""
    if PREFIX in text_of(scope):
        return
    for target, iterable, body in iterations(scope):
        match target, iterable:
            case (
                ast.Tuple(elts=[ast.Name(id=name), _]),
                ast.Call(func=ast.Attribute(value=module, attr=method)),
            ) if method in NAMED:
                nodes = [node for part in body for node in walk(part)]
                asked = [node for node in nodes if _asks_how_it_begins(scope, node, name)]
                compiled = (
                    compiled_at(scope, module) if asked and not any(binds(each, name) for each in nodes) else None
                )
                if compiled is not None:
                    for node in asked:
                        yield Usage("names-of-compiled", node, receiver=compiled[0], confidence=compiled[1])


def iterations(scope: Scope) -> Iterator[tuple[ast.expr, ast.expr, Iterable[ast.AST]]]:
    """What loops and comprehensions bind, to each of what, and where they use it."""
    for statement in scope.statements:
        match statement.node:
            case ast.For(target=target, iter=iterable, body=body):
                yield target, iterable, body
        for node in statement.expressions:
            match node:
                case ast.ListComp(elt=made) | ast.SetComp(elt=made) | ast.GeneratorExp(elt=made):
                    yield from ((each.target, each.iter, (made, *each.ifs)) for each in node.generators)
                case ast.DictComp(key=key, value=value):
                    yield from ((each.target, each.iter, (key, value, *each.ifs)) for each in node.generators)


def binds(node: ast.AST, name: str) -> bool:
    """Whether it gives the name another value: one without the prefix, mostly."""
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def _asks_how_it_begins(scope: Scope, node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr="startswith"), args=[prefix, *_]):
            return found == name and _is_text(_written(scope, prefix))
        case ast.Compare(left=asked, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            return _is_its_beginning(asked, name) and _is_text(right)
        case ast.Compare(left=asked, ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return _is_its_beginning(asked, name) and _is_text(_written(scope, right))
        case _:
            return False


def _written(scope: Scope, node: ast.expr) -> ast.expr:
    """What a name stands for, if those are several texts: `frozen = ["embed.weight", "head.weight"]`."""
    if not isinstance(node, ast.Name):
        return node
    bound = scopes.binding_at(scope, node.id, scopes.start_of(node))
    value = bound[1].value if bound is not None and bound[1].iterated is None else None
    return value if isinstance(value, ast.Tuple | ast.List | ast.Set) else node


def _is_its_beginning(node: ast.expr, name: str) -> bool:
    """`name`, `name.split(".")[0]`."""
    match node:
        case ast.Name(id=found):
            return found == name
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr="split" | "partition")),
            slice=ast.Constant(value=0),
        ):
            return found == name
        case _:
            return False


def _is_text(node: ast.expr) -> bool:
    """Whether it is a text that is written out, or a tuple, list or set of such."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return bool(parts) and all(map(_is_text, parts))
        case ast.Constant(value=str(text)):
            return bool(text)
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_names_of_compiled,)
