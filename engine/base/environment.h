// SPDX-License-Identifier: Apache-2.0
// Variables of the environment that Tenon reads: each says what it takes, and a value that it does
// not take is refused, never ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/export.h"

namespace tenon {

/// A variable, made as a static object where it is read; docs/cli.md tells them all. Set to nothing
/// it counts as not set.
/// @thread all calls but the constructor from any thread
class TENON_API EnvironmentVariable {
 public:
  virtual ~EnvironmentVariable();
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

  const char* name() const { return name_; }
  /// @throws Error(Code::Usage) with name, what is wanted and what is set, if it is set to
  /// something
  ///   that it does not take
  virtual void check() const = 0;

 protected:
  /// `name` must live as long as the program.
  explicit EnvironmentVariable(const char* name);
  /// What it is set to.
  std::optional<std::string> text() const;
  /// `wanted`: "baseline or avx2".
  [[noreturn]] void refuse(std::string_view wanted, std::string_view got) const;

 private:
  const char* name_;
};

/// All variables of the programs and libraries that are loaded, by name.
TENON_API std::vector<const EnvironmentVariable*> environmentVariables();
/// Checks all of them; a program does it before it begins. @throws Error as the first bad one says
TENON_API void refuseBadEnvironment();

/// A number of bytes above 0, alone or with K, KiB, M, MiB, G or GiB behind it (powers of 1024).
class TENON_API BytesVariable final : public EnvironmentVariable {
 public:
  explicit BytesVariable(const char* name) : EnvironmentVariable(name) {}
  std::optional<uint64_t> value() const;
  void check() const override { value(); }
};

/// 1 or 0; not set: 0.
class TENON_API FlagVariable final : public EnvironmentVariable {
 public:
  explicit FlagVariable(const char* name) : EnvironmentVariable(name) {}
  bool value() const;
  void check() const override { value(); }
};

/// A path of a folder.
class TENON_API FolderVariable final : public EnvironmentVariable {
 public:
  enum class Must { Exist, BeMakeable };
  FolderVariable(const char* name, Must must) : EnvironmentVariable(name), must_(must) {}
  /// Unchecked; empty if not set.
  std::string value() const;
  void check() const override;

 private:
  Must must_;
};

/// Any other text, with a check of its own that throws.
class TENON_API TextVariable final : public EnvironmentVariable {
 public:
  TextVariable(const char* name, std::function<void(const std::string&)> check);
  /// Unchecked; empty if not set.
  std::string value() const;
  void check() const override;

 private:
  std::function<void(const std::string&)> check_;
};

}  // namespace tenon
