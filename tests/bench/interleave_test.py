#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of interleave.py against servers that answer with fixed speeds; needs no torch and no build."""
import contextlib
import io
import json
import os
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import interleave  # noqa: E402

# A stand-in for both sides: its speed follows from its arguments, every window is written to a log.
SERVER = '''#!{python}
import json, os, sys
a = sys.argv[1:]
peer = a[0] != "bench"
name = a[a.index("--workload") + 1]
if name == "refused":
    print("no workload 'refused'", file=sys.stderr)
    sys.exit(2)
print("not json" if name == "garbled" else json.dumps({{"ready": name != "unready"}}), flush=True)
speed = 100.0 if not peer else 10.0
if "foreach" in a: speed *= 2
if "fused" in a and name != "fast-fused":
    print("no fused optimizer", file=sys.stderr)
    sys.exit(1)
if "fused" in a: speed *= 8
if "--channels-last" in a: speed *= 2
threads = int(a[a.index("--threads") + 1])
assert os.environ["OMP_NUM_THREADS"] == os.environ["OPENBLAS_NUM_THREADS"] == str(threads)
n = 0
for line in sys.stdin:
    n += 1
    with open({log!r}, "a") as log:
        log.write(("peer" if peer else "tenon") + " " + line)
    print(json.dumps({{"system": "fake", "threads": threads, "per_second": 0 if name == "stuck" else speed + n % 3,
                      "loss_step_1": 2.3, "loss_step_20": 1.5, "channels_last": "--channels-last" in a,
                      "optim": a[a.index("--optim") + 1] if peer else "fused"}}), flush=True)
'''


class Interleave(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "log")
        self.server = os.path.join(folder.name, "server.py")
        with open(self.server, "w", encoding="utf-8") as out:
            out.write(SERVER.format(python=sys.executable, log=self.log))
        os.chmod(self.server, stat.S_IRWXU)

    def run_it(self, *options):
        out, err = io.StringIO(), io.StringIO()
        argv = ["--tenon", self.server, "--peer-script", self.server, "--python", sys.executable, "--pause", "0",
                "--seconds", "0.5", "--threads", "2", "--quiet", *options]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = interleave.main(argv)
            except SystemExit as end:
                status = end.code
        return status, out.getvalue(), err.getvalue()

    def windows(self):
        with open(self.log, encoding="utf-8") as log:
            return [line.split() for line in log]

    def test_takes_turns_and_keeps_the_peers_best_setting(self):
        status, out, err = self.run_it("--workload", "cnn", "--json")
        self.assertEqual((status, err), (0, ""))
        result = json.loads(out)
        self.assertEqual(result["tenon"]["per_second"], [101.0, 102.0, 100.0, 101.0, 102.0, 100.0, 101.0])
        self.assertEqual(result["tenon"]["median"], 101.0)
        self.assertEqual((result["tenon"]["min"], result["tenon"]["max"]), (100.0, 102.0))
        self.assertEqual(result["peer"]["median"], 41.0)
        self.assertTrue(result["peer"]["channels_last"])
        self.assertEqual(result["peer"]["optim"], "foreach")
        self.assertEqual(result["ratio"], 101.0 / 41.0)
        self.assertEqual((result["peer"]["loss_step_1"], result["peer"]["loss_step_20"]), (2.3, 1.5))
        log = self.windows()
        self.assertEqual([w for w in log[:8]], [["peer", "0.25"]] * 8)  # 4 settings, 2 short windows each
        self.assertEqual([w[0] for w in log[8:]], ["tenon", "peer", "peer", "tenon"] * 3 + ["tenon", "peer"])
        self.assertEqual({w[1] for w in log[8:]}, {"0.5"})

    def test_small_nets_also_try_one_thread_but_no_layout(self):
        settings = list(interleave.peer_settings("tiny-mlp", 2))
        self.assertEqual(settings, [(2, ["--optim", "loop"]), (1, ["--optim", "loop"]),
                                    (2, ["--optim", "foreach"]), (1, ["--optim", "foreach"]),
                                    (2, ["--optim", "fused"]), (1, ["--optim", "fused"])])
        self.assertEqual(len(list(interleave.peer_settings("gpt-mini", 2))), 3)
        self.assertEqual(len(list(interleave.peer_settings("mlp", 1))), 3)

    def test_a_peer_with_fused_optimizers_is_measured_with_them(self):
        status, out, _ = self.run_it("--workload", "fast-fused", "--json")
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(out)["peer"]["optim"], "fused")
        self.assertEqual(json.loads(out)["peer"]["median"], 81.0)

    def test_all_are_the_networks_of_the_peer(self):
        status, out, _ = self.run_it("--workload", "all", "--json")
        self.assertEqual(status, 0)
        self.assertEqual([json.loads(line)["workload"] for line in out.splitlines()],
                         ["mlp", "tiny-mlp", "cnn", "resnet18-cifar", "resnet50", "gpt-mini", "lstm"])

    def test_prints_a_table(self):
        status, out, _ = self.run_it("--workload", "mlp,lstm")
        self.assertEqual(status, 0)
        lines = out.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[0].split()[0], "workload")
        self.assertIn("101 [100..102]", lines[1])
        self.assertIn("2.3000 -> 1.5000", lines[2])
        # 101 / 21, as the peer's foreach runs at 20 and 101 / 21 again.
        self.assertEqual(lines[3], f"geometric mean of the ratios: {101 / 21:.2f}")

    def test_refuses_what_makes_no_sense(self):
        self.assertEqual(self.run_it("--windows", "3")[0], 2)
        self.assertEqual(self.run_it("--threads", "0")[0], 2)
        self.assertEqual(self.run_it("--seconds", "0")[0], 2)

    def test_a_server_that_fails_is_named_with_its_words(self):
        for name, words in [("refused", "no workload 'refused'"), ("garbled", "not json"), ("unready", "ready"),
                            ("stuck", "no positive per_second")]:
            status, out, err = self.run_it("--workload", name)
            self.assertEqual((status, out), (1, ""), name)
            self.assertIn("bench: peer", err)
            self.assertIn(words, err)

    def test_a_missing_program_is_an_error(self):
        status, _, err = self.run_it("--workload", "mlp", "--python", "/nowhere/python3")
        self.assertEqual(status, 1)
        self.assertIn("/nowhere/python3", err)


if __name__ == "__main__":
    unittest.main()
