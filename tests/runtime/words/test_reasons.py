"""Explanations and contexts are those of torch 2.13."""

from __future__ import annotations

import pytest

from compilelint.runtime.words.reasons import drop_words, explain


@pytest.mark.parametrize(
    ("title", "explanation", "context", "words"),
    [
        (
            "Failed to trace builtin operator",
            "Dynamo does not know how to trace builtin operator `print` with argument types ['str']",
            "builtin print [<class 'torch._dynamo.variables.constant.ConstantVariable'>] False",
            "`print` in compiled code",
        ),
        (
            "Failed to trace builtin operator",
            "Dynamo does not know how to trace builtin operator `hash` with argument types ['str']",
            "",
            "Dynamo cannot trace the builtin `hash` with these arguments",
        ),
        (
            "Generator reconstruction with mutations",
            "Cannot reconstruct a generator with variable mutations. Dynamo needs to fully exhaust the generator.",
            "mutating object: SetVariable()",
            "a generator, as `model.parameters()` or `(… for …)` is one, is not gone through yet where the graph "
            "breaks",
        ),
        (
            "failed to convert numpy.ndarray to Tensor",
            "Exception encountered when attempting to convert numpy.ndarray to Tensor",
            "['a' 'b']",
            "the code reads an array of NumPy of which torch makes no tensor: it holds objects, text, dates or "
            "records, or is a view that runs backwards (`a[::-1]`)",
        ),
        (
            "NotImplementedError/UnsupportedFakeTensorException when running FX node",
            "Dynamo failed to run FX node with fake tensors: call_function <Wrapped method <original astype>>(*("
            "FakeTensor(..., size=(5, 2)), 'float32'), **{'copy': False}): got NotImplementedError('astype(..., "
            "copy=False is not implemented.')",
            "",
            "NumPy's `astype` cannot be called like this, as Dynamo runs torch's in its place: astype(..., copy=False "
            "is not implemented",
        ),
        (
            "Reconstruction failure",
            "Dynamo has no bytecode reconstruction implemented for sourceless variable DictValuesIterator().",
            "DictValuesIterator()",
            "the graph breaks or ends where an iterator, as a comprehension or a loop has one under way, is in use: "
            "Dynamo cannot hand that on",
        ),
        (
            "Reconstruction failure",
            "Dynamo has no bytecode reconstruction implemented for sourceless variable UserMethodVariable(<function "
            "AudioSignal.stft at 0x7f6b82412d40>, UserDefinedObjectVariable(AudioSignal)).",
            "UserMethodVariable(<function AudioSignal.stft at 0x7f6b82412d40>, UserDefinedObjectVariable(AudioSignal))",
            "the graph breaks or ends where `AudioSignal.stft`, a method of an object that the compiled code made, is "
            "in use: Dynamo cannot hand that on",
        ),
        (
            "Reconstruction failure",
            "Dynamo has no bytecode reconstruction implemented for sourceless variable LambdaVariable().",
            "LambdaVariable()",
            "the graph breaks where something is in use of which Dynamo makes a function of its own, as of an "
            "`nn.CrossEntropyLoss()` that the compiled code makes: it cannot hand that on",
        ),
        (
            "Reconstruction failure",
            "Dynamo has no bytecode reconstruction implemented for sourceless variable UserFunctionVariable().",
            "UserFunctionVariable()",
            "the graph breaks or ends where an object is in use that the compiled code made, and that keeps a function "
            "which is the default of a parameter of its method: Dynamo cannot hand that on",
        ),
        (
            "Reconstruction failure",
            "Dynamo has no bytecode reconstruction implemented for sourceless variable WithExitFunctionVariable().",
            "WithExitFunctionVariable()",
            "the graph breaks inside a `with` block whose end Dynamo cannot hand on",
        ),
        (
            "Unsupported ndarray attribute access",
            "Dynamo currently does not support tracing `ndarray.dtype`.",
            "var_getattr NumpyNdarrayVariable() dtype",
            "`dtype` of a NumPy array is asked for, which Dynamo does not trace",
        ),
        (
            "Attempted to call function marked as skipped",
            "Dynamo does not know how to trace the builtin `_warnings._filters_mutated.`",
            "module: _warnings, qualname: _filters_mutated, skip reason: cannot determine source file for _warnings",
            "the warning filters are changed, for which Dynamo traces no function",
        ),
        (
            "Attempted to call function marked as skipped",
            "Dynamo does not know how to trace the builtin `<unknown module>.Tensor.reshape.`",
            "module: <unknown module>, qualname: Tensor.reshape, skip reason: cannot determine source file",
            "`reshape` of a tensor was looked up before this part of the graph began, as it is where the graph breaks "
            "among the arguments of its call",
        ),
        (
            "Reconstruction failure",
            "Dynamo has no bytecode reconstruction implemented for sourceless variable OddVariable().",
            "OddVariable()",
            "Dynamo has no bytecode reconstruction implemented for sourceless variable OddVariable()",
        ),
        (
            "Unsupported method call",
            "Dynamo does not know how to trace method `split` of class `str`",
            "call_method StringFormatVariable('{normalized_shape}, eps={eps}', [], {'training': True, "
            "'_parameters': ConstDictVariable()}) split [ConstantVariable(str: '\n')] {}",
            "the text of a module (`repr`) is made, in which Dynamo cannot take apart what a layer says of itself",
        ),
        (
            "Unsupported method call",
            "Dynamo does not know how to trace method `split` of class `str`",
            "call_method StringFormatVariable('{}-{}', [1, 2], {}) split [ConstantVariable(str: '-')] {}",
            "Dynamo does not know how to trace method `split` of class `str`",
        ),
        (
            "Unsupported python_type() call",
            "This VariableTracker does not implement python_type(), which is required for object protocol operations.",
            "GetAttrVariable(AutogradFunctionVariable(), stats) does not implement python_type()",
            "`stats`, an attribute of a `torch.autograd.Function` class, is used in the compiled code",
        ),
        (
            "Unsupported Tensor.requires_grad_() call",
            "Dynamo does not support changes to a Tensor's `requires_grad` through calling `requires_grad_()`.",
            "call_method TensorVariable() requires_grad_",
            "`requires_grad_()` is called in the compiled code",
        ),
        (
            "missing tp_iter",
            "Dynamo does not know how to iterate over `UserDefinedObjectVariable(generator)`.",
            "tp_iter_impl not implemented for generator",
            "a generator that was made outside of the compiled code, as `model.parameters()` is one, is gone through",
        ),
        (
            "Missing tp_iternext",
            "Dynamo does not support next() on list_iterator. Add tp_iternext_impl to this VariableTracker subclass.",
            "next(list_iterator)",
            "an iterator that was made outside of the compiled code is advanced in it, as that of a comprehension is "
            "where Dynamo dropped the function around it",
        ),
        (
            "Missing tp_iternext",
            "Dynamo does not support next() on dict_valueiterator. Add tp_iternext_impl to this VariableTracker.",
            "next(dict_valueiterator)",
            "an iterator that was made outside of the compiled code is advanced in it, as that of a comprehension is "
            "where Dynamo dropped the function around it",
        ),
        (
            "missing tp_iter",
            "Dynamo does not know how to iterate over `UserDefinedObjectVariable(zip)`.",
            "tp_iter_impl not implemented for zip",
            "an iterator that was made outside of the compiled code is advanced in it, as that of a comprehension is "
            "where Dynamo dropped the function around it",
        ),
        (
            "missing tp_iter",
            "Dynamo does not know how to iterate over `UserDefinedObjectVariable(dict_values)`.",
            "tp_iter_impl not implemented for dict_values",
            "what `.values()` of a dict gave outside of the compiled code is used in it",
        ),
        (
            "Cannot trace user-defined __len__",
            "Dynamo cannot trace len() on dict_items because the __len__ method is either not traceable (e.g., defined "
            "in C or built-in) or returns a non-constant value.",
            "dict_items.__len__()",
            "what `.items()` of a dict gave outside of the compiled code is used in it",
        ),
        (
            "Cannot trace user-defined __len__",
            "Dynamo cannot trace len() on Rows because the __len__ method returns a non-constant value.",
            "Rows.__len__()",
            "Dynamo cannot trace len() on Rows because the __len__ method returns a non-constant value",
        ),
        (
            "Unresolved GetAttrVariable comparison",
            "Cannot compare GetAttrVariable(AutogradFunctionVariable(), setup_context) because the attribute could not "
            "be resolved to a concrete value.",
            "richcompare_impl GetAttrVariable(AutogradFunctionVariable(), setup_context) __ne__",
            "`apply` of an object of a `torch.autograd.Function` is called that was made outside of the compiled code",
        ),
        (
            "missing tp_iter",
            "Dynamo does not know how to iterate over `Foo`.",
            "",
            "Dynamo does not know how to iterate over `Foo`",
        ),
        (
            "Data-dependent branching",
            "Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).",
            "attempted to jump with TensorVariable()",
            "a Python branch depends on the value of a tensor",
        ),
        (
            "Data-dependent branching",
            "Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).",
            "attempted to jump with ConstantVariable(bool: False)",
            "an `assert` fails, whose condition is false in this call",
        ),
        (
            "Data-dependent branching",
            "Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).",
            "attempted to jump with LazyVariableTracker(realized: ListVariable(length=0))",
            "an `assert` fails, whose condition is false in this call",
        ),
        (
            "Data-dependent assertion failed (cannot compile partial graph)",
            "Dynamo has determined when encountering a data-dependent assert failure that it should not compile.",
            "value: LazyVariableTracker(realized: ConstantVariable(NoneType: None))",
            "an `assert` fails, whose condition is false in this call",
        ),
        (
            "Dynamic shape operator",
            "Operator `aten.nonzero.default`'s output shape depends on input Tensor data.",
            "aten.nonzero.default",
            "the size of the result of `nonzero()`, `x[mask]` or `where(condition)` depends on the values of a tensor",
        ),
        (
            "Skip calling `torch.compiler.disable()`d function",
            "Skip calling function `<function disabled at 0x7fe8415af420>` since it was wrapped",
            "<function disabled at 0x7fe8415af420>",
            "`disabled` is kept out of compilation by `torch.compiler.disable`",
        ),
        (
            "Attempted to call function marked as skipped",
            "Dynamo does not know how to trace the builtin `time.sleep.`",
            "module: time, qualname: sleep, skip reason: <missing reason>",
            "`time.sleep` is a function that Dynamo does not trace",
        ),
        (
            "Attempted to call function marked as skipped",
            "Dynamo does not know how to trace the builtin `<unknown module>.Random.random.` This function is either a "
            "Python builtin or a third-party C/C++ Python extension.",
            "module: <unknown module>, qualname: Random.random, skip reason: cannot determine source file for ",
            "`Random.random` is a function that Dynamo does not trace",
        ),
        (
            "Observed exception",
            "Dynamo found no exception handler at the top-level compiled function.",
            "raised exception ValueError('boo')",
            "while tracing, an exception came up that the code does not catch: ValueError('boo')",
        ),
        (
            "Dynamic shape operator",
            "Operator `torchvision.nms.default`'s output shape depends on input Tensor data.",
            "torchvision.nms.default",
            "the size of the result of `torchvision.nms` depends on the values of a tensor",
        ),
        (
            "Data dependent operator",
            "Operator `aten._local_scalar_dense.default` has a non-Tensor output whose value is dependent on the data.",
            "aten._local_scalar_dense.default",
            "the value of a tensor (or of a NumPy array) is needed as a Python number (`.item()`, `int()`, an index, "
            "a size or a bound)",
        ),
        (
            "Data dependent operator",
            "Operator `aten.equal.default` has a non-Tensor output whose value is dependent on the data.",
            "aten.equal.default",
            "`aten.equal` reads a tensor's value back into Python",
        ),
        (
            "logging.Logger method not supported for non-export cases",
            "logging.Logger methods are not supported for non-export cases",
            "method: <Logger app (WARNING)>.warning, args: [ConstantVariable(str: 'x')], kwargs: {}",
            "`Logger.warning` is called",
        ),
        (
            "Unsupported Tensor.backward() call",
            "Dynamo currently does not support tracing `Tensor.backward()` when trace_autograd_ops is off",
            "call_method TensorVariable() backward None None None None",
            "`backward()` is called inside the compiled code",
        ),
        (
            "A type that is not known",
            "Something at <object object at 0x7f00> is not done. And more.",
            "",
            "Something at <object object> is not done",
        ),
        ("Only a title.", None, None, "Only a title"),
        (
            "TypeError when making fake tensor call",
            "",
            "TypeError <Wrapped operator <original wrapped_select>>: select(): argument 'input' must be Tensor",
            "an operator cannot be called like this: select(): argument 'input' must be Tensor",
        ),
        (
            "TypeError when making fake tensor call",
            "",
            "TypeError <Wrapped operator <original wrapped_select>>: select(): argument 'input' (position 1) must be "
            "Tensor, not ndarray",
            "an array of NumPy is indexed by a number that varies",
        ),
        (
            "attempted to trace numpy function unsupported by PyTorch",
            "Can't find numpy numpy function <ufunc 'frexp'> in torch._numpy.",
            "numpy function: <ufunc 'frexp'>, args: [NumpyNdarrayVariable()], kwargs: {}",
            "Dynamo cannot trace NumPy's `frexp`",
        ),
        (
            "attempted to trace numpy function unsupported by PyTorch",
            "Can't find numpy numpy function <bound method RandomState.beta of RandomState(MT19937)> in torch._numpy.",
            "numpy function: <bound method RandomState.beta of RandomState(MT19937)>, args: [], kwargs: {}",
            "Dynamo cannot trace NumPy's `beta`, a method of its random generator",
        ),
        (
            "Attempted to wrap RNN, GRU, or LSTM",
            "Dynamo does not support RNN, GRU, or LSTM.",
            "LSTM(4, 4)",
            "an RNN, LSTM or GRU is called, or asked for something (an attribute, `isinstance`, `is None`), and Dynamo "
            "refuses to look at it",
        ),
        (
            "Unsupported method call",
            "Dynamo does not know how to trace method `wait` of class `Work`",
            "call_method UserDefinedObjectVariable(Work) wait [] {}",
            "an asynchronous collective of `torch.distributed` is waited for, which Dynamo cannot trace",
        ),
        (
            "Unsupported method call",
            "Dynamo does not know how to trace method `__call__` of class `cython_function_or_method`",
            "call_method UserDefinedObjectVariable(cython_function_or_method) __call__ [] {}",
            "a function that Cython compiled is called, which Dynamo cannot trace",
        ),
        (
            "Unsupported method call",
            "Dynamo does not know how to trace method `pop` of class `list`",
            "call_method ListVariable() pop [] {}",
            "Dynamo does not know how to trace method `pop` of class `list`",
        ),
        (
            "Uninitialized nn.Module",
            "Attempted to trace an uninitialized nn.Module of type ImageLoss.",
            "ImageLoss",
            "the `__init__` of `ImageLoss` is compiled by itself, as what makes the module broke before, and there it "
            "has no `_parameters` yet",
        ),
        (
            "torch.* op returned non-Tensor",
            "torch.* ops that return a non-Tensor cannot be traced into the Dynamo FX graph output",
            "example_value type: _GeneratorContextManager; op: call_function; target: <function flags at 0x7f80>",
            "`flags` returns a `_GeneratorContextManager`, and no tensor",
        ),
        (
            "Unsupported function call",
            "Dynamo does not know how to trace the function `<class 'decimal.Decimal'>`",
            "",
            "Dynamo does not know how to trace the function `decimal.Decimal`",
        ),
        (
            "Unsupported function call (delayed)",
            "Dynamo determined that a graph break should occur when calling `L['___stack0'].unsqueeze_`. Reason: "
            "Getting an inplace view on a graph input is not supported",
            "source: AttrSource(base=LocalSource(local_name='___stack0'), member='unsqueeze_')",
            "`unsqueeze_` makes another view of an input, in place: of an argument, a parameter, or of what a function "
            "gave in which the graph broke",
        ),
        (
            "Attempted to wrap sparse Tensor",
            "torch.compile does not support sparse Tensors",
            "",
            "a sparse tensor from outside the graph is used, which Dynamo cannot take in",
        ),
        ("generator", None, None, "a generator function is what is compiled, and Dynamo traces none"),
        (
            "'skip function scaled in file /lib/contextlib.py'",
            None,
            None,
            "`scaled` is a function that Dynamo does not trace",
        ),
        (
            "'skip function graph_break in file /torch/_dynamo/decorators.py'",
            None,
            None,
            "`torch._dynamo.graph_break()` asks for it",
        ),
        (
            "BEFORE_WITH UserDefinedObjectVariable(_GeneratorContextManager)",
            None,
            None,
            "a `with` block over a `_GeneratorContextManager`, which Dynamo does not trace",
        ),
        (
            "HOP: Unsafe side effect",
            "Mutating a variable from outside the scope of this HOP is not supported.",
            "Attempted to mutate UnspecializedNNModuleVariable(Block)",
            "a function that runs under `checkpoint`, `torch.cond` or the like changes an attribute of a `Block` that "
            "was made outside of it",
        ),
        (
            "HOP: Unsafe side effect",
            "Mutating a variable from outside the scope of this HOP is not supported.",
            "Attempted to mutate ListVariable(length=0)",
            "a function that runs under `checkpoint`, `torch.cond` or the like changes what was made outside of it",
        ),
        (
            "Attempted to call op with non-contiguous `out=` tensor",
            "Dynamo does not support this.",
            "self.value=<built-in method mm of type object at 0x7f>",
            "an operator writes its result (`out=`) to a part of a tensor that does not lie in one piece, as columns "
            "do",
        ),
        (
            "Tensor.uniform_ op called with `from` keyword",
            "This is currently not supported.",
            "call_method TensorVariable() uniform_",
            "Tensor.uniform_ op called with `from` keyword: Dynamo does not support this",
        ),
        (
            "builtin isinstance() cannot determine type of argument",
            "Dynamo doesn't have a rule to determine the type of argument GetAttrVariable(TensorVariable(), values)",
            "isinstance(GetAttrVariable(TensorVariable(), values), UserDefinedClassVariable(torch.Tensor))",
            "Dynamo doesn't have a rule to determine the type of argument `values` of a tensor",
        ),
    ],
)
def test_a_break_is_told_in_one_sentence(title: str, explanation: str | None, context: str | None, words: str) -> None:
    assert explain(title, explanation, context).words == words


