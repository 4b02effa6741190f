"""What a global name or an import stands for, across the files of the project."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import changed_globals, handed_functions, kinds, signatures, tables
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.source.model import Assignment, Binding, Definition, Import, ModuleIndex
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

_BUILTINS = frozenset(dir(builtins))
_SETTABLE = frozenset({kinds.Const, kinds.Instance, kinds.Function})
"""What source says of a global that may be set to something else of its sort."""


def lookup(frame: Frame, name: str) -> Kind:
    """The kind of a name where it is read: local, enclosing, global, builtin."""
    if frame.breaks != frame.inspector.breaks:
        frame.settle()
    found = frame.env.get(name)
    if found is not None and (not frame.globals_written or name not in frame.globals_written):
        return found
    found = frame.closure.get(name)
    if found is not None:
        return found
    kind = global_kind(frame.inspector, frame.module, name)
    return _as_set(frame.inspector, frame.module, name, kind) if type(kind) in _SETTABLE else kind


def read_of_module(inspector: Inspector, module: ModuleIndex, name: str) -> Kind | None:
    """What `module.name` is where compiled code reads it; None if the module does not define it."""
    kind = module_attribute(inspector, module, name)
    return _as_set(inspector, module, name, kind) if kind is not None and type(kind) in _SETTABLE else kind


def _as_set(inspector: Inspector, module: ModuleIndex, name: str, kind: Kind) -> Kind:
    """What a global is: `USE_COMPILE = False`, which `main` sets as it is asked to, may be either; what begins as
    None may be whatever it is set to, and a function what is put in its place."""
    if not is_set(inspector, module, name):
        return kind
    others = inspector.derived(
        ("put in place", module.name, name), lambda: handed_functions.put_in_place(inspector, module, name)
    )
    if others:
        return kinds.join(kind, *others)
    return UNKNOWN if kind == kinds.NONE else kinds.widen(kind)


def is_set(inspector: Inspector, module: ModuleIndex, name: str) -> bool:
    """Whether functions of its file, or anybody else, may give a global another value than its file does."""
    return inspector.derived(
        ("global is set", module.name, name),
        lambda: (
            name in changed_globals.setters(inspector, module)
            or changed_globals.is_set_elsewhere(inspector, module, name)
        ),
    )


def is_global(frame: Frame, name: str) -> bool:
    """Whether a name that is read here is one of the module's own globals."""
    return (
        (name not in frame.env or name in frame.globals_written or name in frame.globals_filled)
        and name not in frame.closure
        and name in frame.module.bindings
    )


def global_kind(inspector: Inspector, module: ModuleIndex, name: str) -> Kind:
    """The kind of a module's global; builtins are the last resort, as in Python."""
    found = module_attribute(inspector, module, name)
    if found is not None:
        return found
    return kinds.Reference(f"builtins.{name}") if name in _BUILTINS else UNKNOWN


def module_attribute(inspector: Inspector, module: ModuleIndex, name: str) -> Kind | None:
    """What `module.name` is, or None if the module does not define it."""
    question = ("global", module.name, name)
    meanwhile: Kind | None = UNKNOWN
    return inspector.known(question, meanwhile, lambda: _module_attribute(inspector, module, name))


def _module_attribute(inspector: Inspector, module: ModuleIndex, name: str) -> Kind | None:
    if name in module.bindings:
        found: list[Kind] = []
        for binding in module.bindings[name]:
            if binding.unless and all(map(_is_always_there, binding.unless)):
                continue
            kind = _binding_kind(inspector, module, binding)
            if isinstance(binding, Assignment) and _is_made_from(binding, name):
                found.clear()
            found.append(kind)
            inspector.knowledge.say_meanwhile(("global", module.name, name), kinds.join(*found))
        # `try: import x` / `except ImportError: x = None`: inside a region the name is what was imported.
        useful = [kind for kind in found if kind != kinds.NONE] or found
        known = [kind for kind in useful if kind != UNKNOWN]
        held = tables.filled(inspector, module, name, kinds.join(*known)) if known else UNKNOWN
        return changed_globals.as_changed(inspector, module, name, held)
    submodule = inspector.tree.import_module(f"{module.dotted}.{name}", module.name)
    if submodule is not None and inspector.tree.is_package(module.name):
        # `from .parseq import *`, which binds it itself or passes it on. Other star imports may bind the name, too;
        # where a package has hundreds, to look for that takes minutes.
        given = module_attribute(inspector, submodule, name) if submodule.dotted in module.star_imports else None
        is_hidden = given is not None and not isinstance(given, kinds.ProjectModule)
        return given if is_hidden else kinds.ProjectModule(submodule.name)
    for provider in inspector.tree.providers(module, name):
        found_there = module_attribute(inspector, provider, name)
        if found_there is not None:
            return found_there
    return None


