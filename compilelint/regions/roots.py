"""Roots: what is compiled, as its own code says, or is likely to be."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from compilelint.inspect import kinds
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.calling.function_decorators import as_compiled, compiling_options
from compilelint.inspect.events import CallSite, Mode
from compilelint.inspect.frame import span_of
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import FunctionKey, Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.members.handed_up import hands_up_own_methods
from compilelint.inspect.members.made_options import has_options
from compilelint.inspect.signatures import CALLERS, WRAPPERS
from compilelint.inspect.starting import Accepts
from compilelint.inspect.syntax import statements
from compilelint.regions.around.given import given_by_calls
from compilelint.regions.around.made import as_made
from compilelint.regions.around.options_of_calls import (
    all_calls,
    all_calls_of_decorated,
    never_left_out,
    options_of_calls,
    rest_of_calls,
)
from compilelint.regions.starts import library_compilers
from compilelint.regions.starts.around_parts import around_parts
from compilelint.regions.starts.beside_models import is_beside
from compilelint.regions.starts.bound import binds_positions, bound_by
from compilelint.regions.starts.compiled_parts import compiles_parts, leaves_itself_out
from compilelint.regions.starts.compiling_wrappers import compiled_by_wrappers
from compilelint.regions.starts.demonstrations import is_demonstration
from compilelint.regions.starts.evaluated import as_evaluated
from compilelint.regions.starts.hooks import registered_hooks
from compilelint.regions.starts.inherited import inherited_compilations, is_own
from compilelint.regions.starts.left_alone import left_alone
from compilelint.regions.starts.origins import is_of
from compilelint.regions.starts.other_choices import of_this_choice
from compilelint.regions.starts.outside import mentions_compile, walk_outside_of_regions
from compilelint.regions.starts.overriding import overrides_what_is_called, says_what_is_made
from compilelint.regions.starts.prose import may_compile
from compilelint.regions.starts.put_on_classes import as_forward
from compilelint.regions.starts.tensor_functions import dispatched_functions, tensor_functions
from compilelint.report.confidence import Confidence
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex

_AROUND = frozenset({attributes.OPTIMIZED_MODULE, *WRAPPERS, *CALLERS})
"""Modules that call the one that they are made with."""
_STEPS = ("training_step", "validation_step", "test_step", "predict_step")
_LIGHTNING = ("pytorch_lightning.", "lightning.")


class Root(Struct, frozen=True):
    """A function at which compilation starts, and how a user would say so."""

    function: kinds.Function
    mode: Mode
    label: str
    explicit: bool
    """Whether it is compiled for sure, not only likely to be."""
    ceiling: Confidence = Confidence.HIGH
    """How sure its findings can be at most."""
    accepts: Accepts = ()
    home: str = ""
    """Where the question is whether just this function breaks, its file: of others only usual paths count as sure."""
    site: CallSite | None = None
    """Where the project says so, if the function itself lies in a followed package."""
    known_use: bool = False
    """Whether the file that compiles it says how it is used, and nobody else has to do with that file: what it is made
    with, what its calls leave out, that it is only evaluated."""
    holder: Kind | None = None
    """What holds the object that it is a method of, where a model calls it."""


def method_or_function(inspector: Inspector, info: FunctionInfo) -> kinds.Function:
    """A function of the project; if it is a method, of an object of its class."""
    if info.owner is None:
        return kinds.Function(info.key, info.qualname)
    cls = inspector.tree.class_(info.owner)
    instance = inspector.instance(kinds.ProjectClass(info.owner, cls.name if cls else ""))
    decorators = classes.decorator_names(inspector, info.key)
    receiver: Kind | None = instance
    if "builtins.staticmethod" in decorators:
        receiver = None
    elif "builtins.classmethod" in decorators:
        receiver = instance.cls
    return kinds.Function(info.key, info.qualname, receiver)


def compiled_roots(inspector: Inspector, name: str) -> Iterator[Root]:
    """What a file compiles, itself or by a library that it asks for it."""
    module = inspector.tree.module(name)
    if module is None:
        return
    text = inspector.tree.text_of(module)
    found = list(_compiled_in(inspector, module)) if may_compile(module, text) else []
    yield from found
    known = {root.function.key for root in found}
    yield from (root for root in _compiled_by_bases(inspector, module) if root.function.key not in known)
    if library_compilers.may_ask(text):
        for compilation in library_compilers.compiled_by_libraries(inspector, module):
            yield from _roots_of(inspector, compilation)


def offered_roots(inspector: Inspector, name: str) -> Iterator[Root]:
    """What a file offers to be compiled: every `forward`, and the tensor functions of a library."""
    module = inspector.tree.module(name)
    if module is None:
        return
    yield from _forwards(inspector, module)
    for found in tensor_functions(inspector, module):
        label = f"{module.name}:{found.function.key[1]} {found.function.name}"
        yield Root(found.function, Mode(), label, explicit=False, ceiling=Confidence.MEDIUM, accepts=found.accepts)
    for function in dispatched_functions(inspector, module):
        label = f"{module.name}: {function.name} of a table"
        yield Root(function, Mode(), label, explicit=False, ceiling=Confidence.MEDIUM)


def _compiled_in(inspector: Inspector, module: ModuleIndex) -> Iterator[Root]:
    inspector.forget_compilations()
    with inspector.seeking_effects():
        statements.execute(inspector.module_frame(module), module.tree.body)
        for info in list(module.functions.values()):
            if not isinstance(info.node, ast.Lambda) and mentions_compile(module, info.node):
                walk_outside_of_regions(inspector, info, _class_of(inspector, info))
    found: list[Root] = []
    calls: dict[FunctionKey, Sequence[ast.Call]] = {}
    # Those that the walk came to know what the function around them gives them.
    chosen = (of_this_choice(inspector, module, each) for each in inspector.compilations if not each.given)
    compiled = [as_evaluated(inspector, module, each) for each in chosen]
    seen = {each.target.key for each in compiled if isinstance(each.target, kinds.Function)}
    for info in list(module.functions.values()):
        mode = _compiling_decorator(inspector, module, info)
        if mode is not None and info.key not in seen:
            function = as_made(inspector, method_or_function(inspector, info))
            function = as_compiled(inspector.module_frame(module), info.decorators, function)
            label = f"{module.name}:{info.node.lineno} @torch.compile"
            calls[info.key] = all_calls_of_decorated(inspector, module, function)
            options = options_of_calls(inspector, function, calls[info.key])
            accepts = (*as_forward(inspector, module, info), *options)
            found.append(Root(function, mode, label, explicit=True, accepts=accepts))
    found += _decorated_classes(inspector, module)
    bound = set[FunctionKey]()
    for each in compiled:
        its = () if binds_positions(each.target) else all_calls(inspector, module, each)
        for root in _roots_of(inspector, each):
            key = root.function.key
            bound |= {key} if isinstance(each.target, kinds.Partial) else set()
            calls[key] = (*calls.get(key, ()), *its) if its and calls.get(key, its) else ()
            options = options_of_calls(inspector, root.function, its)
            found.append(structs.replace(root, accepts=(*options, *root.accepts)))
    found += _compiled_when_called(inspector, module, {root.function.key for root in found})
    given = given_by_calls(inspector, module, [root.function for root in found], calls) if found else {}
    for root in found:
        its = calls.get(root.function.key, ())
        rest = () if root.function.key in bound else rest_of_calls(inspector, root.function, its)
        told = dict(never_left_out(inspector, root.function, its)) | dict(rest)
        told |= dict(given.get(root.function.key, ())) | dict(root.accepts)
        root = structs.replace(root, accepts=tuple(told.items()))
        yield structs.replace(root, known_use=_says_how(root) and _is_used_by_nobody_else(inspector, module, root))
    for hook in registered_hooks(inspector, module):
        if found or hook.beside_black_box:
            ceiling = Confidence.MEDIUM
            yield Root(
                hook.function,
                Mode(),
                hook.label,
                explicit=True,
                ceiling=ceiling,
                accepts=hook.given,
                holder=kinds.External("torch.nn.Module", (hook.function.receiver,)) if hook.function.receiver else None,
            )


def _is_used_by_nobody_else(inspector: Inspector, module: ModuleIndex, root: Root) -> bool:
    """Whether all use of what a file compiles is seen: nobody imports the file, or only scripts do, of which one makes
    the object that is compiled."""
    users = inspector.tree.importers(module.name)
    if not users:
        return True
    is_made_by_script = has_options(root.function.receiver)
    return is_made_by_script and not any(inspector.tree.importers(user) or is_demonstration(user) for user in users)


def _says_how(root: Root) -> bool:
    """Whether the file says how something compiled is used: its mode, its options, those of its calls, or of how many
    dimensions the tensors are that these give."""
    is_told = any(
        isinstance(kind, kinds.Const) or (isinstance(kind, kinds.Tensor) and kind.ndim is not None)
        for _, kind in root.accepts
    )
    return root.mode.evaluation or is_told or has_options(root.function.receiver)


def _compiled_when_called(inspector: Inspector, module: ModuleIndex, known: set[FunctionKey]) -> Iterator[Root]:
    """The functions of a file that what their decorator puts around them compiles."""
    for each in compiled_by_wrappers(inspector, module):
        if each.info.key not in known:
            label = f"{each.compilation.file}:{each.compilation.span.line} {each.compilation.source}"
            function = as_made(inspector, method_or_function(inspector, each.info))
            yield Root(function, each.compilation.mode, label, explicit=True)


def _class_of(inspector: Inspector, info: FunctionInfo) -> kinds.ProjectClass | None:
    if info.owner is None:
        return None
    cls = inspector.tree.class_(info.owner)
    return kinds.ProjectClass(info.owner, cls.name if cls else "")


def _compiled_by_bases(inspector: Inspector, module: ModuleIndex) -> Iterator[Root]:
    """The methods of classes of a file that a base of theirs compiles."""
    for info, compilation in inherited_compilations(inspector, module):
        yield from (root for root in _roots_of(inspector, compilation) if is_own(info, root.function))


def _compiling_decorator(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> Mode | None:
    return _mode_of(inspector, module, info.decorators)


def _mode_of(inspector: Inspector, module: ModuleIndex, decorators: Sequence[ast.expr]) -> Mode | None:
    """How decorators compile what stands under them; None where they do not."""
    for node in decorators:
        options = compiling_options(inspector.evaluate_globally(module, node))
        if options is not None:
            disabled = options.get("disable") == kinds.Const(True)
            return None if disabled else Mode(fullgraph=options.get("fullgraph") == kinds.Const(True))
    return None


def _decorated_classes(inspector: Inspector, module: ModuleIndex) -> Iterator[Root]:
    """What runs when an object of a class is called that a decorator compiles: torch wraps the class's call."""
    for info in list(module.classes.values()):
        mode = _mode_of(inspector, module, info.node.decorator_list)
        if mode is not None:
            label = f"{module.name}:{info.node.lineno} @torch.compile"
            for function in functions_of(inspector, kinds.ProjectClass(info.key, info.name)):
                yield Root(as_made(inspector, function), mode, label, explicit=True)


