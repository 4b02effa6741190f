"""What only the first call fills. The positive forms are the examples of CL520."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
TABLE = {{}}

def exists(value):
    return value is not None

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {initial}
        self.other = None
        self.enabled = True

    def forward(self, x, mask=None):
        {body}
        return x

    {method}
"""


def fills(body: str, initial: str = "None", method: str = "pass") -> list[Confidence]:
    code = NET.format(initial=initial, body=body.replace("\n", "\n        "), method=method)
    found = events(code, "Net.forward", "attribute-write", "global-write")
    return [event.confidence for event in found if event.construct == "fill"]


@pytest.mark.parametrize(
    "body",
    [
        "if self.cache is None:\n    self.cache = x + 1",
        "if self.cache is None or self.cache.shape != x.shape:\n    self.cache = x + 1",
        "if self.enabled and self.cache is None:\n    with torch.no_grad():\n        self.cache = x + 1",
        "if not hasattr(self, 'table'):\n    self.table = x + 1",
        "if not hasattr(self, 'table'):\n    self.register_buffer('table', torch.ones(3), persistent=False)",
        "if self.cache is None:\n    self.register_buffer('cache', torch.ones(3))",
        "if not exists(self.cache):\n    self.cache = x + 1",
        "if not exists(self.cache):\n    self.register_buffer('cache', torch.ones(3))",
        "if exists(self.cache):\n    y = self.cache\nelse:\n    self.cache = x + 1",
        "if self.cache is not None:\n    y = self.cache\nelse:\n    self.cache = (x + 1, x)",
        "if hasattr(self, 'table'):\n    y = self.table\nelse:\n    self.table = x + 1",
        "if 'a' in TABLE:\n    y = TABLE['a']\nelse:\n    TABLE['a'] = x + 1",
        "if getattr(self, 'table', None) is None:\n    self.table = x + 1",
        "if getattr(self, 'table', None) is None or self.table.shape != x.shape:\n    self.table = x + 1",
        "if 'a' not in TABLE:\n    TABLE['a'] = x + 1",
        "if 'a' in TABLE:\n    return TABLE['a']\nTABLE['a'] = x + 1",
        "found = TABLE.get('a')\nif found is None:\n    TABLE['a'] = x + 1",
        "if (found := TABLE.get('a')) is None:\n    TABLE['a'] = x + 1",
        "found = TABLE.get('a')\nif found is not None:\n    return found\nTABLE['a'] = x + 1",
        "found = self.cache\nif found is None:\n    found = x + 1\n    self.cache = found",
        "found = getattr(self, 'table', None)\nif found is None:\n    found = self.table = x + 1",
    ],
)
def test_the_first_call_fills_what_is_missing(body: str) -> None:
    assert fills(body) == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("in every call", "self.cache = x + 1"),
        ("under another condition", "if mask is None:\n    self.cache = x + 1"),
        ("a function says that it is there", "if exists(self.cache):\n    self.cache = x + 1"),
        ("a function is asked of another", "if not exists(self.other):\n    self.cache = x + 1"),
        ("where it is there", "if self.cache is not None:\n    self.cache = self.cache + 1"),
        ("on the other way", "if self.cache is None:\n    pass\nelse:\n    self.cache = x + 1"),
        ("it stays missing in the else", "if self.cache is not None:\n    pass\nelse:\n    self.cache = None"),
        ("an else of more", "if self.cache is not None and mask is None:\n    pass\nelse:\n    self.cache = x + 1"),
        ("an else of another", "if self.other is not None:\n    pass\nelse:\n    self.cache = x + 1"),
        ("a buffer of another name", "if not hasattr(self, 'table'):\n    self.register_buffer('mask', x)"),
        ("a buffer that was there", "if hasattr(self, 'table'):\n    self.register_buffer('table', x)"),
        ("another attribute by name", "if getattr(self, 'other', None) is None:\n    self.table = x + 1"),
        ("another default", "if getattr(self, 'table', x) is None:\n    self.table = x + 1"),
        ("another attribute", "if self.other is None:\n    self.cache = x + 1"),
        ("another attribute was read", "found = self.other\nif found is None:\n    self.cache = x + 1"),
        ("what was read is replaced", "found = self.cache\nfound = mask\nif found is None:\n    self.cache = x + 1"),
        ("it was read, and stays missing", "found = self.cache\nif found is None:\n    self.cache = None"),
        ("it stays missing", "if self.cache is None:\n    self.cache = None"),
        ("asked only where caching is off", "if not self.enabled or self.cache is None:\n    self.cache = x + 1"),
        ("what is returned is another item", "if 'a' in TABLE:\n    return x\nTABLE['b'] = x + 1"),
        ("it goes on where it is there", "if 'a' in TABLE:\n    x = x + 1\nTABLE['a'] = x + 1"),
        ("another item is asked for", "found = TABLE.get('b')\nif found is None:\n    TABLE['a'] = x + 1"),
        ("a local name", "if mask is None:\n    mask = x + 1"),
        ("an item that was there", "if 'a' in TABLE:\n    TABLE['a'] = x + 1"),
        ("of an object of the call", "net = Net()\nif net.cache is None:\n    net.cache = x"),
        ("not while compiling", "if not torch.compiler.is_compiling() and self.cache is None:\n    self.cache = x"),
    ],
)
def test_nothing_is_filled(why: str, body: str) -> None:
    assert fills(body) == [], why


