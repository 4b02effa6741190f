"""What a file does with what it compiles: results that are lost, calls that go past them or cannot work.

Each is an event of type "compile", whose `construct` says what happens. These events lie around the
regions, not in them; rules match them as they match all others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.events import Event, Mode, Place
from compilelint.inspect.frame import source_of, span_of
from compilelint.inspect.inspector import Inspector
from compilelint.regions.around import handed_on, in_place, scope_kinds, scopes
from compilelint.regions.around.in_place import MODULE_COMPILE
from compilelint.regions.around.queries import compile_calls, is_constant
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement, expects_error
from compilelint.regions.changes import (
    arguments,
    between_calls,
    closures,
    instance_floats,
    layer_options,
    made_functions,
    per_instance,
    toggles,
    training,
)
from compilelint.regions.gradients import between_outputs, double_backward
from compilelint.regions.misuse import (
    bypass,
    copies,
    disabled,
    exported,
    flex,
    idle_guards,
    looked_up_names,
    marks,
    module_hooks,
    names_of_parts,
    options,
    overridden,
    per_call,
    recurrent,
    repetition,
    resets,
    switches,
    transforms,
    wrapper_use,
    wrappers_of_ranks,
)
from compilelint.regions.starts.prose import without_prose
from compilelint.regions.usage import Usage
from compilelint.source.index import node_key
from compilelint.source.lines import lines_with
from compilelint.source.model import Key, ModuleIndex
from compilelint.source.nodes import walk

COMPILE = "torch.compile"
_MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "lite")
_DISABLING = ("torch.compiler.disable", "torch._dynamo.disable")
_WORDS = ("compile", ".disable", "suppress_errors", "_dynamo", "DYNAMO", "flex_attention")
_ABOUT_COMPILATION = re.compile(
    r"(?<!\bre)(?<!\bregex)\.compile\b|\bimport\b.*\bcompile\b|\.(?:disable|suppress_errors) *=|\b_dynamo\b"
    r"|\.compiler\b(?!\.is_(?:dynamo_)?compiling\b)|TORCHDYNAMO|(?<!['\"])flex_attention"
)
"""What every file says that compiles something, on a line with one of the words; all others are not looked at."""
_ROOMS = (
    in_place,
    bypass,
    names_of_parts,
    looked_up_names,
    per_instance,
    instance_floats,
    repetition,
    arguments,
    closures,
    made_functions,
    between_calls,
    between_outputs,
    layer_options,
    toggles,
    training,
    copies,
    wrapper_use,
    exported,
    overridden,
    per_call,
    wrappers_of_ranks,
    recurrent,
    marks,
    switches,
    resets,
    disabled,
    options,
    module_hooks,
    flex,
    transforms,
    idle_guards,
    double_backward,
)
"""The modules that find more."""
_OF_HANDED: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    *bypass.OF_WRAPPERS,
    *names_of_parts.FINDERS,
    *looked_up_names.FINDERS,
    *wrapper_use.FINDERS,
    *exported.FINDERS,
    *overridden.FINDERS,
    *arguments.FINDERS,
    *between_calls.FINDERS,
    *closures.FINDERS,
    *made_functions.FINDERS,
    *layer_options.FINDERS,
    *toggles.FINDERS,
    *double_backward.FINDERS,
    *between_outputs.FINDERS,
    *training.OF_HANDED,
)
"""What is found in functions, too, that something compiled is handed to."""
_SWITCHES = {"disable": "config-disabled", "suppress_errors": "errors-suppressed"}


def _may_compile(module: ModuleIndex, text: str) -> bool:
    """Whether a file says anything about compiling, not only in prose; most do not, and need not be looked at."""
    return _is_about_compilation(text) and _is_about_compilation(without_prose(module))


def _is_about_compilation(text: str) -> bool:
    return any(_ABOUT_COMPILATION.search(line) for word in _WORDS for line in lines_with(word, text))


def wrapping_events(inspector: Inspector, module: ModuleIndex, inside: Container[Key] = frozenset()) -> Iterator[Event]:
    """All that the file itself shows of lost, bypassed, repeated and invalid compilations, in order.

    What functions call that are `inside` of what is compiled runs compiled with them, past a wrapper or not.
    """
    if not _may_compile(module, inspector.tree.text_of(module)):
        return
    own = list(scopes.scopes(inspector, module))
    found = [
        (scope, usage)
        for scope in own
        for finder in (*_FINDERS, *(finder for room in _ROOMS for finder in room.FINDERS))
        for usage in finder(scope)
    ]
    found += _where_handed(inspector, own, {(usage.construct, id(usage.node)) for _, usage in found})
    for scope, usage in sorted(found, key=lambda pair: scopes.start_of(pair[1].node)):
        if usage.construct not in bypass.UNCOMPILED or node_key(scope.module.name, scope.node) not in inside:
            yield _event(scope, usage)


def _where_handed(inspector: Inspector, own: list[Scope], known: set[tuple[str, int]]) -> Iterator[tuple[Scope, Usage]]:
    """What the functions do with it that these scopes hand something compiled."""
    for scope in handed_on.handed_scopes(inspector, own):
        for finder in _OF_HANDED:
            for usage in finder(scope):
                if (usage.construct, id(usage.node)) not in known:
                    known.add((usage.construct, id(usage.node)))
                    yield scope, usage


def _event(scope: Scope, usage: Usage) -> Event:
    module = usage.module or scope.module
    qualname = usage.function or scope.qualname
    return Event(
        "compile",
        span_of(module, usage.node),
        Place(module.name, qualname, (qualname,), Mode()),
        usage.callee,
        usage.construct,
        usage.receiver,
        confidence=usage.confidence,
        source=usage.source or source_of(module, usage.node),
        use=usage.use,
        used_in=usage.used_in,
    )


# Results that are lost


def _discarded(scope: Scope) -> Iterator[Usage]:
    for statement in scope.statements:
        node = statement.node
        if isinstance(node, ast.Expr) and not expects_error(statement):
            target = scope_kinds.compile_target(scope, node.value)
            if target is not None and not _only_asks(statement, target):
                yield Usage("discarded", node.value, COMPILE, kind_at(scope, target))


def _only_asks(statement: Statement, target: ast.expr) -> bool:
    """Whether a call asks no more than whether this torch compiles: nobody could have called what is written there, or
    what is made there where it may fail (`try: torch.compile(Identity())`)."""
    may_fail = any(isinstance(ancestor, ast.Try) and ancestor.handlers for ancestor in statement.ancestors)
    return isinstance(target, ast.Lambda) or (may_fail and isinstance(target, ast.Call))


def _rebound(scope: Scope) -> Iterator[Usage]:
    """`self = torch.compile(self)`, `for layer in layers: layer = torch.compile(layer)`, never read again."""
    for statement in scope.statements:
        node = statement.node
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
            continue
        name, target = node.targets[0].id, scope_kinds.compile_target(scope, node.value)
        if not isinstance(target, ast.Name) or target.id != name or _is_read(scope, name, scopes.end_of(node)):
            continue
        if name == scope.self_name:
            yield Usage("rebound-self", node.value, COMPILE, kind_at(scope, target))
        elif any(_is_loop_over(ancestor, name) for ancestor in statement.ancestors):
            yield Usage("rebound-loop-variable", node.value, COMPILE, kind_at(scope, target))


def _is_loop_over(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.For) and any(
        isinstance(part, ast.Name) and part.id == name for part in walk(node.target)
    )


def _original_called(scope: Scope) -> Iterator[Usage]:
    """The result has a name of its own that nobody reads, and what was compiled is called afterwards."""
    exported = _names_in(scope, ast.Global, ast.Nonlocal)
    for statement in scope.statements:
        node = statement.node
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
            continue
        name, target = node.targets[0].id, scope_kinds.compile_target(scope, node.value)
        if not isinstance(target, ast.Name) or target.id == name or name in exported:
            continue
        if not _is_read(scope, name) and _is_called(scope, target.id, scopes.end_of(node)):
            yield Usage("original-called", node.value, COMPILE, kind_at(scope, target))


def _names_in(scope: Scope, *types: type[ast.Global] | type[ast.Nonlocal]) -> set[str]:
    return {
        name for statement in scope.statements if isinstance(statement.node, types) for name in statement.node.names
    }


def _is_called(scope: Scope, name: str, since: scopes.Position) -> bool:
    """Whether the scope's own statements call a name after a place; functions in it may run at any time."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and scopes.start_of(node) >= since
        for statement in scope.statements
        for node in statement.expressions
    )


