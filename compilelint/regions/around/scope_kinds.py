"""What an expression stands for at a place in a scope."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from compilelint.inspect import kinds, names, signatures
from compilelint.inspect.calling.calls import Call, call_kind
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import made_options, named_tuples
from compilelint.inspect.members.attributes import OPTIMIZED_MODULE, made_by
from compilelint.inspect.members.objects import is_object
from compilelint.regions.around.scopes import Bound, Position, Scope, alternatives, binding_at, last_seen, start_of
from compilelint.regions.starts.prose import may_compile
from compilelint.report.confidence import Confidence
from compilelint.source.index import flat_statements
from compilelint.source.nodes import walk
from compilelint.source.watched import says

_KEEPS_MODULE = frozenset(
    {"to", "cuda", "cpu", "half", "float", "double", "bfloat16", "eval", "train", "requires_grad_", "apply"}
)
_COMPILE = kinds.Reference("torch.compile")
_CONTAINERS = ("torch.nn.ModuleList", "torch.nn.Sequential")
_CALLS_OF_MAKER = 3
"""How deep calls may nest in what makes an object: `build(options)`, `build_from(name, options)`, `Net(options)`."""


def kind_at(scope: Scope, node: ast.expr, position: Position | None = None) -> Kind:
    """The kind of an expression, with the values that names have at `position` (else: where it stands)."""
    position = start_of(node) if position is None else position
    if scope.depth:
        return _nested_kind(scope, node, position)
    # Some twenty finders ask for the same. What is asked on the way to something else may have gone too deep.
    known: Kind | None = scope.answers.get((node, position))
    if known is None:
        known = scope.answers[node, position] = _nested_kind(scope, node, position)
    return known


def _nested_kind(scope: Scope, node: ast.expr, position: Position) -> Kind:
    if scope.depth > 40:
        return UNKNOWN
    scope.depth += 1
    try:
        return _kind(scope, node, position)
    finally:
        scope.depth -= 1


def _kind(scope: Scope, node: ast.expr, position: Position) -> Kind:
    match node:
        case ast.Name(id=name):
            return _name_kind(scope, name, position)
        case ast.Attribute() if (before := _before_assigned(scope, node, position)) is not None:
            return before
        case ast.Attribute(attr=attr) if scope.given and attr not in scope.held and ast.unparse(node) in scope.given:
            return scope.given[ast.unparse(node)]
        case ast.Attribute(value=value, attr=attr):
            return scope.inspector.attribute(kind_at(scope, value, position), attr)
        case ast.Subscript(value=value, slice=index):
            return _under_key(kind_at(scope, value, position), index)
        case ast.Call():
            return _call_kind(scope, node, position)
        case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
            return kinds.Sequence("list", kinds.shallow(kind_at(scope, element, position)))
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return kinds.sequence("list", (kind_at(scope, element, position) for element in elements))
        case ast.Dict(keys=keys, values=values):
            entries = ((key, kind_at(scope, value, position)) for key, value in zip(keys, values, strict=True))
            return _dictionary(entries)
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return kinds.Const(value)
        case ast.JoinedStr():
            return kinds.STR
        case ast.NamedExpr(value=value) | ast.Await(value=value):
            return kind_at(scope, value, position)
        case ast.IfExp(body=body, orelse=orelse):
            return kinds.join(kind_at(scope, body, position), kind_at(scope, orelse, position))
        case ast.Lambda() if not _takes_locals_for_globals(scope, node):
            return scope.inspector.evaluate_globally(scope.module, node)
        case _:
            return UNKNOWN


def _dictionary(entries: Iterable[tuple[ast.expr | None, Kind]]) -> Kind:
    """A dict that is written out, with texts or numbers for keys."""
    named: list[tuple[str | int, Kind]] = []
    for key, kind in entries:
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str | int):
            return UNKNOWN
        named.append((key.value, kinds.shallow(kind)))
    known = tuple(named[: kinds.MAX_ITEMS])
    return kinds.Dictionary(kinds.join(*(kind for _, kind in named)), known) if named else UNKNOWN


def _name_kind(scope: Scope, name: str, position: Position) -> Kind:
    found = binding_at(scope, name, position)
    if found is None:
        here: Scope | None = scope
        while here is not None:
            if name in here.bindings:
                return UNKNOWN
            here = here.parent
        return names.global_kind(scope.inspector, scope.module, name)
    where, bound = found
    if where.parent is None and isinstance(bound.value, ast.Dict | ast.List) and bound.iterated is None:
        # A table of the file, with what it puts in further down.
        return names.global_kind(scope.inspector, scope.module, name)
    return kinds.join(*(_bound_kind(where, each) for each in alternatives(where, name, bound)))


def _bound_kind(where: Scope, bound: Bound) -> Kind:
    if bound.kind is not None:
        return bound.kind
    kind: Kind = UNKNOWN
    if bound.value is not None:
        # The value was computed before the name had it: `model = torch.compile(model)`.
        if bound.iterated is None:
            kind = kind_at(where, bound.value, start_of(bound.value))
        else:
            kind = iterated(bound.value, bound.iterated, lambda node: kind_at(where, node))
    if kind == UNKNOWN and bound.annotation is not None:
        frame = where.inspector.module_frame(where.module)
        kind = where.inspector.annotated(frame, bound.annotation)
    return kind


def _before_assigned(scope: Scope, node: ast.Attribute, position: Position) -> Kind | None:
    """What an attribute holds where the scope assigns to it further down: not yet what it is long after.

    `self.model = torch.compile(self.model)` compiles what was there before.
    """
    assigned = scope.held.get(node.attr)
    if assigned is None:
        return None
    owner = ast.unparse(node.value)
    bounds = [bound for of, bound in assigned if of == owner]
    if all(bound.since <= position for bound in bounds):
        return None
    earlier = last_seen(scope, bounds, position)
    if earlier is None:  # Somebody else has set it; what `__init__` leaves there is known, not what it finds.
        is_init = scope.owner is not None and scope.qualname.endswith(".__init__")
        return UNKNOWN if is_init else None
    value = earlier.value
    return kind_at(scope, value, start_of(value)) if value is not None else UNKNOWN


def _under_key(kind: Kind, index: ast.expr) -> Kind:
    match kind, index:
        case kinds.Dictionary(entries=entries), ast.Constant(value=key) if any(name == key for name, _ in entries):
            return next(held for name, held in entries if name == key)
        case kinds.Dictionary(value=value, record=False), _:
            return value
        case _:
            return item_kind(kind)


def item_kind(kind: Kind) -> Kind:
    """What the elements of a container have in common."""
    match kind:
        case kinds.External(cls=cls, args=layers) if cls in _CONTAINERS and layers:
            return kinds.join(*layers)
        case kinds.Sequence():
            return kinds.element(kind)
        case _:
            return UNKNOWN


def _any_entry(kind: Kind) -> Kind:
    """What a loop over a dict gets, one after the other."""
    return kinds.join(*(value for _, value in kind.entries)) if isinstance(kind, kinds.Dictionary) else UNKNOWN


def iterated(node: ast.expr, path: tuple[int, ...], kind_of: Callable[[ast.expr], Kind]) -> Kind:
    """What a loop's variable is at this place of the tuple target, if the loop goes through this."""
    if isinstance(node, ast.Call):
        inner: ast.expr | None = None
        match node.func:
            case ast.Name(id="range"):
                return kinds.INT if path == () else UNKNOWN
            case ast.Name(id="enumerate") if node.args:
                if path == (0,):
                    return kinds.INT
                inner, path = node.args[0], path[1:] if path[:1] == (1,) else (-1,)
            case ast.Attribute(value=value, attr="children"):
                inner = value
            case ast.Attribute(value=value, attr="named_children"):
                if path == (0,):
                    return kinds.STR
                inner, path = value, path[1:]
            case ast.Attribute(value=value, attr="values") if path == ():
                return _any_entry(kind_of(value))
            case ast.Attribute(value=value, attr="items") if path == (1,):
                return _any_entry(kind_of(value))
        if inner is not None:
            return iterated(inner, path, kind_of)
    return item_kind(kind_of(node)) if path == () else UNKNOWN


