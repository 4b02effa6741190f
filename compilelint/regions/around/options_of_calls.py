"""The options that all calls of something compiled agree on: `compiled(x, causal=True)` of a
`forward(self, x, mask=None, causal=False, debug=False)`.

Where a file compiles it, keeps it to itself and calls it, these are what is given, or what they are by default; what is
done with others is not compiled.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import defaults_of
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.frame import span_of
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members.asked_attributes import conditions
from compilelint.inspect.members.attributes import GIVES_ITSELF
from compilelint.inspect.members.spelled_options import constant_spelled, is_option
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import parameter_of, positional_names, walk

_ASKED = frozenset(
    {
        "buffers",
        "children",
        "load_state_dict",
        "modules",
        "named_buffers",
        "named_modules",
        "named_parameters",
        "parameters",
        "state_dict",
        "zero_grad",
    }
)
"""Methods of a module that neither call it nor give it back."""
_LOOK = frozenset({"hasattr", "id", "isinstance", "len", "print", "repr", "type"})
"""Functions that call nothing that they are given."""
_PLAIN = frozenset({"Module", "nn.Module", "object", "torch.nn.Module"})
_Named = ast.Name | ast.Attribute
Options = tuple[tuple[str, Kind], ...]


def all_calls(inspector: Inspector, module: ModuleIndex, compilation: Compilation) -> Sequence[ast.Call]:
    """All calls of what is compiled there, which stand in the same file.

    None where it is not seen who calls it: what is handed on, given back or kept may be called by anybody.
    """
    if compilation.file != module.name:
        return ()
    made = next((call for call in _calls_in(module) if _is_at(module, call, compilation)), None)
    name = _name_of(_parents(inspector, module), made) if made is not None else None
    return _calls_of(inspector, module, name) if name is not None else ()


def all_calls_of_decorated(inspector: Inspector, module: ModuleIndex, function: kinds.Function) -> Sequence[ast.Call]:
    """The same of a function that a decorator compiles; a method may be called by anybody."""
    info = inspector.tree.function(function.key)
    if info is None or info.owner is not None or isinstance(info.node, ast.Lambda):
        return ()
    return _calls_of(inspector, module, info.node.name)


def options_of_calls(inspector: Inspector, function: kinds.Function, calls: Sequence[ast.Call]) -> Options:
    """The parameters of a function that get the same flag, text or None in all calls of it, most by default; also those
    that its `**options` swallow."""
    info = inspector.tree.function(function.key)
    if info is None or not calls or any(map(_is_open, calls)):
        return ()
    names = positional_names(info.node.args)[0 if function.receiver is None else 1 :]
    by_default = defaults_of(info.node)
    given = [dict(_given(call, names)) for call in calls]
    found: list[tuple[str, Kind]] = []
    only_by_name = [arg.arg for arg in info.node.args.kwonlyargs]
    swallowed = (
        {name for each in given for name in each}.difference(names, only_by_name) if info.node.args.kwarg else ()
    )
    for name in (*names, *only_by_name, *sorted(swallowed)):
        values = [each.get(name, by_default.get(name)) for each in given]
        options = {_option(inspector, info, name, value) for value in values}
        found += ((name, option) for option in options if option is not None and len(options) == 1)
    return tuple(found)


def _option(inspector: Inspector, info: FunctionInfo, name: str, value: ast.expr | None) -> Kind | None:
    """A flag, a text, None, a member of an Enum, or a number for which a condition of the function asks."""
    match value:
        case ast.Attribute() if (module := inspector.tree.module(info.key[0])) is not None:
            kind = inspector.evaluate_globally(module, value)
            return kind if isinstance(kind, kinds.Instance) and dict(kind.settled).keys() == {kinds.MEMBER} else None
        case _:
            spelled = constant_spelled(value)
            is_told = spelled is None or is_option(spelled) or _is_asked(info, name)
            return spelled if is_told else None


def _is_asked(info: FunctionInfo, name: str) -> bool:
    asked = (part for condition in conditions(info.node) for part in walk(condition))
    return any(isinstance(part, ast.Name) and part.id == name for part in asked)


def rest_of_calls(inspector: Inspector, function: kinds.Function, calls: Sequence[ast.Call]) -> Options:
    """What `*args` and `**options` of a function hold in all calls of it: how many, and under which names. Of what is
    wrapped around the function nobody knows what it adds."""
    info = inspector.tree.function(function.key)
    if info is None or not calls or function.wrapper is not None or any(map(_is_open, calls)):
        return ()
    spec = info.node.args
    names = positional_names(spec)[0 if function.receiver is None else 1 :]
    found: list[tuple[str, Kind]] = []
    numbers = {max(0, len(call.args) - len(names)) for call in calls}
    if spec.vararg is not None and len(numbers) == 1:
        places = (kinds.UNKNOWN,) * numbers.pop()
        found.append((spec.vararg.arg, kinds.Sequence("tuple", kinds.UNKNOWN, places, record=True)))
    if spec.kwarg is not None:
        own = {*names, *(arg.arg for arg in spec.kwonlyargs)}
        given = {keyword.arg for call in calls for keyword in call.keywords if keyword.arg is not None} - own
        entries = tuple((name, kinds.UNKNOWN) for name in sorted(given))
        found.append((spec.kwarg.arg, kinds.Dictionary(kinds.UNKNOWN, entries, record=True, closed=True)))
    return tuple(found)


def never_left_out(inspector: Inspector, function: kinds.Function, calls: Sequence[ast.Call]) -> Options:
    """The parameters of a function that a container stands for by default, `seen=[]`, and that all calls of it give
    another: nothing is known of these."""
    info = inspector.tree.function(function.key)
    containers = {name for name, value in defaults_of(info.node).items() if _is_container(value)} if info else set()
    if info is None or not containers or not calls or any(map(_is_open, calls)):
        return ()
    names = positional_names(info.node.args)[0 if function.receiver is None else 1 :]
    always = set.intersection(*({name for name, _ in _given(call, names)} for call in calls))
    return tuple((name, kinds.UNKNOWN) for name in sorted(containers & always))


def _is_container(default: ast.expr) -> bool:
    return isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call)


def _calls_of(inspector: Inspector, module: ModuleIndex, own: str) -> Sequence[ast.Call]:
    """All calls of what a name of a file stands for; none where others may call it."""
    if inspector.tree.importers(module.name):
        return ()
    parents = _parents(inspector, module)
    loads = [node for node in walk(module.tree) if isinstance(node, _Named) and isinstance(node.ctx, ast.Load)]
    names: set[str] = set()
    calls: list[ast.Call] = []
    pending = {own}
    while pending:
        name = pending.pop()
        names.add(name)
        for load in (load for load in loads if _reference(load) == name):
            match _use(module, parents, load):
                case ast.Call() as call:
                    calls.append(call)
                case str() as other:
                    pending |= {other} - names
                case False:
                    return ()
    return calls


def _parents(inspector: Inspector, module: ModuleIndex) -> dict[int, ast.AST]:
    return inspector.derived(("parents", module.name), lambda: {id(c): p for p, c in _pairs(module.tree)})


def _reference(node: ast.AST) -> str | None:
    """How something is referred to: by a variable or, with a dot before it, in an attribute of whatever object."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return f".{name}"
        case _:
            return None


