"""Functions of a library that take tensors and give tensors: what its users compile beside its modules.

A scheduler's `step`, a box operator, a graph utility: nothing in the library compiles them, as nothing compiles its
modules, and whoever compiles a training or sampling step compiles them with it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.signatures.calls import DTYPES
from compilelint.inspect.starting import run_root
from compilelint.regions.starts.drivers import calls_what_runs_models, is_around_models, runs_models
from compilelint.source.model import Assignment, ClassInfo, FunctionInfo, Import, Key, ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says

_NOT_LIBRARY = re.compile(
    r"(^|/)(tests?|testing|examples?|scripts?|benchmarks?|docs?|tools?|cli|data|datasets?|dataloaders?|transforms?"
    r"|loaders?|samplers?|distributed|[^/]*process(ing|or)[^/]*|metrics?|evaluat\w*|engine|apps|inferers?|handlers?|callbacks?|visuali[sz]\w*|plotting|io|(\w*_)?init(s|iali[sz]\w*)?\.py|conftest\.py|setup\.py|test_[^/]*|[^/]*_test\.py|[^/]*\.ipynb)(/|$)"
)
"""Places of code that runs around models: it reads data, draws, tests, gives weights their first values."""
_NOT_COMPUTATION = re.compile(
    r"^(set|load|save|read|write|from|plot|draw|show|print|log|init|reset|register|make|build|create|convert|prepare"
    r"|preprocess|postprocess|post_process|pre_process|collate|decode|encode|validate|check|test|train|fit|generate"
    r"|gen|optimi[sz]e|minimi[sz]e|maximi[sz]e|update|export|import|download|get|is|has)(_|$)|_init_?$"
)
"""How functions are called that prepare, inspect or store, or that call something again and again until it is good."""

_AROUND_BY_NAME = re.compile(
    r"(Loader|Sampler|Dataset|Collat\w+|Transform|Augment\w*|Tokenizer|Trainer|Callback|Pipeline|Metric|Evaluator|Visuali\w+"
    r"|Logits(Processor|Warper)|Criteria)$"
)
"""How classes are called whose objects give data to models, run them, or do what is done between two calls of one, as
`generate` calls processors of logits and stopping criteria: what they are called for is not compiled."""

_SEARCHES_BY_NAME = re.compile(r"Beam(Search|Scorer|Decod|Hypothes)|(^|_)beam_?(search|decod)")
"""How what searches the best sequence is called: between two calls of a model it keeps lists of hypotheses."""

_SAYS_IT_LOADS = re.compile(r"state[_ ]dict|(pre-?trained|loaded) weights")
"""What a function says of itself that fits weights to a model as they are loaded: nothing of it is compiled."""

_OF_OPERATORS = frozenset(
    {"register_fake", "register_kernel", "register_vmap", "register_autograd", "impl", "impl_abstract", "custom_op"}
)
"""Of `torch.library`, and of what its `custom_op` gives."""
_MAY_GIVE_TO_OPERATOR = re.compile(r"\.(?:register_(?:fake|kernel|vmap|autograd)|impl)\(")
_CALL = "__call__"
_OF_COMMAND_LINES = ("argparse.", "click.", "fire.", "typer.", "tyro.", "absl.app.", "absl.flags.")
"""What only a program imports: it runs models, and nobody compiles its functions."""


class TensorFunction(Struct, frozen=True):
    """A function that takes and gives tensors; `accepts` are parameters that take more than they are declared to."""

    function: kinds.Function
    accepts: tuple[tuple[str, Kind], ...] = ()


def tensor_functions(inspector: Inspector, module: ModuleIndex) -> Iterator[TensorFunction]:
    """The public functions and methods of a package's module that are declared to take and to give tensors."""
    if not _is_library(inspector, module):
        return
    of_operators = _given_to_operators(inspector, module)
    for info in list(module.functions.values()):
        is_part = info.qualname in of_operators or _is_part_of_operator(info)
        # What the declaration says is cheaper to know than what decorators make of the function, or what it does.
        if info.parent is None and not is_part and _may_compute(info) and _may_give_tensor(inspector, module, info):
            function = None if _is_generator(module, info) else _as_function(inspector, info)
            if (
                function is not None
                and _takes_tensor(inspector, function)
                and not runs_models(inspector, module, info)
                and _does_give(inspector, function)
                and not calls_what_runs_models(inspector, module, info)
            ):
                yield TensorFunction(function, accepted_by_siblings(inspector, info, function))


