#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of start.py against a program that says its first step after a known time; needs no build."""
import contextlib
import io
import json
import os
import pathlib
import stat
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import start  # noqa: E402

# Stands in for tenon-cli: what it is started with goes to a log, and the first step is said as the real one says it.
PROGRAM = '''#!{python}
import json, os, sys, time
a = sys.argv[1:]
cache = os.environ.get("TENON_CACHE", "")
with open({log!r}, "a") as log:
    log.write(json.dumps([a, cache, os.path.exists(cache)]) + "\\n")
if cache:
    os.makedirs(cache, exist_ok=True)
mode = open({mode!r}).read()
if mode == "silent":
    print("no data there", file=sys.stderr)
    sys.exit(1)
held = bytearray(32 << 20 if mode == "large" else 1)
for i in range(0, len(held), 4096):
    held[i] = 1
if a[0] == "bench":
    print(json.dumps({{"ready": True}}), flush=True)
else:
    time.sleep(0.05)
    print(json.dumps({{"event": "step", "run": 1, "step": 1, "loss": 2.0}}), flush=True)
    print(json.dumps({{"event": "step", "run": 1, "step": 10, "loss": 1.0}}), flush=True)
time.sleep(60)
'''


class Start(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM.format(python=sys.executable, log=str(self.folder / "log"),
                                               mode=str(self.folder / "mode")), encoding="utf-8")
        self.program.chmod(stat.S_IRWXU)
        (self.folder / "mode").write_text("small", encoding="utf-8")
        self.sample = self.folder / "sample"
        self.sample.mkdir()
        (self.sample / "project.tenon").write_text("the sample", encoding="utf-8")

    def run_it(self, *options):
        out, err = io.StringIO(), io.StringIO()
        argv = ["--tenon", str(self.program), "--project", str(self.sample), "--starts", "7", *options]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = start.main(argv)
            except SystemExit as end:
                status = end.code
        return status, out.getvalue(), err.getvalue()

    def log(self):
        return [json.loads(line) for line in (self.folder / "log").read_text(encoding="utf-8").splitlines()]

    def test_takes_the_time_to_the_line_of_step_1(self):
        status, out, err = self.run_it("--json", "--cases", "tiny-mlp,tiny-mlp bench")
        self.assertEqual((status, err), (0, ""))
        project, bench = (json.loads(line) for line in out.splitlines())
        self.assertEqual((project["case"], project["starts"]), ("tiny-mlp", 7))
        self.assertGreater(project["ms"]["min"], 50)  # it sleeps that long
        self.assertGreaterEqual(project["ms"]["median"], project["ms"]["min"])
        self.assertGreaterEqual(project["ms"]["max"], project["ms"]["median"])
        self.assertLess(project["ms"]["max"], 50000)  # it is ended, not waited for
        commands = [entry[0] for entry in self.log()]
        self.assertEqual(len(commands), 2 * 8)  # one more of each that does not count
        self.assertEqual([c[0] for c in commands], ["train", "bench"] * 8)
        self.assertEqual(commands[1][:4], ["bench", "--serve", "--workload", "tiny-mlp"])

    def test_resident_memory_is_what_the_program_holds(self):
        self.run_it("--cases", "tiny-mlp bench")
        result = json.loads(self.run_it("--json", "--cases", "tiny-mlp bench")[1])
        small = result["mb"]["median"]
        self.assertGreater(result["mb_with_files"]["median"], small)  # the interpreter itself
        (self.folder / "mode").write_text("large", encoding="utf-8")
        large = json.loads(self.run_it("--json", "--cases", "tiny-mlp bench")[1])["mb"]["median"]
        self.assertAlmostEqual(large - small, (32 << 20) * 1e-6, delta=3)

    def test_the_sample_starts_with_and_without_decoded_files(self):
        status, _, err = self.run_it("--cases", "sample cold,sample decoded")
        self.assertEqual((status, err), (0, ""))
        for number, (command, cache, there) in enumerate(self.log()):
            project = pathlib.Path(command[1])
            self.assertNotEqual(project, self.sample)
            self.assertEqual(command[2], "--json")
            cold = number % 2 == 0
            self.assertEqual(there, not cold and number > 1, number)  # the first fills it
            self.assertEqual(project in pathlib.Path(cache).parents, cold)

    def test_prints_a_table(self):
        status, out, _ = self.run_it("--cases", "sample cold")
        lines = out.splitlines()
        self.assertEqual((status, len(lines)), (0, 2))
        self.assertIn("<= 700", lines[1])
        self.assertTrue(lines[1].endswith("met"))

    def test_a_goal_that_is_passed_is_missed(self):
        starts = [(151.0, 10.0, 30.0)] * 7
        self.assertFalse(start.result_of("tiny-mlp", starts)["met"])
        self.assertTrue(start.result_of("tiny-mlp", [(150.0, 60.0, 90.0)] * 7)["met"])
        self.assertFalse(start.result_of("tiny-mlp", [(150.0, 61.0, 61.0)] * 7)["met"])
        self.assertTrue(start.result_of("sample cold", [(700.0, 500.0, 600.0)] * 7)["met"])

    def test_refuses_what_makes_no_sense(self):
        self.assertEqual(self.run_it("--starts", "6")[0], 2)
        status, _, err = self.run_it("--cases", "warm")
        self.assertEqual(status, 2)
        self.assertIn("'warm': known are tiny-mlp", err)

    def test_a_program_that_ends_early_is_told_with_its_words(self):
        (self.folder / "mode").write_text("silent", encoding="utf-8")
        status, out, err = self.run_it("--cases", "tiny-mlp")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("ended without a first step: no data there", err)

    def test_the_tiny_project_is_whole(self):
        start.write_tiny_project(self.folder / "tiny")
        images = (self.folder / "tiny" / "images.idx").read_bytes()
        self.assertEqual(struct.unpack(">4I", images[:16]), (0x00000803, start.SAMPLES, 4, 4))
        self.assertEqual(len(images), 16 + 16 * start.SAMPLES)
        labels = (self.folder / "tiny" / "labels.idx").read_bytes()
        self.assertEqual(set(labels[8:]), {0, 1})
        project = json.loads((self.folder / "tiny" / "project.tenon").read_text(encoding="utf-8"))
        self.assertEqual([n["out_features"] for n in project["graph"]["nodes"] if n["type"] == "linear"], [32, 32, 2])
        self.assertEqual(len(project["graph"]["edges"]), len(project["graph"]["nodes"]) - 1)


if __name__ == "__main__":
    unittest.main()
