# SPDX-License-Identifier: Apache-2.0
"""More cases for nn.json: sums by letters, norms of samples, convolutions and pooling over one to three axes, resizing,
attention and recurrent networks. make_nn.py calls add() with its case().

What PyTorch 1.13 lacks (RMS norm, attention with grouped heads and queries that see nothing) is composed of its
operators; where a newer PyTorch has it, both must agree.
"""
import itertools

import torch
import torch.nn.functional as F


def linear_algebra(case):
    case("outer", "vectors", torch.outer, {"a": [3], "b": [4]})
    for equation, shapes in {
            "ij,jk->ik": ([3, 4], [4, 5]), "bij,bjk->bik": ([2, 3, 4], [2, 4, 2]), "bij,jk": ([2, 3, 4], [4, 2]),
            "ij->ji": ([3, 4],), "ij->": ([3, 4],), "ij->j": ([3, 4],), "ii->i": ([4, 4],), "ii": ([4, 4],),
            "iji->j": ([3, 2, 3],), "i,j->ij": ([3], [4]), "ij,ij->ij": ([3, 4], [3, 4]), "ij,ij->i": ([3, 4], [3, 4]),
            "ij,ij->": ([3, 4], [3, 4]), "ba,cd->adc": ([2, 3], [4, 5]), "bhqd,bhkd->bhqk": ([2, 2, 3, 4], [2, 2, 5, 4]),
            "bhqk,bhkd->bqhd": ([2, 2, 3, 4], [2, 2, 4, 2]), "nctv,vw->nctw": ([1, 2, 3, 4], [4, 5]),
            "...ij,...jk->...ik": ([2, 1, 3, 4], [3, 4, 2]), "...i,...i->...": ([2, 3, 4], [3, 4]),
            "i...->...i": ([2, 3, 4],), "aij,bjk->abik": ([2, 3, 4], [3, 4, 2]), "ab,bc,cd->ad": ([2, 3], [3, 4], [4, 2]),
            "abc,cbd->da": ([2, 3, 4], [4, 3, 2]), "ij,jk->ki": ([3, 1], [4, 5]), "aa,ab->b": ([3, 3], [3, 2])}.items():
        case("einsum", equation, lambda *x: torch.einsum(equation, *x), {"x%d" % k: s for k, s in enumerate(shapes)},
             {"equation": equation})


def norms(case):
    for name, x, groups, affine in (("two groups", [2, 4, 3], 2, True), ("one group", [3, 4, 2, 2], 1, True),
                                    ("each channel", [2, 3, 4], 3, True), ("features", [3, 6], 2, True),
                                    ("without gamma and beta", [2, 4, 3], 2, False), ("blocked", [2, 8, 2, 3], 4, True)):
        inputs = {"x": x}
        if affine:
            inputs.update({"gamma": [x[1]], "beta": [x[1]]})
        case("group_norm", name, lambda x, g=None, b=None: F.group_norm(x, groups, g, b, 1e-3), inputs,
             {"groups": groups, "eps": 1e-3})

    def instance_norm(x, mean, var, gamma=None, beta=None):
        mean, var = mean.clone(), var.clone()
        return [F.instance_norm(x, mean, var, gamma, beta, True, 0.3, 1e-3), mean, var]
    for name, x, affine in (("lines", [2, 3, 5], False), ("images", [2, 3, 2, 4], True)):
        inputs = {"x": x, "mean": [3], "var": ([3], 0.5, 1.0)}
        if affine:
            inputs.update({"gamma": [3], "beta": [3]})
        case("instance_norm", name, instance_norm, inputs, {"eps": 1e-3, "momentum": 0.3}, ("mean", "var"))

    def rms_norm(x, gamma=None, axes=1):
        over = tuple(range(-axes, 0))
        y = x * torch.rsqrt((x * x).mean(over, keepdim=True) + 1e-3)
        y = y if gamma is None else y * gamma
        if hasattr(F, "rms_norm"):
            assert torch.allclose(y, F.rms_norm(x, x.shape[-axes:], gamma, 1e-3))
        return y
    case("rms_norm", "rows", rms_norm, {"x": [4, 7], "gamma": [7]}, {"eps": 1e-3, "axes": 1})
    case("rms_norm", "two axes", lambda x, g: rms_norm(x, g, 2), {"x": [2, 3, 4], "gamma": [3, 4]},
         {"eps": 1e-3, "axes": 2})
    case("rms_norm", "without gamma", rms_norm, {"x": [2, 2, 9]}, {"eps": 1e-3, "axes": 1})


