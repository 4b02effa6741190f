"""The table of signatures: what is asked of it, and what it answers."""

from __future__ import annotations

import subprocess
import sys

import pytest
from msgspec.structs import replace

from compilelint.inspect import signatures
from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMPY_FLOAT,
    OBJECT,
    STR,
    TRAINING,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    DType,
    External,
    Kind,
    Method,
    Partial,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    Union,
    join,
    sequence,
)
from compilelint.inspect.signatures import Entered
from compilelint.report.confidence import Confidence
from tests.inspect.make import callees

X = Tensor("float", 3)
MASK = Tensor("bool", 2)
GUESS = Tensor("float", 2, Confidence.MEDIUM)
SHAPES = Sequence("list", Sequence("tuple", INT))


def result(callee: str, *args: Kind, **keywords: Kind) -> Kind:
    return signatures.result(callee, None, args, keywords)


def method(receiver: Kind, name: str, *args: Kind, **keywords: Kind) -> Kind:
    return signatures.result(f"{signatures.class_name(receiver)}.{name}", receiver, args, keywords)


# Dtypes and dimensions


@pytest.mark.parametrize(
    "name",
    ["eq", "gt", "isnan", "isfinite", "logical_and", "logical_not", "any", "all", "signbit", "isclose"],
)
def test_comparisons_and_tests_give_masks(name: str) -> None:
    kind = result(f"torch.{name}", X, X)
    assert isinstance(kind, Tensor)
    assert kind.dtype == "bool"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("view", (INT, INT)),
        ("reshape", (INT, INT)),
        ("expand", (INT, INT)),
        ("unsqueeze", (Const(0),)),
        ("transpose", (Const(0), Const(1))),
        ("masked_fill", (MASK, Const(False))),
        ("clone", ()),
        ("flip", (Const(0),)),
        ("__invert__", ()),
        ("__and__", (MASK,)),
        ("__getitem__", (Const(0),)),
    ],
)
def test_a_mask_stays_a_mask(name: str, args: tuple[Kind, ...]) -> None:
    kind = method(MASK, name, *args)
    assert isinstance(kind, Tensor)
    assert kind.dtype == "bool"


def test_joined_masks_are_a_mask() -> None:
    masks = sequence("list", (MASK, MASK))
    assert result("torch.cat", masks) == Tensor("bool", 2)
    assert result("torch.stack", masks) == Tensor("bool", 3)


def test_a_mask_joined_with_numbers_is_none() -> None:
    assert result("torch.cat", sequence("list", (MASK, Tensor("float", 2)))) == Tensor("float", 2)


@pytest.mark.parametrize(("before", "after"), [(None, 2), (1, 1), (2, 2)])
def test_t_is_called_for_two_dimensions(before: int | None, after: int) -> None:
    assert method(Tensor("float", before), "t") == Tensor("float", after)
    assert result("torch.t", Tensor("float", before)) == Tensor("float", after)


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "any", "all", "norm", "std", "prod", "argmax"])
def test_a_full_reduction_has_no_dimensions(name: str) -> None:
    kind = method(X, name)
    assert isinstance(kind, Tensor)
    assert kind.ndim == 0


def test_a_reduction_over_an_unknown_dimension_has_unknown_dimensions() -> None:
    assert method(X, "sum", UNKNOWN) == Tensor("float", None)
    assert method(X, "sum", dim=Const(None)) == Tensor("float", 0)
    assert method(X, "sum", Const(0), UNKNOWN) == Tensor("float", None)


def test_a_keyword_decides_between_one_tensor_and_two() -> None:
    pair = sequence("tuple", (Tensor("float", 2), Tensor("int", 2)))
    assert method(X, "max", dim=Const(-1)) == pair
    assert method(X, "max", Tensor()) == Tensor()
    assert result("torch.where", MASK) == Sequence("tuple", Tensor("int", 1))
    assert method(MASK, "nonzero", as_tuple=Const(True)) == Sequence("tuple", Tensor("int", 1))


