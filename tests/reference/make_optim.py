#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes optim.json: weights after steps of every optimizer, factors of every schedule, clipped gradients and
averaged weights, computed by PyTorch in float64.

Run with Debian's python3-torch: /usr/bin/python3 tests/reference/make_optim.py > tests/reference/optim.json
Weights and gradients are not stored: element i of the tensor with seed s is ((211 i + 97 s) mod 1021 - 510) / 512 on
both sides. Weight j begins with seed j + 1; its gradient in step t (from 1) has seed 10 t + j. "late.weight" has no
gradient in the first two steps. The learning rate of step t is lr (1 - t / 20).

Lion, LAMB and NAdam are those of composed_optimizers.py; composed here are decay apart from the gradient for NAdam and
RAdam, and the polynomial schedule, which 1.13 lacks. Parameters have Tenon's names.
"""
import fnmatch
import json
import sys

import torch
from torch.optim import lr_scheduler

sys.dont_write_bytecode = True
from composed_optimizers import Lamb, Lion, NAdam  # noqa: E402 (after the line above)

torch.set_default_dtype(torch.float64)  # NAdam keeps a product in this type
WEIGHTS = {"body.weight": [3, 5], "body.bias": [7], "head.weight": [13], "head.bias": [1], "late.weight": [2, 3, 3]}
STEPS = 8
KEPT = (1, 3, 8)
CASES = []


def values(shape, seed):
    n = 1
    for size in shape:
        n *= size
    return torch.tensor([((211 * i + 97 * seed) % 1021 - 510) / 512 for i in range(n)]).reshape(shape)


def numbers(t):
    return [float("%.11g" % v) for v in t.detach().reshape(-1).tolist()]


def optimizer(kind, params, make, lr, decay, groups=(), decoupled=False):
    """make(parameter groups): torch's optimizer; `decoupled`: weights decay here, before its step."""
    given = dict(params, lr=lr, weight_decay=decay)
    if groups:
        given["groups"] = list(groups)
    weights = {name: values(shape, j + 1).requires_grad_() for j, (name, shape) in enumerate(WEIGHTS.items())}
    sets = []
    for name, weight in weights.items():
        entry = {"params": [weight], "weight_decay": decay, "factor": 1.0}
        for line in groups:
            pattern, *settings = line.split()
            if fnmatch.fnmatchcase(name, pattern):
                for setting in settings:
                    key, value = setting.split("=")
                    entry["factor" if key == "lr_factor" else key] = float(value)
        sets.append(entry)
    decays = [entry["weight_decay"] for entry in sets]
    if decoupled:
        for entry in sets:
            entry["weight_decay"] = 0.0
    o = make(sets)
    after = []
    for t in range(1, STEPS + 1):
        for j, (name, weight) in enumerate(weights.items()):
            weight.grad = None if name.startswith("late") and t <= 2 else values(WEIGHTS[name], 10 * t + j)
        for group, wd in zip(o.param_groups, decays):
            group["lr"] = lr * (1 - t / 20) * group["factor"]
            for p in group["params"]:
                if decoupled and p.grad is not None:
                    p.data.mul_(1 - group["lr"] * wd)
        o.step()
        if t in KEPT:
            after.append([numbers(w) for w in weights.values()])
    CASES.append({"optimizer": kind, "params": given, "after": after})


O = torch.optim
GROUPS = ("*.bias weight_decay=0", "head.* lr_factor=2.5")

for params, decay in (({"momentum": 0.0}, 0.0), ({"momentum": 0.0}, 0.1), ({"momentum": 0.9}, 0.0),
                      ({"momentum": 0.9, "dampening": 0.3}, 0.05), ({"momentum": 0.8, "nesterov": True}, 0.01)):
    optimizer("sgd", params, lambda p, a=params: O.SGD(p, 0.1, **a), 0.1, decay)
optimizer("sgd", {"momentum": 0.9}, lambda p: O.SGD(p, 0.1, 0.9), 0.1, 0.05, GROUPS)

for kind, make in (("adam", O.Adam), ("adamw", O.AdamW)):
    for amsgrad in (False, True):
        for beta1, beta2, eps, decay in ((0.9, 0.999, 1e-8, 0.0), (0.8, 0.7, 1e-3, 0.1)):
            optimizer(kind, {"beta1": beta1, "beta2": beta2, "eps": eps, "amsgrad": amsgrad},
                      lambda p: make(p, 0.01, (beta1, beta2), eps, amsgrad=amsgrad), 0.01, decay)
optimizer("adamw", {}, lambda p: O.AdamW(p, 0.01), 0.01, 0.2, GROUPS)
optimizer("adamw", {}, lambda p: O.AdamW(p, 0.01), 0.01, 0.2, ("late.* lr_factor=0", "*.weight weight_decay=0.5"))

