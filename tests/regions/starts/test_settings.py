"""What the project's own code sets in `torch._dynamo.config`."""

from __future__ import annotations

from textwrap import dedent

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions.starts.settings import DynamoSettings, find_settings, together
from tests.source.make import tree


def settings(**files: str) -> DynamoSettings:
    found = tree({f"{name}.py": dedent(code) for name, code in files.items()})
    return together(
        find_settings(Inspector(Knowledge(found), lambda type_, callee: False), sorted(found.texts)).values()
    )


@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        ("capture_scalar_outputs", DynamoSettings(capture_scalars=True)),
        ("capture_dynamic_output_shape_ops", DynamoSettings(capture_shapes=True)),
        ("allow_unspec_int_on_nn_module", DynamoSettings(dynamic_ints_on_modules=True)),
        ("verbose", DynamoSettings()),
    ],
)
def test_flags(flag: str, expected: DynamoSettings) -> None:
    assert settings(a=f"import torch\ntorch._dynamo.config.{flag} = True") == expected


@pytest.mark.parametrize(
    "code",
    [
        "import torch._dynamo\ntorch._dynamo.config.capture_scalar_outputs = True",
        "import torch._dynamo.config as config\nconfig.capture_scalar_outputs = True",
        "from torch import _dynamo\n_dynamo.config.capture_scalar_outputs = True",
        "import torch._dynamo as dynamo\ndynamo.config.capture_scalar_outputs = True",
        "from torch._dynamo import config\nconfig.capture_scalar_outputs = True",
        "import torch\ndef main():\n    torch._dynamo.config.capture_scalar_outputs = True",
    ],
)
def test_the_config_is_known_by_its_binding(code: str) -> None:
    assert settings(a=code).capture_scalars


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("it is switched off", "import torch\ntorch._dynamo.config.capture_scalar_outputs = False"),
        ("source does not show the value", "import torch\ntorch._dynamo.config.capture_scalar_outputs = option"),
        ("another config", "import my._dynamo as d\nd.config.capture_scalar_outputs = True"),
        ("it is only read", "import torch\nprint(torch._dynamo.config.capture_scalar_outputs)"),
        ("it stands in a comment", "# torch._dynamo.config.capture_scalar_outputs = True"),
    ],
)
def test_no_flag_is_set(why: str, code: str) -> None:
    assert settings(a=code) == DynamoSettings()


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("reorderable_logging_functions.add(print)", {"builtins.print"}),
        ("reorderable_logging_functions.update({print, warnings.warn})", {"builtins.print", "warnings.warn"}),
        ("reorderable_logging_functions = {print}", {"builtins.print"}),
        ("reorderable_logging_functions |= {print}", {"builtins.print"}),
        ("ignore_logger_methods.add(logging.Logger.info)", {"logging.Logger.info"}),
        ("ignore_logging_functions.add(logging.info)", {"logging.info"}),
        ("ignore_logging_functions.add(save)", {"save"}),
        ("reorderable_logging_functions.discard(print)", set()),
        ("skipfiles_inline_module_allowlist.add(print)", set()),
        ("reorderable_logging_functions.add(unknown)", set()),
    ],
)
def test_functions_that_dynamo_was_told_to_reorder_or_ignore(statement: str, names: set[str]) -> None:
    own = "def save(x):\n    torch.save(x, 'x.pt')\n"
    found = settings(a=f"import torch, warnings, logging\n{own}torch._dynamo.config.{statement}")
    assert found.harmless_callees == names


def test_what_is_reordered_is_told_apart_from_what_is_ignored() -> None:
    add = "import torch\ntorch._dynamo.config.{}.add(print)"
    reorders, ignores = add.format("reorderable_logging_functions"), add.format("ignore_logging_functions")
    assert settings(a=reorders).reordered_callees == {"builtins.print"}
    assert settings(a=ignores).reordered_callees == set()
    assert settings(a=reorders, b=ignores).reordered_callees == set()


def test_settings_of_all_files_count() -> None:
    found = settings(
        a="import torch\ntorch._dynamo.config.capture_scalar_outputs = True",
        b="import torch\ntorch._dynamo.config.capture_dynamic_output_shape_ops = True",
        c="import torch._dynamo.config (",
    )
    assert (found.capture_scalars, found.capture_shapes) == (True, True)
