"""What an attribute of `self` is on the paths that leave it as it is."""

from __future__ import annotations

from compilelint.inspect import names
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Instance, Kind


def unassigned(frame: Frame, path: str) -> Kind | None:
    """What `self.mask` was before the function began; None for all that is no attribute of an object."""
    name, _, attr = path.partition(".")
    if not attr or "." in attr or "[" in path:
        return None
    owner = names.lookup(frame, name)
    return frame.inspector.attribute(owner, attr) if isinstance(owner, Instance) else None
