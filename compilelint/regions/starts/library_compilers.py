"""What a library compiles for the program, which asks for it by an option.

`Trainer(model, TrainingArguments(torch_compile=True))` of transformers, and of what builds on it; `Accelerator(
dynamo_backend="inductor").prepare(model)` of accelerate; `model.generate(cache_implementation="static")`, which
compiles the `forward` of the model (on a GPU).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.events import Mode
from compilelint.inspect.frame import source_of, span_of
from compilelint.inspect.inspector import Inspector
from compilelint.regions.around.scope_kinds import is_module, kind_at
from compilelint.regions.around.scopes import Scope, scopes
from compilelint.regions.starts.origins import is_of
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_OF_TRAINERS = frozenset({"torch_compile", "torch_compile_backend", "torch_compile_mode"})
_OF_ACCELERATE = frozenset({"dynamo_backend", "dynamo_plugin"})
_OF_GENERATE = "cache_implementation"
_STATIC = ("static", "offloaded_static")
_OFF = (False, None, "no", "")
_TRAINERS = ("transformers.", "trl.")


def may_ask(text: str) -> bool:
    """Whether a file's text has one of the options at all."""
    return "torch_compile" in text or "dynamo_" in text or _OF_GENERATE in text


def compiled_by_libraries(inspector: Inspector, module: ModuleIndex) -> Iterator[Compilation]:
    """The models that a file hands to a library, which it asks to compile them.

    Which of a file's trainers gets the option is not looked at: a script has one.
    """
    asked = frozenset(_options(module))
    if not asked:
        return
    for scope in scopes(inspector, module):
        for _, call in scope.calls:
            for model in _handed_over(scope, call, asked):
                kind = kind_at(scope, model)
                if any(map(is_module, kinds.options(kind))):  # `from_pretrained` may give more than the model
                    span, source = span_of(module, call), source_of(module, call)
                    yield Compilation(module.name, scope.qualname, span, source, kind, Mode())


def _options(module: ModuleIndex) -> Iterator[str]:
    """The options that a file gives a value which asks for compiling."""
    for node in walk(module.tree):
        match node:
            case ast.keyword(arg=str(name), value=value) if _asks(name, value):
                yield name
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name not in _OF_ACCELERATE and _asks(
                name, value
            ):
                yield name


def _asks(option: str, value: ast.expr) -> bool:
    """Whether an option with this value has a model compiled; one that only the run knows may."""
    if option == _OF_GENERATE:
        return isinstance(value, ast.Constant) and value.value in _STATIC
    is_off = isinstance(value, ast.Constant) and value.value in _OFF
    return option in _OF_TRAINERS | _OF_ACCELERATE and not is_off


def _handed_over(scope: Scope, call: ast.Call, asked: frozenset[str]) -> Iterator[ast.expr]:
    if asked & _OF_TRAINERS and _is_trainer(scope, call.func):
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "model")
        yield from call.args[:1]
    match call.func:
        case ast.Attribute(attr="prepare" | "prepare_model") if asked & _OF_ACCELERATE:
            yield from call.args
        case ast.Attribute(value=model, attr="generate") if _OF_GENERATE in asked:
            yield model


def _is_trainer(scope: Scope, node: ast.expr) -> bool:
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    match kind_at(scope, node):
        case kinds.Reference(name=name):
            return name.startswith(_TRAINERS) and name.endswith("Trainer")
        case kinds.ProjectClass() as cls:
            # A class that a script derives from one of them has any name.
            return is_of(scope.inspector, cls, _TRAINERS) and not scope.inspector.instance(cls).module
        case _:
            return False
