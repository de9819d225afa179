#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two files of reference values: the committed one and one that PyTorch has just made.

Usage: compare.py COMMITTED FRESH. Numbers may differ by 1e-6 relative (and 1e-9 absolute): torch versions add up in
different orders. Names, shapes and settings must be equal. Exit status 1 and the places if something differs.
"""
import json
import math
import sys


def differences(a, b, place=""):
    """Places where two JSON values differ, with both values."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            if key != "torch":  # the version that made the file
                yield from differences(a[key], b[key], f"{place}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for number, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, f"{place}[{number}]")
    elif isinstance(a, float) and isinstance(b, float):
        if not math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9):
            yield f"{place}: {a} committed, {b} from PyTorch"
    elif a != b:
        yield f"{place}: {str(a)[:60]} committed, {str(b)[:60]} from PyTorch"


def count_numbers(value):
    if isinstance(value, dict):
        return sum(map(count_numbers, value.values()))
    if isinstance(value, list):
        return sum(map(count_numbers, value))
    return isinstance(value, float)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1]) as committed, open(sys.argv[2]) as fresh:
        a, b = json.load(committed), json.load(fresh)
    found = list(differences(a, b))
    for line in found[:20]:
        print(line)
    print(f"{sys.argv[1]}: {count_numbers(a)} numbers in {len(a['cases'])} cases, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
