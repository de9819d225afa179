// SPDX-License-Identifier: Apache-2.0
// Reading variables of the environment, and the list into which each of them enters itself.
#include "engine/base/environment.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <utility>

#include "engine/base/error.h"

namespace tenon {
namespace {

struct Known {
  std::mutex mutex;
  std::vector<const EnvironmentVariable*> variables;
};

Known& known() {
  static Known& all = *new Known;  // outlives every other static object
  return all;
}

/// Powers of two behind a number; nullopt: no unit we know.
std::optional<int> shiftOf(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, int>, 7> kUnits = {
      {{"", 0}, {"K", 10}, {"KiB", 10}, {"M", 20}, {"MiB", 20}, {"G", 30}, {"GiB", 30}}};
  for (const auto& [name, shift] : kUnits)
    if (name == unit) return shift;
  return std::nullopt;
}

std::optional<uint64_t> bytesOf(std::string_view text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const std::optional<int> shift = shiftOf({stop, static_cast<size_t>(end - stop)});
  if (error != std::errc() || number == 0 || !shift) return std::nullopt;
  if (number > (uint64_t{INT64_MAX} >> *shift)) return std::nullopt;
  return number << *shift;
}

}  // namespace

EnvironmentVariable::EnvironmentVariable(const char* name) : name_(name) {
  const std::lock_guard lock(known().mutex);
  known().variables.push_back(this);
}

EnvironmentVariable::~EnvironmentVariable() {
  const std::lock_guard lock(known().mutex);
  std::erase(known().variables, this);
}

std::optional<std::string> EnvironmentVariable::text() const {
  const char* value = std::getenv(name_);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

void EnvironmentVariable::refuse(std::string_view wanted, std::string_view got) const {
  throw Error(Code::Usage,
              fmt::format("environment variable {} wants {}, got '{}'", name_, wanted, got));
}

std::vector<const EnvironmentVariable*> environmentVariables() {
  const std::lock_guard lock(known().mutex);
  std::vector<const EnvironmentVariable*> all = known().variables;
  std::sort(all.begin(), all.end(),
            [](const auto* a, const auto* b) { return std::strcmp(a->name(), b->name()) < 0; });
  return all;
}

void refuseBadEnvironment() {
  for (const EnvironmentVariable* variable : environmentVariables()) variable->check();
}

std::optional<uint64_t> BytesVariable::value() const {
  const std::optional<std::string> set = text();
  if (!set) return std::nullopt;
  const std::optional<uint64_t> bytes = bytesOf(*set);
  if (!bytes)
    refuse("a number of bytes above 0, alone or with K, KiB, M, MiB, G or GiB behind it (512M)",
           *set);
  return bytes;
}

bool FlagVariable::value() const {
  const std::string set = text().value_or("0");
  if (set != "0" && set != "1") refuse("1 or 0", set);
  return set == "1";
}

std::string FolderVariable::value() const { return text().value_or(std::string()); }

void FolderVariable::check() const {
  const std::string set = value();
  if (set.empty()) return;
  std::error_code failed;
  std::filesystem::path folder = std::filesystem::absolute(set, failed);
  if (must_ == Must::BeMakeable)  // what of the path is there already
    while (folder.has_relative_path() && !std::filesystem::exists(folder, failed))
      folder = folder.parent_path();
  if (std::filesystem::is_directory(folder, failed)) return;
  refuse(must_ == Must::Exist ? "a folder that is there" : "a folder, there or to be made", set);
}

TextVariable::TextVariable(const char* name, std::function<void(const std::string&)> check)
    : EnvironmentVariable(name), check_(std::move(check)) {}

std::string TextVariable::value() const { return text().value_or(std::string()); }

void TextVariable::check() const {
  const std::string set = value();
  if (set.empty()) return;
  try {
    check_(set);
  } catch (Error& error) {
    error.addContext(fmt::format("environment variable {}", name()));
    throw;
  }
}

}  // namespace tenon