def test_what_is_there_from_the_start_is_not_filled() -> None:
    assert fills("if self.cache is None:\n    self.cache = x", initial="torch.zeros(4)") == []


@pytest.mark.parametrize(
    ("initial", "sure"),
    [
        ("None\n        self.cache, self.size = None, 3", Confidence.HIGH),
        ("None\n        (self.cache, self.size), self.more = (None, 3), 4", Confidence.HIGH),
        ("None\n        self.cache, self.size = pair()", Confidence.LOW),
    ],
)
def test_init_may_give_several_attributes_at_once(initial: str, sure: Confidence) -> None:
    assert fills("if self.cache is None:\n    self.cache = x", initial=initial) == [sure]


def test_what_another_method_may_have_filled_is_of_low_confidence() -> None:
    method = "def setup(self):\n        self.cache = torch.zeros(4)"
    assert fills("if self.cache is None:\n    self.cache = x", method=method) == [Confidence.LOW]


SCALED = """@property
    def scale(self):
        if self.cache is None:
            self.cache = self.weight + 1
        return self.cache"""


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("y = x * self.scale\nself.update(x)", Confidence.LOW),
        ("if mask is not None:\n    self.update(x)\ny = x * self.scale", Confidence.LOW),
        ("y = x * self.scale", Confidence.HIGH),
    ],
)
def test_what_the_same_call_empties_again_is_missing_in_the_next_one_too(body: str, confidence: Confidence) -> None:
    method = f"def update(self, x):\n        self.weight = x\n        self.cache = None\n\n    {SCALED}"
    assert fills(body, method=method) == [confidence]


def test_what_is_emptied_before_a_series_of_calls_is_filled_by_the_first_of_them() -> None:
    method = "def generate(self, x):\n        self.cache = None\n        return [self.forward(x) for _ in range(9)]"
    assert fills("if self.cache is None:\n    self.cache = x", method=method) == [Confidence.HIGH]


MAKE = "def make(self, x):\n        self.cache = x + 1"


@pytest.mark.parametrize(
    "body",
    [
        "if self.cache is None:\n    self.make(x)",
        "if self.cache is None or self.cache.shape != x.shape:\n    self.make(x)",
        "if not hasattr(self, 'cache'):\n    self.make(x)",
    ],
)
def test_a_method_that_fills_what_is_missing_is_called_once(body: str) -> None:
    assert fills(body, method=MAKE) == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("why", "body", "method"),
    [
        ("in every call", "self.make(x)", MAKE),
        ("another attribute", "if self.other is None:\n    self.make(x)", MAKE),
        ("on the other way", "if self.cache is None:\n    pass\nelse:\n    self.make(x)", MAKE),
        ("it fills nothing", "if self.cache is None:\n    self.make(x)", "def make(self, x):\n        return x"),
        ("of an object of the call", "net = Net()\nif net.cache is None:\n    net.make(x)", MAKE),
    ],
)
def test_no_call_fills_anything(why: str, body: str, method: str) -> None:
    assert fills(body, method=method) == [], why


