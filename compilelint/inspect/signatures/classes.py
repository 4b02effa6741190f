"""Which classes from outside the project are modules."""

from __future__ import annotations

import functools

from compilelint.inspect.signatures.names import canonical
from compilelint.inspect.signatures.table import split_name, table

BASES = frozenset(
    {
        "transformers.modeling_utils.ModuleUtilsMixin",
        "diffusers.ModelMixin",
        "diffusers.models.ModelMixin",
        "diffusers.models.modeling_utils.ModelMixin",
        "pytorch_lightning.LightningModule",
        "lightning.fabric.wrappers._FabricModule",
        "torchvision.transforms.v2.Transform",
        "sentence_transformers.SentenceTransformer",
        "peft.PeftModel",
        "mmengine.model.BaseModule",
        "mmengine.model.BaseModel",
        "mmengine.model.base_module.BaseModule",
        "mmcv.runner.BaseModule",
    }
)
PACKAGES_OF_MODULES = (
    "einops.layers.torch.",
    "kornia.augmentation.",
    "monai.networks.",
    "timm.layers.",
    "timm.models.",
    "torch.ao.nn.",
    "torch_geometric.nn.",
    "torchvision.models.",
    "torchvision.ops.",
)
"""Here a class is a module unless its name ends in a word of `NO_MODULES`."""
NO_MODULES = (
    *(
        "Weights",
        "Config",
        "Cfg",
        "Output",
        "Loader",
        "LR",
        "Index",
        "Fn",
        "Function",
        "Type",
        "Info",
        "Args",
    ),
    *("Tracer", "Factory", "Builder", "Mixin", "MixIn", "Ops", "Interface", "Params"),
)
PACKAGES_OF_MODELS = ("transformers.", "diffusers.")
MODELS = (
    *(
        "PreTrainedModel",
        "Model",
        "Attention",
        "MLP",
        "Encoder",
        "Decoder",
        "Embeddings",
        "RMSNorm",
        "LayerNorm",
    ),
    *("Block", "Pooler", "Head"),
)
"""Endings of the names of modules in these packages (in transformers 5.23, 98 % of such classes are)."""
HEADS = (
    "ForCausalLM",
    "ForConditionalGeneration",
    "ForMaskedLM",
    "Classification",
    "ForQuestionAnswering",
    "LMHeadModel",
)


@functools.cache
def is_module_class(dotted: str) -> bool:
    """Whether a class from outside the project is an nn.Module."""
    name = canonical(dotted)
    if name in table().modules or name in BASES:
        return True
    last = split_name(name)[1]
    if not last[:1].isupper():
        return False
    if name.startswith(PACKAGES_OF_MODULES):
        return not last.endswith(NO_MODULES)
    if name.startswith(PACKAGES_OF_MODELS):
        return last.endswith((*MODELS, *HEADS)) and not last.startswith(("Auto", "Onnx", "EMA"))
    return False
