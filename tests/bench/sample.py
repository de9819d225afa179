#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the Fashion-MNIST sample on Tenon and on PyTorch in turn, epoch by epoch, and compares wall time and accuracy.

Tenon's epoch is a whole process: start, open the data, train, test, write the checkpoint; the next one resumes it.
PyTorch's is an epoch and its test in a process that stays. `./dev bench --sample` starts this with the right paths.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from interleave import Server

STEPS_PER_EPOCH = (60000 + 127) // 128
ALL_EPOCHS = 5


def tenon_epoch(args, project, number):
    # A run that stops at a step number does so before the test at the epoch's end, hence one step more.
    command = [args.tenon, "train", str(project), "--threads", str(args.threads), "--json"]
    command += ["--steps", str(number * STEPS_PER_EPOCH + 1)] if number < ALL_EPOCHS else []
    command += ["--resume", "last"] if number > 1 else []
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"tenon ended with status {done.returncode}: {done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    accuracy = [line["validation/accuracy"] for line in lines if "validation/accuracy" in line]
    return {"epoch": number, "seconds": seconds, "accuracy": accuracy[-1]}


def peer_epoch(server):
    server.process.stdin.write("\n")
    server.process.stdin.flush()
    return server.answer(1800)


def measure(args):
    command = [args.python, str(pathlib.Path(__file__).with_name("sample_torch.py")), "--peer-script", args.peer_script,
               "--threads", str(args.threads)] + args.peer_options.split()
    rows = []
    with tempfile.TemporaryDirectory() as folder, Server("peer", command, args.threads) as peer:
        project = pathlib.Path(folder) / "sample"
        shutil.copytree(args.project, project)
        peer.wait_ready()
        for number in range(1, args.epochs + 1):
            ours = tenon_epoch(args, project, number)
            theirs = peer_epoch(peer) if number <= args.peer_epochs else None
            rows.append((ours, theirs))
            for name, side in (("Tenon", ours), ("PyTorch", theirs)):
                if side:
                    print(f"epoch {number}: {name} {side['seconds']:.1f} s, {side['accuracy']:.2f} %",
                          file=sys.stderr, flush=True)
    return rows


def main():
    p = argparse.ArgumentParser(prog="./dev bench --sample", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--sample", action="store_true", help=argparse.SUPPRESS)
    p.add_argument("--tenon", required=True)
    p.add_argument("--peer-script", required=True)
    p.add_argument("--project", required=True)
    p.add_argument("--python", default="/usr/bin/python3")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--epochs", type=int, default=ALL_EPOCHS, choices=range(1, ALL_EPOCHS + 1), help="of the five, how many to run; default all")
    p.add_argument("--peer-epochs", type=int, default=5, help="of these, how many on PyTorch too; default all")
    p.add_argument("--peer-options", default="--foreach", help="options of sample_torch.py; default %(default)s")
    args = p.parse_args()
    rows = measure(args)
    pairs = [(ours["seconds"], theirs["seconds"]) for ours, theirs in rows if theirs]
    peer = [theirs for _, theirs in rows if theirs]
    print(json.dumps({"epochs": len(rows), "tenon_seconds": sum(ours["seconds"] for ours, _ in rows),
                      "tenon_accuracy": rows[-1][0]["accuracy"], "peer_epochs": len(peer),
                      "peer_seconds": sum(theirs["seconds"] for theirs in peer),
                      "peer_accuracy": peer[-1]["accuracy"] if peer else None,
                      "time_ratios": [ours / theirs for ours, theirs in pairs],
                      "median_time_ratio": statistics.median(a / b for a, b in pairs) if pairs else None}))


if __name__ == "__main__":
    main()
