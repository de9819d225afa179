#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures single operators on Tenon and on PyTorch in turn, window by window, beside probes of what the machine can do.

The ratio is that of the medians. "of roof" is the share that Tenon's kernel reaches of what a probe does in the same
process just before and after it: multiply-adds in registers (matmul, conv) or copying as many bytes as the operator must
move (the others; how they are counted stands in app/cli/kernels.h). `./dev bench --kernels` starts this.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

import interleave

# Goals P3 to P6: the least ratio, and the least share of the roof.
GOALS = [("matmul-1024", 1.2, 0.85), ("matmul", 1.2, None), ("conv3x3", 1.5, None), ("adamw", 2.0, None),
         ("", 1.7, 1 / 1.25)]


def goal_of(name):
    return next((ratio, share) for start, ratio, share in GOALS if name.startswith(start))


def peer_settings(name, threads):
    """All settings the peer is tried with: for images both layouts, for the optimizer all its loops."""
    if name.startswith(("conv", "batch-norm")):
        return [(threads, []), (threads, ["--channels-last"])]
    if name.startswith("adamw"):
        return [(threads, ["--optim", optim]) for optim in ("loop", "foreach", "fused")]
    return [(threads, [])]


def measure(args, name):
    result = interleave.measure(args, name, peer_settings(name, args.threads))
    tenon = result["tenon"]
    result["roof"], result["probe_per_second"] = tenon.pop("roof"), statistics.median(tenon.pop("probe_per_second"))
    shares = tenon.pop("roofline")
    result["roofline"] = {"median": statistics.median(shares), "min": min(shares), "max": max(shares)}
    least, share = goal_of(name)
    result["goal"] = {"ratio": least, "roofline": share}
    result["met"] = result["ratio"] >= least and (share is None or result["roofline"]["median"] >= share)
    return result


def table(results):
    rows = [["kernel", "Tenon us", "peer us", "ratio", "goal", "of roof", "goal", "", "roof", "peer's best"]]
    for r in results:
        def micros(side):
            return f"{1e6 / side['median']:.5g} [{1e6 / side['max']:.5g}..{1e6 / side['min']:.5g}]"
        least, share = r["goal"]["ratio"], r["goal"]["roofline"]
        roof = r["roofline"]
        unit = "GFLOP/s" if r["roof"] == "arithmetic" else "GB/s"
        rows.append([r["workload"], micros(r["tenon"]), micros(r["peer"]), f"{r['ratio']:.2f}", f">= {least}",
                     f"{roof['median']:.2f} [{roof['min']:.2f}..{roof['max']:.2f}]",
                     "" if share is None else f">= {share}", "met" if r["met"] else "missed",
                     f"{r['probe_per_second'] * 1e-9:.4g} {unit}", interleave.settings_text(r["peer"])])
    return interleave.aligned(rows)


def names_of(args):
    """Those that are asked for; "all" is what the peer's script lists."""
    done = subprocess.run([args.python, args.peer_script, "--list"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise interleave.ServerFailed(f"the peer's list of kernels: status {done.returncode}: {done.stderr}")
    known = done.stdout.split()
    wanted = known if args.workload == "all" else args.workload.split(",")
    for name in wanted:
        if name not in known:
            raise interleave.ServerFailed(f"unknown kernel '{name}': known are {', '.join(known)}")
    return wanted


def parse(argv):
    p = argparse.ArgumentParser(prog="./dev bench --kernels", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--kernels", action="store_true", help=argparse.SUPPRESS)  # how ./dev knows to come here
    p.add_argument("--peer-script", default=str(pathlib.Path(__file__).with_name("kernels_torch.py")),
                   help=argparse.SUPPRESS)
    interleave.add_options(p, workloads="all", seconds=0.5)
    return interleave.checked(p, p.parse_args(argv))


def main(argv=None):
    args = parse(argv)
    return interleave.report(args, lambda: (measure(args, name) for name in names_of(args)), table)


if __name__ == "__main__":
    sys.exit(main())
