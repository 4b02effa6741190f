"""Where that is written which a condition asks for under a name, an attribute of `self`, or by a small function:
`dump = os.environ.get("DUMP")`, `self.dump = …` in `__init__`, `if is_debug():`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, TypeAlias

from compilelint.inspect import kinds, names
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.deciding.written_values import only_value
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.members.attributes import is_property_itself
from compilelint.inspect.members.settled import is_all_that_is_set
from compilelint.inspect.members.spelled_options import constant_spelled
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import pairs_of
from compilelint.source.watched import says, stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

Written: TypeAlias = tuple[Frame, ast.expr]
"""An expression, and where its names are to be looked up."""


def written_once(frame: Frame, node: ast.expr, word: str) -> Written | None:
    """What gives a value to what is read or called here, if one expression does, in each call or in `__init__`.

    Functions that do not have this `word` in their text are not looked at for a local name, as most have not.
    """
    match node:
        case ast.Name(id=name) if not names.is_global(frame, name):
            function = frame.function
            if function is None or not says(function.node, frame.module.lines, word):
                return None
            value = only_value(function.node, name)
            return None if value is None else (frame, value)
        case ast.Attribute(value=ast.Name() as owner, attr=name):
            match frame.inspector.peek(frame, owner):
                case kinds.Instance(cls=cls) | (kinds.ProjectClass() as cls):
                    return attribute_written(frame.inspector, cls, name)
                case _:
                    return None
        case ast.Call(func=ast.Name() | ast.Attribute() as function, args=args, keywords=[]):
            given = [known for each in args if (known := constant_spelled(each)) is not None]
            return _given_back(frame, function, given) if len(given) == len(args) else None
        case _:
            return None


def _given_back(frame: Frame, function: ast.expr, given: list[kinds.Const]) -> Written | None:
    match frame.inspector.peek(frame, function):
        case kinds.Function(key=key) | kinds.External(cls="functools.lru_cache", args=(kinds.Function(key=key),)):
            return _returned(frame.inspector, key, given)
        case _:
            return None


def _returned(inspector: Inspector, key: kinds.FunctionKey, given: list[kinds.Const]) -> Written | None:
    """What a function gives that does nothing else, where its parameters are these constants."""
    info = inspector.tree.function(key)
    module = None if info is None else inspector.tree.module(info.key[0])
    if info is None or module is None or isinstance(info.node, ast.Lambda):
        return None
    match info.node.body:
        case [ast.Return(value=ast.expr() as value)]:
            pass
        case [ast.Expr(value=ast.Constant()), ast.Return(value=ast.expr() as value)]:
            pass
        case _:
            return None
    return Frame(inspector, module, info, Route(), _arguments(info, given), owner=info.owner), value


def _arguments(info: FunctionInfo, given: list[kinds.Const]) -> dict[str, kinds.Kind]:
    spec = info.node.args
    positional = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if info.owner is not None and positional[:1] in (["self"], ["cls"]):
        del positional[0]
    defaults = dict(zip(reversed(positional), reversed(spec.defaults), strict=False))
    known = {name: constant_spelled(value) for name, value in defaults.items()}
    known |= dict(zip(positional, given, strict=False))
    return {name: known.get(name) or kinds.UNKNOWN for name in positional}


def attribute_written(inspector: Inspector, cls: ProjectClass, name: str) -> Written | None:
    """The same of an attribute, or a property, of objects of a class."""
    method = classes.find_method(inspector, cls, name)
    if method is not None:
        return _returned(inspector, method, []) if is_property_itself(inspector, method) else None
    question = ("written once", cls.key, name)
    found = inspector.derived(question, lambda: _of_class(inspector, cls, name))
    return None if found is None else (_frame(inspector, *found[:2]), found[2])


def _frame(inspector: Inspector, module: ModuleIndex, info: FunctionInfo | None) -> Frame:
    if info is None:
        return inspector.module_frame(module)
    parameters = (*info.node.args.posonlyargs, *info.node.args.args, *info.node.args.kwonlyargs)
    return Frame(inspector, module, info, Route(), dict.fromkeys((each.arg for each in parameters), kinds.UNKNOWN))


def _of_class(
    inspector: Inspector, cls: ProjectClass, name: str
) -> tuple[ModuleIndex, FunctionInfo | None, ast.expr] | None:
    """The only thing that an `__init__`, or the body of a class, gives an attribute which nobody else sets."""
    written = [
        (info.key[0], info, value)
        for info in classes.methods(inspector, cls)
        if info.qualname.endswith(".__init__")
        for value in _assigned(info, name)
    ]
    bases = (inspector.tree.class_(base.key) for base in classes.mro(inspector, cls) if isinstance(base, ProjectClass))
    bodies = [
        (base.key[0], None, base.attributes[name].value)
        for base in bases
        if base is not None and name in base.attributes
    ]
    match [*written, *bodies]:
        case [(file, info, ast.expr() as value)] if not isinstance(value, ast.Constant):
            module = inspector.tree.module(file)
            if module is None or _is_set_elsewhere(inspector, cls, module, name):
                return None
            return module, info, value
        case _:
            return None


def _assigned(init: FunctionInfo, name: str) -> list[ast.expr | None]:
    if isinstance(init.node, ast.Lambda) or not stores(init.node):
        return []
    own = first_parameter(init.node)
    return [
        value
        for statement in flat_statements(init.node.body)
        for target, value in pairs_of(statement)
        if isinstance(target, ast.Attribute)
        and target.attr == name
        and isinstance(target.value, ast.Name)
        and target.value.id == own
    ]


def _is_set_elsewhere(inspector: Inspector, cls: ProjectClass, module: ModuleIndex, name: str) -> bool:
    """Whether anything but an `__init__` gives an attribute a value, in the files of a class or in one that imports the
    file, which is `module`'s, where it is written: `model.debug = True`."""
    if not is_all_that_is_set(inspector, cls, module, name, object()):
        return True
    sets = re.compile(rf"(?<!\bself)\.{re.escape(name)}\s*=(?!=)")
    texts = (inspector.tree.text(user) for user in few_importers(inspector.tree, module.name) or ())
    return any(text is not None and sets.search(text.text) for text in texts)