def _call_kind(scope: Scope, node: ast.Call, position: Position) -> Kind:
    target = compile_target(scope, node, position)
    if target is not None:
        return compiled_kind(kind_at(scope, target, position))
    if isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPS_MODULE:
        receiver = kind_at(scope, node.func.value, position)
        if is_module(receiver):
            return receiver
    called = kinds.options(kind_at(scope, node.func, position))
    return kinds.join(*(_given_by(scope, node, position, option) for option in called))


def _given_by(scope: Scope, node: ast.Call, position: Position, called: Kind) -> Kind:
    """What a call gives, if this is what it calls."""
    match called:
        case kinds.ProjectClass() as cls:
            call = _evaluated(scope, node, position)
            instance = made_options.made(scope.inspector.module_frame(scope.module), cls, call)
            return replace(instance, fresh=False)
        case kinds.Method(receiver=kinds.ProjectClass() as cls, name=name):
            return made_by(scope.inspector, cls, name)
        case kinds.Reference(name=name) if signatures.is_module_class(name):
            return kinds.External(name, tuple(_layers(scope, name, node, position)))
        case kinds.Reference(name="copy.deepcopy" | "copy.copy") if node.args:
            return kind_at(scope, node.args[0], position)
        case kinds.Reference(name=named_tuples.MAKER):
            return named_tuples.class_of(_evaluated(scope, node, position).args) or UNKNOWN
        case kinds.Reference(name="functools.partial") if node.args:
            call = _evaluated(scope, node, position)
            return kinds.Partial(call.args[0], call.args[1:], tuple(call.keywords.items())) if call.args else UNKNOWN
        case kinds.Reference(name=name):
            # An optimizer, a scheduler; what a function of theirs gives, a walk says better.
            call = _evaluated(scope, node, position)
            made = signatures.result(name, None, call.args, call.keywords)
            return made if isinstance(made, kinds.External) else UNKNOWN
        case kinds.Function() if not _uses_locals(scope, node):
            return scope.inspector.evaluate_globally(scope.module, node)
        case kinds.Function() as function if _may_compile(scope):
            return _given_back(scope, function, _evaluated(scope, node, position))
        case _:
            return UNKNOWN


