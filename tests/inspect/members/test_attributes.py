"""Attributes of everything that source shows."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from compilelint.inspect.kinds import (
    INT,
    NONE,
    SIZE,
    STR,
    TRAINING,
    UNKNOWN,
    Const,
    Function,
    Instance,
    Kind,
    Method,
    Python,
    Sequence,
    Tensor,
    join,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import callees, events, function, in_forward, kind_of, returned

INPUT = Tensor(parameter=True)


# What the class body says


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("a = 3", INT),
        ("a: int", INT),
        ("a: Tensor", INPUT),
        ("a: Optional[int] = None", join(NONE, INT)),
        ("a: int = None", join(NONE, INT)),
        ("a = None", UNKNOWN),
        ("a, b = 3, 'a'", INT),
    ],
)
def test_attributes_of_the_class(body: str, kind: Kind) -> None:
    assert in_forward("self.a", body=body) == kind


@pytest.mark.parametrize(("name", "kind"), [("training", TRAINING), ("missing", UNKNOWN)])
def test_attributes_of_every_module(name: str, kind: Kind) -> None:
    assert in_forward(f"self.{name}") == kind


def test_fields_of_a_dataclass() -> None:
    around = """
    import dataclasses
    @dataclasses.dataclass
    class Config:
        size: int
        name: str = "a"
    """
    assert kind_of("Config(3).size", around=around) == INT
    assert kind_of("c.name", "c = Config(3)", around) == STR


def test_the_first_field_of_a_record_that_is_set() -> None:
    around = """
    class Output(dict):
        loss: Optional[Tensor] = None
        logits: Tensor = None
        other: int = 3
    """
    assert isinstance(kind_of("Output()[0]", around=around), Tensor)
    assert isinstance(kind_of("Output()[1]", around=around), Tensor)
    assert kind_of("Output()[2]", around=around) == UNKNOWN
    assert kind_of("Output()[n]", around=around) == UNKNOWN


# Methods


def method_of(code: str, expression: str) -> str:
    """The name of the function that an expression in `Net.forward` is, and its receiver's class."""
    kind = returned(f"{code}\n    def forward(self, x):\n        return {expression}\n", "Net.forward")
    assert isinstance(kind, Function)
    receiver = kind.receiver.cls.name if isinstance(kind.receiver, Instance) else getattr(kind.receiver, "name", None)
    return f"{kind.name} of {receiver}"


BASE = "class Base(nn.Module):\n    def run(self): ...\nclass Net(Base):\n"


@pytest.mark.parametrize(
    ("code", "expression", "found"),
    [
        (f"{BASE}    def run(self): ...", "self.run", "Net.run of Net"),
        (f"{BASE}    pass", "self.run", "Base.run of Net"),
        (f"{BASE}    def run(self): ...", "super().run", "Base.run of Net"),
        (f"{BASE}    def run(self): ...", "super(Net, self).run", "Base.run of Net"),
        (f"{BASE}    @staticmethod\n    def run(): ...", "self.run", "Net.run of None"),
        (f"{BASE}    @classmethod\n    def run(cls): ...", "self.run", "Net.run of Net"),
        (f"{BASE}    @classmethod\n    def run(cls): ...", "Net.run", "Net.run of Net"),
        (f"{BASE}    def run(self): ...", "Net.run", "Net.run of None"),
        (f"{BASE}    def run(self): ...", "self.run.__call__", "Net.run of Net"),
    ],
)
def test_methods(code: str, expression: str, found: str) -> None:
    assert method_of(code, expression) == found


def test_what_a_base_outside_defines_is_a_method_of_the_instance() -> None:
    kind = in_forward("self.eval")
    assert isinstance(kind, Method)
    assert isinstance(kind.receiver, Instance)
    assert in_forward("super().forward") == Method(kind.receiver, "super.forward")


def test_a_property_is_what_it_returns() -> None:
    body = "@property\n    def half(self):\n        print(self)\n        return 0.5\n"
    assert in_forward("self.half", body=body) == Const(0.5)
    code = f"class Net(nn.Module):\n    {body}\n    def forward(self, x):\n        return self.half\n"
    assert callees(code, "Net.forward") == ["builtins.print"]
    assert callees(code.replace("return self.half", "return x"), "Net.forward") == []