@pytest.mark.parametrize(
    ("cls", "advice"), [("Generator", "Draw from the global generator"), ("TracedTensor", "Hand the operator tensors")]
)
def test_an_object_among_the_arguments_of_an_operator_is_named(cls: str, advice: str) -> None:
    context = f"call_function args: LazyVariableTracker(realized: UserDefinedObjectVariable({cls}))"
    reason = explain(
        "Failed to convert args/kwargs to proxy", "Missing `as_proxy()` implementation for some arg/kwarg.", context
    )
    assert f"a `{cls}`" in reason.words
    assert advice in reason.advice


def test_hints_that_help_nobody_are_left_out() -> None:
    useless = "Please report an issue to PyTorch."
    flag = "Set `torch._dynamo.config.capture_scalar_outputs = True`"
    issue = "If it is a Python builtin, please file an issue on GitHub so the PyTorch team can add support for it."
    assert explain("T", "E", "", (useless, flag, issue)).advice == ""
    assert explain("T", "E", "", (useless, "Call it\n outside.")).advice == "Call it outside."
    avoid = "Avoid calling the function `Random.sample`."
    assert explain("T", "E", "", (avoid,)).advice == "Call `Random.sample` outside the compiled code."
    own = "Avoid calling `Tokenizer.token_to_id` in your code."
    assert explain("T", "E", "", (own,)).advice == (
        "Call `Tokenizer.token_to_id`, or what leads to it, outside the compiled code."
    )


