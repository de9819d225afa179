// SPDX-License-Identifier: Apache-2.0
// What the machine can do now: probes of memory bandwidth and of arithmetic, run beside a kernel.
#pragma once

#include <vector>

namespace tenon::cli {

/// Copies memory with all threads of the kernels. Bytes moved are those read and those written.
class CopyProbe {
 public:
  /// @param bytes that one copy moves: half is read, half written; above 128 MiB so much is copied
  /// again, as it then comes from memory anyhow
  explicit CopyProbe(double bytes);
  /// Bytes a second over about `seconds`.
  double perSecond(double seconds);

 private:
  void copy();

  std::vector<float> from_, to_;
};

/// f32 operations a second over about `seconds`, with all threads of the kernels and their
/// instruction level; a multiply-add counts as 2. Nothing but registers is touched.
double multiplyAddsPerSecond(double seconds);

}  // namespace tenon::cli
