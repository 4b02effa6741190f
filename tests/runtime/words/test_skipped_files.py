"""Files that Dynamo leaves out because of how they are called."""

from __future__ import annotations

import pytest

from compilelint.runtime.words.reasons import explain

CALLED = "Attempted to call function marked as skipped"
INLINED = "Attempted to inline function marked as skipped"
OF_A_FUNCTION = "module: tree, qualname: grow, skip reason: file is under skip directory ({})"
OF_A_METHOD = "qualname: Net.forward, name: forward, filename: `{0}`, skip reason: file is under skip directory ({0})"


@pytest.mark.parametrize(
    ("title", "context", "name"), [(CALLED, OF_A_FUNCTION, "grow"), (INLINED, OF_A_METHOD, "Net.forward")]
)
def test_an_own_file_that_is_called_as_a_library_is_to_be_renamed(title: str, context: str, name: str) -> None:
    reason = explain(title, "Dynamo developers have intentionally marked it.", context.format("/app/model/tree.py"))
    assert reason.words.startswith(f"Dynamo leaves out `{name}` and all else in `tree.py`")
    assert reason.advice.startswith("Give the file, or the folder it is in, another name")


@pytest.mark.parametrize(
    "path",
    ["/venv/lib/python3.11/site-packages/tree/__init__.py", "/usr/lib/python3.11/random.py", "/src/torch/hub.py"],
)
def test_what_is_installed_is_the_library_that_is_meant(path: str) -> None:
    assert "is a function that Dynamo does not trace" in explain(CALLED, None, OF_A_FUNCTION.format(path)).words
