"""Roots: what is compiled, as its own code says, or is likely to be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from compilelint.inspect import kinds
from compilelint.inspect.calling.compilations import COMPILE, Compilation
from compilelint.inspect.calling.function_decorators import as_compiled, compiling_options
from compilelint.inspect.events import CallSite, Mode
from compilelint.inspect.frame import span_of
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import FunctionKey, Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.members.handed_up import hands_up_own_methods
from compilelint.inspect.signatures import WRAPPERS
from compilelint.inspect.starting import Accepts
from compilelint.inspect.syntax import statements
from compilelint.regions.around.given import given_by_calls
from compilelint.regions.around.made import as_made
from compilelint.regions.around.own_methods import calls_by_attribute, calls_unasked, with_own_methods
from compilelint.regions.starts import library_compilers
from compilelint.regions.starts.around_parts import around_parts
from compilelint.regions.starts.compiled_parts import compiles_parts, compiles_when_made
from compilelint.regions.starts.compiling_wrappers import compiled_by_wrappers
from compilelint.regions.starts.hooks import registered_hooks
from compilelint.regions.starts.inherited import inherited_compilations, is_own
from compilelint.regions.starts.left_alone import left_alone
from compilelint.regions.starts.origins import is_of
from compilelint.regions.starts.other_choices import of_this_choice
from compilelint.regions.starts.outside import mentions_compile, walk_outside_of_regions
from compilelint.regions.starts.overriding import overrides_what_is_called, says_what_is_made
from compilelint.regions.starts.partials import given_by_partial
from compilelint.regions.starts.prose import may_compile
from compilelint.regions.starts.tensor_functions import dispatched_functions, tensor_functions
from compilelint.report.confidence import Confidence
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.watched import says

_STEPS = ("training_step", "validation_step", "test_step", "predict_step")
_DRIVES = re.compile(
    r"\.(?:compile|(?:maybe_)?mark_(?:dynamic|unbacked|static_address)|set_stance|cudagraph_mark_step_begin)\("
)
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
    # Those that the walk came to know what the function around them gives them.
    compiled = [of_this_choice(inspector, module, each) for each in inspector.compilations if not each.given]
    seen = {each.target.key for each in compiled if isinstance(each.target, kinds.Function)}
    for info in list(module.functions.values()):
        mode = _compiling_decorator(inspector, module, info)
        if mode is not None and info.key not in seen:
            function = as_made(inspector, method_or_function(inspector, info))
            function = as_compiled(inspector.module_frame(module), info.decorators, function)
            found.append(Root(function, mode, f"{module.name}:{info.node.lineno} @torch.compile", explicit=True))
    found += _decorated_classes(inspector, module)
    found += [root for each in compiled for root in _roots_of(inspector, each)]
    found += _compiled_when_called(inspector, module, {root.function.key for root in found})
    given = given_by_calls(inspector, module, [root.function for root in found]) if found else {}
    for root in found:
        accepts = dict(given.get(root.function.key, ())) | dict(root.accepts)
        yield structs.replace(root, accepts=tuple(accepts.items()))
    for hook in registered_hooks(inspector, module) if found else ():
        yield Root(hook.function, Mode(), hook.label, explicit=True, ceiling=Confidence.MEDIUM, accepts=hook.given)


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
    for function in (*functions_of(inspector, compilation.target), *_steps(inspector, compilation.target)):
        given = given_by_partial(inspector, compilation.target, function)
        yield Root(function, compilation.mode, label, explicit=True, ceiling=sure, accepts=given, site=site)


def _may_be_any_module(target: Kind) -> bool:
    """Whether what is compiled may be a module of which nothing is known, besides others.

    The others are then what some path to the call leads to, seldom the one on which it is compiled: what asks
    `isinstance(model, Wrapped)` takes a model of unknown class for one that is wrapped already.
    """
    return isinstance(target, kinds.Union) and kinds.External("torch.nn.Module") in target.options


def _steps(inspector: Inspector, target: Kind) -> Iterator[kinds.Function]:
    """What Lightning's trainer compiles besides the call, of a module that it is given wrapped."""
    match target:
        case kinds.External(cls=attributes.OPTIMIZED_MODULE, args=(kinds.Instance() as module,)):
            for name in _STEPS if is_of(inspector, module.cls, _LIGHTNING) else ():
                method = classes.find_method(inspector, module.cls, name)
                if method is not None:
                    yield from functions_of(inspector, attributes.bound_method(inspector, method, module))


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
        case kinds.External(cls=cls, args=(inner, *_)) if cls == attributes.OPTIMIZED_MODULE or cls in WRAPPERS:
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
                if isinstance(kind, kinds.Function) and not (
                    _drives_what_is_compiled(inspector, module, kind)
                    or _trains(inspector, kind)
                    or _saves_a_model(inspector, kind)
                    or _is_given_a_model(inspector, kind)
                    or _takes_only_arrays(inspector, kind)
                ):
                    label = f"{module.name}:{info.node.lineno} {info.name}.{name}"
                    site = class_site(inspector, module, kind)
                    is_around = info.key in around or compiles_when_made(inspector, instance.cls)
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


