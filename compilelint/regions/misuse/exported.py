"""Other tracers, which refuse what torch compiles: `torch.jit.trace(compiled, x)`, `writer.add_graph(compiled, x)`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.around import scopes
from compilelint.regions.around.queries import compiled_in_place, is_constant
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, expects_error
from compilelint.regions.starts.compiled_attributes import compiled_at
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence

CONSTRUCT = "export-of-compiled"
_SCRIPT = "torch.jit.script"
_TRACERS = frozenset({"torch.jit.trace", "torch.jit.trace_module", "torch.fx.symbolic_trace", _SCRIPT})
_ONNX = "torch.onnx.export"
_ADD_GRAPH = "add_graph"
_READS_CODE = frozenset({_SCRIPT, "torch.fx.symbolic_trace"})
"""What looks at a module's own `forward`, which one that is compiled in place still has."""


def _exported(scope: Scope) -> Iterator[Usage]:
    in_place = compiled_in_place(scope)
    for statement, call in scope.calls:
        if not call.args or expects_error(statement):
            continue
        tracer = _tracer(scope, call)
        if tracer is None:
            continue
        found = _compiled(scope, call.args[0], {} if tracer in _READS_CODE else in_place)
        if found is not None:
            yield Usage(CONSTRUCT, call, tracer, found[0], found[1])


def _tracer(scope: Scope, call: ast.Call) -> str | None:
    if not isinstance(call.func, ast.Attribute | ast.Name):
        return None
    if isinstance(call.func, ast.Attribute) and call.func.attr == _ADD_GRAPH:
        match kind_at(scope, call.func.value):
            case kinds.External(cls=cls) if cls.rpartition(".")[2] == "SummaryWriter":
                return f"{cls}.{_ADD_GRAPH}"
        return None
    match kind_at(scope, call.func):
        case kinds.Reference(name=name) if name in _TRACERS or (name == _ONNX and _is_traced(call)):
            return name
        case _:
            return None


def _is_traced(call: ast.Call) -> bool:
    """Whether what is exported is traced by TorchScript, as no torch does by default any more."""
    return any(each.arg == "dynamo" and is_constant(each.value, False) for each in call.keywords)


def _compiled(scope: Scope, node: ast.expr, in_place: dict[str, scopes.Position]) -> tuple[Kind, Confidence] | None:
    since = in_place.get(ast.unparse(node)) if in_place else None
    if since is not None and since < scopes.start_of(node):
        return kind_at(scope, node), Confidence.HIGH
    return compiled_at(scope, node)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_exported,)
