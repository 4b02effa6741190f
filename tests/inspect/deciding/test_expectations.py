"""What is sure in a followed package: what its options lead to as they are by default."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_root
from compilelint.regions import named_roots
from compilelint.report.confidence import Confidence
from tests.source.make import following, installed

LAYER = """\
import random
import torch
from torch import nn, Tensor

def exists(value):
    return value is not None

class Config:
    act: str = "gelu"
    dropout: float = 0.0

class Base(nn.Module):
    config: Config
    def __init__(self, config: Config): ...

class Layer(nn.Module):
    limit = 3
    def __init__(self, config, normalize=True, width=None, cached=False, mode="auto"):
        self.config = config
        self.first, self.mode = width, mode
        self.normalize = normalize
        self.width = width
        self.cached = cached
        self.kept = None
        self.rate = config.dropout
        thinned = config.dropout
        again = config.dropout
        again = 0.1
        self.thinned = thinned
        self.again = again
    def reset(self):
        self.kept = 1
    @property
    def last(self):
        'What is kept.'
        return self.kept
    @property
    def is_wide(self):
        return self.width
    @property
    def longest(self):
        return self.width or 3
    def forward(self, x: Tensor | None = None, mask=None, scale=2, made: dict | None = None):
        if mask is not None:
            made["mask"] = mask
{body}
"""


def printed(folder: Path, body: str, call: str = "layer(x, y, z)") -> Confidence:
    """How sure the one print in the `forward` of a library's class is."""
    library = installed(folder, {"lib.py": LAYER.format(body=indent(body, "        "))})
    code = f"import lib\nfrom torch import Tensor\ndef f(x: Tensor, layer: lib.Layer, y, z):\n    {call}\n"
    found = Inspector(Knowledge(following({"a.py": code}, library)), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)))
    (event,) = found.events
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "self.normalize",
        "not self.cached",
        "self.limit > 2",
        "self.width is None",
        "self.rate == 0.0",
        "self.mode == 'auto'",
        "self.thinned == 0.0",
        "self.config.act == 'gelu'",
        "self.config.act in ('gelu', 'relu') and self.training",
        "self.training",
        "mask is None",
        "mask is not None",
        "self.kept is None",
        "self.kept is not None",
        "self.last is None",
        "self.last is not None",
        "self.is_wide is None",
        "scale",
        "isinstance(x, Tensor)",
        "isinstance(x, list | Tensor)",
        "not isinstance(x, dict)",
        "not hasattr(x, 'jax')",
        "self.normalize or self.unknown",
        "exists(mask)",
        "not exists(mask)",
        "exists(scale) or self.cached",
        "not what() == 3",
        "random.random() < 0.3",
        "torch.rand(()).item() >= 0.3",
        "random.random() > self.rate",
        "not random.random() < self.rate",
        "self.limit > random.random()",
        "made.get('mask') is None",
        "made.get('mask') is not None and self.normalize",
    ],
)
def test_sure_is_what_comes_by_default_or_may_come_either_way(tmp_path: Path, test: str) -> None:
    assert printed(tmp_path, f"if {test}:\n    print(x)") == Confidence.HIGH


@pytest.mark.parametrize(
    "test",
    [
        "not self.normalize",
        "self.cached",
        "self.width is not None",
        "self.rate > 0",
        "self.mode != 'auto'",
        "self.thinned > 0",
        "self.again == 0.0",
        "self.is_wide is not None",
        "self.longest is None",
        "self.config.act == 'relu'",
        "self.config.act == 'relu' and self.training",
        "scale == 1",
        "x.shape[0] > 5",
        "self.unknown",
        "what()",
        "self.config.act > 1",
        "exists(mask) and self.cached",
        "exists(self.width)",
        "random.random() < self.rate",
        "torch.rand(1) < self.rate",
        "random.random() > self.limit",
        "made.get('scale') is not None",
        "made.get(x) is not None",
    ],
)
def test_all_else_is_hidden(tmp_path: Path, test: str) -> None:
    assert printed(tmp_path, f"if {test}:\n    print(x)") == Confidence.LOW


@pytest.mark.parametrize(
    ("test", "usual"),
    [
        ("self.normalize and print(x)", Confidence.HIGH),
        ("mask is not None and print(x)", Confidence.HIGH),
        ("not self.cached and self.training and print(x)", Confidence.HIGH),
        ("self.cached or print(x)", Confidence.HIGH),
        ("self.cached and print(x)", Confidence.LOW),
        ("self.mode != 'auto' and self.normalize and print(x)", Confidence.LOW),
        ("self.config.options['kind'] != 'plain' and print(x)", Confidence.LOW),
        ("self.normalize or print(x)", Confidence.LOW),
        ("(self.normalize and self.cached) or print(x)", Confidence.HIGH),
    ],
)
def test_what_an_operand_asks_is_as_usual_as_what_python_asks_before_it(
    tmp_path: Path, test: str, usual: Confidence
) -> None:
    assert printed(tmp_path, f"if {test}:\n    pass") == usual


