# SPDX-License-Identifier: Apache-2.0
"""Pointwise functions: unary with their options, binary with broadcasting and mixed types, comparisons, in place."""
import dataclasses

import torch
import torch.nn.functional as F

from drawing import EVERY, FLOATS, INTEGERS, Case

# Tenon's function: PyTorch's, lowest and highest input
SMOOTH = {
    "neg": (torch.neg, -3, 3), "abs": (torch.abs, -3, 3), "square": (torch.square, -3, 3), "sqrt": (torch.sqrt, 0.1, 4),
    "rsqrt": (torch.rsqrt, 0.1, 4), "reciprocal": (torch.reciprocal, 0.2, 4), "exp": (torch.exp, -4, 4),
    "exp2": (torch.exp2, -4, 4), "expm1": (torch.expm1, -3, 3), "log": (torch.log, 0.1, 5), "log2": (torch.log2, 0.1, 5),
    "log10": (torch.log10, 0.1, 5), "log1p": (torch.log1p, -0.9, 5), "erf": (torch.erf, -3, 3), "erfc": (torch.erfc, -3, 3),
    "sin": (torch.sin, -9, 9), "cos": (torch.cos, -9, 9), "tan": (torch.tan, -1.3, 1.3), "asin": (torch.asin, -0.95, 0.95),
    "acos": (torch.acos, -0.95, 0.95), "atan": (torch.atan, -4, 4), "sinh": (torch.sinh, -3, 3), "cosh": (torch.cosh, -3, 3),
    "asinh": (torch.asinh, -4, 4), "acosh": (torch.acosh, 1.1, 5), "atanh": (torch.atanh, -0.95, 0.95),
    "tanh": (torch.tanh, -4, 4), "sigmoid": (torch.sigmoid, -6, 6), "logSigmoid": (F.logsigmoid, -6, 6),
    "relu": (torch.relu, -3, 3), "relu6": (F.relu6, -3, 8), "selu": (F.selu, -4, 4), "gelu": (F.gelu, -4, 4),
    "geluTanh": (lambda x: F.gelu(x, approximate="tanh"), -4, 4), "silu": (F.silu, -5, 5), "mish": (F.mish, -5, 5),
    "softsign": (F.softsign, -4, 4),
    # composed: the gradient of F.hardsigmoid has f32's 1/6 even in f64
    "hardSigmoid": (lambda x: F.relu6(x + 3) / 6, -5, 5), "hardSwish": (F.hardswish, -5, 5),
    "floor": (torch.floor, -5, 5), "ceil": (torch.ceil, -5, 5), "round": (torch.round, -5, 5), "trunc": (torch.trunc, -5, 5),
    "frac": (torch.frac, -5, 5), "sign": (torch.sign, -2, 2)}
# those that PyTorch computes for integers too
OF_INTEGERS = ("neg", "abs", "square", "sqrt", "exp", "exp2", "expm1", "log1p", "erf", "sin", "cos", "atan", "sinh", "asinh",
               "tanh", "sigmoid", "relu", "floor", "ceil", "trunc", "sign")
# Tenon's function: PyTorch's of x and the options, what they are drawn from, lowest and highest input
WITH_OPTIONS = {
    "leakyRelu": (F.leaky_relu, ((0.01, 0.5),), -3, 3), "elu": (F.elu, ((0.3, 2),), -4, 4),
    "softplus": (F.softplus, ((0.3, 3), (2, 9)), -4, 4), "hardTanh": (F.hardtanh, ((-2, -0.1), (0.1, 2)), -4, 4),
    "clamp": (torch.clamp, ((-2, -0.1), (0.1, 2)), -4, 4), "addScalar": (torch.add, ((-3, 3),), -3, 3),
    "mulScalar": (torch.mul, ((-3, 3),), -3, 3), "powScalar": (torch.pow, ((-2, 3),), 0.2, 3)}


def floor_divide(a, b):
    return torch.div(a, b, rounding_mode="floor")


# Tenon's function: PyTorch's, lowest and highest of b, whether bools make sense
BINARY = {"add": (torch.add, -3, 3, True), "sub": (torch.sub, -3, 3, False), "mul": (torch.mul, -3, 3, True),
          "div": (torch.div, 0.3, 3, False), "maximum": (torch.maximum, -3, 3, True),
          "minimum": (torch.minimum, -3, 3, True), "atan2": (torch.atan2, 0.3, 3, False),
          "fmod": (torch.fmod, 0.3, 3, False), "remainder": (torch.remainder, 0.3, 3, False),
          "floorDivide": (floor_divide, 0.3, 3, False)}