for decay in (0.0, 0.1):
    optimizer("adamax", {"beta1": 0.9, "beta2": 0.99, "eps": 1e-6},
              lambda p: O.Adamax(p, 0.02, (0.9, 0.99), 1e-6), 0.02, decay)
    for decoupled in (False, True):
        optimizer("nadam", {"beta1": 0.9, "beta2": 0.99, "eps": 1e-6, "momentum_decay": 0.01, "decoupled": decoupled},
                  lambda p: NAdam(p, 0.02, (0.9, 0.99), 1e-6, 0.01), 0.02, decay, (), decoupled)
        for beta2 in (0.999, 0.5):  # begins to be rectified at step 6; never
            optimizer("radam", {"beta1": 0.9, "beta2": beta2, "eps": 1e-6, "decoupled": decoupled},
                      lambda p: O.RAdam(p, 0.02, (0.9, beta2), 1e-6), 0.02, decay, (), decoupled)
    for momentum in (0.0, 0.7):
        for centered in (False, True):
            optimizer("rmsprop", {"momentum": momentum, "centered": centered, "alpha": 0.95, "eps": 1e-4},
                      lambda p: O.RMSprop(p, 0.01, 0.95, 1e-4, 0, momentum, centered), 0.01, decay)
    optimizer("adagrad", {"lr_decay": 0.1, "initial_accumulator": 0.5, "eps": 1e-6},
              lambda p: O.Adagrad(p, 0.1, 0.1, 0, 0.5, 1e-6), 0.1, decay)
    optimizer("adadelta", {"rho": 0.8, "eps": 1e-5}, lambda p: O.Adadelta(p, 1.0, 0.8, 1e-5), 1.0, decay)
    optimizer("lion", {"beta1": 0.9, "beta2": 0.95}, lambda p: Lion(p, 0.01, (0.9, 0.95), 0), 0.01, decay)
    for low, high in ((0.0, 10.0), (0.5, 1.25)):
        optimizer("lamb", {"beta1": 0.9, "beta2": 0.99, "eps": 1e-5, "lowest_norm": low, "highest_norm": high},
                  lambda p: Lamb(p, 0.02, (0.9, 0.99), 1e-5, 0, (low, high)), 0.02, decay)
for kind, make in (("adagrad", O.Adagrad), ("nadam", NAdam), ("radam", O.RAdam), ("adamax", O.Adamax),
                   ("adadelta", O.Adadelta), ("rmsprop", O.RMSprop)):
    optimizer(kind, {}, lambda p: make(p), 0.05, 0.01, GROUPS)  # torch's defaults are ours


def schedule(kind, params, make, count, per_epoch=1, stride=1, total=None):
    """Factors after 0, 1, ... calls of step(); a call stands for `stride` optimizer steps."""
    weight = torch.zeros(1, requires_grad=True)
    o = O.SGD([weight], 1.0)
    s = make(o)
    factors = []
    for _ in range(count):
        factors.append(float("%.13g" % o.param_groups[0]["lr"]))
        o.step()
        if len(factors) < count:
            s.step()
    CASES.append({"schedule": kind, "params": params, "total": total or count * stride, "per_epoch": per_epoch,
                  "at": [i * stride for i in range(count)], "factors": factors})


L = lr_scheduler
schedule("constant", {}, lambda o: L.LambdaLR(o, lambda k: 1.0), 4)
schedule("step", {"every_epochs": 3, "gamma": 0.5}, lambda o: L.StepLR(o, 3, 0.5), 11, 4, 4)
for unit, per_epoch, stride in (("epoch", 4, 4), ("step", 4, 1)):
    schedule("multi_step", {"milestones": [2, 2, 4, 9], "gamma": 0.3, "by": unit},
             lambda o: L.MultiStepLR(o, [2, 2, 4, 9], 0.3), 12, per_epoch, stride)
    schedule("exponential", {"gamma": 0.9, "by": unit}, lambda o: L.ExponentialLR(o, 0.9), 12, per_epoch, stride)
    schedule("cosine_restarts", {"first": 4, "multiplier": 1, "final_factor": 0.0, "by": unit},
             lambda o: L.CosineAnnealingWarmRestarts(o, 4), 14, per_epoch, stride)
    schedule("cosine_restarts", {"first": 2, "multiplier": 3, "final_factor": 0.1, "by": unit},
             lambda o: L.CosineAnnealingWarmRestarts(o, 2, 3, 0.1), 20, per_epoch, stride)
    schedule("linear", {"start_factor": 0.25, "end_factor": 0.75, "length": 5, "by": unit},
             lambda o: L.LinearLR(o, 0.25, 0.75, 5), 9, per_epoch, stride)
schedule("linear", {"start_factor": 1.0, "end_factor": 0.1, "length": 0, "by": "fraction"},
         lambda o: L.LinearLR(o, 1.0, 0.1, 9), 12, 4, 4, 36)
# PolynomialLR by its closed form
for power, length in ((1.0, 4), (2.0, 4), (0.5, 7)):
    schedule("polynomial", {"power": power, "length": length, "by": "fraction"},
             lambda o: L.LambdaLR(o, lambda k: (1 - min(k, length) / length) ** power), 9, 2, 2)


