"""Calls that go past the compiled object, and places where its being a wrapper shows."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds, signatures
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.inspect.members.attributes import OPTIMIZED_MODULE
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.in_place import in_place_target
from compilelint.regions.around.queries import calls, compiled_in_place, text_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.misuse import saved_states, submodules
from compilelint.regions.misuse.put_back import compiled_by_themselves
from compilelint.regions.misuse.works_with_weights import works_with_weights
from compilelint.regions.starts.compiled_attributes import compiled_at
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk
from compilelint.source.watched import says

_ALWAYS_WORK = frozenset({"generate", "training_step", "validation_step", "test_step", "predict_step"})
"""Methods that run the model whatever class they belong to; so does `forward_features`, and all that is called so."""
UNCOMPILED = frozenset({"method-of-compiled", "forward-of-compiled"})
"""What runs uncompiled, unless what calls it is compiled itself: Dynamo follows all calls."""
_HOOKS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
)


def _method_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`compiled.encode(x)`, `sample(compiled.encode, x)`, where the method does the model's work."""
    for node, method in _methods_taken(scope):
        if method.attr in ("forward", "__call__"):
            continue
        compiled = compiled_at(scope, method.value)
        if compiled is None or method.attr in compiled_by_themselves(scope):
            continue
        receiver, confidence = compiled
        if confidence != Confidence.HIGH and _is_told_apart(scope):
            continue
        inner, name = receiver.args[0], method.attr
        if isinstance(inner, kinds.Instance) and classes.find_method(scope.inspector, inner.cls, name) is not None:
            if _runs_the_module(scope, inner, name):
                yield Usage("method-of-compiled", node, receiver=receiver, confidence=confidence)
            elif name in _ALWAYS_WORK and _hands_itself_on(scope, inner.cls, name):
                medium = min(confidence, Confidence.MEDIUM)
                yield Usage("method-of-compiled", node, receiver=receiver, confidence=medium)
        elif name in _ALWAYS_WORK or name.startswith("forward_"):
            yield Usage("method-of-compiled", node, receiver=receiver, confidence=Confidence.MEDIUM)


def _is_told_apart(scope: Scope) -> bool:
    """Whether the function asks for the original of a wrapper; others of the file do so for what they copy or save."""
    if isinstance(scope.node, ast.Module):
        return "_orig_mod" in text_of(scope)
    return says(scope.node, scope.module.lines, "_orig_mod")


def _methods_taken(scope: Scope) -> Iterator[tuple[ast.expr, ast.Attribute]]:
    """What is called as a method, or handed on as one: where that shows, and the method."""
    for call in calls(scope):
        if isinstance(call.func, ast.Attribute):
            yield call, call.func
        if not isinstance(call.func, ast.Name | ast.Attribute):
            continue
        for given in (*call.args, *(keyword.value for keyword in call.keywords)):
            if isinstance(given, ast.Attribute) and scope_kinds.compile_target(scope, call) is None:
                yield given, given


def _runs_the_module(scope: Scope, instance: kinds.Instance, name: str, depth: int = 3) -> bool:
    """Whether a method calls the module, a submodule of it, or another method that does, of the one or the other; or
    multiplies by weights of its own."""
    function = _taking_the_module(scope, instance.cls, name)
    if function is None or not depth:
        return False
    if works_with_weights(scope.inspector, function, instance):
        return True
    self_name = function.node.args.args[0].arg
    for node in walk(function.node):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called == self_name:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=called), attr=attr)) if called == self_name:
                if attr == "forward" or scope_kinds.is_module(scope.inspector.attribute(instance, attr)):
                    return True
                if attr != name and _runs_the_module(scope, instance, attr, depth - 1):
                    return True
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=holder), attr=held), attr=attr)) if (
                holder == self_name and _is_run_by(scope, scope.inspector.attribute(instance, held), attr, depth)
            ):
                return True
    return False


def _taking_the_module(scope: Scope, cls: kinds.ProjectClass, name: str) -> FunctionInfo | None:
    """A method that gets the original as its `self`; a static one, `model.train_step(model, batch)`, runs what it is
    given."""
    found = classes.find_method(scope.inspector, cls, name)
    function = scope.inspector.tree.function(found) if found is not None else None
    if function is None or isinstance(function.node, ast.Lambda) or not function.node.args.args:
        return None
    is_static = classes.decorator_names(scope.inspector, function.key) & {
        "builtins.staticmethod",
        "builtins.classmethod",
    }
    return None if is_static else function