def test_hints_of_dynamos_are_told_in_short() -> None:
    logs = "If you are attempting to call a logging function (e.g. `_warnings.warn`), you can try adding it to `a.b`."
    assert (
        explain("T", "E", "", (logs,)).advice == "If it only logs, add it to `a.b`: it is called after the graph then."
    )
    assert explain("T", "E", "", ("Avoid using the unsupported context manager.",)).advice.startswith(
        "Enter it outside"
    )
    sparse = "Sparse tensor operations are x. Consider y, or move sparse tensor creation outside the compiled region."
    assert explain("T", "E", "", (sparse,)).advice == "Move sparse tensor creation outside the compiled code."
    linked = "Wrap it (see https://pytorch.org/page.html for more details) or not."
    assert explain("T", "E", "", (linked,)).advice == "Wrap it or not."


def test_advice_is_on_the_operator() -> None:
    def advice(operator: str) -> str:
        return explain("Dynamic shape operator", "", operator).advice

    assert "output_size" in advice("aten.repeat_interleave.Tensor")
    assert advice("aten._unique2.default") == "Call it outside the compiled code."
    assert "torch.where" in advice("aten.nonzero.default")


@pytest.mark.parametrize("said", ["divmod(): 'int' and 'int'", "%: 'str' and 'int'"])
def test_what_python_can_do_with_numbers_is_not_possible_with_sizes(said: str) -> None:
    told = f'raised exception TypeError("unsupported operand type(s) for {said}")'
    assert "a size that varies" in explain("Observed exception", "", told).advice
    assert "a size" not in explain("Observed exception", "", told.replace("'int'", "'list'")).advice


