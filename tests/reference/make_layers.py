#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes layers.json: what each layer gives, its gradients and its initial values, computed by PyTorch.

Run with Debian's python3-torch (1.13), which is given the python of a torch from 2.1 on (used: 2.15) for the cases that
need one, blocks without bias:
/usr/bin/python3 tests/reference/make_layers.py /opt/torch-env/bin/python > tests/reference/layers.json
Outputs and gradients are those of float64. Inputs and weights are not stored (drawn.py): input k has the seed
k + 1, weight k the seed 11 + k, and the output's gradient the seed 50. Of initial values the spread is stored.
"""
import json
import subprocess
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

sys.dont_write_bytecode = True
from drawn import numbers, values  # noqa: E402 (after the line above)
from layer_modules import (Attention, Decoder, Encoder, Function, Grouped, Learned, RmsNorm,  # noqa: E402
                           SelfAttention, SqueezeExcite, waves, weights_of)

CASES, INITIAL = [], []


def range_of(name, kind):
    """Scale and offset of a drawn weight: variances above 0, scales of normalizations about 1."""
    if name == "running_var":
        return 0.5, 1.0
    return (0.5, 1.0) if kind == "norm" and name.endswith("weight") else (0.25, 0.0)


def single(params):
    """As a form of one axis has them: numbers, not lists of one."""
    return {k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in params.items()}


def case(layer, name, module, inputs, params=None, training=True, kind=""):
    """inputs: shapes, or lists of whole numbers (bools) with their shape: ([...], shape), or None: no wire.

    Of several outputs the second one's gradient has the seed 51, and so on.
    """
    module = (module if isinstance(module, nn.Module) else Function(module)).double().train(training)
    weights, tensors, described = [], [], []
    for k, (key, tensor) in enumerate(weights_of(module).items()):
        if not tensor.is_floating_point():  # batches so far
            tensor.fill_(2)
            weights.append({"name": key, "shape": list(tensor.shape), "numbers": [2], "grad": False})
            continue
        scale, offset = range_of(key, "norm" if "norm" in key else kind)
        tensor.data.copy_(values(list(tensor.shape), 11 + k, scale, offset))
        weights.append({"name": key, "shape": list(tensor.shape), "seed": 11 + k, "scale": scale, "offset": offset,
                        "grad": tensor.requires_grad})
    for k, spec in enumerate(inputs):
        if spec is None:
            tensors.append(None)
            described.append({"open": True})
        elif isinstance(spec, tuple):
            tensors.append(torch.tensor(spec[0]).reshape(spec[1]))
            mask = {"type": "bool"} if tensors[-1].dtype == torch.bool else {}
            described.append({"shape": spec[1], "numbers": [int(n) for n in spec[0]], "grad": False, **mask})
        else:
            tensors.append(values(spec, k + 1).requires_grad_())
            described.append({"shape": spec, "seed": k + 1, "grad": True})
    ys = module(*tensors)
    ys = ys if isinstance(ys, tuple) else (ys,)
    leaves = [t for t in tensors if t is not None and t.requires_grad] + [t for _, t in weights_of(module).items() if t.requires_grad]
    grads = torch.autograd.grad(ys, leaves, [values(list(y.shape), 50 + k) for k, y in enumerate(ys)]) if leaves else []
    buffers = {k: numbers(t) for k, t in weights_of(module).items() if not t.requires_grad}
    params = single(params or {}) if layer.endswith("1d") else params or {}
    outputs = [{"shape": list(y.shape), "values": numbers(y.detach())} for y in ys]
    further = {"further": outputs[1:]} if len(ys) > 1 else {}
    CASES.append({"layer": layer, "name": name, "params": params, "training": training, "inputs": described,
                  "weights": weights, "output": outputs[0], **further,
                  "grads": [numbers(g) for g in grads], "buffers": buffers})


def initial(layer, module, inputs, params):
    """Spread of the module's values as PyTorch starts them."""
    spread = {}
    for key, t in weights_of(module).items():
        t = t.detach().double()
        spread[key] = {"count": t.numel(), "min": t.min().item(), "max": t.max().item(), "mean": t.mean().item(),
                       "std": t.std(unbiased=False).item()}
    INITIAL.append({"layer": layer, "params": params, "inputs": inputs, "weights": spread})


