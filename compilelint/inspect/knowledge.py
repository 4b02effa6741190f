"""What is known of a project, whoever asks: what names, classes, annotations and silent calls come to.

An answer is found once for all inspectors of a tree, and must be the same whoever asked first, in whatever process. So
an answer may depend on nothing but its question and the source. Questions lead back to themselves (a method assigns
what another method of the class gives): then what is said meanwhile stands for the answer, and what was found with its
help holds only as long as that question is open. Once it is answered, such answers are forgotten; who asks one of them
for its own sake gets an answer that began with it. For the same reason an answer is not used while a question is open
that it would have been found differently under.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec import Struct

from compilelint.inspect.asked_sets import AskedSets
from compilelint.inspect.retelling import Walk
from compilelint.source.tree import Asked, SourceTree

_T = TypeVar("_T")
MAX_OPEN = 24
"""So many questions may be open at once, each because of the one before: of code that people write 19 were at most.
More are of functions that call each other with ever more deeply nested arguments, and would not end."""
MAX_TIMES = 16
"""So often an answer may be forgotten, as it leans on what is open, and be asked for anew. Where a function calls
itself in two places, with other arguments each time, the number of its calls doubles with each, and would not end."""
MAX_OF_ONE = 4
"""Of a function of which more was asked anew so many questions are open at once: from there on it leads back to the
first of them."""


def _as_it_is(answer: Callable[[], _T]) -> _T:
    return answer()


class _Answer(Struct, frozen=True):
    value: Any
    sources: int
    """What was asked of the tree for it, see `asked_sets.py`."""
    compiled: tuple[Hashable, ...]
    """What is compiled in the code that was walked for it."""
    leans_on: int = 0
    """The open questions whose meanwhile was used: bits of their places in the stack."""
    partners: frozenset[Hashable] = frozenset()
    """Questions that were answered, on the way, with the help of this one's meanwhile."""
    is_plain: bool = False
    """Whether it is only the value and what that rests on: most are."""


def _answer(
    value: object, sources: int, compiled: tuple[Hashable, ...], leans_on: int, partners: frozenset[Hashable]
) -> _Answer:
    return _Answer(value, sources, compiled, leans_on, partners, not (compiled or leans_on or partners))


@dataclass(slots=True)
class _Question:
    """One that is open."""

    meanwhile: Any
    sources: set[int] = field(default_factory=set)
    """What the answers rest on that were used for it."""
    compiled: dict[Hashable, None] = field(default_factory=dict)
    leans_on: int = 0
    partners: list[Hashable] = field(default_factory=list)
    derived: list[Hashable] = field(default_factory=list)
    """What was derived with the help of its meanwhile."""
    partners_used: list[frozenset[Hashable]] = field(default_factory=list)
    """The partners of the answers that were used for it: what is derived from these shares them."""


