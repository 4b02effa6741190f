"""Classes of the project: their order, and whether they are modules."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import INT, ProjectClass
from compilelint.inspect.members import classes
from tests.inspect.make import events, inspector, kind_of


def class_of(found: Inspector, name: str, file: str = "example.py") -> ProjectClass:
    module = found.tree.module(file)
    assert module is not None
    (info,) = (info for info in module.classes.values() if info.qualname == name)
    return ProjectClass(info.key, info.name)


def order(code: str, name: str, **others: str) -> list[str]:
    """Names of a class and its bases in the order in which Python asks them."""
    found = inspector(code, **others)
    return [getattr(kind, "name", "?") for kind in classes.mro(found, class_of(found, name))]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("class A: ...", ["A"]),
        ("class A(nn.Module): ...", ["A", "torch.nn.Module"]),
        ("class A(object): ...", ["A"]),
        ("class B: ...\nclass A(B, nn.Module): ...", ["A", "B", "torch.nn.Module"]),
        ("class B: ...\nclass C(B): ...\nclass D(B): ...\nclass A(C, D): ...", ["A", "C", "D", "B"]),
        ("class B(Generic[int]): ...\nclass A(B[int]): ...", ["A", "B", "?"]),
        ("class A(A): ...", ["A"]),
        ("class B(A): ...\nclass A(B): ...", ["A", "B"]),
    ],
)
def test_bases_are_asked_in_python_s_order(code: str, names: list[str]) -> None:
    assert order(code, "A") == names


def test_bases_are_followed_into_other_files() -> None:
    others = {"base": "from torch import nn\nclass Base(nn.Module): ...", "mid": "from base import *"}
    assert order("from mid import Base\nclass A(Base): ...", "A", **others) == ["A", "Base", "torch.nn.Module"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a base", "class A(nn.Module): ..."),
        ("a layer of torch", "class A(nn.Linear): ..."),
        ("a base of a base", "class B(nn.Module): ...\nclass A(B): ..."),
        ("lightning", "import lightning as L\nclass A(L.LightningModule): ..."),
        ("pytorch lightning", "import pytorch_lightning as pl\nclass A(pl.LightningModule): ..."),
        ("transformers", "from transformers import PreTrainedModel\nclass A(PreTrainedModel): ..."),
        (
            "a base that cannot be followed",
            "from other import BaseModel\nclass A(BaseModel):\n    def forward(self): ...",
        ),
        (
            "what is made of such a class",
            "from other import BaseModule\nclass Head(BaseModule):\n    def forward(self): ...\n"
            "class B(Head): ...\nclass A(B): ...",
        ),
        (
            "a base of a base that cannot be followed, which has no forward",
            "from tensordict.nn import TensorDictModuleBase\nclass B(TensorDictModuleBase): ...\n"
            "class A(B):\n    def forward(self): ...",
        ),
        ("OpenMMLab's", "from mmengine.model import BaseModule\nclass A(BaseModule): ..."),
        (
            "one that holds layers",
            "from rl import BaseExtractor\nclass A(BaseExtractor):\n"
            "    def __init__(self):\n        super().__init__()\n        self.net = nn.Linear(4, 4)\n"
            "    def forward(self, x): ...",
        ),
        (
            "one that registers a buffer, and what is made of it",
            "from rl import BaseExtractor\nclass B(BaseExtractor):\n"
            "    def __init__(self):\n        BaseExtractor.__init__(self)\n"
            "        self.register_buffer('mean', torch.zeros(3))\n    def forward(self, x): ...\nclass A(B): ...",
        ),
        (
            "one beside an estimator",
            "from sklearn.base import BaseEstimator\nfrom other import BaseModel\n"
            "class A(BaseModel, BaseEstimator):\n    def forward(self): ...",
        ),
    ],
)
def test_modules(why: str, code: str) -> None:
    found = inspector(code)
    assert classes.is_module_class(found, class_of(found, "A"))


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("no base", "class A:\n    def forward(self): ..."),
        (
            "a class of one's own that is called Module",
            "class Module: ...\nclass A(Module):\n    def forward(self): ...",
        ),
        ("an autograd function", "class A(torch.autograd.Function):\n    def forward(ctx, x): ..."),
        ("no forward", "from other import BaseModel\nclass A(BaseModel):\n    def run(self): ..."),
        ("a base that is not called like one", "from other import Thing\nclass A(Thing):\n    def forward(self): ..."),
        ("an exception", "class A(ValueError): ..."),
        (
            "layers of what has no base that may be one",
            "import abc\nclass A(abc.ABC):\n    def __init__(self):\n        super().__init__()\n"
            "        self.net = nn.Linear(4, 4)\n    def forward(self, x): ...",
        ),
        (
            "layers of a thread",
            "import threading\nclass A(threading.Thread):\n    def __init__(self):\n        super().__init__()\n"
            "        self.net = nn.Linear(4, 4)\n    def forward(self, x): ...",
        ),
        (
            "layers of a trainer",
            "from other import BaseTrainer\nclass A(BaseTrainer):\n    def __init__(self):\n"
            "        super().__init__()\n        self.net = nn.Linear(4, 4)\n    def forward(self, x): ...",
        ),
        (
            "layers without a forward",
            "from rl import BaseAgent\nclass A(BaseAgent):\n    def __init__(self):\n        super().__init__()\n"
            "        self.net = nn.Linear(4, 4)\n    def act(self, x): ...",
        ),
        (
            "a tensor that the base looks after",
            "from other import Thing\nclass A(Thing):\n    def __init__(self):\n        super().__init__()\n"
            "        self.bound = nn.Parameter(torch.zeros(3))\n    def forward(self): ...",
        ),
        (
            "an estimator",
            "from sklearn.base import BaseEstimator, ClassifierMixin\n"
            "class A(ClassifierMixin, BaseEstimator):\n    def forward(self, x): ...",
        ),
        (
            "a trainer",
            "from other import LossMixin, KTOTrainer\n"
            "class A(LossMixin, KTOTrainer):\n    def forward(self, model, x): ...",
        ),
        ("another framework's", "import paddle\nclass A(paddle.nn.Layer):\n    def forward(self, x): ..."),
        ("mxnet's", "import mxnet as mx\nclass A(mx.gluon.nn.Block):\n    def forward(self, x): ..."),
        ("a dataset", "class A(torch.utils.data.Dataset): ..."),
    ],
)
def test_no_modules(why: str, code: str) -> None:
    found = inspector(code)
    assert not classes.is_module_class(found, class_of(found, "A"))


CHAIN = """
class Base(nn.Module):
    def run(self): ...
    def forward(self): ...
