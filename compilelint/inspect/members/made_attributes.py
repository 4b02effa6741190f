"""Attributes that stay what they are when a program makes an object, as far as conditions of its class ask for them.

What a parameter gives them, what `__init__` writes out or computes of both, and what the body of the class says: where
nobody who has to do with the object sets them anew.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.kinds import Const, External, Instance, Kind, ProjectClass
from compilelint.inspect.members import classes, records, settled
from compilelint.inspect.members.asked_attributes import asked_of
from compilelint.inspect.members.base_inits import handed_to, made_by, own_init
from compilelint.inspect.members.never_set import sets_any
from compilelint.inspect.members.spelled_options import constant_spelled, is_option
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import pairs_of, walk
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

Attributes = tuple[tuple[str, Kind], ...]
_REGISTER = ("register_buffer", "register_parameter")
_DEEPEST = 4
_CHANGED = (
    r"\.{name}\s*(?:\[[^\]\n]*\]\s*[^=\s]?=(?!=)|\.(?:append|appendleft|extend|insert|add|update|pop|popitem|popleft|remove"
    r"|discard|clear|setdefault|sort|reverse|__\w+__)\b)"
    r"|=\s*[\w.]+\.{name}\s*$"
    r"|(?<!\blen)(?<!\bany)(?<!\ball)(?<!\bbool)(?<!\benumerate)(?<!\bisinstance)(?<!\btype)(?<!\bif )(?<!\bnot )"
    r"\(\s*(?:[\w.]+,\s*)*[\w.]+\.{name}\s*[,)]"
    r"|(?:add_module|register_\w+|set_submodule)\(\s*[\"']{name}\b"
)
"""What may change what an attribute of this name holds: assigned to an item, a method, another name for it, a call that
is given it, a layer that is registered by its name."""


def lasting(inspector: Inspector, cls: ProjectClass, given: Mapping[str, Kind] | None, user: ModuleIndex) -> Attributes:
    """The attributes of an object that are known for good, by what its class is called with (defaults included), or
    whatever that is.

    Who imports the file that makes it may set any of them. Of those that nobody is asked to give, nobody else may set
    one either, who has to do with the object: they are there to be set.
    """
    told = None if given is None else tuple(sorted(given.items(), key=lambda each: each[0]))
    question = ("lasting attributes", cls.key, told, user.name)
    return inspector.derived(question, lambda: _lasting(inspector, cls, given, user))


def _lasting(
    inspector: Inspector, cls: ProjectClass, given: Mapping[str, Kind] | None, user: ModuleIndex
) -> Attributes:
    found = {name: (kind, is_written) for name, kind, is_written in _candidates(inspector, cls, given)}
    files = settled.files_of(inspector, cls, user) if found else []
    if any(sets_any(inspector, name) for name in files):
        return ()
    kept = {
        name: kind
        for name, (kind, is_written) in found.items()
        if settled.is_all_that_is_set(inspector, cls, user, name, kind.value if isinstance(kind, Const) else object())
        and not _is_set_by_users(inspector, files if is_written else [user.name], name)
        and not (_may_change(kind) and _is_changed(inspector, files, name))
    }
    return tuple(sorted(kept.items(), key=lambda each: each[0]))


def _candidates(
    inspector: Inspector, cls: ProjectClass, given: Mapping[str, Kind] | None
) -> Iterator[tuple[str, Kind, bool]]:
    """What attributes are that conditions ask for, or that are options, and whether `__init__` writes them out."""
    asked = asked_of(inspector, cls)
    constants = {name: kind for name, kind in (given or {}).items() if isinstance(kind, Const)}
    is_record = bool(records.fields(inspector, cls))
    for name in sorted(asked):
        value = constant_spelled(classes.default(inspector, cls, name)) if not is_record else None
        if value is not None:
            yield name, value, True
    own = made_by(inspector, cls)
    if own is not None and given is not None:
        by_bases, whole = _set_by_bases(inspector, cls, own), frozenset(_written_out(own))
        for name, kind in inspector.made_values(cls, own, given).items():
            if name not in by_bases and (name in asked or _holds_known(kind)) and _is_closed(kind, name in whole):
                yield name, kind, True
    for name, kind, is_written in _copies(inspector, cls, constants):
        if name in asked or is_record or (is_option(kind) and not is_written):
            yield name, kind, is_written


def _is_closed(kind: Kind, is_written_out: bool) -> bool:
    """Whether a kind leaves nothing open: who has another name for a list or a dict may fill it."""
    match kind:
        case Const() | Instance(settled=(_, *_)) | Instance(module=True):
            return True
        case kinds.Sequence(type="tuple", items=tuple(items)):
            return all(_is_closed(item, False) for item in items)
        case kinds.Sequence(type="list", items=tuple(items)):
            return is_written_out and all(_is_closed(item, False) for item in items)
        case kinds.Dictionary(type="dict", entries=entries):
            return is_written_out and all(_is_closed(each, False) for _, each in entries)
        case External(cls=cls):
            return cls.startswith("torch.nn.")
        case _:
            return False


def _written_out(init: FunctionInfo) -> Iterator[str]:
    """The attributes that are a list or a dict which an `__init__` writes out: `self.hooks = []`."""
    for name, value in _assignments(init):
        match value:
            case ast.List():
                yield name
            case ast.Dict(keys=keys) if len(keys) <= kinds.MAX_ITEMS and all(
                isinstance(key, ast.Constant) for key in keys
            ):
                yield name


def _holds_known(kind: Kind) -> bool:
    """Whether it is an object of the program, or holds one, of which more is known than its class."""
    match kind:
        case Instance(settled=known):
            return bool(known)
        case External(args=layers):
            return any(map(_holds_known, layers))
        case _:
            return False


def _may_change(kind: Kind) -> bool:
    """Whether it can be another thing without being set anew."""
    return isinstance(kind, kinds.Sequence | kinds.Dictionary | External)


def _is_changed(inspector: Inspector, files: Iterable[str], name: str) -> bool:
    """Whether the text of one of these files, or of who imports it, changes what the attribute of this name holds."""
    changes = changes_of(name)
    users = frozenset().union(*map(inspector.tree.importers, files)).union(files)
    texts = (inspector.tree.text(file) for file in sorted(users))
    return any(text is None or changes.search(text.text) for text in texts)


def changes_of(name: str) -> re.Pattern[str]:
    """What a text has in it that may change what an attribute of this name holds."""
    return re.compile(_CHANGED.format(name=re.escape(name)), re.MULTILINE)


def _set_by_bases(inspector: Inspector, cls: ProjectClass, own: FunctionInfo) -> frozenset[str]:
    """The attributes that the `__init__`s of others than the one that is called set."""
    inits = (
        own_init(inspector, inspector.tree.class_(base.key))
        for base in classes.mro(inspector, cls)
        if isinstance(base, ProjectClass)
    )
    return frozenset(
        name for init in inits if init is not None and init.key != own.key for name, _ in _assignments(init)
    )


def _is_set_by_users(inspector: Inspector, files: Iterable[str], name: str) -> bool:
    """Whether who imports one of these files may set an attribute of this name, as its text says."""
    sets = re.compile(rf"\.{name}\b[^=\n]*=(?!=)")
    users = frozenset().union(*map(inspector.tree.importers, files)).difference(files)
    texts = ((file, inspector.tree.text(file)) for file in sorted(users))
    return any(sets_any(inspector, file) or (text is not None and sets.search(text.text)) for file, text in texts)


def _copies(inspector: Inspector, cls: ProjectClass, constants: dict[str, Const]) -> Iterator[tuple[str, Const, bool]]:
    """What attributes are that are given once, a parameter as it is, or a constant that is written there, which is
    said of them; fields are what they are called."""
    own = made_by(inspector, cls)
    if own is None:
        yield from ((name, kind, False) for name, kind in constants.items())
        return
    given: list[tuple[str, Const | None, bool]] = []
    for base in classes.mro(inspector, cls):
        init = own_init(inspector, inspector.tree.class_(base.key)) if isinstance(base, ProjectClass) else None
        if init is not None and isinstance(base, ProjectClass):
            for name, value in _assignments(init):
                written = constant_spelled(value)
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
            return constant_spelled(value)
        case ast.Name(id=name) if depth <= _DEEPEST and not _is_stored(init, name):
            own = made_by(inspector, cls)
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
