#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/reference/ops.json: values and gradients of operators as PyTorch computes them in f64.

Run: /usr/bin/python3 tests/reference/make_ops.py [FILE]   (needs python3-torch; made with 1.13)
The committed file is read by tests/engine/ops/golden_test.cpp.
"""
import json
import os
import sys

import torch
import torch.nn.functional as F

torch.manual_seed(20240607)
cases = []


def numbers(t):
    return [float("%.12g" % v) if v == v and abs(v) != float("inf") else str(v)
            for v in t.detach().double().reshape(-1).tolist()]


def tensor(t):
    return {"shape": list(t.shape), "type": "i64" if t.dtype == torch.int64 else "f64", "data": numbers(t)}


def uniform(shape, low=-2.0, high=2.0):
    """Values with few digits, so that the file is short and exact."""
    return torch.round((low + (high - low) * torch.rand(shape, dtype=torch.float64)) * 1000) / 1000


def case(op, function, inputs, args=None):
    leaves = [x.clone().requires_grad_(x.dtype == torch.float64) for x in inputs]
    y = function(*leaves)
    entry = {"op": op, "args": args or {}, "inputs": [tensor(x) for x in inputs], "output": tensor(y)}
    if y.requires_grad:
        dy = uniform(y.shape)
        y.backward(dy)
        entry["dy"] = numbers(dy)
        entry["grads"] = [numbers(x.grad) if x.grad is not None else None for x in leaves]
    cases.append(entry)


SHAPE = (2, 7)
for op, function in {
        "neg": torch.neg, "abs": torch.abs, "square": torch.square, "exp": torch.exp, "sin": torch.sin,
        "cos": torch.cos, "erf": torch.erf, "tanh": torch.tanh, "sigmoid": torch.sigmoid,
        "logSigmoid": F.logsigmoid, "relu": torch.relu, "selu": F.selu, "gelu": F.gelu,
        "geluTanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu, "mish": F.mish,
        "softsign": F.softsign}.items():
    case(op, function, [uniform(SHAPE, -3, 3)])
for op, function in {"sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "reciprocal": torch.reciprocal,
                     "log": torch.log}.items():
    case(op, function, [uniform(SHAPE, 0.1, 4)])
# hardsigmoid by its formula: the gradient of F.hardsigmoid has f32's 1/6 even in f64
for op, function in {"relu6": F.relu6, "hardSigmoid": lambda x: F.relu6(x + 3) / 6, "hardSwish": F.hardswish}.items():
    case(op, function, [uniform(SHAPE, -7, 7)])
case("leakyRelu", lambda x: F.leaky_relu(x, 0.3), [uniform(SHAPE)], {"a": 0.3})
case("elu", lambda x: F.elu(x, 1.3), [uniform(SHAPE)], {"a": 1.3})
case("softplus", lambda x: F.softplus(x, 2.0, 3.0), [uniform(SHAPE, -4, 4)], {"a": 2.0, "b": 3.0})
case("clamp", lambda x: torch.clamp(x, -0.5, 1.25), [uniform(SHAPE)], {"a": -0.5, "b": 1.25})
case("addScalar", lambda x: x + 1.5, [uniform(SHAPE)], {"a": 1.5})
case("mulScalar", lambda x: x * -2.5, [uniform(SHAPE)], {"a": -2.5})
case("powScalar", lambda x: x**2.5, [uniform(SHAPE, 0.1, 3)], {"a": 2.5})

for op, function in {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "maximum": torch.maximum,
                     "minimum": torch.minimum}.items():
    case(op, function, [uniform((2, 3, 4)), uniform((3, 1))])
    case(op, function, [uniform((4,)), uniform((3, 1))])
for op, function in {"div": torch.div, "pow": torch.pow}.items():
    case(op, function, [uniform((2, 3, 4), 0.2, 3), uniform((3, 1), 0.3, 2)])
ties = torch.tensor([1.0, 2.0, 2.0, 3.0], dtype=torch.float64)
case("maximum", torch.maximum, [ties, torch.tensor([1.0, 1.0, 2.0, 4.0], dtype=torch.float64)])

for axes in ([0], [1], [0, 2], [-1], [0, 1, 2]):
    for keepdim in (False, True):
        args = {"axes": axes, "keepdim": keepdim}
        case("sum", lambda x: torch.sum(x, axes, keepdim), [uniform((2, 3, 4))], args)
        case("mean", lambda x: torch.mean(x, axes, keepdim), [uniform((2, 3, 4))], args)
case("maxAlong", lambda x: torch.max(x, 1)[0], [uniform((3, 5))], {"axis": 1})
case("minAlong", lambda x: torch.min(x, 0)[0], [uniform((3, 5))], {"axis": 0})
case("argmax", lambda x: torch.argmax(x, 1), [uniform((3, 5))], {"axis": 1})
case("pick", lambda x, i: torch.gather(x, 1, i), [uniform((3, 5)), torch.tensor([[4], [0], [2]])],
     {"axis": 1})

case("reshape", lambda x: x.reshape(3, 4), [uniform((2, 6))], {"shape": [3, 4]})
case("permute", lambda x: x.permute(2, 0, 1), [uniform((2, 3, 4))], {"order": [2, 0, 1]})
case("slice", lambda x: x[:, 1:6:2], [uniform((2, 7))], {"axis": 1, "start": 1, "length": 3, "step": 2})
case("select", lambda x: x[:, -2], [uniform((3, 4))], {"axis": 1, "index": -2})
case("expand", lambda x: x.expand(3, 2, 4), [uniform((2, 1))], {"shape": [3, 2, 4]})

for axis in (0, 1, 2):
    case("softmax", lambda x: F.softmax(x, axis), [uniform((2, 3, 5), -5, 5)], {"axis": axis})
    case("logSoftmax", lambda x: F.log_softmax(x, axis), [uniform((2, 3, 5), -5, 5)], {"axis": axis})
for reduction in ("mean", "sum", "none"):
    for smoothing in (0.0, 0.1):
        for ignore in (-100, 2):
            args = {"reduction": reduction, "smoothing": smoothing, "ignore": ignore}
            loss = lambda x, t: F.cross_entropy(x, t, reduction=reduction, label_smoothing=smoothing,
                                                ignore_index=ignore)
            case("crossEntropy", loss, [uniform((4, 5), -4, 4), torch.tensor([2, 0, 4, 1])], args)
case("crossEntropy",
     lambda x, t: F.cross_entropy(x, t, label_smoothing=0.2),
     [uniform((2, 3, 2, 2), -3, 3), torch.randint(0, 3, (2, 2, 2))],
     {"reduction": "mean", "smoothing": 0.2, "ignore": -100})


def optimizer(name, make, args, steps=4):
    p = uniform((3, 4)).requires_grad_()
    entry = {"optimizer": name, "args": args, "parameter": tensor(p), "gradients": [], "after": []}
    o = make([p])
    for _ in range(steps):
        p.grad = uniform((3, 4))
        entry["gradients"].append(numbers(p.grad))
        o.step()
        entry["after"].append(numbers(p))
    cases.append(entry)


for momentum, dampening, nesterov, decay, maximize in ((0, 0, False, 0.1, False), (0.9, 0, False, 0, False),
                                                       (0.9, 0.3, False, 0.05, True), (0.8, 0, True, 0.01, False)):
    optimizer("sgd", lambda p: torch.optim.SGD(p, 0.1, momentum, dampening, decay, nesterov, maximize=maximize),
              {"lr": 0.1, "momentum": momentum, "dampening": dampening, "nesterov": nesterov, "decay": decay,
               "maximize": maximize})
for kind in ("adam", "adamw"):
    for maximize in (False, True):
        make = torch.optim.Adam if kind == "adam" else torch.optim.AdamW
        optimizer(kind, lambda p: make(p, 0.01, (0.8, 0.99), 1e-6, 0.1, maximize=maximize),
                  {"lr": 0.01, "beta1": 0.8, "beta2": 0.99, "eps": 1e-6, "decay": 0.1, "maximize": maximize})

path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "ops.json")
with open(path, "w") as file:
    head = {"made_by": "tests/reference/make_ops.py", "torch": torch.__version__}
    file.write(json.dumps(head)[:-1] + ', "cases": [\n')
    file.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
    file.write("\n]}\n")
print(len(cases), "cases,", os.path.getsize(path), "bytes", file=sys.stderr)