@pytest.mark.parametrize(
    ("asked", "dtype"),
    [
        (Reference("torch.bool"), "bool"),
        (Reference("torch.int64"), "int"),
        (Reference("builtins.float"), "float"),
        (Python("dtype"), None),
        (UNKNOWN, None),
    ],
)
def test_the_dtype_that_is_asked_for(asked: Kind, dtype: DType | None) -> None:
    assert result("torch.zeros", Const(2), Const(3), dtype=asked) == Tensor(dtype, 2)
    assert method(X, "to", asked) == Tensor(dtype, 3)


def test_moving_to_a_device_keeps_the_dtype() -> None:
    assert method(MASK, "to", Python("device")) == MASK
    assert method(MASK, "to", STR) == MASK


def test_a_legacy_constructor_takes_sizes_or_data() -> None:
    assert result("torch.LongTensor", Const(2), INT) == Tensor("int", 2)
    assert result("torch.LongTensor", sequence("list", (INT, INT))) == Tensor("int", 1)
    assert result("torch.Tensor", sequence("tuple", (INT, INT))) == Tensor(None, None), "it may be a torch.Size"
    assert result("torch.Tensor", UNKNOWN) == Tensor(None, None)


def test_unknown_sizes_give_unknown_dimensions() -> None:
    assert result("torch.zeros", UNKNOWN) == Tensor("float", None)
    assert result("torch.zeros", UNKNOWN, INT) == Tensor("float", None)
    assert method(X, "view", Sequence("tuple", INT)) == Tensor("float", None)


def test_losses_are_one_number_unless_told_otherwise() -> None:
    assert result("torch.nn.functional.mse_loss", X, X) == Tensor("float", 0)
    assert result("torch.nn.functional.mse_loss", X, X, reduction=Const("none")) == Tensor("float", None)
    assert result("torch.nn.functional.mse_loss", X, X, reduction=STR) == Tensor("float", None)


def test_functions_of_torch_give_tensors_whatever_they_are_given() -> None:
    assert result("torch.relu", UNKNOWN) == Tensor()
    assert result("torch.nn.functional.gelu", UNKNOWN) == Tensor()


# How sure the answer is


def test_the_confidence_of_a_receiver_carries_over() -> None:
    assert method(GUESS, "sum") == Tensor("float", 0, Confidence.MEDIUM)
    parts = method(GUESS, "split", Const(2))
    assert parts == Sequence("tuple", GUESS)


def test_a_function_of_torch_is_sure_even_of_a_guess() -> None:
    assert result("torch.sum", GUESS) == Tensor("float", 0)


def test_an_operator_is_as_sure_as_its_surest_tensor() -> None:
    assert result("operator.add", GUESS, Const(1)) == GUESS
    assert result("operator.add", GUESS, Tensor("float", 2)) == Tensor("float", 2)


def test_of_a_union_the_tensor_counts() -> None:
    assert method(join(X, NONE), "sum") == Tensor("float", 0)
    assert method(join(X, INT), "sum") == Tensor("float", 0, Confidence.MEDIUM)


# What leaves the tensors


def test_numbers_read_out_of_tensors_are_scalars() -> None:
    assert method(X, "item") == Scalar("float")
    assert method(Tensor("int", 0), "item") == Scalar("int")
    assert method(Tensor(), "tolist") == Sequence("list", Scalar(listed=True))
    assert result("builtins.int", X) == Scalar("int")
    assert result("builtins.float", Scalar("int")) == Scalar("float")
    assert result("math.sqrt", Scalar("int")) == Scalar("float")
    assert result("torch.equal", X, X) == Scalar("bool")
    assert result("torch.allclose", X, X) == Scalar("bool")
    assert result("operator.gt", Scalar("int"), Const(3)) == Scalar("bool")


def test_a_number_that_numpy_compares_is_read_out_of_a_tensor() -> None:
    assert result("numpy.allclose", Array(), Array()) == Scalar("bool")


def test_a_number_that_numpy_draws_splits_the_graph_and_is_python_s_after_that() -> None:
    assert result("numpy.random.rand") == FLOAT
    assert result("numpy.random.randint", INT) == INT
    assert result("numpy.random.choice", INT) == INT
    assert result("numpy.random.RandomState.choice", Sequence("list", STR)) == STR
    assert result("numpy.random.choice", INT, INT) == Array()


