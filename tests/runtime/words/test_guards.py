"""Texts of guards are those that torch 2.13 writes; those of 2.5 have L['x'] where 2.13 has x."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.words.guard_words import advice, in_words
from compilelint.runtime.words.guards import blamed, parse


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "0/0: tensor 'x' size mismatch at index 0. expected 32, actual 17",
            "argument `x` dimension 0 was 32, now 17",
        ),
        (
            "0/0: tensor 'L['x']' size mismatch at index 0. expected 32, actual 17",
            "argument `x` dimension 0 was 32, now 17",
        ),
        (
            "tensor 'self._modules['a']._parameters['w']' size mismatch at index 1. expected 3, actual 4",
            "`self.a.w` dimension 1 was 3, now 4",
        ),
        (
            "list.__getitem__(self, 0).max_length == 12",
            "`self[0].max_length` is a Python int that changes: was 12",
        ),
        (
            "tensor 'x' rank mismatch. expected 2, actual 1",
            "the number of dimensions of argument `x` was 2, now 1",
        ),
        (
            "tensor 'x' stride mismatch at index 0. expected 3, actual 1",
            "argument `x` has another memory layout: stride 0 was 3, now 1",
        ),
        (
            "tensor 'x' dtype mismatch. expected Float, actual Double",
            "the dtype of argument `x` was Float, now Double",
        ),
        (
            "tensor 'x' requires_grad mismatch. expected requires_grad=0",
            "argument `x` requires a gradient now, and did not before",
        ),
        (
            "tensor 'x' dispatch key set mismatch. expected "
            "DispatchKeySet(CPU, BackendSelect, ADInplaceOrView, AutogradCPU), actual "
            "DispatchKeySet(CPU, BackendSelect, ADInplaceOrView)",
            "argument `x` is an inference tensor now",
        ),
        (
            "tensor 'x' dispatch key set mismatch. expected "
            "DispatchKeySet(CPU, BackendSelect, ADInplaceOrView, AutogradCPU), actual "
            "DispatchKeySet(CUDA, BackendSelect, ADInplaceOrView, AutogradCUDA)",
            "argument `x` is on another device now: CPU before, now CUDA",
        ),
        (
            "0/0: tensor 'p' size mismatch at index 0. expected 2, actual 4. Guard failed on a parameter, consider "
            "using torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters.",
            "argument `p` dimension 0 was 2, now 4",
        ),
        (
            "tensor 'p' rank mismatch. expected 2, actual 1. Guard failed on a parameter, consider "
            "using torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters.",
            "the number of dimensions of argument `p` was 2, now 1",
        ),
        (
            "0/0: BACKEND_MATCH failure: torch.compile detected different backends. Cached backend: a (id=0x7f). "
            "New backend: b (id=0x8f). If this is unexpected, wrap your backend in functools.partial.",
            "the same code was compiled with another backend or other options",
        ),
        ("0/0: KeyError on L['d']['k']", "`d['k']` was there before, and is missing now"),
        ("0/0: getattr failed on source L['o'].a", "`o.a` was there before, and is missing now"),
        (
            "0/0: Unexpected recompilation: runtime guards failed even though they passed",
            "its checks failed, but all passed when Dynamo looked again, as when threads call it at the same time",
        ),
        (
            "GLOBAL_STATE changed: grad_mode ",
            "gradient mode changed (`no_grad`, `inference_mode`, `enable_grad`)",
        ),
        ("GLOBAL_STATE changed: autocast(cpu)_enabled ", "autocast changed (autocast(cpu)_enabled)"),
        (
            "GLOBAL_STATE changed: grad_mode autocast(cpu)_enabled ",
            "gradient mode changed (`no_grad`, `inference_mode`, `enable_grad`); "
            "autocast changed (autocast(cpu)_enabled)",
        ),
        (
            "len(model._modules['layers']._modules) != 3",
            "the number of modules in `model.layers` was 3, and is no longer",
        ),
        ("not hasattr(self, '_table')", "`self._table` was missing before, and is there now"),
        ("hasattr(L['self']._modules['head'], 'table')", "`self.head.table` was there before, and is missing now"),
        (
            "m is None                                                # if m is None:  # app/a.py:21 in f",
            "optional argument `m` was None before, and is not now",
        ),
        (
            "expected type of 'm' to be a tensor type, ' but found <class 'NoneType'>",
            "argument `m` was a tensor before, and is None now",
        ),
        (
            "self.step == 0      # self.step += 1  # a.py:34 in forward (HINT: torch.compile considers "
            "integer attributes of the nn.Module to be static.)",
            "`self.step` is a Python int that changes: was 0",
        ),
        ("G['scale'] == 1.5", "global `scale` is a Python float that changes: was 1.5"),
        ("flag == True", "argument `flag` is a Python bool that changes: was True"),
        ("training == True", "argument `training` is a Python bool that changes: was True"),
        (
            "self._modules['drop'].training == True",
            "`self.drop.training` was True: train() or eval() was called in between, or it is another module",
        ),
        ("len(items) == 1", "the length of argument `items` was 1, and is no longer"),
        ("len(items) != 1", "the length of argument `items` was 1, and is no longer"),
        ("___tuple_iterator_len(.0) == 2", "the length of what a comprehension goes through was 2, and is no longer"),
        ("list(dict.keys(n))[0] == 'a'", "the keys of argument `n` changed (there was 'a')"),
        ("set.__contains__(s, 'a')", "argument `s` had 'a' in it before, and has not now"),
        ("not set.__contains__(s, 'a')", "argument `s` has 'a' in it now, and had not before"),
        ("___dict_contains('cpu', self.cache)", "`self.cache` had 'cpu' in it before, and has not now"),
        ("not ___dict_contains('cpu', self.cache)", "`self.cache` has 'cpu' in it now, and had not before"),
        (
            "not ___dict_contains('shape', self._modules['head'].__dict__)",
            "attribute `self.head.shape` is the object's own now, and was that of its class before",
        ),
        (
            "___check_obj_id(f.__code__, 139786531872528), type=<class 'code'>",
            "argument `f` is another function now",
        ),
        (
            "___check_obj_id(s, 140265942691216), type=<class '__main__.Mode'>",
            "argument `s` is another object of the same kind now (Mode)",
        ),
        (
            "___check_type_id(c, 94576560156928), type=<class '__main__.C'>  # x (HINT: type C)",
            "argument `c` is of another class now (it was __main__.C)",
        ),
        ('Duplicate tensors found: ["x", "y"]', "`x`, `y` are the same tensor now, and were not before"),
        ("x is y", "`x` and `y` were the same tensor before, and are not now"),
        (
            "(x.size()[0] % 2) == 0  # a comment",
            "a condition on argument `x` dimension 0 no longer holds: `(x.size()[0] % 2) == 0`",
        ),
        ("x.size()[1] == 8", "argument `x` dimension 1 was 8, and is no longer"),
        (
            "x.size()[1] == 2*y.size()[0]",
            "a condition on sizes no longer holds: `x.size()[1] == 2*y.size()[0]`",
        ),
        (
            "self.counter <= 11  # if self.counter < len(self.steps):  # app/a.py:2 in step",
            "a condition on `self.counter` no longer holds: `self.counter <= 11`",
        ),
        (
            "(((-2) + G['n']) % 4) == 0",
            "a condition on global `n` no longer holds: `(((-2) + G['n']) % 4) == 0`",
        ),
        (
            "x.stride()[0] == x.size()[2]*x.size()[1]",
            "a condition on sizes no longer holds: `x.stride()[0] == x.size()[2]*x.size()[1]`",
        ),
        (
            "len(G['__import_einops_dot__backends']._types) != 1",
            "the length of `einops._backends._types` was 1, and is no longer",
        ),
        (
            "len(G['__import___main__'].CACHE) == 1",
            "the length of `__main__.CACHE` was 1, and is no longer",
        ),
        ("n + m != 3", "a condition on numbers no longer holds: `n + m != 3`"),
        (
            "t.item() == 75  # a = self.alphas[t]  # app/a.py:3 in step",
            "the value of tensor `t` is compiled in as a Python number, which was 75, and is no longer",
        ),
        (
            "tensor '___stack0[1]' size mismatch at index 1. expected 41, actual 43",
            "dimension 1 of a value that is handed on where the graph breaks was 41, now 43",
        ),
        (
            "2 <= x.size()[0]  # def f(x): return x*2",
            "argument `x` dimension 0 is now 0 or 1, for which Dynamo always compiles apart",
        ),
        (
            'h.__closure__[0].cell_contents == 2   # x (HINT: guard on "k")',
            "a variable that `h` closes over is a Python int that changes: was 2",
        ),
        (
            "fn.__defaults__[0] == 2  # return fn(x)",
            "the default of an argument of `fn` is a Python int that changes: was 2",
        ),
        (
            "fn.__kwdefaults__['k'] == 2",
            "the default of an argument of `fn` is a Python int that changes: was 2",
        ),
        (
            "not self.l._forward_hooks[list(dict.keys(self.l._forward_hooks))[0]].__closure__[0].cell_contents",
            "a variable that a forward hook of `self.l` closes over was empty before, and is not now",
        ),
        (
            "Cache line invalidated because L['self'] got deallocated",
            "argument `self` was freed, and its compiled code with it",
        ),
        (
            "expected type of 'x' to be a tensor type, ' but found <class 'torch.nn.parameter.Parameter'>",
            "argument `x` is a `torch.nn.Parameter` now, and was another kind of tensor before",
        ),
        (
            "expected type of 'x' to be a tensor type, ' but found <class 'torch.Tensor'>",
            "argument `x` is a plain `torch.Tensor` now, and was of another class before, such as `nn.Parameter`",
        ),
        (
            "expected type of 'x' to be a tensor type, ' but found <class 'NoneType'>",
            "argument `x` was a tensor before, and is None now",
        ),
        ("something_new(x) @ 3", "what the compiled code relied on no longer holds: `something_new(x) @ 3`"),
    ],
)
def test_a_guard_is_told_in_plain_words(text: str, words: str) -> None:
    assert in_words([parse(text)]) == words


def test_what_differs_between_runs_is_no_part_of_the_condition() -> None:
    one = parse("0/0: ___check_obj_id(n, 140266552180416), type=<class 'function'>")
    two = parse("0/3: ___check_obj_id(n, 150266552180417), type=<class 'function'>")
    assert one.condition == two.condition
    assert (one.entry, two.entry) == ("0/0", "0/3")


def test_the_newest_code_is_to_blame() -> None:
    blame = blamed(["0/1: self.training == True", "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6"])
    assert blame is not None
    assert (blame.failure.subject, blame.failure.entry, blame.position) == ("self.training", "0/1", 0)
    assert [each.subject for each in blame.others] == ["x"]


def test_a_mode_is_to_blame_if_nothing_else_is() -> None:
    mode, size = (
        "0/1: GLOBAL_STATE changed: grad_mode ",
        "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6",
    )
    blame = blamed([mode, size])
    assert blame is not None
    assert (blame.failure.subject, blame.position) == ("x", 1)
    blame = blamed([mode, mode])
    assert blame is not None
    assert (blame.failure.cause, blame.position) == ("state", 0)


def test_a_size_of_one_is_read_from_what_older_code_says() -> None:
    blame = blamed(["0/1: 2 <= x.size()[0]  # f", "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 1"])
    assert blame is not None
    assert in_words([blame.failure]).startswith("argument `x` dimension 0 is now 1,")


def test_nothing_is_to_blame_where_nothing_is_said() -> None:
    assert blamed([]) is None
    assert blamed(["  "]) is None


def test_the_user_stack_says_where_a_value_is_used() -> None:
    failure = parse('0/0: m is None\nUser stack trace:\n  File "/app/a.py", line 21, in f\n    if m is None:')
    assert failure.stack == (StackFrame("/app/a.py", 21, "f"),)
    assert failure.condition == "m is None"


def test_values_of_many_recompiles_are_listed_in_order_and_cut() -> None:
    failures = [parse(f"self.step == {value}") for value in range(9)]
    assert in_words(failures) == "`self.step` is a Python int that keeps changing: 0, 1, 2, 3, … 8"
    sizes = [parse(f"tensor 'x' size mismatch at index 0. expected {n}, actual {n + 1}") for n in (4, 5)]
    assert in_words(sizes) == "argument `x` dimension 0 keeps changing: 4, 5, 6"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("tensor 'x' size mismatch at index 1. expected 3, actual 4", "`torch._dynamo.maybe_mark_dynamic(x, 1)`"),
        ("tensor 'x' size mismatch at index 0. expected 4, actual 3", "drop_last=True"),
        ("___check_torch_function_mode_stack()", "enter the mode once"),
        ("___skip_backend_check() or ___current_backend() == ___lookup_backend(94)", "Compile it once"),
        ("GLOBAL_STATE changed: grad_mode", "in the same mode each time"),
        ("fn.__defaults__[0] == 2", "(`k=torch.tensor(k)`)"),
        ("fn.__kwdefaults__['k'] == 2", "(`k=torch.tensor(k)`)"),
        ("fn.__defaults__[0] == 2.5", "Once is normal"),
        ("fn.__closure__[0].cell_contents == 2", "Once is normal"),
        ("G['K'] == 2", "Set it once"),
        ("tensor 'styles[0]' size mismatch at index 1. expected 4, actual 3", "mark_dynamic(styles[0], 1)"),
        ("tensor 'args[0]' size mismatch at index 1. expected 4, actual 3", "mark_dynamic(tensor, 1)"),
        ("tensor 'x' size mismatch at index 0. expected 3, actual 4", "else pad to one size"),
        ("tensor 'x' size mismatch at index 1. expected 3, actual 4", "pad to one size"),
        ("tensor '___from_numpy(x)' size mismatch at index 1. expected 3, actual 4", "`torch.from_numpy(array)`"),
        ("tensor '___from_numpy(x)' stride mismatch at index 1. expected 3, actual 4", "`np.ascontiguousarray("),
        ("tensor 'self.kept' stride mismatch at index 0. expected 8, actual 40", "on it where it is set"),
        ("___tuple_iterator_len(.0) == 2", "is compiled by itself: mend that break first"),
        ("tensor 'cache.keys' size mismatch at index 1. expected 3, actual 4", "What grows"),
        ("2 <= x.size()[1]", "apart: pad."),
        (
            "tensor 'cache[list(dict.keys(cache))[0]]' size mismatch at index 1. expected 3, actual 4",
            "If the size really",
        ),
        ("tensor 'self.grid[0]' rank mismatch. expected 1, actual 5", "in `__init__` as it will be"),
        ("tensor 'self.grid[0]' dtype mismatch. expected Float, actual Long", "in `__init__` as it will be"),
        ("tensor 'x' rank mismatch. expected 1, actual 5", "reshape before"),
        ("len(args) == 3", "number of arguments"),
        ("not kwargs", "number of arguments"),
        ("len(xs) == 3", "stack them"),
        ("len(model.layers._modules) != 3", "fine for a few models"),
        ("___check_type_id(self.conv, 94), type=<class 'torch.nn.Conv1d'>", "a few kinds"),
        ("___check_type_id(x, 94), type=<class 'int'>", "pass tensors only"),
        ("len(G['__import_lib']._seen) != 1", "What the first calls fill"),
        ("len(G['__import___main__'].CACHE) == 1", "What the first calls fill"),
        ("not self.state[list(self.state.keys())[0]]", "What the first calls fill"),
        ("self.param_groups[0]['params'][3].grad is not None", "set of parameters"),
        ("self.param_groups[0]['lr'] == 0.1", "lr=torch.tensor"),
        ("self.param_groups[0]['weight_sum'] == 0.1", "Step it without torch.compile"),
        (
            "tensor 'h' stride mismatch at index 0. expected 384, actual 48",
            "clone(memory_format=torch.contiguous_format)",
        ),
        ("self.step == 0", "buffer"),
        ("n == 2.5", "`torch.tensor(value)`"),
        ("tensor '___stack0' size mismatch at index 0. expected 8, actual 5", "mend that break"),
        (
            "tensor 'kwargs['ids']' size mismatch at index 1. expected 3, actual 4",
            "`torch._dynamo.maybe_mark_dynamic(ids, 1)`",
        ),
        (
            "tensor 'batch['ids']' size mismatch at index 1. expected 3, actual 4",
            "`torch._dynamo.maybe_mark_dynamic(batch['ids'], 1)`",
        ),
        (
            "tensor 'args[0]' size mismatch at index 1. expected 3, actual 4",
            "`torch._dynamo.maybe_mark_dynamic(tensor, 1)`",
        ),
        ("t.item() == 75", "`table[t[None]][0]`"),
        ("n == 12", "Once is normal"),
        ("self.layer == 1", "from module to module"),
        ("self.drop_prob == 0.1", "compile what holds them all"),
        ("args[2] is None", "always pass a tensor"),
        ("kwargs['step'] == 12", "Once is normal"),
        ("G['n'] == 12", "Set it once"),
        ("args[0].param_groups[0]['step'] == 1", "The optimizer counts"),
        ("args[0].state[list(dict.keys(args[0].state))[0]]['step'] == 1", "The optimizer counts"),
        ("args[0].param_groups[0]['d'] == 1e-06", "or who schedules it"),
        ("x.size()[0] <= 100", "one graph per answer"),
        ("b.storage_offset() == a._base.size()[0]", "pass a copy"),
        ("x.storage_offset() == x.size()[0]", "pass a copy"),
        ("x._base.size()[0] <= 100", "pass a copy"),
    ],
)
def test_advice_fits_what_changed(text: str, part: str) -> None:
    assert part in advice([parse(text)])


def test_the_line_that_asks_for_a_number_is_named() -> None:
    second = parse(
        "n == 7  # for _ in range(n):  # rk/model.py:34 in forward (_dynamo/variables/tensor.py:2606 in evaluate_expr)"
    )
    first = parse("n == 6                              # for _ in range(n):  # rk/model.py:34 in forward")
    assert "`for _ in range(n):` (model.py:34) asks for the value itself" in advice([first, second])
    assert "Once is normal" in advice([first])


def test_in_the_place_of_a_number_that_was_missing_no_tensor_is_to_be_passed() -> None:
    assert advice([replace(parse("j is None"), new="0")]).endswith("always pass one.")


def test_a_tuple_of_a_module_is_said_to_be_a_graph_of_its_own() -> None:
    of_module = parse("self.shift_size == (0, 0, 0)")
    assert "from module to module" in advice([replace(of_module, old="(0, 0, 0)", new="(1, 2, 2)")])
    assert "from module to module" not in advice([replace(of_module, old="(0, 0, 0)", new="1")])


def test_what_a_part_after_a_break_gets_is_no_argument() -> None:
    failure = replace(parse("tensor 'x' size mismatch at index 0. expected 3, actual 4"), resumed=True)
    assert in_words([failure]) == "variable `x` dimension 0 was 3, now 4"
    assert "mend that break" in advice([failure])


def test_a_number_in_whose_place_a_tensor_comes_is_no_number_that_changes() -> None:
    now = "a torch.float32 tensor of shape [8, 2]"
    failure = replace(parse("self.state == 0"), new=now)
    assert in_words([failure]) == f"`self.state` was 0 before, and is {now} now"
    assert "in `__init__` as it will be" in advice([failure])
    assert "the same kind" in advice([replace(parse("n == 0"), new=now)])


def test_an_array_of_a_part_after_a_break_goes_by_that_break() -> None:
    failure = replace(parse("tensor '___from_numpy(x)' size mismatch at index 0. expected 3, actual 4"), resumed=True)
    assert advice([failure]).endswith("mend that break first.")


def test_a_variable_of_the_function_around_is_no_argument() -> None:
    failure = replace(parse("k == 1"), new="2", closed_over=True)
    assert in_words([failure]).startswith("closure variable `k` is a Python int")


def test_what_checking_a_guard_raised_is_told_in_words() -> None:
    failure = parse("'NoneType' object has no attribute 'size'")
    assert in_words([failure]) == (
        "a tensor that was a view of a larger one, as slices are, is a tensor of its own now, or missing: something is "
        "None now of which `.size` was read before"
    )
    assert "`.clone()` what may be a slice" in advice([failure])
    failure = parse("'NoneType' object has no attribute 'scale'")
    assert in_words([failure]) == "something is None now of which `.scale` was read before"
    assert "always pass it" in advice([failure])


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("(1.0 + ((-1)*self.path.p)) == 0.9818", "compile what holds them all"),
        ("(1.0 + ((-1)*rate)) == 0.9818", "decide outside the compiled code"),
        ("((1 + self.counter) % 4) == 0", "decide outside the compiled code"),
        ("ctrl.button == {1, 2}", "Each set is a graph of its own"),
        ("names == frozenset({'a'})", "Each set is a graph of its own"),
        ("set.__contains__(names, 'a')", "Each set is a graph of its own"),
        ("not set.__contains__(names, 'a')", "Each set is a graph of its own"),
        ("not set.__contains__(self.seen, 'a')", "fill it before"),
        ("dict.__contains__(names, 'a')", "Use the same keys"),
    ],
)
def test_what_an_operator_holds_of_a_float_differs_from_layer_to_layer(condition: str, words: str) -> None:
    assert words in advice([parse(condition)])


def test_a_condition_is_about_its_variable() -> None:
    found = parse("((1 + self.counter) % 4) != 0")
    assert (found.cause, found.subject) == ("number-condition", "self.counter")
    size = parse("3 <= kwargs['x'].size()[1]")
    assert (size.cause, size.subject, size.index) == ("size-condition", "kwargs['x']", "1")
    assert parse("x.stride()[0] == 3*x.size()[2]").subject == "x"
    assert parse("x.stride()[1] <= 3").cause == "sizes"
    assert parse("n == 3").cause == parse("kwargs['n'] == 3").cause == "value"


def test_names_are_those_of_the_source() -> None:
    state = in_words([parse("not self.state[list(self.state.keys())[0]]")])
    assert state == "`self.state[…]` was empty before, and is not now"
    place = parse("tensor 'cache[list(dict.keys(cache))[0]]' dtype mismatch. expected Float, actual Long")
    assert in_words([place]) == "the dtype of `cache[…]` was Float, now Long"
    inner = "self.net.__dict__['_modules']['0'].__dict__['_parameters']['weight']"
    assert parse(f"tensor '{inner}' rank mismatch. expected 1, actual 5").subject == "self.net[0].weight"
    assert parse("self.__dict__['step'] == 1").subject == "self.step"
    same = in_words([parse('Duplicate tensors found: ["x", "self.scale"]')])
    assert same == "`x`, `self.scale` are the same tensor now, and were not before"


def test_a_number_of_the_part_after_a_break_is_not_passed() -> None:
    assert "mend that break first" in advice([replace(parse("n == 12"), resumed=True)])


def test_sizes_of_one_are_always_apart() -> None:
    one = parse("tensor 'x' size mismatch at index 0. expected 1, actual 2")
    more = parse("tensor 'x' size mismatch at index 0. expected 2, actual 3")
    assert "`drop_last=True`, or pad" in advice([one])
    assert "apart: pad." in advice([parse("2 <= kwargs['ids'].size()[1]")])
    assert "mark" not in advice([one])
    assert "mark_dynamic(x, 0)" in advice([one, more])


def test_the_size_after_one_is_no_third_size_that_something_asks_for() -> None:
    # Training with 15 and 23, then generating under `no_grad` from one token on: 2 is the first there that varies.
    sizes = [(15, 23), (1, 2)]
    failures = [parse(f"tensor 'x' size mismatch at index 1. expected {old}, actual {new}") for old, new in sizes]
    assert "mark_dynamic(x, 1)" in advice(failures)
    assert "asks for the value" in advice(
        [*failures, parse("tensor 'x' size mismatch at index 1. expected 23, actual 9")]
    )


@pytest.mark.parametrize("resumed", [False, True])
def test_a_size_is_marked_in_a_way_that_never_raises(resumed: bool) -> None:
    # With `mark_dynamic(x, 0)` alone, `cross_entropy(net(x), y)` raises ConstraintViolationError: y has the same size.
    text = advice([replace(parse("tensor 'x' size mismatch at index 0. expected 3, actual 4"), resumed=resumed)])
    assert "`torch._dynamo.maybe_mark_dynamic(x, 0)`" in text
    assert "every input" in text


def test_parameters_cannot_be_marked_dynamic() -> None:
    assert "mark_dynamic" not in advice(
        [parse("tensor 'self._parameters['w']' size mismatch at index 0. expected 3, actual 4")]
    )


@pytest.mark.parametrize(
    ("text", "varies"),
    [
        ("tensor 'x' size mismatch at index 0. expected 3, actual 4", "each size"),
        ("tensor 'x' size mismatch at index 0. expected 1, actual 2", "each size"),
        ("n == 12", "each number"),
        ("cache.pos == 0", "each number"),
        ("x.size()[0] <= 100", "each size"),
    ],
)
def test_what_would_vary_does_not_where_it_was_compiled_static(text: str, varies: str) -> None:
    text = advice([replace(parse(text), static=True)])
    assert f"`dynamic=False`, so that {varies} is a graph of its own" in text
    assert ("torch.tensor(value)" in text) == (varies == "each number")


@pytest.mark.parametrize(
    "text", ["self.calls == 1", "flag == True", "tensor 'x' dtype mismatch. expected Float, actual Half"]
)
def test_what_never_varies_is_not_blamed_on_it(text: str) -> None:
    assert advice([replace(parse(text), static=True)]) == advice([parse(text)]) != ""


def test_a_tensor_that_an_argument_holds_may_be_an_input_or_a_parameter() -> None:
    text = advice([parse("tensor 'samples.mask' size mismatch at index 1. expected 64, actual 96")])
    assert "maybe_mark_dynamic(samples.mask, 1)" in text
    assert "A parameter or a buffer keeps its size" in text


@pytest.mark.parametrize("static", [False, True])
def test_no_size_of_a_parameter_varies_whatever_is_marked(static: bool) -> None:
    failure = parse(
        "tensor 'p' size mismatch at index 0. expected 2, actual 4. Guard failed on a parameter, consider using "
        "torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters."
    )
    assert failure.condition == "tensor 'p' size mismatch at index 0. expected 2, actual 4"
    text = advice([replace(failure, static=static)])
    assert "force_parameter_static_shapes = False`" in text
    assert "mark" not in text
    assert ("dynamic=False" in text) == static


def test_the_version_of_another_backend_would_have_fitted() -> None:
    texts = (
        "0/1: tensor 'p' size mismatch at index 0. expected 4, actual 2",
        "0/0: BACKEND_MATCH failure: torch.compile …",
    )
    blame = blamed(texts)
    assert blame is not None
    assert (blame.failure.cause, blame.position) == ("backend", 1)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ("None", "optional argument `points` is None now, and was not before"),
        ("a float", "argument `points` is of another class now (it was tuple, now float)"),
        ("0.5", "argument `points` is of another class now (it was tuple, now float)"),
        ("[1, 2]", "argument `points` is of another class now (it was tuple, now list)"),
        ("a Net.Points", "argument `points` is of another class now (it was tuple, now Points)"),
        ("a torch.float32 tensor of shape [2]", "argument `points` is of another class now (it was tuple, now Tensor)"),
        ("torch.Size([2])", "argument `points` is of another class now (it was tuple)"),
    ],
)
def test_another_class_is_told_with_what_came(now: str, words: str) -> None:
    failure = replace(parse("___check_type_id(points, 94), type=<class 'tuple'>"), new=now)
    assert in_words([failure]) == words
    assert ("always pass a tensor" in advice([failure])) == (now == "None")


def test_layers_with_a_parametrization_have_a_class_each() -> None:
    """`weight_norm(nn.Conv1d(…))` makes a `ParametrizedConv1d` for this layer alone."""
    guard = "___check_type_id(self.conv, 94), type=<class 'torch.nn.utils.parametrize.ParametrizedConv1d'>"
    failure = replace(parse(guard), new="a torch.nn.utils.parametrize.ParametrizedConv1d")
    same_name = "`self.conv` is of another class of the same name now (torch.nn.utils.parametrize.ParametrizedConv1d)"
    assert in_words([failure]) == same_name
    assert "remove_parametrizations" in advice([failure])
    removed = replace(failure, new="a torch.nn.modules.conv.Conv1d")
    assert "of the same name" not in in_words([removed])
    assert advice([removed]) == "Each class is a graph of its own: fine for a few kinds of it."


def test_what_some_modules_lack_may_be_one_graph_for_each_kind_of_them() -> None:
    """All `StyleConv` share one `forward`, and only one in two has a `sample_mode`."""
    of_module, of_global = parse("self.conv.sample_mode is None"), parse("G['mode'] is None")
    assert "each kind is a graph of its own" in advice([of_module])
    assert advice([of_global]) == "Set it before the first compiled call, for one in `__init__`."


def test_a_number_that_is_missing_now_is_no_other_number() -> None:
    failure = replace(parse("n == 4"), new="None")
    assert in_words([failure]) == "argument `n` was 4, now None"
    assert advice([failure]).startswith("One graph with a value and one without")
    assert advice([replace(failure, static=True)]) == advice([failure])


_COUNTED = "  # self.steps += 1  # train.py:49 in torch_dynamo_resume_in_forward_at_48 (HINT: integer attributes)"


def test_an_attribute_of_what_lies_on_the_stack_has_the_name_that_the_line_has() -> None:
    """`self.seen += broken(x)` puts `self` there: the break hands it on, but not what it keeps."""
    failure = parse(f"___stack0.steps == 0{_COUNTED}")
    assert failure.subject == "self.steps"
    assert not failure.is_handed_on
    assert in_words([failure]) == "`self.steps` is a Python int that changes: was 0"
    assert "count outside" in advice([failure])


@pytest.mark.parametrize(
    "text",
    [
        "___stack0.steps == 0",
        "___stack0.steps == 0  # if self.steps:  # layer.py:9 in forward (HINT: of what the part calls)",
        "___stack0.steps == 0  # a.steps, b.steps  # train.py:49 in torch_dynamo_resume_in_forward_at_48 (HINT: two)",
        "___stack0.inner.steps == 0" + _COUNTED,
    ],
)
def test_an_attribute_of_an_object_without_a_name_is_told_as_such(text: str) -> None:
    assert "steps` of an object that is handed on where the graph breaks is a Python int" in in_words([parse(text)])


@pytest.mark.parametrize(
    "text",
    ["___stack0 == 3", "___stack1[0] == 3", "tensor '___stack0.logits' size mismatch at index 0. expected 2, actual 1"],
)
def test_what_a_break_itself_may_have_made_is_handed_on(text: str) -> None:
    assert parse(text).is_handed_on
    assert advice([parse(text)]) == "First mend that break."


@pytest.mark.parametrize(
    ("text", "told", "varying"),
    [
        ("tensor 'x' size mismatch at index 1. expected 8, actual 12", "something asks for the value", True),
        ("tensor 'x' size mismatch at index 1. expected 8, actual 12", "maybe_mark_dynamic(x, 1)", False),
        ("tensor 'x' size mismatch at index 1. expected 1, actual 12", "sizes 0 and 1 apart", True),
        ("tensor 'self.weight' size mismatch at index 1. expected 8, actual 12", "A parameter or a buffer", True),
    ],
)
def test_where_all_sizes_may_vary_nothing_need_be_marked(text: str, told: str, varying: bool) -> None:
    assert told in advice([replace(parse(text), varying=varying)])


def test_of_a_function_that_is_compiled_both_ways_the_static_way_makes_a_graph_for_each_size() -> None:
    """`block.compile()`, and the model around it with `dynamic=False`."""
    sizes = [parse(f"tensor 'x' size mismatch at index 1. expected {n}, actual {n + 4}") for n in (12, 16, 20)]
    both = [sizes[0], *(replace(each, static=True) for each in sizes[1:])]
    assert "compiled with `dynamic=False`" in advice(both)
    told = advice([*sizes, replace(sizes[0], static=True)])
    assert "something asks for the value" in told
    assert "under `torch.vmap`" in told


def test_a_graph_for_inference_tensors_and_one_for_others_is_normal() -> None:
    keys = "DispatchKeySet({}, BackendSelect, ADInplaceOrView, AutogradCPU), actual DispatchKeySet({}, BackendSelect{})"
    text = f"tensor 'x' dispatch key set mismatch. expected {keys}"
    assert "`torch.inference_mode()` makes" in advice([parse(text.format("CPU", "CPU", ""))])
    assert "on the same device" in advice([parse(text.format("CPU", "CUDA", ", ADInplaceOrView, AutogradCUDA"))])
