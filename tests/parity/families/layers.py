# SPDX-License-Identifier: Apache-2.0
"""Every layer of the registry as a module: settings, training or not, results, gradients, changed buffers."""
import math

import torch
import torch.nn.functional as F
from torch import nn

import exclusions
from drawing import EVERY, FLOATS, INTEGERS
from layer_drawing import axis_of, each, for_axes, kept_by, layer, spread
from layer_modules import (Attention, Decoder, Embedding, Encoder, Learned, Recurrent, RmsNorm, SqueezeExcite, waves,
                           weights_of)

CONV = (nn.Conv1d, nn.Conv2d, nn.Conv3d)
TURNED = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)
MAXIMA = (nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d)
MEANS = (nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d)
ADAPTIVE_MEANS = (nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d)
ADAPTIVE_MAXIMA = (nn.AdaptiveMaxPool1d, nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d)
BATCH_NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)
INSTANCE_NORMS = (nn.InstanceNorm1d, nn.InstanceNorm2d, nn.InstanceNorm3d)


def conv(axes):
    def draw(d):
        groups = d.choice([1, 1, 2, 4])
        wide, out, bias = groups * d.choice([1, 2, 4]), groups * d.choice([1, 2, 4]), d.chance(0.7)
        kernel, stride, padding, dilation = (each(d, axes, *limits) for limits in ((1, 3), (1, 2), (0, 2), (1, 2)))
        mode = d.choice(["zeros", "zeros", "reflect", "replicate", "circular"])
        sizes = [max((k - 1) * dl + 1 - 2 * p, p, 0) + 1 + d.int(0, 3) for k, dl, p in zip(kernel, dilation, padding)]
        return layer(d, CONV[axes - 1](wide, out, kernel, stride, padding, dilation, groups, bias, mode),
                     [d.tensor([d.int(1, 2), wide] + sizes, d.type())],
                     dict(out_channels=out, kernel_size=for_axes(axes, kernel), stride=for_axes(axes, stride),
                          padding=for_axes(axes, padding), dilation=for_axes(axes, dilation), groups=groups,
                          padding_mode=mode, bias=bias),
                     absorbs="relu" if axes == 2 and d.chance(0.3) else "")
    return draw


