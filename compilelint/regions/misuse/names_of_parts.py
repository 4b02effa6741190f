"""Names of parameters and submodules, asked of the wrapper that `torch.compile` gives: all begin with `_orig_mod.`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.queries import text_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.starts.compiled_attributes import compiled_at
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

_NAMED = frozenset({"named_parameters", "named_modules", "named_children", "named_buffers"})
_COPIES = tuple(map(kinds.Reference, ("copy.copy", "copy.deepcopy", "builtins.dict")))
_PREFIX = "_orig_mod"


def _names_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`for name, p in compiled.named_parameters(): if name.startswith("head"):`, which holds of none; not in files that
    know about the prefix, and not where a name is asked for what is in it, or at its end."""
    if _PREFIX in text_of(scope):
        return
    for target, iterable, body in _iterations(scope):
        match target, iterable:
            case (
                ast.Tuple(elts=[ast.Name(id=name), _]),
                ast.Call(func=ast.Attribute(value=module, attr=method)),
            ) if method in _NAMED:
                nodes = [node for part in body for node in walk(part)]
                asked = [
                    node
                    for node in nodes
                    if _asks_how_it_begins(node, name) or _looks_up_of_original(scope, node, name, method)
                ]
                compiled = (
                    compiled_at(scope, module) if asked and not any(_binds(each, name) for each in nodes) else None
                )
                if compiled is not None:
                    for node in asked:
                        yield Usage("names-of-compiled", node, receiver=compiled[0], confidence=compiled[1])


def _iterations(scope: Scope) -> Iterator[tuple[ast.expr, ast.expr, Iterable[ast.AST]]]:
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


def _binds(node: ast.AST, name: str) -> bool:
    """Whether it gives the name another value: one without the prefix, mostly."""
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def _asks_how_it_begins(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr="startswith"), args=[prefix, *_]):
            return found == name and _is_text(prefix)
        case ast.Compare(left=asked, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[right]):
            return _is_its_beginning(asked, name) and _is_text(right)
        case _:
            return False


def _looks_up_of_original(scope: Scope, node: ast.AST, name: str, method: str) -> bool:
    """`first[name]`, of `first = copy.deepcopy(model.state_dict())` or `{n: p.clone() for n, p in
    model.named_parameters()}` of the module before it was compiled."""
    match node:
        case ast.Subscript(value=ast.Name() as table, slice=ast.Name(id=found), ctx=ast.Load()) if found == name:
            pass
        case ast.Compare(left=ast.Name(id=found), ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() as table]) if (
            found == name
        ):
            pass
        case _:
            return False
    bound = scopes.binding_at(scope, table.id, scopes.start_of(table))
    if bound is None or bound[1].value is None or bound[1].iterated is not None:
        return False
    where, value = bound[0], bound[1].value
    module = _named_by(where, value, {method, "state_dict"})
    return module is not None and _is_uncompiled(where, module)


def _named_by(scope: Scope, value: ast.expr, methods: set[str]) -> ast.expr | None:
    """The module by whose names a dict has its entries."""
    match value:
        case ast.Call(func=ast.Attribute(value=module, attr=method)) if method in methods:
            return module
        case ast.Call(func=func, args=[copied]) if kind_at(scope, func) in _COPIES:
            return _named_by(scope, copied, methods)
        case ast.DictComp(key=ast.Name(id=key), generators=[ast.comprehension(target=target, iter=iterable)]):
            match target, iterable:
                case ast.Tuple(elts=[ast.Name(id=first), _]), ast.Call(func=ast.Attribute(attr="items", value=inner)):
                    return _named_by(scope, inner, methods) if first == key else None
                case ast.Tuple(elts=[ast.Name(id=first), _]), _:
                    return _named_by(scope, iterable, methods) if first == key else None
    return None


def _is_uncompiled(scope: Scope, module: ast.expr) -> bool:
    kind = kind_at(scope, module)
    return scope_kinds.is_module(kind) and not scope_kinds.is_compiled(kind) and compiled_at(scope, module) is None


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


def _keys_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`state["head.weight"]` of `state = compiled.state_dict()`: there is none of that name."""
    if _PREFIX in text_of(scope):
        return
    for statement in scope.statements:
        for node in statement.expressions:
            match node:
                case ast.Subscript(value=table, slice=ast.Constant(value=str(key)), ctx=ast.Load()) if "." in key:
                    compiled = _compiled_named_by(scope, table, key)
                    if compiled is not None:
                        yield Usage("names-of-compiled", node, receiver=compiled[0], confidence=compiled[1])


def _compiled_named_by(scope: Scope, table: ast.expr, key: str) -> tuple[kinds.External, Confidence] | None:
    """The compiled module by whose names a dict has its entries, if the scope itself puts none in under this key."""
    where, value = scope, table
    if isinstance(table, ast.Name):
        bound = scopes.binding_at(scope, table.id, scopes.start_of(table))
        if bound is None or bound[1].value is None or bound[1].iterated is not None or _puts(scope, table.id, key):
            return None
        where, value = bound[0], bound[1].value
    module = _named_by(where, value, {*_NAMED, "state_dict"})
    return compiled_at(where, module) if module is not None else None


def _puts(scope: Scope, name: str, key: str) -> bool:
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and (not isinstance(node.slice, ast.Constant) or node.slice.value == key)
        for node in walk(scope.node)
    )


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_names_of_compiled, _keys_of_compiled)
