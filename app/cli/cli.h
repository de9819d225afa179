// SPDX-License-Identifier: Apache-2.0
// What the subcommands of tenon-cli share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/project/project_file.h"
#include "engine/store/store.h"

namespace CLI {
class App;
}

namespace tenon::cli {

/// Exit codes; documented in docs/cli.md.
inline constexpr int kOk = 0;
inline constexpr int kInternal = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInput = 3;
inline constexpr int kDevice = 4;
inline constexpr int kStopped = 130;

/// As many threads as a project may name too.
inline constexpr int kMostThreads = 4096;

/// The exit code that stands for an error.
int exitCodeOf(Code code);

/// Each adds one subcommand whose callback stores its exit code in `exitCode`.
void addTrain(CLI::App& app, int& exitCode);
void addEvaluate(CLI::App& app, int& exitCode);
void addRuns(CLI::App& app, int& exitCode);
void addCheck(CLI::App& app, int& exitCode);
void addDevices(CLI::App& app, int& exitCode);
void addBench(CLI::App& app, int& exitCode);

/// A project read from a folder or file, with its folder. Warnings go to the standard error stream.
struct OpenedProject {
  ProjectSpec project;
  Positions positions;
  std::string file;
  std::string folder;
};
/// @throws Error(Code::Input) listing all issues with file and line.
OpenedProject openProject(const std::string& path);
/// A setting of the command line.
struct Setting {
  std::string path;
  std::string value;
  std::string written;  ///< as a person wrote it: "--epochs 5", "--set train.epochs=5"
};
/// What stands behind --set. @throws Error(Code::Usage) if it is no "path=value"
Setting readSetting(const std::string& text);
/// @throws Error(Code::Usage) naming the first that does not fit.
ProjectSpec applySettings(const ProjectSpec& project, const std::vector<Setting>& settings);
/// Why a project as it was to be run cannot be: every issue with its place, which is a line of the
/// file, a setting of the command line, or the settings that run `run` was made with (0: none).
/// A data file at fault is named too. Returns if there is none, so that the failure had another
/// cause. @throws Error
void refuseWithPlaces(const OpenedProject& opened, const ProjectSpec& used,
                      const std::vector<Setting>& settings, int64_t run);
/// The store of a project for reading; null if there is none yet.
std::shared_ptr<Store> storeToRead(const std::string& folder);
/// A run by number, or "last". @throws Error(Code::Input)
int64_t runNumber(const std::string& text, const std::string& folder);

}  // namespace tenon::cli