def test_a_property_of_a_base_is_reported_and_walked() -> None:
    code = """
    class Base(nn.Module):
        @property
        def half(self):
            return 0.5
        def whole(self):
            return 1.0
    class Net(Base):
        def forward(self, x):
            return super().{read}
    """
    assert returned(code.format(read="half"), "Net.forward") == Const(0.5)
    assert "builtins.super.__get__" in [each.callee for each in events(code.format(read="half"), "Net.forward")]
    assert "builtins.super.__get__" not in [each.callee for each in events(code.format(read="whole()"), "Net.forward")]


@pytest.mark.parametrize(
    ("read", "asks"),
    [
        ("super().logits", True),
        ("super().probs", True),
        ("super().sample()", False),
        ("super().entropy", False),
        ("self.logits", False),
    ],
)
def test_a_property_of_a_distribution_of_torch_is_asked_by_super(read: str, asks: bool) -> None:
    code = f"""
from torch.distributions import one_hot_categorical
class OneHot(one_hot_categorical.OneHotCategorical):
    def mode(self):
        return {read}
class Net(nn.Module):
    def forward(self, x):
        return OneHot(logits=x).mode()
"""
    assert ("builtins.super.__get__" in [each.callee for each in events(code, "Net.forward")]) == asks
    if asks:
        kind = returned(code, "Net.forward")
        assert isinstance(kind, Tensor)
        assert kind.dtype == "float"
        named = code.replace(f"return {read}", f"named = {read}; return named")
        sure = [each.confidence for each in events(named, "Net.forward") if each.callee == "builtins.super.__get__"]
        assert sure == [Confidence.LOW]


def test_a_cached_property_is_reported_and_walked() -> None:
    code = """
    class Net(nn.Module):
        @functools.cached_property
        def half(self):
            return 0.5
        def forward(self, x):
            return self.half
    """
    assert returned(code, "Net.forward") == Const(0.5)
    assert "functools.cached_property.__get__" in [event.callee for event in events(code, "Net.forward", "attribute")]


def test_a_lazy_property_of_a_distribution_is_a_property() -> None:
    code = """
    from torch.distributions.utils import lazy_property
    class Chain(torch.distributions.Distribution):
        @lazy_property
        def half(self):
            return 0.5
    def f(x):
        return Chain().half
    """
    assert returned(code) == Const(0.5)


# Modules, torch's own values


def test_attributes_of_modules_of_the_project() -> None:
    others = {"other": "SIZE = 3\ndef g(x):\n    return x\n"}
    assert returned("import other\ndef f(x):\n    return other.SIZE\n", **others) == Const(3)
    assert returned("import other as o\ndef f(x):\n    return o.missing\n", **others) == UNKNOWN
    kind = returned("import other\ndef f(x):\n    return other.g\n", **others)
    assert isinstance(kind, Function)
    assert kind.key[0] == "other.py"


def test_a_circular_import_ends() -> None:
    others = {"a": "from b import X", "b": "from a import X"}
    assert returned("from a import X\ndef f(x):\n    return X\n", **others) == UNKNOWN


