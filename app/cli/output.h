// SPDX-License-Identifier: Apache-2.0
// What the program prints. A failure of the standard output is kept and decides the exit code.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace tenon::cli {

/// Makes writing fail with an error instead of SIGPIPE, and keeps files from being opened under the
/// number of a standard stream that is closed. Call it before anything is opened.
void prepareOutput();

/// Writes to the standard output at once. The first failure is kept; nothing is written after it.
/// Returns false from then on. One thread only.
bool sayText(std::string_view text) noexcept;
/// Writes to the standard error stream; failures are ignored, as there is nobody left to tell.
void complainText(std::string_view text) noexcept;

template <class... T>
bool say(fmt::format_string<T...> text, T&&... args) {
  return sayText(fmt::format(text, std::forward<T>(args)...));
}
template <class... T>
void complain(fmt::format_string<T...> text, T&&... args) {
  complainText(fmt::format(text, std::forward<T>(args)...));
}

/// False once the standard output has failed.
bool outputWorks() noexcept;
/// The exit code of a program that would end with `exitCode` but for its output; tells what failed.
/// A reader that went away (EPIPE) is no failure: it is as if stopped on request.
int exitCodeAfterOutput(int exitCode);

}  // namespace tenon::cli