def convolutions(case):
    plain = (F.conv1d, F.conv2d, F.conv3d)
    turned = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)
    modes = {"zeros": "constant", "reflect": "reflect", "replicate": "replicate", "circular": "circular"}

    def conv(name, x, w, bias=True, stride=(1,), padding=(0,), dilation=(1,), groups=1, mode="zeros"):
        axes = len(x) - 2
        wide = [list(v) * (axes if len(v) == 1 else 1) for v in (stride, padding, dilation)]

        def run(x, w, b=None):
            if mode == "zeros":
                return plain[axes - 1](x, w, b, *wide, groups)
            sides = list(itertools.chain(*([p, p] for p in reversed(wide[1]))))
            return plain[axes - 1](F.pad(x, sides, modes[mode]), w, b, wide[0], 0, wide[2], groups)
        inputs = {"x": x, "w": w}
        if bias:
            inputs["b"] = [w[0]]
        case("conv", name, run, inputs, {"stride": list(stride), "padding": list(padding), "dilation": list(dilation),
                                         "groups": groups, "mode": mode})

    conv("line", [2, 3, 7], [4, 3, 3], padding=(1,))
    conv("line, 8 into 8", [1, 8, 6], [8, 8, 3], padding=(1,))
    conv("line, stride, dilation, groups", [2, 4, 11], [6, 2, 3], stride=(2,), padding=(3,), dilation=(2,), groups=2)
    conv("line, no bias", [1, 2, 5], [3, 2, 2], bias=False)
    conv("volume", [1, 2, 4, 3, 4], [3, 2, 2, 3, 2])
    conv("volume, padded", [1, 2, 3, 3, 2], [2, 2, 3, 3, 3], padding=(1,))
    conv("volume, everything differs by axis", [2, 2, 5, 4, 5], [2, 1, 2, 3, 1], stride=(2, 1, 3), padding=(1, 0, 2),
         dilation=(2, 1, 1), groups=2)
    conv("volume, depthwise, no bias", [1, 8, 2, 3, 3], [8, 1, 2, 2, 2], bias=False, groups=8)
    conv("image", [1, 2, 4, 5], [3, 2, 3, 2], stride=(2,), padding=(1,))
    for mode in ("reflect", "replicate", "circular"):
        conv("line, " + mode, [1, 2, 5], [2, 2, 3], padding=(2,), mode=mode)
        conv("image, " + mode, [1, 2, 4, 3], [2, 2, 3, 3], stride=(1, 2), padding=(2, 1), mode=mode)
    conv("volume, replicate", [1, 1, 2, 3, 3], [2, 1, 2, 2, 2], padding=(1,), mode="replicate")
    conv("volume, circular", [1, 1, 2, 3, 3], [2, 1, 2, 2, 2], padding=(1, 2, 0), mode="circular")

    def transposed(name, x, w, bias=True, stride=(1,), padding=(0,), output_padding=(0,), dilation=(1,), groups=1):
        axes = len(x) - 2
        wide = [list(v) * (axes if len(v) == 1 else 1) for v in (stride, padding, output_padding, dilation)]
        inputs = {"x": x, "w": w}
        if bias:
            inputs["b"] = [w[1] * groups]
        case("conv_transpose", name,
             lambda x, w, b=None: turned[axes - 1](x, w, b, wide[0], wide[1], wide[2], groups, wide[3]), inputs,
             {"stride": list(stride), "padding": list(padding), "output_padding": list(output_padding),
              "dilation": list(dilation), "groups": groups})

    transposed("line", [2, 3, 4], [3, 2, 3], stride=(2,), padding=(1,), output_padding=(1,))
    transposed("line, groups, no bias", [1, 4, 5], [4, 3, 2], bias=False, groups=2, dilation=(2,))
    transposed("line, output padding up to the dilation", [1, 2, 3], [2, 2, 3], dilation=(3,), output_padding=(2,),
               padding=(1,))
    transposed("image", [1, 3, 3, 4], [3, 2, 3, 3], stride=(2,), padding=(1,), output_padding=(1,))
    transposed("image, 8 into 8", [1, 8, 3, 3], [8, 8, 2, 2], stride=(2,))
    transposed("image, everything differs by axis", [2, 2, 3, 4], [2, 1, 2, 3], stride=(1, 3), padding=(0, 2),
               output_padding=(1, 0), dilation=(2, 1), groups=2)
    transposed("volume", [1, 2, 2, 3, 2], [2, 3, 2, 2, 2])
    transposed("volume, stride", [1, 2, 2, 2, 3], [2, 2, 3, 2, 3], stride=(2,), padding=(1,), output_padding=(1,))
    transposed("volume, everything differs by axis", [2, 2, 3, 2, 2], [2, 1, 2, 3, 1], stride=(2, 1, 3),
               padding=(1, 0, 0), output_padding=(1, 0, 2), dilation=(2, 1, 1), groups=2)
    transposed("volume, output padding up to the dilation", [1, 1, 2, 2, 2], [1, 2, 2, 2, 2], bias=False,
               dilation=(2, 3, 1), output_padding=(1, 2, 0), padding=(1, 0, 0))


