#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the time from the command to its first training step, and the memory that is resident then (goal P10).

  tiny-mlp          `tenon-cli train` of a project with the tiny-mlp and data made for it, to the line of its step 1
  tiny-mlp bench    `tenon-cli bench --serve --workload tiny-mlp`, to its "ready": the first 20 steps, no project, no store
  sample cold       `tenon-cli train` of the Fashion-MNIST sample without a cache of decoded files, to the line of step 1
  sample decoded    the same with that cache

Each start is a process of its own in a project folder of its own, the cases in turn. Files are in the system's page
cache; "cold" is about Tenon's own cache. Resident memory is the most there was until the line came (VmHWM) less what of
files is mapped then (RssFile): libraries and decoded data; "with files" leaves both in.
`./dev bench --start` starts this with the right paths.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from interleave import aligned

GOALS = {"tiny-mlp": {"ms": 150, "mb": 60}, "tiny-mlp bench": {"ms": 150, "mb": 60},
         "sample cold": {"ms": 700}, "sample decoded": {"ms": 250}}
SAMPLES = 4096


class StartFailed(Exception):
    """A program that ended before its first step."""


def write_idx(path, sizes, values):
    path.write_bytes(bytes([0, 0, 8, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + values)


def write_tiny_project(folder):
    """16 numbers a sample as an image of 4 x 4, and the class that their sum says."""
    folder.mkdir(parents=True)
    values = bytes((i * i + i // 7) % 251 for i in range(16 * SAMPLES))
    classes = bytes(sum(values[16 * i:16 * i + 16]) % 2 for i in range(SAMPLES))
    write_idx(folder / "images.idx", (SAMPLES, 4, 4), values)
    write_idx(folder / "labels.idx", (SAMPLES,), classes)
    nodes = [{"id": "in", "type": "input"}, {"id": "flat", "type": "flatten"}]
    for number, out in enumerate((32, 32, 2)):
        nodes.append({"id": f"fc{number}", "type": "linear", "out_features": out})
        if number < 2:
            nodes.append({"id": f"relu{number}", "type": "relu"})
    nodes.append({"id": "out", "type": "output"})
    project = {"format_version": 1, "name": "tiny-mlp",
               "data": {"reader": {"type": "idx", "images": "images.idx", "labels": "labels.idx"},
                        "transforms": [{"type": "scale", "divide_by": 255.0}], "classes": ["even", "odd"]},
               "graph": {"nodes": nodes, "edges": [{"from": a["id"], "to": b["id"]} for a, b in zip(nodes, nodes[1:])]},
               "train": {"epochs": 100000, "batch_size": 16, "seed": 1, "validate_every": 0,
                         "loss": {"type": "cross_entropy"},
                         "optimizer": {"type": "sgd", "lr": 0.01, "momentum": 0.9, "weight_decay": 5e-4}}}
    (folder / "project.tenon").write_text(json.dumps(project, indent=2), encoding="utf-8")


def is_first_step(line):
    """True for the line that says that training has begun. @raises ValueError if it is no JSON."""
    said = json.loads(line)
    return said.get("ready") is True or (said.get("event") == "step" and said.get("step") == 1)


def resident_mb(pid):
    """Most resident so far without what is mapped from files now, and with it, in MB (1e6 bytes)."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        kb = {line.split(":")[0]: int(line.split()[1]) for line in status if line.endswith("kB\n")}
    return (kb["VmHWM"] - kb["RssFile"]) * 1024e-6, kb["VmHWM"] * 1024e-6


def one_start(command, env):
    """Milliseconds to the first step, and what is resident then; the program is ended."""
    begin = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=env) as process:
        for line in process.stdout:
            if is_first_step(line):
                ms = 1e3 * (time.perf_counter() - begin)
                resident = resident_mb(process.pid)
                process.terminate()
                process.communicate()
                return ms, *resident
        raise StartFailed(f"{' '.join(command)} ended without a first step: {process.stderr.read().strip()}")


class Cases:
    """The commands of the four cases; every start gets a fresh copy of its project."""

    def __init__(self, args, folder):
        self.args, self.folder = args, pathlib.Path(folder)
        self.tiny = self.folder / "tiny"
        write_tiny_project(self.tiny)
        self.decoded = dict(os.environ, TENON_CACHE=str(self.folder / "decoded"))

    def start(self, case):
        threads = ["--threads", str(self.args.threads)]
        if case == "tiny-mlp bench":
            return one_start([self.args.tenon, "bench", "--serve", "--workload", "tiny-mlp", *threads], None)
        with self.fresh(self.tiny if case == "tiny-mlp" else self.args.project) as project:
            env = self.decoded
            if case == "sample cold":
                env = dict(os.environ, TENON_CACHE=str(project / "no-cache-yet"))
            return one_start([self.args.tenon, "train", str(project), "--json", *threads], env)

    @contextlib.contextmanager
    def fresh(self, project):
        with tempfile.TemporaryDirectory(dir=self.folder) as copy:
            yield pathlib.Path(shutil.copytree(project, pathlib.Path(copy) / "project"))


def measure(args, folder):
    cases = Cases(args, folder)
    found = {name: [] for name in args.cases.split(",")}
    for name in found:
        cases.start(name)  # not counted: files come into the page cache, decoded ones into Tenon's
    for _ in range(args.starts):
        for name, starts in found.items():
            starts.append(cases.start(name))
    return [result_of(name, starts) for name, starts in found.items()]


def result_of(name, starts):
    result = {"case": name, "starts": len(starts), "goal": GOALS[name], "met": True}
    for at, unit in enumerate(("ms", "mb", "mb_with_files")):
        values = [start[at] for start in starts]
        result[unit] = {"median": statistics.median(values), "min": min(values), "max": max(values)}
        result["met"] &= unit not in GOALS[name] or result[unit]["median"] <= GOALS[name][unit]
    return result


def table(results):
    rows = [["case", "to first step, ms", "goal", "resident, MB", "goal", "with files", ""]]
    for r in results:
        def spread(v):
            return f"{v['median']:.1f} [{v['min']:.1f}..{v['max']:.1f}]"
        goals = [f"<= {r['goal'][unit]}" if unit in r["goal"] else "" for unit in ("ms", "mb")]
        rows.append([r["case"], spread(r["ms"]), goals[0], spread(r["mb"]), goals[1],
                     spread(r["mb_with_files"]), "met" if r["met"] else "missed"])
    return aligned(rows)


def parse(argv):
    p = argparse.ArgumentParser(prog="./dev bench --start", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--start", action="store_true", help=argparse.SUPPRESS)  # how ./dev knows to come here
    p.add_argument("--tenon", required=True, help="path of tenon-cli (set by ./dev)")
    p.add_argument("--project", required=True, help="folder of the sample (set by ./dev)")
    p.add_argument("--cases", default=",".join(GOALS), help="names, comma between; default %(default)s")
    p.add_argument("--starts", type=int, default=9, help="of each case, at least 7; default %(default)s")
    p.add_argument("--threads", type=int, default=0, help="CPU threads, 0: one per core")
    p.add_argument("--folder", help="where the projects are made; default: a temporary folder of the system's")
    p.add_argument("--json", action="store_true", help="one JSON object a line instead of the table")
    args = p.parse_args(argv)
    if args.starts < 7:
        p.error("--starts must be at least 7: a median of fewer says too little")
    for name in args.cases.split(","):
        if name not in GOALS:
            p.error(f"unknown case '{name}': known are {', '.join(GOALS)}")
    return args


def main(argv=None):
    args = parse(argv)
    try:
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            results = measure(args, folder)
    except (StartFailed, OSError, ValueError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print("\n".join(json.dumps(r) for r in results) if args.json else table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
