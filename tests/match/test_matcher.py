"""Which matches of which rules an event meets, and how surely."""

from __future__ import annotations

import inspect
import re

import pytest
from msgspec import structs

from compilelint.catalog import Match, load_rules
from compilelint.inspect.events import Mode
from compilelint.inspect.kinds import (
    INT,
    NONE,
    STR,
    TENSOR,
    UNKNOWN,
    Array,
    Const,
    Function,
    Kind,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    Union,
    join,
)
from compilelint.match.detectors import ASKED_LAST, DetectorError, find
from compilelint.match.matcher import Matcher, meets
from compilelint.report.confidence import Confidence
from tests.match.make import TARGET, event, match, rule

LOW, MEDIUM, HIGH = Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH
ASSUMED = Tensor(confidence=MEDIUM)


# One match


@pytest.mark.parametrize(
    ("receiver", "confidence"),
    [
        (TENSOR, HIGH),
        (ASSUMED, MEDIUM),
        (join(TENSOR, NONE), HIGH),
        (join(TENSOR, INT), MEDIUM),
        (join(TENSOR, UNKNOWN), MEDIUM),
        (UNKNOWN, LOW),
        (INT, None),
        (NONE, None),
        (join(INT, STR), None),
        (None, None),
    ],
)
def test_a_receiver(receiver: Kind | None, confidence: Confidence | None) -> None:
    assert meets(match(receiver=frozenset({"tensor"})), event(receiver=receiver)) == confidence


@pytest.mark.parametrize("receiver", [None, INT, UNKNOWN, TENSOR])
def test_a_match_that_asks_for_no_receiver_takes_any(receiver: Kind | None) -> None:
    assert meets(match(), event(receiver=receiver)) == HIGH


def test_one_of_several_words_is_enough() -> None:
    wanted = match(receiver=frozenset({"scalar", "bool-tensor"}))
    assert meets(wanted, event(receiver=Scalar())) == HIGH
    assert meets(wanted, event(receiver=Tensor("bool"))) == HIGH
    assert meets(wanted, event(receiver=Tensor("int"))) is None
    assert meets(wanted, event(receiver=TENSOR)) is None


def test_what_is_rare_is_not_guessed_of_the_unknown() -> None:
    drawn = match(arguments=(("any", frozenset({"drawn-number"})),))
    assert meets(drawn, event(args=(Scalar("int", drawn=True),))) == HIGH
    assert meets(drawn, event(args=(UNKNOWN,))) is None


def test_the_unknown_may_be_asked_for() -> None:
    assert meets(match(receiver=frozenset({"unknown"})), event(receiver=UNKNOWN)) == HIGH
    assert meets(match(receiver=frozenset({"unknown"})), event(receiver=INT)) is None


@pytest.mark.parametrize("other", [Array(), Sequence("list", INT)])
def test_where_a_tensor_may_come_it_is_hardly_an_array_or_a_list(other: Kind) -> None:
    wanted = match(receiver=frozenset({"ndarray", "list"}))
    assert meets(wanted, event(receiver=other)) == HIGH
    assert meets(wanted, event(receiver=join(other, TENSOR))) == LOW


@pytest.mark.parametrize(("construct", "met"), [("if", True), ("while", True), ("not", False), ("", False)])
def test_a_construct(construct: str, met: bool) -> None:
    wanted = match("branch", construct=frozenset({"if", "while"}))
    assert (meets(wanted, event(construct=construct)) is not None) is met


@pytest.mark.parametrize(
    ("key", "words", "met"),
    [
        ("0", {"int"}, True),
        ("0", {"str"}, False),
        ("1", {"str"}, True),
        ("2", {"int"}, False),
        ("dim", {"none"}, True),
        ("other", {"none"}, False),
        ("0|dim", {"none"}, True),
        ("2|dim", {"none"}, True),
        ("any", {"none"}, True),
        ("any", {"str"}, True),
        ("any", {"tensor"}, False),
    ],
)
def test_an_argument(key: str, words: set[str], met: bool) -> None:
    given = event(args=(INT, STR), keywords=(("dim", NONE),))
    assert (meets(match(arguments=((key, frozenset(words)),)), given) is not None) is met


def test_an_argument_is_as_sure_as_its_kind() -> None:
    wanted = match(arguments=(("any", frozenset({"tensor"})),))
    assert meets(wanted, event(args=(UNKNOWN,))) == LOW
    assert meets(wanted, event(args=(UNKNOWN, ASSUMED))) == MEDIUM
    assert meets(wanted, event(args=(UNKNOWN, ASSUMED, TENSOR))) == HIGH


