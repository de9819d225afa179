# SPDX-License-Identifier: Apache-2.0
"""Inputs that reference cases do not store, since both sides compute them, and how outputs are written."""
import torch


def values(shape, seed, scale=1.0, offset=0.0):
    """Element i is ((211 i + 97 seed) mod 1021 - 510) / 512, times a scale and plus an offset."""
    n = 1
    for size in shape:
        n *= size
    v = [((211 * i + 97 * seed) % 1021 - 510) / 512 * scale + offset for i in range(n)]
    return torch.tensor(v, dtype=torch.float64).reshape(shape)


def numbers(t):
    """All elements with 8 significant digits."""
    return [float("%.8g" % v) for v in t.reshape(-1).tolist()]
