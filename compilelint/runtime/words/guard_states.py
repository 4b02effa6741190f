"""What holds around a compiled call (gradients, autocast, settings of torch), in words where it changed."""

from __future__ import annotations

_STATES = {
    "grad_mode": "gradient mode changed (`no_grad`, `inference_mode`, `enable_grad`)",
    "default_dtype": "the default dtype changed (`torch.set_default_dtype`)",
    "deterministic_algorithms": "`torch.use_deterministic_algorithms` changed",
    "num_threads": "the number of threads changed (`torch.set_num_threads`)",
    "torch_function": "a `__torch_function__` mode was switched",
    "allow_tf32": "`allow_tf32` changed",
}


def changed_states(names: str) -> str:
    """What Dynamo calls the states that changed, in words: `grad_mode autocast(cpu)_enabled`."""
    changed = names.split()
    of_autocast = [name for name in changed if "autocast" in name]
    said = [_STATES.get(name, f"global state changed: {name}") for name in changed if name not in of_autocast]
    return "; ".join([*said, *([f"autocast changed ({', '.join(of_autocast)})"] if of_autocast else [])])
