"""What Dynamo tells of a graph break, and what is made of it."""

from __future__ import annotations

from dataclasses import dataclass

_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence without full stop, and what to do; advice is empty where Dynamo's hints are better."""

    words: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    title: str
    explanation: str
    context: str

    @property
    def said(self) -> str:
        return f"{self.explanation}\n{self.context}"


def cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
