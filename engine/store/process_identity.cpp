// SPDX-License-Identifier: Apache-2.0
// Process identity from /proc: boot id, pid namespace, pid and start time.
#include "engine/store/process_identity.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tenon {
namespace {

std::string firstLine(const std::string& path) {
  try {
    std::string text = readFile(path, 4096);
    return text.substr(0, text.find('\n'));
  } catch (const Error&) {
    return {};  // no /proc, or no such process
  }
}

/// State letter and start time (in clock ticks since boot): fields 3 and 22 of /proc/PID/stat.
struct ProcessStat {
  char state = 0;
  std::string startTime;
};

ProcessStat statOf(int64_t pid) {
  const std::string line = firstLine(fmt::format("/proc/{}/stat", pid));
  // The name in field 2 may hold blanks and brackets; the last ')' ends it.
  size_t at = line.rfind(')');
  if (at == std::string::npos || at + 2 >= line.size()) return {};
  ProcessStat stat;
  stat.state = line[at + 2];
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  if (at != std::string::npos)
    stat.startTime = line.substr(at + 1, line.find(' ', at + 1) - at - 1);
  return stat;
}

/// "boot id/pid namespace": inside one of these, pid and start time name one process.
const std::string& space() {
  static const std::string kSpace = [] {
    char link[128];
    const ssize_t length = readlink("/proc/self/ns/pid", link, sizeof link);
    return firstLine("/proc/sys/kernel/random/boot_id") + "/" +
           std::string(link, length > 0 ? static_cast<size_t>(length) : 0);
  }();
  return kSpace;
}

}  // namespace

std::string thisProcess() {
  return fmt::format("{}/{}/{}", space(), getpid(), statOf(getpid()).startTime);
}

Life processLife(std::string_view process) {
  const size_t start = process.rfind('/');
  if (start == std::string_view::npos || start == 0) return Life::Dead;
  const size_t pidAt = process.rfind('/', start - 1);
  if (pidAt == std::string_view::npos) return Life::Dead;
  if (process.substr(0, pidAt) != space()) return Life::Elsewhere;
  int64_t pid = 0;
  const std::string_view digits = process.substr(pidAt + 1, start - pidAt - 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  const ProcessStat stat = statOf(pid);
  const bool gone = stat.startTime.empty() || stat.state == 'Z' || stat.state == 'X';
  return !gone && stat.startTime == process.substr(start + 1) ? Life::Alive : Life::Dead;
}

}  // namespace tenon
