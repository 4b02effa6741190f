"""The walk across functions: each is inspected once for every way in which it is called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar, cast

from msgspec.structs import replace

from compilelint.inspect import borders, kinds, names, results, walking
from compilelint.inspect.arguments import parameters, shaped_types
from compilelint.inspect.arguments.annotations import annotation_kind, spelling
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.arguments.usage import Alias, Usage, usage
from compilelint.inspect.calling import function_decorators
from compilelint.inspect.calling.compilations import Compilation, of_one_text
from compilelint.inspect.events import Event
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import UNKNOWN, External, Instance, Kind, ProjectClass
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.members import (
    attributes,
    chosen_parts,
    class_decorators,
    classes,
    made_values,
    self_attributes,
)
from compilelint.inspect.retelling import ITS_PLACE, Recording, Walk
from compilelint.inspect.sizing import single_size
from compilelint.inspect.syntax import expressions, raising, unpacking
from compilelint.inspect.ways import Ways
from compilelint.source.model import Assignment, FunctionInfo, Key, ModuleIndex
from compilelint.source.tree import SourceTree

_T = TypeVar("_T")
_NOT_KNOWN_YET: Kind = UNKNOWN
MAX_SILENT_CALLS = 8
"""How deep calls nest of which only what they give is looked for: deeper than in models, but for what calls itself."""
Wants: TypeAlias = Callable[[str, str], bool]
"""Whether anybody is interested in events of this type and callee."""


@dataclass(slots=True)
class Inspector:
    """Inspects functions of one project, and remembers what they gave for what they were given.

    What is remembered here is of regions; what holds whoever asks is in `knowledge`.
    """

    knowledge: Knowledge
    wants: Wants
    splits: Callable[[Event], bool] = field(default=lambda event: False)
    """Whether an event splits the graph: what was computed before it is an input of the graph after it."""
    gives_up: Callable[[Event], bool] = field(default=lambda event: False)
    """Whether Dynamo gives up the frame of an event: Python runs it, and what it calls is compiled by itself."""
    concerns: Callable[[Event], bool] = field(default=lambda event: True)
    """Whether an event may matter to anybody, as its kinds are, wherever it happens; most do not."""
    events: list[Event] = field(default_factory=list)
    breaks: int = 0
    """How often the graph was split so far."""
    entered: set[Key] = field(default_factory=set)
    """Functions that a region contains."""
    called: set[tuple[str, str]] = field(default_factory=set)
    """File and name of the functions that other functions of a region call with arguments that are all known."""
    covering: dict[Hashable, list[Mapping[str, Kind]]] = field(default_factory=dict)
    """What functions were given in walks that stand for those of the functions as roots, see `covering.py`."""
    usual: set[tuple[Key, ProjectClass]] = field(default_factory=set)
    """Methods that are walked on usual paths of the present root, each with its object's class."""
    of_known_use: set[tuple[Key, ProjectClass]] = field(default_factory=set)
    """The same of all roots of which their file says how it uses them."""
    of_globals: set[Instance] = field(default_factory=set)
    """Objects that globals hold and whose methods a region calls, see `held.py`."""
    made: dict[Instance, tuple[int, int]] = field(default_factory=dict)
    """How often the graph had broken, and how much was told, when an object was made, see `decorated_methods.py`."""
    around: set[Key] = field(default_factory=set)
    """Functions that decorators have put around roots, and that were inspected as such."""
    misdeclared: set[tuple[str, str]] = field(default_factory=set)
    """File and name of the functions that are given lists where they are declared to take tensors."""
    silent: int = 0
    """Above zero while what is walked is not (known to be) part of a region."""
    seeks_effects: int = 0
    """Above zero while such a walk is about what happens (what is compiled, written to a class), not what comes out."""
    tree: SourceTree = field(init=False)
    class_writes: dict[Key, dict[str, Kind]] = field(default_factory=dict)
    """What class decorators that are being walked have written to the classes that they were given."""
    crossings: dict[object, borders.Crossing] = field(default_factory=dict)
    file: str = ""
    """The file whose roots are walked."""
    results: dict[Hashable, Kind] = field(default_factory=dict)
    """What functions gave, by how they were called; meanwhile what is said of those that are being walked."""
    broke: dict[Hashable, int] = field(default_factory=dict)
    """How often these calls split the graph, with all that they call: each time, though it is told once."""
    begun: dict[Hashable, int] = field(default_factory=dict)
    """How many of these walks had begun before each of them."""
    told: dict[Hashable, Walk] = field(default_factory=dict)
    """The walks, of these, that are the same wherever they stand."""
    recordings: list[Recording] = field(default_factory=list)
    """The walks that go on, outermost first, of functions that others may want to be told of."""
    ways: Ways = field(default_factory=Ways)
    """In how many ways each function was called."""
    calls_left: int = MAX_SILENT_CALLS
    """How deep calls may still nest where nobody listens."""

    def __post_init__(self) -> None:
        self.tree = self.knowledge.tree

    @property
    def compilations(self) -> tuple[Compilation, ...]:
        """What was seen to be compiled so far."""
        return tuple(of_one_text(cast(tuple[Compilation, ...], tuple(self.knowledge.compiled))))

    def forget_compilations(self) -> None:
        """Begin to look anew for what is compiled."""
        self.knowledge.compiled.clear()

    def known(self, question: Hashable, meanwhile: _T, answer: Callable[[], _T], about: Hashable = None) -> _T:
        """What is known to everybody, or comes to be now, with `answer` walked silently, see `Knowledge.find`."""
        return self.knowledge.find(question, meanwhile, answer, self._for_everybody, about)

    def derived(self, what: Hashable, derivation: Callable[[], _T]) -> _T:
        """What follows from what is known, see `Knowledge.derive`."""
        return self.knowledge.derive(what, derivation, self._for_everybody)

    def _for_everybody(self, walk: Callable[[], _T]) -> _T:
        """What a walk comes to that knows nothing of who asks for it."""
        before = self.silent, self.seeks_effects, self.calls_left
        self.silent, self.seeks_effects, self.calls_left = 1, 0, MAX_SILENT_CALLS
        try:
            return walk()
        finally:
            self.silent, self.seeks_effects, self.calls_left = before

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Inspect without reporting: what is walked is not (known to be) part of a region."""
        self.silent += 1
        try:
            yield
        finally:
            self.silent -= 1

    @contextmanager
    def seeking_effects(self) -> Iterator[None]:
        """Inspect without reporting, for what the code does: nothing counts as done that was walked before."""
        walked = self.results, self.ways
        self.results, self.ways = {}, Ways()
        self.seeks_effects += 1
        try:
            with self.silently():
                yield
        finally:
            self.seeks_effects -= 1
            self.results, self.ways = walked

    # What things are

    def attribute(self, base: Kind, name: str) -> Kind:
        return attributes.attribute(self, base, name)

    def runs_to_read(self, frame: Frame, node: ast.Attribute) -> bool:
        """Whether an attribute is a property of the project: what it gives is made when it is read."""
        return any(
            isinstance(option, Instance) and attributes.is_property(self, option, node.attr)
            for option in kinds.options(self.peek(frame, node.value))
        )

    def replaced_method(self, receiver: Instance, name: str) -> kinds.Function | None:
        """What a class decorator of the project has put in the place of a method."""
        return class_decorators.replaced_method(self, receiver, name)

    def definition(self, key: Key) -> Kind:
        """What a `def` or `class` binds its name to, decorators applied."""
        function, module = self.tree.function(key), self.tree.module(key[0])
        if function is None or module is None:
            cls = self.tree.class_(key)
            return ProjectClass(key, cls.name) if cls else UNKNOWN
        plain = kinds.Function(key, function.qualname)
        if not (decorators := function.decorators):
            return plain

        def decorated() -> Kind:
            return function_decorators.decorated(self.module_frame(module), decorators, plain)

        meanwhile: Kind = plain
        return self.known(("definition", key), meanwhile, decorated)

    def instance(self, cls: ProjectClass) -> Instance:
        """An instance of a class of the project."""
        is_module = self.known(("is module", cls.key), False, lambda: classes.is_module_class(self, cls))
        info = self.tree.class_(cls.key)
        return Instance(ProjectClass(cls.key, info.name if info else cls.name), is_module)

    def module_value(self, module: ModuleIndex, binding: Assignment) -> Kind:
        """What a name that is assigned at the top level of a module, or in a class body, stands for."""
        frame = self.module_frame(module)
        kind = self.evaluate_silently(frame, binding.value) if binding.value is not None else UNKNOWN
        for position in binding.path:
            with self.silently():
                kind = _item(frame, kind, position)
        if binding.annotation is not None and kind in (UNKNOWN, kinds.NONE):
            declared = self.annotated(frame, binding.annotation)
            kind = kinds.join(kind, declared) if kind != UNKNOWN else declared
        return results.there_before(kind)

    def evaluate_globally(self, module: ModuleIndex, node: ast.expr) -> Kind:
        return self.evaluate_silently(self.module_frame(module), node)

    def evaluate_silently(self, frame: Frame, node: ast.expr) -> Kind:
        """The kind of an expression in this frame, without reporting what happens in it."""
        self.silent += 1
        try:
            return expressions.evaluate(frame, node)
        finally:
            self.silent -= 1

    def annotated(self, frame: Frame, node: ast.expr) -> Kind:
        """The kind that an annotation in this frame stands for."""
        if frame.function is not None or frame.env or frame.closure:
            return self._annotated(frame, node)
        spelled = spelling(node) or (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        question = ("annotation", frame.module.name, spelled)
        return self.known(question, _NOT_KNOWN_YET, lambda: self._annotated(frame, node))

    def _annotated(self, frame: Frame, node: ast.expr) -> Kind:
        def resolve(part: ast.expr) -> Kind:
            kind = self.evaluate_silently(frame, part)
            match kind, part:
                case ProjectClass(), _:
                    return self.instance(kind)
                case External(cls=UNION_TYPE, args=classes), _:
                    each = (self.instance(cls) if isinstance(cls, ProjectClass) else cls for cls in classes)
                    return External(UNION_TYPE, tuple(each))
                case Instance(), ast.Name(id=name) | ast.Attribute(attr=name):
                    return shaped_types.annotated_by(self, kind, name)
                case _:
                    return kind

        return annotation_kind(node, resolve)

    def peek(self, frame: Frame, node: ast.expr) -> Kind:
        """The kind of an expression that was, or will be, evaluated anyway."""
        if isinstance(node, ast.Name):  # most are, and nothing happens where a name is read
            return names.lookup(frame, node.id)
        return self.evaluate_silently(frame, node)

    def module_frame(self, module: ModuleIndex) -> Frame:
        return Frame(self, module, None, Route())

    def assigned(self, instance: Instance) -> dict[str, Kind]:
        """What the methods of a class assign to `self`, `__init__` before all others."""
        return self._assigned(instance).attributes

    def chosen_parts(self, instance: Instance) -> chosen_parts.Parts:
        """What its `__init__` assigns to `self` by a flag that methods may ask again."""
        choices = self._assigned(instance).choices
        if not choices:
            return {}
        own = instance.options if instance.of_program else ()
        return self.derived(
            ("chosen parts", instance.cls.key, instance.given, own, instance.of_program),
            lambda: chosen_parts.chosen_parts(self, instance.cls, choices, self_attributes.as_attribute),
        )

    def made_values(self, cls: ProjectClass, init: FunctionInfo, given: Mapping[str, Kind]) -> dict[str, Kind]:
        """What the `__init__` that makes objects of a class sets itself, if it is given this by parameter."""
        question = ("made values", cls.key, tuple(sorted(given.items(), key=lambda each: each[0])))
        return self.known(question, {}, lambda: made_values.made_values(self, cls, init, given))

    def _assigned(self, instance: Instance) -> self_attributes.Assigned:
        own = instance.options if instance.of_program else ()
        question = ("assigned", instance.cls.key, instance.given, own, instance.of_program)
        nothing = self_attributes.Assigned({}, ())
        return self.known(question, nothing, lambda: self_attributes.assigned(self, instance))

    def usage(self, info: FunctionInfo) -> dict[str, set[str]]:
        """How a function's body uses its parameters, and what they hold, see `usage.usage`."""
        return self._usage(info).uses

    def aliases(self, info: FunctionInfo) -> dict[str, Alias]:
        """The names that a function gives to items of its parameters."""
        return self._usage(info).aliases

    def counts(self, info: FunctionInfo) -> frozenset[str]:
        """The entries of dicts that a function uses as numbers."""
        return self._usage(info).counts

    def _usage(self, info: FunctionInfo) -> Usage:
        return self.derived(("usage", info.key), lambda: usage(info.node))

    def declared(self, function: kinds.Function) -> dict[str, Kind]:
        """What annotations and defaults alone say of a function's parameters."""
        plain = replace(function, receiver=None)
        if function.closure:
            declared = self._declared(plain)
        else:
            declared = self.derived(("declared", function.key), lambda: self._declared(plain))
        info = self.tree.function(function.key) if function.receiver is not None else None
        first = parameters.first_parameter(info.node) if info is not None else None
        return {**declared, first: function.receiver} if first and function.receiver is not None else dict(declared)

    def _declared(self, function: kinds.Function) -> dict[str, Kind]:
        info, module = self.tree.function(function.key), self.tree.module(function.key[0])
        if info is None or module is None:
            return {}
        outer = self.module_frame(module)
        outer.closure = function.closure or {}
        return parameters.declared_parameters(
            info.node, lambda node: self.annotated(outer, node), lambda node: self.evaluate_silently(outer, node)
        )

    # Walking

    def enter(self, caller: Frame, function: kinds.Function, arguments: Arguments, node: ast.AST) -> Kind:
        """Inspect a function as it is called at a node; gives what it returns."""
        step = caller.qualname
        if caller.aggravators:
            step = f"{step} ({caller.aggravators[-1]})"
        route = Route(
            (*caller.route.steps, step),
            caller.route.mode,
            min(caller.ceiling, caller.route.ceiling, raising.sureness_of_call(caller, function)),
            caller.route.depth + 1,
            caller.operator or caller.route.body,
            bool(caller.operator),
            caller.route.home,
            caller.runs_once,
            caller.route.border if self.tree.is_followed(function.key[0]) else 0,
            single_size.is_called_for_one(caller, node),
        )
        if borders.crosses(self, caller, function):
            return borders.cross(self, function, arguments, route, borders.site_of(caller, node))
        return walking.run(self, function, arguments, route)

    def run(self, function: kinds.Function, arguments: Arguments, route: Route) -> Kind:
        """Inspect a function that is called with these arguments, unless that was done before."""
        return walking.run(self, function, arguments, route)

    def begin(self, key: Hashable, meanwhile: Kind) -> None:
        """A walk begins; `meanwhile` is said of it to who asks."""
        self.begun.setdefault(key, len(self.begun))
        self.results[key] = meanwhile

    def depends_on_place(self) -> None:
        """What is being walked is not to be told elsewhere."""
        for recording in self.recordings:
            recording.depends_on(ITS_PLACE)


def _item(frame: Frame, kind: Kind, position: int) -> Kind:
    if isinstance(kind, kinds.Sequence) and kind.items is not None and position < len(kind.items):
        return kind.items[position]
    return unpacking.iterate(frame, kind)
