"""Settings for all tests, made before anything imports torch."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# Examples are judged in forked processes: a pool of threads in the parent would be waited for in vain there. Two
# workers share two cores, so that one thread each is also the fastest.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What checks in tests remember is nobody else's."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPILELINT_CACHE_DIR", str(folder))
        yield folder