def test_what_a_dict_makes_of_a_missing_key_is_known() -> None:
    """`self.hits["calls"] += 1` compiles anew in each call, whichever of these it is (2.13)."""
    assert result("collections.Counter") == Dictionary(INT, (), "Counter")
    assert result("collections.defaultdict", Reference("builtins.int")) == Dictionary(INT, (), "defaultdict")
    assert result("collections.defaultdict", Reference("what")) == Dictionary(UNKNOWN, (), "defaultdict")
    assert result("collections.OrderedDict") == Dictionary(UNKNOWN, (), "OrderedDict")


def test_a_number_that_python_draws_is_held_by_the_graph() -> None:
    assert result("random.uniform", INT, INT) == Scalar("float", drawn=True)
    assert result("random.randint", INT, INT) == Scalar("int", drawn=True)


def test_a_number_that_python_draws_up_to_a_tensor_is_drawn_outside_of_the_graph() -> None:
    assert result("random.randrange", INT, Tensor()) == INT
    assert result("random.uniform", INT, X) == result("operator.add", INT, X)


def test_shapes_and_options_are_no_data() -> None:
    assert signatures.attribute(X, "shape") == sequence("tuple", (INT, INT, INT))
    assert signatures.attribute(Tensor(), "shape") == Sequence("tuple", INT)
    assert method(X, "size", Const(0)) == INT
    assert method(X, "dim") == Const(3)
    assert method(Tensor(), "dim") == INT
    assert method(X, "numel") == INT
    assert method(X, "is_contiguous") == BOOL
    assert method(X, "type") == STR
    assert result("builtins.len", X) == INT
    assert result("torch.is_tensor", X) == BOOL
    assert result("builtins.isinstance", X, UNKNOWN) == BOOL
    assert result("builtins.int", Python("float")) == INT
    assert result("math.sqrt", INT) == FLOAT


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("dtype", Python("dtype")),
        ("device", Python("device")),
        ("ndim", Const(3)),
        ("requires_grad", BOOL),
        ("is_cuda", BOOL),
        ("T", X),
        ("data", X),
        ("grad", Union((X, NONE))),
        ("sum", Method(X, "sum")),
        ("masked_fill", Method(X, "masked_fill")),
    ],
)
def test_attributes_of_a_tensor(name: str, kind: Kind) -> None:
    assert signatures.attribute(X, name) == kind


def test_an_attribute_that_tensors_do_not_have_is_unknown() -> None:
    assert signatures.attribute(X, "last_hidden_state") is None
    assert signatures.attribute(UNKNOWN, "shape") is None


def test_numpy_gives_arrays_unless_it_folds_numbers() -> None:
    assert result("numpy.sqrt", INT) == NUMPY_FLOAT
    assert result("operator.add", result("numpy.ceil", FLOAT), INT) == NUMPY_FLOAT
    assert result("operator.add", FLOAT, INT) == FLOAT
    assert result("numpy.minimum", INT, INT) == Python("int", numpy=True)
    assert result("numpy.minimum", INT, FLOAT) == NUMPY_FLOAT
    assert result("numpy.clip", Const(3), Const(0), INT) == Python("int", numpy=True)
    assert result("numpy.around", FLOAT) == NUMPY_FLOAT
    assert result("numpy.float_power", INT, INT) == NUMPY_FLOAT
    assert result("numpy.ceil", INT) == Python("int", numpy=True)
    assert result("numpy.trunc", INT) == NUMPY_FLOAT
    assert result("numpy.sqrt", UNKNOWN) == UNKNOWN
    assert result("numpy.double", UNKNOWN) == UNKNOWN
    assert result("numpy.add", UNKNOWN, Array()) == Array()
    assert result("numpy.prod", Sequence("tuple", INT)) == Array(number=True)
    assert result("numpy.prod", Sequence("tuple", INT), INT) == Array()
    assert result("numpy.isnan", Array()) == Array("bool")
    assert method(X, "numpy") == Array("float")
    assert method(Array(), "swapaxes") == Array()
    assert method(Array(), "__pow__", INT) == Array()
    assert method(Array(), "is_floating_point") == UNKNOWN
    assert result("torch.from_numpy", Array("int")) == Tensor("int", None)


