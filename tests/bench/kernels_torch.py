#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""PyTorch's side of `./dev bench --kernels`: the single operators of app/cli/kernels.cpp by the same names and shapes.

Usage: kernels_torch.py --workload NAME [--threads N] [--channels-last] [--optim loop|foreach|fused] --serve
       kernels_torch.py --list

Prints {"ready": true} after a first call; then for each line of standard input (seconds) it calls the operator for so
long and prints one JSON line with the calls a second. --list prints the names.
"""
import argparse
import json
import sys
import time

import torch
import torch.nn.functional as F

ROWS, WIDE, CLASSES = 8192, 1024, 2048
IMAGES, NORMED_IMAGES, ADAM_TENSORS = 8, 32, 32


def laid(x, args):
    return x.to(memory_format=torch.channels_last) if args.channels_last else x


def matmul(n):
    def prepare(_):
        a, b = torch.randn(n, n), torch.randn(n, n)
        return lambda: torch.matmul(a, b)
    return prepare


def forward_and_backward(function, x, dy, parameters=()):
    """y = function(x, *parameters) and the gradients of all of them for a given dy (None: y is a loss)."""
    leaves = [x, *parameters]
    for leaf in leaves:
        leaf.requires_grad_()

    def call():
        for leaf in leaves:
            leaf.grad = None
        function(x, *parameters).backward(dy)
    return call


def layer_norm(_):
    return forward_and_backward(lambda x, g, b: F.layer_norm(x, (WIDE,), g, b), torch.randn(ROWS, WIDE),
                                torch.randn(ROWS, WIDE), (torch.ones(WIDE), torch.zeros(WIDE)))


def softmax(_):
    return forward_and_backward(lambda x: torch.softmax(x, -1), torch.randn(ROWS, WIDE), torch.randn(ROWS, WIDE))


def gelu(_):
    return forward_and_backward(F.gelu, torch.randn(ROWS, WIDE), torch.randn(ROWS, WIDE))


def cross_entropy(_):
    targets = torch.randint(CLASSES, (ROWS,))
    return forward_and_backward(lambda x: F.cross_entropy(x, targets), torch.randn(ROWS, CLASSES), None)


def batch_norm(args):
    shape = (NORMED_IMAGES, 64, 56, 56)
    mean, var = torch.zeros(64), torch.ones(64)
    return forward_and_backward(lambda x, g, b: F.batch_norm(x, mean, var, g, b, training=True),
                                laid(torch.randn(shape), args), laid(torch.randn(shape), args),
                                (torch.ones(64), torch.zeros(64)))


def adamw(args):
    weights = [torch.randn(WIDE, WIDE, requires_grad=True) for _ in range(ADAM_TENSORS)]
    for weight in weights:
        weight.grad = torch.randn(WIDE, WIDE) * 1e-3
    how = {"loop": {"foreach": False}, "foreach": {"foreach": True}, "fused": {"fused": True}}[args.optim]
    return torch.optim.AdamW(weights, lr=3e-4, weight_decay=0.01, **how).step


def convolution(direction, channels, side):
    def prepare(args):
        x, dy = (laid(torch.randn(IMAGES, channels, side, side), args) for _ in range(2))
        w = laid(torch.randn(channels, channels, 3, 3), args)
        if direction == "forward":
            return lambda: F.conv2d(x, w, padding=1)
        mask = [direction == "backward-data", direction == "backward-weight", False]
        return lambda: torch.ops.aten.convolution_backward(dy, x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1,
                                                           mask)
    return prepare


KERNELS = {f"matmul-{n}": matmul(n) for n in (256, 512, 1024, 2048)}
KERNELS.update({f"conv3x3-{direction}-{channels}x{side}": convolution(direction, channels, side)
                for direction in ("forward", "backward-data", "backward-weight")
                for channels, side in ((64, 56), (128, 28), (256, 14), (512, 7))})
KERNELS.update({"layer-norm": layer_norm, "softmax": softmax, "gelu": gelu, "cross-entropy": cross_entropy,
                "batch-norm": batch_norm, "adamw-33m": adamw})


def window(call, seconds):
    calls, start = 0, time.perf_counter()
    while True:
        call()
        calls += 1
        passed = time.perf_counter() - start
        if passed >= seconds:
            return calls / passed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--workload", choices=KERNELS)
    p.add_argument("--threads", type=int, default=0)
    p.add_argument("--channels-last", action="store_true")
    p.add_argument("--optim", default="foreach", choices=["loop", "foreach", "fused"])
    p.add_argument("--serve", action="store_true")
    p.add_argument("--list", action="store_true")
    args = p.parse_args()
    if args.list:
        print("\n".join(KERNELS))
        return
    if not args.serve or not args.workload:
        p.error("one --workload is served with --serve")
    if args.threads:
        torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    call = KERNELS[args.workload](args)
    # The gradients of convolutions are asked for as such; nothing else of them is recorded.
    torch.set_grad_enabled(not args.workload.startswith(("matmul", "conv")))
    call()
    print(json.dumps({"ready": True}), flush=True)
    said = {"system": f"torch {torch.__version__}", "workload": args.workload, "threads": torch.get_num_threads(),
            "channels_last": args.channels_last}
    if args.workload.startswith("adamw"):
        said["optim"] = args.optim
    for line in sys.stdin:
        print(json.dumps({**said, "per_second": window(call, float(line))}), flush=True)


if __name__ == "__main__":
    main()
