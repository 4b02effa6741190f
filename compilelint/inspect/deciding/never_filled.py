"""Attributes that stay None: what fills them is a method that nobody calls, of a part of a model.

`StableDropout` of DeBERTa keeps its masks in `self.context_stack` once `init_context` was called, and the model that
makes it never does. What only who uses a model calls, on the model itself, may well be called: `setup_caches`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members.made_in_file import is_made_in_file
from compilelint.inspect.members.never_set import sets_any
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import is_none, pairs_of
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def is_never_filled(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    """Whether an attribute of what a file makes as a part is None in its `__init__`, and only methods that nobody calls
    give it anything else."""
    return inspector.derived(("never filled", cls.key, name), lambda: _is_never_filled(inspector, cls, name))


def _is_never_filled(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    module, info = inspector.tree.module(cls.key[0]), inspector.tree.class_(cls.key)
    init = inspector.tree.function(info.methods["__init__"]) if info and "__init__" in info.methods else None
    if module is None or info is None or init is None or not _begins_with_none(init, name):
        return False
    fills = _which_fill(module, name)
    own = {key: method for method, key in info.methods.items()}
    return (
        bool(fills)
        and all(each.key in own and not _is_called_by_python(each) for each in fills)
        and is_made_in_file(inspector, cls)
        and _is_left_alone(inspector, module.name, [name, *(own[each.key] for each in fills)], name)
    )


def _begins_with_none(init: FunctionInfo, name: str) -> bool:
    given = list(_given(init, name))
    return bool(given) and all(map(is_none, given))


def _which_fill(module: ModuleIndex, name: str) -> list[FunctionInfo]:
    """The functions of a file that give an attribute of this name of their own object anything but None."""
    return [each for each in module.functions.values() if not all(map(is_none, _given(each, name)))]


def _given(function: FunctionInfo, name: str) -> Iterator[ast.expr]:
    """What a method gives an attribute of its object."""
    if isinstance(function.node, ast.Lambda) or not stores(function.node):
        return
    own = first_parameter(function.node)
    for statement in flat_statements(function.node.body):
        for target, value in pairs_of(statement):
            match target:
                case ast.Attribute(value=ast.Name(id=receiver), attr=attribute) if (receiver, attribute) == (own, name):
                    yield value


def _is_called_by_python(method: FunctionInfo) -> bool:
    """`forward`, a property, `__enter__`: what is called without being named."""
    node, name = method.node, method.qualname.rpartition(".")[2]
    return isinstance(node, ast.Lambda) or bool(node.decorator_list) or name == "forward" or name.startswith("__")


def _is_left_alone(inspector: Inspector, file: str, names: list[str], kept: str) -> bool:
    """Whether neither a file nor the few that import it call what has one of these names, or set what is kept."""
    users = few_importers(inspector.tree, file)
    if users is None:
        return False
    words = "|".join(map(re.escape, names))
    touches = re.compile(rf"\.(?:{words})\(|[\"'](?:{words})[\"']|(?<!\bself)\.{re.escape(kept)}\s*=(?!=)")
    texts = [inspector.tree.text(user) for user in (file, *users)]
    return not sets_any(inspector, file) and all(text is not None and not touches.search(text.text) for text in texts)
