"""What somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'select'?` where a known word is near, else nothing.

    Of equally near words the one that begins most like the word: codes differ at the end.
    """
    import difflib  # slow to import, and few make mistakes

    matcher = difflib.SequenceMatcher(b=word)
    best: tuple[float, int, str] | None = None
    for candidate in known:
        matcher.set_seq1(candidate)
        score = (matcher.ratio(), _length_in_common(word, candidate), candidate)
        if score[0] >= 0.6 and (best is None or score[:2] > best[:2]):
            best = score
    return f"; did you mean {best[2]!r}?" if best else ""


def _length_in_common(left: str, right: str) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))
