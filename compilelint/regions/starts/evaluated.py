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
from compilelint.inspect.members.attributes import GIVES_ITSELF
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_EVALUATES = ".eval()"
_TRAINS = re.compile(r"\btrain\(|\bfit\(|\bbackward\(|\boptim\b|Trainer|\.training = |\bautograd\b")
"""What trains, or hands a model to what may."""


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
            if target is not None and (_is_evaluating(value) or same in evaluated):
                evaluated.add(target)
            if same is not None and target in evaluated:
                evaluated.add(same)
    for call in calls:
        if _compiles(call) and (_is_evaluating(call) or _subject(call) in evaluated):
            span = span_of(module, call)
            yield span.line, span.column


def _subject(node: ast.expr) -> str | None:
    """The name of the object that an expression gives back: of `model.to(device)`, and of what compiles it."""
    within = _given_back(node)
    if within is not None:
        return _subject(within)
    return path_of(node) if isinstance(node, ast.Name | ast.Attribute) else None


def _is_evaluating(node: ast.expr) -> bool:
    """Whether what an expression gives back is put to evaluation in it: `torch.compile(Net().eval().cuda())`."""
    within = _given_back(node)
    return within is not None and (_puts_to_evaluation(node) or _is_evaluating(within))


def _given_back(node: ast.expr) -> ast.expr | None:
    """What a call compiles, or gives back as it is."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="compile"), args=[given, *_]):
            return given
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name == "compile" or name in GIVES_ITSELF:
            return owner
        case _:
            return None


def _puts_to_evaluation(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "eval"


def _compiles(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "compile"
