// SPDX-License-Identifier: Apache-2.0
// Times one kernel with the probe of its roof beside it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/kernels.h"
#include "app/cli/probes.h"

namespace tenon::cli {

std::vector<std::string> kernelNames();

/// What a kernel and its probe did in one window.
struct KernelWindow {
  double perSecond = 0;  ///< calls
  double probe = 0;      ///< operations or bytes a second: the best of before and after
};

/// A kernel with its operands, run once already.
class KernelMeasure {
 public:
  /// @throws Error(Code::Usage) naming the known ones.
  explicit KernelMeasure(const std::string& name);

  /// Probe, kernel for about `seconds`, probe; each probe for a quarter of that.
  KernelWindow window(double seconds);
  const Kernel& kernel() const { return kernel_; }
  /// Share of the roof that a window's kernel reached, 0 .. 1 (above 1: it moved less, or out of a
  /// cache).
  double roofline(const KernelWindow& window) const {
    return window.perSecond * kernel_.work / window.probe;
  }

 private:
  double probe(double seconds);

  const Kernel& kernel_;
  std::function<void()> call_;
  std::unique_ptr<CopyProbe> copies_;  // of a kernel that memory bounds
};

}  // namespace tenon::cli
