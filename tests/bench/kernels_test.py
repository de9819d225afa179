#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of kernels.py against servers that answer with fixed speeds; needs no torch and no build."""
import contextlib
import io
import json
import os
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernels  # noqa: E402

# Both sides: Tenon's lines carry a probe, the peer's speed follows from its settings.
SERVER = '''#!{python}
import json, sys
a = sys.argv[1:]
if "--list" in a:
    print("matmul-1024\\nconv3x3-forward-64x56\\nsoftmax\\nadamw-33m")
    sys.exit()
name = a[a.index("--workload") + 1]
print(json.dumps({{"ready": True}}), flush=True)
n = 0
for line in sys.stdin:
    n += 1
    if a[0] == "bench":
        print(json.dumps({{"system": "tenon", "per_second": 200.0, "roof": "memory" if name == "softmax" else "arithmetic",
                          "probe_per_second": 1e9 * n, "roofline": 0.8 + 0.01 * n}}), flush=True)
    else:
        speed = 100.0
        if "--channels-last" in a: speed = 160.0
        if "foreach" in a: speed = 90.0
        print(json.dumps({{"system": "torch", "threads": 2, "per_second": speed,
                          "optim": a[a.index("--optim") + 1] if "--optim" in a else "foreach",
                          "channels_last": "--channels-last" in a}}), flush=True)
'''


class Kernels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = os.path.join(folder.name, "server.py")
        with open(self.server, "w", encoding="utf-8") as out:
            out.write(SERVER.format(python=sys.executable))
        os.chmod(self.server, stat.S_IRWXU)

    def run_it(self, *options):
        out, err = io.StringIO(), io.StringIO()
        argv = ["--tenon", self.server, "--peer-script", self.server, "--python", sys.executable, "--pause", "0",
                "--threads", "2", "--quiet", *options]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = kernels.main(argv)
            except SystemExit as end:
                status = end.code
        return status, out.getvalue(), err.getvalue()

    def result(self, name):
        status, out, err = self.run_it("--json", "--workload", name)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)

    def test_ratio_and_share_of_the_roof(self):
        result = self.result("matmul-1024")
        self.assertEqual(result["ratio"], 2.0)
        self.assertEqual(result["roof"], "arithmetic")
        self.assertEqual(result["probe_per_second"], 4e9)  # the median of seven windows
        self.assertAlmostEqual(result["roofline"]["median"], 0.84)
        self.assertAlmostEqual(result["roofline"]["min"], 0.81)
        self.assertAlmostEqual(result["roofline"]["max"], 0.87)
        self.assertEqual(result["goal"], {"ratio": 1.2, "roofline": 0.85})
        self.assertFalse(result["met"])  # 0.84 of the roof
        self.assertEqual(len(result["tenon"]["per_second"]), 7)

    def test_the_peers_best_layout_and_loop_count(self):
        conv = self.result("conv3x3-forward-64x56")
        self.assertTrue(conv["peer"]["channels_last"])
        self.assertEqual((conv["ratio"], conv["met"]), (1.25, False))
        adam = self.result("adamw-33m")
        self.assertIn(adam["peer"]["optim"], ("loop", "fused"))
        self.assertEqual((adam["ratio"], adam["met"]), (2.0, True))
        self.assertEqual(kernels.peer_settings("softmax", 2), [(2, [])])
        self.assertEqual(len(kernels.peer_settings("batch-norm", 2)), 2)

    def test_each_kernel_has_its_goal(self):
        self.assertEqual(kernels.goal_of("matmul-256"), (1.2, None))
        self.assertEqual(kernels.goal_of("conv3x3-backward-data-64x56"), (1.5, None))
        self.assertEqual(kernels.goal_of("gelu"), (1.7, 0.8))
        self.assertEqual(kernels.goal_of("adamw-33m"), (2.0, None))

    def test_all_are_those_that_the_peer_lists(self):
        status, out, _ = self.run_it()
        lines = out.splitlines()
        self.assertEqual((status, len(lines)), (0, 5))
        self.assertEqual([line.split()[0] for line in lines[1:]],
                         ["matmul-1024", "conv3x3-forward-64x56", "softmax", "adamw-33m"])
        self.assertIn("0.84 [0.81..0.87]", lines[3])
        self.assertIn("GB/s", lines[3])
        self.assertIn("GFLOP/s", lines[1])

    def test_refuses_what_it_does_not_know(self):
        status, out, err = self.run_it("--workload", "fft")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("unknown kernel 'fft': known are matmul-1024", err)
        self.assertEqual(self.run_it("--windows", "3")[0], 2)


if __name__ == "__main__":
    unittest.main()
