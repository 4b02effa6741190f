"""Facts about names alone: what else something is called, and what it is."""

from __future__ import annotations

import functools

from compilelint.inspect.signatures.table import table

RENAMED = {
    "torch.utils._python_dispatch.TorchDispatchMode": "torch.utils._python_dispatch.TorchDispatchMode",
    "torch.futures.Future": "torch.futures.Future",
    # Which others only import to use it, `torch.utils.checkpoint` among them.
    "torch.utils._pytree.tree_map": "torch.utils._pytree.tree_map",
    "torch._disable_dynamo": "torch.compiler.disable",
    "torch._dynamo.disable": "torch.compiler.disable",
    "torch._dynamo.allow_in_graph": "torch.compiler.allow_in_graph",
    "torch._dynamo.reset": "torch.compiler.reset",
    "torch._dynamo.is_compiling": "torch.compiler.is_compiling",
    "torch._dynamo.external_utils.is_compiling": "torch.compiler.is_compiling",
    "torch._utils.is_compiling": "torch.compiler.is_compiling",
    "torch._tensor.Tensor": "torch.Tensor",
    "torch._C.TensorBase": "torch.Tensor",
    "torch._C._TensorBase": "torch.Tensor",
    "torch.func.vmap": "torch.vmap",
    "torch.version.__version__": "torch.__version__",
    "torch.random.manual_seed": "torch.manual_seed",
    "torch.nn.parameter.Parameter": "torch.nn.Parameter",
    "torch.nn.parameter.Buffer": "torch.nn.Buffer",
    "functorch.vmap": "torch.vmap",
    "functorch.grad": "torch.func.grad",
    "functorch.vjp": "torch.func.vjp",
    "functorch.jvp": "torch.func.jvp",
    "functorch.jacrev": "torch.func.jacrev",
    "functorch.jacfwd": "torch.func.jacfwd",
    "functorch.hessian": "torch.func.hessian",
    "functorch.grad_and_value": "torch.func.grad_and_value",
    # They do no more than to call it (torchvision/ops/boxes.py, of every release since 0.8).
    "torchvision.ops.nms": "torch.ops.torchvision.nms",
    "torchvision.ops.boxes.nms": "torch.ops.torchvision.nms",
    "torchvision.ops.batched_nms": "torch.ops.torchvision.nms",
    "torchvision.ops.boxes.batched_nms": "torch.ops.torchvision.nms",
    "lightning.LightningModule": "pytorch_lightning.LightningModule",
    "lightning.pytorch.LightningModule": "pytorch_lightning.LightningModule",
    "pytorch_lightning.core.LightningModule": "pytorch_lightning.LightningModule",
    "lightning.pytorch.core.LightningModule": "pytorch_lightning.LightningModule",
    "pytorch_lightning.core.module.LightningModule": "pytorch_lightning.LightningModule",
    "lightning.pytorch.core.module.LightningModule": "pytorch_lightning.LightningModule",
    "transformers.modeling_utils.PreTrainedModel": "transformers.PreTrainedModel",
    # OpenMMLab's containers are torch's, with one more option (mmengine/model/base_module.py).
    "mmengine.model.ModuleList": "torch.nn.ModuleList",
    "mmengine.model.ModuleDict": "torch.nn.ModuleDict",
    "mmengine.model.Sequential": "torch.nn.Sequential",
    "mmcv.runner.ModuleList": "torch.nn.ModuleList",
    "mmcv.runner.Sequential": "torch.nn.Sequential",
}


RENAMED.update(
    (f"tqdm.{module}.{name}", f"tqdm.{name}")
    for module in ("auto", "autonotebook", "notebook", "std", "asyncio", "rich", "gui")
    for name in ("tqdm", "trange")
)
"""Progress bars are all the same to Dynamo, wherever they are shown: all of `tqdm` is left out."""


@functools.cache
def canonical(dotted: str) -> str:
    """The name that something of torch is best known by; the name itself where there is no other.

    Methods follow their class: `torch.nn.modules.rnn.LSTM.forward` → `torch.nn.LSTM.forward`.
    """
    renamed = RENAMED.get(dotted) or table().aliases.get(dotted)
    if renamed is not None:
        return renamed
    owner, _, attribute = dotted.rpartition(".")
    if owner.startswith("torch.") and (home := RENAMED.get(owner) or table().aliases.get(owner)):
        return f"{home}.{attribute}"
    return dotted


# Loggers

LOGGER_GETTERS = frozenset(
    {
        "logging.getLogger",
        "logging.Logger",
        "transformers.utils.logging.get_logger",
        "transformers.logging.get_logger",
        "diffusers.utils.logging.get_logger",
        "diffusers.logging.get_logger",
        "diffusers.utils.get_logger",
        "speechbrain.utils.logger.get_logger",
        "monai.apps.get_logger",
        "monai.apps.utils.get_logger",
        "datasets.logging.get_logger",
        "huggingface_hub.logging.get_logger",
        "accelerate.logging.get_logger",
        "torch._logging.getArtifactLogger",
        "structlog.get_logger",
        "absl.logging.get_absl_logger",
    }
)


MORE_LOGGERS = frozenset({"loguru.logger.bind", "loguru.logger.opt", "loguru.logger.patch"})
"""What gives a logger of loguru that differs from the one it is called on in what it adds."""


def is_logger_getter(dotted: str) -> bool:
    """Whether calling it gives a `logging.Logger`, or something that works like one."""
    return dotted in LOGGER_GETTERS


# The state of the compiler

COMPILE_STATES = {
    **dict.fromkeys(
        (
            "torch.compiler.is_compiling",
            "torch.compiler.is_dynamo_compiling",
            "transformers.utils.is_torchdynamo_compiling",
            "transformers.utils.is_tracing",
            "transformers.utils.import_utils.is_torchdynamo_compiling",
            "transformers.utils.import_utils.is_tracing",
            "torch_geometric.is_compiling",
            "kornia.core.utils.is_compiling",
        ),
        True,
    ),
    **dict.fromkeys(
        (
            "torch.compiler.is_exporting",
            "torch.jit.is_scripting",
            "torch.jit.is_tracing",
            "torch.onnx.is_in_onnx_export",
            "torch.overrides.has_torch_function",
            "torch.overrides.has_torch_function_unary",
            "torch.overrides.has_torch_function_variadic",
            "torch._C._get_tracing_state",
            "torchvision._is_tracing",
            "torch.fx._symbolic_trace.is_fx_tracing",
            "transformers.utils.is_torchdynamo_exporting",
            "transformers.utils.import_utils.is_torchdynamo_exporting",
            "transformers.utils.import_utils.is_jit_tracing",
            "torch_geometric.is_in_onnx_export",
            "timm.layers.is_exporting",
            "kornia.core.utils.is_exporting",
            "typing.TYPE_CHECKING",
        ),
        False,
    ),
}


def compile_state(callee: str) -> bool | None:
    """Whether the predicate (or constant) is true while Dynamo traces; None where it is no such predicate."""
    return COMPILE_STATES.get(canonical(callee))