def pooling(case):
    largest = (F.max_pool1d, F.max_pool2d, F.max_pool3d)
    means = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)
    for name, x, kernel, stride, padding, ceil, count in (
            ("line", [2, 3, 7], [2], [2], [0], False, True),
            ("line, overlapping", [1, 2, 6], [3], [1], [1], False, True),
            ("line, rounded up", [1, 2, 7], [3], [2], [1], True, False),
            ("image", [1, 2, 5, 6], [2, 3], [1, 2], [1, 1], False, True),
            ("image, rounded up", [1, 8, 5, 4], [3, 2], [2, 2], [1, 0], True, False),
            ("volume", [1, 2, 4, 4, 4], [2], [2], [0], False, True),
            ("volume, padded", [1, 2, 3, 4, 3], [3, 2, 3], [2, 1, 1], [1, 1, 0], False, True),
            ("volume, rounded up", [2, 1, 5, 4, 4], [2, 3, 2], [2, 2, 3], [1, 1, 1], True, False)):
        axes = len(x) - 2
        k, s, p = ([v[0]] * axes if len(v) == 1 else v for v in (kernel, stride, padding))
        params = {"kernel": kernel, "stride": stride, "padding": padding, "ceil": ceil, "count": count}
        case("max_pool", name,
             lambda x: list(largest[axes - 1](x, k, s, p, ceil_mode=ceil, return_indices=True)), {"x": x}, params)
        case("avg_pool", name, lambda x: means[axes - 1](x, k, s, p, ceil, count), {"x": x}, params)
    adaptive_means = (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d)
    adaptive_largest = (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d)
    for x, size in (([2, 2, 7], [3]), ([1, 2, 3], [5]), ([1, 2, 5, 7], [3, 2]), ([1, 8, 4, 4], [1]),
                    ([1, 2, 3, 5, 4], [2, 3, 4]), ([1, 2, 4, 3, 3], [1])):
        axes = len(x) - 2
        wide = size * axes if len(size) == 1 else size
        name = "%s to %s" % (x[2:], wide)
        case("adaptive_avg_pool", name, lambda x: adaptive_means[axes - 1](x, wide), {"x": x}, {"size": size})
        case("adaptive_max_pool", name, lambda x: adaptive_largest[axes - 1](x, wide), {"x": x}, {"size": size})