class Knowledge:
    """What has been found out about a tree. Only one thread may ask."""

    def __init__(self, tree: SourceTree, torch: str = "") -> None:
        self.tree = tree
        self.torch = torch
        """The release of torch that the tree is analysed for, if that is to matter."""
        self._sets = AskedSets()
        self._answers: dict[Hashable, _Answer] = {}
        self._provisional: dict[Hashable, _Answer] = {}
        """Those that lean on an open question."""
        self._derived: dict[Hashable, _Answer] = {}
        self._open: dict[Hashable, int] = {}
        """The place of each open question in the stack."""
        self._about: dict[Hashable, list[int]] = {}
        """The places of the open questions about one function."""
        self._forgotten: Counter[Hashable] = Counter()
        """How often the answer to a question was."""
        self._circling: set[Hashable] = set()
        """The functions of which an answer was forgotten too often."""
        self._stack: list[_Question] = [_Question(None)]
        self.walks: dict[Hashable, Walk] = {}
        """Walks that are the same wherever they stand, of inspectors that want the same events."""

    def begin(self) -> None:
        """Begin to note anew what is asked of the tree, and what is compiled."""
        self._stack = [_Question(None)]
        self._open.clear()
        self._about.clear()
        self._provisional.clear()
        self.tree.forget_asked()

    def begin_part(self) -> tuple[Any, Asked]:
        """Begin to note apart what is asked of the tree, and what is compiled; gives what `end_part` wants."""
        assert not self._open
        outer = self._stack[0], self.tree.asked
        self._stack[0], self.tree.asked = _Question(None), Asked()
        return outer

    def end_part(self, outer: tuple[Any, Asked]) -> tuple[int, tuple[Hashable, ...]]:
        """What was asked, as `note` wants it, and what was compiled; both are noted for what is around, too."""
        part = self._stack[0]
        sources = self._sets.together(self.tree.asked, part.sources)
        compiled = tuple(part.compiled)
        self._stack[0], self.tree.asked = outer
        self.note(sources, compiled)
        return sources, compiled

    def note(self, sources: int, compiled: Iterable[Hashable]) -> None:
        """Note what was asked and compiled before as asked and compiled now."""
        asking = self._stack[-1]
        asking.sources.add(sources)
        asking.compiled.update(dict.fromkeys(compiled))

    def asked(self) -> Asked:
        """What of the tree has been asked for since, be it for an answer that was known."""
        return self._sets.asked_in(self._stack[0].sources) | self.tree.asked

    @property
    def compiled(self) -> dict[Hashable, None]:
        """What was seen to be compiled: since `begin`, or for the question that is open."""
        return self._stack[-1].compiled

    def find(
        self,
        question: Hashable,
        meanwhile: _T,
        answer: Callable[[], _T],
        within: Callable[[Callable[[], _T]], _T] = _as_it_is,
        about: Hashable = None,
    ) -> _T:
        """The answer to a question; if it is not known `answer` finds it, called by `within`.

        `meanwhile` is said to whoever asks the same until it is found. `about` is the function of which something is
        asked, if it is one that may call itself.
        """
        known = self._answers.get(question)
        if known is not None and known.is_plain:
            self._stack[-1].sources.add(known.sources)
            plain: _T = known.value
            return plain
        if known is None or (known.partners and not known.partners.isdisjoint(self._open)):
            place = self._open.get(question)
            if place is not None:
                # It may have been answered before all the same: by who began with another question.
                said: _T = self._said_meanwhile(place)
                return said
            known = self._provisional.get(question)
            if known is None or not known.partners.isdisjoint(self._open):
                return self._find(question, meanwhile, answer, within, about)
        self._use(known)
        found: _T = known.value
        return found

    def derive(
        self, what: Hashable, derivation: Callable[[], _T], within: Callable[[Callable[[], _T]], _T] = _as_it_is
    ) -> _T:
        """What follows from answers: as `find`, for what never leads back to itself but by a question that does."""
        known = self._derived.get(what)
        if known is not None and known.is_plain:
            self._stack[-1].sources.add(known.sources)
            plain: _T = known.value
            return plain
        if known is None or (known.partners and not known.partners.isdisjoint(self._open)):
            known = self._derive(what, derivation, within)
        self._use(known)
        found: _T = known.value
        return found

    def _use(self, answer: _Answer) -> None:
        asking = self._stack[-1]
        asking.sources.add(answer.sources)
        asking.leans_on |= answer.leans_on
        if answer.compiled:
            asking.compiled.update(dict.fromkeys(answer.compiled))
        if answer.partners:
            asking.partners_used.append(answer.partners)

    def _derive(
        self, what: Hashable, derivation: Callable[[], _T], within: Callable[[Callable[[], _T]], _T]
    ) -> _Answer:
        tree, asking = self.tree, self._stack[-1]
        outer, tree.asked = tree.asked, Asked()
        before = asking.sources, asking.leans_on, asking.compiled, asking.partners_used
        asking.sources, asking.leans_on, asking.compiled, asking.partners_used = set(), 0, {}, []
        try:
            value = within(derivation)
            sources = self._sets.together(tree.asked, asking.sources)
            # What leans on the question that is open itself holds no longer than that is.
            leans_on, compiled, partners_used = (
                asking.leans_on,
                tuple(asking.compiled),
                frozenset().union(*asking.partners_used),
            )
        finally:
            tree.asked = outer
            asking.sources, asking.leans_on, asking.compiled, asking.partners_used = before
        known = self._derived[what] = _answer(value, sources, compiled, leans_on, partners_used)
        for place in _places(leans_on):
            self._stack[place].derived.append(what)
        return known

    def say_meanwhile(self, question: Hashable, value: object) -> None:
        """Say this, from now on, to who asks what is still open."""
        self._stack[self._open[question]].meanwhile = value

    def _said_meanwhile(self, place: int) -> Any:
        self._stack[-1].leans_on |= 1 << place
        return self._stack[place].meanwhile

    def _find(
        self,
        question: Hashable,
        meanwhile: _T,
        answer: Callable[[], _T],
        within: Callable[[Callable[[], _T]], _T],
        about: Hashable,
    ) -> _T:
        stack, tree = self._stack, self.tree
        place = len(stack)
        of_one = self._about.setdefault(about, []) if about is not None else []
        if self._forgotten[question] > MAX_TIMES:
            self._circling.add(about)
        if len(of_one) >= MAX_OF_ONE and about in self._circling:
            stack[-1].leans_on |= 1 << of_one[0]
            return meanwhile
        if place > MAX_OPEN:
            # As if it led back to the first of them: what leans on this is forgotten with that, and asked anew.
            stack[-1].leans_on |= 1 << 1
            return meanwhile
        outer, tree.asked = tree.asked, Asked()
        opened = _Question(meanwhile)
        stack.append(opened)
        self._open[question] = place
        of_one.append(place)
        try:
            value = within(answer)
        except BaseException:
            of_one.pop()
            self._close(question, opened)
            stack[-1].sources |= opened.sources
            tree.asked = outer | tree.asked
            raise
        sources = self._sets.together(tree.asked, opened.sources)
        tree.asked = outer
        of_one.pop()
        self._close(question, opened)
        leans_on = opened.leans_on & ((1 << place) - 2)
        compiled = tuple(opened.compiled)
        known = _answer(value, sources, compiled, leans_on, frozenset(opened.partners))
        asking = stack[-1]
        asking.sources.add(sources)
        asking.leans_on |= leans_on
        asking.compiled.update(opened.compiled)
        if known.partners:
            asking.partners_used.append(known.partners)
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
            if self._provisional.pop(partner, None) is not None:
                self._forgotten[partner] += 1
        for derived in opened.derived:
            self._derived.pop(derived, None)


def _places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
