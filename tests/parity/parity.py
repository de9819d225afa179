#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws random cases, runs PyTorch and Tenon on the same numbers and compares results, gradients and state.

Run by ./dev parity. Case number I of NAME depends on the seed alone, so `--seed S --only NAME --case I` repeats it.
docs/parity.md says how to read what it prints.
"""
import argparse
import collections
import importlib
import os
import pkgutil
import sys
import time
import warnings

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "reference")]

import torch  # noqa: E402 (after the paths)

import comparing  # noqa: E402
import exclusions  # noqa: E402
from drawing import Case, Draw, described  # noqa: E402
from peer import Tenon  # noqa: E402

PRINTED = 20  # failing cases shown in full


def families():
    """name -> (family, draw); every module in families/ is a family."""
    found = {}
    for module in pkgutil.iter_modules([os.path.join(HERE, "families")]):
        for name, draw in importlib.import_module("families." + module.name).CASES.items():
            assert name not in found, f"two cases are called {name}"
            found[name] = (module.name, draw)
    return found


def arguments():
    parser = argparse.ArgumentParser(prog="./dev parity", description="Compares Tenon with PyTorch on random cases.")
    parser.add_argument("--cases", type=int, default=10000, metavar="N", help="how many in all (default 10000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="other cases for another seed (default 1)")
    parser.add_argument("--only", metavar="NAME", help="cases of one name or one family")
    parser.add_argument("--case", type=int, metavar="I", help="only case number I of each name")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


class Tally:
    """Counts by family, and what ran."""

    def __init__(self):
        self.cases, self.excluded, self.failed = (collections.Counter() for _ in range(3))
        self.reasons = collections.Counter()
        self.ops = set()

    def table(self):
        lines = ["family            cases   passed   failed  excluded"]
        for family in sorted(self.cases) + ["all"]:
            numbers = [sum(c.values()) if family == "all" else c[family] for c in (self.cases, self.failed, self.excluded)]
            lines.append(f"{family:<15}{numbers[0]:>8}{numbers[0] - numbers[1] - numbers[2]:>9}{numbers[1]:>9}{numbers[2]:>10}")
        return "\n".join(lines)


def report(seed, name, index, case, found):
    inputs = "; ".join(described(i) for i in case.inputs) or "none"
    print(f"FAILED {name}, case {index}, seed {seed}: {case.call} {case.params}\n  inputs: {inputs}")
    for text in found:
        print("  " + text)
    print(f"  again: ./dev parity --seed {seed} --only {name} --case {index}", flush=True)


def run_case(options, name, family, draw, index, tenon, tally):
    d = Draw(options.seed, name, index)
    case = draw(d)
    tally.cases[family] += 1
    if case.excluded:
        tally.excluded[family] += 1
        tally.reasons[exclusions.REASONS[case.excluded]] += 1
        return
    try:
        found, ops = comparing.faults(case, d, tenon)
    except Exception as error:  # PyTorch's refusal of a case is a fault of its drawing
        found, ops = [f"PyTorch refused: {type(error).__name__}: {error}"], []
    tally.ops.update(ops)
    if found:
        tally.failed[family] += 1
        if sum(tally.failed.values()) <= PRINTED:
            report(options.seed, name, index, case, found)


def prove_it_can_fail(seed, tenon):
    """A result and a gradient that are off by a little must be found in every floating type."""
    little = {torch.float64: 1e-5, torch.float32: 1e-3, torch.float16: 0.05, torch.bfloat16: 0.2}
    for dtype, off in little.items():
        for number in range(3):
            d = Draw(seed, "proof", number)
            right = Case("mulScalar", [d.tensor([3, 5], dtype, 1, 2)], lambda x: x * 1.5, {"a": 1.5})
            wrong = Case("mulScalar", right.inputs, lambda x: x * (1.5 + off), {"a": 1.5})
            texts = " ".join(comparing.faults(wrong, d, tenon)[0])
            if comparing.faults(right, d, tenon)[0] or "output 0" not in texts or "gradient of input 0" not in texts:
                sys.exit(f"parity: {dtype}: what is right was refused, or a difference of {off} was not seen: {texts}")


def unbound(listing, tally):
    """Operators that are said to be run by cases, but were not."""
    return sorted(op for op in listing["ops"]
                  if isinstance(listing["bound"].get(op), str) and op not in tally.ops)


def missing_names(listing, all_names):
    """Functions, optimizers and schedules of Tenon that no case calls."""
    wanted = set(listing["optimizers"]) | {"schedule." + s for s in listing["schedules"]}
    return sorted(wanted - set(all_names))


def main():
    options = arguments()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    known = families()
    chosen = {name: found for name, found in known.items() if options.only in (None, name, found[0])}
    if not chosen:
        sys.exit(f"parity: no cases are called '{options.only}'; there are: {' '.join(known)}")
    tenon = Tenon(options.program)
    listing = tenon.listing()
    prove_it_can_fail(options.seed, tenon)
    tally, started = Tally(), time.monotonic()
    if options.case is not None:
        numbers = [(name, options.case) for name in chosen]
    else:
        names = list(chosen)
        numbers = [(names[k % len(names)], k // len(names)) for k in range(options.cases)]
    for name, index in numbers:
        run_case(options, name, *chosen[name], index, tenon, tally)
    tenon.close()
    print(tally.table())
    for reason, count in tally.reasons.items():
        print(f"excluded {count}: {reason}")
    print(f"seed {options.seed}, PyTorch {torch.__version__}, Tenon's kernels {listing['level']}, "
          f"{time.monotonic() - started:.0f} s")
    wrong = sum(tally.failed.values())
    forgotten = missing_names(listing, known)
    if options.only is None and options.case is None and options.cases >= 40 * len(known):
        forgotten += unbound(listing, tally)
    if forgotten:
        print("never run: " + " ".join(forgotten))
    if wrong > PRINTED:
        print(f"{wrong - PRINTED} more failing cases are not shown")
    return 1 if wrong or forgotten else 0


if __name__ == "__main__":
    sys.exit(main())