def test_a_number_of_unknown_source_stays_unknown() -> None:
    assert result("builtins.int", UNKNOWN) == UNKNOWN
    assert result("operator.add", UNKNOWN, INT) == UNKNOWN
    assert result("some.library.function", X) == UNKNOWN
    assert result("torch.load", STR) == UNKNOWN


def test_questions_to_a_device_are_no_data() -> None:
    assert result("torch.cuda.is_available") == BOOL
    assert result("torch.xpu.device_count") == INT


def test_what_is_compiled_runs_in_no_worker_of_a_loader() -> None:
    assert result("torch.utils.data.get_worker_info") == NONE


def test_what_changes_a_module_gives_it_back() -> None:
    conv = External("torch.nn.Conv1d")
    assert result("torch.nn.utils.weight_norm", conv) == conv


def test_a_dictionary_remembers_its_keys() -> None:
    found = result("builtins.dict", mask=MASK, size=INT)
    assert method(found, "get", Const("mask")) == MASK
    assert method(found, "get", Const("other")) != MASK
    assert method(Dictionary(X), "items") == Sequence("iterator", sequence("tuple", (UNKNOWN, X)))


# Modules


def test_a_module_is_made_and_called() -> None:
    linear = result("torch.nn.Linear", INT, INT)
    assert linear == External("torch.nn.Linear")
    assert method(linear, "forward", X) == X
    assert signatures.attribute(linear, "weight") == Tensor("float", parameter=True)
    assert signatures.attribute(linear, "in_features") == INT
    assert signatures.attribute(linear, "training") == TRAINING
    assert signatures.attribute(linear, "eval") == Method(linear, "eval")
    assert signatures.attribute(linear, "no_such_thing") is None


def test_recurrent_modules_give_their_state_too() -> None:
    lstm = method(External("torch.nn.LSTM"), "forward", X)
    assert lstm == sequence("tuple", (X, sequence("tuple", (X, X))))
    assert method(External("torch.nn.GRU"), "forward", X) == sequence("tuple", (X, X))


def test_containers_know_their_layers() -> None:
    layers = (External("torch.nn.Linear"), External("torch.nn.Flatten"))
    sequential = result("torch.nn.Sequential", *layers)
    assert sequential == External("torch.nn.Sequential", layers)
    assert method(sequential, "forward", X) == Tensor("float", 2)
    listed = result("torch.nn.ModuleList", sequence("list", layers))
    assert signatures.iterated(listed) == join(*layers)
    assert result("operator.getitem", listed, Const(1)) == layers[1]


def test_what_a_sequence_of_unknown_layers_gives_is_unknown() -> None:
    unknown = result("torch.nn.Sequential", UNKNOWN)
    assert method(unknown, "forward", X) == UNKNOWN


def test_parameters_exist_before_the_region() -> None:
    assert result("torch.nn.Parameter", X) == Tensor("float", 3, parameter=True)
    listed = method(External("torch.nn.Linear"), "parameters")
    assert signatures.iterated(listed) == Tensor("float", parameter=True)


@pytest.mark.parametrize(
    "name",
    [
        "torch.nn.Module",
        "torch.nn.modules.module.Module",
        "torch.nn.modules.loss._Loss",
        "torch.nn.modules.conv.Conv2d",
        "transformers.PreTrainedModel",
        "transformers.modeling_utils.PreTrainedModel",
        "transformers.models.bert.modeling_bert.BertForMaskedLM",
        "diffusers.ModelMixin",
        "lightning.LightningModule",
        "lightning.pytorch.LightningModule",
        "torch_geometric.nn.MessagePassing",
        "torch_geometric.nn.conv.GCNConv",
        "torchvision.models.ResNet",
        "timm.models.vision_transformer.VisionTransformer",
    ],
)
def test_modules(name: str) -> None:
    assert signatures.is_module_class(name)


