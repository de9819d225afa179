// SPDX-License-Identifier: Apache-2.0
// The benchmark's workloads: one full training step each, on synthetic data.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tenon::cli {

std::vector<std::string> workloadNames();

/// A model with its data and optimizer.
class Workload {
 public:
  /// @throws Error(Code::Usage) naming the known ones.
  explicit Workload(const std::string& name);
  ~Workload();

  /// The first 20 steps, whose losses are kept.
  void warmUp();
  /// Forward, loss, backward, optimizer step. Returns the loss.
  double step();
  const std::string& name() const;
  int64_t count() const;                        ///< samples, or tokens, a step
  int64_t parameters() const;                   ///< trained numbers, shared ones once
  const std::array<double, 2>& losses() const;  ///< of steps 1 and 20 of the warm-up
  int64_t peakBytes() const;                    ///< most allocated at once since it was made
  int64_t reorders() const;                     ///< conversions of a layout in the last step

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon::cli
