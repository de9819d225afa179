#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Tenon and a peer in turn, window by window, and prints the ratio of their medians.

Both sides are servers (`--serve`): after their warm-up they print {"ready": true}; for each line with a number of
seconds they train for that long and print one JSON line. `./dev bench --peer` starts this with the right paths.
"""
import argparse
import collections
import itertools
import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time

QUICK = ["mlp", "tiny-mlp", "cnn"]  # some minutes
ALL = QUICK + ["resnet18-cifar", "resnet50", "gpt-mini", "lstm"]  # half an hour
CONV_NETS = {"cnn", "resnet18-cifar", "resnet50", "resnet50-gpu"}
SMALL = {"mlp", "tiny-mlp"}  # the peer may be faster on one thread
READY_SECONDS = 900


class ServerFailed(Exception):
    """A server that ended, stayed silent or answered with something else than JSON."""


class Server:
    """One side's process: asked for a window, answers with its JSON line."""

    def __init__(self, name, command, threads):
        self.name = name
        self.command = command
        count = str(threads)
        env = dict(os.environ, OMP_NUM_THREADS=count, OPENBLAS_NUM_THREADS=count, MKL_NUM_THREADS=count)
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=env)
        self.lines = queue.Queue()
        self.errors = collections.deque(maxlen=20)
        self.readers = [threading.Thread(target=self._read, daemon=True),
                        threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _read_errors(self):
        self.errors.extend(self.process.stderr)

    def answer(self, seconds):
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise ServerFailed(f"{self.name} gave no answer in {seconds:.0f} s") from None
        if line is None:
            self.readers[1].join(timeout=5)
            status = self.process.wait()
            raise ServerFailed(f"{self.name} ended with status {status}: {' '.join(self.command)}\n"
                               + "".join(self.errors))
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise ServerFailed(f"{self.name} answered with {line.strip()!r}, not with a JSON object")
        return answer

    def wait_ready(self):
        answer = self.answer(READY_SECONDS)
        if answer.get("ready") is not True:
            raise ServerFailed(f"{self.name} did not report ready but {answer}")
        return self

    def window(self, seconds):
        try:
            self.process.stdin.write(f"{seconds}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the missing answer tells more
        answer = self.answer(60 + 20 * seconds)
        if not isinstance(answer.get("per_second"), (int, float)) or not answer["per_second"] > 0:
            raise ServerFailed(f"{self.name} gave no positive per_second: {answer}")
        return answer

    def close(self):
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is self.process.stdin:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
                try:
                    self.process.wait(timeout=30)
                except subprocess.TimeoutExpired:
                    self.process.kill()
                    self.process.wait()
                for reader in self.readers:
                    reader.join(timeout=5)
            else:
                stream.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def peer_settings(workload, threads):
    """All settings the peer is tried with: optimizer, memory layout, threads."""
    layouts = [[], ["--channels-last"]] if workload in CONV_NETS else [[]]
    counts = [threads, 1] if workload in SMALL and threads > 1 else [threads]
    for optim, layout, count in itertools.product(["loop", "foreach", "fused"], layouts, counts):
        yield count, ["--optim", optim] + layout


def start_tenon(args, workload):
    command = [args.tenon, "bench", "--workload", workload, "--threads", str(args.threads), "--serve"]
    return Server("tenon", command, args.threads)


def start_peer(args, workload, setting):
    threads, options = setting
    command = [args.python, args.peer_script, "--workload", workload, "--threads", str(threads), "--serve"]
    return Server("peer", command + options, threads)


def best_peer(args, workload, settings):
    """The fastest of the peer's settings, by the better of two short windows each."""
    speeds = {}
    for number, setting in enumerate(settings):
        said = f"{workload}: peer {setting[0]} threads, {' '.join(setting[1])}"
        try:
            with start_peer(args, workload, setting) as server:
                server.wait_ready()
                speeds[number] = max(server.window(args.seconds / 2)["per_second"] for _ in range(2))
        except ServerFailed:
            if "fused" not in setting[1]:
                raise
            progress(args, f"{said}: none")  # older ones have no fused optimizers on the CPU
        else:
            progress(args, f"{said}: {speeds[number]:.5g}/s")
    return settings[max(speeds, key=speeds.get)]


def side(windows):
    """What one side did: its windows as median and spread, its losses, its system and settings."""
    speeds = [w["per_second"] for w in windows]
    last = windows[-1]
    fields = ("system", "threads", "optim", "channels_last", "parameters", "loss_step_1", "loss_step_20", "peak_bytes",
              "reorders", "roof")
    result = {"median": statistics.median(speeds), "min": min(speeds), "max": max(speeds), "per_second": speeds}
    result.update({name: last[name] for name in fields if name in last})
    result.update({name: [w[name] for w in windows] for name in ("roofline", "probe_per_second") if name in last})
    return result


def measure(args, workload, settings):
    """Both sides in turn, the peer at the best of the settings."""
    setting = best_peer(args, workload, settings)
    with start_tenon(args, workload) as tenon:
        tenon.wait_ready()
        with start_peer(args, workload, setting) as peer:
            peer.wait_ready()
            windows = {"tenon": [], "peer": []}
            for number in range(args.windows):
                # Who goes first changes, so that neither always follows the other's heat.
                turn = [("tenon", tenon), ("peer", peer)]
                for name, server in turn if number % 2 == 0 else reversed(turn):
                    time.sleep(args.pause)
                    windows[name].append(server.window(args.seconds))
                progress(args, f"{workload}: window {number + 1} of {args.windows}")
    result = {"workload": workload, "threads": args.threads, "windows": args.windows, "seconds": args.seconds,
              "tenon": side(windows["tenon"]), "peer": side(windows["peer"])}
    result["ratio"] = result["tenon"]["median"] / result["peer"]["median"]
    return result


def progress(args, text):
    if not args.quiet:
        print(text, file=sys.stderr, flush=True)


def aligned(rows):
    """Rows of text, columns aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def settings_text(s):
    layout = ", channels last" if s.get("channels_last") else ""
    optim = f", optim {s['optim']}" if "optim" in s else ""
    return f"{s.get('system', '?')}, {s.get('threads', '?')} threads{optim}{layout}"


def table(results):
    def speed(s):
        return f"{s['median']:.5g} [{s['min']:.5g}..{s['max']:.5g}]"

    def losses(s):
        if "loss_step_1" not in s or "loss_step_20" not in s:
            return "not given"
        return f"{s['loss_step_1']:.4f} -> {s['loss_step_20']:.4f}"

    rows = [["workload", "Tenon /s", "peer /s", "ratio", "Tenon loss 1 -> 20", "peer loss 1 -> 20", "peer's best"]]
    for r in results:
        rows.append([r["workload"], speed(r["tenon"]), speed(r["peer"]), f"{r['ratio']:.2f}", losses(r["tenon"]),
                     losses(r["peer"]), settings_text(r["peer"])])
    text = aligned(rows)
    if len(results) > 1:
        text += f"\ngeometric mean of the ratios: {statistics.geometric_mean(r['ratio'] for r in results):.2f}"
    return text


def add_options(p, workloads, seconds):
    """The options of every interleaved measure, with these defaults."""
    p.add_argument("--tenon", required=True, help="path of tenon-cli (set by ./dev)")
    p.add_argument("--python", default="/usr/bin/python3", help="interpreter that has torch")
    p.add_argument("--workload", default=workloads, help="names, comma between, or 'all'; default %(default)s")
    p.add_argument("--threads", type=int, default=os.cpu_count(), help="of both sides; default: all cores")
    p.add_argument("--seconds", type=float, default=seconds, help="length of a window; default %(default)s")
    p.add_argument("--windows", type=int, default=7, help="windows of each side, at least 7; default %(default)s")
    p.add_argument("--pause", type=float, default=0.1, help="seconds of rest before a window; default %(default)s")
    p.add_argument("--json", action="store_true", help="one JSON object a line instead of the table")
    p.add_argument("--quiet", action="store_true", help="no progress on standard error")


def checked(p, args):
    if args.windows < 7:
        p.error("--windows must be at least 7: a median of fewer says too little")
    if args.threads < 1 or not args.seconds > 0:
        p.error("--threads and --seconds must be positive")
    return args


def parse(argv):
    p = argparse.ArgumentParser(prog="./dev bench --peer", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)  # how ./dev knows to come here
    p.add_argument("--peer-script", required=True, help="path of peer_torch.py (set by ./dev)")
    add_options(p, workloads=",".join(QUICK), seconds=2.0)
    return checked(p, p.parse_args(argv))


def report(args, results_of, table_of):
    """Prints each result as it comes, as JSON, or all as a table at the end; the exit status."""
    results = []
    try:
        for result in results_of():
            results.append(result)
            if args.json:
                print(json.dumps(result), flush=True)
    except (ServerFailed, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    finally:
        if results and not args.json:
            print(table_of(results))
    return 0


def main(argv=None):
    args = parse(argv)
    names = ALL if args.workload == "all" else args.workload.split(",")
    return report(args, lambda: (measure(args, name, list(peer_settings(name, args.threads))) for name in names), table)


if __name__ == "__main__":
    sys.exit(main())