def dispatched_functions(inspector: Inspector, module: ModuleIndex) -> Iterator[kinds.Function]:
    """The functions in the tables of a package's module by which it chooses one: `LOSSES = {"ctc": ctc_loss, …}`.

    Which of them a model calls is a matter of its settings. A table counts if one of its functions takes tensors.
    What is called as functions are that compute nothing is none of them: `{"mdn": build_mdn, …}` makes models. Nor is
    what is declared to take arrays of numpy: models have tensors. A table of what stands for functions of torch,
    `{torch.cat: cat_of_meta, …}`, is for who traces or converts models, which is not compiled.
    """
    if not _is_library(inspector, module):
        return
    tables = [binding for bindings in module.bindings.values() for binding in bindings]
    tables += [binding for info in module.classes.values() for binding in info.attributes.values()]
    for table in tables:
        if not isinstance(table, Assignment) or not isinstance(table.value, ast.Dict) or len(table.value.values) < 2:
            continue
        if _is_of_torch(inspector, module, table.value):
            continue
        named = (value for value in table.value.values if isinstance(value, ast.Name | ast.Attribute))
        found = [
            kind for value in named if isinstance(kind := inspector.evaluate_globally(module, value), kinds.Function)
        ]
        if any(_uses_tensors(inspector, function) for function in found):
            yield from (
                function
                for function in dict.fromkeys(found)
                if not _NOT_COMPUTATION.search(function.name) and not _takes_array(inspector, function)
            )


def _is_of_torch(inspector: Inspector, module: ModuleIndex, table: ast.Dict) -> bool:
    """Whether the keys of a table are functions and classes of torch; a dtype is a setting."""
    named = [key for key in table.keys if isinstance(key, ast.Attribute)]
    return len(named) == len(table.keys) and all(
        isinstance(kind := inspector.evaluate_globally(module, key), kinds.Reference)
        and kind.name.startswith(("torch.", "operator."))
        and kind.name.removeprefix("torch.") not in DTYPES
        for key in named
    )


