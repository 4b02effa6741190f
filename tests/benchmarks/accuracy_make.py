"""A tiny package, installed, with truth about it: what the tests of the accuracy benchmark score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MODEL = """\
import numpy as np
import torch
from torch import nn


class Breaks(nn.Module):
    def forward(self, x):
        n = x.sum().item()
        return x * n


class Clean(nn.Module):
    def forward(self, x):
        return x + 1


class Optional(nn.Module):
    def forward(self, x, mask: torch.Tensor | None = None):
        if mask is not None and mask.any():
            x = x * 2
        return x


class Missed(nn.Module):
    def forward(self, x):
        return np.abs(
            helper(x),
        )


def helper(x):
    return x.missing_from_every_table()


class Unseen(nn.Module):
    def forward(self, x):
        print(x)
        return x.tolist()
"""


def line_of(text: str) -> int:
    """The first line of the model's source that holds this text."""
    return next(number for number, line in enumerate(MODEL.split("\n"), start=1) if text in line)


def install(folder: Path, version: str = "1.2") -> Path:
    """`tiny` in a folder, as pip would put it there; gives the folder."""
    package = folder / "tiny"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "model.py").write_text(MODEL)
    info = folder / f"tiny_models-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tiny-models\nVersion: {version}\n")
    (info / "RECORD").write_text("tiny/__init__.py,,\ntiny/model.py,,\n")
    return folder


def site(text: str, **more: Any) -> dict[str, Any]:
    """A break at the first line of the model with this text."""
    return {
        "file": "tiny/model.py",
        "line": line_of(text),
        "function": "forward",
        "kinds": ["break"],
        "gb_id": "GB0124",
        "reason": "Unsupported",
        "phases": ["eval"],
        "hits": 1,
        "primary": True,
        "frame_skipped": False,
        **more,
    }


def model(class_name: str, *sites: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What was seen of one model, without its lines."""
    return {
        "class": class_name,
        "model": class_name,
        "package": "tiny",
        "root": f"tiny/model.py::{class_name}",
        "phases": {"eval": {"ok": True, "n_break_records": len(sites)}},
        "sites": list(sites),
        "recompiles": [],
        **more,
    }


def usual_models() -> dict[str, Any]:
    return {
        "breaks": model("Breaks", site(".item()")),
        "clean": model("Clean"),
        "optional": model("Optional"),
        "missed": model("Missed", site("missing_from_every_table", function="helper")),
    }


def usual_lines() -> dict[str, list[list[int]]]:
    """All but those of Unseen, and of Optional only those that run without a mask."""
    return {
        "tiny/model.py": [
            [line_of("n = x.sum()"), line_of("return x * n")],
            [line_of("return x + 1")] * 2,
            [line_of("if mask is not None")] * 2,
            [line_of("helper(x),")] * 2,
            [line_of("missing_from")] * 2,
        ]
    }


def write_truth(folder: Path, models: dict[str, Any], lines: dict[str, list[list[int]]], version: str = "1.2") -> Path:
    """The file tiny.json in a folder, in the layout with lines kept once; gives the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    truth = {"versions": {"torch": "2.13.0+cpu", "tiny": version}, "models": models, "traced_lines": lines}
    (folder / "tiny.json").write_text(json.dumps(truth))
    return folder
