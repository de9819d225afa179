// SPDX-License-Identifier: Apache-2.0
// Plain write(2): no buffer that could fail after the exit code is known.
#include "app/cli/output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "app/cli/cli.h"

namespace tenon::cli {
namespace {

std::atomic<int> fault{0};  // errno of the first write to the standard output that failed

/// The errno of a write that failed, or 0.
int writeAll(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t now = ::write(descriptor, text.data(), text.size());
    if (now >= 0) {
      text.remove_prefix(static_cast<size_t>(now));
    } else if (errno == EAGAIN) {  // a pipe that somebody made non-blocking
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void prepareOutput() {
  signal(SIGPIPE, SIG_IGN);
  // In this order each gets the lowest free number, its own. Writing to what is open for reading
  // only fails, as writing to a closed stream does.
  for (const auto& [descriptor, flags] :
       {std::pair{STDIN_FILENO, O_RDONLY}, std::pair{STDOUT_FILENO, O_RDONLY},
        std::pair{STDERR_FILENO, O_WRONLY}})
    if (::fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", flags);
}

bool sayText(std::string_view text) noexcept {
  if (fault != 0) return false;
  fault = writeAll(STDOUT_FILENO, text);
  return fault == 0;
}

void complainText(std::string_view text) noexcept { writeAll(STDERR_FILENO, text); }

bool outputWorks() noexcept { return fault == 0; }

int exitCodeAfterOutput(int exitCode) {
  const int failed = fault;
  const bool good = exitCode == kOk || exitCode == kStopped;
  if (failed == 0) return exitCode;
  if (failed == EPIPE) return good ? kStopped : exitCode;
  complain("tenon-cli: the standard output cannot be written: {}\n", std::strerror(failed));
  return good ? kInput : exitCode;
}

}  // namespace tenon::cli
