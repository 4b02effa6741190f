"""A `try` around `torch.compile`, for failures that come with the first call, outside of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import Function, Reference
from compilelint.regions.around import scopes
from compilelint.regions.around.in_place import MODULE_COMPILE, in_place_target
from compilelint.regions.around.queries import compile_calls, text_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

_COMPILE = "torch.compile"
_ALL_ERRORS = ("builtins.Exception", "builtins.BaseException", "torch._dynamo.exc.TorchDynamoException")
_ERRORS_OF_CALLS = ("torch._dynamo.exc.", "torch._inductor.exc.")
_ERRORS_AT_ONCE = ("torch._dynamo.exc.InvalidBackend", "torch._dynamo.exc.TorchDynamoException")
_CHECKED_AT_ONCE = ("backend", "mode", "options", None)
"""What `torch.compile` itself refuses if it is wrong; None stands for `**options`."""
_BACKENDS = ("inductor", "eager", "aot_eager", "cudagraphs")
"""Those that every torch has: of others `torch.compile` itself says that they are not installed."""
_OF_COMPILING = re.compile(r"compil", re.IGNORECASE)
_FAILED = re.compile(
    r"\bfail|could(?: not|n't)|cannot|can't|unable|\berror|fall(?:ing)?[ -]?back|\beager|uncompiled|without compil",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"support|install|requires?\b|(?:torch|python|cuda|your|newer|older) version|python|windows|triton"
    r"|torch ?[<>=2]|available",
    re.IGNORECASE,
)
"""What is not there is found missing at once, at least in part: a Python that is too new, an old torch, a backend."""


def _failure_uncaught(scope: Scope) -> Iterator[Usage]:
    if not any(isinstance(ancestor, ast.Try) for statement, _ in scope.calls for ancestor in statement.ancestors):
        return
    if "suppress_errors" in text_of(scope):
        return  # Failures of backends are not raised then.
    compiling = {id(call) for call in compile_calls(scope)}
    seen: set[int] = set()
    for statement, call in scope.calls:
        if id(call) not in compiling:
            continue
        guard = _guard(scope, statement)
        if guard is None or id(guard) in seen or not _is_kept(scope, statement.node, call):
            continue
        confidence = _confidence(scope, guard, call)
        if confidence is not None and not _is_used_inside(scope, guard, statement, call):
            seen.add(id(guard))
            callee = MODULE_COMPILE if in_place_target(scope, call) is not None else _COMPILE
            yield Usage("failure-uncaught", call, callee, confidence=confidence)


def _guard(scope: Scope, statement: Statement) -> ast.Try | None:
    """The innermost `try` in whose body a statement stands, and that catches whatever may be raised in it."""
    for node in reversed(statement.ancestors):
        if not isinstance(node, ast.Try) or scopes.start_of(statement.node) >= scopes.end_of(node.body[-1]):
            continue
        if any(_catches_all(scope, handler) or _catches_calls(scope, handler) for handler in node.handlers):
            return node
    return None


def _catches_all(scope: Scope, handler: ast.ExceptHandler) -> bool:
    return handler.type is None or any(name in _ALL_ERRORS for name in _caught(scope, handler.type))


def _catches_calls(scope: Scope, handler: ast.ExceptHandler) -> bool:
    """Whether it names errors that only a call of what was compiled raises."""
    return handler.type is not None and any(
        name.startswith(_ERRORS_OF_CALLS) and name not in _ERRORS_AT_ONCE for name in _caught(scope, handler.type)
    )


def _caught(scope: Scope, node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    found = [kind_at(scope, part) for part in parts]
    return [kind.name for kind in found if isinstance(kind, Reference)]


def _is_kept(scope: Scope, node: ast.stmt, call: ast.Call) -> bool:
    """Whether the statement does no more with the result than to keep it: `self.f = …`, `return …`, `setattr(…)`."""
    match node:
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.Return(value=value) if value is call:
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[_, _, value])) if value is call:
            return True
        case ast.Expr(value=value):
            return value is call and in_place_target(scope, call) is not None
        case _:
            return False


def _confidence(scope: Scope, guard: ast.Try, call: ast.Call) -> Confidence | None:
    """How surely the `try` is there for compilations that fail; None if it is for something else."""
    if any(isinstance(part, ast.Import | ast.ImportFrom) for stmt in guard.body for part in walk(stmt)):
        return None
    goes_on = [handler for handler in guard.handlers if not isinstance(handler.body[-1], ast.Raise)]
    if any(_catches_calls(scope, handler) for handler in goes_on):
        return Confidence.HIGH
    told = [_texts(handler) for handler in goes_on if _catches_all(scope, handler)]
    if not told or any(_MISSING.search(text) for text in told):
        return None
    if any(_OF_COMPILING.search(text) and _FAILED.search(text) for text in told):
        return Confidence.HIGH if _is_valid(scope, call) else Confidence.MEDIUM
    alone = all(isinstance(stmt, ast.Assign | ast.Return | ast.Expr) for stmt in guard.body) and len(guard.body) <= 2
    return Confidence.LOW if alone and _is_valid(scope, call) else None


def _texts(handler: ast.ExceptHandler) -> str:
    """All that a handler says, to users or in a log; what it tries next is another matter."""
    return " ".join(
        part.value
        for stmt in handler.body
        if not isinstance(stmt, ast.Try)
        for part in walk(stmt)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def _is_valid(scope: Scope, call: ast.Call) -> bool:
    """Whether source tells all of what `torch.compile` looks at itself: nothing else can fail at once."""
    for keyword in call.keywords:
        if keyword.arg not in _CHECKED_AT_ONCE:
            continue
        match keyword:
            case ast.keyword(arg="backend", value=ast.Constant(value=value)):
                if value not in _BACKENDS:
                    return False
            case ast.keyword(arg="backend", value=value):
                if not isinstance(kind_at(scope, value), Function):
                    return False
            case ast.keyword(arg=str(), value=ast.Constant()):
                continue
            case _:
                return False
    return True


def _is_used_inside(scope: Scope, guard: ast.Try, statement: Statement, call: ast.Call) -> bool:
    """Whether a call of what was compiled stands in a `try`, too: this one, or another one of the file."""
    name = _name_of(scope, statement.node, call)
    after = scopes.end_of(statement.node)
    rest = [*guard.body, *guard.orelse, *guard.finalbody]
    own_methods = scope.self_name if name.partition(".")[0] == scope.self_name else None
    later = [part for part in _calls_in(rest) if scopes.start_of(part) >= after]
    if any(_uses(part, name, own_methods) for part in later):
        return True
    elsewhere = frozenset(_names_of_result(scope, statement.node, name))
    around = scope.module.tree.body if "." in name or elsewhere else scope.node.body
    tries = (node for stmt in around for node in walk(stmt) if isinstance(node, ast.Try) and node is not guard)
    return any(_calls(part, each) for node in tries for part in _calls_in(node.body) for each in (name, *elsewhere))


def _names_of_result(scope: Scope, node: ast.stmt, name: str) -> Iterator[str]:
    """How those who call the function write what it compiled, if it hands that back: `step = get_step(options)`."""
    if isinstance(scope.node, ast.Module):
        return
    returned = (part.value for part in walk(scope.node) if isinstance(part, ast.Return) and part.value is not None)
    if not isinstance(node, ast.Return) and name not in map(ast.unparse, returned):
        return
    for part in walk(scope.module.tree):
        match part:
            case ast.Assign(
                targets=[ast.Name() | ast.Attribute() as target],
                value=ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)),
            ) if called == scope.node.name:
                yield ast.unparse(target)


def _name_of(scope: Scope, node: ast.stmt, call: ast.Call) -> str:
    """How the file writes what was compiled; "" where it is handed back at once."""
    match node:
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
            return ast.unparse(target)
        case ast.Expr() if (compiled := in_place_target(scope, call)) is not None:
            return ast.unparse(compiled)
        case _:
            return ""


def _calls_in(body: list[ast.stmt]) -> Iterator[ast.Call]:
    return (part for stmt in body for part in walk(stmt) if isinstance(part, ast.Call))


def _uses(call: ast.Call, name: str, own_methods: str | None) -> bool:
    """Whether it calls what has this name, or hands it to somebody who may; a method of `self` may, too."""
    match call.func:
        case ast.Name(id="setattr"):
            return False
        case ast.Attribute(attr="compile"):
            return False
        case ast.Attribute(value=ast.Name(id=owner)) if owner == own_methods:
            return True
    return _calls(call, name) or any(
        isinstance(part, ast.Name | ast.Attribute) and ast.unparse(part) == name
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        for part in walk(argument)
    )


def _calls(call: ast.Call, name: str) -> bool:
    called = ast.unparse(call.func)
    return bool(name) and (called == name or (called.startswith(f"{name}.") and not called.endswith(".compile")))


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_failure_uncaught,)
