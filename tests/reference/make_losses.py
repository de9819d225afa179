#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes losses.json: what PyTorch gives for the losses that a project can choose (engine/metrics/losses), in f64.

Run: /usr/bin/python3 tests/reference/make_losses.py [FILE]   (needs python3-torch; made with 1.13)
"values" are read by tests/engine/metrics/losses_test.cpp: the loss of an output and class numbers, and its gradient.
"trainings" are read by tests/engine/train/loss_choice_test.cpp: the first loss of a training on all 96 toy images
(tests/support/idx_files.cpp, made again here) as one batch, by a model that begins without chance: the mean of each
quarter's rows, layer normalization, and the last layer that the loss wants.

PyTorch has no hinge, dice and focal loss: their formulas stand here as their papers have them.
"""
import json
import os
import sys

import torch
import torch.nn.functional as F

torch.set_num_threads(1)


def one_hot(x, t):
    if x.shape[1] == 1:
        return t.reshape(-1, 1).to(x.dtype)
    return F.one_hot(t, x.shape[1]).to(x.dtype)


def reduced(losses, s):
    return losses.sum() if s.get("reduction") == "sum" else losses.mean()


def weights(s, name="class_weights"):
    return torch.tensor(s[name], dtype=torch.float64) if name in s else None


def kl_divergence(x, t, s):
    smoothing = s.get("label_smoothing", 0.0)
    target = one_hot(x, t) * (1 - smoothing) + smoothing / x.shape[1]
    return F.kl_div(x, target, reduction=s.get("reduction", "batchmean"))


def hinge(x, t, s):
    return reduced(torch.relu(s.get("margin", 1.0) - (2 * one_hot(x, t) - 1) * x), s)


def dice(x, t, s):
    y, smooth = one_hot(x, t), s.get("smooth", 1.0)
    return reduced(1 - (2 * (x * y).sum(1) + smooth) / (x.sum(1) + y.sum(1) + smooth), s)


def focal(x, t, s):
    y, p = one_hot(x, t), torch.sigmoid(x)
    p_t = p * y + (1 - p) * (1 - y)
    alpha = s.get("alpha", 0.25)
    factor = alpha * y + (1 - alpha) * (1 - y) if alpha >= 0 else 1
    return reduced(-factor * (1 - p_t) ** s.get("gamma", 2.0) * torch.log(p_t), s)


LOSSES = {
    "cross_entropy": lambda x, t, s: F.cross_entropy(
        x, t, weights(s), ignore_index=s.get("ignore_index", -100), reduction=s.get("reduction", "mean"),
        label_smoothing=s.get("label_smoothing", 0.0)),
    "nll": lambda x, t, s: F.nll_loss(x, t, weights(s), ignore_index=s.get("ignore_index", -100),
                                      reduction=s.get("reduction", "mean")),
    "bce_with_logits": lambda x, t, s: F.binary_cross_entropy_with_logits(
        x, one_hot(x, t), pos_weight=weights(s, "positive_weight"), reduction=s.get("reduction", "mean")),
    "bce": lambda x, t, s: F.binary_cross_entropy(x, one_hot(x, t), reduction=s.get("reduction", "mean")),
    "mse": lambda x, t, s: F.mse_loss(x, one_hot(x, t), reduction=s.get("reduction", "mean")),
    "l1": lambda x, t, s: F.l1_loss(x, one_hot(x, t), reduction=s.get("reduction", "mean")),
    "smooth_l1": lambda x, t, s: F.smooth_l1_loss(x, one_hot(x, t), reduction=s.get("reduction", "mean"),
                                                  beta=s.get("beta", 1.0)),
    "huber": lambda x, t, s: F.huber_loss(x, one_hot(x, t), reduction=s.get("reduction", "mean"),
                                          delta=s.get("delta", 1.0)),
    "kl_divergence": kl_divergence,
    "multi_margin": lambda x, t, s: F.multi_margin_loss(
        x, t, p=int(s.get("power", "1")), margin=s.get("margin", 1.0), weight=weights(s),
        reduction=s.get("reduction", "mean")),
    "hinge": hinge,
    "dice": dice,
    "focal": focal,
}

# No value, difference or distance lies where a loss has a kink: its gradient there is a matter of taste.
LOGITS = [[0.5625, -1.25, 2.0, 0.125], [-0.75, 0.25, 0.0625, 1.5], [0.9375, 1.125, -2.0, 0.375],
          [0.1875, 3.0, -0.4375, -1.125], [-1.5, 0.625, 0.875, 2.25], [0.25, 0.75, -0.125, 1.75]]
TARGETS = [2, 0, 1, 1, 3, 2]
SINGLE = [[0.75], [-1.5], [2.25], [-0.125]]
SINGLE_TARGETS = [1, 0, 0, 1]
ENDS = {"": lambda x: x, "softmax": lambda x: torch.softmax(x, 1), "log_softmax": lambda x: torch.log_softmax(x, 1),
        "sigmoid": torch.sigmoid}
LAST = {"nll": "log_softmax", "kl_divergence": "log_softmax", "bce": "sigmoid", "dice": "softmax"}
WEIGHTS = [0.5, 2.0, 1.25, 0.0]
SUM = {"reduction": "sum"}
SETTINGS = {
    "cross_entropy": [{}, SUM, {"label_smoothing": 0.1}, {"ignore_index": 1}, {"class_weights": WEIGHTS},
                      {"class_weights": WEIGHTS, "ignore_index": 2, "label_smoothing": 0.2},
                      {"class_weights": WEIGHTS, **SUM}],
    "nll": [{}, SUM, {"ignore_index": 1}, {"class_weights": WEIGHTS}, {"class_weights": WEIGHTS, "ignore_index": 2}],
    "bce_with_logits": [{}, SUM, {"positive_weight": [3.0]}, {"positive_weight": [0.5, 2.0, 1.25, 4.0]}],
    "smooth_l1": [{}, SUM, {"beta": 0.5}, {"beta": 0.0}],
    "huber": [{}, SUM, {"delta": 0.5}],
    "kl_divergence": [{}, SUM, {"reduction": "mean"}, {"label_smoothing": 0.1}],
    "multi_margin": [{}, SUM, {"power": "2", "margin": 1.5}, {"class_weights": WEIGHTS}],
    "hinge": [{}, SUM, {"margin": 0.5}],
    "dice": [{}, SUM, {"smooth": 0.25}],
    "focal": [{}, SUM, {"gamma": 1.0, "alpha": -1.0}, {"gamma": 0.5, "alpha": 0.75}],
}
SINGLE_SETTINGS = {"bce_with_logits": [{}, {"positive_weight": [3.0]}, SUM], "bce": [{}], "mse": [{}], "l1": [{}],
                   "smooth_l1": [{}], "huber": [{}], "hinge": [{}], "dice": [{}], "focal": [{}]}


def value_case(loss, settings, rows, targets):
    end = ENDS["sigmoid" if len(rows[0]) == 1 and loss in LAST else LAST.get(loss, "")]
    x = end(torch.tensor(rows, dtype=torch.float64)).detach().requires_grad_()
    value = LOSSES[loss](x, torch.tensor(targets), settings)
    value.backward()
    return {"loss": loss, "settings": settings, "columns": len(rows[0]), "output": x.detach().flatten().tolist(),
            "targets": targets, "value": value.item(), "gradient": x.grad.flatten().tolist()}


def toy_images(count, side, classes):
    images, labels, noise = [], [], 12345
    for i in range(count):
        label = i % classes
        labels.append(label)
        for y in range(side):
            for _ in range(side):
                noise = (noise * 1664525 + 1013904223) % 2**32
                images.append((160 if y * classes // side == label else 20) + (noise >> 26))
    return torch.tensor(images, dtype=torch.float64).reshape(count, side, side), torch.tensor(labels)


def training_case(loss, settings):
    images, labels = toy_images(96, 8, 4)
    x = (images / 255 - 0.3) / 0.25
    x = F.layer_norm(x.reshape(96, 4, 16).mean(2), [4])
    last = LAST.get(loss, "")
    first = LOSSES[loss](ENDS[last](x), labels, settings).item()
    # What is told of a sum is its mean over samples.
    return {"loss": loss, "settings": settings, "last": last,
            "first": first / 96 if settings.get("reduction") == "sum" else first}


values = [value_case(loss, s, LOGITS, TARGETS) for loss in LOSSES for s in SETTINGS.get(loss, [{}, SUM])]
values += [value_case(loss, s, SINGLE, SINGLE_TARGETS) for loss, all_of in SINGLE_SETTINGS.items() for s in all_of]
WIDE = {"multi_margin": {"margin": 3.0}, "hinge": {"margin": 3.0}}  # the model begins beyond the usual margin
trainings = [training_case(loss, WIDE.get(loss, {})) for loss in LOSSES]
trainings += [training_case("cross_entropy", {"class_weights": [0.5, 2.0, 1.25, 3.0], "label_smoothing": 0.1}),
              training_case("nll", {"ignore_index": 3}), training_case("mse", SUM),
              training_case("cross_entropy", {"class_weights": [0.5, 2.0, 1.25, 3.0], "ignore_index": 0})]

target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "losses.json")
with open(target, "w", encoding="utf-8") as file:
    file.write('{"values":[\n' + ",\n".join(json.dumps(c, separators=(",", ":")) for c in values))
    file.write('\n],"trainings":[\n' + ",\n".join(json.dumps(c, separators=(",", ":")) for c in trainings) + "\n]}\n")
