"""The `state_dict` of what `torch.compile` gives, whose keys all begin with `_orig_mod.`: saved, or to be loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds, signatures
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.queries import calls, text_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.starts.compiled_attributes import compiled_at
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import parameter_of, positional_names, walk
from compilelint.source.watched import says

_DECLARED = kinds.External("torch.nn.Module")
"""A module of which only that is declared; what keeps it may well keep a compiled one."""
_COPIES = (kinds.Reference("copy.copy"), kinds.Reference("copy.deepcopy"))
_SAVERS = ("torch.save", "safetensors.torch.save_file")


def of_compiled(scope: Scope) -> Iterator[Usage]:
    """`torch.save(compiled.state_dict(), …)`, also inside a dict, and what a plain module is to load; not in files that
    know about the prefix."""
    if "_orig_mod" in text_of(scope):
        return
    for saved, sureness in (*_saved(scope), *_loaded(scope)):
        for part in (node for value in _values(scope, saved) for node in walk(value)):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "state_dict":
                compiled = _compiled_inside(scope, part.func.value)
                if compiled is not None:
                    confidence = min(compiled[1], sureness)
                    yield Usage("state-dict-of-compiled", part, receiver=compiled[0], confidence=confidence)


def _compiled_inside(scope: Scope, module: ast.expr) -> tuple[kinds.External, Confidence] | None:
    """The compiled module that a module is, or that it wraps: `AveragedModel(compiled)` has it in its keys, too."""
    wrapped = kind_at(scope, module)
    if isinstance(wrapped, kinds.External) and wrapped.cls in signatures.WRAPPERS and wrapped.args:
        return scope_kinds.compiled_among(wrapped.args[0])
    return compiled_at(scope, module)


def _values(scope: Scope, saved: ast.expr) -> Iterator[ast.expr]:
    """What is saved; of a name what it got here, and what was put into it: `state["net"] = net.state_dict()`."""
    if not isinstance(saved, ast.Name):
        yield saved
        return
    found = scopes.binding_at(scope, saved.id, scopes.start_of(saved))
    if found is None or found[0] is not scope or found[1].value is None:
        return
    yield found[1].value
    since, until = found[1].since, scopes.start_of(saved)
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value) if (
                name == saved.id and since <= scopes.start_of(statement.node) <= until
            ):
                yield value


def _saved(scope: Scope) -> Iterator[tuple[ast.expr, Confidence]]:
    """What is written to a file, and how sure that is.

    The `state_dict` of a class that is no module, as of an agent or a trainer, is made to be saved; by whom is seldom
    seen.
    """
    for node in calls(scope):
        sureness = _saves(scope, node)
        if node.args and sureness is not None:
            yield node.args[0], sureness
        else:
            yield from ((given, Confidence.HIGH) for given in _saved_by(scope, node))
    if scope.owner is not None and not scope.owner.module and getattr(scope.node, "name", "") == "state_dict":
        for statement in scope.statements:
            if isinstance(statement.node, ast.Return) and statement.node.value is not None:
                yield statement.node.value, Confidence.MEDIUM


def _saved_by(scope: Scope, call: ast.Call) -> Iterator[ast.expr]:
    """What a function of the project is given that writes it to a file as it is: `write(step, model.state_dict())`."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not any(isinstance(each, ast.Name | ast.Call | ast.Dict) for each in given):
        return
    called = kind_at(scope, call.func)
    function = scope.inspector.tree.function(called.key) if isinstance(called, kinds.Function) else None
    module = scope.inspector.tree.module(called.key[0]) if isinstance(called, kinds.Function) else None
    if function is None or module is None or not says(function.node, module.lines, "torch.save"):
        return
    assert isinstance(called, kinds.Function)
    if "_orig_mod" in scope.inspector.tree.text_of(module):
        return
    names = positional_names(function.node.args)[1 if called.receiver is not None else 0 :]
    written = frozenset(_written_to_files(function.node))
    yield from (each for each in given if parameter_of(call, names, each) in written)


def _written_to_files(node: FunctionNode) -> Iterator[str]:
    """The names that `torch.save` writes in a function, themselves or as entries of a dict."""
    for part in walk(node):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="save"), args=[saved, *_]):
                entries = saved.values if isinstance(saved, ast.Dict) else [saved]
                yield from (entry.id for entry in entries if isinstance(entry, ast.Name))


