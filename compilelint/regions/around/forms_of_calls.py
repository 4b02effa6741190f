"""What a scope calls, by whatever form of calling: each as a call of the function itself, with all its arguments.

`step(*args)` of a tuple that is written down, `step(**options)`, `bench(lambda: step(x, i))`, and `bench(step, x, i)`
where that says `fn(*args)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from compilelint.inspect import kinds
from compilelint.regions.around import scopes
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement
from compilelint.source.nodes import positional_names, walk


def forms_of_calls(scope: Scope) -> Iterator[tuple[Statement, ast.Call]]:
    """The calls that a scope's statements make, with those that somebody makes for it."""
    for statement, call in scope.calls:
        yield statement, _spread(scope, statement, call)
        handed = _handed(scope, call)
        if handed is not None:
            yield statement, handed
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if isinstance(argument, ast.Lambda) and not any(isinstance(part, ast.arg) for part in walk(argument.args)):
                yield from (
                    (statement, _spread(scope, statement, part)) for part in walk(argument.body) if _is_call(part)
                )


def _is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call)


def _spread(scope: Scope, statement: Statement, call: ast.Call) -> ast.Call:
    """The same with what is written down of `*args` and `**options` in their place."""
    starred = [each.value for each in call.args if isinstance(each, ast.Starred)]
    doubled = [each.value for each in call.keywords if each.arg is None]
    if not starred and not doubled:
        return call
    around = [node for node in statement.ancestors if isinstance(node, ast.For | ast.AsyncFor | ast.While)]
    since = scopes.start_of(around[0]) if around else (0, 0)
    args: list[ast.expr] = []
    for each in call.args:
        items = _items(_written(scope, each.value, since)) if isinstance(each, ast.Starred) else [each]
        args.extend([each] if items is None else items)
    keywords: list[ast.keyword] = []
    for keyword in call.keywords:
        named = _named(_written(scope, keyword.value, since)) if keyword.arg is None else [keyword]
        keywords.extend([keyword] if named is None else named)
    return ast.copy_location(ast.Call(call.func, args, keywords), call)


def _items(written: ast.expr | None) -> list[ast.expr] | None:
    match written:
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return None if any(isinstance(item, ast.Starred) for item in items) else items
        case _:
            return None


def _named(written: ast.expr | None) -> list[ast.keyword] | None:
    match written:
        case ast.Dict(keys=keys, values=values):
            pairs = list(zip(keys, values, strict=True))
            texts = [
                ast.keyword(key.value, value)
                for key, value in pairs
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            ]
            return texts if len(texts) == len(pairs) else None
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            return None if any(keyword.arg is None for keyword in keywords) else keywords
        case _:
            return None


def _written(scope: Scope, node: ast.expr, since: scopes.Position) -> ast.expr | None:
    """What stands behind the star, or what its name is bound to, if that is after this place: else it holds what its
    names were then."""
    if not isinstance(node, ast.Name):
        return node
    found = scopes.binding_at(scope, node.id, scopes.start_of(node))
    if found is None or found[0] is not scope or found[1].iterated is not None or found[1].since <= since:
        return None
    return found[1].value


def _handed(scope: Scope, call: ast.Call) -> ast.Call | None:
    """The call that a function of the project makes for this one: `fn(*args)` of `bench(fn, *args)`."""
    if not call.args or not isinstance(call.func, ast.Name | ast.Attribute):
        return None
    called = kind_at(scope, call.func)
    info = scope.inspector.tree.function(called.key) if isinstance(called, kinds.Function) else None
    if info is None or isinstance(info.node, ast.Lambda) or info.node.args.vararg is None:
        return None
    names = positional_names(info.node.args)
    names = names[1:] if isinstance(called, kinds.Function) and called.receiver is not None else names
    place = _forwarded(info.node, names)
    if place is None or place >= len(call.args) or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    own = {arg.arg for arg in info.node.args.kwonlyargs}
    keywords = [each for each in call.keywords if each.arg not in (*own, *names)] if info.node.args.kwarg else []
    return ast.copy_location(ast.Call(call.args[place], call.args[len(names) :], keywords), call)


def _forwarded(node: scopes.FunctionDef, names: Sequence[str]) -> int | None:
    """The place of the parameter that a function calls with all that `*args` takes."""
    rest = node.args.vararg
    for part in walk(node):
        match part:
            case ast.Call(func=ast.Name(id=called), args=[ast.Starred(value=ast.Name(id=given))]) if (
                rest is not None and given == rest.arg and called in names
            ):
                return names.index(called)
    return None