class Fractional:
    """CosineAnnealingWarmRestarts asked between epochs."""

    def __init__(self, o):
        self.inner, self.count = L.CosineAnnealingWarmRestarts(o, 2, 2, 0.05), 0

    def step(self):
        self.count += 1
        self.inner.step(self.count / 4)


schedule("cosine_restarts", {"first": 2, "multiplier": 2, "final_factor": 0.05, "by": "fraction"}, Fractional, 40, 4)
schedule("cosine", {"final_factor": 0.1}, lambda o: L.CosineAnnealingLR(o, 12, 0.1), 13, total=12)
for anneal, name in (("cos", "cos"), ("linear", "linear")):
    schedule("one_cycle", {"pct_start": 0.3, "anneal": anneal},
             lambda o: L.OneCycleLR(o, 1.0, 20, cycle_momentum=False, anneal_strategy=name), 20)
schedule("warmup_cosine", {"warmup": 0.2, "start_factor": 0.1, "final_factor": 0.05},
         lambda o: L.SequentialLR(o, [L.LinearLR(o, 0.1, 1.0, 4), L.CosineAnnealingLR(o, 16, 0.05)], [4]), 21, total=20)
schedule("sequence", {"parts": ["linear 3 start_factor=0.1 end_factor=1", "exponential gamma=0.5"], "by": "step"},
         lambda o: L.SequentialLR(o, [L.LinearLR(o, 0.1, 1.0, 3), L.ExponentialLR(o, 0.5)], [3]), 9)
schedule("sequence", {"parts": ["linear 2 start_factor=0.5 end_factor=1", "multi_step 6 milestones=2,3 gamma=0.1",
                                "step every_epochs=2 gamma=0.5"], "by": "epoch"},
         lambda o: L.SequentialLR(o, [L.LinearLR(o, 0.5, 1.0, 2), L.MultiStepLR(o, [2, 3], 0.1),
                                      L.StepLR(o, 2, 0.5)], [2, 8]), 15, 3, 3)


def plateau(params, values, **given):
    o = O.SGD([torch.zeros(1, requires_grad=True)], 1.0)
    s = L.ReduceLROnPlateau(o, **given)
    factors = []
    for value in values:
        s.step(value)
        factors.append(float("%.13g" % o.param_groups[0]["lr"]))
    CASES.append({"plateau": params, "values": values, "factors": factors})


FLAT = [1.0] * 12
BUMPY = [1.0, 0.9, 0.95, 0.94, 0.93, 0.8, 0.81, 0.82, 0.79999, 0.83, 0.84, 0.7, 0.75, 0.76, 0.77, 0.78, 0.79, 0.80]
plateau({"patience": 2}, FLAT, patience=2)
plateau({"patience": 1, "factor": 0.5, "cooldown": 2}, BUMPY, patience=1, factor=0.5, cooldown=2)
plateau({"patience": 0, "factor": 0.3, "min_factor": 0.05, "threshold": 0.02, "threshold_mode": "abs"}, BUMPY,
        patience=0, factor=0.3, min_lr=0.05, threshold=0.02, threshold_mode="abs")
plateau({"patience": 1, "mode": "max", "threshold": 0.01}, [-v for v in BUMPY], patience=1, mode="max", threshold=0.01)
plateau({"patience": 1, "mode": "max", "threshold": 0.01, "threshold_mode": "abs"}, [1 - v for v in BUMPY],
        patience=1, mode="max", threshold=0.01, threshold_mode="abs")
plateau({"patience": 0, "eps": 0.02}, FLAT, patience=0, eps=0.02)

for kind, limits in (("norm", (0.5, 2.5, 100.0)), ("value", (0.1, 0.75))):
    for limit in limits:
        weights = [torch.zeros(shape, requires_grad=True) for shape in WEIGHTS.values()]
        for j, weight in enumerate(weights):
            weight.grad = values(weight.shape, 10 + j)
        norm = 0.0
        if kind == "norm":
            norm = float(torch.nn.utils.clip_grad_norm_(weights, limit))
        else:
            torch.nn.utils.clip_grad_value_(weights, limit)
        CASES.append({"clip": kind, "limit": limit, "norm": float("%.13g" % norm),
                      "grads": [numbers(w.grad) for w in weights]})

for decay in (0.9, 0.25):
    model = torch.nn.ParameterList([torch.nn.Parameter(values(shape, j + 1)) for j, shape in
                                    enumerate(WEIGHTS.values())])
    average = torch.optim.swa_utils.AveragedModel(model, avg_fn=lambda a, p, n: decay * a + (1 - decay) * p)
    after = []
    for t in range(1, 6):
        with torch.no_grad():
            for j, p in enumerate(model):
                p.copy_(values(p.shape, 10 * t + j))
        average.update_parameters(model)
        after.append([numbers(p) for p in average.module])
    CASES.append({"average": decay, "after": after})

print('{"made_by": "tests/reference/make_optim.py", "torch": "%s", "cases": [' % torch.__version__)
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in CASES))
print("]}")
