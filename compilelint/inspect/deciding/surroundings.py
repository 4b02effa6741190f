"""Conditions on where a program runs: environment variables, which are mostly not set, the system, Python's version."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from compilelint.inspect import names
from compilelint.inspect.changed_globals import is_changed
from compilelint.inspect.deciding.comparing import COMPARE, OPEN, Open
from compilelint.inspect.deciding.systems import usual_name
from compilelint.inspect.deciding.written_once import written_once
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Const, Function, ProjectModule, Reference
from compilelint.source.model import Assignment, Import, ModuleIndex

_DEEPEST = 4
_MOST_USERS = 8
"""So many of the files that import one are asked: a program has few, and more are a library's."""
_WORD = "env"
"""What functions say that ask for the environment: `os.environ`, `os.getenv`."""
_VARIABLES = Reference("os.environ")
_PYTHON = Reference("sys.version_info")
_PYTHONS = ((3, 9), (3, 99))
"""The oldest Python for which there is a torch that compiles (2.5), and what comes before no newer one."""
_IMPORTED = frozenset({"environ", "getenv", "os", "platform", "sys", "version_info"})
"""What a file that asks imports: most files do not."""
_GETTERS = frozenset({"os.getenv", "os.environ.get"})
_NUMBERS: Mapping[str, Callable[[Any], Any]] = {"int": int, "bool": bool, "float": float}
_TEXTS = frozenset({"lower", "upper", "strip"})


