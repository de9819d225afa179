// SPDX-License-Identifier: Apache-2.0
// The log and its three sinks: standard error, memory, rotating file.
#include "engine/base/log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "engine/base/clock.h"

namespace tenon {
namespace {

/// Runs `work` and swallows what it throws: a log that cannot allocate loses a line, not the run.
template <class Work>
bool quietly(Work&& work) noexcept {
  try {
    work();
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

std::string_view logLevelName(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::Debug:
      return "debug";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warning:
      return "warning";
    case LogLevel::Error:
      return "error";
  }
  return "info";
}

std::string logLine(const LogRecord& record) {
  std::string line = isoTime(record.wallNs);
  line.append(" ").append(logLevelName(record.level)).append(" ");
  line.append(record.source).append(": ");
  for (char c : record.text) {
    if (c == '\n') {
      line += "\n    ";
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t') {
      line += c;  // other control characters could drive a terminal
    }
  }
  line += '\n';
  return line;
}

LogSink::~LogSink() = default;

void Log::attach(std::shared_ptr<LogSink> sink) {
  std::lock_guard lock(mutex_);
  auto next = sinks_ ? *sinks_ : std::vector<std::shared_ptr<LogSink>>();
  next.push_back(std::move(sink));
  sinks_ = std::make_shared<const std::vector<std::shared_ptr<LogSink>>>(std::move(next));
}

void Log::detach(const LogSink* sink) noexcept {
  quietly([&] {
    std::lock_guard lock(mutex_);
    if (!sinks_) return;
    auto next = *sinks_;
    std::erase_if(next, [sink](const auto& held) { return held.get() == sink; });
    sinks_ = std::make_shared<const std::vector<std::shared_ptr<LogSink>>>(std::move(next));
  });
}

void Log::write(LogLevel level, std::string_view source, std::string_view text) noexcept {
  if (!wants(level)) return;
  quietly([&] {
    std::shared_ptr<const std::vector<std::shared_ptr<LogSink>>> sinks;
    {
      std::lock_guard lock(mutex_);
      sinks = sinks_;
    }
    if (!sinks || sinks->empty()) return;
    static thread_local const auto kThread = static_cast<uint64_t>(syscall(SYS_gettid));
    LogRecord record{level, wallNs(), kThread, source, text};
    for (const auto& sink : *sinks) sink->write(record);
  });
}

Log& processLog() noexcept {
  static Log log;
  return log;
}

void logDebug(std::string_view source, std::string_view text) noexcept {
  processLog().write(LogLevel::Debug, source, text);
}
void logInfo(std::string_view source, std::string_view text) noexcept {
  processLog().write(LogLevel::Info, source, text);
}
void logWarning(std::string_view source, std::string_view text) noexcept {
  processLog().write(LogLevel::Warning, source, text);
}
void logError(std::string_view source, std::string_view text) noexcept {
  processLog().write(LogLevel::Error, source, text);
}

void StderrLogSink::write(const LogRecord& record) noexcept {
  quietly([&] {
    std::string line = logLine(record);
    std::fwrite(line.data(), 1, line.size(), stderr);
  });
}

void RecentLogSink::write(const LogRecord& record) noexcept {
  quietly([&] {
    std::string line = logLine(record);
    line.pop_back();
    std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    while (lines_.size() > capacity_) lines_.pop_front();
  });
}

std::vector<std::string> RecentLogSink::lines() const {
  std::lock_guard lock(mutex_);
  return {lines_.begin(), lines_.end()};
}

RotatingFileLogSink::RotatingFileLogSink(Options options) : options_(std::move(options)) { open(); }

RotatingFileLogSink::~RotatingFileLogSink() {
  if (fd_ >= 0) ::close(fd_);
}

void RotatingFileLogSink::open() noexcept {
  fd_ = ::open(options_.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  struct stat info {};
  size_ = fd_ >= 0 && ::fstat(fd_, &info) == 0 ? info.st_size : 0;
}

void RotatingFileLogSink::rotate() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  auto name = [this](int n) {
    return n == 0 ? options_.path : options_.path + "." + std::to_string(n);
  };
  ::unlink(name(options_.keep).c_str());
  for (int n = options_.keep - 1; n >= 0; --n) ::rename(name(n).c_str(), name(n + 1).c_str());
  open();
}

bool RotatingFileLogSink::writeAll(std::string_view text) noexcept {
  while (!text.empty()) {
    ssize_t count = ::write(fd_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    size_ += count;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

void RotatingFileLogSink::write(const LogRecord& record) noexcept {
  bool written = false;
  quietly([&] {
    std::string line = logLine(record);
    std::lock_guard lock(mutex_);
    if (fd_ < 0) open();
    if (size_ > 0 && size_ + static_cast<int64_t>(line.size()) > options_.maxBytes) rotate();
    written = fd_ >= 0 && writeAll(line);
  });
  if (!written) dropped_.fetch_add(1);
}

}  // namespace tenon
