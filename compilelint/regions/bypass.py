"""Calls that go past the compiled object, and places where its being a wrapper shows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import classes, kinds
from compilelint.inspect.attributes import OPTIMIZED_MODULE
from compilelint.inspect.kinds import Kind
from compilelint.regions import scope_kinds, scopes
from compilelint.regions.in_place import in_place_target
from compilelint.regions.queries import calls, compiled_in_place, text_of
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Scope
from compilelint.regions.state import may_have_state
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence

_ALWAYS_WORK = frozenset({"generate", "training_step", "validation_step", "test_step", "predict_step"})
"""Methods that run the model whatever class they belong to."""
_SAVERS = ("torch.save", "safetensors.torch.save_file")
_HOOKS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
)


def _method_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`compiled.encode(x)`, where the method does the model's work."""
    for node in calls(scope):
        if not isinstance(node.func, ast.Attribute) or node.func.attr in ("forward", "__call__"):
            continue
        compiled = scope_kinds.compiled_among(kind_at(scope, node.func.value))
        if compiled is None:
            continue
        receiver, confidence = compiled
        if confidence != Confidence.HIGH and "_orig_mod" in text_of(scope):  # it is told apart from the original
            continue
        inner, name = receiver.args[0], node.func.attr
        if isinstance(inner, kinds.Instance) and classes.find_method(scope.inspector, inner.cls, name) is not None:
            if runs_the_module(scope, inner.cls, name):
                yield Usage("method-of-compiled", node, receiver=receiver, confidence=confidence)
        elif name in _ALWAYS_WORK:
            yield Usage("method-of-compiled", node, receiver=receiver, confidence=Confidence.MEDIUM)


def runs_the_module(scope: Scope, cls: kinds.ProjectClass, name: str, depth: int = 3) -> bool:
    """Whether a method calls the module, a submodule of it, or another method that does."""
    found = classes.find_method(scope.inspector, cls, name)
    function = scope.inspector.tree.function(found) if found is not None else None
    if function is None or isinstance(function.node, ast.Lambda) or not function.node.args.args or not depth:
        return False
    self_name = function.node.args.args[0].arg
    instance = scope.inspector.instance(cls)
    for node in ast.walk(function.node):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called == self_name:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=called), attr=attr)) if called == self_name:
                if attr == "forward" or scope_kinds.is_module(scope.inspector.attribute(instance, attr)):
                    return True
                if attr != name and runs_the_module(scope, cls, attr, depth - 1):
                    return True
    return False


def _forward_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`model.forward(x)` after `model.compile()`."""
    compiled = compiled_in_place(scope)
    for node in calls(scope):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "forward":
            since = compiled.get(ast.unparse(node.func.value))
            if since is not None and since < scopes.start_of(node):
                yield Usage("forward-of-compiled", node, receiver=kind_at(scope, node.func.value))


def _state_dict(scope: Scope) -> Iterator[Usage]:
    """`torch.save(compiled.state_dict(), …)`, also inside a dict; not in files that know about the prefix."""
    if "_orig_mod" in text_of(scope):
        return
    for node in calls(scope):
        if not node.args or not any(scope_kinds.is_reference(scope, node.func, saver) for saver in _SAVERS):
            continue
        saved = node.args[0]
        if isinstance(saved, ast.Name):
            found = scopes.binding_at(scope, saved.id, scopes.start_of(saved))
            if found is None or found[0] is not scope or found[1].value is None:
                continue
            saved = found[1].value
        for part in ast.walk(saved):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "state_dict":
                compiled = scope_kinds.compiled_among(kind_at(scope, part.func.value))
                if compiled is not None:
                    yield Usage("state-dict-of-compiled", part, receiver=compiled[0], confidence=compiled[1])


def _submodule(scope: Scope) -> Iterator[Usage]:
    """`self.encoder = torch.compile(Encoder())` in a module."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=base)], value=value):
                target = scope_kinds.compile_target(scope, value)
                if target is None or not _is_plain_module(kind_at(scope, base)):
                    continue
                kind = kind_at(scope, target)
                if _is_plain_module(kind) and may_have_state(scope.inspector, kind):
                    yield Usage("submodule", value, "torch.compile", kind)


def _is_plain_module(kind: Kind) -> bool:
    return scope_kinds.is_module(kind) and not scope_kinds.is_compiled(kind)


def _isinstance(scope: Scope) -> Iterator[Usage]:
    """`isinstance(compiled, Net)`, `type(compiled) is Net`."""
    for statement in scope.statements:
        for node in statement.expressions:
            match node:
                case ast.Call(func=ast.Name(id="isinstance"), args=[value, cls]):
                    asked, wanted = value, cls
                case ast.Compare(
                    left=ast.Call(func=ast.Name(id="type"), args=[value]),
                    ops=[ast.Is() | ast.Eq()],
                    comparators=[cls],
                ):
                    asked, wanted = value, cls
                case _:
                    continue
            kind = kind_at(scope, asked)
            if scope_kinds.is_compiled(kind) and _is_never(scope, kind_at(scope, wanted)):
                yield Usage("isinstance-of-compiled", node, receiver=kind)


def _is_never(scope: Scope, cls: Kind) -> bool:
    """Whether the wrapper is never an instance of this class, or of any of these."""
    match cls:
        case kinds.Sequence(items=items) if items:
            return all(_is_never(scope, item) for item in items)
        case kinds.ProjectClass():
            return scope.inspector.instance(cls).module
        case kinds.Reference(name=name):
            return scope_kinds.is_module(kinds.External(name)) and name not in (
                "torch.nn.Module",
                OPTIMIZED_MODULE,
            )
        case _:
            return False


def _hook_after_call(scope: Scope) -> Iterator[Usage]:
    """A hook on a submodule, between two calls of the compiled module around it."""
    if "skip_nnmodule_hook_guards" in text_of(scope) or "_dynamo.reset" in text_of(scope):
        return
    for compiled, original in compiled_names(scope):
        called_at = [
            scopes.start_of(node)
            for node in calls(scope)
            if isinstance(node.func, ast.Name)
            and node.func.id == compiled
            and _stands_for_compiled(scope, node.func, in_place=compiled == original)
        ]
        for node in calls(scope):
            if not isinstance(node.func, ast.Attribute) or node.func.attr not in _HOOKS:
                continue
            path = node.func.value
            root = root_name(path)
            if isinstance(path, ast.Name) or root is None or root not in (compiled, original):
                continue
            here = scopes.start_of(node)
            if any(call < here for call in called_at) and any(call > here for call in called_at):
                yield Usage("hook-after-call", node, receiver=kind_at(scope, path))


def compiled_names(scope: Scope) -> Iterator[tuple[str, str]]:
    """Names of compiled modules, each with the name of what was compiled."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                target = scope_kinds.compile_target(scope, value)
                if target is not None and scope_kinds.is_compiled(kind_at(scope, value)):
                    yield name, target.id if isinstance(target, ast.Name) else name
            case ast.Expr(value=value):
                target = in_place_target(scope, value)
                if isinstance(target, ast.Name):
                    yield target.id, target.id


def _stands_for_compiled(scope: Scope, node: ast.Name, *, in_place: bool) -> bool:
    return in_place or scope_kinds.is_compiled(kind_at(scope, node))


def root_name(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _method_of_compiled,
    _forward_of_compiled,
    _state_dict,
    _submodule,
    _isinstance,
    _hook_after_call,
)
