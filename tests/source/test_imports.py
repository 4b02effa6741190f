"""Which files import which, and where compilation may start."""

from __future__ import annotations

import pytest

from compilelint.source.imports import ENOUGH, FEW
from tests.source.make import tree

# Where compilation may start


def test_a_file_without_torch_has_no_roots() -> None:
    assert tree({"a.py": "import os"}).files_with_roots() == ()


def test_a_file_that_imports_one_with_torch_may_have_roots() -> None:
    files = tree({"a.py": "from b import f", "b.py": "import c", "c.py": "import torch", "d.py": "import os"})
    assert files.files_with_roots() == ("a.py", "b.py", "c.py")


@pytest.mark.parametrize(
    "statement",
    [
        "import pkg.net",
        "from pkg import net",
        "from pkg.net import Net",
        "from pkg import other, net as n",
        "import os, pkg.net as n",
        "    from pkg.net import Net",
        "from pkg import (net,",
    ],
)
def test_importers_of_a_checked_file_are_looked_at(statement: str) -> None:
    files = tree({"pkg/net.py": "import torch"}, context={"pkg/__init__.py": "", "train.py": statement})
    assert "train.py" in files.files_with_roots()


@pytest.mark.parametrize("statement", ["from . import net", "from .net import Net", "from .. import pkg.net"])
def test_relative_importers_are_looked_at(statement: str) -> None:
    context = {"pkg/__init__.py": "", "pkg/train.py": statement.replace("from .. import pkg.net", "from .net import *")}
    files = tree({"pkg/net.py": "import torch"}, context=context)
    assert files.files_with_roots() == ("pkg/net.py", "pkg/train.py")


def test_a_relative_import_outside_of_packages_means_a_neighbour() -> None:
    context = {"app/train.py": "from . import net", "app/test.py": "from .net import f"}
    files = tree({"app/net.py": "import torch"}, context=context)
    assert files.files_with_roots() == ("app/net.py", "app/test.py", "app/train.py")


def test_few_importers_are_those_that_there_are() -> None:
    context = {
        "a.py": "import net, common",
        "pkg.py": "from net import Net",
        "b.py": "from pkg import Net",
        "net.py": "import net, common",
        "common.py": "",
        **{f"{number}.py": "import common" for number in range(FEW - 2)},
    }
    graph = tree({"other.py": ""}, context=context).graph
    assert graph.few_importers("net.py") == graph.importers("net.py") == {"a.py", "pkg.py", "b.py"}
    assert graph.few_importers("a.py") == frozenset()
    assert len(graph.few_importers("common.py") or ()) == FEW


def test_of_more_than_few_importers_none_is_told() -> None:
    context = {"common.py": "", **{f"{number}.py": "import common" for number in range(FEW + 1)}}
    graph = tree({"other.py": ""}, context=context).graph
    assert graph.few_importers("common.py") is None


def test_importers_of_importers_are_looked_at_while_they_are_near() -> None:
    chain = {f"f{number}.py": f"import {name}" for number, name in enumerate(("net", "f0", "f1", "f2"))}
    files = tree({"net.py": "import torch"}, context=chain)
    assert files.files_with_roots() == ("f0.py", "f1.py", "f2.py", "net.py")


def test_the_nearest_importers_are_looked_at() -> None:
    files = tree({"net.py": "import torch"}, context={"z.py": "import net", "a.py": "import z", "b.py": "import z"})
    assert files.files_with_roots(2) == ("a.py", "net.py", "z.py")


def test_where_enough_is_near_nothing_further_is_looked_at() -> None:
    near = {f"near{number:02}.py": "import net" for number in range(ENOUGH - 1)}
    far = {"far1.py": "import near00", "far2.py": "import near00"}
    files = tree({"net.py": "import torch"}, context=near | far)
    assert files.files_with_roots() == ("far1.py", *near, "net.py")
    near |= {f"near{number:02}.py": "import net" for number in range(ENOUGH + 3)}
    files = tree({"net.py": "import torch"}, context=near | far)
    assert files.files_with_roots() == (*near, "net.py")


def test_what_has_models_is_looked_at_before_what_has_none() -> None:
    context = {"data.py": "import net", "heads.py": "import net\nclass Head:\n    def forward(self, x): ..."}
    files = tree({"net.py": "import torch"}, context=context)
    assert files.files_with_roots(1) == ("heads.py", "net.py")


