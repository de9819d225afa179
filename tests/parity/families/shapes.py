# SPDX-License-Identifier: Apache-2.0
"""Shapes, parts, arrangements, copies and types of whole tensors."""
import torch

from drawing import EVERY, FLOATS, INTEGERS, NAMES, Case, part


def reshaped(d):
    sizes = d.shape(1, 4)
    factors = []
    for size in d.sample(sizes, len(sizes)):
        if factors and d.chance(0.4):
            factors[-1] *= size
        elif size % 2 == 0 and d.chance(0.5):
            factors += [2, size // 2]
        else:
            factors.append(size)
    if d.chance(0.3):
        factors[d.int(0, len(factors) - 1)] = -1
    return Case("reshape", [d.tensor(sizes, d.type(EVERY))], lambda x: x.reshape(factors), {"shape": factors})


def flatten(d):
    sizes = d.shape(1, 4)
    first, last = sorted((d.int(0, len(sizes) - 1), d.int(0, len(sizes) - 1)))
    last -= len(sizes) * d.chance(0.5)
    return Case("flatten", [d.tensor(sizes, d.type(EVERY))], lambda x: torch.flatten(x, first, last),
                {"first": first, "last": last})


def transpose(d):
    sizes = d.shape(1, 4)
    a, b = d.axis(len(sizes)), d.axis(len(sizes))
    return Case("transpose", [d.tensor(sizes, d.type(EVERY))], lambda x: torch.transpose(x, a, b), {"a": a, "b": b})


def permute(d):
    sizes = d.shape(0, 5, 4)
    order = d.order(len(sizes))
    return Case("permute", [d.tensor(sizes, d.type(EVERY))], lambda x: x.permute(order), {"order": order})


def sliced(d):
    sizes = d.shape(1, 4, 7)
    axis, step = d.int(0, len(sizes) - 1), d.int(1, 3)
    start = d.int(0, sizes[axis] - 1)
    length = d.int(1, (sizes[axis] - 1 - start) // step + 1)
    cut = (slice(None),) * axis + (slice(start, start + (length - 1) * step + 1, step),)
    return Case("slice", [d.tensor(sizes, d.type(EVERY))], lambda x: x[cut],
                {"axis": axis - len(sizes) * d.chance(0.3), "start": start, "length": length, "step": step})


def select(d):
    sizes = d.shape(1, 4)
    axis = d.axis(len(sizes))
    index = d.axis(sizes[axis])
    return Case("select", [d.tensor(sizes, d.type(EVERY))], lambda x: x.select(axis, index), {"axis": axis, "index": index})


def narrow(d):
    sizes = d.shape(1, 4, 7)
    axis = d.axis(len(sizes))
    start = d.int(0, sizes[axis])
    length = d.int(0, sizes[axis] - start)
    return Case("narrow", [d.tensor(sizes, d.type(EVERY))], lambda x: x.narrow(axis, start, length),
                {"axis": axis, "start": start, "length": length})


def expand(d):
    wide = d.shape(0, 4)
    sizes = d.broadcast(wide)
    shape = [-1 if i >= len(wide) - len(sizes) and d.chance(0.2) and wide[i] == sizes[i - len(wide)] else size
             for i, size in enumerate(wide)]
    return Case("expand", [d.tensor(sizes, d.type(EVERY))], lambda x: x.expand(shape), {"shape": shape})


def squeeze(d):
    sizes = d.shape(1, 4)
    axis = d.axis(len(sizes))
    sizes[axis] = 1
    return Case("squeeze", [d.tensor(sizes, d.type(EVERY))], lambda x: torch.squeeze(x, axis), {"axis": axis})


def unsqueeze(d):
    sizes = d.shape(0, 4)
    axis = d.int(-len(sizes) - 1, len(sizes))
    return Case("unsqueeze", [d.tensor(sizes, d.type(EVERY))], lambda x: torch.unsqueeze(x, axis), {"axis": axis})


def unfold(d):
    sizes = d.shape(1, 3, 8)
    axis = d.axis(len(sizes))
    size, step = d.int(1, sizes[axis]), d.int(1, 3)
    return Case("unfold", [d.tensor(sizes, d.type(FLOATS))], lambda x: x.unfold(axis, size, step),
                {"axis": axis, "size": size, "step": step})


def fold(d):
    sizes = d.shape(1, 3)
    axis, size, step = d.int(0, len(sizes) - 1), d.int(1, 4), d.int(1, 3)
    length = (sizes[axis] - 1) * step + size + d.int(0, step - 1)

    def add_up(windows):
        """Composed: every window is added where it was cut out."""
        out = torch.zeros(sizes[:axis] + [length] + sizes[axis + 1:], dtype=windows.dtype)
        for w in range(sizes[axis]):
            places = torch.arange(w * step, w * step + size)
            out = out.index_add(axis, places, windows.select(axis, w).movedim(-1, axis))
        return out
    return Case("fold", [d.tensor(sizes + [size], d.type())], add_up, {"axis": axis, "step": step, "length": length})


def split(d):
    sizes = d.shape(1, 3, 8)
    axis = d.axis(len(sizes))
    parts, left = [], sizes[axis]
    while left:
        parts.append(d.int(0, left))
        left -= parts[-1]
    return Case("splitAll", [d.tensor(sizes, d.type(FLOATS))], lambda x: torch.split(x, parts, axis),
                {"axis": axis, "sizes": parts})


def chunk(d):
    sizes, count = d.shape(1, 3, 8), d.int(1, 4)
    axis = d.axis(len(sizes))
    return Case("chunkAll", [d.tensor(sizes, d.type(FLOATS))], lambda x: torch.chunk(x, count, axis),
                {"axis": axis, "count": count})


def cat(d):
    sizes, dtype = d.shape(1, 4), d.type(EVERY)
    axis = d.axis(len(sizes))
    inputs = []
    for _ in range(d.int(1, 4)):
        own = list(sizes)
        own[axis] = d.int(1, 5)
        inputs.append(d.tensor(own, dtype))
    return Case("cat", inputs, lambda *x: torch.cat(x, axis), {"axis": axis})


def stack(d):
    sizes, dtype = d.shape(0, 3), d.type(EVERY)
    axis = d.int(-len(sizes) - 1, len(sizes))
    return Case("stack", [d.tensor(sizes, dtype) for _ in range(d.int(1, 4))], lambda *x: torch.stack(x, axis),
                {"axis": axis})


def flip(d):
    sizes = d.shape(1, 4)
    axes = d.axes(len(sizes))
    return Case("flip", [d.tensor(sizes, d.type(EVERY))], lambda x: torch.flip(x, axes), {"axes": axes})


def roll(d):
    sizes = d.shape(1, 4)
    axis, shift = d.axis(len(sizes)), d.int(-9, 9)
    return Case("roll", [d.tensor(sizes, d.type(EVERY))], lambda x: torch.roll(x, shift, axis),
                {"axis": axis, "shift": shift})


def triangle(name, function):
    def draw(d):
        diagonal = d.int(-4, 4)
        return Case(name, [d.tensor(d.shape(2, 4), d.type(EVERY))], lambda x: function(x, diagonal),
                    {"diagonal": diagonal})
    return draw


def places(size, before, after, mode):
    """Of which element each element of a padded axis is a copy; -1: of none."""
    found = []
    for i in range(-before, size + after):
        if 0 <= i < size:
            found.append(i)
        elif mode == "reflect":
            found.append(-i if i < 0 else 2 * size - 2 - i)
        elif mode == "replicate":
            found.append(min(max(i, 0), size - 1))
        else:
            found.append(i % size if mode == "circular" else -1)
    return found


def pad(d):
    sizes, mode = d.shape(1, 4, 6), d.choice(["constant", "reflect", "replicate", "circular"])
    value = d.number(-2, 2)
    paddings = []
    for axis in d.axes(len(sizes)):
        most = {"reflect": sizes[axis] - 1, "circular": sizes[axis]}.get(mode, 3)
        low = -((sizes[axis] - 1) // 2) if mode == "constant" else 0
        paddings.append([axis, d.int(low, min(most, 3)), d.int(low, min(most, 3))])

    def padded(x):
        """Composed: PyTorch pads in these modes the last axes of some shapes only."""
        for axis, before, after in paddings:
            found = torch.tensor(places(x.shape[axis], before, after, mode), dtype=torch.int64)
            outside = (found < 0).reshape([-1] + [1] * (x.dim() - 1 - axis))
            x = x.index_select(axis, found.clamp(min=0))
            x = x.masked_fill(outside, value) if outside.any() else x
        return x
    dtype = d.type()
    return Case("pad", [d.tensor(sizes, dtype)], padded, {"paddings": paddings, "mode": mode, "value": value})


def cast(d):
    source, target = d.type(EVERY), d.type(EVERY)
    x = d.tensor(d.shape(), source, 0, 90) if target == torch.uint8 else d.tensor(d.shape(), source, -90, 90)
    x.grad = x.grad and target.is_floating_point
    floating = target if target.is_floating_point else None

    def run(x):
        wide = torch.get_default_dtype() == torch.float64  # the exact run
        return x.to(torch.float64 if floating and wide else target)
    return Case("cast", [x], run, {"type": NAMES[target]}, floating=floating)


CASES = {
    "reshape": reshaped, "flatten": flatten, "transpose": transpose, "permute": permute, "slice": sliced, "select": select,
    "narrow": narrow, "expand": expand, "squeeze": squeeze, "unsqueeze": unsqueeze, "unfold": unfold, "fold": fold,
    "splitAll": split, "chunkAll": chunk, "split": part("split", split), "chunk": part("chunk", chunk),
    "cat": cat, "stack": stack, "flip": flip, "roll": roll,
    "tril": triangle("tril", torch.tril), "triu": triangle("triu", torch.triu), "pad": pad, "cast": cast,
    "clone": lambda d: Case("clone", [d.tensor(d.shape(), d.type(EVERY))], torch.clone),
    "contiguous": lambda d: Case("contiguous", [d.tensor(d.shape(), d.type(FLOATS + INTEGERS))], torch.clone)}