class Middle(Base):
    def forward(self): ...
class Net(Middle):
    def extra(self): ...
"""


@pytest.mark.parametrize(
    ("name", "after", "method"),
    [
        ("extra", None, "Net.extra"),
        ("forward", None, "Middle.forward"),
        ("run", None, "Base.run"),
        ("forward", "Middle", "Base.forward"),
        ("missing", None, None),
        ("extra", "Net", None),
        ("forward", "Base", None),
    ],
)
def test_methods_are_found_as_python_finds_them(name: str, after: str | None, method: str | None) -> None:
    found = inspector(CHAIN)
    start = class_of(found, after).key if after else None
    key = classes.find_method(found, class_of(found, "Net"), name, after=start)
    info = found.tree.function(key) if key else None
    assert (info.qualname if info else None) == method


def test_bases_outside_the_project() -> None:
    found = inspector("import abc\nclass A(abc.ABC): ...\nclass B(nn.Linear, A): ...")
    assert classes.external_bases(found, class_of(found, "B")) == ("torch.nn.Linear", "abc.ABC")


def test_decorators_are_resolved() -> None:
    found = inspector("import functools as ft\nclass A:\n    @property\n    @ft.lru_cache(3)\n    def size(self): ...")
    key = classes.find_method(found, class_of(found, "A"), "size")
    assert key is not None
    assert classes.decorator_names(found, key) == {"builtins.property", "functools.lru_cache"}


@pytest.mark.parametrize(
    ("body", "answers"),
    [
        ("def __getattribute__(self, name):\n        return 3", True),
        ("def __getattribute__(self, name):\n        return super().__getattribute__(name)", False),
        ("def __getattribute__(self, name):\n        return object.__getattribute__(self, name)", False),
        ("def __getattr__(self, name):\n        return 3", False),
    ],
)
def test_classes_that_answer_for_every_attribute(body: str, answers: bool) -> None:
    found = inspector(f"class A:\n    {body}")
    assert classes.answers_for_every_attribute(found, class_of(found, "A")) is answers


def test_what_is_asked_of_the_order_of_bases_most_often() -> None:
    found = inspector("import dataclasses\n@dataclasses.dataclass\nclass A: ...\nclass B(nn.Linear, A): ...")
    order = classes.lineage(found, class_of(found, "B"))
    assert [each.name for each in order.own] == ["B", "A"]
    assert order.is_decorated
    plain = inspector("class A: ...")
    assert not classes.lineage(plain, class_of(plain, "A")).is_decorated


_GETS = "def __getattr__(self, name):\n        return self[name]\n"


@pytest.mark.parametrize(
    ("code", "has"),
    [
        (f"class D(dict):\n    {_GETS}", True),
        ("class D(dict):\n    __getattr__ = dict.get", True),
        (f"class D(dict):\n    {_GETS}    def __setattr__(self, name, value):\n        self[name] = value", True),
        (f"class B(dict):\n    {_GETS}\nclass D(B):\n    pass", True),
        (f"class D(dict):\n    {_GETS}    def __init__(self, **rest):\n        pass", False),
        (f"class D(dict):\n    {_GETS}    def size(self):\n        return 3", False),
        (f"class D:\n    {_GETS}", False),
    ],
)
def test_a_dict_whose_keys_are_attributes(code: str, has: bool) -> None:
    found = inspector(code)
    assert classes.has_keys_as_attributes(found, class_of(found, "D")) is has


def test_what_such_a_dict_holds_is_read_as_an_attribute() -> None:
    assert kind_of("D(size=n).size", around=f"class D(dict):\n    {_GETS}") == INT


_SLOT = "class D(dict):\n    __getattr__ = dict.get\n    __setattr__ = dict.__setitem__\n"


@pytest.mark.parametrize(
    ("why", "classes_", "read", "sources"),
    [
        ("a key", _SLOT, "d.n", ["d.n"]),
        ("a key by another slot", _SLOT.replace("get\n", "__getitem__\n"), "d.n", ["d.n"]),
        ("a method of dict", _SLOT, "d.items", []),
        ("a class that has more", f"{_SLOT}    size = 3\n    def has(self):\n        return 1\n", "d.n", ["d.n"]),
        ("what such a class has", f"{_SLOT}    size = 3\n    def has(self):\n        return 1\n", "d.size", []),
        (
            "a subclass",
            f"{_SLOT.replace('D(', 'B(')}class D(B):\n    def __init__(self, **n):\n        pass\n",
            "d.n",
            ["d.n"],
        ),
        ("a function", f"class D(dict):\n    {_GETS}", "d.n", []),
        ("a function of a subclass", f"{_SLOT.replace('D(', 'B(')}class D(B):\n    {_GETS}", "d.n", []),
        ("another's method", "class D(dict):\n    __getattr__ = other.get\n", "d.n", []),
    ],
)
def test_keys_that_a_slot_of_dict_reads_as_attributes(why: str, classes_: str, read: str, sources: list[str]) -> None:
    found = events(f"{classes_}\nd = D(n=3)\ndef f(x):\n    return x * {read}", "f", "attribute")
    assert [event.source for event in found if event.callee == "builtins.object.__getattr__"] == sources