def _name_of(parents: dict[int, ast.AST], made: ast.Call) -> str | None:
    """The name that something compiled gets, or has: `net = torch.compile(net)`, `self.net.compile()`."""
    match made.func:
        case ast.Attribute(value=ast.Name(id=name), attr="compile") if name != "torch":
            return name
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr=name), attr="compile") if (
            _is_of_plain_class(parents, made)
        ):
            return f".{name}"
        case _:
            found = _goes_to(parents, made)
            return found if isinstance(found, str) else None


def _is_of_plain_class(parents: dict[int, ast.AST], node: ast.AST) -> bool:
    """Whether it stands in a class whose bases call nothing that it holds: a library's trainer would."""
    around = parents.get(id(node))
    while around is not None and not isinstance(around, ast.ClassDef):
        around = parents.get(id(around))
    return around is not None and all(ast.unparse(base) in _PLAIN for base in around.bases)


def _use(module: ModuleIndex, parents: dict[int, ast.AST], load: _Named) -> ast.Call | str | bool:
    """What is done with what a name stands for: a call of it, another name for it, True if nothing that matters;
    False where it is handed on to who knows whom."""
    match parents.get(id(load)):
        case ast.Call(func=function) as call if function is load:
            return call
        case ast.Call(func=ast.Name(id=called)) if called in _LOOK:
            return True
        case ast.Call(func=ast.Name(id=called)) as call:
            return _parameter(module, called, call, load) or False
        case ast.keyword(value=value) as keyword:
            match parents.get(id(keyword)):
                case ast.Call(func=ast.Name(id=called)) as by_name:
                    return _parameter(module, called, by_name, value) or False
            return False
        case ast.Attribute(attr=name) if name in _ASKED:
            return True
        case ast.Tuple() | ast.List() as display:
            return _name_in_loop(parents, display, load) or False
        case _:
            return _goes_to(parents, load)