@pytest.mark.parametrize(
    ("more", "confidence"),
    [
        ("def setup(self):\n        self.make(3)", Confidence.LOW),
        ("def setup(self):\n        self.make(3)\n        self.cache = None", Confidence.HIGH),
    ],
)
def test_a_method_that_was_called_before_may_have_filled_it(more: str, confidence: Confidence) -> None:
    assert fills("if self.cache is None:\n    self.make(x)", method=f"{MAKE}\n\n    {more}") == [confidence]


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("if self.cache is None:\n    self.make(x)\nself.cache = self.cache + x", Confidence.HIGH),
        ("if self.cache is None:\n    self.cache = x\n    self.make(x)", Confidence.LOW),
    ],
)
def test_the_state_of_the_next_step_is_not_there_before_the_first(body: str, confidence: Confidence) -> None:
    assert fills(body, method=MAKE)[-1] == confidence


@pytest.mark.parametrize(
    ("start", "confidence"),
    [
        ("self.make(3)", Confidence.LOW),
        ("self.make(3)\n        self.cache = None", Confidence.HIGH),
        ("self.other = 3", Confidence.HIGH),
    ],
)
def test_what_init_fills_by_the_same_method_is_there_in_the_first_call(start: str, confidence: Confidence) -> None:
    code = f"""
class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", None)
        {start}

    def make(self, n):
        if self.cache is None or self.cache.shape[0] < n:
            self.register_buffer("cache", torch.ones(n))

class Net(Base):
    def forward(self, x):
        self.make(x.shape[0])
        return x * self.cache
"""
    found = [event for event in events(code, "Net.forward", "attribute-write") if event.construct == "fill"]
    assert [event.confidence for event in found] == [confidence]


@pytest.mark.parametrize(
    "body",
    [
        "self.cache = mask\nif self.cache is None:\n    self.cache = x",
        "self.cache, self.other = mask\nif self.cache is None:\n    self.cache = x",
        "self.cache = mask\nif self.cache is not None:\n    x = x + 1\nelse:\n    self.cache = x",
        "self.cache = mask\nwith torch.no_grad():\n    if self.enabled and self.cache is None:\n        self.cache = x",
        "if mask:\n    self.cache = mask\n    if self.cache is None:\n        self.cache = x",
        "self.enabled = mask\nif self.enabled:\n    self.enabled = False",
        "self.cache = mask\nif self.cache is None:\n    self.make(x)",
        "self.cache = mask\nself.cache = self.cache or x",
    ],
)
def test_what_the_call_itself_has_given_before_is_not_filled(body: str) -> None:
    assert fills(body, method=MAKE if "make" in body else "pass") == []


@pytest.mark.parametrize(
    "body",
    [
        "if mask:\n    self.cache = mask\nif self.cache is None:\n    self.cache = x",
        "self.other = mask\nif self.cache is None:\n    self.cache = x",
        "self.cache = getattr(self, 'cache', None)\nif self.cache is None:\n    self.cache = x",
        "if self.cache is None:\n    self.cache = x\nself.cache = mask",
    ],
)
def test_what_only_some_calls_have_given_before_is_filled(body: str) -> None:
    assert Confidence.HIGH in fills(body)


def notes(body: str) -> list[str]:
    """Where it is noted for which size something was made."""
    code = NET.format(initial="0", body=body.replace("\n", "\n        "), method="pass")
    found = events(code, "Net.forward", "attribute-write")
    return [event.source for event in found if event.construct == "fill-for-another-size"]


@pytest.mark.parametrize(
    "test",
    [
        "x.shape[0] != self.cache",
        "x.shape[0] > self.cache",
        "self.cache < x.shape[0]",
        "self.other is None or self.cache <= x.shape[0]",
    ],
)
def test_a_size_is_noted_for_which_something_was_made(test: str) -> None:
    assert notes(f"if {test}:\n    self.cache = x.shape[0]\n    self.other = x") == ["self.cache = x.shape[0]"]


