# SPDX-License-Identifier: Apache-2.0
"""PyTorch's side of layers: modules that torch.nn lacks, and modules as functions of their inputs and weights."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.stateless import functional_call


class Function(nn.Module):
    """A function without weights as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class RmsNorm(nn.Module):
    """Composed: 1.13 lacks it."""

    def __init__(self, size, eps, affine):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(size)) if affine else None

    def forward(self, x):
        y = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + self.eps)
        return y if self.weight is None else y * self.weight


class SqueezeExcite(nn.Module):
    """Composed: torch.nn lacks it."""

    def __init__(self, channels, between, gate):
        super().__init__()
        self.squeeze, self.excite, self.gate = nn.Linear(channels, between), nn.Linear(between, channels), gate

    def forward(self, x):
        s = self.gate(self.excite(F.relu(self.squeeze(x.flatten(2).mean(2)))))
        return x * s.reshape(list(s.shape) + [1] * (x.dim() - 2))


class Learned(nn.Module):
    """A number added to each feature of each step."""

    def __init__(self, steps, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(steps, features) * 0.02)

    def forward(self, x):
        return x + self.weight


def waves(x):
    """Sines and cosines added to the steps, by the formula of Vaswani et al."""
    steps, features = x.shape[1:]
    position = torch.arange(steps, dtype=torch.float64)[:, None]
    rate = torch.pow(10000.0, -torch.arange(0, features, 2, dtype=torch.float64) / features)
    table = torch.zeros(steps, features, dtype=torch.float64)
    table[:, 0::2] = torch.sin(position * rate)
    table[:, 1::2] = torch.cos(position * rate)[:, :features // 2]
    return x + table.to(x.dtype)


def embed(numbers, weight, padding):
    return F.embedding(numbers.long(), weight, None if padding < 0 else padding)


class Embedding(nn.Module):
    """Of whole numbers of any type."""

    def __init__(self, count, size, padding):
        super().__init__()
        self.padding = padding
        self.weight = nn.Parameter(torch.zeros(count, size))

    def forward(self, numbers):
        return embed(numbers, self.weight, self.padding)


class Recurrent(nn.Module):
    """What a recurrent network gives: all steps, or the state that each direction ends in; then all states, batch first."""

    def __init__(self, net, last):
        super().__init__()
        self.__dict__["net"] = net  # not as a part: names stay as they are
        self.last = last

    def state_dict(self, **how):
        return self.net.state_dict(**how)

    def called(self, weights, x):
        self.net.train(self.training)
        self.net._flat_weights = [weights[name] for name in self.net._flat_weights_names]
        y, end = self.net(x)
        ends = end if isinstance(end, tuple) else (end,)
        if self.last:
            y = torch.cat((ends[0][-2], ends[0][-1]), 1) if self.net.bidirectional else ends[0][-1]
        return (y,) + tuple(each.transpose(0, 1) for each in ends)


def rectified(y):
    """Composed: a ReLU that knows a zero when PyTorch's batch norm rounds it to 1e-17, as of an element equal to the mean."""
    return torch.where(y > 1e-12, y, torch.zeros_like(y))


def causal_mask(queries, keys):
    return torch.ones(queries, keys).triu(1).bool()


def masks_of(mask, causal, heads):
    """PyTorch's attn_mask and key_padding_mask, true: hidden, of Tenon's mask, true: seen (floating: added to scores).

    @param mask none, [N, S] or [N, L, S] @param causal [L, S], true: hidden, or none
    """
    hidden = mask if mask is None or mask.is_floating_point() else ~mask
    if hidden is None or hidden.dim() == 2:
        return causal, hidden
    hidden = hidden.repeat_interleave(heads, 0)
    if causal is None:
        return hidden, None
    return (hidden.masked_fill(causal, -torch.inf) if hidden.is_floating_point() else hidden | causal), None


class Attention(nn.MultiheadAttention):
    causal = False

    def forward(self, query, key=None, value=None, mask=None):
        key, value = (query, query) if key is None else (key, value)
        causal = causal_mask(query.size(1), key.size(1)) if self.causal else None
        mask, padding = masks_of(mask, causal, self.num_heads)
        return super().forward(query, key, value, padding, need_weights=False, attn_mask=mask)[0]


class SelfAttention(Attention):
    def forward(self, x, mask=None):
        return super().forward(x, mask=mask)


class Encoder(nn.TransformerEncoderLayer):
    causal = False

    def forward(self, x, mask=None):
        causal = causal_mask(x.size(1), x.size(1)) if self.causal else None
        return super().forward(x, *masks_of(mask, causal, self.self_attn.num_heads))


class Decoder(nn.TransformerDecoderLayer):
    causal = False

    def forward(self, x, memory, mask=None, memory_mask=None):
        causal, heads = causal_mask(x.size(1), x.size(1)) if self.causal else None, self.self_attn.num_heads
        (steps, padding), (across, across_padding) = masks_of(mask, causal, heads), masks_of(memory_mask, None, heads)
        return super().forward(x, memory, steps, across, padding, across_padding)


class Grouped(nn.Module):
    """A module with attention whose keys and values have fewer heads: its weights of them, repeated for the query's."""

    def __init__(self, module, features, heads, shared):
        super().__init__()
        self.__dict__["module"] = module  # not as a part: names stay as they are
        self.sizes = [features] + [features // heads * shared] * 2
        self.shared, self.times = shared, heads // shared
        self.own = {name: nn.Parameter(self.cut(name, t.detach())) for name, t in weights_of(module).items()}

    def cut(self, name, t):
        if "in_proj" in name:
            return t[:sum(self.sizes)].clone()
        return t[:self.sizes[1]].clone() if name.endswith(("k_proj_weight", "v_proj_weight")) else t.clone()

    def repeated(self, t):
        return t.reshape(self.shared, -1, *t.shape[1:]).repeat_interleave(self.times, 0).flatten(0, 1)

    def whole(self, name, t):
        if "in_proj" in name:
            query, key, value = t.split(self.sizes)
            return torch.cat((query, self.repeated(key), self.repeated(value)))
        return self.repeated(t) if name.endswith(("k_proj_weight", "v_proj_weight")) else t

    def state_dict(self, **how):
        return self.own

    def double(self):
        self.own = {name: nn.Parameter(t.detach().double()) for name, t in self.own.items()}
        self.module.double()
        return self

    def train(self, mode=True):
        self.module.train(mode)
        return self

    def forward(self, *inputs):
        return functional_call(self.module, {name: self.whole(name, t) for name, t in self.own.items()}, inputs)


def called(module, weights, inputs):
    """@param weights by name; those that a module changes are changed in place"""
    if isinstance(module, Recurrent):
        return module.called(weights, *inputs)
    return functional_call(module, weights, inputs)


def weights_of(module):
    """name -> the module's own weight, trained or not."""
    return dict(module.state_dict(keep_vars=True))
