# SPDX-License-Identifier: Apache-2.0
"""Reductions over any axes, running sums, and the places of extremes."""
import torch

from drawing import EVERY, FLOATS, INTEGERS, Case

ORDERS = (2, 2, 1, 3, 2.5, 1.5, 0.5, 0, float("inf"), float("-inf"))


def over(d, sizes):
    """Axes to reduce (none: all of them), for Tenon and for PyTorch, and whether they stay."""
    if not sizes or d.chance(0.15):
        return [], list(range(len(sizes))), d.chance(0.5)
    axes = d.axes(len(sizes))
    return [a - len(sizes) if d.chance(0.3) else a for a in axes], axes, d.chance(0.5)


def reduction(name, function, types=FLOATS, low=-2.0, high=2.0, distinct=False, empty=False):
    def draw(d):
        sizes, dtype = d.shape(1, 4), d.type(types)
        if empty and d.chance(0.05):
            sizes[d.axis(len(sizes))] = 0
        given, axes, keep = over(d, sizes)
        x = d.distinct(sizes, dtype) if distinct else d.tensor(sizes, dtype, low, high)
        return Case(name, [x], lambda x: function(x, axes, keep), {"axes": given, "keepdim": keep})
    return draw


def product(x, axes, keep):
    for axis in reversed(axes):
        x = torch.prod(x, axis, keep)
    return x


def truth(function):
    def reduce(x, axes, keep):
        x = x != 0  # PyTorch gives u8 for u8
        for axis in reversed(axes):
            x = function(x, axis, keep)
        return x
    return reduce


def moment(name, function):
    def draw(d):
        sizes = d.shape(1, 4)
        sizes[0] += 2
        given, axes, keep = over(d, sizes)
        count = 1
        for axis in axes:
            count *= sizes[axis]
        correction = d.choice([0, 1]) if count > 2 else 0
        # of equal numbers the variance is nothing but the rounding of their mean
        return Case(name, [d.tensor(sizes, d.type(), high=3, expands=False)],
                    lambda x: function(x, axes, correction=correction, keepdim=keep),
                    {"axes": given, "keepdim": keep, "correction": correction})
    return draw


def norm(d):
    sizes, order = d.shape(1, 4), d.choice(ORDERS)
    given, axes, keep = over(d, sizes)
    infinite = abs(order) == float("inf")
    x = d.distinct(sizes, d.type()) if infinite else d.tensor(sizes, d.type(), 0.1 if order < 1 else -2.0)
    if infinite and x.value.numel():  # no two magnitudes may be equal
        x = d.plain(x.value - x.value.min() + 0.125, True)
    # PyTorch gives no gradient at all for order 0, Tenon zeros
    return Case("norm", [x], lambda x: torch.linalg.vector_norm(x if order else x.detach(), order, axes, keep),
                {"axes": given, "keepdim": keep, "order": str(order) if infinite else float(order)})


def along(name, function, call=None):
    """Of one axis, which goes away unless the function keeps it."""
    def draw(d):
        sizes = d.shape(1, 3)
        axis, keep = d.axis(len(sizes)), d.chance(0.5)
        return Case(call or name, [d.distinct(sizes, d.type(FLOATS + INTEGERS))],
                    lambda x: function(x, axis, keep), {"axis": axis, "keepdim": keep})
    return draw


def cumsum(d):
    sizes = d.shape(1, 4)
    axis = d.axis(len(sizes))
    return Case("cumsum", [d.tensor(sizes, d.type(FLOATS + INTEGERS))], lambda x: torch.cumsum(x, axis), {"axis": axis})


def cumprod(d):
    sizes = d.shape(1, 3)
    axis = d.axis(len(sizes))
    return Case("cumprod", [d.tensor(sizes, d.type())], lambda x: torch.cumprod(x, axis), {"axis": axis})


def pick(d):
    sizes = d.shape(1, 3)
    axis = d.axis(len(sizes))
    chosen = list(sizes)
    chosen[axis] = 1
    return Case("pick", [d.tensor(sizes, d.type()), d.indices(chosen, sizes[axis])],
                lambda x, i: torch.gather(x, axis, i), {"axis": axis})


def sum_to(d):
    sizes = d.shape(1, 4)
    shape = d.broadcast(sizes)
    return Case("sumTo", [d.tensor(sizes, d.type())], lambda x: x.sum_to_size(shape), {"shape": shape})


def count_correct(d):
    rows, classes, ignore = d.int(1, 9), d.int(1, 7), d.choice([-100, 0])
    return Case("countCorrect", [d.distinct([rows, classes], d.type(), False), d.indices([rows], classes)],
                lambda x, t: ((x.argmax(1) == t) & (t != ignore)).sum(), {"ignore": ignore})


def of_all(name, function):
    """The place of one element among all."""
    return lambda d: Case(name, [d.distinct(d.shape(), d.type(FLOATS + INTEGERS), False)], function)


CASES = {
    "sum": reduction("sum", lambda x, a, k: torch.sum(x, a, k), EVERY, empty=True),
    "mean": reduction("mean", lambda x, a, k: torch.mean(x, a, k)),
    "amax": reduction("amax", torch.amax, FLOATS + INTEGERS, distinct=True),
    "amin": reduction("amin", torch.amin, FLOATS + INTEGERS, distinct=True),
    "logsumexp": reduction("logsumexp", torch.logsumexp, FLOATS, -6, 6),
    "prod": reduction("prod", product, FLOATS + INTEGERS, empty=True),
    "any": reduction("any", truth(torch.any), EVERY, -0.5, 0.5),
    "all": reduction("all", truth(torch.all), EVERY, -0.5, 0.5),
    "var": moment("var", torch.var), "stddev": moment("stddev", torch.std), "norm": norm,
    "maxWithIndices": along("maxWithIndices", lambda x, a, k: torch.max(x, a, k)),
    "minWithIndices": along("minWithIndices", lambda x, a, k: torch.min(x, a, k)),
    "maxAlong": along("maxAlong", lambda x, a, k: torch.max(x, a).values),
    "minAlong": along("minAlong", lambda x, a, k: torch.min(x, a).values),
    "argmax": along("argmax", lambda x, a, k: torch.argmax(x, a)),
    "argmin": along("argmin", lambda x, a, k: torch.argmin(x, a)),
    "argmaxOfAll": of_all("argmaxOfAll", torch.argmax), "argminOfAll": of_all("argminOfAll", torch.argmin),
    "cumprod": cumprod, "cumsum": cumsum, "pick": pick, "sumTo": sum_to, "countCorrect": count_correct}