def _name_in_loop(parents: dict[int, ast.AST], display: ast.Tuple | ast.List, load: ast.expr) -> str | None:
    """The name that a loop has for what it goes through: `for net in (eager, compiled)`, or in a row of it."""
    match parents.get(id(display)):
        case ast.For(target=ast.Name(id=name), iter=gone_through) if gone_through is display:
            return name
        case ast.comprehension(target=ast.Name(id=name), iter=gone_through) if gone_through is display:
            return name
        case ast.Tuple() | ast.List() as rows:
            match parents.get(id(rows)):
                case ast.For(target=ast.Tuple(elts=names), iter=gone_through) if gone_through is rows:
                    parts = zip(names, display.elts, strict=False) if len(names) == len(display.elts) else ()
                    return next((each.id for each, part in parts if part is load and isinstance(each, ast.Name)), None)
    return None


def _parameter(module: ModuleIndex, called: str, call: ast.Call, argument: ast.expr) -> str | None:
    """The name that a function of the file has for what it is given: `def train(net): net(x)`."""
    functions = (info for info in module.functions.values() if info.qualname == called)
    function = next(functions, None)
    if function is None or function.decorators or next(functions, None) is not None:
        return None
    return parameter_of(call, positional_names(function.node.args), argument)


def _goes_to(parents: dict[int, ast.AST], given_back: ast.AST) -> str | bool:
    """The same of what a method gives back: `net.to(device)` is the module."""
    match parents.get(id(given_back)):
        case ast.Expr():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]) if _is_of_plain_class(
            parents, given_back
        ):
            return f".{name}"
        case ast.IfExp(test=test) as either if given_back is not test:
            return _goes_to(parents, either)  # `torch.compile(net) if options.compile else net`
        case ast.Attribute(attr=name) as method if name == "compile" or name in GIVES_ITSELF:
            called = parents.get(id(method))
            return _goes_to(parents, called) if isinstance(called, ast.Call) else False
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="compile")) as compiling:
            return _goes_to(parents, compiling)
        case _:
            return False


def _pairs(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    return ((parent, child) for parent in walk(tree) for child in ast.iter_child_nodes(parent))


def _calls_in(module: ModuleIndex) -> Iterator[ast.Call]:
    return (node for node in walk(module.tree) if isinstance(node, ast.Call))


def _is_at(module: ModuleIndex, call: ast.Call, compilation: Compilation) -> bool:
    return call.lineno == compilation.span.line and span_of(module, call) == compilation.span


def _is_open(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    )


def _given(call: ast.Call, names: Sequence[str]) -> Iterator[tuple[str, ast.expr]]:
    yield from zip(names, call.args, strict=False)
    yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None)