def resizing(case):
    case("pixel_shuffle", "by 2", lambda x: F.pixel_shuffle(x, 2), {"x": [2, 8, 2, 3]}, {"factor": 2})
    case("pixel_shuffle", "by 3", lambda x: F.pixel_shuffle(x, 3), {"x": [1, 9, 2, 1]}, {"factor": 3})
    case("pixel_unshuffle", "by 2", lambda x: F.pixel_unshuffle(x, 2), {"x": [2, 2, 4, 6]}, {"factor": 2})

    def resize(x, size, mode, align=None, antialias=False):
        name = "%s to %s%s%s" % (x[2:], size, ", corners" if align else "", ", smooth" if antialias else "")
        case("interpolate", mode + " " + name,
             lambda x: F.interpolate(x, size, mode=mode, align_corners=align, antialias=antialias), {"x": x},
             {"size": size, "mode": mode, "align": bool(align), "antialias": antialias})
    for mode in ("nearest", "nearest-exact", "area"):
        for x, size in (([1, 2, 5], [8]), ([1, 2, 7], [3]), ([1, 2, 3, 4], [5, 8]), ([1, 2, 5, 6], [2, 3]),
                        ([1, 1, 3, 2, 4], [4, 4, 3])):
            resize(x, size, mode)
    for align in (False, True):
        resize([1, 2, 5], [8], "linear", align)
        resize([2, 1, 7], [3], "linear", align)
        resize([1, 1, 3, 2, 4], [4, 4, 3], "trilinear", align)
        for mode in ("bilinear", "bicubic"):
            for x, size in (([1, 2, 3, 4], [5, 7]), ([1, 1, 6, 5], [3, 2]), ([1, 1, 2, 3], [1, 6]), ([1, 1, 3, 3], [3, 6])):
                resize(x, size, mode, align)
                resize(x, size, mode, align, True)


