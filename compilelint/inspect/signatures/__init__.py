"""What torch, numpy and the standard library give, in kinds: a table, so that torch is never imported.

`torch.json` is generated from torch's own stubs and from calling it (tools/generate_signatures.py); the
modules here read it and hold what neither tells.
"""

from compilelint.inspect.signatures.annotated import annotation_kind
from compilelint.inspect.signatures.calls import iterated
from compilelint.inspect.signatures.classes import is_module_class
from compilelint.inspect.signatures.conversions import TENSOR_CLASSES, TENSOR_TYPES
from compilelint.inspect.signatures.distributions import INDEPENDENT, LEFT_TO_BASE
from compilelint.inspect.signatures.entering import Entered, Gives, entered
from compilelint.inspect.signatures.lookup import (
    MAKERS,
    attribute,
    class_name,
    is_distinctive_module_method,
    is_distinctive_tensor_method,
    is_method_of_tensors_only,
    is_module_method,
    is_tensor_method,
    result,
    result_by_keywords,
)
from compilelint.inspect.signatures.modules import CALLERS, WRAPPERS, with_layers
from compilelint.inspect.signatures.names import canonical, compile_state, is_logger_getter
from compilelint.inspect.signatures.present import is_in_every_torch, is_true_in_every_torch
from compilelint.inspect.signatures.releases import TORCH_VERSION, compare_releases, of_releases

__all__ = [
    "CALLERS",
    "INDEPENDENT",
    "LEFT_TO_BASE",
    "MAKERS",
    "TENSOR_CLASSES",
    "TENSOR_TYPES",
    "TORCH_VERSION",
    "WRAPPERS",
    "Entered",
    "Gives",
    "annotation_kind",
    "attribute",
    "canonical",
    "class_name",
    "compare_releases",
    "compile_state",
    "entered",
    "is_distinctive_module_method",
    "is_distinctive_tensor_method",
    "is_in_every_torch",
    "is_logger_getter",
    "is_method_of_tensors_only",
    "is_module_class",
    "is_module_method",
    "is_tensor_method",
    "is_true_in_every_torch",
    "iterated",
    "of_releases",
    "result",
    "result_by_keywords",
    "with_layers",
]
