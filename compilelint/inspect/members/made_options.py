"""The options that a program makes with what it compiles: `net = Net(aux=False)`, `torch.compile(net)`.

What is compiled has them so, and what its class does with others is not compiled there. Only flags, texts and None
count, as conditions ask for these, and only in code around what is compiled: objects that differ in nothing else are
walked as one. Of a followed package options say which paths are usual, no more (`made_with.options_of`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect.arguments.parameters import defaults_of
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import Const, Instance, Kind, ProjectClass
from compilelint.inspect.members import classes, made_attributes, made_with, records
from compilelint.inspect.members.base_inits import made_by
from compilelint.inspect.members.spelled_options import constant_spelled, is_option
from compilelint.source.model import ModuleIndex
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

Options = tuple[tuple[str, Const], ...]


def made(frame: Frame, cls: ProjectClass, call: Call) -> Instance:
    """The object that a call of a class makes, with what it is made with, as far as that tells what it does."""
    inspector = frame.inspector
    of_program = not inspector.tree.is_followed(cls.key[0]) and _is_around_compiled(frame)
    known = _of_call(inspector, cls, call) if of_program and not call.open_ended else None
    constants = ((name, kind) for name, kind in sorted((known or {}).items()) if isinstance(kind, Const))
    own = tuple((name, kind) for name, kind in constants if is_option(kind))
    return replace(
        inspector.instance(cls),
        fresh=not inspector.silent,
        given=made_with.of_call(inspector, cls, call),
        options=own or made_with.options_of(inspector, cls, call, frame.module) or _of_builder(frame, cls, call),
        settled=made_attributes.lasting(inspector, cls, known, frame.module) if of_program else (),
        of_program=of_program,
    )


def has_options(kind: Kind | None) -> bool:
    """Whether the program says of an object, or of what it is made with, which options it has."""
    match kind:
        case Instance(settled=settled, given=given):
            return bool(settled) or any(has_options(each) for _, each in given)
        case _:
            return False


def _of_call(inspector: Inspector, cls: ProjectClass, call: Call) -> dict[str, Kind]:
    """What a call of a class of the project gives, and the constants that it leaves as they are, by parameter or
    field."""
    init = made_by(inspector, cls)
    if init is not None:
        spelled = defaults_of(init.node)
        given = made_with.by_parameter(init.node.args, dict(enumerate(call.args)), call.keywords)
    else:
        fields = records.fields(inspector, cls)
        spelled = {name: value for name in fields if (value := classes.default(inspector, cls, name)) is not None}
        given = dict(zip(fields, call.args, strict=False)) | dict(call.keywords)
    by_default = {name: kind for name, value in spelled.items() if (kind := constant_spelled(value)) is not None}
    return {**by_default, **given}


def _of_builder(frame: Frame, cls: ProjectClass, call: Call) -> Options:
    """The options that a function of a followed package gives, which makes models for its users:
    `def resnet_d(): return ResNet(avg_down=True)`. They are as usual as those that the program itself gives.
    """
    tree = frame.inspector.tree
    if frame.function is None or frame.receiver is not None or not tree.is_followed(frame.module.name):
        return ()
    if not tree.is_followed(cls.key[0]):
        return ()
    return tuple((name, kind) for name, kind in made_with.constants_of(frame.inspector, cls, call) if is_option(kind))


def _is_around_compiled(frame: Frame) -> bool:
    """Whether this is code of a file that compiles, or a function that such code may call, but not of what is compiled;
    or makes a part of what such code makes."""
    receiver = frame.receiver_instance
    # Its class is asked: an object that only a check told apart is not always known to be a module.
    if receiver is None or not frame.inspector.instance(receiver.cls).module:
        return _says_compile(frame.inspector, frame.module.name) or (
            receiver is None and _serves_compiling(frame.inspector, frame.module)
        )
    if frame.function is None or not frame.function.qualname.endswith(".__init__"):
        return False
    return receiver.of_program or says(frame.function.node, frame.module.lines, ".compile(")


def _serves_compiling(inspector: Inspector, module: ModuleIndex) -> bool:
    """Whether what a file's functions make may be what a program compiles: `build_model()`, which it imports."""
    question = ("serves compiling", module.name)
    return inspector.derived(question, lambda: any(_compiles(inspector, file) for file in _users(inspector, module)))


def _users(inspector: Inspector, module: ModuleIndex) -> list[str]:
    """A file itself, and those that import it, unless it is a library's that everybody does."""
    return [module.name, *(few_importers(inspector.tree, module.name) or ())]


def _compiles(inspector: Inspector, file: str) -> bool:
    """Whether a file compiles something, or imports one that does so for it: `Trainer(model)`."""
    return inspector.derived(("compiles", file), lambda: _is_done_in(inspector, file) or _has_it_done(inspector, file))


def _has_it_done(inspector: Inspector, file: str) -> bool:
    tree = inspector.tree
    imported = sorted(tree.imported(file))
    return any(_is_done_in(inspector, each) and few_importers(tree, each) is not None for each in imported)


def _is_done_in(inspector: Inspector, file: str) -> bool:
    return inspector.derived(("has torch.compile", file), lambda: inspector.tree.facts(file).compiles)


def _says_compile(inspector: Inspector, file: str) -> bool:
    return inspector.derived(("says torch.compile", file), lambda: inspector.tree.facts(file).says_compile)
