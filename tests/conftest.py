"""Settings for all tests, made before anything imports torch."""

from __future__ import annotations

import os

# Examples are judged in forked processes: a pool of threads in the parent would be waited for in vain there. Two
# workers share two cores, so that one thread each is also the fastest.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")
