"""`python -m compilelint.judging` under the name by which it is known in a checkout."""

from __future__ import annotations

import sys

from compilelint.judging.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
