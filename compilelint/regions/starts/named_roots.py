"""Roots that a user names: `--root path.py::Qual.name`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from compilelint.inspect import kinds
from compilelint.inspect.events import Mode
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import attributes, classes
from compilelint.regions.roots import Root, class_site, functions_of, method_or_function
from compilelint.regions.starts.tensor_functions import accepted_by_siblings
from compilelint.source.model import ModuleIndex


class RootError(ValueError):
    """A root that was asked for by name does not exist."""


def named_roots(inspector: Inspector, specs: Sequence[str]) -> list[Root]:
    """The roots that `path.py::Qual.name` names. Raises RootError with the nearest known name."""
    return [root for spec in specs for root in _named_root(inspector, spec)]


def _named_root(inspector: Inspector, spec: str) -> Iterator[Root]:
    path, separator, qualname = spec.partition("::")
    if not separator or not qualname:
        raise RootError(f"{spec!r} is no root: write path.py::Qual.name")
    name = _find_file(inspector, path, spec)
    module = inspector.tree.module(name)
    if module is None:
        raise RootError(f"{spec!r}: {path} cannot be parsed")
    kind = _by_qualname(inspector, module, qualname)
    found = list(functions_of(inspector, kind))
    if not found:
        raise RootError(f"{spec!r}: {_no_such_name(module, qualname, path)}")
    for function in found:
        site = class_site(inspector, module, function)
        info = inspector.tree.function(function.key)
        accepts = accepted_by_siblings(inspector, info, function) if info is not None else ()
        label = f"{name} --root {qualname}"
        yield Root(function, Mode(), label, explicit=True, accepts=accepts, home=name, site=site)


def _find_file(inspector: Inspector, path: str, spec: str) -> str:
    wanted = path.removeprefix("./")
    candidates = [name for name in inspector.tree.texts if name == wanted or name.endswith(f"/{wanted}")]
    resolved = [name for name, file in inspector.tree.texts.paths.items() if file.as_posix().endswith(f"/{wanted}")]
    if wanted in candidates:
        return wanted
    if len(set(candidates or resolved)) == 1:
        return (candidates or resolved)[0]
    if candidates:
        raise RootError(f"{spec!r}: {path} may be any of {', '.join(sorted(candidates)[:3])}")
    near = difflib.get_close_matches(wanted, inspector.tree.texts, n=1)
    raise RootError(f"{spec!r}: {path} is not among the files" + (f" (did you mean {near[0]}?)" if near else ""))


def _by_qualname(inspector: Inspector, module: ModuleIndex, qualname: str) -> Kind:
    # Of several definitions the last one holds: those before it are `@overload`s.
    for info in reversed(list(module.functions.values())):
        if info.qualname == qualname and info.parent is None:
            return method_or_function(inspector, info)
    kind: Kind = kinds.ProjectModule(module.name)
    for part in qualname.split("."):
        inherited = classes.find_method(inspector, kind, part) if isinstance(kind, kinds.ProjectClass) else None
        if isinstance(kind, kinds.ProjectClass) and inherited is not None:
            # What it calls on itself is what this class makes of it.
            kind = attributes.bound_method(inspector, inherited, inspector.instance(kind))
        else:
            kind = inspector.attribute(kind, part)
    return kind


def _no_such_name(module: ModuleIndex, qualname: str, path: str) -> str:
    known = [info.qualname for info in module.functions.values()]
    known += [info.qualname for info in module.classes.values()]
    near = difflib.get_close_matches(qualname, known, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"no function, method or module {qualname} in {path}{hint}"
