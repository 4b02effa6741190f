"""Roots that a user names."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Instance
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions import Root, RootError, named_roots
from tests.regions.project import inspector, names
from tests.source.make import tree


def named(spec: str, code: str = "", **others: str) -> list[Root]:
    return named_roots(inspector(code, **others), [spec])


def test_an_inherited_method_is_that_of_the_class_that_is_named() -> None:
    code = "class Base:\n    def run(self, x): ...\nclass Child(Base): ...\n"
    (root,) = named("train.py::Child.run", code)
    assert isinstance(root.function.receiver, Instance)
    assert (root.function.name, root.function.receiver.cls.name) == ("Base.run", "Child")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("train.py::f", "f"),
        ("./train.py::f", "f"),
        ("project/train.py::f", "f"),
        ("train.py::Net.forward", "Net.forward"),
        ("train.py::Net", "Net.forward"),
        ("train.py::net", "Net.forward"),
        ("train.py::fast", "f"),
        ("train.py::compiled", "Net.forward"),
        ("train.py::Tool.make", "Tool.make"),
        ("train.py::Tool.build", "Tool.build"),
        ("train.py::Tool.Inner.run", "Tool.Inner.run"),
        ("train.py::call", "Tool.__call__"),
        ("train.py::partial", "f"),
        ("train.py::imported", "imported"),
    ],
)
def test_a_root_is_named(spec: str, name: str) -> None:
    code = """
    from other import imported
    class Tool:
        class Inner:
            def run(self, x): ...
        @staticmethod
        def make(x): ...
        @classmethod
        def build(cls, x): ...
        def __call__(self, x): ...
    net = Net()
    compiled = torch.compile(Net())
    fast = torch.compile(f)
    call = Tool()
    partial = functools.partial(f, 3)
    """
    (root,) = named(spec, code, other="def imported(x): ...")
    assert root.function.name == name
    assert root.explicit
    assert root.label == f"train.py --root {spec.partition('::')[2]}"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("train.py", "'train.py' is no root: write path.py::Qual.name"),
        ("train.py::", "'train.py::' is no root: write path.py::Qual.name"),
        ("trian.py::f", "'trian.py::f': trian.py is not among the files (did you mean train.py?)"),
        ("zzz.py::f", "'zzz.py::f': zzz.py is not among the files"),
        ("train.py::Net.froward", "no function, method or module Net.froward in train.py (did you mean Net.forward?)"),
        ("train.py::zzz", "no function, method or module zzz in train.py"),
        ("train.py::number", "no function, method or module number in train.py"),
        ("broken.py::f", "'broken.py::f': broken.py cannot be parsed"),
    ],
)
def test_a_root_that_does_not_exist(spec: str, message: str) -> None:
    with pytest.raises(RootError) as raised:
        named(spec, "number = 3", broken="def f(:")
    assert str(raised.value).endswith(message)


def test_a_file_is_named_by_the_end_of_its_path() -> None:
    files = {"a/train.py": "def f(x): ...", "b/train.py": "def f(x): ...", "b/only.py": "def f(x): ..."}
    found = Inspector(Knowledge(tree(files)), lambda type_, callee: True)
    assert [root.function.key[0] for root in named_roots(found, ["only.py::f"])] == ["b/only.py"]
    assert [root.function.key[0] for root in named_roots(found, ["a/train.py::f"])] == ["a/train.py"]
    with pytest.raises(RootError, match=r"train\.py may be any of a/train\.py, b/train\.py"):
        named_roots(found, ["train.py::f"])


def test_each_named_root_is_one() -> None:
    found = inspector("def g(x): ...")
    assert names(named_roots(found, ["train.py::g", "train.py::f"])) == ["g", "f"]


def test_of_overloads_the_last_definition_is_meant() -> None:
    found = inspector("def g(x: int): ...\n\ndef g(x):\n    return x\n")
    (root,) = named_roots(found, ["train.py::g"])
    assert root.function.key[1] == max(
        info.node.lineno
        for info in found.tree.module("train.py").functions.values()
        if info.qualname == "g"  # type: ignore[union-attr]
    )