def test_what_a_lightning_module_has_besides() -> None:
    module = External("pytorch_lightning.LightningModule")
    assert signatures.attribute(module, "log") == Method(module, "log")
    assert signatures.attribute(module, "encoder") is None


@pytest.mark.parametrize(
    "name",
    [
        "torch.nn.Parameter",
        "torch.optim.Adam",
        "torch.nn.functional.relu",
        "torch.utils.data.Dataset",
        "torch.autograd.Function",
        "transformers.AutoModel",
        "transformers.BertConfig",
        "transformers.BertTokenizer",
        "torchvision.models.ResNet50_Weights",
        "torch_geometric.nn.pool.select.SelectOutput",
        "Module",
    ],
)
def test_no_modules(name: str) -> None:
    assert not signatures.is_module_class(name)


# Callables among the arguments


def test_a_checkpoint_calls_its_function_with_the_rest() -> None:
    keywords: dict[str, Kind] = {"use_reentrant": Const(False), "mask": MASK}
    found = signatures.entered("torch.utils.checkpoint.checkpoint", [UNKNOWN, X, INT], keywords)
    assert found == (Entered(0, (X, INT), (("mask", MASK),)),)


def test_map_calls_with_the_elements() -> None:
    found = signatures.entered("builtins.map", [UNKNOWN, Sequence("list", X)], {})
    assert found == (Entered(0, (X,), (), "iterator"),)


def test_sorted_calls_its_key() -> None:
    found = signatures.entered("builtins.sorted", [Sequence("list", X)], {"key": UNKNOWN})
    assert found == (Entered("key", (X,), (), "other"),)
    assert signatures.entered("builtins.sorted", [Sequence("list", X)], {}) == ()


def test_cond_calls_both_branches_with_what_is_an_input_to_them() -> None:
    found = signatures.entered("torch.cond", [MASK, UNKNOWN, UNKNOWN, sequence("tuple", (X,))], {})
    handed_in = replace(X, parameter=True)
    assert [(entry.argument, entry.args) for entry in found] == [(1, (handed_in,)), (2, (handed_in,))]


@pytest.mark.parametrize("name", ["tree_map", "tree_map_"])
def test_tree_map_calls_with_the_leaves(name: str) -> None:
    tree = Dictionary(UNKNOWN, (("a", X), ("b", sequence("list", (X,)))))
    (entry,) = signatures.entered(signatures.canonical(f"torch.utils._pytree.{name}"), [UNKNOWN, tree], {})
    assert entry.args == (X,)


def test_transforms_give_a_function_to_call() -> None:
    function = Reference("torch.sum")
    assert result("torch.func.vmap", function) == Partial(function)
    assert result("torch.func.grad", function) == Partial(function)
    assert result("functools.partial", function, X) == Partial(function, (X,))


def test_a_function_that_calls_nothing_enters_nothing() -> None:
    assert signatures.entered("torch.relu", [X], {}) == ()


# Names


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("tqdm.auto.tqdm", "tqdm.tqdm"),
        ("tqdm.notebook.trange", "tqdm.trange"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch.nn.modules.rnn.LSTM", "torch.nn.LSTM"),
        ("torch.nn.modules.rnn.LSTM.forward", "torch.nn.LSTM.forward"),
        ("torch.autograd.grad_mode.no_grad", "torch.no_grad"),
        ("torch._dynamo.disable", "torch.compiler.disable"),
        ("torch._jit_internal.is_scripting", "torch.jit.is_scripting"),
        ("torch.random.manual_seed", "torch.manual_seed"),
        ("torch.optim.adam.Adam", "torch.optim.Adam"),
        ("torch.sum", "torch.sum"),
        ("mylib.torch.sum", "mylib.torch.sum"),
    ],
)
def test_canonical_names(name: str, canonical: str) -> None:
    assert signatures.canonical(name) == canonical


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("torch.compiler.is_compiling", True),
        ("torch._dynamo.is_compiling", True),
        ("torch.jit.is_scripting", False),
        ("typing.TYPE_CHECKING", False),
        ("torch.is_grad_enabled", None),
        ("mylib.is_compiling", None),
    ],
)
def test_predicates_on_the_compiler(name: str, state: bool | None) -> None:
    assert signatures.compile_state(name) is state


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("torch.Tensor", Tensor()),
        ("torch.LongTensor", Tensor("int")),
        ("torch.BoolTensor", Tensor("bool")),
        ("jaxtyping.Float", Tensor("float")),
        ("torchtyping.TensorType", Tensor()),
        ("builtins.int", INT),
        ("numpy.ndarray", Array()),
        ("torch.dtype", Python("dtype")),
        ("torch_geometric.typing.OptTensor", Union((Tensor(), NONE))),
        ("mylib.Config", None),
    ],
)
def test_annotations(name: str, kind: Kind | None) -> None:
    assert signatures.annotation_kind(name) == kind


