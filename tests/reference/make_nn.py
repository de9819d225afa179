#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes nn.json: outputs and gradients of convolution, linear, matmul, pooling, batch norm,
layer norm and what network_cases.py adds, computed by PyTorch in float64.

Run with Debian's python3-torch: /usr/bin/python3 tests/reference/make_nn.py > tests/reference/nn.json
Inputs are not stored: element i of the tensor with seed s is ((211 i + 97 s) mod 1021 - 510) / 512,
times a scale and plus an offset, on both sides. Output k gets the gradient with seed 50 + k.
"""
import json
import sys

import torch
import torch.nn.functional as F

sys.dont_write_bytecode = True
import network_cases  # noqa: E402 (after the line above)
from drawn import numbers, values  # noqa: E402


CASES = []


def case(op, name, function, inputs, params=None, fixed=()):
    """inputs: name -> shape or (shape, scale, offset); those in `fixed` get no gradient."""
    described, tensors = [], []
    for k, (key, spec) in enumerate(inputs.items()):
        shape, scale, offset = spec if isinstance(spec, tuple) else (spec, 1.0, 0.0)
        described.append({"name": key, "shape": shape, "seed": k + 1, "scale": scale, "offset": offset,
                          "grad": key not in fixed})
        tensors.append(values(shape, k + 1, scale, offset).requires_grad_(key not in fixed))
    outputs = function(*tensors)
    outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    first = outputs[0]
    wanted = [t for t in tensors if t.requires_grad]
    grads = torch.autograd.grad(first, wanted, values(list(first.shape), 50))
    CASES.append({"op": op, "name": name, "params": params or {}, "inputs": described,
                  "outputs": [{"shape": list(o.shape), "values": numbers(o.detach())} for o in outputs],
                  "grads": [numbers(g) for g in grads]})


def conv(name, x, w, bias=True, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1):
    inputs = {"x": x, "w": w}
    if bias:
        inputs["b"] = [w[0]]
    case("conv2d", name,
         lambda x, w, b=None: F.conv2d(x, w, b, stride, padding, dilation, groups), inputs,
         {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups})


conv("3x3, one channel into 8", [2, 1, 6, 5], [8, 1, 3, 3], padding=(1, 1))
conv("3x3, 8 into 8", [1, 8, 5, 4], [8, 8, 3, 3], padding=(1, 1))
conv("1x1", [2, 3, 3, 4], [4, 3, 1, 1])
conv("stride and padding differ by axis", [2, 2, 7, 8], [3, 2, 3, 2], stride=(2, 3), padding=(0, 2))
conv("dilation", [1, 2, 8, 7], [2, 2, 3, 2], padding=(2, 0), dilation=(2, 3))
conv("groups, no bias", [2, 4, 5, 4], [6, 2, 3, 3], bias=False, groups=2)
conv("depthwise", [1, 8, 5, 5], [8, 1, 3, 3], stride=(2, 2), padding=(1, 1), groups=8)
conv("7x7 stem, stride 2", [1, 3, 11, 9], [8, 3, 7, 7], stride=(2, 2), padding=(3, 3))

case("linear", "rows", F.linear, {"x": [5, 7], "w": [6, 7], "b": [6]})
case("linear", "three axes, no bias", F.linear, {"x": [2, 3, 4], "w": [9, 4]})
case("matmul", "matrices", torch.matmul, {"a": [4, 6], "b": [6, 5]})
case("matmul", "broadcast batch", torch.matmul, {"a": [2, 1, 3, 4], "b": [3, 4, 2]})
case("matmul", "vector times matrices", torch.matmul, {"a": [4], "b": [2, 4, 3]})
case("matmul", "matrices times vector", torch.matmul, {"a": [2, 3, 4], "b": [4]})
case("matmul", "vectors", torch.matmul, {"a": [6], "b": [6]})


def pool(op, name, x, kernel, stride, padding=(0, 0), ceil=False, count=True):
    def run(x):
        if op == "max_pool2d":
            return F.max_pool2d(x, kernel, stride, padding, ceil_mode=ceil)
        return F.avg_pool2d(x, kernel, stride, padding, ceil_mode=ceil, count_include_pad=count)
    case(op, name, run, {"x": x},
         {"kernel": kernel, "stride": stride, "padding": padding, "ceil": ceil, "count": count})


for OP in ("max_pool2d", "avg_pool2d"):
    pool(OP, "2x2", [2, 3, 4, 6], (2, 2), (2, 2))
    pool(OP, "3x3 overlapping, padded, blocked", [1, 8, 5, 6], (3, 3), (2, 2), (1, 1))
    pool(OP, "rounded up", [1, 2, 6, 7], (3, 2), (2, 3), (1, 0), True)
pool("avg_pool2d", "padding not counted", [1, 2, 5, 5], (3, 3), (2, 2), (1, 1), True, False)
for SIZE in ((1, 1), (3, 2), (4, 7)):
    case("adaptive_avg_pool2d", "%dx%d" % SIZE, lambda x: F.adaptive_avg_pool2d(x, SIZE), {"x": [2, 3, 5, 6]},
         {"size": SIZE})


def batch_norm(name, x, affine=True, training=True, relu=False, scale=1.0, offset=0.0):
    channels = x[1]

    def run(x, mean, var, gamma=None, beta=None):
        mean, var = mean.clone(), var.clone()
        y = F.batch_norm(x, mean, var, gamma, beta, training, 0.1, 1e-3)
        return [F.relu(y) if relu else y, mean, var]
    inputs = {"x": (x, scale, offset), "mean": [channels], "var": ([channels], 0.5, 1.0)}
    if affine:
        inputs.update({"gamma": ([channels], 1.0, 0.25), "beta": [channels]})
    case("batch_norm", name, run, inputs, {"eps": 1e-3, "momentum": 0.1, "training": training, "relu": relu},
         ("mean", "var"))


batch_norm("images", [3, 2, 3, 4])
batch_norm("blocked images", [2, 8, 3, 3])
batch_norm("far from zero", [3, 2, 3, 3], scale=0.125, offset=100.0)
batch_norm("features", [6, 5])
batch_norm("without gamma and beta", [4, 3, 2, 2], affine=False)
batch_norm("with relu", [3, 8, 2, 3], relu=True)
batch_norm("given statistics", [2, 3, 3, 2], training=False)
batch_norm("given statistics with relu", [2, 8, 2, 2], training=False, relu=True)

case("layer_norm", "rows", lambda x, g, b: F.layer_norm(x, (7,), g, b, 1e-3), {"x": [4, 7], "gamma": [7], "beta": [7]},
     {"axes": 1, "eps": 1e-3})
case("layer_norm", "two axes", lambda x, g, b: F.layer_norm(x, (3, 4), g, b, 1e-3),
     {"x": [2, 3, 4], "gamma": [3, 4], "beta": [3, 4]}, {"axes": 2, "eps": 1e-3})
case("layer_norm", "without gamma and beta", lambda x: F.layer_norm(x, (9,), None, None, 1e-3), {"x": [3, 2, 9]},
     {"axes": 1, "eps": 1e-3})

network_cases.add(case)

print('{"made_by": "tests/reference/make_nn.py", "torch": "%s", "cases": [' % torch.__version__)
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in CASES))
print("]}")
