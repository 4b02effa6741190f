"""Parameters that a loop gives to something compiled, one after the other, as optimizers do.

Dynamo takes the sizes of a `torch.nn.Parameter` for constants (`torch._dynamo.config.force_parameter_static_shapes`),
by `dynamic=True` too, so that each shape costs a graph; of a tensor it lets them vary from the second shape on.
"""

from __future__ import annotations

import ast

from compilelint.regions.around import scopes
from compilelint.regions.around.driving import Loop
from compilelint.regions.around.queries import text_of
from compilelint.regions.around.scopes import Scope

_OPEN = "force_parameter_static_shapes"
"""The setting that leaves them open: a file that names it is taken to switch it off."""
_SAME_ITEMS = frozenset({"list", "tuple", "iter", "reversed", "sorted", "tqdm"})


def is_next_parameter(scope: Scope, node: ast.expr, loops: tuple[Loop, ...]) -> bool:
    """Whether an expression is the parameter of which it is a loop's turn: `p` of `for p in group["params"]`."""
    if not isinstance(node, ast.Name) or _OPEN in text_of(scope):
        return False
    found = scopes.binding_at(scope, node.id, scopes.start_of(node))
    if found is not None and found[0] is scope and found[1].iterated is not None and found[1].value is not None:
        return _gives_parameters(scope, found[1].value, found[1].iterated)
    # The names of a comprehension are its own.
    innermost = loops[-1]
    if found is not None or not isinstance(innermost, ast.For):
        return False
    path = _place(innermost.target, node.id)
    return path is not None and _gives_parameters(scope, innermost.iter, path)


def _place(target: ast.expr, name: str) -> tuple[int, ...] | None:
    """Where a name stands in the target of a loop; () for the target itself, None where it does not."""
    match target:
        case ast.Name(id=bound):
            return () if bound == name else None
        case ast.Tuple(elts=parts):
            places = ((at, _place(part, name)) for at, part in enumerate(parts))
            return next(((at, *place) for at, place in places if place is not None), None)
        case _:
            return None


def _gives_parameters(scope: Scope, iterable: ast.expr, path: tuple[int, ...], depth: int = 6) -> bool:
    """Whether what stands at this place of each item is a parameter of a model."""
    if not depth:
        return False
    match iterable, path:
        case ast.Call(func=ast.Attribute(attr="parameters")), ():
            return True
        case ast.Call(func=ast.Attribute(attr="named_parameters")), (1,):
            return True
        case ast.Subscript(slice=ast.Constant(value="params")), ():
            return True
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), (1, *rest):
            return _gives_parameters(scope, inner, tuple(rest), depth - 1)
        case ast.Call(func=ast.Name(id="zip"), args=args), (at, *rest) if at < len(args):
            return _gives_parameters(scope, args[at], tuple(rest), depth - 1)
        case ast.Call(func=ast.Name(id="filter"), args=[_, inner]), _:
            return _gives_parameters(scope, inner, path, depth - 1)
        case ast.Call(func=ast.Name(id=called), args=[inner, *_]), _ if called in _SAME_ITEMS:
            return _gives_parameters(scope, inner, path, depth - 1)
        case (
            ast.ListComp(elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=bound), iter=inner)]),
            (),
        ) if name == bound:
            return _gives_parameters(scope, inner, (), depth - 1)
        case ast.Name(id=name), _:
            found = scopes.binding_at(scope, name, scopes.start_of(iterable))
            if found is None or found[1].iterated is not None or found[1].value is None:
                return False
            return _gives_parameters(scope, found[1].value, path, depth - 1)
        case _:
            return False
