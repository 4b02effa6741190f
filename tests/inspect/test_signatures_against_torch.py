"""The table against the torch that is installed: what a call really gives must not contradict it."""

from __future__ import annotations

import ast
import importlib
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compilelint.inspect import signatures
from compilelint.inspect.kinds import (
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    External,
    Kind,
    Method,
    Partial,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    join,
    options,
    sequence,
)
from compilelint.inspect.signatures import (
    annotated,
    arrays,
    builtin,
    entering,
    facts,
    functional,
    modules,
    names,
    present,
    stdlib,
    tensors,
)

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[2]
OPERATORS = {
    **{ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv"},
    **{ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_"},
    **{
        ast.BitXor: "xor",
        ast.LShift: "lshift",
        ast.Invert: "invert",
        ast.USub: "neg",
        ast.Gt: "gt",
        ast.Lt: "lt",
        ast.Eq: "eq",
    },
    **{ast.NotEq: "ne", ast.GtE: "ge", ast.LtE: "le"},
}
MODULES = {
    "torch": "torch",
    "F": "torch.nn.functional",
    "nn": "torch.nn",
    "np": "numpy",
    "math": "math",
    "operator": "operator",
}
SETUP = """
x = torch.rand(2, 3, 4); v = torch.rand(5)
q = torch.rand(3, 3); s = torch.rand(())
i = torch.arange(6).reshape(2, 3); j = torch.tensor([0, 1]); m = torch.rand(2, 3, 4) > 0.5
b = torch.rand(5) > 0.5
c = torch.zeros(2, 3, dtype=torch.complex64); a = np.ones((2, 3)); n = 3
image = torch.rand(1, 4, 8, 8)
"""
KINDS: dict[str, Kind] = {
    "x": Tensor("float", 3),
    "v": Tensor("float", 1),
    "q": Tensor("float", 2),
    "s": Tensor("float", 0),
    "i": Tensor("int", 2),
    "j": Tensor("int", 1),
    "m": Tensor("bool", 3),
    "b": Tensor("bool", 1),
    "c": Tensor("complex", 2),
    "a": Array("float"),
    "n": Python("int"),
    "image": Tensor("float", 4),
}
EXPRESSIONS = """
x.sum()
x.sum(-1)
x.sum(dim=(0, 1))
x.sum(dim=1, keepdim=True)
x.sum(1, True)
x.sum(axis=0)
m.sum()
m.sum(-1)
i.sum(dtype=torch.float32)
x.mean()
x.mean((1, 2))
i.float().mean(0)
x.std()
x.std(-1)
x.std(unbiased=False)
x.var(1, keepdim=True)
torch.var_mean(x, dim=1)
torch.std_mean(x)
x.norm()
x.norm(dim=-1)
x.norm(2, -1, True)
torch.norm(x, dim=(0, 1))
torch.linalg.norm(x)
torch.linalg.norm(q, dim=1)
torch.linalg.vector_norm(x, dim=-1, keepdim=True)
torch.linalg.matrix_norm(x)
torch.linalg.det(q)
torch.linalg.inv(q)
torch.linalg.eigh(q)
torch.linalg.svd(x)
torch.linalg.qr(x)
torch.linalg.slogdet(q)
torch.linalg.svdvals(q)
torch.linalg.cross(x[:, :, :3], x[:, :, :3])
torch.linalg.solve(q, q)
torch.linalg.eigvalsh(q)
x.max()
x.max(1)
x.max(dim=1, keepdim=True)
x.max(x)
torch.max(x, torch.zeros(4))
x.max(1).values
x.max(1).indices
x.min(-1)[0]
torch.min(i)
x.amax(1)
x.amin((0, 1))
x.aminmax()
x.argmax()
x.argmax(-1)
x.argmax(-1, keepdim=True)
x.argmin(dim=0)
x.any()
m.any(-1)
m.all()
m.all(dim=1, keepdim=True)
torch.any(m)
x.prod()
b.prod()
x.cumsum(1)
m.cumsum(1)
x.median()
x.median(-1)
x.mode()
x.kthvalue(2)
x.kthvalue(2, dim=0, keepdim=True)
x.topk(2)
x.topk(2).indices
x.topk(2, dim=1)[1]
x.sort()
x.sort(dim=0, descending=True)
x.sort().values
x.argsort(-1)
torch.cummax(x, 0)
x.quantile(0.5)
x.quantile(0.5, dim=1)
x.quantile(torch.tensor([0.1, 0.2]), dim=1, keepdim=True)
x.logsumexp(1)
x.logsumexp((0, 1), keepdim=True)
x.count_nonzero()
m.count_nonzero(dim=1)
x.unique()
torch.unique(i, return_inverse=True)
torch.unique(i, return_inverse=True, return_counts=True)
torch.unique(i, dim=0)
torch.unique_consecutive(j, return_counts=True)
torch.unique(i, False, True)
i.unique(True, False, True)
torch.trace(q)
torch.dot(v, v)
torch.bincount(j)
torch.histc(v)
x > 0
x == x
1 - m.float()
x.eq(0)
x.isnan()
torch.isfinite(x)
torch.isclose(x, x)
torch.isin(i, j)
torch.logical_not(x)
torch.logical_and(m, x > 0.5)
~m
m & (x > 0.2)
m | m
m ^ m
i & 3
i << 1
-x
x + 1
i + 1
i + 1.0
i / 2
i // 2
m * 2
m * 1.5
m + m
i * x[0, :, :3].sum(0)
2 ** x
i ** 2
i ** 2.0
x @ torch.rand(4, 5)
v @ v
x @ torch.rand(4)
torch.matmul(v[:3], q)
torch.mm(q, q)
torch.bmm(x, x.transpose(1, 2))
torch.mv(q, v[:3])
torch.outer(v, v)
torch.addmm(q, q, q)
torch.einsum('ij,jk->ik', q, q)
torch.einsum('bij->b', x)
torch.einsum('ii', q)
torch.einsum('...ij->...ji', x)
torch.cdist(q, q)
torch.tensordot(q, q, dims=1)
torch.where(m, x, 0.0)
torch.where(m, 1, 0)
torch.where(m)
torch.where(b)[0]
x.where(m, torch.zeros(()))
torch.where(s > 0, v, v)
torch.nonzero(m)
m.nonzero()
m.nonzero(as_tuple=True)
m.nonzero(as_tuple=True)[0]
torch.argwhere(m)
x.masked_select(m)
x.masked_fill(m, 0.0)
m.masked_fill(m, False)
x[m]
x[0]
x[0, 0, 0]
x[..., 0]
x[:, None]
x[None]
x[:, 1:]
x[j]
x[:, j]
x[j, j]
x[0, j]
m[0]
x[m[..., 0]]
i[0, 0]
torch.zeros(2, 3)
torch.zeros((2, 3), dtype=torch.bool)
torch.ones(2, dtype=torch.long)
torch.ones(size=(2, 3))
torch.empty(())
torch.full((2, 3), True)
torch.full((2,), 1.0)
torch.full((2, 2), 7)
torch.full((2, 2), 7, dtype=torch.float32)
torch.rand(3)
torch.randn(2, 3)
torch.randn(x.shape)
torch.randint(0, 5, (2, 3))
torch.randint(5, (2,))
torch.randperm(4)
torch.arange(5)
torch.arange(0, 1, 0.1)
torch.arange(n)
torch.arange(0, n, 2)
torch.arange(5, dtype=torch.float32)
torch.linspace(0, 1, 5)
torch.eye(3)
torch.tril_indices(3, 3)
torch.tensor(3.0)
torch.tensor(3)
torch.tensor(True)
torch.tensor([1, 2])
torch.tensor([[1.0, 2.0], [3, 4]])
torch.tensor([1, 2], dtype=torch.float32)
torch.tensor([])
torch.as_tensor(x)
torch.as_tensor(n)
torch.from_numpy(a)
torch.zeros_like(x)
torch.ones_like(x, dtype=torch.bool)
torch.zeros_like(i)
torch.rand_like(x)
torch.full_like(i, 2.0)
x.new_zeros(2, 3)
i.new_zeros((2,))
x.new_full((2, 2), 1)
x.new_tensor([1, 2])
torch.LongTensor(2, 3)
torch.FloatTensor([[1.0, 2.0]])
torch.FloatTensor(5)
torch.LongTensor()
torch.BoolTensor([True])
torch.FloatTensor(x.shape)
i.new_ones(4, dtype=torch.bool)
x.float()
x.long()
x.bool()
x.half()
x.to(torch.int64)
x.to(torch.bool)
x.to('cpu')
x.to('cpu', torch.float64)
x.to(dtype=torch.long)
x.to(i)
x.type(torch.int32)
x.type()
x.type(torch.LongTensor)
x.type_as(i)
x.view(-1)
x.view(2, -1)
x.view(2, 3, 2, 2)
x.view((6, 4))
x.reshape(-1, 4)
x.reshape(x.shape[0], -1)
x.view(*x.shape)
m.view(-1)
v.view(torch.int32)
x.expand(2, 2, 3, 4)
v.expand(3, -1)
v.expand_as(torch.rand(2, 5))
v.repeat(2, 3)
v.tile(2, 2)
x.tile(2)
x.permute(2, 0, 1)
x.permute((2, 0, 1))
x.transpose(0, 1)
x.movedim(0, 1)
x.flatten()
x.flatten(1)
x.flatten(0, 1)
x.flatten(start_dim=1, end_dim=2)
x.unflatten(1, (3, 1))
x.unsqueeze(0)
m.unsqueeze(-1)
x.squeeze()
x.squeeze(0)
s.squeeze()
x.select(1, 0)
x.narrow(1, 0, 2)
x.index_select(1, j)
x.diagonal()
torch.diag_embed(v)
x.unfold(1, 2, 1)
x.gather(1, torch.zeros(2, 1, 4, dtype=torch.long))
x.flip(0)
x.roll(1, 0)
x.contiguous()
x.clone()
x.detach()
x.T
q.T
x.mT
x.data
x.real
c.real
c.abs()
x.tril()
torch.triu(q)
torch.cat([x, x])
torch.cat((m, m), dim=1)
torch.cat([i, i.float()])
torch.stack([x, x])
torch.stack([s, s, s])
torch.hstack([v, v])
torch.vstack([v, v])
torch.split(x, 1)
x.split([1, 2], dim=1)
x.split(1)[0]
x.chunk(2, dim=-1)
x.chunk(2)[0]
x.unbind()
x.unbind(1)[0]
torch.meshgrid(v, v)
torch.meshgrid([v, v], indexing='ij')
torch.cartesian_prod(v)
torch.broadcast_tensors(x, s)
torch.repeat_interleave(v, 2)
x.repeat_interleave(2, dim=1)
torch.take_along_dim(x, torch.zeros(2, 1, 4, dtype=torch.long), 1)
torch.searchsorted(v.sort().values, v)
torch.bucketize(x, v.sort().values)
torch.multinomial(v, 2)
torch.abs(i)
abs(x)
torch.exp(i)
torch.sqrt(x)
x.sin()
x.sigmoid()
x.relu()
x.pow(2)
i.pow(2)
x.clamp(0, 1)
i.clamp(min=0)
x.round()
x.floor()
torch.maximum(x, s)
torch.atan2(i, i)
torch.div(i, 2)
torch.div(i, 2, rounding_mode='floor')
torch.lerp(x, x, 0.5)
x.softmax(-1)
x.log_softmax(dim=1)
torch.sigmoid(i)
torch.fft.fft(x)
torch.fft.rfft(x)
torch.fft.irfft(torch.fft.rfft(x))
torch.fft.fftfreq(4)
torch.special.expit(x)
torch.add(x, 1)
torch.mul(m, 2)
x.clone().add_(1)
x.clone().mul_(2).unsqueeze_(0)
x.clone().zero_()
x.clone().fill_(1.0)
torch.dropout(x, 0.5, True)
x.item
s.item()
i.sum().item()
m.any().item()
x.tolist()
v.tolist()
s.tolist()
i[0].tolist()
float(s)
int(s)
bool(s > 0)
math.sqrt(s)
math.sqrt(4)
math.floor(2.5)
math.prod(x.shape)
x.shape
x.shape[0]
x.shape[-1] // 2
x.shape[0] / 2
x.size()
x.size(0)
x.stride()
x.dim()
x.ndim
x.numel()
x.nelement()
x.element_size()
x.storage_offset()
x.get_device()
x.is_contiguous()
x.is_floating_point()
x.is_complex()
x.is_cuda
x.requires_grad
x.dtype
x.device
x.device.type
x.layout
x.grad
x.grad_fn
x.is_leaf
len(x)
x.__len__()
torch.is_tensor(x)
isinstance(x, torch.Tensor)
torch.equal(x, x)
torch.allclose(x, x)
x.equal(x)
torch.numel(x)
torch.is_floating_point(x)
torch.is_grad_enabled()
torch.get_default_dtype()
torch.finfo(torch.float32).min
torch.finfo(x.dtype).eps
torch.iinfo(torch.int64).max
torch.device('cpu')
torch.Size([1, 2])
torch.result_type(x, i)
torch.promote_types(torch.int32, torch.float32)
torch.broadcast_shapes((1, 2), (2,))
torch.pi
math.inf
x.numpy()
x.numpy().sum()
np.sum(a)
np.zeros(3)
np.prod(x.shape)
np.sqrt(4)
np.isnan(a)
np.argmax(a)
np.where(a > 0)
np.where(a > 0, a, 0)
np.nonzero(a)
np.allclose(a, a)
np.array([1, 2])
np.linspace(0, 1, 3)
np.concatenate([a, a])
np.random.rand()
np.random.rand(3)
np.random.uniform(0, 1)
np.random.randint(3)
np.random.randint(0, 5, size=3)
np.random.randn(2, 2)
np.random.normal(size=3)
np.float32(3)
np.isscalar(3)
np.ndim(a)
np.shape(a)
np.pi
a.shape
a.dtype
a.T
a.astype(np.int64)
a.mean()
a.item
a[0].tolist()
a + 1
a > 0
a[0]
np.unique(a)
np.linalg.norm(a)
np.linalg.svd(a)
np.expand_dims(a, 0)
np.clip(a, 0, 1)
max(1, 2)
min(x.shape)
max(n, 1.5)
sum(x.shape)
sum([v, v])
abs(-3)
round(2.5)
round(2.567, 2)
pow(2, 3)
range(3)
list(range(3))
list(x.shape)
tuple(x.unbind())
sorted(x.shape)
list(zip([1, 2], [x, v]))
list(zip(x.shape, v.shape))
list(enumerate([x, v]))
list(reversed(x.shape))
str(3)
dict(k=x)
dict(k=x).get('k')
dict(k=x)['k']
{'k': x}.get('z')
{'k': x}.items()
'a-b'.split('-')
'a'.upper()
'a'.startswith('b')
isinstance(n, int)
F.relu(x)
F.gelu(x)
F.softmax(x, dim=-1)
F.log_softmax(x, -1)
F.dropout(x, 0.1)
F.linear(x, torch.rand(5, 4))
F.layer_norm(x, (4,))
F.normalize(x, dim=-1)
F.pad(x, (0, 1))
F.pad(m, (0, 1))
F.one_hot(i)
F.one_hot(i, num_classes=8)
F.embedding(i, torch.rand(10, 4))
F.cross_entropy(q, torch.tensor([0, 1, 2]))
F.cross_entropy(q, torch.tensor([0, 1, 2]), reduction='none')
F.cross_entropy(q, torch.tensor([0, 1, 2]), reduction='sum')
F.mse_loss(x, x)
F.l1_loss(x, x, reduction='none')
F.binary_cross_entropy_with_logits(x, x)
F.kl_div(x, x, reduction='batchmean')
F.nll_loss(q, torch.tensor([0, 1, 2]))
F.smooth_l1_loss(x, x)
F.cosine_similarity(x, x)
F.cosine_similarity(x, x, dim=-1)
F.cosine_similarity(v, v, dim=0)
F.conv2d(image, torch.rand(2, 4, 3, 3))
F.max_pool2d(image, 2)
F.max_pool2d(image, 2, return_indices=True)
F.adaptive_avg_pool2d(image, 1)
F.interpolate(image, scale_factor=2)
F.grid_sample(image, torch.rand(1, 2, 2, 2))
F.unfold(image, 2)
F.pixel_shuffle(image, 2)
F.scaled_dot_product_attention(image, image, image)
F.group_norm(image, 2)
F.batch_norm(image, torch.zeros(4), torch.ones(4))
F.glu(x)
F.silu(x)
F.sigmoid(x)
F.tanh(x)
F.leaky_relu(x)
F.gumbel_softmax(q)
F.pairwise_distance(q, q)
F.affine_grid(torch.rand(1, 2, 3), (1, 1, 4, 4))
nn.Linear(4, 5)(x)
nn.Linear(4, 5).weight
nn.Linear(4, 5).bias
nn.Linear(4, 5).in_features
nn.Conv2d(4, 2, 3)(image)
nn.Conv2d(4, 2, 3).kernel_size
nn.Conv2d(4, 2, 3).groups
nn.BatchNorm2d(4)(image)
nn.BatchNorm2d(4).running_mean
nn.BatchNorm2d(4).num_batches_tracked
nn.BatchNorm2d(4).eps
nn.LayerNorm(4)(x)
nn.LayerNorm(4).normalized_shape
nn.Embedding(10, 4)(i)
nn.Embedding(10, 4).num_embeddings
nn.Embedding(10, 4).weight
nn.Dropout(0.1)(x)
nn.Dropout(0.1).p
nn.ReLU()(x)
nn.ReLU()(i)
nn.Softmax(dim=-1)(x)
nn.Identity()(m)
nn.Flatten()(x)
nn.Sequential(nn.Linear(4, 5), nn.ReLU())(x)
nn.Sequential(nn.Flatten(), nn.Linear(12, 2))(x)
nn.LSTM(4, 5)(x)
nn.LSTM(4, 5)(x)[0]
nn.LSTM(4, 5)(x[0])
nn.GRU(4, 5)(x)
nn.LSTM(4, 5).hidden_size
nn.LSTMCell(4, 5)(q.new_zeros(2, 4))
nn.MultiheadAttention(4, 2)(x, x, x)
nn.MultiheadAttention(4, 2)(x, x, x)[0]
nn.MultiheadAttention(4, 2).head_dim
nn.TransformerEncoderLayer(4, 2)(x)
nn.MaxPool2d(2)(image)
nn.MaxPool2d(2, return_indices=True)(image)
nn.AdaptiveAvgPool2d(1)(image)
nn.Upsample(scale_factor=2)(image)
nn.CrossEntropyLoss()(q, torch.tensor([0, 1, 2]))
nn.CrossEntropyLoss(reduction='none')(q, torch.tensor([0, 1, 2]))
nn.MSELoss()(x, x)
nn.BCEWithLogitsLoss()(x, x)
nn.CosineSimilarity()(x, x)
nn.PixelShuffle(2)(image)
nn.Unflatten(1, (3, 1))(x)
nn.Bilinear(4, 4, 5)(x, x)
nn.Parameter(x)
nn.Parameter(torch.zeros(3)).data
nn.ModuleList([nn.Linear(4, 5), nn.ReLU()])[0]
nn.Linear(4, 5).training
nn.Linear(4, 5).train()(x)
torch.nn.utils.clip_grad_norm_([nn.Parameter(v)], 1.0)
torch.nn.utils.rnn.pad_sequence([v, v])
torch.nn.init.zeros_(torch.empty(3))
torch.distributions.Normal(s, 1.0)
torch.distributions.Normal(s, 1.0).sample()
torch.distributions.Categorical(logits=v).sample()
torch.distributions.Normal(s, 1.0).log_prob(s)
torch.vmap(torch.sum)
torch.polar(x, x)
torch.complex(x, x)
torch.view_as_real(c)
torch.view_as_complex(torch.rand(3, 2))
torch.nan_to_num(x)
torch.bernoulli(x)
torch.block_diag(q, q)
torch.cartesian_prod(v, v)
torch.combinations(v)
torch.kron(q, q)
torch.diag(v)
torch.diag(q)
torch.diff(x)
torch.cross(x[:, :, :3], x[:, :, :3], dim=-1)
torch.tensor_split(x, 2)
torch.atleast_2d(s)
torch.squeeze(x, 1)
torch.count_nonzero(x, dim=0)
torch.scatter(x, 1, torch.zeros(2, 1, 4, dtype=torch.long), 1.0)
x.clone().index_add_(0, j, x)
x.index_fill(0, j, 1.0)
torch.index_select(x, 0, j)
torch.nanmean(x, dim=1)
torch.std(x, dim=1, correction=0)
torch.isnan(x).any(dim=1)
torch.floor_divide(i, 2)
torch.remainder(i, 2)
torch.true_divide(i, 2)
torch.rsqrt(x + 1)
torch.logaddexp(x, x)
torch.prelu(x, v[:1])
torch.square(i)
torch.sign(i)
torch.reciprocal(i + 1)
torch.hypot(x, x)
torch.bitwise_not(m)
torch.bitwise_and(i, i)
torch.gcd(i, i)
torch.renorm(x, 2, 0, 1.0)
torch.stft(v.repeat(200), 16, return_complex=True, window=torch.hann_window(16))
torch.hann_window(4)
torch.trapz(v)
torch.cumulative_trapezoid(v)
torch.Tensor.add(x, 1)
torch.Tensor.sum(x, -1)
x.T.shape
x.shape.numel()
operator.add(x, 1)
operator.getitem(x, 0)
""".strip().splitlines()


class Predictor:
    """Evaluates an expression in kinds, as the inspection does, with the table alone."""

    def __init__(self, names: dict[str, Kind]) -> None:
        self.names = names

    def kind(self, node: ast.expr) -> Kind:
        match node:
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return Const(value)
            case ast.Constant():
                return Python("ellipsis")
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name(id=name):
                return Reference(MODULES.get(name, f"builtins.{name}"))
            case ast.Slice():
                return Python("slice")
            case ast.Tuple() | ast.List():
                return sequence(
                    type(node).__name__.lower(),
                    (UNKNOWN if isinstance(e, ast.Starred) else self.kind(e) for e in node.elts),
                )
            case ast.Dict(keys=keys, values=values):
                entries = [
                    (key.value, self.kind(value))
                    for key, value in zip(keys, values, strict=True)
                    if isinstance(key, ast.Constant)
                ]
                return Dictionary(join(*(kind for _, kind in entries)), tuple(entries))
            case ast.Attribute(value=owner, attr=name):
                return self.attribute(self.kind(owner), name)
            case ast.Subscript(value=owner, slice=key):
                return signatures.result("operator.getitem", None, [self.kind(owner), self.kind(key)], {})
            case ast.BinOp(left=left, op=op, right=right):
                return self.operator(op, left, right)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.operator(op, left, right)
            case ast.UnaryOp(op=op, operand=operand):
                return self.operator(op, operand)
            case ast.Call(func=function, args=args, keywords=keywords):
                return self.call(
                    self.kind(function),
                    [UNKNOWN if isinstance(arg, ast.Starred) else self.kind(arg) for arg in args],
                    {keyword.arg: self.kind(keyword.value) for keyword in keywords if keyword.arg},
                )
            case _:
                raise AssertionError(ast.dump(node))

    def operator(self, op: ast.AST, *operands: ast.expr) -> Kind:
        return signatures.result(f"operator.{OPERATORS[type(op)]}", None, [self.kind(o) for o in operands], {})

    def attribute(self, owner: Kind, name: str) -> Kind:
        kind = signatures.attribute(owner, name)
        if kind is None:
            return Reference(f"{owner.name}.{name}") if isinstance(owner, Reference) else UNKNOWN
        return kind

    def call(self, function: Kind, args: list[Kind], keywords: dict[str, Kind]) -> Kind:
        match function:
            case Reference(name=name):
                return signatures.result(name, None, args, keywords)
            case Method(receiver=receiver, name=name):
                return signatures.result(f"{signatures.class_name(receiver)}.{name}", receiver, args, keywords)
            case External(cls=cls):
                return signatures.result(f"{cls}.forward", function, args, keywords)
            case Partial(function=inner, args=more):
                return self.call(inner, [*more, *args], keywords)
            case _:
                return UNKNOWN


def contradiction(kind: Kind, value: Any) -> str | None:
    """Why the value cannot be of this kind; None if it can."""
    complaints = [_contradicts(option, value) for option in options(kind)]
    return None if None in complaints else complaints[0]


def _contradicts(kind: Kind, value: Any) -> str | None:
    import numpy
    import torch

    match kind:
        case Tensor():
            if not isinstance(value, torch.Tensor):
                return f"a tensor was predicted, {type(value).__name__} came"
            word = (
                "bool"
                if value.dtype == torch.bool
                else "complex"
                if value.is_complex()
                else "float"
                if value.is_floating_point()
                else "int"
            )
            if kind.dtype not in (None, word):
                return f"dtype {kind.dtype} was predicted, {word} came"
            if kind.ndim not in (None, value.ndim):
                return f"{kind.ndim} dimensions were predicted, {value.ndim} came"
            return None
        case Array():
            good = isinstance(value, (numpy.ndarray, numpy.generic))
            return None if good else f"an array was predicted, {type(value).__name__} came"
        case Scalar(type=type_):
            return None if type(value).__name__ == type_ else f"{type_} was predicted, {value!r} came"
        case Python(type="object"):
            return "an object was predicted" if isinstance(value, (torch.Tensor, numpy.ndarray)) else None
        case Python(type="dtype"):
            return None if isinstance(value, (torch.dtype, numpy.dtype)) else "a dtype was predicted"
        case Partial():
            return None if callable(value) else "a function was predicted"
        case Python(type="device"):
            return None if isinstance(value, torch.device) else "a device was predicted"
        case Python(type="float"):
            return None if isinstance(value, (float, numpy.floating)) else f"float was predicted, {value!r} came"
        case Python(type=type_):
            return None if type(value).__name__ == type_ else f"{type_} was predicted, {value!r} came"
        case Const(value=expected):
            return None if value == expected else f"{expected!r} was predicted, {value!r} came"
        case Sequence(items=items, item=item):
            if isinstance(value, (torch.Tensor, str, bytes)) or not hasattr(value, "__iter__"):
                return f"a {kind.type} was predicted, {type(value).__name__} came"
            elements = list(value)
            if items is not None and len(items) != len(elements):
                return f"{len(items)} elements were predicted, {len(elements)} came"
            pairs = zip(items if items is not None else [item] * len(elements), elements, strict=True)
            return next((found for part, element in pairs if (found := contradiction(part, element))), None)
        case Dictionary(value=inner):
            return next((found for element in value.values() if (found := contradiction(inner, element))), None)
        case External(cls=cls):
            names = {f"{base.__module__}.{base.__qualname__}" for base in type(value).__mro__}
            return None if cls in {signatures.canonical(name) for name in names} else f"{cls} was predicted"
        case Method():
            return None if callable(value) else "a method was predicted"
        case _:
            return None


@pytest.fixture(scope="module")
def real() -> dict[str, Any]:
    import numpy
    import torch

    real_names: dict[str, Any] = {
        "torch": torch,
        "F": torch.nn.functional,
        "nn": torch.nn,
        "np": numpy,
        "math": math,
        "operator": __import__("operator"),
    }
    exec(SETUP, real_names)
    return real_names


@pytest.mark.parametrize("text", EXPRESSIONS)
@pytest.mark.filterwarnings("ignore")
def test_the_real_value_does_not_contradict_the_kind(text: str, real: dict[str, Any]) -> None:
    kind = Predictor(KINDS).kind(ast.parse(text, mode="eval").body)
    assert contradiction(kind, eval(text, dict(real))) is None


def test_nearly_every_expression_has_a_kind() -> None:
    kinds = {text: Predictor(KINDS).kind(ast.parse(text, mode="eval").body) for text in EXPRESSIONS}
    assert [text for text, kind in kinds.items() if kind == UNKNOWN] == []


@pytest.mark.parametrize(
    "name", sorted(name for name in names.COMPILE_STATES if name.startswith(("torch.", "typing.")))
)
def test_predicates_say_it_while_dynamo_traces(name: str) -> None:
    import torch

    predicate = _resolve(name)

    def f(x: torch.Tensor) -> torch.Tensor:
        value = predicate
        return x + 1 if (_ask(value, x) if callable(value) else value) else x - 1

    torch._dynamo.reset()
    came = torch.compile(f, backend="eager", fullgraph=True)(torch.zeros(2))
    assert bool(came[0] > 0) is names.COMPILE_STATES[name]


def _ask(predicate: Any, x: Any) -> Any:
    name = getattr(predicate, "__name__", "")
    if name == "has_torch_function":
        return predicate((x,))
    if name == "has_torch_function_variadic":
        return predicate(x, x)
    return predicate(x) if name == "has_torch_function_unary" else predicate()


def _resolve(dotted: str) -> Any:
    parts = dotted.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return found
    return None


WRITTEN_BY_HAND = sorted(
    {
        *facts.FUNCTIONS,
        *facts.CONSTANTS,
        *facts.PARAMETERS,
        *(name for name in annotated.ANNOTATIONS if name.startswith("torch.")),
        *entering.TRANSFORMS,
        *entering.TREE_MAPS,
        *entering.BRANCHES,
        *entering.LOOPS,
        *entering.SCANS,
        *(target for target in names.RENAMED.values() if target.startswith("torch.")),
        *(f"torch.Tensor.{name}" for name in facts.DISTINCTIVE | facts.MORE_TENSOR_METHODS),
        *(f"torch.nn.{name}" for name in modules.FLOAT_SAME | modules.LIKE_INPUT),
        *(f"torch.nn.functional.{name}" for name in functional.FUNCTIONAL),
        *(f"torch.linalg.{name}" for name in functional.LINALG),
        *(f"torch.fft.{name}" for name in functional.FFT),
        *(f"numpy.{name}" for name in arrays.TUPLES | arrays.BOOL_ARRAYS | arrays.INT_ARRAYS),
        *(f"math.{name}" for name in stdlib.INTEGERS | stdlib.BOOLEANS),
        *(f"builtins.{name}" for name in builtin.BUILTINS),
        *stdlib.FUNCTIONS,
    }
)


def test_every_name_written_by_hand_exists() -> None:
    assert [name for name in WRITTEN_BY_HAND if _resolve(name) is None and name not in UNRESOLVED] == []


UNRESOLVED = {"numpy.newaxis", "collections.namedtuple.type", "torch.ops.torchvision.nms"}
"""One whose value is None, one for the class that a call of `namedtuple` makes, which has no name of its own, and one
that torch has where torchvision is installed."""


def test_what_is_said_to_be_true_is_true() -> None:
    said = [
        f"{owner}.{name}"
        for owner in present._OF_FUNCTIONS
        for name in present._names()[owner]
        if present.is_true_in_every_torch(f"{owner}.{name}")
    ]
    assert len(said) > 500
    assert [name for name in said if not _resolve(name)] == []


def test_every_operator_with_a_rule_exists() -> None:
    import torch

    owners = (torch, torch.Tensor, torch.nn.functional, torch.special)
    assert [name for name in tensors.SHARED if not any(hasattr(owner, name) for owner in owners)] == []


def test_generating_the_table_again_gives_the_same(tmp_path: Path) -> None:
    output = tmp_path / "torch.json"
    command = [sys.executable, "-m", "tools.generate_signatures", str(output)]
    subprocess.run(command, check=True, capture_output=True, cwd=REPOSITORY)
    shipped = Path(signatures.__file__).parent / "torch.json"
    assert json.loads(output.read_text()) == json.loads(shipped.read_text())