@pytest.mark.parametrize(
    ("key", "requirement", "starred", "confidence"),
    [
        ("0", "present", False, HIGH),
        ("1", "present", False, None),
        ("out", "present", False, HIGH),
        ("other", "present", False, None),
        ("other", "present", True, None),
        ("0", "absent", False, None),
        ("1", "absent", False, HIGH),
        ("1|dim", "absent", False, None),
        ("out|dim", "absent", False, None),
        ("1|out", "absent", False, HIGH),
        ("other", "absent", False, HIGH),
        ("other", "absent", True, LOW),
    ],
)
def test_presence(key: str, requirement: str, starred: bool, confidence: Confidence | None) -> None:
    given = event(args=(INT,), keywords=(("out", NONE), ("dim", join(INT, NONE))), starred=starred)
    assert meets(match(arguments=((key, requirement),)), given) == confidence


@pytest.mark.parametrize(
    ("args", "confidence"),
    [((), HIGH), ((STR,), HIGH), ((INT,), None), ((join(INT, STR),), None), ((UNKNOWN,), HIGH)],
)
def test_what_must_not_be(args: tuple[Kind, ...], confidence: Confidence | None) -> None:
    wanted = match(not_arguments=(("0", frozenset({"int"})),))
    assert meets(wanted, event(args=args)) == confidence


def test_an_event_is_as_sure_as_the_least_sure_of_all() -> None:
    wanted = match(receiver=frozenset({"tensor"}), arguments=(("0", frozenset({"int"})),))
    assert meets(wanted, event(receiver=TENSOR, args=(INT,), confidence=LOW)) == LOW
    assert meets(wanted, event(receiver=ASSUMED, args=(INT,))) == MEDIUM
    assert meets(wanted, event(receiver=TENSOR, args=(UNKNOWN,))) == LOW
    assert meets(wanted, event(receiver=TENSOR, args=(STR,))) is None


# All rules at once


def codes(matcher: Matcher, **changes: object) -> list[str]:
    return [hit.rule.code for hit in matcher.hits(event(**changes))]


def test_rules_are_found_by_event_and_callee() -> None:
    matcher = Matcher(
        [
            rule(match(callee=("torch.Tensor.item", "torch.Tensor.tolist")), code="CL101"),
            rule(match(callee=("torch.cuda.*",)), code="CL102"),
            rule(match("branch"), code="CL103"),
            rule(match("index", callee=("torch.Tensor.item",)), code="CL104"),
        ],
        TARGET,
    )
    assert codes(matcher) == ["CL101"]
    assert codes(matcher, callee="torch.Tensor.tolist") == ["CL101"]
    assert codes(matcher, callee="torch.cuda.synchronize") == ["CL102"]
    assert codes(matcher, callee="torch.cudax") == []
    assert codes(matcher, type="branch", callee="") == ["CL103"]
    assert codes(matcher, type="branch", callee="builtins.filter") == ["CL103"]
    assert codes(matcher, callee="other") == []


def test_a_prefix_may_have_exceptions() -> None:
    wanted = match(callee=("scipy.special.*",), not_callee=frozenset({"scipy.special.softmax"}))
    matcher = Matcher([rule(wanted)], TARGET)
    assert codes(matcher, callee="scipy.special.jv") == ["CL101"]
    assert codes(matcher, callee="scipy.special.softmax") == []
    assert not matcher.wants("call", "scipy.special.softmax")


def test_every_match_that_is_met_is_a_hit() -> None:
    matcher = Matcher([rule(match(), match(construct=frozenset({"a"}))), rule(match(), code="CL102")], TARGET)
    assert codes(matcher, construct="a") == ["CL101", "CL101", "CL102"]


@pytest.mark.parametrize(
    ("hazard", "mode", "hits"),
    [
        ({"default": True}, Mode(), 1),
        ({"default": False}, Mode(), 0),
        ({"default": True, "fullgraph": False}, Mode(fullgraph=True), 0),
        ({"default": False, "fullgraph": True}, Mode(fullgraph=True), 1),
        ({"default": True, "capture-scalars": False}, Mode(capture_scalars=True), 0),
        ({"default": True, "capture-shapes": False}, Mode(capture_shapes=True), 0),
        ({"default": True}, Mode(fullgraph=True), 1),
    ],
)
def test_a_match_holds_where_dynamo_confirmed_it(hazard: dict[str, bool], mode: Mode, hits: int) -> None:
    matcher = Matcher([rule(match(), hazard=hazard)], TARGET)
    place = event().place
    where = type(place)(place.path, place.function, place.reached_from, mode)
    assert len(list(matcher.hits(event(place=where)))) == hits


