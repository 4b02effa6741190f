"""What units are walked with: what is known of the project, and the rules.

What a program has told Dynamo to reorder or to ignore (`reorderable_logging_functions.add(print)`) is harmless in it,
and not in the script beside it. Units of programs that differ in this share nothing that was walked.
"""

from __future__ import annotations

from collections.abc import Sequence

from compilelint.catalog import Rule
from compilelint.inspect.knowledge import Knowledge
from compilelint.match.matcher import Matcher
from compilelint.match.units import Program, Unit
from compilelint.regions.starts.settings import together
from compilelint.source.tree import SourceTree


class Walkers:
    """For each unit the knowledge and the matcher that it is walked with; made when they are first asked for."""

    def __init__(self, tree: SourceTree, rules: Sequence[Rule], program: Program) -> None:
        self._tree, self._rules, self._program = tree, rules, program
        self._made: dict[tuple[frozenset[str], frozenset[str]], tuple[Knowledge, Matcher]] = {}

    def of(self, unit: Unit) -> tuple[Knowledge, Matcher]:
        program = self._program
        files = {root.partition("::")[0] for root in unit.roots} or {unit.name}
        settings = together(map(program.dynamo, files))
        told = settings.harmless_callees, settings.reordered_callees
        if told not in self._made:
            knowledge = Knowledge(self._tree, program.target_torch)
            self._made[told] = knowledge, Matcher(self._rules, program.target_torch, *told)
        return self._made[told]
