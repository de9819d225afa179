#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the numbers that tests/cli/workloads_test.cpp wants of the benchmark's networks: the peer's own classes (its
script peer_torch.py), with weights and inputs by a formula, in f64: parameters, loss, and joint norm of all gradients.

Usage: workload_values.py PATH_OF_PEER_SCRIPT
"""
import importlib.util
import math
import sys

import numpy as np
import torch
import torch.nn.functional as F

MASK = 0xFFFFFFFF


def mixed(count, start=0):
    """A hash of start, start + 1, ...: 32 bits each."""
    h = (np.arange(start, start + count, dtype=np.uint64) * np.uint64(0x9E3779B1)) & np.uint64(MASK)
    h = ((h ^ (h >> np.uint64(15))) * np.uint64(0x2C1B3C6D)) & np.uint64(MASK)
    return h ^ (h >> np.uint64(13))


def numbers(count):
    return torch.from_numpy(mixed(count) / 2147483648.0 - 1.0)


def fill(model):
    for name, p in model.named_parameters():
        u = numbers(p.numel()).reshape(p.shape)
        if "bias" in name:
            value = 0.1 * u
        elif p.dim() == 1:
            value = 1 + 0.1 * u
        else:
            value = math.sqrt(3 * p.shape[0] / p.numel()) * u
        p.data = value.float().double()


def classes(count, start, below):
    return torch.from_numpy((mixed(count, start) % np.uint64(below)).astype(np.int64))


def main():
    spec = importlib.util.spec_from_file_location("peer", sys.argv[1])
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)
    images = {"mlp": (4, 784), "tiny-mlp": (4, 16), "cnn": (4, 1, 28, 28), "resnet18-cifar": (4, 3, 32, 32),
              "resnet50": (4, 3, 64, 64)}
    tokens = {"gpt-mini": (2, 128, 512), "lstm": (2, 64, 256)}
    for name in peer.CPU_SET:
        model = peer.WORKLOADS[name][0]().train()
        model.double()
        fill(model)
        if name in images:
            shape = images[name]
            x = numbers(math.prod(shape)).float().double().reshape(shape)
            y = classes(shape[0], 1000, {"tiny-mlp": 2, "resnet50": 1000}.get(name, 10))
        else:
            batch, steps, vocabulary = tokens[name]
            x = classes(batch * steps, 2000, vocabulary).reshape(batch, steps)
            y = classes(batch * steps, 1000, vocabulary)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        norm = math.sqrt(sum(float((p.grad ** 2).sum()) for p in model.parameters()))
        print(f"{name} {sum(p.numel() for p in model.parameters())} {loss.item():.10g} {norm:.10g}", flush=True)


if __name__ == "__main__":
    main()
