// SPDX-License-Identifier: Apache-2.0
// The clock is read once a call: the smallest kernel takes a hundred microseconds.
#include "app/cli/kernel_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon::cli {
namespace {

const Kernel& findKernel(const std::string& name) {
  for (const Kernel& kernel : kernels())
    if (kernel.name == name) return kernel;
  throw Error(Code::Usage, fmt::format("unknown kernel '{}': known are {}", name,
                                       fmt::join(kernelNames(), ", ")));
}

}  // namespace

std::vector<std::string> kernelNames() {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels()) names.push_back(kernel.name);
  return names;
}

KernelMeasure::KernelMeasure(const std::string& name) : kernel_(findKernel(name)) {
  Generator generator;
  const gate::GeneratorGuard seeded(generator);
  call_ = kernel_.prepare();
  if (kernel_.roof == Roof::Memory) copies_ = std::make_unique<CopyProbe>(kernel_.work);
  call_();
}

double KernelMeasure::probe(double seconds) {
  return copies_ ? copies_->perSecond(seconds) : multiplyAddsPerSecond(seconds);
}

KernelWindow KernelMeasure::window(double seconds) {
  using Clock = std::chrono::steady_clock;
  const double before = probe(seconds / 4);
  const auto start = Clock::now();
  int64_t calls = 0;
  double passed = 0;
  do {
    call_();
    ++calls;
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (passed < seconds);
  return {static_cast<double>(calls) / passed, std::max(before, probe(seconds / 4))};
}

}  // namespace tenon::cli