def add_convolutions():
    sizes = {1: [7], 2: [5, 4], 3: [3, 3, 4]}
    for n, conv, back in ((1, nn.Conv1d, nn.ConvTranspose1d), (2, nn.Conv2d, nn.ConvTranspose2d),
                          (3, nn.Conv3d, nn.ConvTranspose3d)):
        x = [2, 4] + sizes[n]
        name = "conv%dd" % n
        case(name, "plain", conv(4, 3, 3), [x], {"out_channels": 3})
        kernel, stride, padding, dilation = [3, 2, 2][:n], [2, 1, 2][:n], [1, 2, 0][:n], [1, 2, 1][:n]
        case(name, "every setting", conv(4, 6, kernel, stride, padding, dilation, 2, False), [x],
             {"out_channels": 6, "kernel_size": kernel, "stride": stride, "padding": padding, "dilation": dilation,
              "groups": 2, "bias": False})
        for mode in ("reflect", "replicate", "circular"):
            case(name, mode, conv(4, 2, 3, padding=1, padding_mode=mode), [x],
                 {"out_channels": 2, "padding": [1] * n, "padding_mode": mode})
        initial(name, conv(64, 256, 3, groups=2), [[2, 64] + sizes[n]], {"out_channels": 256, "groups": 2})
        name = "conv_transpose%dd" % n
        x = [2, 4] + [3, 2, 2][:n]
        case(name, "doubles", back(4, 3, 3, 2, 1, 1), [x],
             {"out_channels": 3, "padding": [1] * n, "output_padding": [1] * n})
        case(name, "every setting", back(4, 6, kernel, stride, 0, [0, 1, 1][:n], 2, False, dilation), [x],
             {"out_channels": 6, "kernel_size": kernel, "stride": stride, "output_padding": [0, 1, 1][:n],
              "groups": 2, "bias": False, "dilation": dilation})
        initial(name, back(64, 256, 3, groups=2), [[2, 64] + sizes[n]], {"out_channels": 256, "groups": 2})


def add_pools():
    sizes = {1: [9], 2: [7, 6], 3: [4, 5, 3]}
    pools = {1: (nn.MaxPool1d, nn.AvgPool1d, nn.AdaptiveMaxPool1d, nn.AdaptiveAvgPool1d),
             2: (nn.MaxPool2d, nn.AvgPool2d, nn.AdaptiveMaxPool2d, nn.AdaptiveAvgPool2d),
             3: (nn.MaxPool3d, nn.AvgPool3d, nn.AdaptiveMaxPool3d, nn.AdaptiveAvgPool3d)}
    for n, (largest, mean, adaptive_largest, adaptive_mean) in pools.items():
        x = [2, 2] + sizes[n]
        settings = {"kernel_size": [3] * n, "stride": [2] * n, "padding": [1] * n, "ceil_mode": True}
        case("max_pool%dd" % n, "windows of 2", largest(2), [x])
        case("max_pool%dd" % n, "overlapping", largest(3, 2, 1, ceil_mode=True), [x], settings)
        case("avg_pool%dd" % n, "windows of 2", mean(2), [x])
        case("avg_pool%dd" % n, "overlapping", mean(3, 2, 1, True), [x], settings)
        case("avg_pool%dd" % n, "border not counted", mean(3, 2, 1, False, False), [x],
             dict(settings, ceil_mode=False, count_include_pad=False))
        for size in ([1] * n, [3, 2, 4][:n]):
            one = size[0] if n == 1 else size
            case("adaptive_max_pool%dd" % n, str(size), adaptive_largest(one), [x], {"output_size": size})
            case("adaptive_avg_pool%dd" % n, str(size), adaptive_mean(one), [x], {"output_size": size})


