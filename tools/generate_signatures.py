"""Write compilelint/inspect/signatures/torch.json: what the installed torch declares and does.

    python -m tools.generate_signatures [OUTPUT]

Declared: the return types of torch's own stubs and operator schemas. Measured: the dtype and number of
dimensions that each function gives on small inputs, kept only where one rule explains every call. The
module classes are constructed, and their attributes looked at. What neither tells is written by hand
in compilelint/inspect/signatures/.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from tools.measure_operators import measured_rule

OUTPUT = Path(__file__).parent.parent / "compilelint" / "inspect" / "signatures" / "torch.json"
STUBS = Path(torch.__file__).parent

SIMPLE = {
    "Tensor": "T",
    "torch.Tensor": "T",
    "Self": "T",
    "Parameter": "T",
    "_int": "int",
    "int": "int",
    "SymInt": "int",
    "torch.SymInt": "int",
    "_float": "float",
    "float": "float",
    "_bool": "bool",
    "bool": "bool",
    "str": "str",
    "_dtype": "dtype",
    "dtype": "dtype",
    "_device": "device",
    "torch.device": "device",
    "_layout": "layout",
    "Size": "size",
    "torch.Size": "size",
    "None": "none",
    "Number": "number",
    "number": "number",
    "Scalar": "number",
    "numpy.ndarray": "array",
}
SEQUENCES = ("Sequence", "list", "List")
FUNCTION_MODULES = (
    "torch.linalg",
    "torch.fft",
    "torch.special",
    "torch.sparse",
    "torch.nested",
    "torch.nn.init",
)
SAMPLE_ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    (),
    (4,),
    (4, 4),
    (4, 4, 3),
    (4, 2),
    (4, 4, 4),
    (2, 4, 4),
    (4, 4, [2, 3]),
    (0.5, 0.5),
    (4, 2, 4, 4),
)


def generate() -> dict[str, Any]:
    """Everything that the table holds, JSON-ready and sorted, the same at every run."""
    warnings.simplefilter("ignore")
    functions = {
        "torch": _stub_returns(STUBS / "_C" / "_VariableFunctions.pyi") | _annotated_returns(torch),
        "torch.Tensor": _stub_returns(STUBS / "_C" / "__init__.pyi", "TensorBase") | _annotated_returns(torch.Tensor),
        "torch.nn.functional": _stub_returns(STUBS / "nn" / "functional.pyi") | _annotated_returns(torch.nn.functional),
    }
    schemas = _schema_returns()
    for name in FUNCTION_MODULES:
        module = sys.modules[name]
        prefix = name.removeprefix("torch.").replace(".", "_")
        declared = {
            attribute: schemas[f"{prefix}_{attribute}"]
            for attribute in _public(module)
            if f"{prefix}_{attribute}" in schemas
        }
        functions[name] = declared | _annotated_returns(module)
    public = {name: {key: code for key, code in sorted(table.items()) if code} for name, table in functions.items()}
    classes = _module_classes()
    return {
        "torch": torch.__version__.split("+")[0],
        "returns": {name: _inverted(table) for name, table in public.items()},
        "measured": {name: _inverted(_measured(name, table)) for name, table in public.items()},
        "modules": {name: _module_facts(cls) for name, cls in sorted(classes.items())},
        "aliases": dict(sorted(_aliases().items())),
    }


def _inverted(table: dict[str, str]) -> dict[str, str]:
    """Names by what they have in common: small on disk, and quick to load."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, value in sorted(table.items()):
        groups[value].append(name)
    return {value: " ".join(names) for value, names in sorted(groups.items())}


# What torch declares


def _stub_returns(path: Path, class_name: str | None = None) -> dict[str, str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    if class_name is not None:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == class_name)
    found: dict[str, set[str]] = defaultdict(set)
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.returns is not None and _is_public(node.name):
            found[node.name].add(_code(ast.unparse(node.returns)))
    return {name: "|".join(sorted(codes)) if "any" not in codes else "" for name, codes in found.items()}


