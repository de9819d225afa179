// SPDX-License-Identifier: Apache-2.0
// Repeats small calls in short batches, so that some batch meets no other program.
#include "app/cli/micro.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/memory/cpu_allocator.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon::cli {
namespace {

struct Operands {
  Tensor a = Tensor::full({4}, 1);
  Tensor b = Tensor::full({4}, 2);
  Tensor weight = Tensor::full({4}, 3);
  Operands() { autograd::setRequiresGrad(weight); }
};

void addFour(const Operands& x) {
  const gate::NoGradGuard noGrad;
  add(x.a, x.b);
}

void addFourRecorded(const Operands& x) { add(x.weight, x.b); }

void chainOfHundred(const Operands& x) {
  Tensor y = x.weight;
  for (int i = 0; i < 100; ++i) y = add(y, x.b);
  autograd::backward(y, x.b);
}

void allocateAndFree(const Operands&) {
  memory::CachingAllocator& allocator = memory::cpuAllocator();
  allocator.free(allocator.allocate({16}));
}

struct Micro {
  const char* name;
  void (*call)(const Operands& operands);
  int calls;  // in one batch of some 100 microseconds
};

constexpr Micro kMicros[] = {{"add4", &addFour, 500},
                             {"add4-grad", &addFourRecorded, 300},
                             {"chain100", &chainOfHundred, 3},
                             {"alloc-free", &allocateAndFree, 2000}};

double batch(const Micro& micro, const Operands& operands) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int i = 0; i < micro.calls; ++i) micro.call(operands);
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / micro.calls;
}

}  // namespace

std::vector<std::string> microNames() {
  std::vector<std::string> names;
  for (const Micro& micro : kMicros) names.emplace_back(micro.name);
  return names;
}

MicroTimes measureMicro(const std::string& name, double seconds) {
  const auto* micro = std::find_if(std::begin(kMicros), std::end(kMicros),
                                   [&](const Micro& known) { return name == known.name; });
  if (micro == std::end(kMicros))
    throw Error(Code::Usage, fmt::format("unknown measure '{}': known are {}", name,
                                         fmt::join(microNames(), ", ")));
  const Operands operands;
  batch(*micro, operands);
  std::vector<double> times;
  double passed = 0;
  do {
    times.push_back(batch(*micro, operands));
    passed += times.back() * micro->calls * 1e-9;
  } while (passed < seconds);
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

}  // namespace tenon::cli
