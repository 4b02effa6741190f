"""DataLoaders that loops run over: where they are made, in a function, by its callers, or kept in an attribute."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct, structs

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.members import classes
from compilelint.regions.around import scopes
from compilelint.regions.around.callers import arguments_of_callers, is_parameter
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import FunctionDef, Scope
from compilelint.regions.around.users import calls_by_name
from compilelint.regions.changes.varying import bare_iterable
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import parameter_of, positional_names, walk

_OF_TENSORS = tuple(
    kinds.Reference(name) for name in ("torch.utils.data.TensorDataset", "torch.utils.data.dataset.TensorDataset")
)
_MADE_UP = {"rand": 0, "randn": 0, "zeros": 0, "ones": 0, "empty": 0, "full": 0, "randint": 2}
"""What makes tensors out of nothing, with the position of the first size; of `randint` that after both bounds."""
_LOADERS = ("torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader")


class Loader(Struct, frozen=True):
    """A call that makes a DataLoader, the function that makes it, and how sure it is that it is the one in question."""

    call: ast.Call
    function: str
    sure: Confidence = Confidence.HIGH
    fills: bool = False
    """Whether its data is seen to be a multiple of its batch, as that of a script which makes up its own mostly is."""


def loaders(scope: Scope, loop: ast.For) -> Iterator[Loader]:
    """The calls that made the DataLoader which a loop runs over: its own function's, those that call that, or those of
    the class that keeps it."""
    iterable = gone_through(loop)
    match iterable:
        case ast.Name(id=name) if isinstance(scope.node, FunctionDef) and is_parameter(scope, iterable):
            for caller, argument in arguments_of_callers(scope.inspector, scope.module.name, scope.node, name):
                loader = made_loader(caller, argument) if caller.module is scope.module else None
                if loader is not None:
                    yield loader
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == scope.self_name:
            yield from kept_loaders(scope, attr)
        case _ if (loader := made_loader(scope, iterable)) is not None:
            yield loader


def gone_through(loop: ast.For) -> ast.expr:
    """What a loop runs over, without what counts it or shows how far it is."""
    iterable = bare_iterable(loop.iter)
    match iterable:
        case ast.Call(func=ast.Name(id="enumerate"), args=[counted, *_]):
            return bare_iterable(counted)
        case _:
            return iterable


def made_loader(scope: Scope, iterable: ast.expr) -> Loader | None:
    """The call that made a DataLoader."""
    where = scope
    if isinstance(iterable, ast.Name):
        found = scopes.binding_at(scope, iterable.id, scopes.start_of(iterable))
        if found is None or found[1].value is None or found[1].iterated is not None:
            return None
        where, iterable = found[0], found[1].value
    if not isinstance(iterable, ast.Call) or where.module is not scope.module:
        return None
    if not _is_loader(kind_at(where, iterable.func)):
        return None
    return Loader(iterable, where.qualname, fills=_fills(where, iterable))


def kept_loaders(scope: Scope, attr: str) -> Iterator[Loader]:
    """The calls that made the DataLoader which the class of a method keeps in an attribute: in a method of it, or where
    an object of it is made (`Trainer(model, DataLoader(…))`)."""
    for info, value in _assigned(scope, attr):
        match value:
            case ast.Call(func=func) if _is_loader(scope.inspector.evaluate_globally(scope.module, func)):
                yield Loader(value, info.qualname)
            case ast.Name(id=name) if info.qualname.endswith(".__init__"):
                for caller, argument in _given_to_class(scope, info, name):
                    loader = made_loader(caller, argument) if caller.module is scope.module else None
                    if loader is not None:
                        yield structs.replace(loader, sure=Confidence.MEDIUM)


def is_ragged(loader: Loader) -> bool:
    """Whether a DataLoader ends with what is left over, unless the size of the data happens to be a multiple."""
    made = loader.call
    given = {keyword.arg for keyword in made.keywords}
    if loader.fills or None in given or "drop_last" in given or "batch_sampler" in given or len(made.args) > 2:
        return False
    size = _argument(made, 1, "batch_size")
    return size is not None and not (isinstance(size, ast.Constant) and size.value in (None, 1))


def _fills(scope: Scope, loader: ast.Call) -> bool:
    data, size = _argument(loader, 0, "dataset"), _argument(loader, 1, "batch_size")
    rows = _rows(scope, data) if data is not None and size is not None else None
    batch = _whole_number(scope, size) if size is not None else None
    return bool(rows and batch and rows % batch == 0)


def _rows(scope: Scope, data: ast.expr) -> int | None:
    """How many there are in a data set of tensors that are made up, `TensorDataset(torch.randn(1024, 8), …)`, or in
    such a tensor itself."""
    where, made = _made(scope, data)
    if made is not None and made.args and kind_at(where, made.func) in _OF_TENSORS:
        where, made = _made(where, made.args[0])
    match made:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=args) if name in _MADE_UP:
            sizes = args[_MADE_UP[name] :]
            first = sizes[0] if sizes else None
            if isinstance(first, ast.Tuple | ast.List):
                first = first.elts[0] if first.elts else None
            return _whole_number(where, first) if first is not None else None
    return None


def _made(scope: Scope, node: ast.expr) -> tuple[Scope, ast.Call | None]:
    """The call that made a value, and where that stands."""
    if isinstance(node, ast.Name):
        found = scopes.binding_at(scope, node.id, scopes.start_of(node))
        if found is None or found[1].value is None or found[1].iterated is not None:
            return scope, None
        scope, node = found[0], found[1].value
    return scope, node if isinstance(node, ast.Call) else None


def _whole_number(scope: Scope, node: ast.expr) -> int | None:
    kind = kind_at(scope, node)
    return kind.value if isinstance(kind, kinds.Const) and type(kind.value) is int else None


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    if len(call.args) > position:
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def loops_around_method(scope: Scope) -> Iterator[ast.For]:
    """The loops over what the class keeps in which another method of it calls this one: `self.train_step(batch)`."""
    name = scope.qualname.rpartition(".")[2]
    for info in _own_methods(scope):
        own = first_parameter(info.node)
        for loop in walk(info.node):
            if isinstance(loop, ast.For) and _is_kept(gone_through(loop), own) and _calls(loop, own, name):
                yield loop


def _is_kept(iterable: ast.expr, own: str | None) -> bool:
    return isinstance(iterable, ast.Attribute) and isinstance(iterable.value, ast.Name) and iterable.value.id == own


def _calls(loop: ast.For, own: str | None, name: str) -> bool:
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == name
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == own
        for statement in loop.body
        for node in walk(statement)
    )


def _own_methods(scope: Scope) -> Iterator[FunctionInfo]:
    """The methods of the class of a method that stand in the same file."""
    if scope.owner is not None:
        yield from (
            info for info in classes.methods(scope.inspector, scope.owner.cls) if info.key[0] == scope.module.name
        )


def _assigned(scope: Scope, attr: str) -> Iterator[tuple[FunctionInfo, ast.expr]]:
    for info in _own_methods(scope):
        own = first_parameter(info.node)
        for node in walk(info.node):
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=receiver), attr=name)], value=value) if (
                    receiver == own and name == attr
                ):
                    yield info, value


def _given_to_class(scope: Scope, init: FunctionInfo, parameter: str) -> Iterator[tuple[Scope, ast.expr]]:
    """The arguments that go to a parameter of `__init__` where objects of the class are made, each with where."""
    if scope.owner is None or isinstance(init.node, ast.Lambda):
        return
    names = positional_names(init.node.args)[1:]
    for caller, call in calls_by_name(scope.inspector, scope.module.name, scope.owner.cls.name):
        made = kind_at(caller, call.func)
        if isinstance(made, kinds.ProjectClass) and made.key == scope.owner.cls.key:
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                if parameter_of(call, names, argument) == parameter:
                    yield caller, argument


def _is_loader(kind: kinds.Kind) -> bool:
    return isinstance(kind, kinds.Reference) and kind.name in _LOADERS