def attend(q, k, v, added=None, mask=None, causal=False, scale=None, grouped=False, checks=True):
    """Attention by its formula; queries that see no key give zeros.

    @param checks in f64 against PyTorch's own, where it has one
    """
    keys, values = (t.repeat_interleave(q.shape[-3] // k.shape[-3], -3) if grouped else t for t in (k, v))
    scores = q @ keys.transpose(-2, -1) * (q.shape[-1]**-0.5 if scale is None else scale)
    if causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if mask is not None:
        blind = ~mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~mask, float("-inf")).masked_fill(blind, 0)
    if added is not None:
        scores = scores + added
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(blind, 0)
    y = weights @ values
    if checks and hasattr(F, "scaled_dot_product_attention") and q.dtype == torch.float64:  # f32 rounds differently
        native = F.scaled_dot_product_attention(q, k, v, added if mask is None or causal else mask, is_causal=causal,
                                                scale=scale, enable_gqa=grouped)
        assert torch.allclose(y, native)
    return y


def attention(case):
    def add(name, q, k, v, added=None, mask=None, causal=False, scale=None, grouped=False):
        inputs = {"q": q, "k": k, "v": v}
        if added:
            inputs["mask"] = added
        seen = None if mask is None else torch.tensor(mask, dtype=torch.bool)
        case("attention", name, lambda q, k, v, a=None: attend(q, k, v, a, seen, causal, scale, grouped), inputs,
             {"mask": None if seen is None else seen.int().reshape(-1).tolist(),
              "mask_shape": [] if seen is None else list(seen.shape), "causal": causal, "scale": scale,
              "grouped": grouped})
    some = [[True, False, True, True], [False, True, True, False], [True, True, True, True]]
    blind = [[True, False, True, True], [False] * 4, [True, True, False, True]]
    add("one head", [3, 4], [5, 4], [5, 2])
    add("heads", [1, 2, 3, 4], [1, 2, 4, 4], [1, 2, 4, 3])
    add("scaled", [2, 3, 4], [2, 4, 4], [2, 4, 3], scale=0.7)
    add("seen by a mask", [2, 3, 4], [2, 4, 4], [2, 4, 3], mask=some)
    add("a query that sees nothing", [2, 3, 4], [2, 4, 4], [2, 4, 3], mask=blind)
    add("added to the scores", [1, 2, 3, 4], [1, 2, 4, 4], [1, 2, 4, 3], added=[2, 3, 4])
    add("causal", [2, 4, 3], [2, 4, 3], [2, 4, 3], causal=True)
    add("causal, more keys", [1, 2, 3, 4], [1, 2, 5, 4], [1, 2, 5, 2], causal=True)
    add("causal, fewer keys", [1, 1, 4, 2], [1, 1, 2, 2], [1, 1, 2, 2], causal=True)
    add("grouped heads", [1, 4, 3, 2], [1, 2, 4, 2], [1, 2, 4, 3], grouped=True)
    add("grouped heads, causal", [2, 4, 3, 2], [2, 1, 3, 2], [2, 1, 3, 2], causal=True, grouped=True)
    add("grouped heads, a mask for each", [1, 2, 2, 2], [1, 1, 3, 2], [1, 1, 3, 2], grouped=True,
        mask=[[[[True, True, False], [False, True, True]], [[False] * 3, [True, False, True]]]])


def recurrent(case):
    kinds = {"rnn_tanh": (1, torch.nn.RNN, {}), "rnn_relu": (1, torch.nn.RNN, {"nonlinearity": "relu"}),
             "lstm": (4, torch.nn.LSTM, {}), "gru": (3, torch.nn.GRU, {})}

    def add(kind, name, size=3, hidden=2, steps=4, batch=2, layers=1, both=False, bias=True, batch_first=False,
            state=True, lengths=()):
        gates, module, more = kinds[kind]
        sides = 2 if both else 1
        inputs = {"x": [batch, steps, size] if batch_first else [steps, batch, size]}
        if state:
            inputs["h"] = [layers * sides, batch, hidden]
            if kind == "lstm":
                inputs["c"] = [layers * sides, batch, hidden]
        for at in range(layers * sides):
            width = size if at < sides else sides * hidden
            inputs.update({"wi%d" % at: [gates * hidden, width], "wh%d" % at: [gates * hidden, hidden]})
            if bias:
                inputs.update({"bi%d" % at: [gates * hidden], "bh%d" % at: [gates * hidden]})
        states = (2 if kind == "lstm" else 1) if state else 0

        def run(x, *rest):
            net = module(size, hidden, layers, bias=bias, batch_first=batch_first, bidirectional=both, **more).double()
            net._flat_weights = list(rest[states:])
            start = None if not state else tuple(rest[:2]) if kind == "lstm" else rest[0]
            if lengths:
                packed = torch.nn.utils.rnn.pack_padded_sequence(x, list(lengths), batch_first, False)
                y, end = net(packed, start)
                y, _ = torch.nn.utils.rnn.pad_packed_sequence(y, batch_first, total_length=steps)
            else:
                y, end = net(x, start)
            return [y, *end] if kind == "lstm" else [y, end]
        unused = ()
        case("recurrent", kind + ", " + name, run, inputs,
             {"kind": kind, "both": both, "batch_first": batch_first, "states": states, "bias": bias,
              "lengths": list(lengths)}, unused)
    for kind in kinds:
        add(kind, "one layer")
        add(kind, "two layers, both directions", layers=2, both=True)
        add(kind, "no bias, no state, batch first", bias=False, state=False, batch_first=True)
        add(kind, "lengths, both directions", batch=3, both=True, lengths=(2, 4, 1))
    add("lstm", "two layers, lengths", batch=2, layers=2, lengths=(3, 2))


def add(case):
    for family in (linear_algebra, norms, convolutions, pooling, resizing, attention, recurrent):
        family(case)
