"""Where a scope calls what is compiled: how, and in which loops."""

from __future__ import annotations

import ast
from typing import TypeAlias

from msgspec import Struct

from compilelint.regions.around import scopes
from compilelint.regions.around.compiled import Compiled, Target, compiled_callable
from compilelint.regions.around.forms_of_calls import forms_of_calls
from compilelint.regions.around.scopes import Scope, asked_once
from compilelint.source.nodes import parameter_of, positional_names

Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While


class Drive(Struct, frozen=True):
    """One call of a compiled callable."""

    call: ast.Call
    statement: scopes.Statement
    compiled: Compiled

    @property
    def loops(self) -> tuple[Loop, ...]:
        """The loops around the call, outermost first."""
        return loops_around(self.statement)

    @property
    def owner(self) -> ast.expr | None:
        """What stands before the dot, where that is what methods are called on."""
        is_method = any(target.receiver is not None for target in self.compiled.targets)
        return self.call.func.value if is_method and isinstance(self.call.func, ast.Attribute) else None

    def parameter(self, target: Target, argument: ast.expr) -> str | None:
        """The parameter of a target that an argument of this call goes to; None for what `*args` swallows."""
        if argument is self.owner:
            return next(iter(positional_names(target.node.args)), None) if target.receiver is not None else None
        return parameter_of(self.call, target.parameters(), argument)

    def swallowed_by(self, target: Target, argument: ast.expr) -> str | None:
        """The `*args` or `**kwargs` of a target that an argument of this call goes to."""
        spec, names = target.node.args, target.parameters()
        for keyword in self.call.keywords:
            if keyword.value is argument:
                named = keyword.arg is None or keyword.arg in (*names, *(arg.arg for arg in spec.kwonlyargs))
                return None if named or spec.kwarg is None else spec.kwarg.arg
        return spec.vararg.arg if spec.vararg is not None and self.parameter(target, argument) is None else None


def loops_around(statement: scopes.Statement) -> tuple[Loop, ...]:
    return tuple(node for node in statement.ancestors if isinstance(node, Loop))


@asked_once
def drives(scope: Scope) -> list[Drive]:
    """All calls of compiled callables that the scope itself makes, in order."""
    found = [
        Drive(call, statement, compiled)
        for statement, call in forms_of_calls(scope)
        if (compiled := compiled_callable(scope, call.func)) is not None
    ]
    return sorted(found, key=lambda drive: scopes.start_of(drive.call))
