#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Derives the minimax polynomials of engine/backend/cpu/math.h (Remez exchange in 60 digits).

Run: python3 tests/reference/make_polynomials.py   (needs python3-mpmath)
Prints the coefficients, lowest power first, and the largest weighted error.
"""
from mpmath import mp, mpf, cos, pi, exp, expm1, log, log1p, erf, erfc, sqrt, lu_solve, matrix, inf

mp.dps = 60


def remez(f, weight, low, high, degree, rounds=20):
    """Polynomial p of `degree` with the smallest max |weight(x) (f(x) - p(x))| on [low, high]."""
    low, high = mpf(low), mpf(high)
    n = degree + 2
    nodes = [(low + high) / 2 - (high - low) / 2 * cos(pi * k / (n - 1)) for k in range(n)]
    for _ in range(rounds):
        rows = [[x**k for k in range(degree + 1)] + [(-1) ** i / weight(x)] for i, x in enumerate(nodes)]
        solution = lu_solve(matrix(rows), matrix([f(x) for x in nodes]))
        coefficients = [solution[k] for k in range(degree + 1)]

        def error(x):
            p = mpf(0)
            for c in reversed(coefficients):
                p = p * x + c
            return weight(x) * (f(x) - p)

        count = 60 * n
        grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * k / count) for k in range(count + 1)]
        values = [error(x) for x in grid]
        # the largest error of each run of one sign
        runs, start = [], 0
        for i in range(1, len(grid) + 1):
            if i == len(grid) or (values[i] > 0) != (values[start] > 0):
                best = max(range(start, i), key=lambda k: abs(values[k]))
                runs.append(best)
                start = i
        if len(runs) < n:
            break
        while len(runs) > n:
            runs.pop(0 if abs(values[runs[0]]) < abs(values[runs[-1]]) else -1)
        nodes = [grid[i] for i in runs]
        worst = max(abs(v) for v in values)
        if worst < abs(solution[degree + 1]) * mpf("1.0005"):
            break
    return coefficients, max(abs(v) for v in values)


def show(name, coefficients, worst):
    print(name, "max weighted error %.3g" % float(worst))
    for c in coefficients:
        print("   ", mp.nstr(c, 12))


def floor(value):
    """Weights that vanish at 0 are held off it: the polynomial is not free there anyway."""
    return max(abs(value), mpf("1e-3"))


tiny = mpf(10) ** -15
half = log(2) / 2 * mpf("1.002")
# expm1(r) = r + r^2 Q(r): the error is relative to expm1(r)
show("expm1 Q", *remez(lambda r: (expm1(r) - r) / r**2 if abs(r) > tiny else mpf(1) / 2,
                       lambda r: floor(r**2 / expm1(r) if abs(r) > tiny else 0), -half, half, 5))
# log1p(f) = f - f^2/2 + f^3 P(f): the error is relative to log1p(f)
show("log P", *remez(lambda f: (log1p(f) - f + f**2 / 2) / f**3 if abs(f) > tiny else mpf(1) / 3,
                     lambda f: floor(f**3 / log1p(f) if abs(f) > tiny else 0),
                     sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, 8))
# erf(x) = x P(x^2) for |x| <= 1
show("erf P", *remez(lambda z: erf(sqrt(z)) / sqrt(z) if z else 2 / sqrt(pi),
                     lambda z: sqrt(z) / erf(sqrt(z)) if z else sqrt(pi) / 2, 0, 1, 6))
# erfc(x) = exp(-G(x)) for 1 <= x <= 4; the error counts as erfc does
show("erfc G", *remez(lambda x: -log(erfc(x)), lambda x: erfc(x) / erf(x), 1, mpf("4"), 6))