@pytest.mark.parametrize("test", ["self.cache != x.shape", "self.cache is None or x.shape != self.cache"])
def test_all_sizes_are_noted_for_which_something_was_made(test: str) -> None:
    assert notes(f"if {test}:\n    self.other = x\n    self.cache = x.shape") == ["self.cache = x.shape"]


@pytest.mark.parametrize("test", ["size != self.cache", "self.cache is None or self.cache != size"])
def test_sizes_are_noted_that_stand_in_a_tuple(test: str) -> None:
    body = f"size = (x.shape[0], x.shape[-1])\nif {test}:\n    self.other = x\n    self.cache = size"
    assert notes(body) == ["self.cache = size"]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("a tuple of no sizes", "key = (x.device, 2)\nif key != self.cache:\n    self.cache = key"),
        ("in every call", "self.cache = x.shape[0]"),
        ("another value is compared", "if x.shape[1] != self.cache:\n    self.cache = x.shape[0]"),
        ("another attribute is compared", "if x.shape[0] != self.other:\n    self.cache = x.shape[0]"),
        ("it is the same", "if x.shape[0] == self.cache:\n    self.cache = x.shape[0]"),
        ("no number", "if x.device != self.cache:\n    self.cache = x.device"),
        ("not known", "if mask != self.cache:\n    self.cache = mask"),
        ("only with something else", "if self.enabled and x.shape[0] != self.cache:\n    self.cache = x.shape[0]"),
        ("of an object of the call", "net = Net()\nif x.shape[0] != net.cache:\n    net.cache = x.shape[0]"),
    ],
)
def test_no_size_is_noted(why: str, body: str) -> None:
    assert notes(body) == [], why


KEEPS = "self.cache = n\n        self.other = torch.arange(n)"


def notes_by_call(body: str, method: str = KEEPS, initial: str = "0", before: str = "pass") -> list[str]:
    """Where a method is called that notes for which size it makes something."""
    code = NET.format(initial=initial, body=body.replace("\n", "\n        "), method="pass")
    code += f"\n    def keep(self, n, device=None):\n        {method}\n\n    def reset(self):\n        {before}\n"
    found = events(code, "Net.forward", "attribute-write")
    return [event.source for event in found if event.construct == "fill-for-another-size"]


@pytest.mark.parametrize("initial", ["0", "None", "-1"])
@pytest.mark.parametrize(
    "body",
    [
        "n = x.shape[0]\nif n > self.cache:\n    self.keep(n, device=x.device)",
        "if self.cache is None or self.cache < x.shape[0]:\n    self.keep(n=x.shape[0])",
        "if x.shape != self.cache:\n    self.keep(x.shape)",
    ],
)
def test_a_method_notes_for_which_size_it_makes_something(body: str, initial: str) -> None:
    (source,) = notes_by_call(body, initial=initial)
    assert source.startswith("self.keep(")


@pytest.mark.parametrize(
    ("why", "options"),
    [
        ("made for the longest before", {"initial": "2048"}),
        ("made for what the model takes before", {"before": "self.keep(4)"}),
        ("another number is kept", {"method": "self.cache = n * 2"}),
        ("nothing is kept", {"method": "self.other = n"}),
        ("another number is passed", {"body": "if x.shape[0] > self.cache:\n    self.keep(x.shape[1])"}),
        ("no size", {"body": "if x.device != self.cache:\n    self.keep(x.device)"}),
        ("it is the same", {"body": "if x.shape[0] == self.cache:\n    self.keep(x.shape[0])"}),
        ("only with something else", {"body": "if mask and x.shape[0] > self.cache:\n    self.keep(x.shape[0])"}),
    ],
)
def test_a_method_notes_no_size(why: str, options: dict[str, str]) -> None:
    assert notes_by_call(**{"body": "if x.shape[0] > self.cache:\n    self.keep(x.shape[0])", **options}) == [], why


