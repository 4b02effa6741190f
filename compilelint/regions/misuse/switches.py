"""Switches of the compiler that a program sets for all of it: settings, stances, the environment."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.queries import is_constant
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement, expects_error
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_CONFIG = kinds.Reference("torch._dynamo.config")
_STANCE = "torch.compiler.set_stance"
_LATE_STANCES = {"eager_on_recompile": "eager-stance-early", "fail_on_recompile": "fail-stance-early"}
"""Stances that want everything to be compiled before they are set."""
_ENVIRONMENT = ("TORCHDYNAMO_DISABLE",)


def _settings(scope: Scope) -> Iterator[Usage]:
    """`torch._dynamo.config.NAME = …`, where nothing decides whether; rules match the name."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=base, attr=attr)], value=value):
                if _is_conditional(statement) or kind_at(scope, base) != _CONFIG:
                    continue
                construct = "setting"
                if is_constant(value, True):
                    construct = "setting-on"
                elif is_constant(value, False):
                    construct = "setting-off"
                if not _is_put_back(scope, statement, attr):
                    yield Usage(construct, statement.node, f"torch._dynamo.config.{attr}")


def _is_conditional(statement: Statement) -> bool:
    """Whether an `if` or a `try` around decides: about a version, a flag of the command line, a mode of debugging."""
    return any(isinstance(ancestor, ast.If | ast.Try) for ancestor in statement.ancestors)


def _is_put_back(scope: Scope, statement: Statement, attr: str) -> bool:
    """Whether the same scope sets the same name again later, as tests do."""
    after = scopes.end_of(statement.node)
    for other in scope.statements:
        match other.node:
            case ast.Assign(targets=[ast.Attribute(attr=name, value=base)]) if name == attr:
                if scopes.start_of(other.node) >= after and kind_at(scope, base) == _CONFIG:
                    return True
    return False


def _stances(scope: Scope) -> Iterator[Usage]:
    """`torch.compiler.set_stance(…)` as a statement: until the program's end, or until it is set again."""
    set_here = [
        (statement, call, call.args[0].value)
        for statement, call in scope.calls
        if isinstance(statement.node, ast.Expr)
        and statement.node.value is call
        and scope_kinds.is_reference(scope, call.func, _STANCE)
        and call.args
        and isinstance(call.args[0], ast.Constant)
    ]
    for position, (statement, call, stance) in enumerate(set_here):
        if _is_conditional(statement) or position + 1 < len(set_here):
            continue
        if stance == "force_eager":
            yield Usage("stance-force-eager", call, _STANCE)
        elif stance in _LATE_STANCES and (_compiles_after(scope, call) or _runs_after(scope, call)):
            yield Usage(_LATE_STANCES[stance], call, _STANCE)


def _compiles_after(scope: Scope, call: ast.Call) -> bool:
    """Whether the scope compiles for the first time after this call, so that nothing can have run compiled before."""
    places = [
        scopes.start_of(node)
        for statement in scope.statements
        for node in (*statement.expressions, *_decorators(statement.node))
        if _is_compilation(scope, node)
    ]
    return bool(places) and min(places) > scopes.start_of(call)


def _runs_after(scope: Scope, call: ast.Call) -> bool:
    """Whether something that the scope compiles before this call is first named after it, where it is called."""
    here = scopes.start_of(call)
    made = {name: place for name, place in _compiled_here(scope) if place < here}
    if not made:
        return False
    named: dict[str, list[scopes.Position]] = {}
    for node in walk(scope.node):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in made:
            place = scopes.start_of(node)
            if place > made[node.id]:
                named.setdefault(node.id, []).append(place)
    called = {
        each.func.id: scopes.start_of(each.func)
        for statement, each in reversed(scope.calls)
        if isinstance(each.func, ast.Name) and not expects_error(statement)
    }
    return any(min(places) >= here and called.get(name) == min(places) for name, places in named.items())


def _compiled_here(scope: Scope) -> Iterator[tuple[str, scopes.Position]]:
    """The names that are bound to something compiled, and since where."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_compilation(scope, value):
                yield name, scopes.end_of(statement.node)
            case ast.FunctionDef(name=name, decorator_list=decorators) if any(
                _is_compilation(scope, each) for each in decorators
            ):
                yield name, scopes.end_of(statement.node)


def _decorators(node: ast.stmt) -> list[ast.expr]:
    return node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []


def _is_compilation(scope: Scope, node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
            kind = kind_at(scope, node.func.value)
            return scope_kinds.is_module(kind) or scope_kinds.is_reference(scope, node.func, "torch.compile")
        return scope_kinds.is_reference(scope, node.func, "torch.compile")
    return isinstance(node, ast.Name | ast.Attribute) and scope_kinds.is_reference(scope, node, "torch.compile")


def _environment(scope: Scope) -> Iterator[Usage]:
    """`os.environ["TORCHDYNAMO_DISABLE"] = "1"`."""
    for statement in scope.statements:
        if _is_conditional(statement):
            continue
        match statement.node:
            case ast.Assign(
                targets=[ast.Subscript(value=base, slice=ast.Constant(value=name))], value=ast.Constant(value="1")
            ) if name in _ENVIRONMENT and kind_at(scope, base) == kinds.Reference("os.environ"):
                yield Usage("environment-disabled", statement.node, "os.environ")
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=base, attr="setdefault"),
                    args=[ast.Constant(value=name), ast.Constant(value="1")],
                )
            ) if name in _ENVIRONMENT and kind_at(scope, base) == kinds.Reference("os.environ"):
                yield Usage("environment-disabled", statement.node, "os.environ")


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_settings, _stances, _environment)
