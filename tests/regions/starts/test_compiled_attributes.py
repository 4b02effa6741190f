"""What a class keeps compiled, of what it was given."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.regions.constructs import NET, constructs_around

TRAINER = """
class Trainer:
    def __init__(self, model, flag):
        self.model = model
        {compiles}

    def save(self, path):
        {does}
"""
SAVES = 'torch.save({"model": self.model.state_dict()}, path)'
COMPILES = "if flag:\n    self.model = torch.compile(self.model)"


def around(compiles: str, does: str, after: str = "") -> list[str]:
    code = TRAINER.format(compiles=indent(compiles, " " * 8).lstrip(), does=indent(does, " " * 8).lstrip())
    return constructs_around(NET + code + after)


@pytest.mark.parametrize(
    "compiles",
    [
        COMPILES,
        "self.model = torch.compile(model)",
        "self.model = torch.compile(model) if flag else model",
        "self.model = model if not flag else torch.compile(model, mode=flag)",
        "self.model = torch.compile(model).to(flag).eval()",
        "pass\ndef setup(self):\n    self.model = torch.compile(self.model)".replace("\ndef", "\n\ndef"),
    ],
)
def test_a_model_that_is_given_and_compiled_is_saved_with_the_prefix(compiles: str) -> None:
    if "def setup" in compiles:
        before, _, method = compiles.partition("\n\n")
        code = TRAINER.format(compiles=before, does=SAVES) + indent(method, "    ") + "\n"
        assert constructs_around(NET + code) == ["state-dict-of-compiled"]
    else:
        assert around(compiles, SAVES) == ["state-dict-of-compiled"]


def test_its_methods_run_uncompiled() -> None:
    assert around(COMPILES, "self.model.generate(path)") == ["method-of-compiled"]
    assert around(COMPILES, "self.model.eval()\nself.model.anything(path)") == []


POLICY = """
class Policy(Net):
    def act(self, x):
        return self(x).argmax()
    def name(self, x):
        return x
    def step(self, x):
        return self.linear(x)
"""


@pytest.mark.parametrize("compiles", [COMPILES, "self.model = model.to(flag)\nself.model = torch.compile(self.model)"])
@pytest.mark.parametrize(("method", "found"), [("act", True), ("step", True), ("name", False), ("other", False)])
def test_so_do_those_of_the_class_that_such_objects_are_made_with(compiles: str, method: str, found: bool) -> None:
    made = f"{POLICY}\nTrainer(Policy(), True).save(3)\n"
    assert around(compiles, f"self.model.{method}(path)", made) == ["method-of-compiled"] * found
    assert around(compiles, f"self.model.{method}(path)", POLICY) == []


@pytest.mark.parametrize(
    ("compiles", "does"),
    [
        ("self.other = torch.compile(self.model)", SAVES),
        ("self.model = re.compile(self.model)", SAVES),
        (COMPILES, "self.other = self.model\ntorch.save(self.other.state_dict(), path)"),
        (COMPILES, 'if hasattr(self.model, "_orig_mod"):\n    self.model = self.model._orig_mod\n' + SAVES),
    ],
)
def test_what_is_something_else_is_not(compiles: str, does: str) -> None:
    assert "state-dict-of-compiled" not in around(compiles, does)


def test_what_a_compiled_method_calls_is_compiled_with_it() -> None:
    compiles = f"{COMPILES}\nself.step = torch.compile(self.save)"
    assert around(compiles, "self.model.generate(path)") == []


def test_a_choice_between_the_two_may_be_the_compiled_one() -> None:
    code = "def main(flag):\n    model = Net()\n    model = torch.compile(model) if flag else model\n"
    assert constructs_around(NET + code + "    torch.save(model.state_dict(), 'x')") == ["state-dict-of-compiled"]


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("model = self.model", ["method-of-compiled"]),
        ("model = self.ema if flag else self.model", ["method-of-compiled"]),
        ("model = self.model if flag else self.ema", ["method-of-compiled"]),
        ("model = self.ema", []),
        ("model = getattr(self.model, '_orig_mod', self.model)", []),
        ("model = self.model\nmodel = self.ema", []),
        ("model = self.make(self.model)", []),
    ],
)
def test_a_name_that_a_compiled_attribute_gets_is_compiled(named: str, found: list[str]) -> None:
    """Testers choose between a model and its average: `model.generate(1)` runs uncompiled."""
    assert around(COMPILES, f"{named}\nreturn model.generate(path)") == found
