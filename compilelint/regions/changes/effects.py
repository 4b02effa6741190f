"""What it means for compiled functions that something which they are given is another value in each call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from compilelint.inspect.kinds import Kind
from compilelint.regions.around.compiled import Target
from compilelint.regions.around.driving import Drive
from compilelint.regions.around.given_tensors import arguments_of, tensors_given
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes import asking, int_uses, specialising
from compilelint.regions.changes.float_uses import constant_float_use
from compilelint.regions.changes.held_parts import Part
from compilelint.regions.changes.number_texts import number_text
from compilelint.regions.changes.row_uses import row_use
from compilelint.regions.changes.spelled import spellings
from compilelint.regions.changes.variations import Variation
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence

FEW = 4
"""Fewer values than this are compiled once each, and then there is peace."""
_Used = Callable[[Target, str], bool | specialising.Use | None]


def of_change(scope: Scope, drive: Drive, part: Part, found: Variation) -> Iterator[Usage]:
    """What the change of one value means for the functions that are called."""
    usages = _of_change(scope, drive, part, found)
    yield from less_sure(usages) if found.read else usages


def less_sure(usages: Iterable[Usage]) -> Iterator[Usage]:
    yield from (replace(usage, confidence=Confidence.MEDIUM) for usage in usages)


def of_parameter(scope: Scope, drive: Drive, part: Part) -> Iterator[Usage]:
    """That a loop gives its parameters to a function that looks at them: how many shapes they have, nobody knows."""
    if not drive.compiled.has("dynamic", False):
        yield from less_sure(_where(drive, part, _reads(scope, drive, part), "parameter-argument"))


def of_kept_list(drive: Drive, part: Part) -> Iterator[Usage]:
    """That each call is given the same list."""
    yield from _where(drive, part, specialising.grows, "length-of-argument")


def of_rows(scope: Scope, drive: Drive, part: Part, found: Variation) -> Iterator[Usage]:
    """That another number of rows is given to a function that goes through them."""
    many = found.values is None or found.values >= FEW
    if many and not drive.compiled.has("dynamic", False):
        rows = _where(drive, part, lambda target, spelled: row_use(scope, target, spelled), "rows-of-argument")
        yield from (replace(each, callee="") for each in rows)


def _of_change(scope: Scope, drive: Drive, part: Part, found: Variation) -> Iterator[Usage]:
    reads = _reads(scope, drive, part)
    many = found.values is None or found.values >= FEW
    if many and drive.compiled.has("dynamic", False) and found.what in ("int", "float", "shape"):
        static = f"dynamic=False ({found.what})"
        if found.what == "shape":
            yield Usage("static-argument", part.node, static)
        else:
            yield from _where(drive, part, reads, "static-argument", static)
        return
    if found.what in ("none", "bool"):
        used = reads if found.what == "none" else _asks(scope, drive)
        told = list(_where(drive, part, used, f"{found.what}-argument"))
        yield from told
        if not told and not part.path and not isinstance(part.argument, ast.Starred):
            yield from _where_swallowed(drive, part, f"{found.what}-argument")
    if not many or (drive.compiled.has("dynamic", True) and found.what == "shape"):
        return
    match found.what:
        case "int":
            uses = list(_where(drive, part, _int_uses(scope, drive), "int-argument"))
            yield from uses
            if all(use.callee in int_uses.TEXTS for use in uses):
                yield from _texts(scope, drive, part)
        case "float":
            uses = list(_where(drive, part, _float_uses(scope, drive), "float-argument"))
            yield from uses or _texts(scope, drive, part)
        case "str":
            yield from _where(drive, part, _asks(scope, drive), "str-argument")
        case "layer":
            yield from _where(drive, part, _guards(scope, drive), "layer-argument")
        case "member" | "dtype" | "function" | "kind":
            yield from _where(drive, part, _guards(scope, drive), "constant-argument", found.what)
        case "length" if isinstance(part.argument, ast.Starred):
            yield Usage("length-of-argument", part.node)
        case "length":
            yield from _where(drive, part, reads, "length-of-argument")
        case "keys":
            yield from _where(drive, part, specialising.looks_at_keys, "keys-of-argument")
            yield from _where_spread(drive, part)


def _reads(scope: Scope, drive: Drive, part: Part) -> _Used:
    """Whether a function looks at what it is given, which may be held by something."""
    if not part.path:
        return specialising.reads
    return lambda target, spelled: specialising.reads_held(scope, target, spelled, _given(scope, drive, target))


def _asks(scope: Scope, drive: Drive) -> _Used:
    """The same of a text or a flag, of which nothing is asked where it is only handed through."""
    return lambda target, spelled: asking.asks(scope, target, spelled, _given(scope, drive, target))


def _guards(scope: Scope, drive: Drive) -> _Used:
    """The same of a member of an Enum, a dtype or a function."""
    return lambda target, spelled: asking.guards(scope, target, spelled, _given(scope, drive, target))


def _int_uses(scope: Scope, drive: Drive) -> _Used:
    def used(target: Target, spelled: str) -> specialising.Use | None:
        given = _given(scope, drive, target)
        each = (int_uses.constant_int_use(scope, target, name, given) for name in spellings(target, spelled))
        found = [use for use in each if use is not None]
        return next((use for use in found if use.word not in int_uses.TEXTS), next(iter(found), None))

    return used


def _float_uses(scope: Scope, drive: Drive) -> _Used:
    def used(target: Target, spelled: str) -> specialising.Use | None:
        given = dict(tensors_given(arguments_of(scope, drive.call, target.parameters())))
        each = (constant_float_use(scope, target, name, given) for name in spellings(target, spelled))
        return next(filter(None, each), None)

    return used


def _texts(scope: Scope, drive: Drive, part: Part) -> Iterator[Usage]:
    """Where the functions that are called put a number into text, which stays open until then."""
    for target in drive.compiled.targets:
        spelled = _spelled(drive, target, part)
        each = (number_text(scope, target, name) for name in spellings(target, spelled)) if spelled else ()
        use = next(filter(None, each), None)
        if use is not None:
            sure = Confidence.HIGH if len(drive.compiled.targets) == 1 else Confidence.MEDIUM
            yield Usage(
                "number-in-text",
                use.node,
                use.word,
                confidence=sure,
                function=use.function,
                module=use.target.module,
            )


def _where(drive: Drive, part: Part, used: _Used, construct: str, callee: str = "") -> Iterator[Usage]:
    """What is said of a value if a function that gets it uses it in some way, which may be named.

    Where several functions may be what is called, and not all do, it is only so for some.
    """
    names = ((target, _spelled(drive, target, part)) for target in drive.compiled.targets)
    uses = [used(target, name) if name is not None else None for target, name in names]
    if any(uses):
        first = next(filter(None, uses))
        sure = Confidence.HIGH if all(uses) else Confidence.MEDIUM
        told = Usage(construct, part.node, callee, confidence=sure, source=part.text)
        if isinstance(first, specialising.Use):
            told = replace(told, callee=first.word, use=first.source, used_in=first.function)
        yield told


def _spelled(drive: Drive, target: Target, part: Part) -> str | None:
    """How a function spells what it is given; None of what it has no parameter for."""
    if part.closed_over:
        return part.closed_over
    parameter = drive.parameter(target, part.argument)
    if parameter is None:
        return None
    spec = target.node.args
    if spec.kwarg is not None and all(
        parameter != arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
    ):
        return f"{spec.kwarg.arg}[{parameter!r}]{part.path}"
    return parameter + part.path


def _where_swallowed(drive: Drive, part: Part, construct: str) -> Iterator[Usage]:
    """The same of an argument that `*args` or `**kwargs` take, if they are read. Whether it is among what is read of
    them, nobody knows."""
    names = ((target, drive.swallowed_by(target, part.argument)) for target in drive.compiled.targets)
    if any(name is not None and specialising.reads(target, name) for target, name in names):
        yield Usage(construct, part.node, confidence=Confidence.MEDIUM)


def _where_spread(drive: Drive, part: Part) -> Iterator[Usage]:
    """That a dict which a call spreads, `total(**parts)`, has other keys, if the function goes through `**options`."""
    if any(keyword.arg is None and keyword.value is part.argument for keyword in drive.call.keywords):
        rests = ((target, target.node.args.kwarg) for target in drive.compiled.targets)
        if any(rest is not None and specialising.looks_at_keys(target, rest.arg) for target, rest in rests):
            yield Usage("keys-of-argument", part.node)


def _given(scope: Scope, drive: Drive, target: Target) -> dict[str, Kind]:
    """What the function's parameters are in this call."""
    arguments = (*drive.call.args, *(keyword.value for keyword in drive.call.keywords))
    named = ((drive.parameter(target, argument), argument) for argument in arguments)
    return {name: kind_at(scope, argument) for name, argument in named if name is not None}
