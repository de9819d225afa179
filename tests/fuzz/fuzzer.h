// SPDX-License-Identifier: Apache-2.0
// A small mutation fuzzer: bytes of a corpus, changed at random from a fixed seed, are handed to a
// parser, which may refuse them with an Error and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace tenon::testing {

using Bytes = std::vector<std::byte>;
using Corpus = std::vector<Bytes>;

Bytes bytesOf(const std::string& text);

/// Changes inputs. The same seed gives the same input.
class Mutator {
 public:
  /// @param words pieces that mean something to the parser; inserted now and then
  Mutator(const Corpus& corpus, std::vector<std::string> words);
  Bytes make(uint64_t seed) const;

 private:
  void change(Bytes& input, std::mt19937_64& random) const;
  void overwrite(Bytes& input, std::mt19937_64& random) const;
  void resize(Bytes& input, std::mt19937_64& random) const;
  void splice(Bytes& input, std::mt19937_64& random) const;

  const Corpus& corpus_;
  std::vector<std::string> words_;
};

struct FuzzPlan {
  int64_t executions = 0;
  double seconds = 0;  ///< at most so long
  std::vector<std::string> words = {};
};

/// A short run for every change, a long one for suites whose name begins with Soak.
inline FuzzPlan shortRun(std::vector<std::string> words = {}) {
  return {3000, 4, std::move(words)};
}
inline FuzzPlan longRun(std::vector<std::string> words = {}) {
  return {1000000, 240, std::move(words)};
}

/// Runs `target` on every entry of the corpus, which it must take, then on changed ones.
/// Fails the test if it throws anything but an Error, throws one that is a fault of our own
/// (Code::Internal), or takes more than a second. TENON_FUZZ_ONLY=SEED runs one input alone.
void fuzz(const Corpus& corpus, const FuzzPlan& plan,
          const std::function<void(std::span<const std::byte>)>& target);

}  // namespace tenon::testing