def _roots_of(inspector: Inspector, compilation: Compilation) -> Iterator[Root]:
    label = f"{compilation.file}:{compilation.span.line} {compilation.source}"
    site = CallSite(compilation.file, compilation.function, compilation.span)
    sure = Confidence.LOW if _may_be_any_module(compilation.target) else Confidence.HIGH
    for function in (*functions_of(inspector, compilation.target), *_steps(inspector, compilation)):
        bound = bound_by(inspector, compilation.target, function)
        yield Root(function, compilation.mode, label, explicit=True, ceiling=sure, accepts=bound, site=site)


def _may_be_any_module(target: Kind) -> bool:
    """Whether what is compiled may be a module of which nothing is known, besides others.

    The others are then what some path to the call leads to, seldom the one on which it is compiled: what asks
    `isinstance(model, Wrapped)` takes a model of unknown class for one that is wrapped already.
    """
    return isinstance(target, kinds.Union) and kinds.External("torch.nn.Module") in target.options


def _steps(inspector: Inspector, compilation: Compilation) -> Iterator[kinds.Function]:
    """What Lightning's trainer compiles besides the call, of a module that it is given wrapped: not where the file only
    calls it, as one does that takes a trained model."""
    match compilation.target:
        case kinds.External(cls=attributes.OPTIMIZED_MODULE, args=(kinds.Instance() as module,)) if is_of(
            inspector, module.cls, _LIGHTNING
        ) and not _is_only_called(inspector, compilation):
            for name in _STEPS:
                method = classes.find_method(inspector, module.cls, name)
                if method is not None:
                    yield from functions_of(inspector, attributes.bound_method(inspector, method, module))


