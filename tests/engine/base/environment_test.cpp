// SPDX-License-Identifier: Apache-2.0
// Variables of the environment: what they take and refuse, and that docs/cli.md tells each that the
// source names.
#include "engine/base/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tenon {
namespace {

constexpr const char* kName = "TENON_TEST_VARIABLE";

/// The variable for the life of a test.
class Environment : public ::testing::Test {
 protected:
  void TearDown() override { unsetenv(kName); }
  static void set(const char* text) { setenv(kName, text, 1); }
  /// What the variable says to `text`; empty: it takes it.
  static std::string refusalOf(const EnvironmentVariable& variable, const char* text) {
    set(text);
    try {
      variable.check();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Usage);
      return error.what();
    }
    return {};
  }
};

TEST_F(Environment, BytesTakeUnits) {
  const BytesVariable variable(kName);
  EXPECT_FALSE(variable.value());
  set("");
  EXPECT_FALSE(variable.value()) << "set to nothing is not set";
  const std::pair<const char*, uint64_t> good[] = {{"1", 1},
                                                   {"1000000", 1000000},
                                                   {"3K", 3 << 10},
                                                   {"3KiB", 3 << 10},
                                                   {"5M", 5 << 20},
                                                   {"5MiB", 5 << 20},
                                                   {"1G", uint64_t{1} << 30},
                                                   {"64GiB", uint64_t{64} << 30},
                                                   {"9223372036854775807", INT64_MAX},
                                                   {"8589934591G", uint64_t{8589934591} << 30}};
  for (const auto& [text, bytes] : good) {
    set(text);
    EXPECT_EQ(variable.value(), bytes) << text;
  }
}

TEST_F(Environment, BytesRefuseTheRest) {
  const BytesVariable variable(kName);
  for (const char* text : {"banana", "1 G", "1g", "1.5G", "-1", "+1", "0", "0G", "G", "1GB", "1TB",
                           "0x10", " 1", "1 ", "99999999999999999999", "8589934592G", "1GiBs"})
    EXPECT_EQ(refusalOf(variable, text),
              std::string("environment variable TENON_TEST_VARIABLE wants a number of bytes above "
                          "0, alone or with K, KiB, M, MiB, G or GiB behind it (512M), got '") +
                  text + "'");
}

TEST_F(Environment, FlagsAreOneOrZero) {
  const FlagVariable variable(kName);
  EXPECT_FALSE(variable.value());
  set("1");
  EXPECT_TRUE(variable.value());
  set("0");
  EXPECT_FALSE(variable.value());
  for (const char* text : {"yes", "true", "2", "01"})
    EXPECT_EQ(
        refusalOf(variable, text),
        std::string("environment variable TENON_TEST_VARIABLE wants 1 or 0, got '") + text + "'");
}

TEST_F(Environment, FoldersAreFolders) {
  const FolderVariable there(kName, FolderVariable::Must::Exist);
  const FolderVariable made(kName, FolderVariable::Must::BeMakeable);
  EXPECT_EQ(refusalOf(there, TENON_SOURCE_DIR), "");
  EXPECT_EQ(there.value(), TENON_SOURCE_DIR);
  EXPECT_EQ(refusalOf(made, "/nowhere/yet"), "");
  EXPECT_EQ(refusalOf(there, "/nowhere/yet"),
            "environment variable TENON_TEST_VARIABLE wants a folder that is there, got "
            "'/nowhere/yet'");
  EXPECT_NE(refusalOf(made, "/etc/passwd"), "");
  EXPECT_NE(refusalOf(there, "/etc/passwd"), "");
  EXPECT_NE(refusalOf(made, "/etc/passwd/below"), "");
}

TEST_F(Environment, OneBadVariableRefusesTheStart) {
  EXPECT_NO_THROW(refuseBadEnvironment());
  const FlagVariable variable(kName);
  set("maybe");
  EXPECT_THROW(refuseBadEnvironment(), Error);
  set("1");
  EXPECT_NO_THROW(refuseBadEnvironment());
  setenv("TENON_FAULTS", "write:often:ENOSPC", 1);
  try {
    refuseBadEnvironment();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("environment variable TENON_FAULTS: "), 0U)
        << error.what();
  }
  unsetenv("TENON_FAULTS");
}