def conv_transpose(axes):
    def draw(d):
        groups = d.choice([1, 1, 2])
        wide, out, bias = groups * d.choice([1, 2, 4]), groups * d.choice([1, 2, 4]), d.chance(0.7)
        kernel, stride, dilation = (each(d, axes, *limits) for limits in ((1, 3), (1, 3), (1, 2)))
        more = [d.int(0, max(s, dl) - 1) if d.chance(0.4) else 0 for s, dl in zip(stride, dilation)]
        padding = [d.int(0, min(2, (k - 1) * dl // 2)) for k, dl in zip(kernel, dilation)]
        module = TURNED[axes - 1](wide, out, kernel, stride, padding, more, groups, bias, dilation)
        return layer(d, module, [d.tensor([d.int(1, 2), wide] + each(d, axes, 2, 4), d.type())],
                     dict(out_channels=out, kernel_size=for_axes(axes, kernel), stride=for_axes(axes, stride),
                          padding=for_axes(axes, padding), output_padding=for_axes(axes, more),
                          dilation=for_axes(axes, dilation), groups=groups, bias=bias))
    return draw


def pool(axes, largest):
    def draw(d):
        kernel, stride = each(d, axes, 1, 3), each(d, axes, 0, 3)
        padding, ceil = [d.int(0, k // 2) for k in kernel], d.chance(0.3)
        step = [s or k for s, k in zip(stride, kernel)]
        settings = dict(kernel_size=for_axes(axes, kernel), stride=for_axes(axes, stride),
                        padding=for_axes(axes, padding), ceil_mode=ceil)
        sizes = [d.int(1, 2), d.choice([1, 2, 8])] + [k + d.int(0, 4) for k in kernel]
        if largest:
            return layer(d, MAXIMA[axes - 1](kernel, step, padding, ceil_mode=ceil),
                         [d.distinct(sizes, d.type())], settings)
        count = d.chance(0.5)
        return layer(d, MEANS[axes - 1](kernel, step, padding, ceil, count), [d.tensor(sizes, d.type())],
                     dict(settings, count_include_pad=count))
    return draw


def adaptive(axes, largest):
    def draw(d):
        size = each(d, axes, 1, 4)
        sizes, dtype = [d.int(1, 2), d.choice([1, 2, 8])] + each(d, axes, 1, 7), d.type()
        return layer(d, (ADAPTIVE_MAXIMA if largest else ADAPTIVE_MEANS)[axes - 1](for_axes(axes, size)),
                     [d.distinct(sizes, dtype) if largest else d.tensor(sizes, dtype)],
                     dict(output_size=for_axes(axes, size)))
    return draw


def batch_norm(axes):
    def draw(d):
        dtype, channels = d.type(), d.choice([1, 2, 3, 8])
        eps, momentum, affine = d.choice([1e-5, 1e-3]), d.number(0, 1), d.chance(0.7)
        cumulative = d.chance(0.3)
        lines = axes if axes > 1 else d.int(0, 1)
        return layer(d, BATCH_NORMS[axes - 1](channels, eps, None if cumulative else momentum, affine),
                     [spread(d, [d.int(2, 6), channels] + each(d, lines, 1, 4), dtype)],
                     dict(eps=eps, momentum=momentum, cumulative=cumulative, affine=affine),
                     weights_type=d.beside(dtype), absorbs="relu" if d.chance(0.3) else "")
    return draw


def instance_norm(d):
    axes, channels, dtype = d.int(1, 3), d.int(1, 4), d.type()
    eps, momentum, affine, tracks = d.choice([1e-5, 1e-3]), d.number(0, 1), d.chance(0.5), d.chance(0.6)
    return layer(d, INSTANCE_NORMS[axes - 1](channels, eps, momentum, affine, tracks),
                 [spread(d, [d.int(1, 3), channels] + each(d, axes, 2, 4), dtype)],
                 dict(eps=eps, momentum=momentum, affine=affine, track_running_stats=tracks),
                 weights_type=d.beside(dtype))


def group_norm(d):
    dtype, groups = d.type(), d.choice([1, 2, 4])
    channels, eps, affine = groups * d.choice([2, 4]), d.choice([1e-5, 1e-3]), d.chance(0.7)
    return layer(d, nn.GroupNorm(groups, channels, eps, affine),
                 [spread(d, [d.int(1, 3), channels] + each(d, d.int(0, 3), 1, 4), dtype)],
                 dict(groups=groups, eps=eps, affine=affine), weights_type=d.beside(dtype))


def last_axis_norm(make):
    def draw(d):
        dtype, size = d.type(), d.choice([2, 3, 5, 8, 17])
        eps, affine = d.choice([1e-5, 1e-3]), d.chance(0.7)
        return layer(d, make(size, eps, affine), [spread(d, d.shape(1, 3) + [size], dtype)],
                     dict(eps=eps, affine=affine), weights_type=d.beside(dtype))
    return draw


def pointwise(function, low=-4, high=4, **options):
    """@param options name: (lowest, highest) of each number that function and form take"""
    def draw(d):
        numbers = {name: d.number(*limits) for name, limits in options.items()}
        x = d.tensor(d.shape(1, 4), d.type(), low, high)
        case = layer(d, lambda x: function(x, *numbers.values()), [x], numbers)
        if function is F.hardswish and bool((x.value.abs() == 3).any()):
            case.excluded = "hardswish"
        return case
    return draw


def gelu(d):
    form = d.choice(["none", "tanh"])
    return layer(d, nn.GELU(form), [d.tensor(d.shape(1, 4), d.type(), -4, 4)], dict(approximate=form))


def prelu(d):
    sizes, per_channel = d.shape(2, 4), d.chance(0.6)
    return layer(d, nn.PReLU(sizes[1] if per_channel else 1), [d.tensor(sizes, d.type())],
                 dict(per_channel=per_channel, init=d.number(0, 1)))


def along(make):
    def draw(d):
        sizes = d.shape(2, 4)
        axis = axis_of(d, len(sizes))
        sizes[axis] *= 2  # GLU cuts it in half
        return layer(d, make(axis), [d.tensor(sizes, d.type(), -5, 5)], dict(axis=axis))
    return draw


def pad(d):
    axes = d.int(1, 3)
    mode, value = d.choice(["zeros", "zeros", "reflect", "replicate", "circular"]), d.choice([0.0, 0.0, 1.5])
    sides = [d.int(0, 2)] if d.chance(0.3) else each(d, 2 * axes, 0, 2)
    every = sides * (2 * axes) if len(sides) == 1 else sides
    x = d.tensor([d.int(1, 2), d.int(1, 3)] + each(d, axes, 3, 5), d.type())
    if mode == "zeros":
        return layer(d, lambda x: F.pad(x, every, value=value), [x], dict(padding=sides, mode=mode, value=value))
    return layer(d, lambda x: F.pad(x, every, mode), [x], dict(padding=sides, mode=mode))


def upsample(d):
    axes, mode = d.int(1, 3), d.choice(["nearest", "linear", "cubic", "area"])
    axes = 2 if mode == "cubic" else axes
    theirs = {"linear": ("linear", "bilinear", "trilinear")[axes - 1], "cubic": "bicubic"}.get(mode, mode)
    align = d.chance(0.5) if theirs != mode or mode == "linear" else None
    antialias = theirs in ("bilinear", "bicubic") and d.chance(0.4)
    sizes, settings = each(d, axes, 2, 6), dict(mode=mode, align_corners=bool(align), antialias=antialias)
    if d.chance(0.5):
        size, factor = each(d, axes, 1, 8), None
        settings["size"] = size
    else:
        size, factor = None, d.choice([2.0, 3.0, 0.5, 1.5, d.number(0.5, 3)])
        settings["scale_factor"] = factor
    case = layer(d, lambda x: F.interpolate(x, size, factor, theirs, align, antialias=antialias),
                 [d.tensor([d.int(1, 2), d.int(1, 3)] + sizes, d.type())], settings)
    if mode == "nearest" and factor not in (None, 2.0) and any(math.floor(n * factor) in (n, 2 * n) for n in sizes):
        case.excluded = "nearest"
    if exclusions.is_lone_column(antialias, size[-1] if size else math.floor(sizes[-1] * factor)):
        case.excluded = "lone column"
    return case


def pixel_shuffle(d):
    factor = d.int(1, 3)
    return layer(d, nn.PixelShuffle(factor),
                 [d.tensor([d.int(1, 2), factor * factor * d.int(1, 3)] + each(d, 2, 1, 4), d.type())], dict(factor=factor))


def pixel_unshuffle(d):
    factor = d.int(1, 3)
    return layer(d, nn.PixelUnshuffle(factor),
                 [d.tensor([d.int(1, 2), d.int(1, 3)] + [factor * n for n in each(d, 2, 1, 3)], d.type())],
                 dict(factor=factor))


def flatten(d):
    x = d.tensor(d.shape(1, 5, 4), d.type(EVERY))
    ndim = x.value.dim()
    if ndim == 1:
        return layer(d, lambda x: x[:, None], [x])
    first = d.int(1, ndim - 1)
    last = d.int(first, ndim - 1)
    return layer(d, nn.Flatten(first, last), [x], dict(first_axis=first, last_axis=last - ndim if d.chance(0.5) else last))


def parts(d, count, most):
    """Sizes whose product is `count`, one of them now and then -1, and all of them as they are."""
    sizes = []
    while len(sizes) < most - 1:
        sizes.append(d.choice([n for n in range(1, count + 1) if count % n == 0]))
        count //= sizes[-1]
    sizes.append(count)
    at = d.int(0, len(sizes) - 1) if d.chance(0.5) else None
    return [-1 if k == at else n for k, n in enumerate(sizes)], sizes


def unflatten(d):
    x = d.tensor(d.shape(2, 4), d.type(EVERY))
    axis = axis_of(d, x.value.dim())
    given, sizes = parts(d, x.value.shape[axis], d.int(1, 3))
    return layer(d, lambda x: x.unflatten(axis, sizes), [x], dict(axis=axis, sizes=given))


def reshape(d):
    x = d.tensor(d.shape(2, 4, 4), d.type(EVERY))
    given, sizes = parts(d, math.prod(x.value.shape[1:]), d.int(1, 3))
    return layer(d, lambda x: x.reshape([x.shape[0]] + sizes), [x], dict(shape=given))


def permute(d):
    x = d.tensor(d.shape(2, 5, 4), d.type(EVERY))
    order = [axis + 1 for axis in d.order(x.value.dim() - 1)]
    return layer(d, lambda x: x.permute([0] + order), [x], dict(order=order))


def transpose(d):
    x = d.tensor(d.shape(2, 4), d.type(EVERY))
    first, second = axis_of(d, x.value.dim()), axis_of(d, x.value.dim())
    return layer(d, lambda x: x.transpose(first, second), [x], dict(first=first, second=second))


def unchanged(d):
    return layer(d, lambda x: x * 1, [d.tensor(d.shape(1, 4), d.type(FLOATS + INTEGERS))])


def entry(d):
    x = d.tensor(d.shape(1, 4), d.type())
    return layer(d, lambda x: x * 1, [x], dict(shape=list(x.value.shape[1:])) if d.chance(0.5) else {})


def same_shapes(function):
    def draw(d):
        sizes, dtype = d.shape(1, 4), d.type()
        return layer(d, function, [d.tensor(sizes, dtype) for _ in range(d.int(2, 4))])
    return draw


def broadcasting(function, most):
    def draw(d):
        sizes, dtype = d.shape(1, 4), d.type()
        shapes = [[sizes[0]] + [1 if d.chance(0.3) else n for n in sizes[1:]] for _ in range(d.int(2, most))]
        return layer(d, function, [d.tensor(shape, dtype) for shape in shapes])
    return draw


def concat(d):
    sizes, dtype = d.shape(2, 4), d.type(EVERY)
    axis, inputs = axis_of(d, len(sizes)), []
    for _ in range(d.int(2, 4)):
        sizes[axis] = d.int(1, 4)
        inputs.append(d.tensor(sizes, dtype))
    return layer(d, lambda *x: torch.cat(x, axis), inputs, dict(axis=axis))


def summed(*x):
    return sum(x[1:], x[0])


def product(*x):
    y = x[0]
    for factor in x[1:]:
        y = y * factor
    return y


def squeeze_excite(d):
    channels, reduction, hard = d.choice([1, 2, 4, 6, 8]), d.int(1, 4), d.chance(0.5)
    # composed: the gradient of F.hardsigmoid has f32's 1/6 even in f64
    gate = (lambda x: F.relu6(x + 3) / 6) if hard else torch.sigmoid
    return layer(d, SqueezeExcite(channels, max(1, channels // reduction), gate),
                 [d.tensor([d.int(1, 3), channels] + each(d, d.int(1, 3), 1, 4), d.type())],
                 dict(reduction=reduction, gate="hard_sigmoid" if hard else "sigmoid"))


def linear(d):
    wide, out, bias = d.int(1, 9), d.choice([1, 3, 8, 17]), d.chance(0.7)
    return layer(d, nn.Linear(wide, out, bias), [d.tensor(d.shape(1, 3) + [wide], d.type())],
                 dict(out_features=out, bias=bias), absorbs="relu" if d.chance(0.3) else "")


def embedding(d):
    rows, size = d.int(1, 9), d.int(1, 9)
    padding = d.int(0, rows - 1) if d.chance(0.4) else -1
    numbers = d.indices(d.shape(1, 3), rows).value.to(d.choice(INTEGERS))
    return layer(d, Embedding(rows, size, padding), [d.plain(numbers)],
                 dict(num_embeddings=rows, embedding_dim=size, padding_index=padding), weights_type=d.type())


def positional_embedding(d):
    sizes, learned = [d.int(1, 3), d.int(1, 6), d.int(1, 9)], d.chance(0.5)
    return layer(d, Learned(*sizes[1:]) if learned else waves, [d.tensor(sizes, d.type())],
                 dict(kind="learned" if learned else "sinusoidal"))


def dropped(d, training):
    """A chance at which results do not depend on the numbers drawn."""
    return d.choice([0.0, 0.0, 1.0]) if training else d.number(0, 1)


def recurrent(make, gates_named=False):
    def draw(d):
        width, hidden, layers, both, bias = d.int(1, 5), d.choice([1, 3, 8]), d.int(1, 2), d.chance(0.4), d.chance(0.7)
        training, last = d.chance(0.6), d.chance(0.4)
        dropout = dropped(d, training)
        more = dict(nonlinearity=d.choice(["tanh", "relu"])) if gates_named else {}
        net = make(width, hidden, layers, bias=bias, batch_first=True, dropout=dropout, bidirectional=both, **more)
        return layer(d, Recurrent(net, last), [d.tensor([d.int(1, 3), d.int(1, 5), width], d.type())],
                     dict(more, hidden_size=hidden, num_layers=layers, bidirectional=both, dropout=dropout, bias=bias,
                          output="last" if last else "sequence"), training)
    return draw


def heads_of(d):
    """Heads and features, steps and samples, and what all attention layers are asked."""
    heads, training = d.choice([1, 2, 3]), d.chance(0.6)
    settings = dict(num_heads=heads, dropout=dropped(d, training), causal=d.chance(0.4), bias=d.chance(0.7))
    return heads * d.choice([1, 2, 4]), [d.int(1, 3), d.int(1, 5)], settings, training


def attention(itself):
    def draw(d):
        features, sizes, settings, training = heads_of(d)
        dtype = d.type()
        inputs, theirs = [d.tensor(sizes + [features], dtype)], {}
        if not itself:
            wide = [features] * 2 if d.chance(0.5) else each(d, 2, 1, 6)
            steps = d.int(1, 5)
            inputs += [d.tensor([sizes[0], steps, n], dtype) for n in wide]
            theirs = dict(kdim=wide[0], vdim=wide[1])
        module = Attention(features, settings["num_heads"], settings["dropout"], settings["bias"], batch_first=True, **theirs)
        module.causal = settings["causal"]
        return layer(d, module, inputs, settings, training)
    return draw


def transformer(make, decoder):
    def draw(d):
        features, sizes, settings, training = heads_of(d)
        wide, first, form, eps = d.int(1, 9), d.chance(0.5), d.choice(["relu", "gelu"]), d.choice([1e-5, 1e-3])
        dtype = d.type()
        inputs = [spread(d, sizes + [features], dtype)]
        if decoder:
            inputs.append(spread(d, [sizes[0], d.int(1, 5), features], dtype))
        module = make(features, settings["num_heads"], wide, settings["dropout"], form, eps, True, first)
        module.causal = settings["causal"]
        # 1.13 knows no block without biases: they are zeros
        zeros = () if settings["bias"] else [name for name in weights_of(module) if name.endswith("bias")]
        return layer(d, module, inputs, dict(settings, feedforward_size=wide, norm_first=first, activation=form, eps=eps),
                     training, zeros=zeros)
    return draw


def dropping(group):
    def draw(d):
        dtype, training, p = d.type(), d.chance(0.8), d.choice([0.0, 1.0] + [d.number(0.05, 0.95)] * 6)
        if not training:
            return layer(d, lambda x: x * 1, [d.tensor(d.shape(2, 4), dtype)], dict(p=p), False)
        sizes = {None: [d.int(8, 16), d.int(8, 17), d.int(4, 8)], 1: [d.int(200, 600), d.int(1, 3)],
                 2: [d.int(8, 16), d.int(16, 33), d.int(1, 3)]}[group]
        x = d.signed(d.tensor(sizes, dtype, 0.5, 2))
        case = layer(d, lambda x: x * 1, [x], dict(p=p), True)
        case.holds = kept_by(p, group)
        return case
    return draw


# every layer of the registry (bound_layers_test.cpp)
LAYERS = {
    "conv1d": conv(1), "conv2d": conv(2), "conv3d": conv(3), "conv_transpose1d": conv_transpose(1),
    "conv_transpose2d": conv_transpose(2), "conv_transpose3d": conv_transpose(3),
    "max_pool1d": pool(1, True), "max_pool2d": pool(2, True), "max_pool3d": pool(3, True),
    "avg_pool1d": pool(1, False), "avg_pool2d": pool(2, False), "avg_pool3d": pool(3, False),
    "adaptive_max_pool1d": adaptive(1, True), "adaptive_max_pool2d": adaptive(2, True),
    "adaptive_max_pool3d": adaptive(3, True), "adaptive_avg_pool1d": adaptive(1, False),
    "adaptive_avg_pool2d": adaptive(2, False), "adaptive_avg_pool3d": adaptive(3, False),
    "batch_norm1d": batch_norm(1), "batch_norm2d": batch_norm(2), "batch_norm3d": batch_norm(3),
    "instance_norm": instance_norm, "group_norm": group_norm,
    "layer_norm": last_axis_norm(lambda size, eps, affine: nn.LayerNorm(size, eps, affine)),
    "rms_norm": last_axis_norm(RmsNorm),
    "relu": pointwise(torch.relu), "relu6": pointwise(F.relu6, -3, 8), "sigmoid": pointwise(torch.sigmoid),
    "silu": pointwise(F.silu), "tanh": pointwise(torch.tanh), "selu": pointwise(F.selu), "mish": pointwise(F.mish),
    "elu": pointwise(F.elu, alpha=(0.3, 2)), "hard_swish": pointwise(F.hardswish, -5, 5),
    # composed: the gradient of F.hardsigmoid has f32's 1/6 even in f64
    "hard_sigmoid": pointwise(lambda x: F.relu6(x + 3) / 6, -5, 5), "log_sigmoid": pointwise(F.logsigmoid),
    "softsign": pointwise(F.softsign), "gelu": gelu, "softplus": pointwise(F.softplus, beta=(0.3, 3), threshold=(2, 9)),
    "hard_tanh": pointwise(F.hardtanh, min=(-2, -0.1), max=(0.1, 2)),
    "leaky_relu": pointwise(F.leaky_relu, negative_slope=(0.01, 0.5)), "prelu": prelu,
    "softmax": along(nn.Softmax), "log_softmax": along(nn.LogSoftmax), "glu": along(nn.GLU),
    "pad": pad, "upsample": upsample, "pixel_shuffle": pixel_shuffle, "pixel_unshuffle": pixel_unshuffle,
    "flatten": flatten, "unflatten": unflatten, "reshape": reshape, "permute": permute, "transpose": transpose,
    "input": entry, "identity": unchanged, "output": unchanged,
    "add": same_shapes(summed), "multiply": broadcasting(product, 4), "subtract": broadcasting(lambda a, b: a - b, 2),
    "concat": concat, "squeeze_excite": squeeze_excite, "linear": linear, "embedding": embedding,
    "positional_embedding": positional_embedding,
    "rnn": recurrent(nn.RNN, True), "lstm": recurrent(nn.LSTM), "gru": recurrent(nn.GRU),
    "self_attention": attention(True), "multi_head_attention": attention(False),
    "transformer_encoder": transformer(Encoder, False), "transformer_decoder": transformer(Decoder, True),
    "dropout": dropping(None), "channel_dropout": dropping(2), "stochastic_depth": dropping(1)}


def named(id, draw):
    def draw_layer(d):
        case = draw(d)
        case.params["id"] = id
        return case
    return draw_layer


CASES = {"layer." + id: named(id, draw) for id, draw in LAYERS.items()}