def _uses_tensors(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether one of its parameters is declared to be a tensor, or its body uses the first as one."""
    info = inspector.tree.function(function.key)
    declared = inspector.declared(function)
    first = next(iter(declared), None)
    if info is None or first is None or _takes_array(inspector, function):
        return False
    return any(kinds.tensor_part(kind) is not None for kind in declared.values()) or "tensor" in inspector.usage(
        info
    ).get(first, set())


def _takes_array(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether it says of a parameter that it is an array of numpy, and of none that it is a tensor."""
    declared = inspector.declared(function).values()
    return any(isinstance(kind, kinds.Array) for kind in declared) and not any(map(kinds.tensor_part, declared))


def _is_library(inspector: Inspector, module: ModuleIndex) -> bool:
    folder, _, file = module.name.rpartition("/")
    in_package = (f"{folder}/__init__.py" if folder else "__init__.py") in inspector.tree.texts
    return in_package and file != "__init__.py" and not _NOT_LIBRARY.search(module.name) and not _is_program(module)


def _is_program(module: ModuleIndex) -> bool:
    """Whether a module reads a command line."""
    return any(
        isinstance(binding, Import) and f"{binding.target}.".startswith(_OF_COMMAND_LINES)
        for bindings in module.bindings.values()
        for binding in bindings
    )


def _given_to_operators(inspector: Inspector, module: ModuleIndex) -> frozenset[str]:
    """The functions that are given to operators by name: `op.register_autograd(backward, setup_context=setup)`."""
    if not _MAY_GIVE_TO_OPERATOR.search(inspector.tree.text_of(module)):
        return frozenset()
    return frozenset(
        given.id
        for node in walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_OPERATORS
        for given in (*node.args, *(keyword.value for keyword in node.keywords))
        if isinstance(given, ast.Name)
    )


def _is_part_of_operator(info: FunctionInfo) -> bool:
    """Whether a decorator makes it what an operator of its own does: Dynamo does not look into these."""
    named = (decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in info.decorators)
    return any(isinstance(name, ast.Attribute) and name.attr in _OF_OPERATORS for name in named)


def _is_generator(module: ModuleIndex, info: FunctionInfo) -> bool:
    """Whether it gives one result after the other: nothing of it would be compiled, as Dynamo leaves it alone."""
    return says(info.node, module.lines, "yield") and any(
        isinstance(part, ast.Yield | ast.YieldFrom) for part in walk(info.node)
    )


def _may_compute(info: FunctionInfo) -> bool:
    """Whether it is public, and not called as what computes nothing is."""
    if isinstance(info.node, ast.Lambda | ast.AsyncFunctionDef):
        return False
    *owners, name = info.qualname.split(".")
    if any(owner.startswith("_") or _SEARCHES_BY_NAME.search(owner) for owner in owners):
        return False
    if not owners and _SAYS_IT_LOADS.search(ast.get_docstring(info.node, clean=False) or ""):
        return False
    # What an object does when it is called is as public as the object: a processor of attention, a loss.
    if name == _CALL:
        return not _AROUND_BY_NAME.search(owners[-1] if owners else "")
    return not name.startswith("_") and not _NOT_COMPUTATION.search(name) and not _SEARCHES_BY_NAME.search(name)


def _as_function(inspector: Inspector, info: FunctionInfo) -> kinds.Function | None:
    if info.owner is None:
        kind: Kind = inspector.definition(info.key)
    else:
        cls: ClassInfo | None = inspector.tree.class_(info.owner)
        if cls is None or cls.parent is not None:
            return None
        instance = inspector.instance(kinds.ProjectClass(cls.key, cls.name))
        decorators = classes.decorator_names(inspector, info.key)
        if (
            _is_called(inspector, instance)
            or _drives_models(inspector, instance)
            or (not instance.module and _is_made_with_models(inspector, instance))
            or decorators & {"builtins.property", "abc.abstractmethod"}
        ):
            return None
        kind = attributes.bound_method(inspector, info.key, instance)
    return kind if isinstance(kind, kinds.Function) else None


def _drives_models(inspector: Inspector, instance: kinds.Instance) -> bool:
    """Whether one of the methods of its class is around models: then all of them are."""
    return inspector.derived(
        ("drives models", instance.cls.key),
        lambda: any(map(is_around_models, classes.methods(inspector, instance.cls))),
    )


def _is_made_with_models(inspector: Inspector, instance: kinds.Instance) -> bool:
    """Whether the `__init__` of its class asks for modules that are called: a pipeline, a sampler, which runs them all.

    What is only computed with, as a rotation that is a module, makes no such class.
    """
    init = classes.find_method(inspector, instance.cls, "__init__")
    declared = inspector.declared(kinds.Function(init, "__init__")) if init is not None else {}
    return any(
        isinstance(option, kinds.Instance) and option.module and _has_forward(inspector, option)
        for kind in declared.values()
        for option in kinds.options(kind)
    )


def _has_forward(inspector: Inspector, instance: kinds.Instance) -> bool:
    return classes.find_method(inspector, instance.cls, "forward") is not None


def _is_called(inspector: Inspector, instance: kinds.Instance) -> bool:
    """Whether it is a module that is called, or that runs others: its methods are what its `forward` needs, or drive a
    model. Others are used by method (`ball.expmap(x, u)`), and are modules for the parameters that they hold."""
    if not instance.module:
        return False
    return _has_forward(inspector, instance) or any(map(_may_be_called, inspector.assigned(instance).values()))


def _may_be_called(kind: Kind) -> bool:
    return any(
        option == UNKNOWN
        or (isinstance(option, kinds.Instance) and option.module)
        or (isinstance(option, kinds.External) and option.cls.startswith("torch.nn."))
        for option in kinds.options(kind)
    )


def _takes_tensor(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether it takes tensors, and beside them only numbers and options: no tokenizer, no data set."""
    declared = list(inspector.declared(function).values())
    given = declared if function.receiver is None else declared[1:]
    return any(isinstance(kind, kinds.Tensor) for kind in given) and not any(
        isinstance(option, kinds.Instance) and not option.module for kind in given for option in kinds.options(kind)
    )


def _may_give_tensor(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> bool:
    """Whether it is declared to give tensors, or is a function that says only of what it takes that it is a tensor."""
    if isinstance(info.node, ast.Lambda):
        return False
    if info.node.returns is None:
        declared = (arg.annotation for arg in info.node.args.args if arg.annotation is not None)
        return info.owner is None and any(map(_is_named_tensor, declared))
    return _holds_tensor(inspector, inspector.annotated(inspector.module_frame(module), info.node.returns))


def _is_named_tensor(annotation: ast.expr) -> bool:
    match annotation:
        case ast.Name(id="Tensor") | ast.Attribute(attr="Tensor"):
            return True
        case _:
            return False


def _does_give(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether a walk says that it gives tensors, if its declaration does not."""
    info = inspector.tree.function(function.key)
    if info is None or isinstance(info.node, ast.Lambda):
        return False
    if info.node.returns is not None:
        return True
    with inspector.silently():
        return _holds_tensor(inspector, run_root(inspector, function, Route()))


def _holds_tensor(inspector: Inspector, kind: Kind) -> bool:
    match kind:
        case kinds.Tensor():
            return True
        case kinds.Union(options=options):
            return any(_holds_tensor(inspector, option) for option in options)
        case kinds.Sequence(items=tuple(items)):
            return any(_holds_tensor(inspector, item) for item in items)
        case kinds.Sequence(item=held) | kinds.Dictionary(value=held):
            return _holds_tensor(inspector, held)
        case kinds.Instance(cls=cls):
            info = inspector.tree.class_(cls.key)
            module = inspector.tree.module(cls.key[0])
            if info is None or module is None or _NOT_LIBRARY.search(module.name):
                return False  # a sample of a data set holds tensors, too
            values = (binding for binding in info.attributes.values() if binding.annotation is not None)
            return any(kinds.tensor_part(inspector.module_value(module, binding)) is not None for binding in values)
        case _:
            return False


def accepted_by_siblings(
    inspector: Inspector, info: FunctionInfo, function: kinds.Function
) -> tuple[tuple[str, Kind], ...]:
    """Numbers that may be tensors as well, because the same method of sibling classes declares them so.

    Classes with a common base stand for each other: who calls `scheduler.step(output, t, sample)` does not know that
    this one's `t: int` is narrower than the `t: int | Tensor` of the others.
    """
    narrow = {name: kind for name, kind in inspector.declared(function).items() if kind in (kinds.INT, kinds.FLOAT)}
    found: list[tuple[str, Kind]] = []
    if not narrow or info.owner is None or (isinstance(function.receiver, kinds.Instance) and function.receiver.module):
        return ()
    method = info.qualname.rpartition(".")[2]
    for sibling in _siblings(inspector, info.owner, method):
        if not narrow:
            break
        key = sibling.methods.get(method)
        if key is None:
            continue
        declared = inspector.declared(kinds.Function(key, method, function.receiver))
        for name in [name for name in narrow if kinds.tensor_part(declared.get(name, UNKNOWN)) is not None]:
            number = narrow.pop(name)
            dtype: kinds.DType = "int" if number == kinds.INT else "float"
            found.append((name, kinds.join(number, kinds.Tensor(dtype, 0, parameter=True))))
    return tuple(found)


def _siblings(inspector: Inspector, owner: Key, method: str) -> Iterator[ClassInfo]:
    """The other classes of the project that name a base of this class as their own, and may have a method."""
    tree = inspector.tree
    bases = {
        base
        for base in classes.bases(inspector, kinds.ProjectClass(owner, ""))
        if isinstance(base, kinds.ProjectClass) and base.key[0] != owner[0]
    }
    names = {base.name for base in bases}
    heads = re.compile(rf"^[ \t]*class\b[^:]*\b(?:{'|'.join(map(re.escape, sorted(names)))})\b", re.MULTILINE)
    for file in sorted({file for base in bases for file in tree.importers(base.key[0])}):
        text = tree.text(file)
        if text is None or f"def {method}(" not in text.text or not heads.search(text.text):
            continue  # most importers have no such class, and need not be parsed to know it
        module = tree.module(file)
        for info in module.classes.values() if module is not None else ():
            if info.key != owner and any(isinstance(node, ast.Name) and node.id in names for node in info.node.bases):
                yield info
