"""What a file compiles only to evaluate it: `model.eval()`, `torch.compile(model)`, and nothing there that trains.

There `self.training` is false in each call, so that what is done in training only is not compiled.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.frame import path_of, span_of
from compilelint.inspect.inspector import Inspector
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_EVALUATES = ".eval()"
_TRAINS = re.compile(r"\btrain\(|\bfit\(|\bbackward\(|\boptim\b|Trainer|\.training = |\bautograd\b")
"""What trains, or hands a model to what may."""
_GIVE_BACK = frozenset({"bfloat16", "compile", "cpu", "cuda", "eval", "float", "half", "requires_grad_", "to"})
"""Methods that give back the module, or stand for it."""


def as_evaluated(inspector: Inspector, module: ModuleIndex, compilation: Compilation) -> Compilation:
    """A compilation, with it said of its mode if what it compiles is evaluated only."""
    if _place(compilation) not in inspector.derived(
        ("evaluated in", module.name), lambda: frozenset(_evaluated(inspector, module))
    ):
        return compilation
    return replace(compilation, mode=replace(compilation.mode, evaluation=True))


def _place(compilation: Compilation) -> tuple[int, int]:
    return compilation.span.line, compilation.span.column


def _evaluated(inspector: Inspector, module: ModuleIndex) -> Iterator[tuple[int, int]]:
    """The places of the calls of a file that compile what it evaluates."""
    text = inspector.tree.text_of(module)
    if _EVALUATES not in text or _TRAINS.search(text):
        return
    nodes = list(walk(module.tree))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    evaluated = {_subject(call) for call in calls if _puts_to_evaluation(call)} - {None}
    pairs = [(path_of(target), node.value) for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
    known = -1
    while known < len(evaluated):  # `compiled = torch.compile(model)`, `compiled.eval()`: either name is the other's
        known = len(evaluated)
        for target, value in pairs:
            same = _subject(value)
            if target is not None and (_says_so(value) or same in evaluated):
                evaluated.add(target)
            if same is not None and target in evaluated:
                evaluated.add(same)
    for call in calls:
        if _compiles(call) and (_says_so(call) or _subject(call) in evaluated):
            span = span_of(module, call)
            yield span.line, span.column


def _subject(node: ast.expr) -> str | None:
    """The name of the object that an expression gives back: of `model.to(device)`, and of what compiles it."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="compile"), args=[given, *_]):
            return _subject(given)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _GIVE_BACK:
            return _subject(owner)
        case ast.Name() | ast.Attribute():
            return path_of(node)
        case _:
            return None


def _says_so(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) and _puts_to_evaluation(part) for part in walk(node))


def _puts_to_evaluation(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "eval" and not call.args


def _compiles(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "compile"
