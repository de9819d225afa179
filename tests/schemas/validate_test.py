#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON schema of project files under a validator that is not ours (python3-jsonschema).

Takes every project under projects/ and refuses what tests/cases/project_schema.json calls wrong, at the place
that was changed. tests/engine/train/project_schema_test.cpp puts the same cases to the program's own check.
"""
import copy
import json
import pathlib
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read(*parts):
    return json.loads(ROOT.joinpath(*parts).read_text(encoding="utf-8"))


SCHEMA = read("resources", "schemas", "project.schema.json")
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def changed(project, case):
    project = copy.deepcopy(project)
    at = project
    for key in case["path"][:-1]:
        at = at[key]
    if "set" in case:
        at[case["path"][-1]] = case["set"]
    else:
        del at[case["path"][-1]]
    return project


def deepest(errors):
    """Places of all errors, those inside alternatives too."""
    for error in errors:
        yield list(error.absolute_path)
        yield from deepest(error.context)


class ProjectSchema(unittest.TestCase):
    def test_the_schema_itself_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_every_shipped_project_is_valid(self):
        projects = sorted(ROOT.glob("projects/*/project.tenon"))
        self.assertTrue(projects)
        for path in projects:
            errors = [error.message for error in VALIDATOR.iter_errors(json.loads(path.read_text(encoding="utf-8")))]
            self.assertEqual(errors, [], path)

    def test_cases(self):
        sample = read("projects", "fashion-mnist", "project.tenon")
        cases = read("tests", "cases", "project_schema.json")["cases"]
        self.assertGreater(sum(not case["valid"] for case in cases), 20)
        for case in cases:
            with self.subTest(case["name"]):
                errors = list(VALIDATOR.iter_errors(changed(sample, case)))
                self.assertEqual(not errors, case["valid"], [error.message for error in errors])
                if case["valid"]:
                    continue
                # At the member that was changed or inside of it, or at what it belongs to where a member is missing or
                # unknown.
                at = case["path"]
                places = [path for path in deepest(errors) if path[: len(at)] == at or path == at[:-1]]
                self.assertTrue(places, [error.message for error in errors])

    def test_unknown_members_of_sections_are_kept(self):
        # The program keeps what a later version wrote and warns; a validator takes it.
        sample = read("projects", "fashion-mnist", "project.tenon")
        sample["train"]["later"] = {"a": 1}
        self.assertEqual(list(VALIDATOR.iter_errors(sample)), [])


if __name__ == "__main__":
    unittest.main()