def test_loggers_of_libraries_are_loggers() -> None:
    for getter in (
        "logging.getLogger",
        "transformers.utils.logging.get_logger",
        "accelerate.logging.get_logger",
    ):
        assert result(getter, STR) == External("logging.Logger")
    assert not signatures.is_logger_getter("mylib.get_logger")


def test_what_loguru_makes_of_its_logger_logs_as_that_does() -> None:
    code = "from loguru import logger\nlog = logger.bind(part='model').opt(depth=1)\n"
    assert callees(code + "def f(x):\n    log.info('step')") == ["loguru.logger.info"]


def test_methods_that_only_tensors_have() -> None:
    assert all(signatures.is_distinctive_tensor_method(name) for name in ("item", "nonzero", "backward", "unsqueeze"))
    assert signatures.is_tensor_method("sum")
    for name in ("sum", "get", "copy", "index", "split", "format", "append", "values", "size", "to"):
        assert not signatures.is_distinctive_tensor_method(name)


def test_nothing_of_torch_or_numpy_is_imported() -> None:
    program = (
        "import sys; from compilelint.inspect import signatures; signatures.canonical('torch.sum');"
        "sys.exit(bool({'torch', 'numpy', 'libcst'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("key", "default", "kind"),
    [
        (Const("a"), (), X),
        (Const("b"), (), join(OBJECT, NONE)),
        (Const("b"), (INT,), join(OBJECT, INT)),
        (STR, (), join(X, NONE)),
    ],
)
def test_what_get_finds_in_a_dict_of_known_entries(key: Kind, default: tuple[Kind, ...], kind: Kind) -> None:
    given = Dictionary(X, (("a", X),))
    assert signatures.result("builtins.dict.get", given, (key, *default), {}) == kind


def test_keywords_that_only_torch_has_tell_what_is_called() -> None:
    assert signatures.result_by_keywords("argmax", (), {"dim": INT}) == Tensor("int", None, Confidence.MEDIUM)
    assert signatures.result_by_keywords("argmax", (INT,), {}) == UNKNOWN
    assert signatures.result_by_keywords("max", (), {"dim": INT}) == UNKNOWN, "a pair"


def test_what_only_tensors_have_gives_what_it_gives_of_a_tensor() -> None:
    assert signatures.result_by_keywords("detach", (), {}) == Tensor(confidence=Confidence.MEDIUM)
    assert signatures.result_by_keywords("type_as", (X,), {}) == Tensor("float", None, Confidence.MEDIUM)
    assert signatures.result_by_keywords("reshape", (INT,), {}) == UNKNOWN, "arrays have it, too"
    assert signatures.result_by_keywords("half", (), {}) == UNKNOWN, "modules have it, too"


def test_what_none_may_be_is_never_iterated() -> None:
    assert signatures.iterated(join(Tensor("int", 2), NONE)) == Tensor("int", 1)


def test_what_is_saved_for_backward_are_tensors() -> None:
    context = External("torch.autograd.function.FunctionCtx")
    assert signatures.attribute(context, "saved_tensors") == Sequence("tuple", Tensor(parameter=True))


# einops