def _is_read(scope: Scope, name: str, since: scopes.Position = (0, 0)) -> bool:
    """Whether a name is read after a place, in the scope or in the functions inside it."""
    return any(
        isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Load)
        and scopes.start_of(node) >= since
        for part in scope.node.body
        for node in walk(part)
    )


# Calls that cannot work, and switches


def _invalid(scope: Scope) -> Iterator[Usage]:
    asked = [
        statement.node.value
        for statement in scope.statements
        if isinstance(statement.node, ast.Expr)
        and (target := scope_kinds.compile_target(scope, statement.node.value)) is not None
        and _only_asks(statement, target)
    ]
    for call in compile_calls(scope):
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        callee = COMPILE if scope_kinds.is_reference(scope, call.func, COMPILE) else MODULE_COMPILE
        mode, backend = keywords.get("mode"), keywords.get("backend")
        if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
            if mode.value not in _MODES and (backend is None or is_constant(backend, "inductor")):
                yield Usage("unknown-mode", call, callee)
            if isinstance(keywords.get("options"), ast.Dict):
                yield Usage("mode-and-options", call, callee)
        if callee == COMPILE and len(call.args) > 1 and not any(isinstance(arg, ast.Starred) for arg in call.args):
            yield Usage("positional-options", call, callee)
        if is_constant(keywords.get("disable"), True) and call not in asked:
            yield Usage("disabled", call, callee)


