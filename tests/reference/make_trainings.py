#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes trainings.json: the losses of 50 steps of five small networks as PyTorch computes them in f64, and how far f32
may stray from them.

Run: /usr/bin/python3 tests/reference/make_trainings.py [FILE]   (needs python3-torch and numpy; made with 1.13)
The committed file is read by tests/engine/train/whole_training_test.cpp, which builds the same networks of the engine's
operators. Weights and data are not stored: both sides make them by the formula of `drawn`.

"f64" holds the losses. "f32" holds for each step the greatest distance up to that step of PyTorch's own f32 trainings
from them: one as it is, one by other kernels (without oneDNN), and four whose initial weights are moved by up to one
rounding of f32. They tell how far the arithmetic alone carries a training off; the test allows four times that. Where
that is more than a tenth of the loss, the training would be judged by nothing: the script refuses it.
"""
import json
import os
import sys

import numpy
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
STEPS = 50
BATCHES = 4  # which are taken in turn


def mixed(indices, seed):
    """A 32-bit number for each index, as even as chance."""
    mask = numpy.uint64(0xFFFFFFFF)
    h = (indices.astype(numpy.uint64) * numpy.uint64(0x9E3779B1) + numpy.uint64(seed * 0x85EBCA6B)) & mask
    for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
        h = ((h ^ (h >> numpy.uint64(shift))) * numpy.uint64(factor)) & mask
    return h ^ (h >> numpy.uint64(15))


def drawn(sizes, seed):
    """Numbers in -1 .. 1."""
    count = int(numpy.prod(sizes)) if sizes else 1
    return torch.from_numpy(mixed(numpy.arange(count), seed) / 2.0**31 - 1.0).reshape(sizes)


def classes(sizes, seed, count):
    return torch.from_numpy((mixed(numpy.arange(int(numpy.prod(sizes))), seed) % numpy.uint64(count)).astype(numpy.int64)
                            ).reshape(sizes)


class Weights:
    """Weights by name, made when they are first asked for; their seeds count from 1 in that order."""

    def __init__(self, dtype, moved=0):
        self.dtype, self.moved, self.all = dtype, moved, {}

    def __call__(self, name, sizes, scale, offset=0.0):
        if name not in self.all:
            seed = len(self.all) + 1
            value = (offset + scale * drawn(sizes, seed)).float()
            if self.moved:  # by up to one rounding
                value = value * (1 + 2.0**-23 * torch.sign(drawn(sizes, 7000 + 100 * self.moved + seed)).float())
            self.all[name] = value.to(self.dtype).requires_grad_()
        return self.all[name]

    def matrix(self, name, out, wide):
        return self(name + ".weight", [out, wide], (3.0 / wide)**0.5)

    def linear(self, name, x, out):
        return F.linear(x, self.matrix(name, out, x.shape[-1]), self(name + ".bias", [out], 0.1))

    def conv(self, name, x, out, kernel, stride=1, padding=0):
        wide = x.shape[1]
        w = self(name + ".weight", [out, wide, kernel, kernel], (3.0 / (wide * kernel * kernel))**0.5)
        return F.conv2d(x, w, None, stride, padding)

    def norm(self, name, x):
        """Batch norm."""
        gamma, beta = self(name + ".weight", [x.shape[1]], 0.1, 1.0), self(name + ".bias", [x.shape[1]], 0.1)
        return F.batch_norm(x, None, None, gamma, beta, True, 0.1, 1e-5)

    def layer_norm(self, name, x):
        wide = x.shape[-1]
        return F.layer_norm(x, (wide,), self(name + ".weight", [wide], 0.1, 1.0), self(name + ".bias", [wide], 0.1), 1e-5)


def mlp(w, x, t):
    x = torch.tanh(w.linear("first", x, 32))
    x = torch.relu(w.linear("second", x, 24))
    return F.cross_entropy(w.linear("last", x, 5), t)


def cnn(w, x, t):
    x = F.max_pool2d(torch.relu(w.norm("norm1", w.conv("conv1", x, 8, 3, 1, 1))), 2)
    x = F.avg_pool2d(torch.relu(w.conv("conv2", x, 16, 3, 1, 1)), 2)
    return F.cross_entropy(w.linear("last", x.flatten(1), 6), t)


def residual(w, name, x, out, stride):
    y = torch.relu(w.norm(name + ".norm1", w.conv(name + ".conv1", x, out, 3, stride, 1)))
    y = w.norm(name + ".norm2", w.conv(name + ".conv2", y, out, 3, 1, 1))
    if stride != 1 or x.shape[1] != out:
        x = w.norm(name + ".norm3", w.conv(name + ".conv3", x, out, 1, stride))
    return torch.relu(y + x)


def resnet18(w, x, t):
    x = torch.relu(w.norm("stem.norm", w.conv("stem.conv", x, 8, 3, 1, 1)))
    for stage, width in enumerate((8, 16, 32, 64)):
        for block in range(2):
            x = residual(w, f"{stage}.{block}", x, width, 2 if stage and not block else 1)
    return F.cross_entropy(w.linear("last", x.mean((2, 3)), 10), t)


def lstm(w, x, t):
    wide, hidden = x.shape[-1], 16
    flat = [w("wi", [4 * hidden, wide], 0.4), w("wh", [4 * hidden, hidden], 0.25), w("bi", [4 * hidden], 0.25),
            w("bh", [4 * hidden], 0.25)]
    net = torch.nn.LSTM(wide, hidden, batch_first=True).to(x.dtype)
    net._flat_weights = flat
    y, _ = net(x)
    return F.cross_entropy(w.linear("last", y[:, -1], 5), t)


def attended(w, name, x):
    batch, steps, wide = x.shape
    heads = 2
    q, k, v = (w.linear(name + part, x, wide).reshape(batch, steps, heads, wide // heads).transpose(1, 2)
               for part in (".query", ".key", ".value"))
    scores = q @ k.transpose(-2, -1) * (wide // heads)**-0.5
    seen = torch.ones(steps, steps, dtype=torch.bool).tril()
    y = scores.masked_fill(~seen, float("-inf")).softmax(-1) @ v
    return w.linear(name + ".out", y.transpose(1, 2).reshape(batch, steps, wide), wide)


def gpt(w, x, t):
    wide, steps = 32, x.shape[1]
    y = F.embedding(x, w("tokens", [19, wide], 0.5)) + w("places", [steps, wide], 0.5)
    for block in ("0", "1"):
        y = y + attended(w, block + ".attention", w.layer_norm(block + ".norm1", y))
        z = w.linear(block + ".wide", w.layer_norm(block + ".norm2", y), 4 * wide)
        y = y + w.linear(block + ".narrow", F.gelu(z), wide)
    logits = w.linear("head", w.layer_norm("norm", y), 19)
    return F.cross_entropy(logits.reshape(-1, 19), t.reshape(-1))


# network, sizes of x (whole numbers below the count if it is given), sizes of the targets, classes, optimizer, settings
SGD = ("sgd", {"lr": 0.05, "momentum": 0.9, "weight_decay": 5e-4})
ADAMW = ("adamw", {"lr": 2e-3, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight_decay": 0.05})
TRAININGS = {"mlp": (mlp, [16, 12], 0, [16], 5, SGD, 0.0), "cnn": (cnn, [8, 1, 12, 12], 0, [8], 6, ADAMW, 0.0),
             "resnet18": (resnet18, [4, 3, 32, 32], 0, [4], 10, ("sgd", dict(SGD[1], lr=0.0005)), 0.0),
             "lstm": (lstm, [8, 12, 6], 0, [8], 5, ("adamw", dict(ADAMW[1], lr=0.02)), 0.5), "gpt": (gpt, [4, 16], 19, [4, 16], 19, ADAMW, 1.0)}


def losses(name, dtype, moved=0):
    network, sizes, tokens, target_sizes, count, (kind, settings), clip = TRAININGS[name]
    batches = []
    for b in range(BATCHES):
        x = classes(sizes, 1000 + b, tokens) if tokens else drawn(sizes, 1000 + b).float().to(dtype)
        batches.append((x, classes(target_sizes, 2000 + b, count)))
    w = Weights(dtype, moved)
    network(w, *batches[0])  # makes the weights
    parameters = list(w.all.values())
    if kind == "sgd":
        optimizer = torch.optim.SGD(parameters, settings["lr"], settings["momentum"], weight_decay=settings["weight_decay"])
    else:
        optimizer = torch.optim.AdamW(parameters, settings["lr"], (settings["beta1"], settings["beta2"]), settings["eps"],
                                      settings["weight_decay"])
    found = []
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = network(w, *batches[step % BATCHES])
        loss.backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(parameters, clip)
        optimizer.step()
        found.append(loss.item())
    return numpy.array(found)


def training(name):
    wanted = losses(name, torch.float64)
    runs = [losses(name, torch.float32, moved) for moved in range(5)]
    with torch.backends.mkldnn.flags(enabled=False):
        runs.append(losses(name, torch.float32))
    spread = numpy.maximum.accumulate(numpy.max([abs(run - wanted) for run in runs], axis=0))
    assert wanted[-1] < 0.9 * wanted[0], f"{name} does not learn: {wanted[0]} -> {wanted[-1]}"
    assert (4 * spread < 0.1 * abs(wanted)).all(), f"{name}: f32 strays too far: {max(spread / wanted)}"
    _, _, _, _, _, (kind, settings), clip = TRAININGS[name]
    print(f"{name}: {wanted[0]:.5f} -> {wanted[-1]:.5f}, f32 strays by {spread[0]:.2g} ... {spread[-1]:.2g}", file=sys.stderr)
    return {"network": name, "optimizer": kind, "settings": settings, "clip": clip,
            "f64": [float("%.14g" % v) for v in wanted], "f32": [float("%.3g" % v) for v in spread]}


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "trainings.json")
    cases = [training(name) for name in TRAININGS]
    with open(path, "w") as file:
        head = {"made_by": "tests/reference/make_trainings.py", "torch": torch.__version__}
        file.write(json.dumps(head)[:-1] + ', "cases": [\n')
        file.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
        file.write("\n]}\n")


if __name__ == "__main__":
    main()
