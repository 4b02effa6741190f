"""What of a module comes into its `state_dict`, as far as source tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk

_MODULE = frozenset({"torch.nn.Module", "torch.nn.modules.module.Module", "builtins.object"})
_REGISTERING = frozenset({"register_parameter", "add_module", "register_module", "setattr", "__setattr__"})
_MAX_DEPTH = 3


def may_have_state(inspector: Inspector, kind: Kind, depth: int = 0) -> bool:
    """Whether a module may have parameters, or buffers that are saved: not if all that it holds is known to be none."""
    if not isinstance(kind, Instance) or depth > _MAX_DEPTH:
        return True
    bases = classes.mro(inspector, kind.cls)
    if not all(isinstance(base, ProjectClass) or _is_plain_module(base) for base in bases):
        return True
    methods = list(classes.methods(inspector, kind.cls))
    if any(_registers(method) for method in methods):
        return True
    stateless = {name for method in methods for name in (*_unsaved_buffers(method), *_given_functions(method))}
    held = inspector.assigned(kind)
    return any(_may_hold_state(inspector, value, depth) for name, value in held.items() if name not in stateless)


def _is_plain_module(base: Kind) -> bool:
    return isinstance(base, kinds.Reference) and base.name in _MODULE


def _may_hold_state(inspector: Inspector, kind: Kind, depth: int) -> bool:
    match kind:
        case kinds.Union(options=options):
            return any(_may_hold_state(inspector, option, depth) for option in options)
        case kinds.Const() | kinds.Python() | kinds.Scalar() | kinds.Function() | kinds.Array():
            return False
        case kinds.Sequence():
            return _may_hold_state(inspector, kinds.element(kind), depth) if kind.items != () else False
        case Instance(module=True):
            return may_have_state(inspector, kind, depth + 1)
        case Instance():
            return False
        case _:
            return True


def _registers(function: FunctionInfo) -> bool:
    """Whether a method registers what `state_dict` gives, other than by an assignment."""
    for part in walk(function.node):
        match part:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _REGISTERING:
                return True
            case ast.Call(func=ast.Attribute(attr="register_buffer")) if _is_saved(part):
                return True
    return False


def _is_saved(call: ast.Call) -> bool:
    return not any(
        keyword.arg == "persistent" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in call.keywords
    )


def _unsaved_buffers(function: FunctionInfo) -> Iterator[str]:
    for part in walk(function.node):
        match part:
            case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=str(name)), *_]) if (
                not _is_saved(part)
            ):
                yield name


def _given_functions(function: FunctionInfo) -> Iterator[str]:
    """The attributes that are parameters which are declared to be functions: `self.act = act`, of `act: Callable`."""
    spec = function.node.args
    functions = {
        arg.arg
        for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        if arg.annotation is not None and "Callable" in ast.unparse(arg.annotation)
    }
    for part in walk(function.node) if functions else ():
        match part:
            case ast.Assign(targets=[ast.Attribute(attr=attr)], value=ast.Name(id=name)) if name in functions:
                yield attr
