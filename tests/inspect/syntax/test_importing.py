"""Imports inside functions."""

from __future__ import annotations

import pytest

from tests.inspect.make import branches, events, function


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("import os", [("import", "import os")]),
        ("import os.path as p, sys", [("import", "import os.path as p, sys")] * 2),
        ("from os import path", [("import", "from os import path")]),
        ("try:\n    import fast\nexcept ImportError:\n    pass", [("guarded", "import fast")]),
        ("try:\n    import fast\nexcept ImportError:\n    raise TypeError('no fast')", [("import", "import fast")]),
        ("import neighbour", []),
        ("import neighbour.fast", []),
    ],
)
def test_imports_in_functions(body: str, found: list[tuple[str, str]]) -> None:
    shown = events(function(body), "f", "import", neighbour="x = 1")
    assert [(event.construct, event.source) for event in shown] == found


def test_an_imported_name_is_known_where_it_was_imported() -> None:
    assert branches("from torch import any as there_is\nif there_is(x):\n    pass") == [("if", "there_is(x)")]