def _is_always_there(dotted: str) -> bool:
    """Whether an import finds a name in whatever torch the code is compiled with."""
    owner, _, name = dotted.rpartition(".")
    return signatures.is_in_every_torch(owner, name) if owner else name == "torch"


def _is_made_from(binding: Assignment, name: str) -> bool:
    """Whether a name is bound anew to what is made of its old value: `f = torch.compiler.disable(f)`."""
    return binding.value is not None and any(
        isinstance(node, ast.Name) and node.id == name for node in walk(binding.value)
    )


def _binding_kind(inspector: Inspector, module: ModuleIndex, binding: Binding) -> Kind:
    match binding:
        case Import(target):
            return import_kind(inspector, target, module.name)
        case Definition(key):
            return inspector.definition(key)
        case Assignment():
            return inspector.module_value(module, binding)


def import_kind(inspector: Inspector, target: str, importer: str) -> Kind:
    """What an absolute dotted name means when it is imported in the file `importer`."""
    head, tail = target, list[str]()
    while head:
        module = inspector.tree.import_module(head, importer)
        if module is not None and module.name != importer:
            hidden_by = None if tail else _bound_by_package(inspector, target, importer)
            return hidden_by or _walk(inspector, module, tail)
        head, _, last = head.rpartition(".")
        tail.insert(0, last)
    owner, _, name = signatures.canonical(target).rpartition(".")
    constant = signatures.attribute(kinds.Reference(owner), name)
    return constant or kinds.Reference(signatures.canonical(target))


def _bound_by_package(inspector: Inspector, target: str, importer: str) -> Kind | None:
    """What a package binds to the name of one of its own modules, as `from .odeint import odeint` does: the name means
    this from then on.

    Not of decorators, of which nothing is known then: they would be walked for all that they decorate. The one that
    transformers has (`auto_docstring`) changes docstrings, and took most of the time of its check
    (docs/architecture.md).
    """
    owner, _, name = target.rpartition(".")
    package = inspector.tree.import_module(owner, importer) if owner else None
    if package is None or package.name == importer or not inspector.tree.is_package(package.name):
        return None
    if name not in package.bindings and target not in package.star_imports:
        return None
    module = inspector.tree.module(importer)
    is_decorator = module is not None and name in inspector.derived(
        ("decorators", importer), lambda: frozenset(_decorator_names(module))
    )
    return None if is_decorator else module_attribute(inspector, package, name)


def _decorator_names(module: ModuleIndex) -> Iterator[str]:
    """The plain names of what decorates functions and classes of a file, called or not."""
    classes = (info.node.decorator_list for info in module.classes.values())
    for decorators in (*(info.decorators for info in module.functions.values()), *classes):
        for node in decorators:
            match node:
                case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
                    yield name


def _walk(inspector: Inspector, module: ModuleIndex, tail: list[str]) -> Kind:
    kind: Kind = kinds.ProjectModule(module.name)
    for name in tail:
        kind = _imported_of(inspector, kind, name)
    return kind


def _imported_of(inspector: Inspector, kind: Kind, name: str) -> Kind:
    """What an import takes of a module, which stays what it is whatever the module's own name is given later on."""
    module = inspector.tree.module(kind.name) if isinstance(kind, kinds.ProjectModule) else None
    if module is None:
        return inspector.attribute(kind, name)
    found = module_attribute(inspector, module, name)
    return UNKNOWN if found is None else found