def test_a_global_tensor_exists_before_the_region() -> None:
    assert kind_of("TABLE", around="TABLE = torch.zeros(3)") == Tensor("float", 1, parameter=True)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("x.T", Tensor()),
        ("x.requires_grad", Python("bool")),
        ("x.is_cuda", Python("bool")),
        ("x.sum", Method(INPUT, "sum")),
        ("maybe.shape", Sequence("tuple", SIZE)),
        ("name.upper", Method(STR, "upper")),
        ("what.anything", UNKNOWN),
        ("{'logits': x}.logits", INPUT),
    ],
)
def test_attributes_of_values(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


def test_attributes_of_tensors_are_reported_by_the_name_of_the_class() -> None:
    found = [(event.callee, event.source) for event in events(function("v = x.grad"), "f", "attribute")]
    assert found == [("torch.Tensor.grad", "x.grad")]


# Containers of layers

LAYERS = """
class Block(nn.Module):
    def forward(self, x):
        print(x)
        return 3

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {layers}
    def forward(self, x: Tensor):
        {body}
"""


@pytest.mark.parametrize(
    "layers",
    [
        "nn.ModuleList([Block() for _ in range(3)])",
        "nn.ModuleList([Block(), Block()])",
        "nn.ModuleList(Block() for _ in range(3))",
        "nn.Sequential(Block(), Block())",
        "nn.Sequential(*[Block() for _ in range(3)])",
    ],
)
@pytest.mark.parametrize(
    "body", ["for layer in self.layers:\n            x = layer(x)\n        return x", "return self.layers[0](x)"]
)
def test_layers_are_entered_from_their_container(layers: str, body: str) -> None:
    assert set(callees(LAYERS.format(layers=layers, body=body), "Net.forward")) == {"builtins.print"}


@pytest.mark.parametrize(
    ("layers", "body"),
    [
        ("nn.Sequential(Block(), nn.ReLU())", "return self.layers(x)"),
        ("nn.ModuleDict({'a': Block()})", "return self.layers['a'](x)"),
        ("nn.ModuleDict()\n        for n in 'ab': self.layers[n] = Block()", "return self.layers['a'](x)"),
        ("nn.ModuleList()\n        self.layers.append(Block())", "return [layer(x) for layer in self.layers]"),
        ("nn.ModuleList()\n        for i in range(3): self.layers.append(Block())", "return self.layers[0](x)"),
        ("nn.ModuleList()\n        self.layers.extend([Block()])", "return self.layers[0](x)"),
        ("nn.ModuleList([Block()])", "for i, layer in enumerate(self.layers): layer(x)"),
        ("nn.ModuleList([Block()])", "for a, b in zip(self.layers, self.layers): a(x)"),
        ("nn.ModuleList([Block()])", "for layer in self.layers[1:]: layer(x)"),
        ("nn.ModuleList([Block()])", "for layer in reversed(self.layers): layer(x)"),
        ("[Block()]", "return self.layers[0](x)"),
        ("None\n        self.add_module('layers', Block())", "return self.layers(x)"),
    ],
)
def test_layers_are_entered_however_they_came_there(layers: str, body: str) -> None:
    assert "builtins.print" in callees(LAYERS.format(layers=layers, body=body), "Net.forward")


@pytest.mark.parametrize(
    ("layers", "body"),
    [
        ("nn.ModuleDict({'a': Block(), 'b': nn.ReLU()})", "return self.layers['b'](x)"),
        ("nn.ModuleDict({'a': Block(), 'b': nn.ReLU()})", "return self.layers.b(x)"),
        (
            "nn.ModuleDict()\n        self.layers['a'] = Block()\n        self.layers['b'] = nn.ReLU()",
            "return self.layers['b'](x)",
        ),
        ("nn.ModuleDict({'b': Block()})\n        self.layers['b'] = nn.ReLU()", "return self.layers['b'](x)"),
        (
            "nn.ModuleDict()\n        self.layers[f'{i()}_a'] = Block()\n        self.layers[f'{i()}_b'] = nn.ReLU()",
            "return self.layers[f'{kind()}_b'](x)",
        ),
        (
            "nn.ModuleDict()\n        self.layers['x_a'] = Block()\n        self.layers['x_b'] = nn.ReLU()",
            "return self.layers[f'{kind()}_b'](x)",
        ),
        ("nn.ModuleList([Block(), nn.ReLU()])", "return self.layers[1](x)"),
        ("nn.ModuleList([Block(), nn.ReLU()])", "return self.layers[-1](x)"),
    ],
)
def test_another_layer_than_the_one_that_is_named_is_not_entered(layers: str, body: str) -> None:
    assert callees(LAYERS.format(layers=layers, body=body), "Net.forward") == ["torch.nn.ReLU.forward"]


@pytest.mark.parametrize(
    ("layers", "body"),
    [
        ("nn.ModuleDict({'a': Block(), 'b': nn.ReLU()})", "return self.layers['a'](x)"),
        ("nn.ModuleDict({'a': Block(), 'b': nn.ReLU()})", "return self.layers.a(x)"),
        ("nn.ModuleDict({'b': nn.ReLU()})\n        for n in names(): self.layers[n] = Block()", "self.layers['b'](x)"),
        (
            "nn.ModuleDict()\n        self.layers[f'a{i()}'] = Block()\n        self.layers[f'a{i()}'] = nn.ReLU()",
            "return self.layers[f'a{i()}'](x)",
        ),
        (
            "nn.ModuleDict({'b': nn.ReLU()})\n        self.layers[f'{kind()}_a'] = Block()",
            "return self.layers[kind()](x)",
        ),
        ("nn.ModuleList([nn.ReLU()])\n        self.layers.insert(0, Block())", "return self.layers[0](x)"),
        ("nn.ModuleList([Block(), nn.ReLU()])", "for layer in self.layers: layer(x)"),
    ],
)
def test_the_layer_that_is_named_is_entered_or_may_be_any(layers: str, body: str) -> None:
    assert "builtins.print" in callees(LAYERS.format(layers=layers, body=body), "Net.forward")


DESCRIPTORS = """\
class Fixed:
    def __get__(self, owner, type_=None):
        return torch.ones(2)
class Settings:
    scale = Fixed()
    def __init__(self):
        self.own = Fixed()
settings = Settings()
"""


def test_an_object_with_a_get_in_a_class_is_asked() -> None:
    code = DESCRIPTORS + function("return settings.scale")
    assert "builtins.object.__get__" in [event.callee for event in events(code, "f", "attribute")]
    assert isinstance(returned(code), Tensor)


def test_an_object_with_a_get_that_the_object_holds_is_only_a_value() -> None:
    assert "builtins.object.__get__" not in [
        event.callee for event in events(DESCRIPTORS + function("return settings.own"), "f", "attribute")
    ]


def test_a_method_is_that_of_the_one_that_has_it() -> None:
    # As `from_pretrained` gives a model, or a tuple with it.
    kind = returned("""
        class Net(nn.Module):
            @classmethod
            def load(cls, more):
                return (cls(), 3) if more else cls()

        def f(more):
            return Net.load(more).eval()
    """)
    assert isinstance(kind, Instance)


CHOSEN = """
        if scale == 'a':
            self.layers = [nn.LSTM(4, 4) for _ in range(3)]
        if scale == 'b':
            self.layers = [nn.GRU(4, 4) for _ in range(3)]
        self.layers = nn.ModuleList(self.layers)
"""


@pytest.mark.parametrize("init", [CHOSEN, CHOSEN.replace("self.layers", "layers", 2).replace("List(self.", "List(")])
def test_a_container_has_the_layers_of_the_list_that_an_option_chooses(init: str) -> None:
    kind = in_forward("[layer for layer in self.layers][0]", init)
    assert set(kinds.options(kind)) == {kinds.External("torch.nn.LSTM"), kinds.External("torch.nn.GRU")}


@pytest.mark.parametrize("held", ["[x.min(), x.max() + 1]", "(x.min(), x.max() + 1)"])
def test_tensors_that_an_attribute_holds_have_been_there_before_the_region(held: str) -> None:
    code = f"""
    class Net(nn.Module):
        def __init__(self, x: Tensor):
            super().__init__()
            self.bounds = {held}
        def forward(self, x):
            bounds = self.bounds
            return bounds[1]
    """
    kind = returned(code, "Net.forward")
    assert isinstance(kind, Tensor)
    assert kind.parameter


def test_a_number_in_a_tensor_that_was_there_before_is_not_known_while_tracing() -> None:
    code = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.count = torch.tensor(3)
        def forward(self, x):
            return self.count * 2
    """
    kind = returned(code, "Net.forward")
    assert isinstance(kind, Tensor)
    assert not kind.foreseen
