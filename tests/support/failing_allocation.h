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

/// The error that `call` throws while the n-th allocation from now fails (n from 1); nothing if it
/// needs fewer. A test failure if it goes on as if nothing had happened.
template <class F>
std::optional<Error> failureAt(uint64_t n, F&& call) {
  memory::CachingAllocator& allocator = memory::cpuAllocator();
  const int64_t before = allocator.statistics().outOfMemory;
  allocator.failAllocation(n);
  std::optional<Error> failure;
  try {
    call();
  } catch (const Error& error) {
    failure = error;
  }
  allocator.failAllocation(0);
  EXPECT_EQ(allocator.statistics().outOfMemory - before, failure ? 1 : 0)
      << "failure " << n << " was swallowed, or the error is of something else: "
      << (failure ? failure->what() : "none");
  return failure;
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
