"""What code finds out about the release of torch that it runs on: `torch.__version__ >= "2.4"`.

The release is the one that is analysed for, "" where none is known. Dynamo takes all of this for constants (2.13).
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from functools import cache
from typing import Any

from packaging.version import InvalidVersion, Version

from compilelint.inspect.kinds import Const, External, Kind, Reference, Sequence, sequence
from compilelint.inspect.signatures.values import value_method

TORCH_VERSION = "torch.__version__"
_PARSED = "packaging.version.Version"
_PARSERS = frozenset(
    {
        "packaging.version.parse",
        _PARSED,
        "pkg_resources.parse_version",
        "pkg_resources.packaging.version.parse",
        "distutils.version.LooseVersion",
        "distutils.version.StrictVersion",
        "torch.torch_version.TorchVersion",
    }
)
_ASKED_BY_NAME = frozenset({"importlib.metadata.version", "importlib_metadata.version"})
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def of_releases(torch: str, callee: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind | None:
    """What a callee gives that makes versions, or takes torch's to pieces; None for all others."""
    if callee in _PARSERS and args:
        version = _version(torch, args[0])
        return External(_PARSED, (Const(str(version)),)) if version is not None else None
    if callee in _ASKED_BY_NAME and args == (Const("torch"),):
        return Reference(TORCH_VERSION)
    if torch and callee.startswith(f"{TORCH_VERSION}."):
        return value_method(Const(torch), callee.rpartition(".")[2], args, keywords)
    return None


def attribute(kind: External, name: str) -> Kind | None:
    """`.major`, `.release` … of a version that is known; None for all others."""
    if kind.cls != _PARSED or not kind.args or not isinstance(kind.args[0], Const):
        return None
    version = Version(str(kind.args[0].value))
    match name:
        case "major" | "minor" | "micro" | "base_version" | "public":
            return Const(getattr(version, name))
        case "release":
            return sequence("tuple", (Const(part) for part in version.release))
        case _:
            return None


def compare_releases(torch: str, op: ast.cmpop, left: Kind, right: Kind) -> Kind | None:
    """What comparing versions gives, at least one of which says that it is one; None for all others."""
    if type(op) not in _COMPARE or not (_is_version(left) or _is_version(right)):
        return None
    if isinstance(op, ast.Eq | ast.NotEq) and (_is_no_release(left) or _is_no_release(right)):
        return Const(isinstance(op, ast.NotEq))
    versions = _version(torch, left), _version(torch, right)
    return None if None in versions else Const(_COMPARE[type(op)](*versions))


def _is_version(kind: Kind) -> bool:
    match kind:
        case Reference(name=name):
            return name == TORCH_VERSION
        case External(cls=cls, args=args):
            return cls == _PARSED and bool(args)
        case _:
            return False


def _is_no_release(kind: Kind) -> bool:
    """Whether it is a text that no torch has for its release, as OpenMMLab's `torch.__version__ == "parrots"` asks."""
    return isinstance(kind, Const) and isinstance(kind.value, str) and _parsed(kind.value) is None


def _version(torch: str, kind: Kind) -> Version | None:
    match kind:
        case Reference(name="torch.__version__"):
            return _parsed(torch)
        case External(cls="packaging.version.Version", args=(inner,)):
            return _version(torch, inner)
        case Const(value=str(text)):
            return _parsed(text)
        case Sequence(items=tuple(items)) if items:
            # torch's own version can be compared with the parts of another.
            return _parsed(".".join(str(item.value) if isinstance(item, Const) else "?" for item in items))
        case _:
            return None


@cache
def _parsed(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
