// SPDX-License-Identifier: Apache-2.0
// Runs tenon-cli as a user would, in a process of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tenon::testing {

struct CommandResult {
  int exitCode = -1;
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// How the program is started.
struct Launch {
  std::vector<std::string> arguments;
  std::vector<std::string> environment = {};  ///< "NAME=value" pairs added to this process's
  std::string output = "/dev/null";           ///< files for what it prints; empty: closed
  std::string errors = "/dev/null";
  std::string input = {};          ///< file or named pipe it reads; empty: this process's
  std::optional<uid_t> user = {};  ///< run as this user; needs root
};
/// Starts the program; the caller waits for it. It exits with 127 if it cannot be executed.
pid_t launchCli(const Launch& launch);

/// Runs the program to its end, its output kept in files made for it.
CommandResult launchToEnd(Launch launch);
/// Runs the program to its end. `environment` holds "NAME=value" pairs added to this process's.
CommandResult runCli(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment = {});

/// Starts the program with its output thrown away; the caller waits for it.
pid_t startCli(const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment = {});
/// Waits for a process; returns its exit code, or minus the signal that ended it.
int waitFor(pid_t process);

}  // namespace tenon::testing
