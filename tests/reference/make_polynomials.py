#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Derives the approximations of engine/backend/cpu/math.h (Remez exchange and weighted least squares
in 60 digits).

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


def rational(f, weight, low, high, over, under, points=160, rounds=60):
    """P / Q of degrees `over` and `under`, P(0) = f(0), Q(0) = 1, with a small max |weight (f - P/Q)|.

    Least squares of weight (P - f Q) / (Q of the last round), whose points are weighted by the errors
    they had (H. Loeb 1957, C. Lawson 1961), in normal equations.
    """
    low, high = mpf(low), mpf(high)
    xs = [(low + high) / 2 - (high - low) / 2 * cos(pi * (k + mpf(1) / 2) / points) for k in range(points)]
    values, weights = [f(x) for x in xs], [weight(x) for x in xs]
    start = f(mpf(0))
    lawson, below, best = [mpf(1)] * points, [mpf(1)] * points, (inf, None, None)
    for _ in range(rounds):
        rows = [[x**k for k in range(1, over + 1)] + [-v * x**k for k in range(1, under + 1)]
                for x, v in zip(xs, values)]
        scale = [a * (w / b) ** 2 for a, w, b in zip(lawson, weights, below)]
        n = over + under
        left = matrix(n, n)
        for i in range(n):
            for j in range(i + 1):
                left[i, j] = left[j, i] = sum(s * r[i] * r[j] for s, r in zip(scale, rows))
        right = matrix([sum(s * r[i] * (v - start) for s, r, v in zip(scale, rows, values)) for i in range(n)])
        solution = lu_solve(left, right)
        p = [start] + [solution[k] for k in range(over)]
        q = [mpf(1)] + [solution[over + k] for k in range(under)]
        below = [sum(c * x**k for k, c in enumerate(q)) for x in xs]
        errors = [abs(w * (v - sum(c * x**k for k, c in enumerate(p)) / b))
                  for x, v, w, b in zip(xs, values, weights, below)]
        if max(errors) < best[0]:
            best = (max(errors), p, q)
        lawson = [a * e for a, e in zip(lawson, errors)]
        total = sum(lawson)
        lawson = [a / total * points for a in lawson]
    return best


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
# exp(r) = 1 + r + r^2 Q(r)
show("exp Q", *remez(lambda r: (expm1(r) - r) / r**2 if abs(r) > tiny else mpf(1) / 2,
                     lambda r: floor(r**2 / exp(r)), -half, half, 4))
# log1p(f) = f - f^2/2 + f^3 P(f): the error is relative to log1p(f)
show("log P", *remez(lambda f: (log1p(f) - f + f**2 / 2) / f**3 if abs(f) > tiny else mpf(1) / 3,
                     lambda f: floor(f**3 / log1p(f) if abs(f) > tiny else 0),
                     sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, 8))
# erf(x) = x P(x^2) for |x| <= 1
show("erf P", *remez(lambda z: erf(sqrt(z)) / sqrt(z) if z else 2 / sqrt(pi),
                     lambda z: sqrt(z) / erf(sqrt(z)) if z else sqrt(pi) / 2, 0, 1, 6))
# erfc(x) = exp(-G(x)) for 1 <= x <= 4; the error counts as erfc does
show("erfc G", *remez(lambda x: -log(erfc(x)), lambda x: erfc(x) / erf(x), 1, mpf("4"), 6))
# the normal distribution below -a is exp(-a^2 / 2) P(a) / Q(a); its error counts as 0.03 of the
# largest value at least
worst, top, bottom = rational(lambda a: erfc(a / sqrt(2)) * exp(a**2 / 2) / 2,
                              lambda a: max(exp(-a**2 / 2), mpf("0.03")) / (erfc(a / sqrt(2)) * exp(a**2 / 2) / 2),
                              0, mpf("13.3"), 3, 4)
show("normal P", top, worst)
show("normal Q", bottom, worst)