/// The programs' source files: path and text.
std::map<std::string, std::string> sources() {
  std::map<std::string, std::string> texts;
  for (const char* room : {"engine", "ui", "app"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(TENON_SOURCE_DIR "/") + room)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h") continue;
      texts[entry.path()] = readFile(entry.path(), 1 << 22);
    }
  return texts;
}

/// Names of variables between quotes in them: `"TENON_CPU"`.
std::set<std::string> namesInSource() {
  std::set<std::string> names;
  const std::regex quoted("\"(TENON_[A-Z_]+)\"");
  for (const auto& [path, text] : sources())
    for (std::sregex_iterator it(text.begin(), text.end(), quoted), end; it != end; ++it)
      names.insert((*it)[1]);
  return names;
}

/// What a text reads of the environment by itself, as it is written there: `"HOME"`, `kName`.
std::vector<std::string> readsOf(const std::string& text) {
  std::vector<std::string> reads;
  const std::regex call(
      "\\b(?:secure_|q)?(?:getenv|EnvironmentVariable\\w*)\\b\\s*(?:\\(([^)]*)\\))?");
  for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it)
    if ((*it)[0].str().find("etenv") != std::string::npos || (*it)[0].str()[0] == 'q')
      reads.push_back((*it)[1]);
  return reads;
}

TEST_F(Environment, ReadsAreFoundHoweverTheyAreWritten) {
  const std::vector<std::string> reads = readsOf(
      "std::getenv(\"TENON_A\"); getenv (kName); secure_getenv(k); qgetenv(\"B\"); "
      "qEnvironmentVariable(c); qEnvironmentVariableIsSet(d); auto f = &std::getenv;"
      "setenv(\"E\", \"\", 1); class EnvironmentVariable;");
  EXPECT_EQ(reads, (std::vector<std::string>{"\"TENON_A\"", "kName", "k", "\"B\"", "c", "d", ""}));
}

/// What reads a variable by itself refuses nothing. Allowed are those of the system, which are not
/// ours to judge.
TEST_F(Environment, NobodyElseReadsAVariable) {
  const std::map<std::string, const char*> ofTheSystem = {
      {"\"HOME\"", "where the user's folders are"},
      {"\"XDG_CACHE_HOME\"", "where the user wants caches"}};
  for (const auto& [path, text] : sources()) {
    if (path.find("/engine/base/environment.") != std::string::npos) continue;
    for (const std::string& read : readsOf(text))
      EXPECT_TRUE(ofTheSystem.contains(read)) << path << " reads " << read;
  }
}

TEST_F(Environment, TheFileOfStagesNeedsItsFolder) {
  const auto refusal = [](const std::string& path) -> std::string {
    setenv("TENON_STAGE_FILE", path.c_str(), 1);
    try {
      refuseBadEnvironment();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Usage);
      return error.what();
    }
    return {};
  };
  const std::string folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(refusal(folder + "/tenon-no-such-stage"), "");
  EXPECT_FALSE(std::filesystem::exists(folder + "/tenon-no-such-stage")) << "a check makes none";
  EXPECT_EQ(refusal("stage"), "");
  for (const std::string& path : {std::string("/nowhere/stage"), folder})
    EXPECT_EQ(refusal(path),
              "environment variable TENON_STAGE_FILE: wants a file in a folder that is there, got "
              "'" +
                  path + "'");
  const std::string text = refusal("/proc/tenon-stage");
  EXPECT_EQ(text.find("environment variable TENON_STAGE_FILE: wants a file in a folder that is "
                      "there, got '/proc/tenon-stage': "),
            0U)
      << text;
  EXPECT_NE(text.find("No such file or directory"), std::string::npos) << text;
  EXPECT_NE(refusal("/dev/null"), "") << "what cannot be mapped";
  unsetenv("TENON_STAGE_FILE");
}

TEST_F(Environment, TheDocumentTellsEveryVariable) {
  const std::string document = readFile(TENON_SOURCE_DIR "/docs/cli.md", 1 << 20);
  std::set<std::string> names = namesInSource();
  EXPECT_TRUE(names.contains("TENON_CPU") && names.contains("TENON_PROJECTS"));
  for (const EnvironmentVariable* variable : environmentVariables()) {
    EXPECT_TRUE(names.contains(variable->name())) << variable->name();
    names.insert(variable->name());
  }
  for (const std::string& name : names)
    EXPECT_NE(document.find("| `" + name + "` |"), std::string::npos) << name;
}

}  // namespace
}  // namespace tenon
