"""Conditions on lists, dicts and sets that `__init__` makes with nothing in them, and that nothing fills, and loops
through them: `if self.hooks:`, `if len(self.bank) > 0:`, `for hook in self.hooks:`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.deciding.by_default import outcome_by_default
from compilelint.inspect.deciding.comparing import OPEN
from compilelint.inspect.deciding.written_once import attribute_written
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import UNKNOWN, ProjectClass, Sequence
from compilelint.inspect.members import classes
from compilelint.inspect.members.made_attributes import changes_of
from compilelint.inspect.members.never_set import sets_any
from compilelint.source.model import FunctionInfo

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

_CONTAINERS = frozenset({"list", "dict", "set", "deque", "OrderedDict", "defaultdict"})
_KEEPS = frozenset({"deque", "defaultdict"})
"""What takes arguments and is empty all the same: `defaultdict(list)`, `deque(maxlen=3)`."""
_READS = r"\b(?:torch\.\w+|sum|list|tuple|sorted|max|min|print|reversed|str|zip)\(\s*[\w.]+\.{name}\s*[,)]"
"""Calls that are given a container and leave it as it is."""
_PLAIN = frozenset({"torch.nn.Module", "builtins.object"})
"""Bases that call none of the methods which a class adds; those of frameworks do (`on_train_batch_end`)."""


def outcome_of_empty(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to if containers that nothing fills are empty; None where it does not ask for such."""
    return outcome_by_default(test, lambda asked: _value(frame, asked)) if frame.receiver_instance else None


def goes_through_nothing(frame: Frame, iterable: ast.expr) -> bool:
    """Whether a loop goes through a container that nothing fills: `for name, hook in self.hooks.items():`."""
    match iterable:
        case ast.Call(func=ast.Attribute(value=held, attr="items" | "keys" | "values"), args=[]):
            return goes_through_nothing(frame, held)
        case ast.Call(func=ast.Name(id="enumerate" | "list" | "reversed" | "sorted" | "tuple"), args=[held, *_]):
            return goes_through_nothing(frame, held)
        case ast.Attribute():
            return frame.receiver_instance is not None and _is_empty(frame, iterable)
        case _:
            return False


def _value(frame: Frame, asked: ast.expr) -> Any:
    match asked:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute() as held], keywords=[]):
            return 0 if _is_empty(frame, held) else OPEN
        case ast.Attribute():
            return () if _is_empty(frame, asked) else OPEN
        case _:
            return OPEN


def _is_empty(frame: Frame, held: ast.Attribute) -> bool:
    receiver = frame.receiver_instance
    own = first_parameter(frame.function.node) if frame.function is not None else None
    if receiver is None or not isinstance(held.value, ast.Name) or held.value.id != own:
        return False
    known = frame.env.get(f"{own}.{held.attr}")
    if known is not None:
        return isinstance(known, Sequence) and known.items == ()
    if classes.find_method(frame.inspector, receiver.cls, held.attr) is not None:
        return False
    return _stays_empty(frame.inspector, receiver.cls, held.attr)


def _stays_empty(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    return inspector.derived(("stays empty", cls.key, name), lambda: _is_never_filled(inspector, cls, name))


def _is_never_filled(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    """Whether no text of those that have to do with an object fills it. Where they make objects of the class, methods
    that nobody calls do not count: a library's are there to be called by others, a program's are not."""
    written = attribute_written(inspector, cls, name)
    files = _files(inspector, cls) if written is not None and _makes_empty(written[1]) else None
    if files is None or any(sets_any(inspector, file) for file in files):
        return False
    texts = dict(_texts(inspector, files))
    if len(texts) != len(files):
        return False
    if _is_made(texts.values(), cls) and _is_plain(inspector, cls):
        for method in classes.methods(inspector, cls):
            if _is_called_by_nobody(texts.values(), method):
                texts[method.key[0]] = _without(texts[method.key[0]], method)
    filled = [file for file, text in texts.items() if _is_filled(text, name)]
    return not any(_is_filled(_without_others(inspector, cls, file, texts[file], name), name) for file in filled)


def _is_filled(text: str, name: str) -> bool:
    """Whether a text fills what an attribute of this name holds, or gives it to whoever asks."""
    left = re.sub(_READS.format(name=re.escape(name)), "", text)
    escaped = re.escape(name)
    extended = re.compile(rf"\.{escaped}\s*[-+*|&^]=")
    given_back = re.compile(rf"\b(?:return|yield)\s+[\w.]+\.{escaped}\s*$", re.MULTILINE)
    return any(pattern.search(left) is not None for pattern in (changes_of(name), extended, given_back))


def _without_others(inspector: Inspector, cls: ProjectClass, file: str, text: str, name: str) -> str:
    """The text without what other classes in it, which have nothing to do with this one, do with a `self.name` of
    their own."""
    module = inspector.tree.module(file)
    own = {base.key for base in classes.mro(inspector, cls) if isinstance(base, ProjectClass)}
    lines = text.splitlines(keepends=True)
    for info in module.classes.values() if module is not None else ():
        if info.key in own or cls in classes.mro(inspector, ProjectClass(info.key, info.name)):
            continue
        for at in range(info.node.lineno - 1, info.node.end_lineno or info.node.lineno):
            lines[at] = re.sub(rf"\bself\.{re.escape(name)}\b", "self", lines[at])
    return "".join(lines)


def _is_plain(inspector: Inspector, cls: ProjectClass) -> bool:
    known = UNKNOWN not in classes.mro(inspector, cls)
    return known and all(base in _PLAIN for base in classes.external_bases(inspector, cls))


def _is_made(texts: Iterable[str], cls: ProjectClass) -> bool:
    makes = re.compile(rf"(?<!\bclass )\b{re.escape(cls.name)}\(")
    return any(map(makes.search, texts))


def _makes_empty(value: ast.expr) -> bool:
    match value:
        case ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=args, keywords=keywords):
            return called in _CONTAINERS and ((called in _KEEPS and len(args) < 2) or not (args or keywords))
        case _:
            return False


def _files(inspector: Inspector, cls: ProjectClass) -> list[str] | None:
    """The files of a class and its bases, and those that import them; None where they are too many."""
    found: set[str] = set()
    for base in classes.mro(inspector, cls):
        if isinstance(base, ProjectClass) and base.key[0] not in found:
            users = few_importers(inspector.tree, base.key[0])
            if users is None:
                return None
            found |= {base.key[0], *users}
    return sorted(found)


def _texts(inspector: Inspector, files: list[str]) -> Iterator[tuple[str, str]]:
    for file in files:
        text = inspector.tree.text(file)
        if text is not None:
            yield file, text.text


def _is_called_by_nobody(texts: Iterable[str], method: FunctionInfo) -> bool:
    name = method.qualname.rpartition(".")[2]
    asks = re.compile(rf"[.\"']{re.escape(name)}\b")
    return not name.startswith("__") and name != "forward" and not any(map(asks.search, texts))


def _without(text: str, method: FunctionInfo) -> str:
    """The text without the lines of a method, which keep their numbers."""
    lines = text.splitlines(keepends=True)
    first, last = method.node.lineno - 1, method.node.end_lineno or method.node.lineno
    return "".join([*lines[:first], *["\n"] * (last - first), *lines[last:]])