@pytest.mark.parametrize(
    ("test", "usual"),
    [
        ("sys.platform == 'darwin'", Confidence.LOW),
        ("sys.platform != 'darwin'", Confidence.HIGH),
        ("sys.platform in ('win32', 'cygwin')", Confidence.LOW),
        ("sys.platform.startswith('win')", Confidence.LOW),
        ("sys.platform.startswith('linux')", Confidence.HIGH),
        ("platform.system() != 'Windows' and self.normalize", Confidence.HIGH),
        ("platform.system() == 'Windows'", Confidence.LOW),
        ("os.name != 'nt'", Confidence.HIGH),
    ],
)
def test_most_run_on_linux(tmp_path: Path, test: str, usual: Confidence) -> None:
    assert printed(tmp_path, f"import os, platform, sys\nif {test}:\n    print(x)") == usual


def test_what_follows_on_another_system_is_not_usual(tmp_path: Path) -> None:
    assert printed(tmp_path, "import sys\nif sys.platform != 'darwin':\n    return x\nprint(x)") == Confidence.LOW


def test_what_a_module_is_about_is_mostly_given(tmp_path: Path) -> None:
    assert printed(tmp_path / "there", "if x is not None:\n    print(x)", "layer(y)") == Confidence.HIGH
    assert printed(tmp_path / "missing", "if x is None:\n    print(x)", "layer(y)") == Confidence.LOW


@pytest.mark.parametrize(
    ("value", "usual"),
    [
        ("print(x) if self.cached else x", Confidence.LOW),
        ("x if self.cached else print(x)", Confidence.HIGH),
        ("print(x) if self.normalize else x", Confidence.HIGH),
        ("print(x) if what() else x", Confidence.HIGH),
    ],
)
def test_what_an_option_chooses_in_an_expression_is_usual_too(tmp_path: Path, value: str, usual: Confidence) -> None:
    assert printed(tmp_path, f"return {value}") == usual


def test_what_an_option_does_not_choose_is_not_called(tmp_path: Path) -> None:
    assert printed(tmp_path, "call = print if self.normalize else len\ncall(x)") == Confidence.HIGH
    with pytest.raises(ValueError, match="not enough values to unpack"):
        printed(tmp_path, "call = print if self.cached else len\ncall(x)")


def test_what_an_object_is_made_with_has_the_options(tmp_path: Path) -> None:
    code = """\
        from torch import nn, Tensor

        class Config:
            def __init__(self, loud=False):
                self.loud = loud

        class Layer(nn.Module):
            def __init__(self, config):
                self.loud = config.loud
            def forward(self, x: Tensor):
                if not self.loud:
                    print(x)
        """
    library = installed(tmp_path, {"lib.py": code})
    script = "import lib, torch\nlayer = lib.Layer(lib.Config())\ndef f(x: torch.Tensor):\n    layer(x)\n"
    found = Inspector(Knowledge(following({"a.py": script}, library)), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)))
    assert [event.confidence for event in found.events] == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("made", "usual"),
    [
        ("lib.small()", Confidence.HIGH),
        ("lib.Layer()", Confidence.LOW),
        ("lib.by_default()", Confidence.LOW),
        ("lib.any_of(loud=True)", Confidence.HIGH),
        ("lib.any_of()", Confidence.LOW),
    ],
)
def test_what_a_function_of_the_library_makes_an_object_with_is_usual(
    tmp_path: Path, made: str, usual: Confidence
) -> None:
    code = """\
        from torch import nn, Tensor

        class Layer(nn.Module):
            def __init__(self, width=3, loud=False):
                self.loud = loud
            def forward(self, x: Tensor):
                if self.loud:
                    print(x)

        def small():
            layer = Layer(4, loud=True)
            return layer

        def by_default():
            return Layer(4)

        def any_of(loud=False):
            return Layer(loud=loud)
        """
    library = installed(tmp_path, {"lib.py": code})
    script = f"import lib, torch\nlayer = {made}\ndef f(x: torch.Tensor):\n    layer(x)\n"
    found = Inspector(Knowledge(following({"a.py": script}, library)), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)))
    assert [event.confidence for event in found.events] == [usual]