def _is_public(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__") and name != "__init__")


def _code(annotation: str) -> str:
    """The table's short word for a return annotation; "any" where there is none for it."""
    text = annotation.strip().replace("_Optional", "Optional")
    if text in SIMPLE:
        return SIMPLE[text]
    if text.startswith(("torch.return_types.", "return_types.")):
        fields: int = getattr(torch.return_types, text.rsplit(".", 1)[1]).n_fields
        return f"({','.join(['T'] * fields)})"
    if text.endswith("| None"):
        return _code(text.removesuffix("| None"))
    if text.endswith("]"):
        base, inside = text[:-1].split("[", 1)
        base = base.rsplit(".", 1)[-1]
        parts = [part.strip() for part in _top_level(inside)]
        if base in SEQUENCES or (base in ("tuple", "Tuple") and parts[-1] == "..."):
            item = _code(parts[0])
            return f"{item}*" if item != "any" else "any"
        if base in ("tuple", "Tuple"):
            items = [_code(part) for part in parts]
            return "any" if "any" in items else f"({','.join(items)})"
        if base == "Optional":
            return _code(parts[0])
    return "any"


def _top_level(text: str) -> list[str]:
    parts, level = [""], 0
    for character in text:
        level += (character in "[(") - (character in "])")
        if character == "," and level == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _annotated_returns(owner: ModuleType | type) -> dict[str, str]:
    """The Python functions of a module or class that say what they return."""
    found = {}
    for name in _public(owner):
        annotation = getattr(getattr(owner, name, None), "__annotations__", {}).get("return", "any")
        text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        code = _code(text.replace("torch.Tensor", "Tensor"))
        if code != "any":
            found[name] = code
    return found


def _public(owner: ModuleType | type) -> list[str]:
    return sorted(name for name in dir(owner) if not name.startswith("_"))


def _schema_returns() -> dict[str, str]:
    """Name of each operator of aten → what its overloads without `out` return."""
    found: dict[str, set[str]] = defaultdict(set)
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::") and not schema.overload_name.endswith("out"):
            types = [_schema_code(str(result.type)) for result in schema.returns]
            found[schema.name.removeprefix("aten::")].add(types[0] if len(types) == 1 else f"({','.join(types)})")
    return {name: next(iter(codes)) for name, codes in found.items() if len(codes) == 1}


def _schema_code(text: str) -> str:
    return "T*" if text == "List[Tensor]" else SIMPLE.get(text, "any")


def _measured(module: str, declared: dict[str, str]) -> dict[str, str]:
    owner: Any = torch.Tensor if module == "torch.Tensor" else sys.modules[module]
    names = [name for name, code in declared.items() if code == "T" and not name.endswith("_") and hasattr(owner, name)]
    rules = {name: measured_rule(getattr(owner, name)) for name in names}
    return {name: rule for name, rule in rules.items() if rule != "? ?"}


# Modules


def _module_classes() -> dict[str, type[torch.nn.Module]]:
    """Public name → class, of everything in torch that is an nn.Module."""
    import torch.distributed.fsdp
    import torch.fx
    import torch.nn.parallel
    import torch.optim.swa_utils

    found = {}
    for cls in _subclasses(torch.nn.Module):
        name = _public_name(cls)
        if name is not None:
            found[name] = cls
    found["torch.nn.Module"] = torch.nn.Module
    return found


def _subclasses(cls: type) -> Iterator[type]:
    for child in cls.__subclasses__():
        if not child.__module__.startswith("torch.ao."):
            yield child
        yield from _subclasses(child)


def _public_name(value: Any) -> str | None:
    """The shortest dotted name without an underscore by which torch itself offers the object."""
    own = f"{value.__module__}.{value.__qualname__}"
    if not own.startswith("torch.") or "<locals>" in own:
        return None
    parts = value.__module__.split(".")
    for length in range(1, len(parts) + 1):
        module = sys.modules.get(".".join(parts[:length]))
        if getattr(module, value.__qualname__, None) is value:
            name = ".".join((*parts[:length], value.__qualname__))
            return None if _is_private(name) else name
    return None


def _is_private(name: str) -> bool:
    """Bases such as torch.nn.modules.loss._Loss are private by name and inherited from all the same."""
    return "._" in name and not name.startswith("torch.nn.modules.")


def _module_facts(cls: type[torch.nn.Module]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    forward = _code(_forward_annotation(cls))
    if forward != "any" and cls is not torch.nn.Module:
        facts["forward"] = forward
    if not cls.__module__.startswith("torch.nn."):
        return facts
    instance = _sample(cls)
    if instance is None:
        return facts
    attributes: dict[str, str] = {}
    for name, value in vars(instance).items():
        word = _attribute_word(value)
        if word and not name.startswith("_"):
            attributes[name] = word
    for name in (*instance._parameters, *instance._buffers):
        attributes[name] = "P"
    for name, module in instance._modules.items():
        public = _public_name(type(module))
        if public is not None and module is not None:
            attributes[name] = public
    attributes.pop("training", None)
    if attributes:
        facts["attributes"] = _inverted(attributes)
    return facts


def _forward_annotation(cls: type[torch.nn.Module]) -> str:
    annotation = getattr(inspect.getattr_static(cls, "forward"), "__annotations__", {}).get("return", "any")
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return text.replace("torch.Tensor", "Tensor")


def _sample(cls: type[torch.nn.Module]) -> torch.nn.Module | None:
    for args in SAMPLE_ARGUMENTS:
        with contextlib.suppress(Exception):
            return cls(*args)
    return None


def _attribute_word(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        inner = {_attribute_word(item) for item in value}
        return f"{inner.pop()}*" if len(inner) == 1 and isinstance(value, tuple) else ""
    for type_ in (bool, int, float, str):
        if isinstance(value, type_):
            return type_.__name__
    return ""


# Names


def _aliases() -> dict[str, str]:
    """Every other public path to an object of torch's public modules → the name it is known by."""
    homes: dict[int, str] = {}
    keep = []
    for name in PREFERRED:
        module = sys.modules[name]
        for attribute in _public(module):
            value = getattr(module, attribute)
            if _is_nameable(value) and id(value) not in homes:
                homes[id(value)] = f"{name}.{attribute}"
                keep.append(value)
    found = {}
    for module_name in sorted(sys.modules):
        module = sys.modules[module_name]
        if not module_name.startswith("torch.") or not _worth_an_alias(module_name):
            continue
        for attribute in _public(module):
            value = vars(module).get(attribute)
            home = homes.get(id(value)) if _is_nameable(value) else None
            path = f"{module_name}.{attribute}"
            if home is not None and home != path and _lives_in(value, module_name):
                found[path] = home
    return found


PREFERRED = (
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.compiler",
    "torch.linalg",
    "torch.fft",
    "torch.special",
    "torch.autograd",
    "torch.func",
    "torch.optim",
    "torch.utils.checkpoint",
    "torch.nn.parallel",
    "torch.nn.utils",
    "torch.distributions",
    "torch.nn.attention",
    "torch.cuda.amp",
    "torch.amp",
    "torch.random",
    "torch.jit",
    "torch._dynamo",
)


def _worth_an_alias(module: str) -> bool:
    skipped = (
        "torch.testing",
        "torch.ao",
        "torch.onnx",
        "torch.fx",
        "torch._inductor",
        "torch._refs",
        "torch._prims",
    )
    return not module.startswith(skipped)


def _lives_in(value: Any, module: str) -> bool:
    """Whether it is defined there or exported from there, not just imported for use."""
    listed = getattr(sys.modules[module], "__all__", None)
    name = getattr(value, "__name__", "")
    return getattr(value, "__module__", None) == module or (listed is not None and name in listed)


def _is_nameable(value: Any) -> bool:
    return callable(value) and getattr(value, "__module__", None) not in (
        None,
        "typing",
        "builtins",
        "functools",
    )


def main() -> None:
    """Write the table to the path given, or to its place in the package."""
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    output.write_text(json.dumps(generate(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
