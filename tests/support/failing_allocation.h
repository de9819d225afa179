// SPDX-License-Identifier: Apache-2.0
// One allocation of a piece of work fails: what comes of it, and who the error says has asked.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/memory/cpu_allocator.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// What came of a call whose n-th allocation failed.
struct Failed {
  std::optional<Error> error;  ///< that it threw
  bool reached = false;        ///< it has an n-th
};

/// Lets the n-th allocation from now fail (n from 1) in `call`.
template <class F>
Failed failAt(uint64_t n, F&& call) {
  memory::CachingAllocator& allocator = memory::cpuAllocator();
  const int64_t before = allocator.statistics().outOfMemory;
  allocator.failAllocation(n);
  Failed failed;
  try {
    call();
  } catch (const Error& error) {
    failed.error = error;
  }
  allocator.failAllocation(0);
  failed.reached = allocator.statistics().outOfMemory != before;
  return failed;
}

/// The error that `call` throws while the n-th allocation from now fails; nothing if it needs
/// fewer. A test failure if it goes on as if nothing had happened.
template <class F>
std::optional<Error> failureAt(uint64_t n, F&& call) {
  const Failed failed = failAt(n, call);
  EXPECT_EQ(failed.reached, failed.error.has_value())
      << "failure " << n << " was swallowed, or the error is of something else: "
      << (failed.error ? failed.error->what() : "none");
  return failed.error;
}

/// The name that stands behind `what` in the text of an error: "operator 'conv2d'".
inline std::string namedIn(const std::string& text, const std::string& what) {
  const size_t asked = text.find("asked for by ");
  if (asked == std::string::npos) return {};
  const size_t at = text.find(what + " '", asked);
  if (at == std::string::npos || at > text.find(';', asked)) return {};
  const size_t begin = at + what.size() + 2;
  return text.substr(begin, text.find('\'', begin) - begin);
}

/// The phase that an error of the allocator names: "backward".
inline std::string phaseIn(const std::string& text) {
  const size_t at = text.find("phase ", text.find("asked for by "));
  return at == std::string::npos ? std::string()
                                 : text.substr(at + 6, text.find_first_of(",:;(", at) - at - 6);
}

using Bits = std::vector<std::vector<std::byte>>;
/// The elements of the tensors, bit for bit; nothing where there is none.
inline Bits bitsOf(const std::vector<Tensor>& tensors) {
  Bits all;
  all.reserve(tensors.size());
  for (const Tensor& t : tensors)
    all.push_back(t.defined() ? t.toBytes() : std::vector<std::byte>());
  return all;
}

}  // namespace tenon