def add_norms():
    for n, norm, x in ((1, nn.BatchNorm1d, [4, 3, 5]), (2, nn.BatchNorm2d, [3, 3, 2, 3]), (3, nn.BatchNorm3d, [2, 3, 2, 2, 3])):
        name = "batch_norm%dd" % n
        for training in (True, False):
            case(name, "training" if training else "evaluation", norm(3), [x], training=training, kind="norm")
        case(name, "no affine", norm(3, 1e-3, 0.3, False), [x], {"eps": 1e-3, "momentum": 0.3, "affine": False})
        initial(name, norm(8), [[2, 8] + x[2:]], {})
        for training in (True, False):
            case(name, "cumulative", norm(3, momentum=None), [x], {"cumulative": True}, training, "norm")
    case("batch_norm1d", "rows", nn.BatchNorm1d(5), [[6, 5]], kind="norm")
    for x in ([2, 3, 5], [2, 3, 2, 3], [2, 3, 2, 2, 2]):
        norm = {3: nn.InstanceNorm1d, 4: nn.InstanceNorm2d, 5: nn.InstanceNorm3d}[len(x)]
        case("instance_norm", "%d axes" % len(x), norm(3), [x])
        for training in (True, False):
            case("instance_norm", "running, %d axes, %s" % (len(x), training), norm(3, 1e-3, 0.2, True, True), [x],
                 {"affine": True, "track_running_stats": True, "eps": 1e-3, "momentum": 0.2}, training, "norm")
    initial("instance_norm", nn.InstanceNorm2d(8, affine=True, track_running_stats=True), [[2, 8, 3, 3]],
            {"affine": True, "track_running_stats": True})
    case("group_norm", "two groups", nn.GroupNorm(2, 6), [[2, 6, 3]], {"groups": 2}, kind="norm")
    initial("group_norm", nn.GroupNorm(2, 6), [[2, 6, 3]], {"groups": 2})
    case("layer_norm", "rows", nn.LayerNorm(5), [[3, 2, 5]], kind="norm")
    initial("layer_norm", nn.LayerNorm(5), [[3, 2, 5]], {})
    case("rms_norm", "rows", RmsNorm(5, 1e-6, True), [[3, 2, 5]], kind="norm")
    initial("rms_norm", RmsNorm(5, 1e-6, True), [[3, 2, 5]], {})


def add_activations():
    x = [3, 4, 5]
    for name, module, params in (
            ("relu", nn.ReLU(), {}), ("relu6", nn.ReLU6(), {}), ("sigmoid", nn.Sigmoid(), {}), ("silu", nn.SiLU(), {}),
            ("tanh", nn.Tanh(), {}), ("selu", nn.SELU(), {}), ("mish", nn.Mish(), {}), ("elu", nn.ELU(0.7), {"alpha": 0.7}),
            ("hard_swish", nn.Hardswish(), {}), ("hard_sigmoid", nn.Hardsigmoid(), {}),
            ("log_sigmoid", nn.LogSigmoid(), {}), ("softsign", nn.Softsign(), {}), ("gelu", nn.GELU(), {}),
            ("gelu", nn.GELU("tanh"), {"approximate": "tanh"}), ("softplus", nn.Softplus(), {}),
            ("softplus", nn.Softplus(3.0, 1.0), {"beta": 3.0, "threshold": 1.0}),
            ("hard_tanh", nn.Hardtanh(), {}), ("hard_tanh", nn.Hardtanh(-0.3, 0.4), {"min": -0.3, "max": 0.4}),
            ("leaky_relu", nn.LeakyReLU(0.2), {"negative_slope": 0.2}), ("softmax", nn.Softmax(-1), {}),
            ("softmax", nn.Softmax(1), {"axis": 1}), ("log_softmax", nn.LogSoftmax(-1), {}),
            ("log_softmax", nn.LogSoftmax(1), {"axis": 1}), ("prelu", nn.PReLU(), {}),
            ("prelu", nn.PReLU(4), {"per_channel": True})):
        case(name, json.dumps(params), module, [x], params)
    case("glu", "last axis", nn.GLU(), [[2, 3, 4]])
    case("glu", "channels", nn.GLU(1), [[2, 4, 3]], {"axis": 1})
    initial("prelu", nn.PReLU(4), [x], {"per_channel": True})


def by_columns(call):
    """A linear map by what it makes of unit vectors: PyTorch's own backward pass of the nearest and the bicubic mode
    copies gradients where a size stays, though under a factor its forward pass moves the elements."""
    def run(t):
        units = torch.eye(t.numel(), dtype=t.dtype).reshape(-1, *t.shape)
        columns = torch.stack([call(unit).flatten() for unit in units], 1)
        return (columns @ t.flatten()).reshape(call(t).shape)
    return run