def _is_only_called(inspector: Inspector, compilation: Compilation) -> bool:
    """Whether the file that compiles it calls it, and hands it on to nobody who could do anything else with it."""
    module = inspector.tree.module(compilation.file)
    return module is not None and bool(all_calls(inspector, module, compilation))


def functions_of(inspector: Inspector, kind: Kind) -> Iterator[kinds.Function]:
    """The functions that run when a value of this kind is called."""
    match kind:
        case kinds.Function():
            yield kind
        case kinds.Partial(function=function):
            yield from functions_of(inspector, function)
        case kinds.Union(options=options):
            for option in options:
                yield from functions_of(inspector, option)
        case kinds.ProjectClass():
            instance = inspector.instance(kind)
            if instance.module:
                yield from functions_of(inspector, instance)
        case kinds.Instance():
            # A module's own `__call__` leads to `forward`, but often tells nothing of the arguments: `*args`.
            for name in ("__call__", "forward") if kind.module else ("__call__",):
                method = classes.find_method(inspector, kind.cls, name)
                if method is not None:
                    yield from functions_of(inspector, attributes.bound_method(inspector, method, kind))
        case kinds.External(cls="torch.nn.Sequential" | "torch.nn.ModuleList", args=layers):
            for layer in layers:
                yield from functions_of(inspector, layer)
        case kinds.External(cls=cls, args=(inner, *_)) if cls in _AROUND:
            yield from functions_of(inspector, inner)


