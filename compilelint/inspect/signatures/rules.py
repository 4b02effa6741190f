"""What a rule of the table is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from compilelint.inspect.kinds import Kind
from compilelint.inspect.signatures.calls import Call

Rule: TypeAlias = Callable[[Call], Kind]
"""From a call of one operator to the kind that it gives."""
