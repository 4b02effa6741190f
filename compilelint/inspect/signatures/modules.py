"""torch.nn: what constructing a module, calling it and reading its attributes give."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from compilelint.inspect.kinds import (
    KEYS,
    MAX_OPTIONS,
    NONE,
    STR,
    TRAINING,
    UNKNOWN,
    Dictionary,
    External,
    Kind,
    Python,
    Sequence,
    Tensor,
    Union,
    join,
    sequence,
    tensor_part,
)
from compilelint.inspect.signatures.calls import flag
from compilelint.inspect.signatures.functional import loss_ndim
from compilelint.inspect.signatures.rules import words
from compilelint.inspect.signatures.table import split_name, table
from compilelint.inspect.signatures.tensors import WORDS, decode
from compilelint.report.confidence import Confidence

PARAMETER = Tensor("float", parameter=True)
RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN", "torch.nn.RNNBase"})
WRAPPERS = frozenset(
    {
        "torch.nn.DataParallel",
        "torch.nn.parallel.DistributedDataParallel",
        "torch.distributed.fsdp.FullyShardedDataParallel",
        "torch.optim.swa_utils.AveragedModel",
    }
)
"""Modules that are another one, run on several devices, or a copy of one: what it gives, they give."""
CALLERS = frozenset({"tensordict.nn.TensorDictModule"})
"""Modules of libraries that call what they are made with, but with other arguments, and give something else."""
CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"})
FLOAT_SAME = words("""
    Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d BatchNorm1d BatchNorm2d
    BatchNorm3d SyncBatchNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNorm RMSNorm GroupNorm
    LocalResponseNorm Softmax LogSoftmax Softmin GELU SiLU ELU SELU CELU Sigmoid LogSigmoid Softplus
    Mish TransformerEncoder TransformerEncoderLayer TransformerDecoder TransformerDecoderLayer
    Transformer GRUCell RNNCell
""")
LIKE_INPUT = words("""
    Identity Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout ReLU ReLU6 LeakyReLU
    PReLU RReLU Hardtanh Hardswish Hardsigmoid Hardshrink Softshrink Softsign Tanhshrink Threshold Tanh
    AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d
    AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d LPPool1d LPPool2d LPPool3d
    PixelShuffle PixelUnshuffle Upsample UpsamplingNearest2d UpsamplingBilinear2d ZeroPad1d ZeroPad2d
    ZeroPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d
    ReplicationPad3d ConstantPad1d ConstantPad2d ConstantPad3d CircularPad1d CircularPad2d CircularPad3d
    ChannelShuffle GLU
""")
ITSELF = words("""
    train eval to cuda cpu xpu half float double bfloat16 type requires_grad_ apply share_memory
    to_empty
""")

METHODS = ITSELF | words("""
    forward parameters buffers named_parameters named_buffers modules children named_modules
    named_children get_parameter get_buffer get_submodule state_dict load_state_dict zero_grad
    register_buffer register_parameter register_module add_module register_forward_hook
    register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook
    register_backward_hook register_state_dict_post_hook register_state_dict_pre_hook
    register_load_state_dict_post_hook register_load_state_dict_pre_hook extra_repr share_memory to_empty
    set_submodule get_extra_state set_extra_state append extend insert keys values items pop update clear
    compile flatten_parameters reset_parameters
