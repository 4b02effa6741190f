"""What effects and events are called in a sentence."""

from __future__ import annotations

from compilelint.report.model import Effect, ObservationType

_EFFECTS: dict[Effect, tuple[str, str]] = {
    "graph-break": ("graph break", "graph breaks"),
    "recompile": ("recompile", "recompiles"),
    "compile-error": ("compile error", "compile errors"),
    "slow-start": ("slow start", "slow starts"),
    "wrong-result": ("wrong result", "wrong results"),
    "not-compiled": ("not compiled", "not compiled"),
    "none": ("suppression comment", "suppression comments"),
}
_OBSERVATIONS: dict[ObservationType, tuple[str, str]] = {
    "graph-break": ("graph break", "graph breaks"),
    "frame-skipped": ("not compiled", "functions not compiled"),
    "recompile": ("recompile", "causes of recompiles"),
    "recompile-limit": ("recompile limit", "recompile limits hit"),
    "compile-error": ("compile error", "compile errors"),
    "cudagraph-skip": ("no CUDA graph", "skipped CUDA graphs"),
    "repeated-blocks": ("slow start", "slow starts"),
}
_HITS: dict[ObservationType, tuple[str, str]] = {
    "graph-break": ("graph break", "graph breaks"),
    "frame-skipped": ("function given up", "functions given up"),
    "recompile": ("recompile", "recompiles"),
    "recompile-limit": ("recompile limit hit", "recompile limits hit"),
    "compile-error": ("compile error", "compile errors"),
    "cudagraph-skip": ("CUDA graph left out", "CUDA graphs left out"),
    "repeated-blocks": ("slow start", "slow starts"),
}


def effect_words(effect: Effect, number: int = 1) -> str:
    """`graph break`, or `graph breaks` for any number but 1."""
    return _EFFECTS[effect][number != 1]


def observation_words(kind: ObservationType, number: int = 1) -> str:
    """`recompile limit`, or `recompile limits hit` for any number but 1."""
    return _OBSERVATIONS[kind][number != 1]


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '…')) else '.'}"


def amount(value: float) -> str:
    """`3` for 3.0, `1.3` for 1.26."""
    return str(int(value)) if value == int(value) else f"{value:.1f}"


def counted_hits(number: int, kind: ObservationType) -> str:
    """`3 recompiles`: how often something happened, from whatever causes."""
    return f"{number} {_HITS[kind][number != 1]}"


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
