"""What is known of a project, whoever asks: what names, classes, annotations and silent calls come to.

An answer is found once for all inspectors of a tree, and must be the same whoever asked first, in whatever process. So
an answer may depend on nothing but its question and the source. Questions lead back to themselves (a method assigns
what another method of the class gives): then what is said meanwhile stands for the answer, and what was found with its
help holds only as long as that question is open. Once it is answered, such answers are forgotten; who asks one of them
for its own sake gets an answer that began with it. For the same reason an answer is not used while a question is open
that it would have been found differently under.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from compilelint.source.tree import Asked, SourceTree

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Answer:
    value: Any
    sources: int
    """What was asked of the tree for it: bits, see `_Sources`."""
    compiled: tuple[Hashable, ...]
    """What is compiled in the code that was walked for it."""
    leans_on: int = 0
    """The open questions whose meanwhile was used: bits of their places in the stack."""
    partners: frozenset[Hashable] = frozenset()
    """Questions that were answered, on the way, with the help of this one's meanwhile."""


@dataclass(slots=True)
class _Question:
    """One that is open."""

    meanwhile: Any
    sources: int = 0
    compiled: dict[Hashable, None] = field(default_factory=dict)
    leans_on: int = 0
    partners: list[Hashable] = field(default_factory=list)


class Knowledge:
    """What has been found out about a tree. Only one thread may ask."""

    def __init__(self, tree: SourceTree) -> None:
        self.tree = tree
        self._sources = _Sources()
        self._answers: dict[Hashable, _Answer] = {}
        self._provisional: dict[Hashable, _Answer] = {}
        """Those that lean on an open question."""
        self._open: dict[Hashable, int] = {}
        """The place of each open question in the stack."""
        self._stack: list[_Question] = [_Question(None)]

    def begin(self) -> None:
        """Begin to note anew what is asked of the tree, and what is compiled."""
        self._stack = [_Question(None)]
        self._open.clear()
        self._provisional.clear()
        self.tree.forget_asked()

    def asked(self) -> Asked:
        """What of the tree has been asked for since, be it for an answer that was known."""
        return self._sources.of_bits(self._stack[0].sources) | self.tree.asked

    @property
    def compiled(self) -> dict[Hashable, None]:
        """What was seen to be compiled: since `begin`, or for the question that is open."""
        return self._stack[-1].compiled

    @property
    def depth(self) -> int:
        """How many questions are open."""
        return len(self._stack) - 1

    def find(self, question: Hashable, meanwhile: _T, answer: Callable[[], _T]) -> _T:
        """The answer to a question, found by `answer` if it is not known.

        `meanwhile` is said to whoever asks the same until it is found.
        """
        known = self._answers.get(question)
        if known is None:
            place = self._open.get(question)
            if place is not None:
                said: _T = self._said_meanwhile(place)
                return said
            known = self._provisional.get(question)
        if known is None or not (not known.partners or known.partners.isdisjoint(self._open)):
            # It may be open although it is known: then it was found differently before.
            place = self._open.get(question)
            if place is None:
                return self._find(question, meanwhile, answer)
            said = self._said_meanwhile(place)
            return said
        asking = self._stack[-1]
        asking.sources |= known.sources
        asking.leans_on |= known.leans_on
        if known.compiled:
            asking.compiled.update(dict.fromkeys(known.compiled))
        found: _T = known.value
        return found

    def say_meanwhile(self, question: Hashable, value: object) -> None:
        """Say this, from now on, to who asks what is still open."""
        self._stack[self._open[question]].meanwhile = value

    def lean_on(self, bits: int) -> None:
        """Note that what is being found depends on which questions are open."""
        self._stack[-1].leans_on |= bits

    def bits_of_open(self) -> int:
        """All open questions, for `lean_on`."""
        return (1 << len(self._stack)) - 1

    def bit_of(self, question: Hashable) -> int:
        """An open question, for `lean_on`."""
        return 1 << self._open[question]

    def _said_meanwhile(self, place: int) -> Any:
        self._stack[-1].leans_on |= 1 << place
        return self._stack[place].meanwhile

    def _find(self, question: Hashable, meanwhile: _T, answer: Callable[[], _T]) -> _T:
        stack, tree = self._stack, self.tree
        place = len(stack)
        outer, tree.asked = tree.asked, Asked()
        opened = _Question(meanwhile)
        stack.append(opened)
        self._open[question] = place
        try:
            value = answer()
        except BaseException:
            self._close(question, opened)
            tree.asked = outer | tree.asked
            raise
        sources = opened.sources | self._sources.bits_of(tree.asked)
        tree.asked = outer
        self._close(question, opened)
        leans_on = opened.leans_on & ((1 << place) - 2)
        compiled = tuple(opened.compiled)
        known = _Answer(value, sources, compiled, leans_on, frozenset(opened.partners))
        asking = stack[-1]
        asking.sources |= sources
        asking.leans_on |= leans_on
        asking.compiled.update(opened.compiled)
        if leans_on:
            self._provisional[question] = known
            for leaned_on in _places(leans_on):
                stack[leaned_on].partners.append(question)
        else:
            self._answers[question] = known
        return value

    def _close(self, question: Hashable, opened: _Question) -> None:
        self._stack.pop()
        del self._open[question]
        for partner in opened.partners:
            self._provisional.pop(partner, None)


class _Sources:
    """What may be asked of a tree, numbered, so that sets of it are the bits of a number."""

    def __init__(self) -> None:
        self._bits: dict[tuple[str, str], int] = {}
        self._all: list[tuple[str, str]] = []

    def bits_of(self, asked: Asked) -> int:
        found = 0
        for sort, names in (("text", asked.texts), ("importers", asked.importers)):
            for name in names:
                found |= self._bit(sort, name)
        return found

    def of_bits(self, bits: int) -> Asked:
        asked = Asked()
        for place in _places(bits):
            sort, name = self._all[place]
            (asked.texts if sort == "text" else asked.importers).add(name)
        return asked

    def _bit(self, sort: str, name: str) -> int:
        key = (sort, name)
        bit = self._bits.get(key)
        if bit is None:
            bit = self._bits[key] = 1 << len(self._all)
            self._all.append(key)
        return bit


def _places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
