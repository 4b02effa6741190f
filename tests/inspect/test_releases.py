"""What code finds out about the torch that it runs on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from compilelint.inspect import signatures
from compilelint.inspect.kinds import BOOL, STR, UNKNOWN, Const, Kind, Reference
from tests.inspect.make import inspector, run

AROUND = """
import importlib.metadata
from packaging import version
from packaging.version import Version, parse
from torch import __version__ as installed
MAJOR, MINOR = map(int, torch.__version__.split("+")[0].split(".")[:2])
LISTED = [int(part) for part in torch.__version__.split(".")[:2]]
WITH_2_4 = MAJOR >= 2 and int(torch.__version__.split(".")[1]) >= 4
def at_least(wanted): return version.parse(torch.__version__) >= version.parse(wanted)
def newer(major, minor): return version.parse(torch.__version__) >= version.parse(f"{major}.{minor}.0")
"""


def asked(expression: str, release: str = "2.13.0", around: str = AROUND) -> Kind:
    """What an expression comes to where code is analysed for this release of torch."""
    found = inspector(f"{around}\ndef f(x: Tensor, name: str, what):\n    return {expression}\n")
    found.knowledge.torch = release
    return run(found)


@pytest.mark.parametrize(
    "expression",
    [
        'torch.__version__ >= "2.5"',
        'installed >= "2.5"',
        'torch.version.__version__ >= "2.5"',
        '"2.5" <= torch.__version__',
        "torch.__version__ >= (2, 5)",
        'not torch.__version__ < "2.9.1"',
        'version.parse(torch.__version__) >= version.parse("2.5")',
        'Version(torch.__version__) > Version("1.13.1+cu117")',
        'parse(parse(torch.__version__).base_version) >= parse("2.13")',
        'parse(importlib.metadata.version("torch")) >= parse("2.5")',
        "version.parse(torch.__version__).major >= 2",
        "version.parse(torch.__version__).release[:2] >= (2, 5)",
        "version.parse(torch.__version__).release == (2, 13, 0)",
        "(MAJOR, MINOR) >= (2, 5)",
        "LISTED >= [2, 5]",
        "WITH_2_4",
        'at_least("2.5")',
        "newer(2, 5)",
        'not newer(2, "14")',
        'torch.__version__.startswith("2.")',
        'torch.__version__[0] == "2"',
        'torch.__version__[:4] == "2.13"',
        'int(torch.__version__.split(".", 1)[0]) == 2',
        'torch.__version__.partition("+")[0] == "2.13.0"',
    ],
)
def test_the_release_is_known(expression: str) -> None:
    assert asked(expression) == Const(True)


def test_another_release_decides_otherwise() -> None:
    assert asked('torch.__version__ >= "2.9"', "2.7.1") == Const(False)


@pytest.mark.parametrize("release", ["2.13.0", ""])
def test_a_text_that_is_no_release_is_that_of_no_torch(release: str) -> None:
    assert asked('torch.__version__ == "parrots"', release) == Const(False)
    assert asked('"parrots" != installed', release) == Const(True)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("torch.__version__ >= name", BOOL),
        ("torch.__version__ == name", BOOL),
        ('np.__version__ >= "2.5"', BOOL),
        ('torch.__version__ >= "latest"', BOOL),
        ("version.parse(torch.__version__) >= version.parse(name)", BOOL),
        ("version.parse(name)", Reference("?")),
        ("version.parse(torch.__version__).dev", Reference("?")),
        ('importlib.metadata.version("numpy")', UNKNOWN),
        ('torch.__version__.split(".", maxsplit=1)[0]', STR),
        ("torch.__version__[40]", STR),
    ],
)
def test_what_is_not_known_of_releases(expression: str, kind: Kind) -> None:
    found = asked(expression)
    assert not isinstance(found, Const) if kind == Reference("?") else found == kind


@pytest.mark.parametrize("expression", ['torch.__version__ >= "2.5"', "WITH_2_4", 'at_least("2.5")', "MAJOR >= 2"])
def test_nothing_is_known_where_no_release_is_named(expression: str) -> None:
    assert asked(expression, "") == BOOL


def test_a_number_that_is_none_is_some_number() -> None:
    assert asked('int("two") == 2') == BOOL


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ('hasattr(torch, "compile")', Const(True)),
        ('hasattr(F, "scaled_dot_product_attention")', Const(True)),
        ('hasattr(torch.nn.functional, "silu")', Const(True)),
        ('hasattr(torch.backends, "mps")', Const(True)),
        ('hasattr(torch.Tensor, "untyped_storage")', Const(True)),
        ('getattr(torch, "nextafter", None) is None', Const(False)),
        ('hasattr(torch, "_dynamo")', Const(True)),
        ('hasattr(torch, "npu")', BOOL),
        ('hasattr(torch.nn.functional, "grouped_mm")', BOOL),
        ("hasattr(torch, name)", BOOL),
        ('hasattr(np, "bool")', BOOL),
        ('hasattr(what, "compile")', BOOL),
    ],
)
def test_what_every_torch_has(expression: str, kind: Kind) -> None:
    assert asked(expression) == kind


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ('getattr(getattr(torch, "compiler", None), "disable", None) or 3', Reference("torch.compiler.disable")),
        ("F.silu or 3", Reference("torch.nn.functional.silu")),
        ("torch._dynamo.disable and 3", Const(3)),
        ("torch.newaxis or 3", None),
        ("torch.compiler.absent or 3", None),
        ("torch.compiler._is_compiling_flag or 3", None),
    ],
)
def test_a_function_that_every_torch_has_is_true(expression: str, kind: Kind | None) -> None:
    found = asked(expression)
    assert found == kind if kind is not None else not isinstance(found, Reference)


GUARDED = "try:\n    {imported}\n    HAVE = True\nexcept ImportError:\n    HAVE = False\n"


@pytest.mark.parametrize(
    ("imported", "kind"),
    [
        ("from torch.nn.functional import scaled_dot_product_attention", Const(True)),
        ("import torch.compiler", Const(True)),
        ("import torch", Const(True)),
        ("import xformers", BOOL),
        ("from torch.nn.functional import grouped_mm", BOOL),
        ("from torch import _assert; import xformers", BOOL),
        ("from torch import _assert; torch.ops.load_library('a.so')", BOOL),
    ],
)
def test_what_is_bound_where_an_import_fails(imported: str, kind: Kind) -> None:
    assert asked("HAVE", around=GUARDED.format(imported=imported)) == kind


def test_names_are_those_of_the_oldest_and_of_the_newest(tmp_path: Path) -> None:
    """The torch that is installed here is the newest; that is also the oldest here, so all that is written is there."""
    output = tmp_path / "names.json"
    command = [sys.executable, "-m", "tools.generate_names", sys.executable, str(output)]
    repository = Path(__file__).parents[2]
    subprocess.run(command, check=True, capture_output=True, cwd=repository)
    now = json.loads(output.read_text())["names"]
    shipped = json.loads((Path(signatures.__file__).parent / "names.json").read_text())["names"]
    gone = {name: {*found.split()} - {*now[name].split()} for name, found in shipped.items()}
    assert [f"{name}.{each}" for name, found in gone.items() for each in found] == []
