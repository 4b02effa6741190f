"""Methods that do a module's work without its submodules: `x @ self.weight`, `F.linear(x, self.weight, self.bias)`."""

from __future__ import annotations

import ast
import re

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk

_PRODUCTS = re.compile(
    r"torch\.(?:(?:nn\.functional|_C\._nn)\.)?"
    r"(?:linear|bilinear|conv\w*|embedding|matmul|mm|bmm|einsum|addmm|baddbmm|tensordot)"
)
"""What costs as much as a layer does; all else may be a helper: `self.log_scale.exp()`."""


def works_with_weights(inspector: Inspector, function: FunctionInfo, instance: kinds.Instance) -> bool:
    """Whether a method multiplies what it is given by parameters or buffers of its own object. One that is given
    nothing looks at these: `self.weight @ self.weight.T`."""
    module = inspector.tree.module(function.key[0])
    if module is None or len(function.node.args.args) < 2:
        return False
    own = function.node.args.args[0].arg
    for node in walk(function.node):
        match node:
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                factors = [left, right]
            case ast.Call(func=func, args=factors) if isinstance(
                called := inspector.evaluate_globally(module, func), kinds.Reference
            ) and _PRODUCTS.fullmatch(called.name):
                pass
            case _:
                continue
        if any(_is_weight(inspector, factor, own, instance) for factor in factors):
            return True
    return False


def _is_weight(inspector: Inspector, node: ast.expr, own: str, instance: kinds.Instance) -> bool:
    """`self.weight`, `self.weight.T`, `self.weight.transpose(0, 1)`."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == own:
            return isinstance(inspector.attribute(instance, attr), kinds.Tensor)
        case ast.Attribute(value=inner) | ast.Call(func=ast.Attribute(value=inner)):
            return _is_weight(inspector, inner, own, instance)
        case _:
            return False