def _forwards(inspector: Inspector, module: ModuleIndex) -> Iterator[Root]:
    around = around_parts(inspector, module)
    for info in list(module.classes.values()):
        instance = inspector.instance(kinds.ProjectClass(info.key, info.name))
        if not instance.module or info.key in left_alone(inspector, module):
            continue
        is_lightning = is_of(inspector, instance.cls, _LIGHTNING)
        if is_lightning and compiles_parts(inspector, instance.cls):
            continue  # the trainer calls the steps, which call what is compiled
        for name in ("__call__", "forward", *(_STEPS if is_lightning else ())):
            method = classes.find_method(inspector, instance.cls, name)
            if method is not None and _starts_at(inspector, info, name, method):
                kind = attributes.bound_method(inspector, method, instance)
                if isinstance(kind, kinds.Function) and not is_beside(inspector, module, kind):
                    label = f"{module.name}:{info.node.lineno} {info.name}.{name}"
                    site = class_site(inspector, module, kind)
                    is_around = info.key in around or leaves_itself_out(inspector, instance.cls)
                    sure = Confidence.LOW if is_around else Confidence.HIGH
                    yield Root(_as_decorated(inspector, kind), Mode(), label, explicit=False, ceiling=sure, site=site)


def _as_decorated(inspector: Inspector, function: kinds.Function) -> kinds.Function:
    """With what decorators put around it, where none of them compiles: those above that one run uncompiled."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if function.wrapper is None or info is None or module is None:
        return function
    is_compiled = _compiling_decorator(inspector, module, info) is not None
    return structs.replace(function, wrapper=None) if is_compiled else function


def _starts_at(inspector: Inspector, info: ClassInfo, name: str, method: Key) -> bool:
    """Whether a method of a module is a root of this class: it stands there, is nobody else's root where it stands, or
    does something else in this class.

    What has a `__call__` in place of `forward`, not around it, is no model: a decoder, a transform of images. One that
    is inherited counts where it calls what this class fills in, as `self.initialize(x)` at the first call.
    """
    if name == "__call__":
        own = kinds.ProjectClass(info.key, info.name)
        return classes.find_method(inspector, own, "forward") is not None and (
            name in info.methods or overrides_what_is_called(inspector, info, method)
        )
    return (
        name in info.methods
        or inspector.tree.is_followed(method[0])
        or overrides_what_is_called(inspector, info, method)
        or says_what_is_made(inspector, info)
        or hands_up_own_methods(inspector, info)
    )


def class_site(inspector: Inspector, module: ModuleIndex, function: kinds.Function) -> CallSite | None:
    """The class in the module that inherits a method from a followed package, if that is what the function is."""
    receiver = function.receiver
    if not isinstance(receiver, kinds.Instance) or not inspector.tree.is_followed(function.key[0]):
        return None
    info = inspector.tree.class_(receiver.cls.key)
    if info is None or receiver.cls.key[0] != module.name:
        return None
    return CallSite(module.name, info.qualname, span_of(module, info.node))
