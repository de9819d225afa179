// SPDX-License-Identifier: Apache-2.0
// Mutations, and the loop that judges what a parser does with them.
#include "tests/fuzz/fuzzer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "engine/base/error.h"

namespace tenon::testing {
namespace {

constexpr size_t kMostBytes = 1 << 20;

/// Below `bound`, which is at least 1.
size_t below(std::mt19937_64& random, size_t bound) { return random() % bound; }

constexpr std::array<uint64_t, 12> kNumbers = {
    0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 40, ~0ULL};

volatile uint64_t gSeed = 0;

/// Says which input it was; the process dies anyway.
void onCrash(int signal) {
  char text[96];
  const int length = std::snprintf(text, sizeof text, "fuzz: signal %d at TENON_FUZZ_ONLY=%llu\n",
                                   signal, static_cast<unsigned long long>(gSeed));
  if (std::fwrite(text, 1, static_cast<size_t>(length), stderr) > 0) std::fflush(stderr);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watchForCrashes() {
  std::signal(SIGABRT, &onCrash);
#ifndef __SANITIZE_ADDRESS__  // which reports the place better
  std::signal(SIGSEGV, &onCrash);
  std::signal(SIGBUS, &onCrash);
  std::signal(SIGFPE, &onCrash);
#endif
}

struct Tally {
  int64_t taken = 0;
  int64_t refused = 0;
  double slowest = 0;
};

/// What this thread has computed, seconds: a busy machine does not count.
double computed() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kMostSeconds = 5;
#else
constexpr double kMostSeconds = 1;
#endif
constexpr double kMostWaiting = 20;  // a lock that nobody gives back

/// False if the parser did something it must not.
bool tryOne(const Bytes& input, const std::function<void(std::span<const std::byte>)>& target,
            Tally& tally) {
  const auto start = std::chrono::steady_clock::now();
  const double before = computed();
  std::string fault;
  try {
    target(input);
    ++tally.taken;
  } catch (const Error& error) {
    ++tally.refused;
    if (error.code() == Code::Internal) fault = error.what();
  } catch (const std::exception& error) {
    fault = error.what();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const double work = computed() - before;
  tally.slowest = std::max(tally.slowest, work);
  if (work > kMostSeconds) fault = "computed for " + std::to_string(work) + " s";
  if (took.count() > kMostWaiting) fault = "took " + std::to_string(took.count()) + " s";
  if (!fault.empty())
    ADD_FAILURE() << "TENON_FUZZ_ONLY=" << gSeed << ", " << input.size() << " bytes: " << fault;
  return fault.empty();
}

}  // namespace

Bytes bytesOf(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Mutator::Mutator(const Corpus& corpus, std::vector<std::string> words)
    : corpus_(corpus), words_(std::move(words)) {}

Bytes Mutator::make(uint64_t seed) const {
  std::mt19937_64 random(seed);
  Bytes input = corpus_[below(random, corpus_.size())];
  const size_t changes = size_t{1} << below(random, 5);
  for (size_t i = 0; i < changes; ++i) change(input, random);
  if (input.size() > kMostBytes) input.resize(kMostBytes);
  return input;
}

void Mutator::change(Bytes& input, std::mt19937_64& random) const {
  switch (below(random, 4)) {
    case 0:
      if (!input.empty()) input[below(random, input.size())] ^= std::byte{1} << below(random, 8);
      break;
    case 1:
      overwrite(input, random);
      break;
    case 2:
      resize(input, random);
      break;
    default:
      splice(input, random);
  }
}

/// A number of 1, 2, 4 or 8 bytes that sits on an edge, in either byte order.
void Mutator::overwrite(Bytes& input, std::mt19937_64& random) const {
  const size_t width = size_t{1} << below(random, 4);
  if (input.size() < width) return;
  const uint64_t number = kNumbers[below(random, kNumbers.size())] + below(random, 3) - 1;
  std::byte bytes[8];
  std::memcpy(bytes, &number, 8);
  if (below(random, 2) != 0) std::reverse(bytes, bytes + width);
  std::memcpy(input.data() + below(random, input.size() - width + 1), bytes, width);
}

/// Cuts a piece out, doubles one, or cuts the end off.
void Mutator::resize(Bytes& input, std::mt19937_64& random) const {
  if (input.empty()) return;
  const size_t at = below(random, input.size());
  const size_t length = 1 + below(random, std::min<size_t>(input.size() - at, 64));
  const auto from = input.begin() + static_cast<ptrdiff_t>(at);
  switch (below(random, 3)) {
    case 0:
      input.erase(from, from + static_cast<ptrdiff_t>(length));
      break;
    case 1: {
      const Bytes piece(from, from + static_cast<ptrdiff_t>(length));
      input.insert(from, piece.begin(), piece.end());
      break;
    }
    default:
      input.resize(at);
  }
}

/// Puts a word or a piece of another input in, or over what is there.
void Mutator::splice(Bytes& input, std::mt19937_64& random) const {
  Bytes piece;
  if (!words_.empty() && below(random, 2) != 0) {
    piece = bytesOf(words_[below(random, words_.size())]);
  } else {
    const Bytes& other = corpus_[below(random, corpus_.size())];
    if (other.empty()) return;
    const size_t at = below(random, other.size());
    const size_t length = 1 + below(random, std::min<size_t>(other.size() - at, 256));
    piece.assign(other.begin() + static_cast<ptrdiff_t>(at),
                 other.begin() + static_cast<ptrdiff_t>(at + length));
  }
  const size_t to = below(random, input.size() + 1);
  const size_t covered = below(random, 2) != 0 ? std::min(piece.size(), input.size() - to) : 0;
  const auto from = input.begin() + static_cast<ptrdiff_t>(to);
  input.insert(input.erase(from, from + static_cast<ptrdiff_t>(covered)), piece.begin(),
               piece.end());
}

void fuzz(const Corpus& corpus, const FuzzPlan& plan,
          const std::function<void(std::span<const std::byte>)>& target) {
  for (const Bytes& whole : corpus) ASSERT_NO_THROW(target(whole));
  watchForCrashes();
  const Mutator mutator(corpus, plan.words);
  Tally tally;
  if (const char* only = std::getenv("TENON_FUZZ_ONLY")) {
    gSeed = std::strtoull(only, nullptr, 10);
    tryOne(mutator.make(gSeed), target, tally);
    return;
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(plan.seconds);
  int faults = 0;
  for (int64_t i = 0; i < plan.executions && faults < 5; ++i) {
    gSeed = static_cast<uint64_t>(i) + 1;
    faults += !tryOne(mutator.make(gSeed), target, tally);
    if (i % 64 == 0 && std::chrono::steady_clock::now() > until) break;
  }
  std::printf("%lld inputs: %lld taken, %lld refused, slowest %.1f ms\n",
              static_cast<long long>(tally.taken + tally.refused),
              static_cast<long long>(tally.taken), static_cast<long long>(tally.refused),
              tally.slowest * 1000);
  EXPECT_GT(tally.refused, 0);
}

}  // namespace tenon::testing