def add_shapes():
    for sides, x in (([1], [1, 2, 3, 3]), ([1, 2, 0, 1], [2, 1, 4, 3]), ([2, 1], [2, 3, 4]), ([1, 0, 2, 1, 1, 1], [1, 1, 2, 3, 3])):
        full = sides * (2 * (len(x) - 2)) if len(sides) == 1 else sides
        case("pad", "zeros %s" % sides, lambda t: F.pad(t, full), [x], {"padding": sides})
        case("pad", "a value %s" % sides, lambda t: F.pad(t, full, value=0.5), [x], {"padding": sides, "value": 0.5})
        for mode in ("reflect", "replicate", "circular"):
            case("pad", "%s %s" % (mode, sides), lambda t: F.pad(t, full, mode), [x], {"padding": sides, "mode": mode})
    for modes, x in ((("nearest", "linear", "area"), [2, 2, 5]), (("nearest", "bilinear", "bicubic", "area"), [1, 2, 4, 3]),
                     (("nearest", "trilinear", "area"), [1, 2, 2, 3, 2])):
        for mode in modes:
            ours = {"bilinear": "linear", "trilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
            case("upsample", "%s by 2" % mode, lambda t: F.interpolate(t, scale_factor=2, mode=mode), [x], {"mode": ours})
            for factor in (1.5, 0.7, 1.1):
                call = lambda t: F.interpolate(t, scale_factor=factor, mode=mode)
                call = by_columns(call) if factor == 1.1 else call
                case("upsample", "%s by %s" % (mode, factor), call, [x], {"mode": ours, "scale_factor": factor})
            size = [7, 5, 4][:len(x) - 2]
            case("upsample", "%s to %s" % (mode, size), lambda t: F.interpolate(t, size, mode=mode), [x], {"mode": ours, "size": size})
    for mode, ours in (("bilinear", "linear"), ("bicubic", "cubic")):
        case("upsample", mode + ", corners", lambda t: F.interpolate(t, scale_factor=2, mode=mode, align_corners=True),
             [[1, 2, 4, 3]], {"mode": ours, "align_corners": True})
        case("upsample", mode + ", smaller", lambda t: F.interpolate(t, [3, 4], mode=mode, antialias=True), [[1, 2, 7, 9]],
             {"mode": ours, "size": [3, 4], "antialias": True})
        case("upsample", mode + ", by 0.7, smooth", lambda t: F.interpolate(t, scale_factor=0.7, mode=mode, antialias=True),
             [[1, 2, 7, 9]], {"mode": ours, "scale_factor": 0.7, "antialias": True})
        case("upsample", mode + ", by 1.5, corners", lambda t: F.interpolate(t, scale_factor=1.5, mode=mode, align_corners=True),
             [[1, 2, 5, 3]], {"mode": ours, "scale_factor": 1.5, "align_corners": True})
    case("pixel_shuffle", "by 2", nn.PixelShuffle(2), [[2, 8, 2, 3]])
    case("pixel_unshuffle", "by 3", nn.PixelUnshuffle(3), [[2, 2, 6, 3]], {"factor": 3})
    case("flatten", "all", nn.Flatten(), [[2, 3, 2, 2]])
    case("flatten", "some", nn.Flatten(2, 3), [[2, 3, 2, 2, 2]], {"first_axis": 2, "last_axis": 3})
    case("unflatten", "in two", lambda t: t.unflatten(1, (2, 3)), [[2, 6, 2]], {"sizes": [2, -1]})
    case("reshape", "to a line", lambda t: t.reshape(2, 4, 3), [[2, 3, 2, 2]], {"shape": [4, -1]})
    case("permute", "channels last", lambda t: t.permute(0, 2, 3, 1), [[2, 3, 2, 4]], {"order": [2, 3, 1]})
    case("transpose", "steps and features", lambda t: t.transpose(1, 2), [[2, 3, 4]])
    case("transpose", "from the end", lambda t: t.transpose(-1, 1), [[2, 3, 4, 2]], {"first": -1, "second": 1})
    for ends in ("input", "identity", "output"):
        case(ends, "as it is", lambda t: t * 1, [[2, 3]])
    for drops in ("dropout", "channel_dropout", "stochastic_depth"):
        case(drops, "evaluation", lambda t: t * 1, [[2, 3, 4]], training=False)


def add_merges():
    case("add", "three", lambda a, b, c: a + b + c, [[2, 3]] * 3)
    case("multiply", "three, one by channel", lambda a, b, c: a * b * c, [[2, 3, 4], [2, 3, 1], [2, 3, 4]])
    case("subtract", "one by channel", lambda a, b: a - b, [[2, 3, 4], [2, 3, 1]])
    case("concat", "channels", lambda a, b: torch.cat((a, b), 1), [[2, 3, 4], [2, 1, 4]])
    case("concat", "last axis", lambda a, b: torch.cat((a, b), -1), [[2, 3, 4], [2, 3, 2]], {"axis": -1})
    case("squeeze_excite", "images", SqueezeExcite(6, 3, torch.sigmoid), [[2, 6, 3, 2]], {"reduction": 2})
    case("squeeze_excite", "lines, hard gate", SqueezeExcite(4, 1, F.hardsigmoid), [[2, 4, 5]], {"gate": "hard_sigmoid"})
    initial("squeeze_excite", SqueezeExcite(512, 32, torch.sigmoid), [[2, 512, 2, 2]], {})
    case("linear", "rows", nn.Linear(5, 4), [[3, 5]], {"out_features": 4})
    case("linear", "steps, no bias", nn.Linear(5, 4, False), [[2, 3, 5]], {"out_features": 4, "bias": False})
    initial("linear", nn.Linear(300, 512), [[2, 300]], {"out_features": 512})


class Last(nn.Module):
    """The state that each direction ends in."""

    def __init__(self, net):
        super().__init__()
        self.__dict__["net"] = net

    def state_dict(self, **how):
        return self.net.state_dict(**how)

    def double(self):
        self.net.double()
        return self

    def forward(self, x):
        end = self.net(x)[1]
        end = end[0] if isinstance(end, tuple) else end
        return torch.cat((end[-2], end[-1]), 1) if self.net.bidirectional else end[-1]


class Whole(Last):
    """The output of every step."""

    def forward(self, x):
        return self.net(x)[0]


class States(Last):
    """All steps, or the state that each direction ends in; then every state, batch first."""

    def __init__(self, net, last=False):
        super().__init__(net)
        self.last = last

    def forward(self, x, lengths=None, *start):
        start = [each.transpose(0, 1).contiguous() for each in start]
        if len(start) == 1 and isinstance(self.net, nn.LSTM):
            start.append(torch.zeros_like(start[0]))
        run = x if lengths is None else pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        y, end = self.net(run, tuple(start) if len(start) > 1 else start[0] if start else None)
        ends = end if isinstance(end, tuple) else (end,)
        if lengths is not None:
            y = pad_packed_sequence(y, batch_first=True, total_length=x.size(1))[0]
        if self.last:
            y = torch.cat((ends[0][-2], ends[0][-1]), 1) if self.net.bidirectional else ends[0][-1]
        return (y,) + tuple(each.transpose(0, 1) for each in ends)


def add_recurrent_ports():
    lengths, x = ([3, 5, 1], [3]), [3, 5, 2]
    for name, net in (("rnn", nn.RNN), ("lstm", nn.LSTM), ("gru", nn.GRU)):
        one, two = {"hidden_size": 4}, {"hidden_size": 3, "num_layers": 2, "bidirectional": True}
        state = [[3, 4, 3]] * (2 if name == "lstm" else 1)
        deep = lambda: net(2, 3, 2, batch_first=True, bidirectional=True)
        case(name, "states", States(net(2, 4, batch_first=True)), [x], one)
        case(name, "lengths", States(net(2, 4, batch_first=True)), [x, lengths], one)
        case(name, "start state", States(net(2, 4, batch_first=True)), [x, None, [3, 1, 4]], one)
        case(name, "lengths, two layers, both ways", States(deep()), [x, lengths], two)
        case(name, "start states, two layers, both ways", States(deep()), [x, None] + state, two)
        case(name, "lengths and start states, last", States(deep(), True), [x, lengths] + state, dict(two, output="last"))


def add_recurrent():
    for name, net in (("rnn", nn.RNN), ("lstm", nn.LSTM), ("gru", nn.GRU)):
        case(name, "plain", Whole(net(3, 4, batch_first=True)), [[2, 5, 3]], {"hidden_size": 4})
        case(name, "last step", Last(net(3, 4, batch_first=True)), [[2, 5, 3]], {"hidden_size": 4, "output": "last"})
        settings = {"hidden_size": 3, "num_layers": 2, "bidirectional": True}
        case(name, "two layers, both ways", Whole(net(2, 3, 2, batch_first=True, bidirectional=True)), [[2, 4, 2]], settings)
        case(name, "both ways, last, no bias", Last(net(2, 3, 2, False, True, bidirectional=True)), [[2, 4, 2]],
             dict(settings, output="last", bias=False))
        initial(name, net(64, 128, 2, batch_first=True, bidirectional=True), [[2, 4, 64]], {"num_layers": 2, "bidirectional": True})
    case("rnn", "relu", Whole(nn.RNN(3, 4, nonlinearity="relu", batch_first=True)), [[2, 5, 3]], {"hidden_size": 4, "nonlinearity": "relu"})


def causal(module):
    module.causal = True
    return module


def add_attention():
    seq, other = [2, 4, 6], [2, 3, 6]
    heads = {"num_heads": 2}
    case("self_attention", "two heads", Attention(6, 2, batch_first=True), [seq], heads)
    case("self_attention", "causal, no bias", causal(Attention(6, 3, bias=False, batch_first=True)), [seq],
         {"num_heads": 3, "causal": True, "bias": False})
    case("multi_head_attention", "across", Attention(6, 2, batch_first=True), [seq, other, other], heads)
    case("multi_head_attention", "causal across", causal(Attention(6, 2, batch_first=True)), [seq, other, other],
         dict(heads, causal=True))
    case("multi_head_attention", "sizes of their own", Attention(6, 2, kdim=5, vdim=3, batch_first=True),
         [seq, [2, 3, 5], [2, 3, 3]], heads)
    initial("self_attention", Attention(128, 8), [[2, 3, 128]], {})
    initial("multi_head_attention", Attention(128, 8, kdim=64, vdim=32), [[2, 3, 128], [2, 3, 64], [2, 3, 32]], {})
    block = dict(heads, feedforward_size=5, dropout=0.0, causal=False)
    for name, kind, inputs in (("transformer_encoder", Encoder, [seq]), ("transformer_decoder", Decoder, [seq, other])):
        case(name, "norm last", kind(6, 2, 5, 0.0, batch_first=True), inputs, block)
        case(name, "norm first, gelu", kind(6, 2, 5, 0.0, "gelu", 1e-3, True, True), inputs,
             dict(block, activation="gelu", norm_first=True, eps=1e-3))
        case(name, "causal", causal(kind(6, 2, 5, 0.0, batch_first=True)), inputs, dict(block, causal=True))
        case(name, "evaluation", kind(6, 2, 5, 0.1, batch_first=True), inputs, dict(block, dropout=0.1), False)
        initial(name, kind(64, 8), [[2, 3, 64]] * len(inputs), {})


def add_attention_ports():
    """Grouped heads and masks."""
    seq, other, heads = [2, 4, 8], [2, 3, 8], {"num_heads": 4}
    padding = ([True, True, False, True, False, True, True, False], [2, 4])
    early = ([True, True, False, True, True, False, False, True], [2, 4])  # the first step, which sees itself only, is there
    across = ([True, False, True, False, True, True], [2, 3])
    steps = ([True] * 5 + [False] * 3 + [True] * 6 + [False, True] + [True, False] * 8, [2, 4, 4])
    grouped = lambda module, shared: Grouped(module, 8, 4, shared)
    case("self_attention", "padding", SelfAttention(8, 4, batch_first=True), [seq, padding], heads)
    case("self_attention", "padding, causal", causal(SelfAttention(8, 4, batch_first=True)), [seq, early],
         dict(heads, causal=True))
    case("self_attention", "mask of steps", SelfAttention(8, 4, batch_first=True), [seq, steps], heads)
    case("self_attention", "added to scores", SelfAttention(8, 4, batch_first=True), [seq, [2, 4]], heads)
    case("self_attention", "added to scores of steps, causal", causal(SelfAttention(8, 4, batch_first=True)),
         [seq, [2, 4, 4]], dict(heads, causal=True))
    for shared in (1, 2, 4):
        case("self_attention", "%d kv heads" % shared, grouped(SelfAttention(8, 4, batch_first=True), shared), [seq],
             dict(heads, kv_heads=shared))
    case("self_attention", "grouped, causal, no bias",
         grouped(causal(SelfAttention(8, 4, bias=False, batch_first=True)), 2), [seq],
         dict(heads, kv_heads=2, causal=True, bias=False))
    case("self_attention", "grouped, mask of steps", grouped(SelfAttention(8, 4, batch_first=True), 2), [seq, steps],
         dict(heads, kv_heads=2))
    case("multi_head_attention", "padding", Attention(8, 4, batch_first=True), [seq, other, other, across], heads)
    case("multi_head_attention", "grouped, added to scores", grouped(Attention(8, 4, batch_first=True), 2),
         [seq, other, other, [2, 4, 3]], dict(heads, kv_heads=2))
    case("multi_head_attention", "grouped, sizes of their own, padding",
         grouped(Attention(8, 4, kdim=5, vdim=3, batch_first=True), 2), [seq, [2, 3, 5], [2, 3, 3], across],
         dict(heads, kv_heads=2))
    block = dict(heads, feedforward_size=5, dropout=0.0, causal=False)
    case("transformer_encoder", "padding", Encoder(8, 4, 5, 0.0, batch_first=True), [seq, padding], block)
    case("transformer_encoder", "grouped, padding, causal, norm first",
         grouped(causal(Encoder(8, 4, 5, 0.0, batch_first=True, norm_first=True)), 2), [seq, early],
         dict(block, kv_heads=2, causal=True, norm_first=True))
    case("transformer_decoder", "both masks", Decoder(8, 4, 5, 0.0, batch_first=True), [seq, other, padding, across], block)
    case("transformer_decoder", "mask of the memory", Decoder(8, 4, 5, 0.0, batch_first=True), [seq, other, None, across],
         block)
    case("transformer_decoder", "grouped, causal, mask of the memory",
         grouped(causal(Decoder(8, 4, 5, 0.0, batch_first=True)), 2), [seq, other, None, across],
         dict(block, kv_heads=2, causal=True))


def add_blocks_without_bias():
    """Their normalizations have no bias either; torch has had the setting since 2.1."""
    seq, other = [2, 4, 6], [2, 3, 6]
    params = {"num_heads": 2, "feedforward_size": 5, "dropout": 0.0, "causal": False, "bias": False}
    for name, kind, inputs in (("transformer_encoder", Encoder, [seq]), ("transformer_decoder", Decoder, [seq, other])):
        for first in (False, True):
            case(name, "no bias, norm " + ("first" if first else "last"),
                 kind(6, 2, 5, 0.0, batch_first=True, norm_first=first, bias=False), inputs, dict(params, norm_first=first))


def add_embeddings():
    tokens = ([1, 0, 4, 1, 2, 2], [2, 3])
    case("embedding", "tokens", nn.Embedding(5, 4), [tokens], {"num_embeddings": 5, "embedding_dim": 4})
    case("embedding", "padding", nn.Embedding(5, 4, padding_idx=2), [tokens],
         {"num_embeddings": 5, "embedding_dim": 4, "padding_index": 2})
    initial("embedding", nn.Embedding(500, 64, padding_idx=3), [tokens[1]],
            {"num_embeddings": 500, "embedding_dim": 64, "padding_index": 3})
    case("positional_embedding", "learned", Learned(4, 6), [[2, 4, 6]])
    case("positional_embedding", "waves", waves, [[2, 4, 6]], {"kind": "sinusoidal"})
    case("positional_embedding", "waves, odd", waves, [[1, 3, 5]], {"kind": "sinusoidal"})
    initial("positional_embedding", Learned(100, 64), [[2, 100, 64]], {})


if sys.argv[1:] == ["--blocks-without-bias"]:
    add_blocks_without_bias()
    print(json.dumps(CASES))
    sys.exit()

torch.manual_seed(1)
for add in (add_convolutions, add_pools, add_norms, add_activations, add_shapes, add_merges, add_recurrent, add_attention,
            add_embeddings, add_recurrent_ports, add_attention_ports):
    add()
newer = subprocess.run([sys.argv[1], __file__, "--blocks-without-bias"], check=True, capture_output=True)
CASES += json.loads(newer.stdout)

print('{"made_by": "tests/reference/make_layers.py", "torch": "%s", "cases": [' % torch.__version__)
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in CASES))
print('], "initial": [')
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in INITIAL))
print("]}")