COMPARISONS = {"equal": torch.eq, "notEqual": torch.ne, "less": torch.lt, "lessEqual": torch.le, "greater": torch.gt,
               "greaterEqual": torch.ge, "logicalAnd": torch.logical_and, "logicalOr": torch.logical_or,
               "logicalXor": torch.logical_xor}
BITS = {"bitwiseAnd": torch.bitwise_and, "bitwiseOr": torch.bitwise_or, "bitwiseXor": torch.bitwise_xor}
IN_PLACE = {"addInPlace": lambda x, y: x.clone().add_(y), "subInPlace": lambda x, y: x.clone().sub_(y),
            "mulInPlace": lambda x, y: x.clone().mul_(y), "copyInPlace": lambda x, y: x.clone().copy_(y)}

IN_PLACE_PAIRS = {"div": "div_", "pow": "pow_", "atan2": "atan2_", "fmod": "fmod_", "remainder": "remainder_",
                  "floorDivide": "floor_divide_"}


def smooth(name):
    function, low, high = SMOOTH[name]

    def draw(d):
        if name in OF_INTEGERS and d.chance(0.2):
            return Case(name, [d.tensor(d.shape(), d.type(INTEGERS), max(low, 0 if name == "sqrt" else -4), 4)], function)
        if d.chance(0.15):
            return Case(name, [d.corners(d.shape(), d.type())], function)
        x = d.tensor(d.shape(), d.type(), low, high)
        limits = name == "hardSwish" and bool((x.value.abs() == 3).any())
        return Case(name, [x], function, excluded="hardswish" if limits else "")
    return draw


def with_options(name):
    function, ranges, low, high = WITH_OPTIONS[name]

    def draw(d):
        options = [d.number(*limits) for limits in ranges]
        return Case(name, [d.tensor(d.shape(), d.type(), low, high)], lambda x: function(x, *options),
                    dict(zip("ab", options)))
    return draw


def pair(d, low, high, bools, types=EVERY):
    """Two tensors that broadcast, a quarter of them of different types, and the type both have in common."""
    first = d.type([t for t in types if bools or t != torch.bool])
    second = d.type([t for t in types if bools or t != torch.bool]) if d.chance(0.25) else first
    sizes = d.shape()
    a = d.tensor(d.broadcast(sizes) if d.chance(0.3) else sizes, first, -3, 3)
    whole = not second.is_floating_point
    b = d.tensor(d.broadcast(sizes) if d.chance(0.5) else sizes, second, 1 if whole and low > 0 else low, high)
    if low > 0:  # nothing near 0, but negative numbers
        b = d.signed(b)
    return a, b, torch.result_type(a.value, b.value)


def floating_of(common):
    return common if common.is_floating_point else torch.float32


def binary(name):
    function, low, high, bools = BINARY[name]

    def draw(d):
        a, b, common = pair(d, low, high, bools)
        a.grad = b.grad = a.grad and b.grad and name != "floorDivide"
        return Case(name, [a, b], function, floating=floating_of(common))

    def draw_or_corners(d):
        if d.chance(0.1):
            sizes, dtype = d.shape(), d.type()
            return Case(name, [d.corners(sizes, dtype), d.corners(sizes, dtype)], function)
        return draw(d)
    return draw_or_corners


def power(d):
    if d.chance(0.3):
        dtype = d.type(INTEGERS)
        a = d.tensor(d.shape(), dtype, -3, 3)
        return Case("pow", [a, d.tensor(d.broadcast(a.value.shape), dtype, 0, 3)], torch.pow)
    dtype = d.type()
    a = d.tensor(d.shape(), dtype, 0.2, 3)
    return Case("pow", [a, d.tensor(d.broadcast(a.value.shape), dtype, -2, 3)], torch.pow)


def comparison(name):
    def draw(d):
        sizes = d.shape()
        first = d.type(EVERY)
        second = d.type(EVERY) if d.chance(0.25) else first
        return Case(name, [d.whole(sizes, first), d.whole(d.broadcast(sizes), second)], COMPARISONS[name])
    return draw


def bits(name):
    def draw(d):
        sizes = d.shape()
        dtype = d.type(INTEGERS + (torch.bool,))
        return Case(name, [d.whole(sizes, dtype, -99, 99), d.whole(d.broadcast(sizes), dtype, -99, 99)], BITS[name])
    return draw


def in_place(name):
    def draw(d):
        sizes = d.shape()
        dtype = d.type()
        other = d.type() if d.chance(0.25) else dtype
        y = d.tensor(d.broadcast(sizes), other, grad=name != "mulInPlace")
        return Case(name, [d.tensor(sizes, dtype), y], IN_PLACE[name], floating=dtype)
    return draw


