"""What Python's parser says of sources beside syntax errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def parser_warnings_ignored() -> Iterator[None]:
    r"""Without the parser's warnings about sources that are read: they are not what anybody asked for.

    Of `"\d"` and of `x is 1` it warns on standard error from Python 3.12 on; where warnings are errors
    (`PYTHONWARNINGS=error`) it would call such a file broken. Sources are parsed under the name `ast.parse` gives them.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="<unknown>")
        yield