def _is_run_by(scope: Scope, part: Kind, name: str, depth: int) -> bool:
    """Whether a method of a submodule runs that one."""
    if not isinstance(part, kinds.Instance) or not part.module:
        return False
    return name == "forward" or _runs_the_module(scope, part, name, depth - 1)


def _hands_itself_on(scope: Scope, cls: kinds.ProjectClass, name: str) -> bool:
    """Whether a method gives the module to what may run it: `decode(self, ids)`, as transformers does."""
    function = _taking_the_module(scope, cls, name)
    if function is None:
        return False
    self_name = function.node.args.args[0].arg
    return any(
        isinstance(given, ast.Name) and given.id == self_name
        for node in walk(function.node)
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id))
        for given in node.args
    )


def _forward_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`model.forward(x)` after `model.compile()`."""
    compiled = compiled_in_place(scope)
    for node in calls(scope):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "forward":
            since = compiled.get(ast.unparse(node.func.value))
            if since is not None and since < scopes.start_of(node):
                yield Usage("forward-of-compiled", node, receiver=kind_at(scope, node.func.value))


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
                case ast.Compare(
                    left=ast.Attribute(
                        attr="__name__",
                        value=ast.Call(func=ast.Name(id="type"), args=[value])
                        | ast.Attribute(attr="__class__", value=value),
                    ),
                    ops=[ast.Eq() | ast.In()],
                    comparators=[names],
                ):
                    kind = kind_at(scope, value)
                    if scope_kinds.is_compiled(kind) and _says_class(names, kind):
                        yield Usage("isinstance-of-compiled", node, receiver=kind)
                    continue
                case _:
                    continue
            kind = kind_at(scope, asked)
            if isinstance(kind, kinds.External) and scope_kinds.is_compiled(kind):
                asked_for = kind_at(scope, wanted)
                if _is_never(scope, asked_for) and _may_be(scope, kind.args[0], asked_for):
                    yield Usage("isinstance-of-compiled", node, receiver=kind)


def _says_class(names: ast.expr, compiled: Kind) -> bool:
    """Whether texts that are written out have the name of the class of what was compiled among them."""
    match compiled:
        case kinds.External(args=[kinds.Instance(cls=kinds.ProjectClass(name=name))]):
            pass
        case kinds.External(args=[kinds.External(cls=dotted)]):
            name = dotted.rpartition(".")[2]
        case _:
            return False
    written = names.elts if isinstance(names, ast.Tuple | ast.List | ast.Set) else [names]
    return any(isinstance(each, ast.Constant) and each.value == name for each in written)


def _may_be(scope: Scope, inner: Kind, cls: Kind) -> bool:
    """Whether what was compiled may be one itself: else the answer is the same without the wrapper."""
    match inner, cls:
        case _, kinds.Sequence(items=items) if items:
            return any(_may_be(scope, inner, item) for item in items)
        case kinds.Instance(cls=own), kinds.ProjectClass():
            return cls in classes.mro(scope.inspector, own)
        case kinds.Instance(cls=own), kinds.Reference(name=name):
            return name in classes.external_bases(scope.inspector, own)
        case kinds.External(cls=own), kinds.Reference(name=name):
            return own == name
        case kinds.External(), kinds.ProjectClass():
            return False
        case _, kinds.Reference(name=name):
            return name not in signatures.WRAPPERS  # what unwraps DistributedDataParallel asks this of every model
        case _:
            return True


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


def hooks_after_calls(scope: Scope) -> Iterator[Usage]:
    """A hook on a submodule, between two calls of the compiled module around it."""
    if "skip_nnmodule_hook_guards" in text_of(scope) or "_dynamo.reset" in text_of(scope):
        return
    for compiled, original in compiled_names(scope):
        called_at = [
            scopes.start_of(node)
            for node in calls(scope)
            if isinstance(node.func, ast.Name)
            and node.func.id == compiled
            and (compiled == original or scope_kinds.is_compiled(kind_at(scope, node.func)))
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


def root_name(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


OF_WRAPPERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _method_of_compiled,
    _forward_of_compiled,
    saved_states.of_compiled,
    saved_states.into_compiled,
    _isinstance,
)
"""What depends on nothing but what is compiled, wherever it comes from."""
FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (*OF_WRAPPERS, submodules.kept_compiled, hooks_after_calls)
