"""Why an operator, of torch or of NumPy, breaks the graph, in plain words."""

from __future__ import annotations

import re

from compilelint.runtime.dynamo.told import Reason, Told, cut


def _operator(told: Told) -> str:
    found = re.search(r"`?((?:aten|torchvision|[a-z_]\w*)\.[\w.]+)`?", told.said)
    return re.sub(r"\.default$", "", found[1]) if found else "an operator"


_WRITTEN_AS = {
    "aten.nonzero": "`nonzero()`, `x[mask]` or `where(condition)`",
    "aten._unique2": "`unique()`",
    "aten._unique": "`unique()`",
    "aten.unique_consecutive": "`unique_consecutive()`",
    "aten.masked_select": "`masked_select`",
    "aten.unique_dim": "`unique(dim=…)`",
    "aten.repeat_interleave.Tensor": "`repeat_interleave`",
}
"""What people write who get these operators."""


def wait(told: Told) -> Reason | None:
    """For what a collective gave that was started before."""
    if "method `wait` of class `Work`" not in told.said:
        return None
    return Reason(
        "an asynchronous collective of `torch.distributed` is waited for, which Dynamo cannot trace",
        "Call the collective without `async_op=True`: in a graph the compiler overlaps communication by itself.",
    )


def dynamic_shape(told: Told) -> Reason:
    operator = _operator(told)
    if operator == "aten.repeat_interleave.Tensor":
        advice = "Pass `output_size=` (a Python int: the sum of the repeats), or repeat by one Python int."
    elif "unique" in operator:
        advice = "Call it outside the compiled code."
    else:
        advice = "Keep the size fixed: `torch.where(mask, x, 0)` instead of selecting by the mask."
    return Reason(
        f"the size of the result of {_WRITTEN_AS.get(operator, f'`{operator}`')} depends on the values of a tensor",
        advice,
    )


def array_attribute(told: Told) -> Reason | None:
    """Dynamo says which, and gives no advice."""
    found = re.search(r"NumpyNdarrayVariable\(\) (\w+)", told.context)
    if found is None:
        return None
    return Reason(
        f"`{found[1]}` of a NumPy array is asked for, which Dynamo does not trace",
        "Ask the tensor that the array was made from, or ask outside the compiled code.",
    )


def data_dependent(told: Told) -> Reason:
    operator = _operator(told)
    if operator == "aten._local_scalar_dense":
        words = (
            "the value of a tensor (or of a NumPy array) is needed as a Python number (`.item()`, `int()`, an index, "
            "a size or a bound)"
        )
    else:
        words = f"`{operator}` reads a tensor's value back into Python"
    return Reason(words, "Keep the value a tensor, or read it outside the compiled code.")


def write_outside(told: Told) -> Reason | None:
    """Of an operator that takes functions, whose graph may change nothing that is not its own. It is not said which."""
    found = re.search(r"Attempted to mutate (?:UnspecializedNNModule|UserDefinedObject)Variable\((\w+)\)", told.context)
    if "mutat" not in told.said.lower():
        return None
    what = f"an attribute of a `{found[1]}` that was" if found is not None else "what was"
    return Reason(
        f"a function that runs under `checkpoint`, `torch.cond` or the like changes {what} made outside of it",
        "Return the value from that function, and keep it after the call. Of checkpointing alone, "
        "`torch._dynamo.config.skip_fwd_side_effects_in_bwd_under_checkpoint = True` lets it be: the recomputation in "
        "the backward pass does not change it again then.",
    )


def view_in_place(told: Told) -> Reason | None:
    """Of what is called, Dynamo's own text tells the name in its own words: `L['___stack0'].unsqueeze_`."""
    found = re.search(r"calling `.*\.(\w+)_`\. Reason: Getting an inplace view on a graph input", told.explanation)
    if found is None:
        return None
    return Reason(
        f"`{found[1]}_` makes another view of an input, in place: of an argument, a parameter, or of what a function "
        "gave in which the graph broke",
        f"Use the form that returns a view: `x = x.{found[1]}(…)`.",
    )


