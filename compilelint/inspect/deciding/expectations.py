"""What conditions in somebody else's code come to as it is mostly used: with the options that it has by default.

In a project of one's own every path is one's own concern. Of a package, only what one's program takes is, and most
programs leave most options as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from compilelint.inspect import kinds, signatures
from compilelint.inspect.deciding.by_default import outcome_by_default
from compilelint.inspect.deciding.command_line import is_off_unless_named
from compilelint.inspect.deciding.comparing import COMPARE, OPEN
from compilelint.inspect.deciding.compile_guards import outcome_of_guard
from compilelint.inspect.deciding.counting import is_counted, is_never_counted
from compilelint.inspect.deciding.debugging_flags import flag_name, is_for_debugging, may_be_on
from compilelint.inspect.deciding.held_empty import outcome_of_empty
from compilelint.inspect.deciding.in_evaluation import in_evaluation
from compilelint.inspect.deciding.kept_answers import kept_answer
from compilelint.inspect.deciding.layer_attributes import outcome_of_layer
from compilelint.inspect.deciding.modes import is_mode
from compilelint.inspect.deciding.never_filled import is_never_filled
from compilelint.inspect.deciding.none_tests import read_by_property, spelled_out
from compilelint.inspect.deciding.set_for_compiling import outcome_for_compiling
from compilelint.inspect.deciding.surroundings import usual_outcome
from compilelint.inspect.deciding.systems import usual_name
from compilelint.inspect.deciding.written_values import (
    annotated_parameters,
    default_of,
    first_assigned,
    is_state,
    only_value,
)
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.lasting import memos
from compilelint.inspect.lasting.memos import is_given_back
from compilelint.inspect.lasting.run_as_made import filled_as_made
from compilelint.inspect.members import classes, records
from compilelint.inspect.members.base_inits import handed_to
from compilelint.inspect.members.made_in_file import given_in_file
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import asked_classes, positional_names, walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


class Doubt(Enum):
    """What may be said of a value that nothing gives a value by default."""

    USUAL = "each of its values is as usual as any other"
    UNKNOWN = "nothing is known of it"


_Value = Any
"""A constant of Python, or a Doubt."""
_DEEPEST = 4
_DRAWS = tuple(map(kinds.Reference, ("random.random", "torch.rand", "numpy.random.rand", "numpy.random.random")))
"""What draws between 0 and 1."""
_ANY_DRAW = 0.5
"""What stands for a draw where it does not matter which one it is."""


def expected(frame: Frame, test: ast.expr, decided: bool | None) -> bool | Doubt:
    """What a condition that source has not `decided` comes to with default options; in a project either is usual, but
    for flags that are there for debugging.

    Where the question is whether one root breaks, default options count in the project too; what they do not tell is
    then usual in the root's own file only. What is kept from call to call by more than one is usually there, and what a
    method sets before it compiles stays so; and what is only evaluated is not trained.
    """
    remembered = memos.once_filled(frame, test)
    if remembered is not None:
        return remembered
    of_layer = outcome_of_layer(frame, test)
    if of_layer is not None:
        return of_layer
    if decided is not None:
        return decided
    settled = in_evaluation(frame, test) if frame.route.mode.evaluation else None
    if settled is None:
        settled = outcome_for_compiling(frame, test)
    if settled is None:
        settled = outcome_of_guard(frame, test)
    if settled is None:
        settled = filled_as_made(frame, test)
    if settled is None:
        settled = usual_outcome(frame, test)
    if settled is None:
        settled = outcome_of_empty(frame, test)
    if settled is not None:
        return settled
    is_ours = not frame.inspector.tree.is_followed(frame.module.name)
    if is_ours and not frame.route.home:
        of_flags = outcome_by_default(test, lambda flag: _default(frame, flag))
        return Doubt.USUAL if of_flags is None else of_flags
    value = _value(frame, test, 0)
    if value is Doubt.UNKNOWN and frame.module.name == frame.route.home:
        return Doubt.USUAL
    return value if isinstance(value, Doubt) else bool(value)


def _default(frame: Frame, node: ast.expr) -> object:
    """What a flag is if nobody sets it; `OPEN` where somebody may, and for what is no flag."""
    owner = frame.inspector.peek(frame, node.value) if isinstance(node, ast.Attribute) else None
    if is_for_debugging(node):
        value = _value(frame, node, 0)
        if value is Doubt.UNKNOWN and is_off_unless_named(frame.inspector, frame.module.name, flag_name(node)):
            value = False
        files = {frame.module.name, owner.cls.key[0] if isinstance(owner, kinds.Instance) else frame.module.name}
        is_flag = value is None or isinstance(value, bool | int | str)
        return value if is_flag and not may_be_on(frame.inspector, files, flag_name(node)) else OPEN
    if not isinstance(owner, kinds.Instance):
        return OPEN
    if is_never_filled(frame.inspector, owner.cls, flag_name(node)):
        return None
    kept = kept_answer(frame.inspector, owner.cls, flag_name(node))
    return OPEN if kept is None else kept.value


def confidence_under(usual: bool | Doubt, outcome: bool) -> Confidence:
    """How sure what happens can be if a condition must have an outcome for it, and this is what it usually comes to."""
    return Confidence.HIGH if usual is Doubt.USUAL or usual is outcome else Confidence.LOW


def confidence_after(frame: Frame, node: ast.If, usual: bool | Doubt, left: Sequence[bool]) -> Confidence:
    """The same for what follows, if control gets there with these outcomes only."""
    if len(left) == 2 and usual is memos.once_filled(frame, node.test):
        filled = node.body if usual else node.orelse
        left = [outcome for outcome in left if not (outcome is usual and is_given_back(node.test, filled))]
    return Confidence.LOW if isinstance(usual, bool) and len(left) == 1 and usual is not left[0] else Confidence.HIGH


def _value(frame: Frame, node: ast.expr, depth: int) -> _Value:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            values = [_value(frame, part, depth) for part in parts]
            return Doubt.UNKNOWN if any(isinstance(value, Doubt) for value in values) else values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = _value(frame, operand, depth)
            return value if isinstance(value, Doubt) else not value
        case ast.BoolOp(op=op, values=values):
            return _boolean([_value(frame, each, depth) for each in values], isinstance(op, ast.And))
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]
        ):
            if _is_what_it_is_about(frame, name):
                return isinstance(op, ast.IsNot)
            return Doubt.USUAL  # an input that may be left out, or what is kept from the last call
        case ast.Compare(
            left=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value=key)]),
            ops=[ast.Is() | ast.IsNot()],
            comparators=[ast.Constant(value=None)],
        ) if _puts_in(frame, name, key):
            return Doubt.USUAL  # an input that may be left out, once more, under the name of what is made of it
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if is_counted(frame, left):
                never = is_never_counted(_value(frame, right, depth))
                return isinstance(op, ast.NotEq | ast.NotIn | ast.Gt | ast.GtE) if never else Doubt.USUAL
            return _compared(_of_draw(frame, left, right, depth), op, _of_draw(frame, right, left, depth))
        case ast.Attribute(attr="training"):
            return Doubt.USUAL
        case ast.Name() if is_mode(frame, node):
            return Doubt.USUAL
        case ast.Name() | ast.BinOp() if is_counted(frame, node):
            return Doubt.USUAL
        case ast.Attribute() | ast.Call() if (system := usual_name(frame, node)) is not None:
            return system
        case ast.Call(func=ast.Attribute(value=asked, attr="startswith"), args=[ast.Constant(value=str(start))]) if (
            system := usual_name(frame, asked)
        ) is not None:
            return system.startswith(start)
        case ast.Attribute(value=base, attr=name):
            return _option(frame, base, name, depth)
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, ast.Constant(value=default)]):
            return default
        case ast.Call(
            func=ast.Name(id="getattr"), args=[base, ast.Constant(value=str() as name), ast.Constant() as default]
        ):
            found = _option(frame, base, name, depth)
            return default.value if found is Doubt.UNKNOWN else found
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, wanted]):
            return _is_instance(frame, subject, wanted)
        case ast.Call(args=[ast.Name()]) if (asked := spelled_out(frame, node)) is not node:
            return _value(frame, asked, depth)  # `exists(mask)`
        case ast.Call(func=ast.Name(id="hasattr"), args=[subject, ast.Constant(value=str(name))]):
            tensor = kinds.tensor_part(frame.inspector.peek(frame, subject))
            return Doubt.UNKNOWN if tensor is None else signatures.attribute(tensor, name) is not None
        case _:
            kind = frame.inspector.peek(frame, node)
            if isinstance(kind, kinds.Const):
                return kind.value
            if isinstance(node, ast.Name) and frame.function is not None:
                return _parameter_default(frame.function, node.id)
            return Doubt.UNKNOWN


def _is_what_it_is_about(frame: Frame, name: str) -> bool:
    """Whether it is the first thing that a module is called with: `input_ids`, which who knows better may leave out."""
    function = frame.function
    if function is None or frame.receiver_instance is None or not function.qualname.endswith(".forward"):
        return False
    return positional_names(function.node.args)[1:2] == [name]


def _puts_in(frame: Frame, name: str, key: Any) -> bool:
    """Whether a function itself puts something under this key of a dict: `made["image"] = self.encode(image)`."""
    node = frame.function.node if frame.function is not None else None
    return node is not None and any(
        isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Store)
        and isinstance(each.value, ast.Name)
        and each.value.id == name
        and isinstance(each.slice, ast.Constant)
        and each.slice.value == key
        for each in walk(node)
    )


def _of_draw(frame: Frame, node: ast.expr, bound: ast.expr, depth: int) -> _Value:
    """The value of one side of a comparison: a draw between 0 and 1 falls on either side of a bound between these."""
    if not _is_drawn(frame, node):
        return _value(frame, node, depth)
    value = _value(frame, bound, depth)
    if isinstance(value, int | float) and not 0 < value < 1:
        return _ANY_DRAW
    return Doubt.USUAL


def _is_drawn(frame: Frame, node: ast.expr) -> bool:
    """`random.random()`, `torch.rand(1)`, `torch.rand(()).item()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=drawn, attr="item"), args=[]):
            return _is_drawn(frame, drawn)
        case ast.Call(func=function):
            return frame.inspector.peek(frame, function) in _DRAWS
        case _:
            return False


def _is_instance(frame: Frame, subject: ast.expr, wanted: ast.expr) -> _Value:
    """What may be a tensor is one, and none of the other things that a function takes too."""
    if kinds.tensor_part(frame.inspector.peek(frame, subject)) is None:
        return Doubt.UNKNOWN
    parts = [frame.inspector.peek(frame, part) for part in asked_classes(wanted)]
    return kinds.Reference("torch.Tensor") in parts


def _boolean(values: list[_Value], is_and: bool) -> _Value:
    known = [bool(value) for value in values if not isinstance(value, Doubt)]
    if (not is_and) in known:
        return not is_and
    if Doubt.UNKNOWN in values:
        return Doubt.UNKNOWN
    return Doubt.USUAL if Doubt.USUAL in values else is_and


def _compared(left: _Value, op: ast.cmpop, right: _Value) -> _Value:
    if left is Doubt.UNKNOWN and not isinstance(right, Doubt) and isinstance(op, ast.Eq | ast.In):
        return False  # a value of its own case is the exception
    if isinstance(left, Doubt) or isinstance(right, Doubt):
        return Doubt.UNKNOWN if Doubt.UNKNOWN in (left, right) else Doubt.USUAL
    try:
        return bool(COMPARE[type(op)](left, right))
    except TypeError:
        return Doubt.UNKNOWN


def _option(frame: Frame, base: ast.expr, name: str, depth: int) -> _Value:
    """The default of an attribute: of a configuration, or of what keeps it as its own."""
    if depth > _DEEPEST:
        return Doubt.UNKNOWN
    inspector = frame.inspector
    kind = inspector.peek(frame, base)
    known = _named_like(frame, base) if kind == kinds.UNKNOWN else kind
    owners = [option for option in kinds.options(known) if isinstance(option, kinds.Instance)]
    value = _attribute_default(inspector, owners[0], name, depth) if len(owners) == 1 else Doubt.UNKNOWN
    if value is Doubt.UNKNOWN and isinstance(base, ast.Attribute) and base.attr == "config" and frame.receiver_instance:
        # What a decorator of `__init__` keeps there under the names of its parameters.
        init = _function(inspector, frame.receiver_instance.cls, "__init__")
        if init is None:
            return Doubt.UNKNOWN
        return _given_or_default(inspector, frame.receiver_instance, init, name, depth)
    return value


def _named_like(frame: Frame, base: ast.expr) -> kinds.Kind:
    """What the file declares values of this name to be, if it does so in one way only: `config: BertConfig`."""
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    declared = {
        ast.dump(annotation): annotation
        for function in frame.module.functions.values()
        for arg, annotation in annotated_parameters(function.node)
        if arg == name
    }
    if len(declared) != 1:
        return kinds.UNKNOWN
    return frame.inspector.annotated(frame.inspector.module_frame(frame.module), *declared.values())


def _attribute_default(inspector: Inspector, owner: kinds.Instance, name: str, depth: int) -> _Value:
    if owner.options and records.fields(inspector, owner.cls):
        for option, given in owner.options:
            if option == name:
                return given.value
    for base in classes.mro(inspector, owner.cls):
        info = inspector.tree.class_(base.key) if isinstance(base, ProjectClass) else None
        if info is None or not isinstance(base, ProjectClass):
            continue
        if name in info.attributes and isinstance(value := info.attributes[name].value, ast.Constant):
            return value.value
        if name in info.methods and depth < _DEEPEST:
            read = read_by_property(inspector, info.methods[name])
            return Doubt.UNKNOWN if read is None else _attribute_default(inspector, owner, read, depth + 1)
        key = info.methods.get("__init__")
        init = inspector.tree.function(key) if key is not None else None
        assigned = first_assigned(init, name) if init is not None else None
        if init is not None and assigned is not None:
            value = _in_init(inspector, owner, base, init, assigned, depth)
            return Doubt.USUAL if value is None and is_state(inspector, info, name) else value
    return Doubt.UNKNOWN


def _in_init(
    inspector: Inspector, owner: kinds.Instance, base: ProjectClass, init: FunctionInfo, node: ast.expr, depth: int
) -> _Value:
    if isinstance(node, ast.Name):
        handed = handed_to(inspector, owner.cls, base, node.id)
        if handed is not None and depth < _DEEPEST:
            below, value = handed
            above = ProjectClass(below.owner, "") if below.owner is not None else base
            return _in_init(inspector, owner, above, below, value, depth + 1)
        local = only_value(init.node, node.id)
        if local is not None and depth < _DEEPEST:
            return _in_init(inspector, owner, base, init, local, depth + 1)
        return _given_or_default(inspector, owner, init, node.id, depth)
    module = inspector.tree.module(init.key[0])
    if module is None:
        return Doubt.UNKNOWN
    env = inspector.declared(kinds.Function(init.key, init.qualname, owner))
    if init.owner == owner.cls.key:
        env = {**env, **dict(owner.given)}
    return _value(Frame(inspector, module, init, Route(), env, receiver=owner, owner=init.owner), node, depth + 1)


def _function(inspector: Inspector, cls: ProjectClass, name: str) -> FunctionInfo | None:
    key = classes.find_method(inspector, cls, name)
    return inspector.tree.function(key) if key is not None else None


def _given_or_default(inspector: Inspector, owner: kinds.Instance, init: FunctionInfo, name: str, depth: int) -> _Value:
    """What the user's program makes the object with, else the parameter's default; a base's `__init__` has others.

    What has no default is what the class's own file makes its objects with, if that is one value:
    `Embedding(config.vocab_size, config.additional_vocab_size)`.
    """
    if owner.options and init.owner == owner.cls.key:
        for option, given in owner.options:
            if option == name:
                return given.value
    if depth >= _DEEPEST or init.owner != owner.cls.key or default_of(init.node, name) is not None:
        return _parameter_default(init, name)
    found = [
        _in_init(inspector, inspector.instance(cls), cls, maker, value, depth + 1)
        for maker, value in given_in_file(inspector, owner.cls, init, name)
        if maker.owner is not None and (cls := ProjectClass(maker.owner, ""))
    ]
    return (
        found[0]
        if found and all(type(each) is type(found[0]) and each == found[0] for each in found)
        else Doubt.UNKNOWN
    )


def _parameter_default(function: FunctionInfo, name: str) -> _Value:
    default = default_of(function.node, name)
    return default.value if isinstance(default, ast.Constant) else Doubt.UNKNOWN