def test_what_was_not_measured_does_not_hold() -> None:
    assert codes(Matcher([rule(match())], "2.9.1")) == []
    assert codes(Matcher([rule(Match("call", "another"))], TARGET)) == []


def test_only_what_some_rule_may_match_is_wanted() -> None:
    matcher = Matcher([rule(match(callee=("torch.cuda.*", "torch.stack"))), rule(match("branch"))], TARGET)
    assert matcher.wants("call", "torch.stack")
    assert matcher.wants("call", "torch.cuda.synchronize")
    assert matcher.wants("branch", "")
    assert not matcher.wants("call", "torch.cat")
    assert not matcher.wants("index", "")


def test_what_the_project_made_harmless_is_not_wanted() -> None:
    rules = [rule(match(callee=("builtins.print", "warnings.warn")))]
    matcher = Matcher(rules, TARGET, frozenset({"builtins.print"}))
    assert not matcher.wants("call", "builtins.print")
    assert matcher.wants("call", "warnings.warn")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((STR, TENSOR, INT), False),
        ((UNKNOWN,), False),
        ((), False),
        ((STR, Sequence("tuple", INT)), True),
        ((Sequence("list", TENSOR),), True),
        ((Union((Sequence("list", INT), INT)),), False),
    ],
)
def test_what_is_reordered_is_so_with_tensors_numbers_and_texts_only(args: tuple[Kind, ...], told: bool) -> None:
    printing = frozenset({"builtins.print"})
    matcher = Matcher([rule(match(callee=("builtins.print",)))], TARGET, printing, printing)
    assert matcher.wants("call", "builtins.print")
    assert matcher.concerns(event(callee="builtins.print", args=args)) is told


# What an event concerns


def test_an_event_concerns_whom_it_hits() -> None:
    matcher = Matcher(
        [rule(match(receiver=frozenset({"tensor"}))), rule(match(detector="containers:holds_tensor"))], TARGET
    )
    assert matcher.concerns(event(receiver=TENSOR))
    assert matcher.concerns(event(receiver=UNKNOWN))
    assert matcher.concerns(event(receiver=INT, args=(Sequence("list", TENSOR),)))
    assert not matcher.concerns(event(receiver=INT, args=(Sequence("list", INT),)))


def test_it_may_be_told_again_by_other_steps() -> None:
    matcher = Matcher([rule(match(detector="functions:is_root"))], TARGET)
    within = event(place=structs.replace(event().place, reached_from=("a.py --root f", "f", "g")))
    assert matcher.concerns(within)
    assert list(matcher.hits(within)) == []


def test_detectors_that_look_at_more_than_what_makes_events_alike_are_known_as_such() -> None:
    named = {each.detector for every in load_rules() for each in every.matches if each.detector is not None}
    looks = re.compile(r"\b(?:reached_from|closure|wrapper|event\.held)\b")
    assert {name for name in named if looks.search(inspect.getsource(find(name, "")))} == ASKED_LAST


def test_no_detector_looks_at_what_is_not_known_yet_when_it_is_asked_whom_an_event_concerns() -> None:
    named = {each.detector for every in load_rules() for each in every.matches if each.detector is not None}
    looked_at = {part for name in named for part in re.findall(r"\bevent\.([\w.]+)", inspect.getsource(find(name, "")))}
    assert {part for part in looked_at if part.partition(".")[0] in ("place", "span", "source")} == {
        "place.body",
        "place.mode.caught",
        "place.mode.inference",
        "place.reached_from",
    }


def test_events_that_are_alike_but_for_their_place_concern_the_same() -> None:
    matcher = Matcher([rule(match(receiver=frozenset({"tensor"})))], TARGET)
    elsewhere = structs.replace(event().place, path="b.py", function="g")
    for place in (event().place, elsewhere):
        assert matcher.concerns(event(place=place, receiver=TENSOR))
        assert not matcher.concerns(event(place=place, receiver=INT))