def backend(told: Told) -> Reason | None:
    """What no rule of Dynamo's forbids, and the backend cannot compile for all that."""
    found = re.search(r"compiler `?([\w.]+)`? failed with (aten\.\w+)", told.said)
    if found is None:
        return None
    if found[2] == "aten.nonzero":
        # A write by a mask has no size that depends on data; the gradient of what is written has one.
        return Reason(
            f"the backend `{found[1]}` cannot compile something whose size depends on the data, as the backward pass "
            "of `x[mask] = value` is where `value` requires a gradient",
            "Write `x = torch.where(mask, value, x)`, with `mask[:, None]` for a mask of rows; for one value each, "
            "`x.masked_scatter(mask, values)`.",
        )
    if found[2] == "aten._local_scalar_dense":
        return Reason(
            f"the backend `{found[1]}` cannot compile what needs the value of a tensor as a Python number, as an index "
            "without dimensions does that the graph is given",
            "Give the index one dimension: `x[t.reshape(1)][0]`, or `x.index_select(0, t).squeeze(0)`.",
        )
    return None


def numpy(told: Told) -> Reason | None:
    found = re.search(r"numpy function: <(?:ufunc '|function |built-in function )(\w+)", told.context)
    if drawn := re.search(r"numpy function: <(?:bound|built-in) method (?:\w+\.)*(\w+) of ", told.context):
        return Reason(
            f"Dynamo cannot trace NumPy's `{drawn[1]}`, a method of its random generator",
            "Draw with torch (`torch.rand`, `torch.distributions`), or outside the compiled code.",
        )
    if found is None:
        return None
    return Reason(
        f"Dynamo cannot trace NumPy's `{found[1]}`", "Use an operator of torch, or call it outside the compiled code."
    )


IN_PIECES = Reason(
    "an operator writes its result (`out=`) to a part of a tensor that does not lie in one piece, as columns do",
    "Assign to it instead: `out[:, :4] = torch.add(a, b)` is traced.",
)
SPARSE = Reason(
    "a sparse tensor from outside the graph is used, which Dynamo cannot take in",
    "Pass dense tensors (`x.to_dense()`, or `x.indices().clone()` and `x.values().clone()`), or let a function under "
    "`@torch.compiler.disable` read it from where it is kept, instead of handing it on.",
)
NO_TENSOR_OF_ARRAY = Reason(
    "the code reads an array of NumPy of which torch makes no tensor: it holds objects, text, dates or records, or is "
    "a view that runs backwards (`a[::-1]`)",
    "Use a list or a dict for what is no number, and `np.ascontiguousarray(array)` of what runs backwards, made "
    "outside of the compiled code.",
)


def no_tensor(told: Told) -> Reason | None:
    found = re.search(r"example_value type: (\w+);.* target: <(?:built-in )?(?:function|method) (\w+)", told.context)
    return Reason(f"`{found[2]}` returns a `{found[1]}`, and no tensor") if found else None


def fake(told: Told) -> Reason | None:
    if re.search(r"select\(\): argument 'input'.* must be Tensor, not ndarray", told.context):
        return Reason(
            "an array of NumPy is indexed by a number that varies",
            "Make the array a tensor (`torch.from_numpy(array)`), or index it outside of the compiled code.",
        )
    found = re.search(r">: (\S.*)", told.context, re.DOTALL)
    return Reason(f"an operator cannot be called like this: {cut(' '.join(found[1].split()))}") if found else None


def not_implemented(told: Told) -> Reason | None:
    """What torch's own NumPy refuses, for one: it has the options of NumPy's functions, and takes few of them."""
    found = re.search(r"got NotImplementedError\((['\"])(.+?)\1\)", told.said, re.DOTALL)
    if found is None:
        return None
    said = cut(found[2].rstrip("."))
    of_numpy = re.search(r"<Wrapped (?:function|method) <original (\w+)>>", told.said)
    if of_numpy is None:
        return Reason(f"an operator cannot be called like this: {said}")
    return Reason(
        f"NumPy's `{of_numpy[1]}` cannot be called like this, as Dynamo runs torch's in its place: {said}",
        "Leave out the option, or do it with torch.",
    )