def keyed(before: str, key: str) -> list[str]:
    """What a table is called that is filled where it has no such key."""
    body = f"{before}\nif {key} not in self.cache:\n    self.cache[{key}] = x + 1"
    code = NET.format(initial="{}", body=body.replace("\n", "\n        "), method="pass")
    return [event.construct for event in events(code, "Net.forward", "attribute-write")]


@pytest.mark.parametrize(
    ("before", "key"),
    [
        ("n = x.shape[0]", "n"),
        ("b, n = x.shape", "n"),
        ("n = x.size(1)", "(n, x.device)"),
        ("key = (x.size(0), x.dtype)", "key"),
        ("key = f'{x.shape[0]}x{x.shape[1]}'", "key"),
        ("h = x.shape[0]\nkey = '{}-{}'.format(h, 2)", "key"),
        ("key = str(x.shape)", "key"),
        ("pass", "x.shape"),
    ],
)
def test_a_table_is_keyed_by_sizes(before: str, key: str) -> None:
    assert keyed(before, key) == ["fill-by-size"]


@pytest.mark.parametrize(
    ("why", "before", "key"),
    [
        ("a constant", "pass", "'a'"),
        ("no size", "key = (x.device, x.dtype)", "key"),
        ("of a tensor that is as large in every call", "n = self.weight.shape[0]", "n"),
        ("nobody knows of what", "pass", "mask"),
        ("one of two things", "n = x.shape[0]\nif mask:\n    n = 1", "n"),
    ],
)
def test_a_table_is_keyed_by_something_else(why: str, before: str, key: str) -> None:
    assert keyed(before, key) == ["fill"], why


HELPERS = """
def default(value, other):
    return value if value is not None else other

def either(value, other):
    if value is not None:
        return value
    return other() if callable(other) else other

def updated(value, other):
    return other if value is None else value + other
"""


def fills_by_itself(statement: str, initial: str = "None") -> list[Confidence]:
    code = HELPERS + NET.format(initial=initial, body=statement, method="pass")
    found = events(code, "Net.forward", "attribute-write")
    return [event.confidence for event in found if event.construct == "fill"]


@pytest.mark.parametrize(
    "value",
    [
        "self.cache or x.shape[1]",
        "x.shape[1] if self.cache is None else self.cache",
        "self.cache if self.cache is not None else x.shape[1]",
        "default(self.cache, x.shape[1])",
        "either(self.cache, x.shape[1])",
    ],
)
def test_a_statement_keeps_what_is_there_and_else_fills_it(value: str) -> None:
    assert fills_by_itself(f"self.cache = {value}") == [Confidence.HIGH]
    assert fills_by_itself(f"self.cache = {value}", initial="3") == [Confidence.LOW]


@pytest.mark.parametrize(
    ("why", "value"),
    [
        ("it is another attribute", "self.other or x.shape[1]"),
        ("it is another attribute", "default(self.other, x.shape[1])"),
        ("it is replaced where it is there", "x.shape[1] if self.cache is not None else self.cache"),
        ("it is not kept", "updated(self.cache, x.shape[1])"),
        ("it is the alternative", "default(x.shape[1], self.cache)"),
        ("the function is not known", "mask(self.cache, x.shape[1])"),
    ],
)
def test_a_statement_keeps_nothing(why: str, value: str) -> None:
    assert fills_by_itself(f"self.cache = {value}") == [], why


OF_CLASS = """
class Base(nn.Module):
    {default}

class Net(Base):
    def forward(self, x):
        {body}
        return x

    {method}
"""


def fills_default(default: str, body: str, method: str = "pass") -> list[Confidence]:
    code = OF_CLASS.format(default=default, body=body.replace("\n", "\n        "), method=method)
    found = events(code, "Net.forward", "attribute-write")
    return [event.confidence for event in found if event.construct == "fill"]