def _decorator_orders(scope: Scope) -> Iterator[Usage]:
    """`torch.compile` above a descriptor fails; `disable` above `torch.compile` wins."""
    for statement in scope.statements:
        for function in _functions_in(statement.node):
            names = [_decorator_name(scope, node) for node in function.decorator_list]
            for position, name in enumerate(names):
                if name != COMPILE:
                    continue
                decorator = function.decorator_list[position]
                if names[position + 1 : position + 2] in (["builtins.classmethod"], ["builtins.property"]):
                    yield Usage("descriptor", decorator, COMPILE, function=_qualname(statement, function))
                if any(above in _DISABLING for above in names[:position]):
                    yield Usage(
                        "disabled-function",
                        decorator,
                        COMPILE,
                        function=_qualname(statement, function),
                    )


def _functions_in(node: ast.stmt) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    body = node.body if isinstance(node, ast.ClassDef) else [node]
    return [part for part in body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]


def _qualname(statement: Statement, function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    owner = f"{statement.node.name}." if isinstance(statement.node, ast.ClassDef) else ""
    return f"{owner}{function.name}"


def _decorator_name(scope: Scope, node: ast.expr) -> str:
    kind = kind_at(scope, node.func if isinstance(node, ast.Call) else node)
    return kind.name if isinstance(kind, kinds.Reference) else ""


def _switches(scope: Scope) -> Iterator[Usage]:
    """`torch._dynamo.config.disable = True`, where no `if` decides about it."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=base, attr=attr)], value=value):
                if attr not in _SWITCHES or not is_constant(value, True):
                    continue
                if any(isinstance(ancestor, ast.If) for ancestor in statement.ancestors):
                    continue
                if kind_at(scope, base) == kinds.Reference("torch._dynamo.config"):
                    yield Usage(_SWITCHES[attr], statement.node, f"torch._dynamo.config.{attr}")


_FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _discarded,
    _rebound,
    _original_called,
    _invalid,
    _decorator_orders,
    _switches,
)
