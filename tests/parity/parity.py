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
ENOUGH = 25  # cases a name, from which on every operator and function must have run


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
        self.reasons, self.second = collections.Counter(), collections.Counter()
        self.bent = self.refused = 0
        self.calls = set()  # functions that ran
        self.ops = set()  # (function, operator that its cases ran)

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
        found = comparing.compared(case, d, tenon)
    except Exception as error:  # PyTorch's refusal of a case is a fault of its drawing
        found = comparing.Found([f"PyTorch refused: {type(error).__name__}: {error}"])
    if found.ops is not None:
        tally.calls.add(case.call)
        tally.ops.update((case.call, op) for op in found.ops)
    tally.second[found.second] += 1
    tally.bent += found.bent
    tally.refused += bool(case.refused)
    if found.faults:
        tally.failed[family] += 1
        if sum(tally.failed.values()) <= PRINTED:
            report(options.seed, name, index, case, found.faults)


def prove_it_can_fail(seed, tenon):
    """What is wrong by a little must be found: numbers and gradients of every floating type, second
    derivatives, integers, shapes, types."""
    little = {torch.float64: 1e-5, torch.float32: 1e-3, torch.float16: 0.01, torch.bfloat16: 0.08}
    for dtype, off in little.items():
        for number in range(3):
            d = Draw(seed, "proof", number)
            right = Case("mulScalar", [d.tensor([3, 5], dtype, 1, 2)], lambda x: x * 1.5, {"a": 1.5})
            wrong = Case("mulScalar", right.inputs, lambda x: x * (1.5 + off), {"a": 1.5})
            found = comparing.compared(right, d, tenon, 1)
            texts = " ".join(comparing.compared(wrong, d, tenon, 1).faults)
            seen = "output 0" in texts and "gradient of input 0" in texts
            if dtype == torch.float64:
                seen = seen and found.second == "compared" and "second derivative by the gradient of output 0" in texts
            if found.faults or not seen:
                sys.exit(f"parity: {dtype}: what is right was refused, or a difference of {off} was not seen: {texts}")
    d = Draw(seed, "proof", "others")
    whole = [d.whole([3, 5], torch.int64), d.whole([3, 5], torch.int64)]
    floating = [d.tensor([3, 5], torch.float32, 1, 2, grad=False) for _ in range(2)]
    others = [("elements differ", whole, lambda a, b: a + b + (torch.arange(15).reshape(3, 5) == 14)),
              ("shape [3, 5], wanted [5, 3]", whole, lambda a, b: (a + b).reshape(5, 3)),
              ("shape [3, 5], wanted [1, 3, 5]", floating, lambda a, b: (a + b)[None]),
              ("type i64, wanted i32", whole, lambda a, b: (a + b).int()),
              ("type f32, wanted f64", floating, lambda a, b: (a + b).double())]
    for words, inputs, wrong in others:
        right = comparing.compared(Case("add", inputs, torch.add), d, tenon).faults
        texts = " ".join(comparing.compared(Case("add", inputs, wrong), d, tenon).faults)
        if right or words not in texts:
            sys.exit(f"parity: what is right was refused ({right}), or '{words}' was not seen: {texts}")


def unbound(listing, tally):
    """Operators that are said to be run by cases of a function, but were not."""
    return sorted(f"{op} (by {listing['bound'][op]})" for op in listing["ops"]
                  if isinstance(listing["bound"].get(op), str) and (listing["bound"][op], op) not in tally.ops)


def uncalled(listing, tally):
    """Functions that no case called."""
    return sorted(name + "()" for name in set(listing["functions"]) - tally.calls)


def missing_names(listing, all_names):
    """Layers, optimizers and schedules of Tenon that have no cases."""
    wanted = set(listing["optimizers"]) | {"schedule." + s for s in listing["schedules"]}
    wanted |= {"layer." + s for s in listing["layers"]}
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
    print(f"second derivatives: {tally.second['compared']} compared, {tally.second['PyTorch']} that PyTorch has not")
    print(f"16 bits: {tally.bent} gradients at a bend not compared, {tally.refused} cases that Tenon is to refuse")
    for reason, count in tally.reasons.items():
        print(f"excluded {count}: {reason}")
    print(f"seed {options.seed}, PyTorch {torch.__version__}, Tenon's kernels {listing['level']}, "
          f"{time.monotonic() - started:.0f} s")
    wrong = sum(tally.failed.values())
    forgotten = missing_names(listing, known)
    if options.only is None and options.case is None and options.cases >= ENOUGH * len(known):
        forgotten += unbound(listing, tally) + uncalled(listing, tally)
    if forgotten:
        print("never run: " + " ".join(forgotten))
    if wrong > PRINTED:
        print(f"{wrong - PRINTED} more failing cases are not shown")
    return 1 if wrong or forgotten else 0


if __name__ == "__main__":
    sys.exit(main())