@pytest.mark.parametrize(
    ("default", "body"),
    [
        ("cache = None", "if self.cache is None:\n    self.cache = torch.zeros(3)"),
        ("cache: Tensor | None = None", "if self.cache is None:\n    self.cache = x + 1"),
        ("ready = False", "if not self.ready:\n    self.ready = True"),
    ],
)
def test_the_first_call_fills_what_the_class_has_as_missing(default: str, body: str) -> None:
    assert fills_default(default, body) == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("default", "body", "method", "found"),
    [
        ("ready = True", "if not self.ready:\n    self.ready = True", "pass", [Confidence.LOW]),
        ("other = False", "if not self.ready:\n    self.ready = True", "pass", [Confidence.LOW]),
        ("cache = None", "self.cache = torch.zeros(3)", "pass", []),
        (
            "cache = None",
            "if self.cache is None:\n    self.cache = torch.zeros(3)",
            "def __init__(self):\n        super().__init__()\n        self.cache = torch.ones(3)",
            [],
        ),
    ],
)
def test_what_the_class_has_is_not_always_missing(
    default: str, body: str, method: str, found: list[Confidence]
) -> None:
    assert fills_default(default, body, method) == found


TABLES = """
class Tables:
    kept = {{}}
    made = None
    preset = 3

    @classmethod
    def of(cls, x, n):
        {of_class}

def forward(x: Tensor, n: int):
    {body}
    Tables.of(x, n)
    return x
"""


def kept_by_class(of_class: str = "pass", body: str = "pass") -> list[tuple[str, str]]:
    code = TABLES.format(of_class=of_class.replace("\n", "\n        "), body=body.replace("\n", "\n    "))
    return [(event.callee, event.construct) for event in events(code, "forward", "global-write")]


@pytest.mark.parametrize(
    ("of_class", "body", "found"),
    [
        ("if n not in cls.kept:\n    cls.kept[n] = x + 1", "pass", ("Tables.kept", "fill")),
        ("if x.shape[1] not in cls.kept:\n    cls.kept[x.shape[1]] = x + 1", "pass", ("Tables.kept", "fill-by-size")),
        ("if cls.made is None:\n    cls.made = x + 1", "pass", ("Tables.made", "fill")),
        ("pass", "if n not in Tables.kept:\n    Tables.kept[n] = x + 1", ("Tables.kept", "fill")),
        ("pass", "if Tables.made is None:\n    Tables.made = x + 1", ("Tables.made", "fill")),
    ],
)
def test_a_class_keeps_what_the_first_call_fills(of_class: str, body: str, found: tuple[str, str]) -> None:
    assert kept_by_class(of_class, body) == [found]


@pytest.mark.parametrize(
    ("why", "of_class"),
    [
        ("written in each call", "cls.kept[n] = x + 1"),
        ("it is there", "if cls.preset is None:\n    cls.preset = x + 1"),
        ("of an object that is made here", "own = cls()\nif own.made is None:\n    own.made = x + 1"),
    ],
)
def test_a_class_keeps_nothing_that_the_first_call_lacks(why: str, of_class: str) -> None:
    assert kept_by_class(of_class) == []


NEURON = """
class Neuron(nn.Module):
    def __init__(self):
        super().__init__()
        self.potential = None

    def reset(self):
        self.potential = None

    def forward(self, x):
        if self.potential is None:
            self.potential = torch.zeros_like(x)
        self.potential = self.potential + x
        return x

class Brain(nn.Module):
    def __init__(self):
        super().__init__()
        self.neuron = Neuron()

    def {method}(self, x):
        {before}
        return self.neuron(x)
"""


@pytest.mark.parametrize(
    ("method", "before", "sure"),
    [
        ("forward", "self.neuron.reset()", Confidence.LOW),
        ("forward", "for each in self.children():\n            each.reset()", Confidence.LOW),
        ("forward", "self.reset()", Confidence.HIGH),  # its own, not the neuron's
        ("forward", "pass", Confidence.HIGH),
        ("new_text", "self.neuron.reset()", Confidence.HIGH),  # once for many calls
        ("__call__", "self.neuron.reset()", Confidence.HIGH),  # which may be a pipeline's, with many steps
    ],
)
def test_what_a_holder_empties_in_each_call_is_missing_in_each(method: str, before: str, sure: Confidence) -> None:
    code = NEURON.format(method=method, before=before)
    found = events(code, "Neuron.forward", "attribute-write")
    assert [event.confidence for event in found if event.construct == "fill"] == [sure]
