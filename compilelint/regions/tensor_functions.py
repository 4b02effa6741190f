"""Functions of a library that take tensors and give tensors: what its users compile beside its modules.

A scheduler's `step`, a box operator, a graph utility: nothing in the library compiles them, as nothing compiles its
modules, and whoever compiles a training or sampling step compiles them with it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from compilelint.inspect import attributes, classes, kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.source.model import ClassInfo, FunctionInfo, ModuleIndex

_NOT_LIBRARY = re.compile(
    r"(^|/)(tests?|testing|examples?|scripts?|benchmarks?|docs?|tools?|cli|data|datasets?|dataloaders?|transforms?"
    r"|loaders?|metrics?|evaluat\w*|engine|apps|inferers?|handlers?|callbacks?|visuali[sz]ations?|plotting|io|conftest\.py|setup\.py|test_[^/]*|[^/]*_test\.py)(/|$)"
)
"""Places of code that runs around models: it reads data, draws, tests."""
_NOT_COMPUTATION = re.compile(
    r"^(set|load|save|read|write|from|plot|draw|show|print|log|init|reset|register|make|build|create|convert|prepare"
    r"|preprocess|postprocess|post_process|pre_process|collate|decode|encode|validate|check|test|train|fit|generate"
    r"|update|export|import|download|get|is|has)(_|$)"
)
"""How functions are called that prepare, inspect or store."""


def tensor_functions(inspector: Inspector, module: ModuleIndex) -> Iterator[kinds.Function]:
    """The public functions and methods of a package's module that are declared to take and to give tensors."""
    if "." not in module.dotted or _NOT_LIBRARY.search(module.name):
        return
    for info in list(module.functions.values()):
        if info.parent is None and _is_computation(info):
            function = _as_function(inspector, module, info)
            if function is not None and _takes_tensor(inspector, function) and _gives_tensor(inspector, module, info):
                yield function


def _is_computation(info: FunctionInfo) -> bool:
    names = info.qualname.split(".")
    if isinstance(info.node, ast.Lambda | ast.AsyncFunctionDef) or any(name.startswith("_") for name in names):
        return False
    return not _NOT_COMPUTATION.search(names[-1]) and info.node.returns is not None


def _as_function(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> kinds.Function | None:
    if info.owner is None:
        kind: Kind = inspector.definition(info.key)
    else:
        cls: ClassInfo | None = inspector.tree.class_(info.owner)
        if cls is None or cls.parent is not None:
            return None
        instance = inspector.instance(kinds.ProjectClass(cls.key, cls.name))
        decorators = classes.decorator_names(inspector, info.key)
        if instance.module or decorators & {"builtins.property", "abc.abstractmethod"}:
            return None
        kind = attributes.bound_method(inspector, info.key, instance)
    return kind if isinstance(kind, kinds.Function) else None


def _takes_tensor(inspector: Inspector, function: kinds.Function) -> bool:
    return any(isinstance(kind, kinds.Tensor) for kind in inspector.declared(function).values())


def _gives_tensor(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> bool:
    assert not isinstance(info.node, ast.Lambda)
    if info.node.returns is None:
        return False
    return _holds_tensor(inspector, inspector.annotated(inspector.module_frame(module), info.node.returns))


def _holds_tensor(inspector: Inspector, kind: Kind) -> bool:
    match kind:
        case kinds.Tensor():
            return True
        case kinds.Union(options=options):
            return any(_holds_tensor(inspector, option) for option in options)
        case kinds.Sequence(items=tuple(items)):
            return any(_holds_tensor(inspector, item) for item in items)
        case kinds.Sequence(item=item):
            return _holds_tensor(inspector, item)
        case kinds.Instance(cls=cls):
            info = inspector.tree.class_(cls.key)
            module = inspector.tree.module(cls.key[0])
            if info is None or module is None:
                return False
            values = (binding for binding in info.attributes.values() if binding.annotation is not None)
            return any(kinds.tensor_part(inspector.module_value(module, binding)) is not None for binding in values)
        case _:
            return False