def _drives_what_is_compiled(inspector: Inspector, module: ModuleIndex, function: kinds.Function) -> bool:
    """Whether a `forward` calls torch.compile, or marks what goes into a compiled part: it is none itself.

    It may do so by a method of its class, which compiles when it is first asked.
    """
    info = inspector.tree.function(function.key)
    if info is None or not inspector.derived(("may drive", module.name), lambda: _may_drive(inspector, module)):
        return False
    calls = [func for each in with_own_methods(inspector, info) for func in calls_by_attribute(each)]
    return any(
        _DRIVES.search(f".{func.attr}(") is not None and _is_of_driver(inspector.evaluate_globally(module, func))
        for func in calls
    )


def _trains(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether a `forward` is a training step or a whole training loop, with its optimizer: itself, or by a method of
    its class that it calls. A layer that fits its codebook where an option asks for it is a layer all the same."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or "zero_grad(" not in inspector.tree.text_of(module):
        return False
    return any(
        {"backward", "zero_grad", "step"} <= {func.attr for func in calls_by_attribute(each)}
        and not isinstance(each.node, ast.Lambda)
        and calls_unasked(each.node.body, "backward")
        for each in with_own_methods(inspector, info)
    )


def _saves_a_model(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether a `forward` writes checkpoints, itself or by a method of its class: a trainer, what stops one early."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or "torch.save(" not in inspector.tree.text_of(module):
        return False
    return any(
        {"torch.save", "state_dict"} <= {_with_torch(func) for func in calls_by_attribute(each)}
        for each in with_own_methods(inspector, info)
    )


def _with_torch(func: ast.Attribute) -> str:
    """The name of what is called; with the module, if that is torch."""
    is_of_torch = isinstance(func.value, ast.Name) and func.value.id == "torch"
    return f"torch.{func.attr}" if is_of_torch else func.attr


def _is_given_a_model(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether a `forward` reads the parameters of what it is given, as a moving average of a model's weights does."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or not says(info.node, module.lines, "parameters("):
        return False
    given = {arg.arg for arg in (*info.node.args.posonlyargs, *info.node.args.args)[1:]}
    return any(
        func.attr in ("parameters", "named_parameters") and isinstance(func.value, ast.Name) and func.value.id in given
        for func in calls_by_attribute(info)
    )


def _takes_only_arrays(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether all that a `forward` is declared to take are arrays of numpy, or lists of them, and options.

    It makes tensors of them for the models that it holds, and of what these give what a user wants to see, as the
    predictors of doctr do. These models are what is compiled.
    """
    declared = [kind for kind in inspector.declared(function).values() if kind != function.receiver]
    return any(map(_is_of_arrays, declared)) and all(
        _is_of_arrays(option) or isinstance(option, kinds.Const | kinds.Python)
        for kind in declared
        for option in kinds.options(kind)
    )


def _is_of_arrays(kind: Kind) -> bool:
    return isinstance(kinds.element(kind) if isinstance(kind, kinds.Sequence) else kind, kinds.Array)


def _may_drive(inspector: Inspector, module: ModuleIndex) -> bool:
    return _DRIVES.search(inspector.tree.text_of(module)) is not None


def _is_of_driver(called: Kind) -> bool:
    """`torch.compile`, and what Dynamo refuses to trace because it prepares a call of something compiled."""
    return isinstance(called, kinds.Reference) and called.name.startswith(
        (COMPILE, "torch.compiler.", "torch._dynamo.")
    )
