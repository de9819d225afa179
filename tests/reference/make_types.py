#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/reference/types.json: which types PyTorch's operators give, how its integers compute, and checksums of
its conversions from and to f16 and bf16.

Run: /usr/bin/python3 tests/reference/make_types.py [FILE]   (needs python3-torch; made with 1.13, 2.15 agrees)
The committed file is read by tests/engine/ops/types_reference_test.cpp.
"""
import json
import os
import sys
import warnings

import torch

warnings.filterwarnings("ignore")
TYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
         "i32": torch.int32, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool}
NAMES = {**{dtype: name for name, dtype in TYPES.items()}, torch.int16: "i16"}
cases = []


def ones(dtype, axes):
    return torch.ones((2,) if axes else (), dtype=dtype)


# --- the type that two operands have in common: a row for the type of the first, in the order of TYPES
for name, axes in {"both": (1, 1), "first": (1, 0), "second": (0, 1), "none": (0, 0)}.items():
    rows = []
    for a in TYPES.values():
        row = []
        for b in TYPES.values():
            x, y = ones(a, axes[0]), ones(b, axes[1])
            row.append(NAMES[torch.result_type(x, y)])
            assert NAMES[(x * y).dtype] == row[-1] and NAMES[torch.maximum(x, y).dtype] == row[-1]
            assert (x == y).dtype == torch.bool
        rows.append(" ".join(row))
    cases.append({"table": "common", "axes": name, "rows": rows})


# --- whether `a *= b` may be, for every pair
def written(a, b):
    try:
        return "1" if (ones(a, 1).mul_(ones(b, 1))).dtype == a else "?"
    except RuntimeError as error:
        assert "can't be cast to" in str(error), error
        return "0"


cases.append({"table": "written", "rows": ["".join(written(a, b) for b in TYPES.values()) for a in TYPES.values()]})


# --- the type of one operand's results ("-": refused), in the order of TYPES
def given(function, dtype):
    try:
        return NAMES[function(ones(dtype, 1)).dtype]
    except (RuntimeError, TypeError):
        # 1.13 lacks many kernels for 16 bits on the CPU; where there is one for f32, they would keep the type
        half = dtype in (torch.float16, torch.bfloat16)
        return NAMES[dtype] if half and given(function, torch.float32) == "f32" else "-"


for name, function in {
        "div": lambda x: x / x, "sqrt": torch.sqrt, "exp": torch.exp, "sin": torch.sin, "tanh": torch.tanh,
        "sigmoid": torch.sigmoid, "reciprocal": torch.reciprocal, "log1p": torch.log1p, "erf": torch.erf,
        "atan2": lambda x: torch.atan2(x, x), "sum": torch.sum, "prod": torch.prod, "logsumexp": lambda x: x.logsumexp(0),
        "cumsum": lambda x: x.cumsum(0), "amax": lambda x: x.amax(0), "max": lambda x: x.max(0)[0],
        "neg": torch.neg, "abs": torch.abs, "sub": lambda x: x - x, "add": lambda x: x + x, "relu": torch.relu,
        "floor": torch.floor, "addWhole": lambda x: x + 2, "mulWhole": lambda x: x * 2, "addFraction": lambda x: x + 1.5,
        "clampFraction": lambda x: x.clamp(0.5, 1.5), "powWhole": lambda x: x**2, "powFraction": lambda x: x**0.5,
        "addFloating": lambda x: x + 2.0, "mulFloating": lambda x: x * 2.0, "powFloating": lambda x: x**2.0,
        "clampFloating": lambda x: x.clamp(0.0, 2.0),
        "fmod": lambda x: torch.fmod(x, x), "floorDivide": lambda x: torch.div(x, x, rounding_mode="floor"),
        "bitwiseAnd": lambda x: torch.bitwise_and(x, x), "bitwiseNot": torch.bitwise_not,
        "cat": lambda x: torch.cat([x, ones(torch.int32, 1)]),
        "where": lambda x: torch.where(torch.tensor([True, False]), x, torch.tensor([1, 2]))}.items():
    cases.append({"table": "given", "op": name, "types": " ".join(given(function, t) for t in TYPES.values())})

# --- integers: values with wrap-around, signs of division
PAIRS = {
    "i64": ([7, -7, 7, -7, 2**62, 1 - 2**63, 0, 5], [3, 3, -3, -3, 4, -1, 9, 1]),
    "i32": ([7, -7, 7, -7, 2**30, 1 - 2**31, 0, 5], [3, 3, -3, -3, 4, -1, 9, 1]),
    "i8": ([7, -7, 7, -7, 100, -127, 0, 5], [3, 3, -3, -3, 100, -1, 9, 1]),
    "u8": ([7, 249, 7, 249, 200, 128, 0, 5], [3, 3, 253, 253, 100, 255, 9, 1]),
    "bool": ([0, 0, 1, 1], [0, 1, 0, 1])}
BINARY = {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "maximum": torch.maximum, "minimum": torch.minimum,
          "fmod": torch.fmod, "remainder": torch.remainder,
          "floorDivide": lambda a, b: torch.div(a, b, rounding_mode="floor"), "pow": torch.pow,
          "bitwiseAnd": torch.bitwise_and, "bitwiseOr": torch.bitwise_or, "bitwiseXor": torch.bitwise_xor,
          "equal": torch.eq, "less": torch.lt, "greaterEqual": torch.ge}
UNARY = {"neg": torch.neg, "abs": torch.abs, "sign": torch.sign, "square": torch.square, "relu": torch.relu,
         "addScalar": lambda x: x + -3, "mulScalar": lambda x: x * 5, "powScalar": lambda x: x**3,
         "clamp": lambda x: torch.clamp(x, 2, 9), "bitwiseNot": torch.bitwise_not, "round": torch.round,
         "logicalNot": torch.logical_not, "sum": torch.sum, "prod": torch.prod, "cumsum": lambda x: x.cumsum(0),
         "amax": torch.amax, "amin": torch.amin, "max": lambda x: x.max(0)[0], "min": lambda x: x.min(0)[0],
         "argmax": lambda x: x.argmax(0), "argmin": lambda x: x.argmin(0)}
for name, (left, right) in PAIRS.items():
    a, b = torch.tensor(left, dtype=TYPES[name]), torch.tensor(right, dtype=TYPES[name])
    results = {}
    for op, function in {**BINARY, **UNARY}.items():
        try:
            y = function(a, b) if op in BINARY else function(a)
        except RuntimeError:
            continue
        results[op] = {"type": NAMES[y.dtype], "data": y.long().reshape(-1).tolist()}
    if name == "bool":  # Tenon refuses what PyTorch gives as i64 or bool
        for op in ("sign", "square", "clamp", "pow", "powScalar"):
            results.pop(op, None)
    cases.append({"integers": name, "a": left, "b": right, "results": results})

# --- in place with another type: computed in the common type, then converted
for a, b, left, right in (("f16", "f32", [1.0, 0.1, 1000], [1.00049, 3e-5, 0.3]),
                          ("bf16", "f16", [1.0, 0.1, 100], [1.0078, 3e-4, 0.3]),
                          ("f32", "f64", [1.0, 16777216, 0.1], [1.0000000596, 1.0000001, 1e-9]),
                          ("i32", "i64", [1, 2**31 - 1, -5], [2**32 + 1, 1, 3]),
                          ("u8", "i64", [1, 255, 5], [-1, 2, 1000]),
                          ("f16", "i64", [0.5, 2048, 1], [2049, 1, 70000])):
    x, y = torch.tensor(left, dtype=TYPES[a]), torch.tensor(right, dtype=TYPES[b])
    cases.append({"inPlace": a, "with": b, "a": [float(v) for v in left], "b": [float(v) for v in right],
                  "add": ["%.17g" % v for v in x.clone().add_(y).double().tolist()],
                  "mul": ["%.17g" % v for v in x.clone().mul_(y).double().tolist()]})


# --- conversions of every bit pattern of 16 bits, and of f32 and f64 around the places where rounding turns
def checksum(t):
    """Sum of (bits + 1) * weight modulo 2^64; NaN counts as -1."""
    widths = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    nan = torch.isnan(t) if t.is_floating_point() else torch.zeros(t.shape, dtype=torch.bool)
    bits = t.view(widths[t.element_size()]).long()
    if t.element_size() < 8:
        bits = bits & ((1 << 8 * t.element_size()) - 1)
    bits = torch.where(nan, torch.tensor(-1), bits)
    weights = 2 * torch.arange(t.numel()) + 0x9E3779B1
    return "%016x" % (int(((bits + 1) * weights).sum()) & (2**64 - 1))


every = torch.arange(65536, dtype=torch.int64)
LOW = [0x0000, 0x0001, 0x0FFF, 0x1000, 0x1001, 0x2FFF, 0x3000, 0x3001, 0x7FFF, 0x8000, 0x8001, 0xFFFF]
patterns = torch.cat([(every << 16) | low for low in LOW])
singles = (patterns - ((patterns >> 31) << 32)).int().view(torch.float32)
sources = {"f16": (every - ((every >> 15) << 16)).short().view(torch.float16),
           "bf16": (every - ((every >> 15) << 16)).short().view(torch.bfloat16),
           "f32": singles, "f64": singles.double() * (1 + 2.0**-40), "i64": torch.arange(-70000, 70001)}
wanted = {source: ["f16", "bf16"] for source in sources}
wanted["f16"] = ["f32", "f64", "bf16", "bool"]
wanted["bf16"] = ["f32", "f64", "f16", "bool"]
for source, targets in wanted.items():
    for target in targets:
        cases.append({"convert": source, "to": target, "sum": checksum(sources[source].to(TYPES[target]))})
whole = sources["f16"][torch.isfinite(sources["f16"])]
cases.append({"convert": "f16", "to": "i64", "sum": checksum(whole.to(torch.int64))})

# --- norms of f16 and bf16 beside f32 weights: computed in f32, the result and dx rounded once
def steps(shape, seed, scale, dtype):
    places = torch.arange(int(torch.tensor(shape).prod()))
    return (((211 * places + 97 * seed) % 1021 - 510) / 512 * scale).reshape(shape).to(dtype)


def listed(t):
    return [float("%.9g" % v) for v in t.detach().double().reshape(-1).tolist()]


for norm, shape, weights, function in (
        ("layer_norm", [4, 9], 9, lambda x, g, b: torch.nn.functional.layer_norm(x, [9], g, b, 1e-3)),
        ("batch_norm", [3, 4, 5], 4,
         lambda x, g, b: torch.nn.functional.batch_norm(x, None, None, g, b, True, 0.1, 1e-3)),
        ("batch_norm_eval", [3, 4, 5], 4,
         lambda x, g, b: torch.nn.functional.batch_norm(x, b.detach() * 0.5, g.detach()**2, g, b, False, 0.1,
                                                        1e-3)),
        ("group_norm", [2, 4, 6], 4, lambda x, g, b: torch.nn.functional.group_norm(x, 2, g, b, 1e-3))):
    for kind in ("f16", "bf16"):
        x, dy = steps(shape, 1, 3, TYPES[kind]), steps(shape, 2, 1, TYPES[kind])
        leaves = [x.float().requires_grad_()] + [steps([weights], seed, 1, torch.float32) + 1.5 for seed in (3, 4)]
        for leaf in leaves[1:]:
            leaf.requires_grad_()
        y = function(*leaves)
        dx, dgamma, dbeta = torch.autograd.grad(y, leaves, dy.float())
        try:  # PyTorch's own mixed call, which 1.13 has for some of these
            mixed = function(x, leaves[1], leaves[2])
            assert mixed.dtype == TYPES[kind]
            assert torch.allclose(mixed.float(), y, rtol=0.016, atol=0.016)
        except RuntimeError:
            pass
        cases.append({"norm": norm, "type": kind, "shape": shape, "x": listed(x), "gamma": listed(leaves[1]),
                      "beta": listed(leaves[2]), "dy": listed(dy), "y": listed(y.to(TYPES[kind])),
                      "dx": listed(dx.to(TYPES[kind])), "dgamma": listed(dgamma), "dbeta": listed(dbeta)})

path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "types.json")
with open(path, "w") as file:
    head = {"made_by": "tests/reference/make_types.py", "torch": torch.__version__, "types": list(TYPES)}
    file.write(json.dumps(head)[:-1] + ', "cases": [\n')
    file.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
    file.write("\n]}\n")
print(len(cases), "cases,", os.path.getsize(path), "bytes", file=sys.stderr)