def test_what_imports_another_part_of_a_package_does_not_import_the_checked_one() -> None:
    context = {"pkg/__init__.py": "from .net import Net", "pkg/other.py": "", "train.py": "from pkg import other"}
    files = tree({"pkg/net.py": "import torch"}, context=context)
    assert "train.py" not in files.files_with_roots()


@pytest.mark.parametrize(
    ("passing", "statement"),
    [
        ("from .net import Net", "from pkg import Net"),
        ("from .net import (  # models\n    A,\n    Net as Model,\n)", "from pkg import (\n    Other,\n    Model,\n)"),
        ("from .net import A, \\\n    Net", "from pkg import Net as N"),
        ("from .net import *", "from pkg import Net"),
        ("from .net import Net", "from pkg import *"),
        ("from .deep import Net", "from pkg import Net"),
    ],
)
def test_who_imports_what_a_package_passes_on_is_an_importer(passing: str, statement: str) -> None:
    context = {"pkg/__init__.py": passing, "pkg/deep/__init__.py": "from ..net import Net", "train.py": statement}
    files = tree({"pkg/net.py": "import torch"}, context=context)
    assert "train.py" in files.importers("pkg/net.py")
    assert "train.py" in files.files_with_roots()


def test_who_imports_something_else_of_a_package_is_no_importer() -> None:
    context = {
        "pkg/__init__.py": "from .net import Net\nfrom .other import Other",
        "pkg/other.py": "import torch",
        "train.py": "from pkg import Other",
        "plain.py": "import pkg",
    }
    files = tree({"pkg/net.py": "import torch"}, context=context)
    assert files.importers("pkg/net.py") == {"pkg/__init__.py"}


def test_what_imports_all_of_everything_passes_nothing_on() -> None:
    names = [f"m{number}" for number in range(20)]
    context = {
        "pkg/__init__.py": "\n".join(f"from .{name} import *" for name in names),
        "train.py": "from pkg import f",
    }
    files = tree({f"pkg/{name}.py": "import torch" for name in names}, context=context)
    assert files.importers("pkg/m3.py") == {"pkg/__init__.py"}


def test_packages_that_pass_on_in_a_circle_end() -> None:
    context = {"a.py": "from b import f", "b.py": "from a import f\nfrom net import f"}
    files = tree({"net.py": "import torch"}, context=context)
    assert files.importers("net.py") == {"a.py", "b.py"}


def test_a_module_on_a_later_line_is_imported() -> None:
    files = tree(
        {"pkg/net.py": "import torch"}, context={"pkg/__init__.py": "", "t.py": "from pkg import (\n    net,\n)"}
    )
    assert "t.py" in files.files_with_roots()


def test_what_a_checked_file_imports_is_not_looked_at_for_its_own_sake() -> None:
    files = tree({"train.py": "import torch, net"}, context={"net.py": "import torch"})
    assert files.files_with_roots() == ("train.py",)


def test_only_the_first_importers_are_looked_at() -> None:
    context = {f"user{number}.py": "import net" for number in range(4)}
    files = tree({"net.py": "import torch"}, context=context)
    assert files.files_with_roots(2) == ("net.py", "user0.py", "user1.py")


def test_without_importers_the_checked_files_are_enough() -> None:
    context = {"user.py": "import net", "layers.py": "import far", "far.py": "import torch", "none.py": "import layers"}
    files = tree({"net.py": "import layers", "plain.py": "import os"}, context=context)
    assert files.files_with_roots(0) == ("net.py",)


def test_what_one_program_may_hold_together() -> None:
    files = tree(
        {
            "settings.py": "import os",
            "net.py": "import layers",
            "layers.py": "import torch",
            "train.py": "import net, settings",
            "tests/test_net.py": "import net",
            "tests/test_other.py": "import os",
        }
    )
    assert files.graph.loaded_with("settings.py") == {"settings.py", "train.py", "net.py", "layers.py"}
    assert files.graph.loaded_with("tests/test_net.py") == {"tests/test_net.py", "net.py", "layers.py"}
    assert files.graph.loaded_with("tests/test_other.py") == {"tests/test_other.py"}


# What is generated, and from what

HEADER = "#   This file was automatically generated from src/pkg/modular_net.py.\n#   Do NOT edit this file manually.\n"
GENERATED = {"pkg/modular_net.py": "import torch", "pkg/modeling_net.py": f"{HEADER}import torch"}