@pytest.mark.parametrize(
    ("name", "args", "kind"),
    [
        ("rearrange", (X, Const("b n d -> b d n")), X),
        ("rearrange", (X, Const("b n (h d) -> (b h) n d 1")), Tensor("float", 4)),
        ("rearrange", (X, Const("... d -> d ...")), Tensor("float")),
        ("rearrange", (Sequence("list", MASK), Const("k b n -> (k b) n")), MASK),
        ("repeat", (MASK, Const("b n -> b n ()")), Tensor("bool", 3)),
        ("reduce", (X, Const("b n d ->"), Const("mean")), Tensor("float", 0)),
        ("einsum", (X, X, Const("b i d, b j d -> b i j")), X),
        ("rearrange", (UNKNOWN, STR), Tensor(confidence=Confidence.MEDIUM)),
        ("rearrange", (Array("float"), STR), Array("float")),
        ("pack", (Sequence("list", X), Const("b *")), sequence("tuple", (Tensor("float"), SHAPES))),
        ("unpack", (X, UNKNOWN, Const("b *")), Sequence("list", Tensor("float"))),
        ("parse_shape", (X, Const("b n d")), Dictionary(INT)),
        ("get_backend", (X,), UNKNOWN),
    ],
)
def test_einops_gives_tensors_of_as_many_dimensions_as_the_pattern_has(
    name: str, args: tuple[Kind, ...], kind: Kind
) -> None:
    assert result(f"einops.{name}", *args) == kind


def test_layers_of_einops_are_modules() -> None:
    layer = result("einops.layers.torch.Rearrange", Const("b c h w -> b (h w) c"))
    assert layer == External("einops.layers.torch.Rearrange")
    assert method(layer, "forward", X) == Tensor("float")
    assert method(External("torch.nn.Sequential", (External("torch.nn.GELU"), layer)), "forward", X) == Tensor("float")


def test_the_truth_of_what_is_not_known_has_no_known_dimensions() -> None:
    """`mask == other` of things that are not known is a tensor, where torch takes it for an operand."""
    known = signatures.result("torch.logical_and", None, (Tensor("bool", 0), Tensor("bool", 0)), {})
    unknown = signatures.result("torch.logical_and", None, (BOOL, BOOL), {})
    assert known == Tensor("bool", 0)
    assert unknown == Tensor("bool", None)


# PyTorch Geometric


@pytest.mark.parametrize("options", [{}, {"add_self_loops": Const(True)}, {"heads": Const(2)}])
def test_convolutions_of_graphs_are_of_their_class_as_long_as_they_handle_the_edges(options: dict[str, Kind]) -> None:
    assert result("torch_geometric.nn.GATConv", INT, INT, **options) == External("torch_geometric.nn.GATConv")


@pytest.mark.parametrize(
    "options",
    [{"add_self_loops": Const(False)}, {"normalize": Const(False)}, {"add_self_loops": UNKNOWN}],
)
def test_convolutions_that_may_leave_the_edges_alone_are_any_module(options: dict[str, Kind]) -> None:
    assert result("torch_geometric.nn.GCNConv", INT, INT, **options) == External("torch.nn.Module")


def test_layers_of_others_are_not_asked_about_edges() -> None:
    assert result("timm.layers.Mlp", normalize=Const(False)) == External("timm.layers.Mlp")


@pytest.mark.parametrize(("name", "kind"), [("scatter", Tensor()), ("dropout_edge", UNKNOWN)])
def test_functions_of_graphs_that_give_one_tensor(name: str, kind: Kind) -> None:
    assert result(f"torch_geometric.utils.{name}", X) == kind


def test_the_causal_mask_of_a_transformer_is_of_floats() -> None:
    assert result("torch.nn.Transformer.generate_square_subsequent_mask", INT) == Tensor("float", 2)


@pytest.mark.parametrize("name", ["builtins.max", "builtins.min"])
def test_the_largest_of_a_tensor_and_numbers_is_a_tensor_in_the_graph(name: str) -> None:
    assert result(name, Tensor("int", 0), Const(0)) == Tensor("int", 0)
    assert result(name, INT, FLOAT, Tensor("int", 0)) == Tensor("float", 0)


def test_the_largest_of_what_nobody_knows_and_a_tensor_may_be_either() -> None:
    assert isinstance(result("builtins.max", Tensor("int", 0), NONE), Union)
    assert not isinstance(result("builtins.max", Const(1), INT), Tensor)
