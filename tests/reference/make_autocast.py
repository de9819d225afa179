#!/opt/torch-env/bin/python
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/reference/autocast.json: which types PyTorch's autocast gives, what a network computes and learns under
it, and how a gradient scaler's scale moves.

Run: /opt/torch-env/bin/python tests/reference/make_autocast.py [FILE]   (made with torch 2.15, no GPU needed: the
types of CUDA's autocast come from fake tensors). The committed file is read by tests/engine/amp/.
"""
import json
import logging
import os
import sys
import warnings

import numpy
import torch
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode

import make_trainings
from drawn import numbers, values

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)  # what is refused is noted as "-"
TYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16}
NAMES = {dtype: name for name, dtype in TYPES.items()}
cases = []

# --- which type each function gives: x is of the type asked for; p(...) makes parameters, always f32
CUDA = {
    "linear": lambda x, p: F.linear(x(4, 3), p(5, 3), p(5)),
    "matmul": lambda x, p: x(4, 3) @ p(3, 5),
    "conv1d": lambda x, p: F.conv1d(x(2, 3, 8), p(4, 3, 3), p(4)),
    "conv2d": lambda x, p: F.conv2d(x(2, 3, 8, 8), p(4, 3, 3, 3), p(4)),
    "conv3d": lambda x, p: F.conv3d(x(2, 3, 5, 5, 5), p(4, 3, 3, 3, 3), p(4)),
    "conv_transpose2d": lambda x, p: F.conv_transpose2d(x(2, 3, 8, 8), p(3, 4, 3, 3), p(4)),
    "prelu": lambda x, p: F.prelu(x(2, 3), p(3)),
    "attention": lambda x, p: F.scaled_dot_product_attention(x(2, 4, 8), p(2, 6, 8), p(2, 6, 8)),
    "lstm": lambda x, p: torch.lstm_cell(x(2, 3), (p(2, 4), p(2, 4)), p(16, 3), p(16, 4), p(16), p(16))[0],
    "relu": lambda x, p: F.relu(x(4)),
    "gelu": lambda x, p: F.gelu(x(4)),
    "silu": lambda x, p: F.silu(x(4)),
    "sigmoid": lambda x, p: torch.sigmoid(x(4)),
    "tanh": lambda x, p: torch.tanh(x(4)),
    "sqrt": lambda x, p: torch.sqrt(x(4)),
    "exp": lambda x, p: torch.exp(x(4)),
    "expm1": lambda x, p: torch.expm1(x(4)),
    "log": lambda x, p: torch.log(x(4)),
    "log1p": lambda x, p: torch.log1p(x(4)),
    "pow": lambda x, p: x(4)**2.5,
    "reciprocal": lambda x, p: torch.reciprocal(x(4)),
    "rsqrt": lambda x, p: torch.rsqrt(x(4)),
    "tan": lambda x, p: torch.tan(x(4)),
    "softplus": lambda x, p: F.softplus(x(4)),
    "softmax": lambda x, p: F.softmax(x(4, 3), -1),
    "log_softmax": lambda x, p: F.log_softmax(x(4, 3), -1),
    "sum": lambda x, p: x(4, 3).sum(),
    "mean": lambda x, p: x(4, 3).mean(),
    "prod": lambda x, p: x(4, 3).prod(),
    "cumsum": lambda x, p: x(4).cumsum(0),
    "cumprod": lambda x, p: x(4).cumprod(0),
    "norm": lambda x, p: torch.linalg.vector_norm(x(4)),
    "logsumexp": lambda x, p: torch.logsumexp(x(4), 0),
    "layer_norm": lambda x, p: F.layer_norm(x(4, 3), (3,), p(3), p(3)),
    "group_norm": lambda x, p: F.group_norm(x(2, 4, 3), 2, p(4), p(4)),
    "batch_norm": lambda x, p: F.batch_norm(x(4, 3), None, None, p(3), p(3), training=True),
    "max_pool2d": lambda x, p: F.max_pool2d(x(1, 1, 4, 4), 2),
    "avg_pool2d": lambda x, p: F.avg_pool2d(x(1, 1, 4, 4), 2),
    "dropout": lambda x, p: F.dropout(x(4)),
    "add": lambda x, p: x(4) + p(4),
    "mul": lambda x, p: x(4) * x(4),
    "add_": lambda x, p: x(4).add_(p(4)),
    "cat": lambda x, p: torch.cat([x(4), p(4)]),
    "atan2": lambda x, p: torch.atan2(x(4), p(4)),
    "scatter_add": lambda x, p: p(4).scatter_add(0, torch.zeros(4, dtype=torch.int64, device=p(1).device), x(4)),
    "upsample_nearest": lambda x, p: F.interpolate(x(1, 1, 4, 4), scale_factor=2),
    "upsample_linear": lambda x, p: F.interpolate(x(1, 1, 4, 4), scale_factor=2, mode="bilinear"),
    "mse": lambda x, p: F.mse_loss(x(4), p(4)),
    "l1": lambda x, p: F.l1_loss(x(4), p(4)),
    "smooth_l1": lambda x, p: F.smooth_l1_loss(x(4), p(4)),
    "huber": lambda x, p: F.huber_loss(x(4), p(4)),
    "bce_with_logits": lambda x, p: F.binary_cross_entropy_with_logits(x(4), p(4), p(4)),
    "kl_div": lambda x, p: F.kl_div(x(4), p(4)),
    "nll": lambda x, p: F.nll_loss(x(4, 3), torch.zeros(4, dtype=torch.int64, device=p(1).device), p(3)),
    "cross_entropy": lambda x, p: F.cross_entropy(x(4, 3), torch.zeros(4, dtype=torch.int64, device=p(1).device)),
    "weighted_cross_entropy": lambda x, p: F.cross_entropy(x(4, 3), torch.zeros(
        4, dtype=torch.int64, device=p(1).device), p(3)),
    "cross_entropy_of_probabilities": lambda x, p: F.cross_entropy(x(4, 3), p(4, 3)),
    "hinge_embedding": lambda x, p: F.hinge_embedding_loss(x(4), p(4)),
    "margin_ranking": lambda x, p: F.margin_ranking_loss(x(4), p(4), p(4)),
    "triplet": lambda x, p: F.triplet_margin_loss(x(4, 3), p(4, 3), p(4, 3)),
    "cosine_embedding": lambda x, p: F.cosine_embedding_loss(x(4, 3), p(4, 3), p(4)),
}
CPU = {"bce": lambda x, p: F.binary_cross_entropy(x(4), p(4))}  # CUDA's autocast refuses it


def given(function, dtype, device):
    def make(kind):
        return lambda *shape: torch.full(shape, 0.5, dtype=kind, device=device)

    try:
        return NAMES[function(make(dtype), make(torch.float32)).dtype]
    except (RuntimeError, NotImplementedError, TypeError):
        return "-"


def types_of(functions, device):
    for name, function in functions.items():
        rows = {}
        for low in ("bf16", "f16"):
            torch.set_autocast_enabled(device, True)
            torch.set_autocast_dtype(device, TYPES[low])
            rows[low] = " ".join(given(function, dtype, device) for dtype in TYPES.values())
            torch.set_autocast_enabled(device, False)
        cases.append({"types": name, **rows})


with FakeTensorMode():
    types_of(CUDA, "cuda")
types_of(CPU, "cpu")


# --- what a network computes under the CPU's autocast
def network(override):
    """Products and a loss; the second product may run in f32."""
    x, target = values((4, 2, 6, 6), 1).float(), torch.tensor([0, 2, 1, 2])
    weights = {"conv": values((3, 2, 3, 3), 2, 0.4), "bias": values((3,), 3, 0.1),
               "head": values((3, 48), 4, 0.2), "shift": values((3,), 5, 0.1)}
    weights = {name: tensor.float().requires_grad_(True) for name, tensor in weights.items()}
    conv, bias, head, shift = weights.values()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        h = F.relu(F.conv2d(x, conv, bias))
        if override:
            with torch.autocast("cpu", enabled=False):
                y = F.linear(h.float().flatten(1), head, shift)
        else:
            y = F.linear(h.flatten(1), head, shift)
        loss = F.cross_entropy(y, target)
    loss.backward()
    cases.append({"network": "override" if override else "plain", "hidden_type": NAMES[h.dtype],
                  "y_type": NAMES[y.dtype], "y": numbers(y), "loss_type": NAMES[loss.dtype], "loss": loss.item(),
                  "gradients": {k: {"type": NAMES[v.grad.dtype], "values": numbers(v.grad)}
                                for k, v in weights.items()}})


network(False)
network(True)


# --- how the scale moves: one gradient an update, 1: finite, 0: Inf, n: NaN
def scales(name, pattern, **options):
    scaler = torch.amp.GradScaler("cpu", **options)
    weight = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=1.0)
    after, tracked, stepped = [], [], []
    for kind in pattern:
        optimizer.zero_grad()
        before = weight.detach().clone()
        scaler.scale((weight * 1.0).sum()).backward()
        if kind != "1":
            weight.grad[0] = float("inf") if kind == "0" else float("nan")
        scaler.step(optimizer)
        scaler.update()
        after.append(scaler.get_scale())
        tracked.append(scaler.state_dict()["_growth_tracker"])
        stepped.append("1" if (weight.detach() != before).item() else "0")
    cases.append({"scaler": name, "options": options, "pattern": pattern, "scale": after, "tracker": tracked,
                  "stepped": "".join(stepped)})


scales("defaults", "110n1")
scales("growth", "1111011111n111", growth_interval=3)
scales("factors", "1101111", init_scale=100.0, growth_factor=1.7, backoff_factor=0.3, growth_interval=2)
scales("no growth to Inf", "11111", init_scale=2.0**126, growth_interval=1)



# --- whole trainings of make_trainings.py's networks, and how far equal ones stray that begin one rounding apart
def bf16_losses(name, moved):
    plain = make_trainings.TRAININGS[name]

    def network(w, x, t):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return plain[0](w, x, t)

    make_trainings.TRAININGS[name] = (network,) + plain[1:]
    found = make_trainings.losses(name, torch.float32, moved)
    make_trainings.TRAININGS[name] = plain
    return found


for name in ("mlp", "cnn"):
    wanted, f32 = bf16_losses(name, 0), make_trainings.losses(name, torch.float32)
    spread = numpy.max([abs(bf16_losses(name, moved) - wanted) for moved in range(1, 9)], axis=0)
    spread = numpy.maximum.accumulate(spread)
    cases.append({"training": name, "bf16": [float("%.7g" % v) for v in wanted],
                  "spread": [float("%.3g" % v) for v in spread], "f32": [float("%.7g" % v) for v in f32]})

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "autocast.json")
with open(OUT, "w") as out:
    out.write('{"made_by": "tests/reference/make_autocast.py", "torch": "%s", "types": %s, "cases": [\n' %
              (torch.__version__.split("+")[0], json.dumps(list(TYPES))))
    out.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
    out.write("\n]}\n")