def test_a_tuple_of_types_in_a_tuple_is_to_be_one_tuple() -> None:
    said = "raised exception TypeError('isinstance() arg 2 must be a type, a tuple of types, or a union')"
    assert "no tuple within a tuple" in explain("Observed exception", "", said).advice


@pytest.mark.parametrize(
    "said", ["'property' object is not iterable", "unsupported operand type(s) for +: 'Tensor' and 'property'"]
)
def test_a_property_that_super_gave_is_no_error_of_the_programs(said: str) -> None:
    told = f'raised exception TypeError("{said}")'
    reason = explain("Observed exception", "", told)
    assert "read by `super()`" in reason.words
    assert "`super().method()` is traced" in reason.advice


def test_a_property_that_raises_may_hide_a_layer_of_its_name() -> None:
    told = "raised exception AttributeError(\"'Net' object has no attribute '_head'\")"
    assert "different names" in explain("Observed exception", "", told).advice
    assert "different names" not in explain("Observed exception", "", "raised exception ValueError('boo')").advice


def test_a_write_by_a_mask_fails_in_the_backend_for_the_gradient_of_its_value() -> None:
    told = explain("Backend compiler exception", "Backend compiler `inductor` failed with aten.nonzero.default.", "")
    assert told.words.startswith("the backend `inductor` cannot compile something whose size depends on the data")
    assert "torch.where(mask, value, x)" in told.advice
    other = explain("Backend compiler exception", "Backend compiler `mine` failed with no reason.", "")
    assert other.words == "Backend compiler `mine` failed with no reason"


