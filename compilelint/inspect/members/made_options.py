"""The options that a program makes with what it compiles: `net = Net(aux=False)`, `torch.compile(net)`.

What is compiled has them so, and what its class does with others is not compiled there. Only flags, texts and None
count, as conditions ask for these, and only in code around what is compiled: objects that differ in nothing else are
walked as one. Of a followed package options say which paths are usual, no more (`made_with.options_of`).
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect.arguments.parameters import defaults_of, first_parameter
from compilelint.inspect.kinds import Const, Instance, Kind, ProjectClass
from compilelint.inspect.members import classes, made_with, records, settled
from compilelint.inspect.members.asked_attributes import asked_of
from compilelint.inspect.members.base_inits import handed_to, own_init
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import pairs_of, walk
from compilelint.source.watched import says, stores

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

Options = tuple[tuple[str, Const], ...]
_COMPILES = re.compile(r"compile(?:(?<=\btorch[._]compile)\b|(?<=\.compile)(?<!\bre\.compile)\w*\()")
"""`torch.compile`, `torch_compile`, `.compile_repeated_blocks(`: found by the word that all have, which `re` looks for
quickly."""
_SET_ANY = ("setattr(", "__dict__", "vars(", "exec(", "globals(")
"""What sets attributes, or names, that the text does not name."""
_REGISTER = ("register_buffer", "register_parameter")
_DEEPEST = 4


def made(frame: Frame, cls: ProjectClass, call: Call) -> Instance:
    """The object that a call of a class makes, with what it is made with, as far as that tells what it does."""
    inspector = frame.inspector
    of_program = not inspector.tree.is_followed(cls.key[0]) and _is_around_compiled(frame)
    constants = _of_call(inspector, cls, call) if of_program and not call.open_ended else ()
    own = tuple((name, kind) for name, kind in constants if _is_option(kind))
    return replace(
        inspector.instance(cls),
        fresh=not inspector.silent,
        given=made_with.of_call(inspector, cls, call),
        options=own or made_with.options_of(inspector, cls, call, frame.module) or _of_builder(frame, cls, call),
        settled=_as_attributes(inspector, cls, constants, frame.module) if of_program else (),
        of_program=of_program,
    )


def has_options(kind: Kind | None) -> bool:
    """Whether the program says of an object, or of what it is made with, which options it has."""
    match kind:
        case Instance(settled=settled, given=given):
            return bool(settled) or any(has_options(each) for _, each in given)
        case _:
            return False


def _of_call(inspector: Inspector, cls: ProjectClass, call: Call) -> Options:
    """The constants that a call of a class of the project gives or leaves as they are, by parameter or field."""
    init = _init(inspector, cls)
    if init is not None:
        spelled = defaults_of(init.node)
        given = made_with.by_parameter(init.node.args, dict(enumerate(call.args)), call.keywords)
    else:
        fields = records.fields(inspector, cls)
        spelled = {name: value for name in fields if (value := classes.default(inspector, cls, name)) is not None}
        given = dict(zip(fields, call.args, strict=False)) | dict(call.keywords)
    by_default = {name: kind for name, value in spelled.items() if (kind := _spelled(value)) is not None}
    known: dict[str, Kind] = {**by_default, **given}
    return tuple((name, kind) for name, kind in sorted(known.items()) if isinstance(kind, Const))


def _of_builder(frame: Frame, cls: ProjectClass, call: Call) -> Options:
    """The options that a function of a followed package gives, which makes models for its users:
    `def resnet_d(): return ResNet(avg_down=True)`. They are as usual as those that the program itself gives.
    """
    tree = frame.inspector.tree
    if frame.function is None or frame.receiver is not None or not tree.is_followed(frame.module.name):
        return ()
    if not tree.is_followed(cls.key[0]):
        return ()
    return tuple((name, kind) for name, kind in made_with.constants_of(frame.inspector, cls, call) if _is_option(kind))


def _as_attributes(inspector: Inspector, cls: ProjectClass, constants: Options, user: ModuleIndex) -> Options:
    """The attributes that keep options as they are, or constants for which a condition asks, if neither the class nor
    the `user` sets them anew; of those that `__init__` writes out itself nobody else may either, who has to do with
    the model: they are there to be set."""
    asked = asked_of(inspector, cls)
    kept = [
        (name, kind, is_written)
        for name, kind, is_written in _copies(inspector, cls, dict(constants))
        if name in asked or (_is_option(kind) and not is_written)
    ]
    files = settled.files_of(inspector, cls, user) if kept else []
    if any(_sets_any(inspector, name) for name in files):
        return ()
    found = {
        name: kind
        for name, kind, is_written in kept
        if settled.is_all_that_is_set(inspector, cls, user, name, kind.value)
        and not (is_written and _is_set_by_users(inspector, files, name))
    }
    return tuple(sorted(found.items(), key=lambda each: each[0]))


def _is_set_by_users(inspector: Inspector, files: Iterable[str], name: str) -> bool:
    """Whether who imports one of these files may set an attribute of this name, as its text says."""
    sets = re.compile(rf"\.{name}\b[^=\n]*=(?!=)")
    users = frozenset().union(*map(inspector.tree.importers, files)).difference(files)
    texts = ((file, inspector.tree.text(file)) for file in sorted(users))
    return any(_sets_any(inspector, file) or (text is not None and sets.search(text.text)) for file, text in texts)


def _is_around_compiled(frame: Frame) -> bool:
    """Whether this is code of a file that compiles, but not of what is; or makes a part of what such code makes."""
    receiver = frame.receiver_instance
    # Its class is asked: an object that only a check told apart is not always known to be a module.
    if receiver is None or not frame.inspector.instance(receiver.cls).module:
        return _says_compile(frame.inspector, frame.module)
    if frame.function is None or not frame.function.qualname.endswith(".__init__"):
        return False
    return receiver.of_program or says(frame.function.node, frame.module.lines, ".compile(")


def _says_compile(inspector: Inspector, module: ModuleIndex) -> bool:
    return inspector.derived(
        ("says torch.compile", module.name), lambda: bool(_COMPILES.search(inspector.tree.text_of(module)))
    )


def _sets_any(inspector: Inspector, file: str) -> bool:
    return inspector.derived(("sets any attribute", file), lambda: _says_any(inspector, file))


def _says_any(inspector: Inspector, file: str) -> bool:
    text = inspector.tree.text(file)
    return text is None or any(word in text.text for word in _SET_ANY)


def _is_option(kind: Const) -> bool:
    return kind.value is None or isinstance(kind.value, bool | str)


def _spelled(value: ast.expr | None) -> Const | None:
    """An option or a number, as it is written."""
    match value:
        case ast.Constant(value=int() | float() as number):
            return Const(number)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return Const(-number)
        case _:
            return option_spelled(value) if value is not None else None


def option_spelled(value: ast.expr) -> Const | None:
    """A flag, a text or None, as it is written."""
    match value:
        case ast.Constant(value=bool() | str() | None as constant):
            return Const(constant)
        case _:
            return None


def _init(inspector: Inspector, cls: ProjectClass) -> FunctionInfo | None:
    key = classes.find_method(inspector, cls, "__init__")
    return inspector.tree.function(key) if key is not None else None


def _copies(inspector: Inspector, cls: ProjectClass, constants: dict[str, Const]) -> Iterator[tuple[str, Const, bool]]:
    """What attributes are that are given once, a parameter as it is, or a constant that is written there, which is
    said of them; fields are what they are called."""
    own = _init(inspector, cls)
    if own is None:
        yield from ((name, kind, False) for name, kind in constants.items())
        return
    given: list[tuple[str, Const | None, bool]] = []
    for base in classes.mro(inspector, cls):
        init = own_init(inspector, inspector.tree.class_(base.key)) if isinstance(base, ProjectClass) else None
        if init is not None and isinstance(base, ProjectClass):
            for name, value in _assignments(init):
                written = _spelled(value)
                kind = written or _resolved(inspector, cls, base, init, value, constants, 0)
                given.append((name, kind, written is not None))
    times = Counter(name for name, _, _ in given)
    yield from ((name, kind, is_written) for name, kind, is_written in given if kind is not None and times[name] == 1)


def _assignments(init: FunctionInfo) -> Iterator[tuple[str, ast.expr | None]]:
    """What an `__init__` gives attributes of `self`, of whatever is no expression of its own None."""
    node = init.node
    if isinstance(node, ast.Lambda) or not stores(node):
        return
    own = first_parameter(node)
    top = set(map(id, node.body))
    for statement in flat_statements(node.body):
        match statement:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=holder), attr=method), args=[name, value, *_])
            ) if holder == own and method in _REGISTER and isinstance(name, ast.Constant):
                yield str(name.value), value if id(statement) in top else None
        pairs = [(statement.target, None)] if isinstance(statement, ast.AugAssign) else pairs_of(statement)
        for target, given in pairs:
            for part in walk(target):
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == own:
                    yield part.attr, given if part is target and id(statement) in top else None


def _resolved(
    inspector: Inspector,
    cls: ProjectClass,
    base: ProjectClass,
    init: FunctionInfo,
    value: ast.expr | None,
    options: dict[str, Const],
    depth: int,
) -> Const | None:
    """What a parameter of an `__init__` is, or what is handed up to it, if its name has no other value there."""
    match value:
        case ast.Constant() | ast.UnaryOp() if depth:
            return _spelled(value)
        case ast.Name(id=name) if depth <= _DEEPEST and not _is_stored(init, name):
            own = _init(inspector, cls)
            if own is not None and own.key == init.key:
                return options.get(name)
            handed = handed_to(inspector, cls, base, name)
            if handed is None or handed[0].owner is None:
                return None
            below, given = handed
            assert below.owner is not None
            return _resolved(inspector, cls, ProjectClass(below.owner, ""), below, given, options, depth + 1)
        case _:
            return None


def _is_stored(init: FunctionInfo, name: str) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
        for part in walk(init.node)
    )