def _may_compile(scope: Scope) -> bool:
    """Whether the scope's file compiles anything: what others give to their functions would be looked at in vain."""
    module, inspector = scope.module, scope.inspector
    return inspector.derived(("may compile", module.name), lambda: may_compile(module, inspector.tree.text_of(module)))


def _given_back(scope: Scope, function: kinds.Function, call: Call) -> Kind:
    """The object that a function makes or chooses, as far as is known what it is given: `net = build(options)`."""
    inspector = scope.inspector
    left, inspector.calls_left = inspector.calls_left, min(inspector.calls_left, _CALLS_OF_MAKER)
    try:
        with inspector.silently():
            made = call_kind(inspector.module_frame(scope.module), function, call)
    finally:
        inspector.calls_left = left
    return made if all(map(is_object, kinds.options(made))) else UNKNOWN


def _evaluated(scope: Scope, node: ast.Call, position: Position) -> Call:
    """A call with what its arguments are, up to those of which nobody knows how many they are."""
    placed = itertools.takewhile(lambda argument: not isinstance(argument, ast.Starred), node.args)
    args = tuple(kind_at(scope, argument, position) for argument in placed)
    named = {each.arg: kind_at(scope, each.value, position) for each in node.keywords if each.arg is not None}
    return Call(node, args, named, open_ended=len(args) < len(node.args) or len(named) < len(node.keywords))


def _layers(scope: Scope, cls: str, node: ast.Call, position: Position) -> Iterator[Kind]:
    if cls in signatures.WRAPPERS:
        named = [keyword.value for keyword in node.keywords if keyword.arg in ("module", "model")]
        yield from (kind_at(scope, argument, position) for argument in [*node.args, *named][:1])
    if cls not in _CONTAINERS:
        return
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            yield item_kind(kind_at(scope, argument.value, position))
        elif cls == "torch.nn.ModuleList":
            yield item_kind(kind_at(scope, argument, position))
        else:
            yield kind_at(scope, argument, position)


def _uses_locals(scope: Scope, node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id in scope.bindings for part in walk(node)) and (
        scope.parent is not None
    )