def test_what_follows_a_usual_return_is_not_usual(tmp_path: Path) -> None:
    assert printed(tmp_path, "if self.normalize:\n    return x\nprint(x)") == Confidence.LOW
    assert printed(tmp_path, "if self.cached:\n    return x\nprint(x)") == Confidence.HIGH
    assert printed(tmp_path, "if what():\n    return x\nprint(x)") == Confidence.HIGH


def test_in_the_project_every_path_counts() -> None:
    from tests.inspect.make import events

    (event,) = [each for each in events("def f(x, flag):\n    if flag == 3:\n        print(x)\n") if each.callee]
    assert event.confidence == Confidence.HIGH


BASE = """\
from torch import nn, Tensor

class Masking(nn.Module):
    def __init__(self, width, axis, batched, p=0.5):
        self.width = width
        self.axis = axis
        self.batched = batched
        self.p = p
    def forward(self, x: Tensor):
        if {test}:
            print(x)

class Layer(Masking):
    def __init__(self, width, batched=False):
        super().__init__(width, 1, batched, p=1.0)

class Special(Layer):
    def __init__(self, width):
        super().__init__(width, batched=True)
"""


@pytest.mark.parametrize(
    ("test", "cls", "usual"),
    [
        ("self.batched", "Layer", Confidence.LOW),
        ("not self.batched", "Layer", Confidence.HIGH),
        ("self.axis == 1", "Layer", Confidence.HIGH),
        ("self.p < 1", "Layer", Confidence.LOW),
        ("self.width", "Layer", Confidence.LOW),
        ("self.batched", "Special", Confidence.HIGH),
        ("self.p < 1", "Special", Confidence.LOW),
        ("self.p < 1", "Masking", Confidence.HIGH),
        ("self.batched", "Masking", Confidence.LOW),
    ],
)
def test_what_a_class_hands_to_its_base_is_the_option(tmp_path: Path, test: str, cls: str, usual: Confidence) -> None:
    library = installed(tmp_path, {"lib.py": BASE.format(test=test)})
    code = f"import lib\nfrom torch import Tensor\ndef f(x: Tensor, layer: lib.{cls}):\n    layer(x)\n"
    found = Inspector(Knowledge(following({"a.py": code}, library)), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)))
    assert [event.confidence for event in found.events] == [usual]


PARTS = """\
from torch import nn, Tensor

class Config:
    extra: int = 0
    width: int = 4

class Table(nn.Module):
    def __init__(self, width, extra, axis, mode="sum"):
        self.width, self.extra, self.axis, self.mode = width, extra, axis, mode
    def forward(self, x: Tensor):
        if {test}:
            print(x)

class Model(nn.Module):
    def __init__(self, config: Config, **options):
        self.table = Table(config.width, extra=config.extra, axis=-1)
        self.other = Table(8, config.extra, **options, axis=-1)

class Another(nn.Module):
    def __init__(self):
        self.table = Table(8, 0, axis=-1, mode="max")
"""


@pytest.mark.parametrize(
    ("test", "usual"),
    [
        ("self.extra > 0", Confidence.LOW),
        ("self.extra == 0", Confidence.HIGH),
        ("self.axis == -1", Confidence.HIGH),
        ("self.width == 8", Confidence.LOW),  # the file makes some of another width
        ("self.mode == 'max'", Confidence.LOW),  # what has a default is mostly left as it is
    ],
)
def test_what_the_file_of_a_class_makes_it_with_is_the_option(tmp_path: Path, test: str, usual: Confidence) -> None:
    library = installed(tmp_path, {"lib.py": PARTS.format(test=test)})
    code = "import lib\nfrom torch import Tensor\ndef f(x: Tensor, layer: lib.Table):\n    layer(x)\n"
    found = Inspector(Knowledge(following({"a.py": code}, library)), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)))
    assert [event.confidence for event in found.events] == [usual]


@pytest.mark.parametrize(
    ("given", "usual"),
    [
        ("self.training", Confidence.HIGH),
        ("training=self.training", Confidence.HIGH),
        ("False", Confidence.HIGH),
        ("self.normalize", Confidence.LOW),
        ("mask", Confidence.LOW),
    ],
)
def test_a_mode_that_is_handed_on_may_come_either_way(tmp_path: Path, given: str, usual: Confidence) -> None:
    body = f"def say(training=False):\n    if training:\n        print(x)\n    return x\nreturn say({given})"
    if given == "False":
        body = body.replace("if training", "if not training")
    assert printed(tmp_path, body) == usual
