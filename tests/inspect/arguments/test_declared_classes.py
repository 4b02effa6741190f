"""Arguments of a class below the one that a parameter declares."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Instance, Kind
from tests.inspect.make import events, in_forward, returned

CONFIGS = """
class Config:
    size: int = 1
    def text(self):
        return self
    def check(self):
        pass

class BertConfig(Config):
    heads: int = 2
    def __post_init__(self):
        self.size = 3

class Checked(Config):
    def check(self):
        if self.heads < self.size:
            raise ValueError(self.size)
        super().check()

class Setting(Config):
    def check(self):
        self.size = 3

class Own(Config):
    def text(self):
        return None

class Made(Config):
    def __init__(self):
        self.table = 1

class Other:
    heads: int = 2
"""


def given(cls: str, annotation: str) -> Kind:
    return returned(
        f"{CONFIGS}\ndef g(x, config: {annotation}):\n    return config\ndef f(x):\n    return g(x, {cls}())\n"
    )


def named(kind: Kind) -> str:
    assert isinstance(kind, Instance)
    return kind.cls.name


@pytest.mark.parametrize(
    "annotation", ["Config", '"Config"', "Config | None", "Optional[Config]", "Union[Config, dict]"]
)
def test_what_only_has_more_fields_is_walked_as_what_is_declared(annotation: str) -> None:
    assert named(given("BertConfig", annotation)) == "Config"


@pytest.mark.parametrize(
    ("why", "cls", "annotation"),
    [
        ("the class itself is declared", "BertConfig", "BertConfig"),
        ("it may be declared as well", "BertConfig", "BertConfig | Config"),
        ("a method is its own", "Own", "Config"),
        ("a method of its own sets an attribute", "Setting", "Config"),
        ("its `__init__` may set anything", "Made", "Config"),
        ("it is not below what is declared", "Other", "Config"),
        ("nothing is declared", "BertConfig", "None"),
    ],
)
def test_it_stays_of_its_class(why: str, cls: str, annotation: str) -> None:
    assert named(given(cls, annotation)) == cls


def test_a_check_is_no_method_that_tells_classes_apart() -> None:
    assert named(given("Checked", "Config")) == "Config"


def test_what_an_object_is_made_with_is_what_its_class_declares() -> None:
    kept = f"{CONFIGS}\nclass Cache:\n    def __init__(self, config: Config):\n        self.config = config\n"
    made = returned(f"{kept}\ndef f(x):\n    return Cache(BertConfig())\n")
    assert isinstance(made, Instance)
    assert made.given == ()


def test_by_name_it_is_the_same() -> None:
    code = (
        f"{CONFIGS}\ndef g(x, *, config: Config):\n    return config\ndef f(x):\n    return g(x, config=BertConfig())\n"
    )
    assert named(returned(code)) == "Config"


def test_what_an_init_keeps_as_it_was_given_is_what_the_class_below_hands_up() -> None:
    around = f"""
{CONFIGS}
class Base(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        if not isinstance(config, Config):
            raise TypeError
        self.config = config
        self.size = config.size

class Model(Base):
    def __init__(self, config: BertConfig):
        super().__init__(config)
"""
    assert named(in_forward("self.inner.config", "self.inner = Model(config)", around=around)) == "BertConfig"


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("if isinstance(config, Other):\n        x.item()", False),
        ("if isinstance(config, Checked):\n        x.item()", False),
        ("if isinstance(config, BertConfig):\n        x.item()", True),
        ("if type(config) is Checked:\n        pass\n    x.item()", True),
        ("match config:\n        case Checked():\n            x.item()", False),
        ("match config:\n        case BertConfig():\n            x.item()", True),
    ],
)
def test_who_asks_of_which_class_it_is_is_given_it_as_it_is(body: str, is_told: bool) -> None:
    code = f"{CONFIGS}\ndef g(x, config: Config):\n    {body}\ndef f(x):\n    return g(x, BertConfig())\n"
    assert any(event.source == "x.item()" for event in events(code, "f", "call")) is is_told