def test_a_number_that_is_read_from_a_given_tensor_fails_in_the_backend() -> None:
    said = "Backend compiler `inductor` failed with aten._local_scalar_dense.default"
    told = explain("Backend compiler exception", said, "")
    assert told.words.startswith("the backend `inductor` cannot compile what needs the value of a tensor")
    assert "x[t.reshape(1)]" in told.advice


def test_a_module_goes_by_the_name_that_people_import() -> None:
    def words(module: str) -> str:
        return explain("Attempted to call function marked as skipped", "", f"module: {module}, qualname: f").words

    assert words("_warnings").startswith("`warnings.f`")
    assert words("_private").startswith("`_private.f`")


def test_what_drops_a_frame_is_told_once() -> None:
    titles = (
        "graph break in loop",
        "Graph break under GenericContextWrappingVariable",
        "graph break in loop",
    )
    assert drop_words(titles) == ("inside a loop", "inside a `with` block")


@pytest.mark.parametrize(
    ("module", "step", "words"),
    [
        ("__main__", "Lion.step", "a scheduler has put a function around `Lion.step`, which Dynamo does not trace"),
        ("torch.optim.lr_scheduler", "LRScheduler.step", "`torch.optim.lr_scheduler.LRScheduler.step` is a function "),
    ],
)
def test_what_a_scheduler_puts_around_a_step_is_not_the_step(module: str, step: str, words: str) -> None:
    path = "/venv/lib/python3.11/site-packages/torch/optim/lr_scheduler.py"
    context = f"module: {module}, qualname: {step}, skip reason: file is force-skipped ({path})"
    assert explain("Attempted to call function marked as skipped", "", context).words.startswith(words)


