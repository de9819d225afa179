# SPDX-License-Identifier: Apache-2.0
"""Convolution, pooling, norms, softmax, resizing and attention."""
import itertools

import torch
import torch.nn.functional as F

import exclusions
from drawing import Case
from layer_modules import rectified
from network_cases import attend
from rounding import Rounding

CHANNELS = (1, 2, 3, 4, 8, 8, 16)
CONV = (F.conv1d, F.conv2d, F.conv3d)
TURNED = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)
MAXIMA = (F.max_pool1d, F.max_pool2d, F.max_pool3d)
MEANS = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)
ADAPTIVE_MEANS = (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d)
ADAPTIVE_MAXIMA = (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d)


def each(d, axes, low, high):
    """A setting: one number for all axes, or one each; and as one each."""
    if d.chance(0.5):
        n = d.int(low, high)
        return [n], [n] * axes
    numbers = [d.int(low, high) for _ in range(axes)]
    return numbers, numbers


def kernel_sizes(d, axes):
    return [d.choice([1, 2, 3, 3]) for _ in range(axes)]


def fitting(d, kernel, dilation, padding):
    """Spatial sizes that hold at least one window."""
    return [max(1, (k - 1) * dl + 1 - 2 * p) + d.int(0, 4) for k, dl, p in zip(kernel, dilation, padding)]


def weights(d, dtype, sizes, bias):
    return [d.tensor(sizes, dtype, -1, 1)] + ([d.tensor([bias], dtype)] if d.chance(0.6) else [])