def changed(name):
    """A function of the tables over a copy of its input."""
    function, low, high = SMOOTH[name]

    def draw(d):
        x = d.tensor(d.shape(), d.type(), low, high)
        limits = name == "hardSwish" and bool((x.value.abs() == 3).any())
        return Case(name + "InPlace", [x], lambda x: function(x.clone()), excluded="hardswish" if limits else "")
    return draw


def changed_with_options(name):
    draw_other = with_options(name)

    def draw(d):
        case = draw_other(d)
        return dataclasses.replace(case, call=name + "InPlace")
    return draw


def changed_pair(name, method):
    low, high = (-2, 3) if name == "pow" else BINARY[name][1:3]

    def draw(d):
        sizes, dtype = d.shape(), d.type()
        other = d.type() if d.chance(0.25) else dtype
        x = d.tensor(sizes, dtype, 0.2 if name == "pow" else -3, 3, grad=name != "floorDivide")
        y = d.tensor(d.broadcast(sizes), other, low, high, grad=name != "floorDivide")
        return Case(name + "InPlace", [x, y if name == "pow" else d.signed(y)],
                    lambda x, y: getattr(x.clone(), method)(y), floating=dtype)
    return draw


def masked_fill_in_place(d):
    sizes, dtype = d.shape(), d.type(FLOATS + INTEGERS)
    value = d.number(-2, 2) if dtype in FLOATS else d.int(0, 9)
    return Case("maskedFillInPlace", [d.tensor(sizes, dtype), d.tensor(d.broadcast(sizes), torch.bool)],
                lambda x, m: x.clone().masked_fill_(m, value), {"a": value})


def with_number(name, function):
    def draw(d):
        number = d.number(-2, 2)
        return Case(name, [d.tensor(d.shape(), d.type())], lambda x: function(x.clone(), number), {"a": number})
    return draw


def axpy(d):
    alpha, sizes, dtype = d.number(-2, 2), d.shape(), d.type()
    return Case("axpyInPlace", [d.tensor(sizes, dtype), d.tensor(sizes, dtype)],
                lambda y, x: y.clone().add_(x, alpha=alpha), {"a": alpha})


def prelu(d):
    sizes, dtype = d.shape(1, 4), d.type()
    channels = sizes[1] if len(sizes) > 1 and d.chance(0.6) else 1
    return Case("prelu", [d.tensor(sizes, dtype), d.tensor([channels], dtype, 0.05, 0.9)], F.prelu)


def glu(d):
    sizes = d.shape(1, 4)
    axis = d.axis(len(sizes))
    sizes[axis] *= 2
    return Case("glu", [d.tensor(sizes, d.type())], lambda x: F.glu(x, axis), {"axis": axis})


def lerp(d):
    sizes, dtype = d.shape(), d.type()
    return Case("lerp", [d.tensor(sizes, dtype), d.tensor(sizes, dtype), d.tensor(d.broadcast(sizes), dtype, 0, 1)],
                torch.lerp)


def lerp_scalar(d):
    sizes, dtype, weight = d.shape(), d.type(), d.number(-0.5, 1.5)
    return Case("lerpScalar", [d.tensor(sizes, dtype), d.tensor(sizes, dtype)], lambda a, b: torch.lerp(a, b, weight),
                {"weight": weight})


def where(d):
    sizes, dtype = d.shape(), d.type(FLOATS + INTEGERS)
    condition = d.tensor(d.broadcast(sizes), torch.bool)
    return Case("where", [condition, d.tensor(d.broadcast(sizes), dtype), d.tensor(sizes, dtype)], torch.where)


CASES = {name: smooth(name) for name in SMOOTH}
CASES.update({name: with_options(name) for name in WITH_OPTIONS})
CASES.update({name: binary(name) for name in BINARY})
CASES.update({name: comparison(name) for name in COMPARISONS})
CASES.update({name: bits(name) for name in BITS})
CASES.update({name: in_place(name) for name in IN_PLACE})
CASES.update({name + "InPlace": changed(name) for name in SMOOTH})
CASES.update({name + "InPlace": changed_with_options(name) for name in WITH_OPTIONS})
CASES.update({name + "InPlace": changed_pair(name, method) for name, method in IN_PLACE_PAIRS.items()})
CASES.update({
    "pow": power, "prelu": prelu, "glu": glu, "lerp": lerp, "lerpScalar": lerp_scalar, "where": where,
    "axpyInPlace": axpy,
    "maskedFillInPlace": masked_fill_in_place,
    "fillInPlace": with_number("fillInPlace", lambda x, a: x.fill_(a)),
    "logicalNot": lambda d: Case("logicalNot", [d.whole(d.shape(), d.type(EVERY))], torch.logical_not),
    "bitwiseNot": lambda d: Case("bitwiseNot", [d.whole(d.shape(), d.type(INTEGERS + (torch.bool,)))], torch.bitwise_not)})
