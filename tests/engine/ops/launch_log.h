// SPDX-License-Identifier: Apache-2.0
// LaunchLog: which kernels really ran, told by the kernels themselves, so that what the gate tells
// its listeners can be compared with it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/registry/kernel_table.h"
#include "engine/observe/graph_recording.h"
#include "engine/ops/gate/gate.h"

namespace tenon::test {

/// While it lives, each kernel of the level in use notes that it runs on a thread with listeners
/// (others make no recording). One at a time; nothing else may call operators when it comes and
/// goes.
class LaunchLog {
 public:
  using Ran = std::vector<std::pair<std::string, std::string>>;  ///< (operator, kernel)

  LaunchLog() {
    const std::vector<const TenonKernel*> built = backend::builtKernels();
    EXPECT_LE(built.size(), kMost) << "raise LaunchLog::kMost";
    std::map<std::string, std::vector<const TenonKernel*>> rows;
    noting_.reserve(built.size());  // so that nothing moves
    for (size_t i = 0; i < std::min(built.size(), kMost); ++i) {
      noting_.push_back(*built[i]);
      noting_.back().run = kRunners[i];
      original()[i] = built[i];
      rows[built[i]->op].push_back(&noting_.back());
    }
    for (auto& [op, row] : rows) {
      std::stable_sort(row.begin(), row.end(), [](const TenonKernel* a, const TenonKernel* b) {
        return a->priority > b->priority;
      });
      ops_.push_back(op);
      backend::replaceKernels(op.c_str(), row);
    }
    ran().clear();
  }
  ~LaunchLog() {
    for (const std::string& op : ops_) backend::replaceKernels(op.c_str(), {});
  }
  LaunchLog(const LaunchLog&) = delete;
  LaunchLog& operator=(const LaunchLog&) = delete;

  /// In the order in which they began.
  static Ran& ran() {
    static thread_local Ran all;
    return all;
  }

 private:
  static constexpr size_t kMost = 1024;
  using Run = int32_t (*)(const TenonKernelArgs*);

  static std::array<const TenonKernel*, kMost>& original() {
    static std::array<const TenonKernel*, kMost> all{};
    return all;
  }
  /// A kernel learns nothing of itself from a call, so each has a function of its own.
  template <size_t I>
  static int32_t noteAndRun(const TenonKernelArgs* args) {
    const TenonKernel& kernel = *original()[I];
    if (!gate::threadState().listeners.empty()) ran().emplace_back(kernel.op, kernel.name);
    return kernel.run(args);
  }
  template <size_t... I>
  static constexpr std::array<Run, kMost> runners(std::index_sequence<I...>) {
    return {&noteAndRun<I>...};
  }
  static const std::array<Run, kMost> kRunners;

  std::vector<TenonKernel> noting_;
  std::vector<std::string> ops_;
};

inline const std::array<LaunchLog::Run, LaunchLog::kMost> LaunchLog::kRunners =
    LaunchLog::runners(std::make_index_sequence<LaunchLog::kMost>());

/// What a recording says ran, in the order of its times.
inline LaunchLog::Ran recordedLaunches(const GraphRecording& graph) {
  std::vector<RecordedKernel> kernels;
  for (const RecordedNode& node : graph.nodes)
    kernels.insert(kernels.end(), node.kernels.begin(), node.kernels.end());
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& a, const auto& b) { return a.startNs < b.startNs; });
  LaunchLog::Ran ran;
  for (const RecordedKernel& kernel : kernels) ran.emplace_back(kernel.op, kernel.implementation);
  return ran;
}

}  // namespace tenon::test