def test_functions_with_and_without_a_closure_are_told_apart() -> None:
    matcher = Matcher([rule(match(detector="functions:made_in_region"))], TARGET)
    key = ("a.py", 1, 0)
    for closure in (None, {}, None):
        made = event(args=(Function(key, "f", closure=closure),))
        assert matcher.concerns(made)
        assert len(list(matcher.hits(made))) == (closure is not None)


def test_what_a_call_writes_to_is_none_of_any_argument() -> None:
    matcher = Matcher([rule(match(arguments=(("any", frozenset({"tensor"})),)))], TARGET)
    assert codes(matcher, keywords=(("input", TENSOR),)) == ["CL101"]
    assert codes(matcher, keywords=(("out", TENSOR),)) == []


@pytest.mark.parametrize("keyword", ["device", "dtype", "layout", "memory_format"])
def test_where_and_how_a_tensor_is_kept_is_none_of_any_argument(keyword: str) -> None:
    matcher = Matcher([rule(match(arguments=(("any", frozenset({"computed-data"})),)))], TARGET)
    assert codes(matcher, args=(INT,), keywords=((keyword, UNKNOWN),)) == []
    assert codes(matcher, args=(UNKNOWN,), keywords=((keyword, UNKNOWN),)) == ["CL101"]


# Detectors


def test_a_detector_decides_what_a_table_cannot() -> None:
    matcher = Matcher([rule(match(detector="containers:holds_tensor"))], TARGET)
    assert codes(matcher, args=(Sequence("list", TENSOR),)) == ["CL101"]
    assert codes(matcher, args=(Sequence("list", INT),)) == []


@pytest.mark.parametrize("name", ["containers:missing", "missing:function", "containers"])
def test_a_detector_that_does_not_exist(name: str) -> None:
    with pytest.raises(DetectorError, match="CL101: there is no detector"):
        Matcher([rule(match(detector=name))], TARGET)


# Breaks


@pytest.mark.parametrize(
    ("why", "changes", "splits"),
    [
        ("a break", {}, True),
        ("only assumed, but likely", {"confidence": MEDIUM}, True),
        ("hardly likely", {"confidence": LOW}, False),
        ("no rule says so", {"callee": "other"}, False),
        ("not of a tensor", {"receiver": Const(3)}, False),
        ("of something that nobody knows", {"receiver": UNKNOWN}, False),
    ],
)
def test_what_splits_the_graph(why: str, changes: dict[str, object], splits: bool) -> None:
    wanted = match(callee=("torch.Tensor.item",), receiver=frozenset({"tensor"}))
    assert Matcher([rule(wanted)], TARGET).splits(event(**{"receiver": TENSOR, **changes})) is splits


def test_the_graph_is_not_split_where_compilation_ends() -> None:
    matcher = Matcher([rule(match())], TARGET)
    place = event().place
    fullgraph = type(place)(place.path, place.function, place.reached_from, Mode(fullgraph=True))
    in_loop = type(place)(place.path, place.function, place.reached_from, Mode(), ("inside a `for` loop",))
    assert matcher.splits(event())
    assert not matcher.splits(event(place=fullgraph))
    assert not matcher.splits(event(place=in_loop))


def test_a_recompile_splits_nothing() -> None:
    assert not Matcher([rule(match(), effect="recompile")], TARGET).splits(event())


def test_a_reference_is_no_tensor() -> None:
    assert meets(match(receiver=frozenset({"tensor"})), event(receiver=Reference("torch.relu"))) is None


@pytest.mark.parametrize("augmented", [False, True])
@pytest.mark.parametrize(
    ("index", "codes"),
    [
        (Tensor("bool", 1), {"CL120"}),
        (Tensor("bool"), {"CL120"}),
        (Tensor("bool", 0), {"CL117"}),
        (Tensor("bool", 0, parameter=True), {"CL120"}),
        (Tensor("bool", 0, foreseen=True), {"CL117", "CL120"}),
        (Tensor("int", 0), {"CL117"}),
        (Tensor("int", 1), set()),
    ],
)
def test_a_mask_without_dimensions_is_read_back_and_selects_nothing(
    index: Kind, codes: set[str], augmented: bool
) -> None:
    asked = [each for each in load_rules() if each.code in ("CL117", "CL120")]
    construct, type_ = ("augmented", "index-write") if augmented else ("read", "index")
    found = Matcher(asked, TARGET).hits(event(type=type_, construct=construct, receiver=TENSOR, args=(index, INT)))
    assert {hit.rule.code for hit in found} == codes