def conv2d(d):
    dtype, groups = d.type(), d.choice([1, 1, 1, 2, 4, 8])
    kernel = kernel_sizes(d, 2)
    stride, padding, dilation = ([d.int(low, high) for _ in range(2)] for low, high in ((1, 3), (0, 2), (1, 2)))
    wide = groups if d.chance(0.5) else groups * d.choice([1, 2, 3])
    if groups == 1:
        wide = d.choice(CHANNELS)
    out = groups * d.choice([1, 2, 3]) if groups > 1 else d.choice(CHANNELS)
    x = d.tensor([d.int(1, 3), wide] + fitting(d, kernel, dilation, padding), dtype)
    return Case("conv2d", [x] + weights(d, dtype, [out, wide // groups] + kernel, out),
                lambda x, w, b=None: F.conv2d(x, w, b, stride, padding, dilation, groups),
                {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups})


def conv(d):
    dtype, axes, groups = d.type(), d.int(1, 3), d.choice([1, 1, 2, 4])
    kernel = kernel_sizes(d, axes)
    (stride, strides), (dilation, dilations), (padding, paddings) = each(d, axes, 1, 2), each(d, axes, 1, 2), each(d, axes, 0, 2)
    mode = d.choice(["zeros", "zeros", "reflect", "replicate", "circular"])
    if mode == "reflect" and axes == 3:
        mode = "replicate"
    wide, out = groups * d.choice([1, 2, 4]), groups * d.choice([1, 2, 4])
    sizes = [max(n, p + 1) for n, p in zip(fitting(d, kernel, dilations, paddings), paddings)]
    x = d.tensor([d.int(1, 2), wide] + sizes, dtype)

    def run(x, w, b=None):
        if mode == "zeros":
            return CONV[axes - 1](x, w, b, strides, paddings, dilations, groups)
        sides = list(itertools.chain(*([p, p] for p in reversed(paddings))))
        return CONV[axes - 1](F.pad(x, sides, mode), w, b, strides, 0, dilations, groups)
    return Case("conv", [x] + weights(d, dtype, [out, wide // groups] + kernel, out), run,
                {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups, "mode": mode})


def conv_transpose(d):
    dtype, axes, groups = d.type(), d.int(1, 3), d.choice([1, 1, 2])
    kernel = kernel_sizes(d, axes)
    stride, dilation = ([d.int(1, 3) for _ in range(axes)] for _ in range(2))
    more = [d.int(0, max(s, dl) - 1) if d.chance(0.4) else 0 for s, dl in zip(stride, dilation)]
    padding = [d.int(0, min(2, (k - 1) * dl // 2)) for k, dl in zip(kernel, dilation)]
    wide, out = groups * d.choice([1, 2, 4]), groups * d.choice([1, 2, 4])
    x = d.tensor([d.int(1, 2), wide] + [d.int(2, 5) for _ in range(axes)], dtype)
    return Case("conv_transpose", [x] + weights(d, dtype, [wide, out // groups] + kernel, out),
                lambda x, w, b=None: TURNED[axes - 1](x, w, b, stride, padding, more, groups, dilation),
                {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation, "groups": groups})


def pool(name, largest, flat):
    """@param flat the operator of two axes, whose result has no places"""
    def draw(d):
        axes = 2 if flat else d.int(1, 3)
        kernel = [d.int(1, 3) for _ in range(axes)]
        stride = [d.int(1, 3) for _ in range(axes)]
        padding = [d.int(0, k // 2) for k in kernel]
        ceil, count = d.chance(0.3), d.chance(0.5)
        sizes = [d.int(1, 2), d.choice([1, 2, 8])] + [k + d.int(0, 4) for k in kernel]
        x = d.distinct(sizes, d.type()) if largest else d.tensor(sizes, d.type())
        if largest:
            run = lambda x: MAXIMA[axes - 1](x, kernel, stride, padding, ceil_mode=ceil, return_indices=not flat)
        else:
            run = lambda x: MEANS[axes - 1](x, kernel, stride, padding, ceil, count)
        return Case(name, [x], run,
                    {"kernel": kernel, "stride": stride, "padding": padding, "ceil": ceil, "count": count})
    return draw


def adaptive(name, largest, flat):
    def draw(d):
        axes = 2 if flat else d.int(1, 3)
        size = [d.int(1, 4) for _ in range(axes)]
        sizes = [d.int(1, 2), d.choice([1, 2, 8])] + [d.int(1, 7) for _ in range(axes)]
        function = (ADAPTIVE_MAXIMA if largest else ADAPTIVE_MEANS)[axes - 1]
        x = d.distinct(sizes, d.type()) if largest else d.tensor(sizes, d.type())
        return Case(name, [x], lambda x: function(x, size), {"size": size})
    return draw


def affine(d, dtype, sizes):
    """Scale and shift, either of f32 beside a half."""
    return [d.tensor(sizes, d.beside(dtype), 0.5, 1.5), d.tensor(sizes, d.beside(dtype))] if d.chance(0.7) else []


def spread(d, sizes, dtype):
    """Of equal numbers the variance is nothing but the rounding of their mean."""
    return d.tensor(sizes, dtype, expands=False)


def statistics(d, dtype, channels):
    return [d.tensor([channels], dtype, -1, 1, False, False), d.tensor([channels], dtype, 0.5, 2, False, False)]


def batch_norm(d):
    dtype, channels = d.type(), d.choice([1, 2, 3, 8, 16])
    kept = d.beside(dtype)
    eps, momentum, training, relu = d.choice([1e-5, 1e-3]), d.number(0, 1), d.chance(0.6), d.chance(0.5)
    sizes = [d.int(2, 6), channels] + [d.int(1, 5) for _ in range(d.int(0, 3))]

    def run(x, mean, var, gamma=None, beta=None):
        mean, var = mean.clone(), var.clone()
        y = F.batch_norm(x, mean, var, gamma, beta, training, momentum, eps)
        return [rectified(y) if relu else y, mean, var]
    inputs = [spread(d, sizes, dtype)] + statistics(d, kept, channels) + affine(d, dtype, [channels])
    return Case("batch_norm", inputs, run,
                {"eps": eps, "momentum": momentum, "training": training, "relu": relu}, types=[dtype, kept, kept])


def layer_norm(d):
    dtype, axes, eps = d.type(), d.int(1, 2), d.choice([1e-5, 1e-3])
    normed = [d.choice([2, 3, 5, 8, 17]) for _ in range(axes)]
    return Case("layer_norm", [spread(d, d.shape(0, 2) + normed, dtype)] + affine(d, dtype, normed),
                lambda x, g=None, b=None: F.layer_norm(x, normed, g, b, eps), {"eps": eps, "axes": axes})


def group_norm(d):
    dtype, groups, eps = d.type(), d.choice([1, 2, 4]), d.choice([1e-5, 1e-3])
    channels = groups * d.choice([1, 2, 4])
    sizes = [d.int(1, 3), channels] + [d.int(2, 4) for _ in range(d.int(1, 3))]
    return Case("group_norm", [spread(d, sizes, dtype)] + affine(d, dtype, [channels]),
                lambda x, g=None, b=None: F.group_norm(x, groups, g, b, eps), {"groups": groups, "eps": eps})


def instance_norm(d):
    dtype, channels, momentum, eps = d.type(), d.int(1, 4), d.number(0, 1), d.choice([1e-5, 1e-3])
    sizes, kept = [d.int(1, 3), channels] + [d.int(2, 4) for _ in range(d.int(1, 3))], d.beside(dtype)

    def run(x, mean, var, gamma=None, beta=None):
        mean, var = mean.clone(), var.clone()
        return [F.instance_norm(x, mean, var, gamma, beta, True, momentum, eps), mean, var]
    return Case("instance_norm", [spread(d, sizes, dtype)] + statistics(d, kept, channels) + affine(d, dtype, [channels]),
                run, {"eps": eps, "momentum": momentum}, types=[dtype, kept, kept])


def rms_norm(d):
    """Composed: 1.13 lacks it."""
    dtype, axes, eps = d.type(), d.int(1, 2), d.choice([1e-6, 1e-3])
    normed = [d.choice([2, 3, 5, 8, 17]) for _ in range(axes)]

    def run(x, gamma=None):
        y = x * torch.rsqrt((x * x).mean(tuple(range(-axes, 0)), keepdim=True) + eps)
        return y if gamma is None else y * gamma
    gamma = [d.tensor(normed, d.beside(dtype), 0.5, 1.5)] if d.chance(0.6) else []
    return Case("rms_norm", [spread(d, d.shape(0, 2) + normed, dtype)] + gamma, run, {"eps": eps, "axes": axes})


def soft(name, function):
    def draw(d):
        sizes = d.shape(1, 4)
        axis = d.axis(len(sizes))
        return Case(name, [d.tensor(sizes, d.type(), -6, 6)], lambda x: function(x, axis), {"axis": axis})
    return draw


def interpolate(d):
    axes = d.int(1, 3)
    mode = d.choice(["nearest", "nearest-exact", "area", ("linear", "bilinear", "trilinear")[axes - 1], "bicubic"])
    if mode == "bicubic":
        axes = 2
    smooth = mode in ("linear", "bilinear", "trilinear", "bicubic")
    align = d.chance(0.5) if smooth else None
    antialias = mode in ("bilinear", "bicubic") and d.chance(0.4)
    sizes = [d.int(1, 2), d.int(1, 3)] + [d.int(1, 6) for _ in range(axes)]
    size = [d.int(1, 8) for _ in range(axes)]
    return Case("interpolate", [d.tensor(sizes, d.type())],
                lambda x: F.interpolate(x, size, mode=mode, align_corners=align, antialias=antialias),
                {"size": size, "mode": mode, "align": bool(align), "antialias": antialias},
                excluded="lone column" if exclusions.is_lone_column(antialias, size[-1]) else "")


def pixel_shuffle(d):
    factor = d.int(1, 3)
    sizes = [d.int(1, 2), factor * factor * d.int(1, 3), d.int(1, 4), d.int(1, 4)]
    return Case("pixel_shuffle", [d.tensor(sizes, d.type())], lambda x: F.pixel_shuffle(x, factor), {"factor": factor})


def pixel_unshuffle(d):
    factor = d.int(1, 3)
    sizes = [d.int(1, 2), d.int(1, 3), factor * d.int(1, 3), factor * d.int(1, 3)]
    return Case("pixel_unshuffle", [d.tensor(sizes, d.type())], lambda x: F.pixel_unshuffle(x, factor),
                {"factor": factor})


def attention(d):
    """Composed: 1.13 lacks it, and queries that see no key get zeros."""
    dtype, queries, keys, width = d.type(), d.int(1, 6), d.int(1, 6), d.int(1, 8)
    grouped, kind = d.chance(0.3), d.choice(["none", "causal", "bool", "added"])
    few = d.int(1, 2)
    heads = few * d.int(1, 3) if grouped else few
    batch = d.shape(0, 1, 3)
    scale = d.number(0.2, 1.5) if d.chance(0.3) else None
    inputs = [d.tensor(batch + [heads, queries, width], dtype), d.tensor(batch + [few, keys, width], dtype),
              d.tensor(batch + [few, keys, d.int(1, 5)], dtype)]
    seen = d.uniform([queries, keys], 0, 1) < 0.7 if kind == "bool" else None
    if kind == "added":
        inputs.append(d.tensor(d.broadcast([heads, queries, keys])[-3:], dtype))
    return Case("attention", inputs,
                lambda q, k, v, a=None: attend(q, k, v, a, seen, kind == "causal", scale, grouped, not Rounding.rounds),
                {"mask": None if seen is None else seen.int().reshape(-1).tolist(),
                 "mask_shape": [] if seen is None else list(seen.shape), "causal": kind == "causal", "scale": scale,
                 "grouped": grouped})


CASES = {
    "conv2d": conv2d, "conv": conv, "conv_transpose": conv_transpose,
    "max_pool2d": pool("max_pool2d", True, True), "avg_pool2d": pool("avg_pool2d", False, True),
    "max_pool": pool("max_pool", True, False), "avg_pool": pool("avg_pool", False, False),
    "adaptive_avg_pool2d": adaptive("adaptive_avg_pool2d", False, True),
    "adaptive_avg_pool": adaptive("adaptive_avg_pool", False, False),
    "adaptive_max_pool": adaptive("adaptive_max_pool", True, False),
    "batch_norm": batch_norm, "layer_norm": layer_norm, "group_norm": group_norm, "instance_norm": instance_norm,
    "rms_norm": rms_norm, "softmax": soft("softmax", F.softmax), "logSoftmax": soft("logSoftmax", F.log_softmax),
    "interpolate": interpolate, "pixel_shuffle": pixel_shuffle, "pixel_unshuffle": pixel_unshuffle, "attention": attention}