@pytest.mark.parametrize("first", "Mm")
def test_compiled_autograd_is_no_advice_for_a_backward_outside(first: str) -> None:
    hints = ("Enable compiled autograd by setting torch._dynamo.config.compiled_autograd = True.",)
    reason = explain(f"{first}odule-level backwards hooks require compiled autograd.", "", "", hints)
    assert reason.words.startswith("a module that has a backward hook is called")
    assert "Leave the hook out" in reason.advice


@pytest.mark.parametrize(
    ("title", "context"),
    [
        ("torch.compile call with > 1 args", "args=(), kwargs={'dynamic': ConstantVariable(bool: True)}"),
        (
            "Attempted to call function marked as skipped",
            "module: torch, qualname: compile.<locals>.fn, skip reason: …",
        ),
    ],
)
def test_a_decorator_that_compiles_is_not_too_many_arguments(title: str, context: str) -> None:
    reason = explain(title, "Attempted to call `torch.compile` with > 1 args. Dynamo does not support this.", context)
    assert reason.words.startswith("`torch.compile(…)` without the function that it compiles makes a decorator")
    assert "hand it over" in reason.advice


@pytest.mark.parametrize(
    ("title", "context"),
    [
        (
            "Unsupported method call",
            "call_method UserDefinedObjectVariable(Logger) set_runtime_stats_and_log [] {}",
        ),
        (
            "Attempted to call function marked as skipped",
            "module: torch.nn.parallel.distributed, qualname: DistributedDataParallel._inside_ddp_forward, "
            "skip reason: file matches MOD_SKIPLIST (/venv/lib/python3.11/site-packages/torch/_compile)",
        ),
    ],
)
def test_what_ddp_does_inside_is_told_of_its_call(title: str, context: str) -> None:
    reason = explain(title, "", context, ("Avoid calling `Logger.set_runtime_stats_and_log` in your code.",))
    assert reason.words.startswith("a `DistributedDataParallel` is called")
    assert "DDP(torch.compile(module))" in reason.advice


def test_a_method_of_another_logger_is_not_ddp_s() -> None:
    context = "call_method UserDefinedObjectVariable(Logger) write [] {}"
    assert "DistributedDataParallel" not in explain("Unsupported method call", "Dynamo does not", context).words