""")
OF_SOME = words("append extend insert keys values items pop update clear flatten_parameters reset_parameters")
"""Those of them that only some modules have."""
METHODS_OF: Mapping[str, frozenset[str]] = {
    "pytorch_lightning.LightningModule": words("""
        log log_dict print manual_backward toggle_optimizer untoggle_optimizer optimizers lr_schedulers all_gather
        clip_gradients save_hyperparameters
    """),
}
"""What classes of other libraries have besides."""


def construct(cls: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """An instance of a module class; its `args` are the layers, or the option that changes the result."""
    if cls in CONTAINERS:
        layers, keys = _layers(cls, args, keywords)
        return External(cls, layers, keys)
    if cls in WRAPPERS or cls in CALLERS:
        return External(cls, (*args, *(keywords[name] for name in ("module", "model") if name in keywords))[:1])
    if cls.endswith("Loss") and loss_ndim(keywords) is None:
        return External(cls, (keywords.get("reduction", UNKNOWN),))
    if "MaxPool" in cls and flag(keywords.get("return_indices")) is not False:
        return External(cls, (keywords["return_indices"],))
    return External(cls)


def _layers(cls: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[tuple[Kind, ...], tuple[str, ...]]:
    """The layers of a container, and their names if all are known."""
    given = tuple(args) or tuple(keywords.get(name, NONE) for name in ("modules",) if name in keywords)
    if len(given) == 1 and isinstance(given[0], Union):
        given = (_if_any(given[0]),)
    if len(given) == 1 and isinstance(given[0], Dictionary):
        entries = given[0].entries
        if not entries:
            return (given[0].value,), ()
        names = tuple(name for name, _ in entries if isinstance(name, str))
        return tuple(kind for _, kind in entries), names if len(names) == len(entries) else ()
    if cls != "torch.nn.Sequential" and len(given) == 1 and isinstance(given[0], Sequence):
        items = given[0].items
        if items is None:
            return (given[0].item,), ()
        return items, tuple(map(str, range(len(items)))) if cls == "torch.nn.ModuleList" else ()
    if cls != "torch.nn.Sequential" and len(given) == 1 and isinstance(given[0], Union):
        # One of several lists, as an option asks for: it may have what any of them has.
        layers = [layer for each in given[0].options if each != NONE for layer in _layers(cls, (each,), {})[0]]
        return tuple(dict.fromkeys(layers))[:MAX_OPTIONS], ()
    return given, ()


def with_layers(container: External, added: Kind) -> External:
    """A container of layers with one more, or with some of a kind; which is which is not known from then on."""
    return External(container.cls, tuple(dict.fromkeys((*container.args, added)))[:MAX_OPTIONS])


def _if_any(layers: Union) -> Kind:
    """A list of layers that may be None: of None a container has no layers, and nothing calls any."""
    options = [option for option in layers.options if option != NONE]
    return options[0] if len(options) == 1 else layers


def forward(receiver: Kind | None, cls: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """What calling an instance gives."""
    namespace, name = split_name(cls)
    given = (tensor_part(args[0]) if args else None) or Tensor()
    if cls in RECURRENT:
        hidden: Kind = Tensor("float", given.ndim)
        state = sequence("tuple", (hidden, hidden)) if name == "LSTM" else hidden
        return sequence("tuple", (Tensor("float", given.ndim), state))
    if cls == "torch.nn.Sequential":
        return _through(receiver, given)
    if namespace == "torch.nn":
        if name == "MultiheadAttention":
            return sequence("tuple", (Tensor("float", given.ndim), join(Tensor("float"), NONE)))
        if name in FLOAT_SAME:
            return Tensor("float", given.ndim)
        if "MaxPool" in name and isinstance(receiver, External) and receiver.args:
            values = Tensor(given.dtype, given.ndim)
            both = sequence("tuple", (values, Tensor("int", given.ndim)))
            return both if flag(receiver.args[0]) else UNKNOWN
        if name in LIKE_INPUT:
            return Tensor(given.dtype, given.ndim)
        if name == "Embedding":
            return Tensor("float", given.ndim + 1 if given.ndim is not None else None)
        if name == "Flatten":
            return Tensor(given.dtype, 2)
        if name.endswith("Loss"):
            plain = not isinstance(receiver, External) or not receiver.args
            return Tensor("float", 0 if plain and name != "AdaptiveLogSoftmaxWithLoss" else None)
    if namespace == "einops.layers.torch":
        return Tensor(given.dtype)
    facts = table().modules.get(cls)
    return decode(facts.forward, Confidence.HIGH) if facts is not None and facts.forward else UNKNOWN


def _through(receiver: Kind | None, given: Tensor) -> Kind:
    if not isinstance(receiver, External) or not receiver.args:
        return Tensor(confidence=Confidence.MEDIUM)
    kind: Kind = given
    for layer in receiver.args:
        if not isinstance(layer, External):
            return UNKNOWN
        kind = forward(layer, layer.cls, (kind,), {})
    return kind


def module_method(receiver: Kind | None, name: str) -> Kind:
    """What a method that every module has gives."""
    if name in ITSELF:
        return receiver if receiver is not None else UNKNOWN
    match name:
        case "parameters":
            return Sequence("iterator", PARAMETER)
        case "buffers":
            return Sequence("iterator", Tensor(parameter=True))
        case "named_parameters":
            return Sequence("iterator", sequence("tuple", (STR, PARAMETER)))
        case "named_buffers":
            return Sequence("iterator", sequence("tuple", (STR, Tensor(parameter=True))))
        case "modules" | "children":
            return Sequence("iterator", UNKNOWN)
        case "named_modules" | "named_children":
            return Sequence("iterator", sequence("tuple", (STR, UNKNOWN)))
        case "get_parameter":
            return PARAMETER
        case "get_buffer":
            return Tensor(parameter=True)
        case "state_dict":
            return Dictionary(Tensor(parameter=True))
        case "extra_repr":
            return STR
        case "zero_grad" | "register_buffer" | "register_parameter" | "register_module" | "add_module":
            return NONE
        case _ if name.startswith("register_") and name.endswith("hook"):
            return External("torch.utils.hooks.RemovableHandle")
        case _:
            return UNKNOWN


def module_attribute(cls: str, name: str) -> Kind | None:
    """An attribute that instances of the class have; None where it is not known."""
    if name == "training":
        return TRAINING
    facts = table().modules.get(cls)
    word = facts.attributes.get(name) if facts is not None else None
    if word is None:
        return None
    if word == "P":
        return Tensor(parameter=True) if name == "num_batches_tracked" else PARAMETER
    if word.endswith("*"):
        return Sequence("tuple", Python(word[:-1]))
    return WORDS.get(word) or External(word)


def container_method(receiver: External, name: str) -> Kind | None:
    """`items`, `keys`, `values` of a ModuleDict, ParameterDict …, the children of both; None for any other method."""
    value = join(*receiver.args) if receiver.args else UNKNOWN
    if receiver.cls.startswith("torch.nn.Parameter"):
        value = PARAMETER
    match name:
        case "values" | "__iter__":
            return Sequence("iterator", value)
        case "children" if receiver.args:
            return Sequence("iterator", value)
        case "named_children" if receiver.args:
            return Sequence("iterator", sequence("tuple", (STR, value)))
        case "keys":
            return Sequence(KEYS, STR)
        case "items":
            return Sequence("iterator", sequence("tuple", (STR, value)))
        case "__len__":
            return Python("int")
        case "__getitem__" | "get":
            return value
        case _:
            return None