def usual_outcome(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition mostly comes to that asks for nothing but where the program runs; None for all others."""
    if isinstance(test, ast.Constant) or not (_may_ask(frame.module) or _is_of_another(frame, test)):
        return None
    value = _value(frame, test, 0)
    return None if isinstance(value, Open) else bool(value)


def _may_ask(module: ModuleIndex) -> bool:
    return not module.bindings.keys().isdisjoint(_IMPORTED)


def _is_of_another(frame: Frame, test: ast.expr) -> bool:
    """Whether this asks for nothing but a global of another file that may ask where the program runs."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_of_another(frame, operand)
        case ast.Name() | ast.Attribute(value=ast.Name()):
            found = _global(frame, test) or (_global(frame, test.value) if isinstance(test, ast.Attribute) else None)
            return found is not None and _may_ask(found[0])
        case ast.Call(func=ast.Name() as function, keywords=[], args=args) if all(
            isinstance(each, ast.Constant) for each in args
        ):
            kind = frame.inspector.peek(frame, function)
            module = frame.inspector.tree.module(kind.key[0]) if isinstance(kind, Function) else None
            return module is not None and _may_ask(module)
        case _:
            return False


def _value(frame: Frame, node: ast.expr, depth: int) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            values = tuple(_value(frame, part, depth) for part in parts)
            return OPEN if any(isinstance(value, Open) for value in values) else values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = _value(frame, operand, depth)
            return value if isinstance(value, Open) else not value
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(frame, left, op, right, depth)
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _NUMBERS:
            return _called(_NUMBERS[name], _value(frame, inner, depth))
        case ast.Call(func=ast.Attribute(value=asked, attr="startswith"), args=[ast.Constant(value=str(start))]):
            value = _value(frame, asked, depth)
            return value.startswith(start) if isinstance(value, str) else OPEN
        case ast.Call(func=ast.Attribute(value=text, attr=name), args=[], keywords=[]) if name in _TEXTS:
            value = _value(frame, text, depth)
            return getattr(value, name)() if isinstance(value, str) else OPEN
        case ast.Call(func=function, args=[key, *default], keywords=[]) if _is_getter(frame, function):
            if _sets(frame, key):
                return OPEN
            return _value(frame, default[0], depth) if default else None
        case ast.Subscript(value=asked, slice=ast.Constant(value=0)) | ast.Attribute(value=asked, attr="major") if _is(
            frame, asked, _PYTHON
        ):
            return _PYTHONS[0][0]
        case ast.Attribute() | ast.Call():
            system = usual_name(frame, node)
            return system if system is not None else _of_names(frame, node, depth)
        case ast.Name(id=name) if isinstance(known := frame.env.get(name), Const):
            return known.value
        case ast.Name():
            return _of_names(frame, node, depth)
        case ast.NamedExpr(value=value):
            return _value(frame, value, depth)
        case _:
            return OPEN


def _compared(frame: Frame, left: ast.expr, op: ast.cmpop, right: ast.expr, depth: int) -> Any:
    if isinstance(op, ast.In | ast.NotIn) and _is(frame, right, _VARIABLES):
        return OPEN if _sets(frame, left) else isinstance(op, ast.NotIn)
    if _is(frame, left, _PYTHON):
        asked = _value(frame, right, depth)
        either = {_called(lambda one: bool(COMPARE[type(op)](one, asked)), each) for each in _PYTHONS}
        return either.pop() if len(either) == 1 else OPEN
    values = _value(frame, left, depth), _value(frame, right, depth)
    if any(isinstance(value, Open) for value in values) or type(op) not in COMPARE:
        return OPEN
    return _called(lambda pair: bool(COMPARE[type(op)](*pair)), values)


def _called(function: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, Open):
        return OPEN
    try:
        return function(value)
    except (TypeError, ValueError):
        return OPEN


def _is_getter(frame: Frame, function: ast.expr) -> bool:
    match function:
        case ast.Attribute(attr="get" | "getenv") | ast.Name(id="getenv"):
            kind = frame.inspector.peek(frame, function)
            return isinstance(kind, Reference) and kind.name in _GETTERS
        case _:
            return False


def _sets(frame: Frame, key: ast.expr) -> bool:
    """Whether a file, or one of those that import it, sets an environment variable itself."""
    name = re.escape(str(key.value)) if isinstance(key, ast.Constant) else ""
    sets = rf"env(?:iron\[\s*[\"']{name}[\"']\s*\]\s*=(?!=)|iron\.(?:update|setdefault)\(|(?<=\bputenv)\()"
    tree, own = frame.inspector.tree, frame.module.name
    texts = (tree.text(file) for file in (own, *sorted(tree.importers(own))[:_MOST_USERS]))
    return any(text is not None and re.search(sets, text.text) for text in texts)


def _is(frame: Frame, node: ast.expr, wanted: Reference) -> bool:
    """Whether this names it, as it is called there or as it is imported: most names are others'."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) if wanted.name.endswith(f".{name}"):
            return frame.inspector.peek(frame, node) == wanted
        case _:
            return False


def _of_names(frame: Frame, node: ast.expr, depth: int) -> Any:
    """What is given once to the global, the local or the attribute that is read, or what a small function gives."""
    found = _of_global(frame, node, depth)
    if not isinstance(found, Open) or depth >= _DEEPEST:
        return found
    written = written_once(frame, node, _WORD)
    if written is None or isinstance(written[1], ast.Constant | ast.List | ast.Tuple | ast.Set):
        return OPEN  # decided elsewhere, as far as it stays what it is
    return _value(*written, depth + 1)


def _of_global(frame: Frame, node: ast.expr, depth: int) -> Any:
    """What a module gives one of its globals, if it does so once: `DEBUG = os.environ.get("DEBUG", "0") == "1"`."""
    found = _global(frame, node) if depth < _DEEPEST else None
    if found is None or names.is_set(frame.inspector, *found):
        return OPEN
    module, name = found
    match module.bindings.get(name, ()):
        case [Assignment(value=ast.List() | ast.Set(), path=())] if is_changed(frame.inspector, module, name):
            return OPEN
        case [Assignment(value=ast.expr() as value, path=())] if not isinstance(value, ast.Constant):
            return _value(frame.inspector.module_frame(module), value, depth + 1)
        case _:
            return OPEN


def _global(frame: Frame, node: ast.expr) -> tuple[ModuleIndex, str] | None:
    """The global that is read, with its module: this one's, one that it imports, or an attribute of such a module."""
    tree, own = frame.inspector.tree, frame.module
    match node:
        case ast.Name(id=name) if names.is_global(frame, name) and name not in frame.globals_written:
            match own.bindings[name]:
                case [Import(target=target)]:
                    file, _, name = target.rpartition(".")
                    module = tree.import_module(file, own.name) if file else None
                    return None if module is None else (module, name)
                case _:
                    return own, name
        case ast.Attribute(value=ast.Name(id=holder), attr=name) if names.is_global(frame, holder):
            match frame.inspector.peek(frame, node.value):
                case ProjectModule(name=file) if (module := tree.module(file)) is not None:
                    return module, name
    return None
