# SPDX-License-Identifier: Apache-2.0
"""Products: matrices with batches, affine maps, outer products, sums by letters."""
import torch
import torch.nn.functional as F

from drawing import FLOATS, Case
from layer_modules import rectified


def size(d):
    return d.choice([1, 2, 3, 4, 5, 7, 8, 16, 17])


def matmul(d):
    dtype, inner = d.type(), size(d)
    kind = d.int(0, 5)
    batch = d.shape(0, 2, 3)
    a = [inner] if kind == 0 else d.broadcast(batch) + [size(d), inner]
    b = [inner] if kind in (0, 1) else d.broadcast(batch) + [inner, size(d)]
    if kind == 2:
        a = [inner]
    return Case("matmul", [d.tensor(a, dtype), d.tensor(b, dtype)], torch.matmul)


def linear(d):
    dtype, wide, out = d.type(), size(d), size(d)
    bias = [d.tensor([out], dtype)] if d.chance(0.6) else []
    return Case("linear", [d.tensor(d.shape(0, 3, 4) + [wide], dtype), d.tensor([out, wide], dtype)] + bias, F.linear)


def linear_relu(d):
    """One pass: 16-bit types are rounded once, behind the activation."""
    case = linear(d)
    return Case("linearRelu", case.inputs, lambda *inputs: rectified(F.linear(*inputs)))


def outer(d):
    dtype = d.type(FLOATS + (torch.int64, torch.int32, torch.uint8))
    return Case("outer", [d.tensor([size(d)], dtype), d.tensor([size(d)], dtype)], torch.outer)


def einsum(d):
    """Two terms of letters in any order; a third now and then."""
    sizes = {letter: d.int(1, 4) for letter in "abcdef"}
    terms = ["".join(d.sample("abcdef", d.int(1, 4))) for _ in range(d.choice([1, 2, 2, 2, 3]))]
    present = sorted(set("".join(terms)))
    result = "".join(d.sample(present, d.int(0, min(4, len(present)))))
    equation = ",".join(terms) + "->" + result
    dtype = d.type()
    return Case("einsum", [d.tensor([sizes[letter] for letter in term], dtype) for term in terms],
                lambda *x: torch.einsum(equation, *x), {"equation": equation})


CASES = {"matmul": matmul, "linear": linear, "linearRelu": linear_relu, "outer": outer, "einsum": einsum}
