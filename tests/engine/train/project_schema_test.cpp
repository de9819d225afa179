// SPDX-License-Identifier: Apache-2.0
// resources/schemas/project.schema.json holds the parameters of all definitions of this version,
// and the program takes and refuses the same projects as a validator with it
// (tests/schemas/validate_test.py).
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/base/file.h"
#include "engine/project/part_schema.h"
#include "engine/project/project_file.h"
#include "engine/train/engine_catalog.h"

namespace tenon {
namespace {

const char* kSchemaFile = TENON_SOURCE_DIR "/resources/schemas/project.schema.json";

std::string textOf(const std::string& path) { return readFile(path, 1 << 24); }

TEST(ProjectSchema, HasTheParametersOfAllDefinitions) {
  const std::string text = textOf(kSchemaFile);
  const std::string wanted = writeJson(withPartSchemas(parseJson(text), engineCatalog()));
  if (std::getenv("TENON_WRITE_SCHEMA") != nullptr) writeFileAtomically(kSchemaFile, wanted);
  EXPECT_TRUE(text == wanted)
      << "a definition has changed: TENON_WRITE_SCHEMA=1 build/release/bin/test_train "
         "--gtest_filter=ProjectSchema.* writes the file anew";
}

Json* memberAt(Json& root, const JsonArray& path, size_t length) {
  Json* at = &root;
  for (size_t i = 0; i < length; ++i)
    at = path[i].isInt() ? &at->items().at(static_cast<size_t>(path[i].asInt()))
                         : at->find(path[i].asString());
  return at;
}

Json changed(Json project, const Json& change) {
  const JsonArray& path = change.find("path")->items();
  Json& owner = *memberAt(project, path, path.size() - 1);
  const Json* value = change.find("set");
  if (path.back().isInt())
    owner.items().at(static_cast<size_t>(path.back().asInt())) = *value;
  else if (value != nullptr)
    owner.set(path.back().asString(), *value);
  else
    owner.erase(path.back().asString());
  return project;
}

bool programTakes(const Json& project) {
  try {
    ReadResult read = readProjectText(writeJson(project), "case");
    return read.ok() && !hasErrors(checkParts(read.project, engineCatalog()));
  } catch (const Error&) {
    return false;
  }
}

TEST(ProjectSchema, TheProgramAgreesWithTheCases) {
  const Json sample = parseJson(textOf(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon"));
  const Json cases = parseJson(textOf(TENON_SOURCE_DIR "/tests/cases/project_schema.json"));
  ASSERT_GT(cases.find("cases")->items().size(), 30U);
  for (const Json& each : cases.find("cases")->items())
    EXPECT_EQ(programTakes(changed(sample, each)), each.find("valid")->asBool())
        << each.find("name")->asString();
}

}  // namespace
}  // namespace tenon