def _loaded(scope: Scope) -> Iterator[tuple[ast.expr, Confidence]]:
    """What is loaded into a module that is not compiled, as a target network is: `target.load_state_dict(…)`."""
    for node in calls(scope):
        match node:
            case ast.Call(func=ast.Attribute(value=loading, attr="load_state_dict"), args=[given, *_]) if (
                state := _state_as_it_is(scope, given)
            ) is not None and _loads_as_it_is(scope, kind_by_callers(scope, loading)):
                yield state, Confidence.HIGH


def into_compiled(scope: Scope) -> Iterator[Usage]:
    """`compiled.load_state_dict(model.state_dict())`: what a module that is not compiled gives has no prefix."""
    if "_orig_mod" in text_of(scope):
        return
    for node in calls(scope):
        match node:
            case ast.Call(func=ast.Attribute(value=loading, attr="load_state_dict"), args=[given, *_]):
                state = _state_as_it_is(scope, given)
                compiled = compiled_at(scope, loading) if state is not None and _is_of_plain(scope, state) else None
                if compiled is not None:
                    yield Usage("names-of-compiled", node, receiver=compiled[0], confidence=compiled[1])


def _is_of_plain(scope: Scope, state: ast.expr) -> bool:
    """Whether a `state_dict()` surely is that of a module that is not compiled there."""
    match state:
        case ast.Call(func=ast.Attribute(value=module)):
            options = kinds.options(kind_at(scope, module))
            return compiled_at(scope, module) is None and all(
                _is_known_and_plain(option) and not _has_own(scope, option, "state_dict") for option in options
            )
        case _:
            return False


def _state_as_it_is(scope: Scope, given: ast.expr) -> ast.expr | None:
    """`model.state_dict()`, also a copy, or through a name under which no key is taken out:
    `state[key[10:]] = state.pop(key)`."""
    match given:
        case ast.Call(func=ast.Attribute(attr="state_dict")):
            return given
        case ast.Call(func=func, args=[copied]) if kind_at(scope, func) in _COPIES:
            return _state_as_it_is(scope, copied)
        case ast.Name(id=name):
            found = scopes.binding_at(scope, name, scopes.start_of(given))
            if found is None or found[0] is not scope or found[1].value is None or _takes_keys_out(scope, name):
                return None
            value = found[1].value
            return _state_as_it_is(scope, value) if isinstance(value, ast.Call) else None
        case _:
            return None


def _takes_keys_out(scope: Scope, name: str) -> bool:
    for node in walk(scope.node):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=taken_from), attr="pop" | "popitem" | "clear")) if (
                taken_from == name
            ):
                return True
            case ast.Subscript(value=ast.Name(id=taken_from), ctx=ast.Del()) if taken_from == name:
                return True
    return False


def _loads_as_it_is(scope: Scope, kind: Kind) -> bool:
    """Whether it is a plain module, with torch's own `load_state_dict`, if it is there at all."""
    options = [option for option in kinds.options(kind) if option != kinds.NONE]
    return bool(options) and all(
        _is_known_and_plain(option) and not _has_own(scope, option, "load_state_dict") for option in options
    )


def _is_known_and_plain(kind: Kind) -> bool:
    return scope_kinds.is_plain_module(kind) and kind != _DECLARED


def _has_own(scope: Scope, kind: Kind, method: str) -> bool:
    """Whether its class says itself what a method of every module does."""
    return isinstance(kind, kinds.Instance) and classes.find_method(scope.inspector, kind.cls, method) is not None


def _saves(scope: Scope, call: ast.Call) -> Confidence | None:
    """How sure it is that a call writes its first argument to a file; helpers go by their names."""
    if any(scope_kinds.is_reference(scope, call.func, saver) for saver in _SAVERS):
        return Confidence.HIGH
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if not name.lstrip("_").startswith("save"):
        return None
    helper = kind_at(scope, call.func)
    module = scope.inspector.tree.module(helper.key[0]) if isinstance(helper, kinds.Function) else None
    knows_the_prefix = module is not None and "_orig_mod" in scope.inspector.tree.text_of(module)
    return None if knows_the_prefix else Confidence.MEDIUM
