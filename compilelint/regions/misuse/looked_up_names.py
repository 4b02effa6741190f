"""Names of a compiled module, which all begin with `_orig_mod.`, looked up among those of one that is not, or the other
way round."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.callers import kind_by_callers, kinds_in_calls
from compilelint.regions.around.queries import text_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.misuse.names_of_parts import NAMED, PREFIX, binds, iterations
from compilelint.regions.starts.compiled_attributes import compiled_at
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

_COPIES = tuple(map(kinds.Reference, ("copy.copy", "copy.deepcopy", "builtins.dict")))
_OF_MODULES = frozenset({"named_modules", "named_children"})


class Names(Struct, frozen=True):
    """The names that a module has for its tensors, or for its submodules."""

    scope: Scope
    module: ast.expr
    of_modules: bool


def _looked_up(scope: Scope) -> Iterator[Usage]:
    """`for name, p in compiled.named_parameters(): p.data = first[name]`, of `first = copy.deepcopy(net.state_dict())`
    before the model was compiled; not in files that know about the prefix."""
    if PREFIX in text_of(scope):
        return
    for target, iterable, body in iterations(scope):
        name = _name_in(target)
        nodes = [node for part in body for node in walk(part)] if name is not None else []
        found = [(node, table) for node in nodes if (table := _table_asked(node, name)) is not None]
        given = _names_given(scope, target, iterable) if found else None
        if given is None or name is None or any(binds(each, name) for each in nodes):
            continue
        for node, table in found:
            asked = _names_in(scope, table)
            if asked is None or given.of_modules != asked.of_modules:
                continue
            compiled = _one_is_compiled(given, asked) or _one_is_given_compiled(scope, given, asked)
            if compiled is not None:
                yield Usage("names-of-compiled", node, receiver=compiled[0], confidence=compiled[1])


def _name_in(target: ast.expr) -> str | None:
    """The variable of a loop that has the name."""
    match target:
        case ast.Name(id=name) | ast.Tuple(elts=[ast.Name(id=name), _]):
            return name
        case _:
            return None


def _table_asked(node: ast.AST, name: str | None) -> ast.expr | None:
    """What is asked for a name: `first[name]`, `name in first`."""
    match node:
        case ast.Subscript(value=table, slice=ast.Name(id=found), ctx=ast.Load()) if found == name:
            return table
        case ast.Compare(left=ast.Name(id=found), ops=[ast.In() | ast.NotIn()], comparators=[table]) if found == name:
            return table
        case _:
            return None


def _names_given(scope: Scope, target: ast.expr, iterable: ast.expr) -> Names | None:
    """Whose names a loop goes through: `for name, p in model.named_parameters()`, `for name in state.keys()`."""
    match target, iterable:
        case ast.Tuple(), ast.Call(func=ast.Attribute(value=table, attr="items")):
            return _names_in(scope, table)
        case ast.Tuple(), _:
            return _named_by(scope, iterable)
        case ast.Name(), ast.Call(func=ast.Attribute(value=table, attr="keys")):
            return _names_in(scope, table)
        case ast.Name(), _:
            return _names_in(scope, iterable)
        case _:
            return None


def _names_in(scope: Scope, table: ast.expr) -> Names | None:
    """By whose names a dict has its entries, or of whose a list is made."""
    if not isinstance(table, ast.Name):
        return _named_by(scope, table)
    bound = scopes.binding_at(scope, table.id, scopes.start_of(table))
    if bound is None or bound[1].value is None or bound[1].iterated is not None:
        return None
    return _named_by(bound[0], bound[1].value)


def _named_by(scope: Scope, value: ast.expr) -> Names | None:
    match value:
        case ast.Call(func=ast.Attribute(value=module, attr=method)) if method in NAMED or method == "state_dict":
            return Names(scope, module, method in _OF_MODULES)
        case ast.Call(func=func, args=[copied]) if kind_at(scope, func) in _COPIES:
            return _named_by(scope, copied)
        case (
            ast.DictComp(key=ast.Name(id=key), generators=[ast.comprehension(target=target, iter=iterable)])
            | ast.ListComp(elt=ast.Name(id=key), generators=[ast.comprehension(target=target, iter=iterable)])
            | ast.SetComp(elt=ast.Name(id=key), generators=[ast.comprehension(target=target, iter=iterable)])
        ) if _name_in(target) == key:
            return _names_given(scope, target, iterable)
        case _:
            return None


def _one_is_compiled(one: Names, other: Names) -> tuple[kinds.External, Confidence] | None:
    """The compiled module, if one of two is, and the other surely is not."""
    if (compiled := compiled_at(one.scope, one.module)) is not None:
        return compiled if _is_uncompiled(other) else None
    compiled = compiled_at(other.scope, other.module)
    return compiled if compiled is not None and _is_uncompiled(one) else None


def _one_is_given_compiled(scope: Scope, one: Names, other: Names) -> tuple[kinds.External, Confidence] | None:
    """The same as one of the calls of this method has it: `average.update(model)`, where the average was made of the
    model as it was before it was compiled."""
    if one.scope is not scope or other.scope is not scope:
        return None
    for modules in kinds_in_calls(scope, (one.module, other.module)):
        for compiled, plain in (modules, reversed(modules)):
            found = scope_kinds.compiled_among(compiled)
            if found is not None and scope_kinds.is_plain_module(plain):
                return found[0], Confidence.MEDIUM
    return None


def _is_uncompiled(names: Names) -> bool:
    kind = kind_by_callers(names.scope, names.module)
    return scope_kinds.is_plain_module(kind) and compiled_at(names.scope, names.module) is None


def _keys_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`state["head.weight"]` of `state = compiled.state_dict()`: there is none of that name."""
    if PREFIX in text_of(scope):
        return
    for statement in scope.statements:
        for node in statement.expressions:
            match node:
                case ast.Subscript(value=table, slice=ast.Constant(value=str(key)), ctx=ast.Load()) if "." in key:
                    names = _names_in(scope, table) if not _puts(scope, table, key) else None
                    compiled = compiled_at(names.scope, names.module) if names is not None else None
                    if compiled is not None:
                        yield Usage("names-of-compiled", node, receiver=compiled[0], confidence=compiled[1])


def _puts(scope: Scope, table: ast.expr, key: str) -> bool:
    """Whether the scope itself puts something into a dict under this key, or under one that is not known."""
    return isinstance(table, ast.Name) and any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == table.id
        and (not isinstance(node.slice, ast.Constant) or node.slice.value == key)
        for node in walk(scope.node)
    )


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_looked_up, _keys_of_compiled)