def test_what_is_generated_from_a_file_is_run_in_its_place() -> None:
    files = tree(GENERATED)
    assert files.graph.templates == {"pkg/modular_net.py": "pkg/modeling_net.py"}
    assert files.files_with_roots() == ("pkg/modeling_net.py",)
    assert files.files_with_roots(0) == ("pkg/modeling_net.py",)


def test_a_template_is_no_importer_that_may_have_roots() -> None:
    template = {"pkg/modular_net.py": "from .layers import Layer"}
    context = {**template, "pkg/modeling_net.py": f"{HEADER}from .layers import Layer"}
    files = tree({"pkg/layers.py": "import torch"}, context={"pkg/__init__.py": "", **context})
    assert files.files_with_roots() == ("pkg/layers.py", "pkg/modeling_net.py")


def test_a_template_may_be_imported_by_templates_only() -> None:
    other = {
        "pkg/modular_other.py": "import torch, pkg.modular_net",
        "pkg/other.py": "# generated from modular_other.py, do not edit\nimport torch",
    }
    assert tree({**GENERATED, **other}).graph.templates.keys() == {"pkg/modular_net.py", "pkg/modular_other.py"}
    assert tree({**GENERATED, "train.py": "import pkg.modular_net"}).graph.templates == {}


@pytest.mark.parametrize(
    "header",
    [
        "# generated from schema.proto, do not edit\n",  # no Python
        "# Generated from elsewhere/net.py, do not edit\n",  # not in the project
        "# generated from modeling_net.py, do not edit\n",  # itself
        '"""It was generated from modular_net.py, do not edit"""\n',  # no comment
        "import torch\n" * 200 + "# generated from modular_net.py, do not edit\n",  # not at the top
        "# The numbers were generated from modular_net.py\n",  # but may be edited
        "TEXT = '''\n# generated from modular_net.py, do not edit\n'''\n",  # in a text
    ],
)
def test_files_that_only_look_generated(header: str) -> None:
    files = tree({**GENERATED, "pkg/modeling_net.py": f"{header}import torch"})
    assert files.graph.generated_from("pkg/modeling_net.py") is None
    assert files.files_with_roots() == ("pkg/modeling_net.py", "pkg/modular_net.py")


@pytest.mark.parametrize(
    "path", ["modular_net.py", "`pkg/modular_net.py`", "src\\pkg\\modular_net.py", "the modular_net.py"]
)
def test_a_template_stands_beside_what_is_generated_whatever_its_path_is_called(path: str) -> None:
    files = tree({**GENERATED, "pkg/modeling_net.py": f"# Auto-generated from {path}, do not edit\nimport torch"})
    assert files.graph.generated_from("pkg/modeling_net.py") == "pkg/modular_net.py"


def test_a_template_may_lie_elsewhere_in_the_project() -> None:
    files = tree(
        {
            "templates/net.py": "import torch",
            "pkg/net.py": "# Generated from templates/net.py. Don't edit.\nimport torch",
        }
    )
    assert files.graph.generated_from("pkg/net.py") == "templates/net.py"


def test_what_is_run_by_what_is_run_is_no_template() -> None:
    files = {
        "a.py": "import torch",
        "b.py": "import a",
        "ga.py": "# generated from a.py, do not edit\nimport torch",
        "gb.py": "# generated from b.py, do not edit\nimport torch",
    }
    assert tree(files).graph.templates.keys() == {"a.py", "b.py"}
    assert tree({**files, "train.py": "import b"}).graph.templates == {}
    assert tree({**files, "ga.py": f"{files['ga.py']}, a"}).graph.templates == {"b.py": "gb.py"}


def test_a_generator_is_run() -> None:
    files = {
        "make.py": "import torch\nif __name__ == '__main__': ...",
        "table.py": "# generated from make.py, do not edit\n",
    }
    assert tree(files).graph.templates == {}


def test_files_that_say_of_each_other_that_they_are_generated_are_run() -> None:
    files = {"a.py": "# generated from b.py, do not edit\n", "b.py": "# generated from a.py, do not edit\n"}
    assert tree(files).graph.templates == {}


def test_what_is_generated_may_be_a_template_itself() -> None:
    files = {
        "a.py": "import torch",
        "b.py": "# generated from a.py, do not edit\nimport torch",
        "c.py": "# generated from b.py, do not edit\nimport torch",
    }
    assert tree(files).graph.templates == {"a.py": "c.py", "b.py": "c.py"}