def _takes_locals_for_globals(scope: Scope, node: ast.Lambda) -> bool:
    """Whether a local of the function around has the name of a global or a builtin, which the lambda would be taken to
    use; of its other locals nothing is known in it."""
    if scope.parent is None:
        return False
    own = {part.arg for part in walk(node.args) if isinstance(part, ast.arg)}
    used = {part.id for part in walk(node) if isinstance(part, ast.Name)} - own
    return any(name in scope.bindings and (name in scope.module.bindings or hasattr(builtins, name)) for name in used)


def compile_target(scope: Scope, node: ast.expr, position: Position | None = None) -> ast.expr | None:
    """What `torch.compile(target, …)` compiles; None if this is no such call, or gives a decorator."""
    if not isinstance(node, ast.Call) or not _compiles(scope, node.func, position):
        return None
    if node.args:
        return None if isinstance(node.args[0], ast.Starred) else node.args[0]
    return next((keyword.value for keyword in node.keywords if keyword.arg == "model"), None)


def _compiles(scope: Scope, node: ast.expr, position: Position | None) -> bool:
    """Whether it is `torch.compile`, or `partial(torch.compile, dynamic=True)` under a name of the script's own."""
    if isinstance(node, ast.Attribute):
        return is_reference(scope, node, "torch.compile", position)
    match kind_at(scope, node, position):
        case kinds.Reference() as reference:
            return reference == _COMPILE
        case kinds.Partial(function=function, args=()):
            return function == _COMPILE
        case _:
            return False


def gives_compiled(scope: Scope, node: ast.Call) -> bool:
    """Whether it calls a function of the project that compiles what it gives: `step = get_step(options)`."""
    called = kind_at(scope, node.func)
    info = scope.inspector.tree.function(called.key) if isinstance(called, kinds.Function) else None
    module = scope.inspector.tree.module(info.key[0]) if info is not None else None
    if info is None or module is None or not isinstance(info.node, ast.FunctionDef):
        return False
    return says(info.node, module.lines, "compile") and any(
        isinstance(part, ast.Call) and scope.inspector.evaluate_globally(module, part.func) == _COMPILE
        for statement in flat_statements(info.node.body)
        if isinstance(statement, ast.Return | ast.Assign) and statement.value is not None
        for part in walk(statement.value)
    )


def is_reference(scope: Scope, node: ast.expr, name: str, position: Position | None = None) -> bool:
    """Whether an expression is this thing from outside the project."""
    last = name.rpartition(".")[2]
    if isinstance(node, ast.Attribute) and node.attr != last:
        return False
    return kind_at(scope, node, position) == kinds.Reference(name)


def compiled_kind(kind: Kind) -> Kind:
    """What torch.compile makes of a value: a function stays one, everything else is taken for a module."""
    if isinstance(kind, kinds.Function | kinds.Method | kinds.Partial | kinds.Reference):
        return kind
    if isinstance(kind, kinds.Instance) and not kind.module:
        return kind
    return kind if is_compiled(kind) else kinds.External(OPTIMIZED_MODULE, (kind,))


def is_compiled(kind: Kind) -> bool:
    return isinstance(kind, kinds.External) and kind.cls == OPTIMIZED_MODULE


def compiled_among(kind: Kind) -> tuple[kinds.External, Confidence] | None:
    """The compiled module that a value is, or that it may be: `if config.compile: self.m = torch.compile(self.m)`."""
    options = kinds.options(kind)
    found = [option for option in options if isinstance(option, kinds.External) and is_compiled(option)]
    if not found:
        return None
    any_of_them = kinds.External(OPTIMIZED_MODULE, (kinds.join(*(option.args[0] for option in found)),))
    return any_of_them, Confidence.HIGH if len(found) == len(options) else Confidence.MEDIUM


def is_module(kind: Kind) -> bool:
    """Whether a value is known to be an nn.Module."""
    match kind:
        case kinds.Instance(module=module):
            return module
        case kinds.External(cls=cls):
            return cls == OPTIMIZED_MODULE or signatures.is_module_class(cls)
        case _:
            return False


def is_plain_module(kind: Kind) -> bool:
    """Whether a value is known to be an nn.Module that is not compiled."""
    return is_module(kind) and not is_compiled(kind)
