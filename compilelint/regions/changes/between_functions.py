"""Numbers and texts that change where the function around a compiled call is called: in a loop of its caller, or by the
function's own count of its calls."""

from __future__ import annotations

import ast

from compilelint.regions.around.callers import MOST_STEPS, arguments_of_callers, is_parameter
from compilelint.regions.around.comprehended import comprehensions_around
from compilelint.regions.around.driving import Loop, loops_around
from compilelint.regions.around.scopes import FunctionDef, Scope, binding_at, start_of
from compilelint.regions.changes.given_parameters import is_next_parameter
from compilelint.regions.changes.read_numbers import data_read, is_brought
from compilelint.regions.changes.variations import Variation, of_constant
from compilelint.regions.changes.varying import variation
from compilelint.source.nodes import walk

_TOLD = ("int", "float", "str", "member", "dtype")


def variation_by_calls(scope: Scope, node: ast.expr, steps: int = MOST_STEPS) -> Variation | None:
    """What another call of the function changes about an expression in it; None where nothing is seen to."""
    if isinstance(scope.node, ast.Module) or not steps:
        return None
    match node:
        case ast.Name(id=name) if _is_global_of(scope, name):
            return Variation("int") if _counts(scope, node) else None
        case ast.Name(id=name) if is_parameter(scope, node):
            given = arguments_of_callers(scope.inspector, scope.module.name, scope.node, name)
            found = (_of_argument(caller, argument, steps) for caller, argument in given)
            return next((each for each in found if each is not None and each.what in _TOLD), None)
        case ast.Name(id=name):
            bound = binding_at(scope, name, start_of(node))
            if bound is None or bound[0] is not scope or not isinstance(bound[1].value, ast.Call):
                return None
            return variation_by_calls(scope, bound[1].value, steps - 1)
        case (
            ast.BinOp(left=left, op=op, right=ast.Constant(value=int() | float() as right))
            | ast.BinOp(left=ast.Constant(value=int() | float() as right), op=op, right=left)
        ):
            return of_constant(op, variation_by_calls(scope, left, steps), right)
        case ast.Call() if (data := data_read(node)) is not None and _is_brought_by_calls(scope, scope.node, data):
            return Variation("int", read=True)
        case ast.Attribute(value=ast.Name(id=owner)) if owner == scope.self_name and _counts(scope, node):
            return Variation("int")
        case _:
            return None


def is_next_parameter_by_calls(scope: Scope, node: ast.expr, steps: int = MOST_STEPS) -> bool:
    """Whether it is the parameter of a model of which it is a caller's loop's turn: `for p in params: self.one(p)`."""
    if not isinstance(node, ast.Name) or not steps or isinstance(scope.node, ast.Module):
        return False
    return is_parameter(scope, node) and any(
        is_next_parameter(caller, argument, loops)
        if (loops := _loops(caller, argument))
        else is_next_parameter_by_calls(caller, argument, steps - 1)
        for caller, argument in arguments_of_callers(scope.inspector, scope.module.name, scope.node, node.id)
    )


def _of_argument(caller: Scope, argument: ast.expr, steps: int) -> Variation | None:
    loops = _loops(caller, argument)
    return variation(caller, argument, loops) or variation_by_calls(caller, argument, steps - 1)


def _is_brought_by_calls(scope: Scope, function: FunctionDef, data: ast.expr) -> bool:
    """Whether data is a parameter, or made of one, that a loop of a caller gives its items to."""
    parameters = {part.id for part in walk(data) if isinstance(part, ast.Name) and is_parameter(scope, part)}
    return any(
        bool(loops := _loops(caller, argument)) and is_brought(caller, argument, loops)
        for parameter in sorted(parameters)
        for caller, argument in arguments_of_callers(scope.inspector, scope.module.name, function, parameter)
    )


def _loops(caller: Scope, argument: ast.expr) -> tuple[Loop, ...]:
    """The loops around the call that an argument belongs to."""
    for statement, call in caller.calls:
        if any(given is argument for given in (*call.args, *(keyword.value for keyword in call.keywords))):
            return (*loops_around(statement), *comprehensions_around(statement, call))
    return ()


def _counts(scope: Scope, node: ast.Attribute | ast.Name) -> bool:
    """Whether each call of a function makes something one more, `self.step += 1`, and sets it to nothing else."""
    written = [
        statement.node
        for statement in scope.statements
        if isinstance(statement.node, ast.Assign | ast.AugAssign | ast.AnnAssign)
        and any(ast.unparse(target) == ast.unparse(node) for target in _targets(statement.node))
    ]
    match written:
        case [ast.AugAssign(op=ast.Add(), value=ast.Constant()) as counted]:
            return counted in scope.node.body
        case _:
            return False


def _is_global_of(scope: Scope, name: str) -> bool:
    """Whether a function declares that it sets a global."""
    return any(isinstance(each.node, ast.Global) and name in each.node.names for each in scope.statements)


def _targets(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]
