// SPDX-License-Identifier: Apache-2.0
// Fault injection: the process-wide hook and the plan that fails the n-th operation.
#include "engine/base/file_faults.h"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <utility>

#include "engine/base/environment.h"
#include "engine/base/error.h"

namespace tenon {
namespace {

constexpr std::array<std::string_view, 8> kOperationNames = {
    "open", "read", "write", "sync", "rename", "remove", "truncate", "openwrite"};

constexpr std::array<std::pair<std::string_view, int>, 6> kErrorNames = {{{"ENOSPC", ENOSPC},
                                                                          {"EIO", EIO},
                                                                          {"EROFS", EROFS},
                                                                          {"EACCES", EACCES},
                                                                          {"EDQUOT", EDQUOT},
                                                                          {"EMFILE", EMFILE}}};

struct ParsedPlan {
  FileOperation operation;
  long number;
  int osError;
  bool stays;
};

[[noreturn]] void refuse(std::string_view text, std::string_view what) {
  throw Error(Code::Usage,
              fmt::format("[faults] '{}' wants OPERATION:NUMBER[+]:ERRNO, {}", text, what));
}

FileOperation parseOperation(std::string_view text, std::string_view word) {
  for (size_t i = 0; i < kOperationNames.size(); ++i)
    if (kOperationNames[i] == word) return static_cast<FileOperation>(i);
  refuse(text, fmt::format("'{}' is no operation", word));
}

int parseOsError(std::string_view text, std::string_view word) {
  for (const auto& [name, number] : kErrorNames)
    if (name == word) return number;
  refuse(text, fmt::format("'{}' is no known error", word));
}

ParsedPlan parsePlan(std::string_view text) {
  const size_t first = text.find(':');
  const size_t second = first == text.npos ? text.npos : text.find(':', first + 1);
  if (second == text.npos) refuse(text, "a ':' is missing");
  std::string_view number = text.substr(first + 1, second - first - 1);
  ParsedPlan plan{parseOperation(text, text.substr(0, first)), 0,
                  parseOsError(text, text.substr(second + 1)), number.ends_with('+')};
  if (plan.stays) number.remove_suffix(1);
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, plan.number);
  if (error != std::errc() || stop != end || plan.number < 1)
    refuse(text, fmt::format("'{}' is no number from 1", number));
  return plan;
}

const TextVariable kFaults("TENON_FAULTS", [](const std::string& text) { parsePlan(text); });

/// The plan the environment asks for; lives as long as the process.
FileFaults* faultsFromEnvironment() {
  const std::string text = kFaults.value();
  if (text.empty()) return nullptr;
  static const std::unique_ptr<FaultPlan> kPlan = std::make_unique<FaultPlan>(text);
  return kPlan.get();
}

std::atomic<FileFaults*>& installed() {
  static std::atomic<FileFaults*> faults{faultsFromEnvironment()};
  return faults;
}

}  // namespace

std::string_view fileOperationName(FileOperation operation) {
  return kOperationNames[static_cast<size_t>(operation)];
}

FileFaults::~FileFaults() = default;

FileFaults* setFileFaults(FileFaults* faults) { return installed().exchange(faults); }

int fileFault(FileOperation operation, const char* path) {
  FileFaults* faults = installed().load(std::memory_order_acquire);
  return faults == nullptr ? 0 : faults->decide(operation, path);
}

FaultPlan::FaultPlan(FileOperation operation, long number, int osError, bool stays)
    : operation_(operation), number_(number), osError_(osError), stays_(stays) {}

FaultPlan::FaultPlan(std::string_view text) {
  const ParsedPlan plan = parsePlan(text);
  operation_ = plan.operation;
  number_ = plan.number;
  osError_ = plan.osError;
  stays_ = plan.stays;
}

int FaultPlan::decide(FileOperation operation, const char*) {
  if (operation != operation_) return 0;
  const long now = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool fails = now == number_ || (stays_ && number_ > 0 && now > number_);
  if (!fails || healed_.load(std::memory_order_relaxed)) return 0;
  fired_.store(true, std::memory_order_relaxed);
  return osError_;
}

}  // namespace tenon
