"""Files that use a model to try it or to show it: how they do says nothing of how it is used otherwise."""

from __future__ import annotations

import re

_SHOWS = re.compile(
    r"(^|/)(tests?|testing|examples?|demos?|docs?|benchmarks?|tutorials?|notebooks?|conftest\.py|test_[^/]*"
    r"|[^/]*_test\.py|[^/]*\.ipynb)(/|$)",
    re.IGNORECASE,
)


def is_demonstration(file: str) -> bool:
    """Whether a file of the project is a test, an example, a benchmark or a page of documentation."""
    return _SHOWS.search(file) is not None
