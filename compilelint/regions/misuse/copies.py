"""Copies of modules that were compiled in place: what was compiled does not come along, or comes along wrongly."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.queries import calls, compiled_in_place
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import parameter_of, positional_names, walk
from compilelint.source.watched import says

_COPIES = ("copy.deepcopy", "copy.copy", "torch.optim.swa_utils.AveragedModel")
"""What gives a module of its own from a module."""
_REFERENCES = tuple(map(kinds.Reference, _COPIES))


def _copy_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`model.compile()`, or `model.forward = torch.compile(model.forward)`, and then `copy.deepcopy(model)`.

    The `forward` of a copy is what it is made for; another method counts if the copy is seen calling it.
    """
    in_place, by_method = compiled_in_place(scope), _compiled_by_method(scope)
    if not in_place and not by_method:
        return
    for call in calls(scope):
        copied = _copied(scope, call)
        if copied is None:
            continue
        path, here, kind = ast.unparse(copied), scopes.start_of(call), kind_at(scope, copied)
        if path in in_place and in_place[path] < here and not _compiled_again(scope, call):
            yield Usage("copy-of-in-place-compiled", call, receiver=kind)
        replaced = {name for name, since in by_method.get(path, {}).items() if since < here}
        if "forward" in replaced or _calls_any(scope, call, kind, replaced):
            yield Usage("copy-of-compiled-forward", call, receiver=kind)


def _copied(scope: Scope, call: ast.Call) -> ast.expr | None:
    """What a call copies, itself or by a class of the project that it makes an object of."""
    if not call.args:
        return None
    if any(scope_kinds.is_reference(scope, call.func, name) for name in _COPIES):
        return call.args[0]
    made = kind_at(scope, call.func) if isinstance(call.func, ast.Name | ast.Attribute) else None
    if not isinstance(made, kinds.ProjectClass):
        return None
    key = classes.find_method(scope.inspector, made, "__init__")
    init = scope.inspector.tree.function(key) if key is not None else None
    if init is None or isinstance(init.node, ast.Lambda):
        return None
    names = positional_names(init.node.args)[1:]
    kept = set(_kept_copies(scope, init))
    return next((each for each in call.args if parameter_of(call, names, each) in kept), None)


def _kept_copies(scope: Scope, init: FunctionInfo) -> Iterator[str]:
    """The parameters of an `__init__` of which it keeps a copy, whatever it is given: `self.shadow = deepcopy(model)`.

    One that compiles something may compile the copy.
    """
    module = scope.inspector.tree.module(init.key[0])
    if module is None or isinstance(init.node, ast.Lambda) or says(init.node, module.lines, "compile("):
        return
    for statement in init.node.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute()], value=value):
                for node in walk(value):
                    match node:
                        case ast.Call(func=func, args=[ast.Name(id=name), *_]) if (
                            scope.inspector.evaluate_globally(module, func) in _REFERENCES
                        ):
                            yield name


def _compiled_by_method(scope: Scope) -> dict[str, dict[str, scopes.Position]]:
    """The modules of which this scope replaces a method by a compiled one: which, and since where."""
    found: dict[str, dict[str, scopes.Position]] = {}
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=attr) as target], value=value):
                compiled = scope_kinds.compile_target(scope, value)
                if compiled is not None and ast.unparse(compiled) == ast.unparse(target):
                    found.setdefault(ast.unparse(owner), {}).setdefault(attr, scopes.end_of(statement.node))
    return found


def _calls_any(scope: Scope, copying: ast.Call, copied: kinds.Kind, names: set[str]) -> bool:
    """Whether the copy gets a name, and a method of these is called on it, or the copy, whose `forward` calls one."""
    if not isinstance(copied, kinds.Instance):
        return False
    own = {name for name in names if classes.find_method(scope.inspector, copied.cls, name) is not None}
    called = _called_on_copy(scope, copying) if own else set()
    if "" in called:
        key = classes.find_method(scope.inspector, copied.cls, "forward")
        forward = scope.inspector.tree.function(key) if key is not None else None
        called |= _called_on("self", walk(forward.node)) if forward is not None else set()
    return not own.isdisjoint(called)


def _called_on_copy(scope: Scope, copying: ast.Call) -> set[str]:
    """The methods that the scope calls on what a copy is bound to: "" if it calls that itself."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[target], value=value) if value is copying:
                return _called_on(ast.unparse(target), calls(scope))
    return set()


def _called_on(owner: str, nodes: Iterable[ast.AST]) -> set[str]:
    """The names of the methods of `owner` that are called there: "" for itself."""
    found = set()
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if ast.unparse(value) == owner:
                found.add(attr)
            case ast.Call(func=func) if ast.unparse(func) == owner:
                found.add("")
    return found


def _compiled_again(scope: Scope, call: ast.Call) -> bool:
    """Whether the copy gets a name, and something of that name, or held by it, is then compiled, in place or not."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[target], value=value) if any(part is call for part in walk(value)):
                name = ast.unparse(target)
                return any(_compiles(scope, other, name) for other in calls(scope))
    return False


def _compiles(scope: Scope, call: ast.Call, name: str) -> bool:
    compiled = scope_kinds.compile_target(scope, call)
    if compiled is None and isinstance(call.func, ast.Attribute) and call.func.attr == "compile":
        compiled = call.func.value
    return compiled is not None and f"{ast.unparse(compiled)}.".startswith(f"{name}.")


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_copy_of_compiled,)
