// SPDX-License-Identifier: Apache-2.0
// The log: records go to every attached sink; logging never throws and never stops the work.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/export.h"

namespace tenon {

enum class LogLevel { Debug, Info, Warning, Error };

/// "debug", "info", "warning", "error".
TENON_API std::string_view logLevelName(LogLevel level) noexcept;

/// One message on its way to the sinks; the texts live as long as the call.
struct LogRecord {
  LogLevel level = LogLevel::Info;
  int64_t wallNs = 0;       ///< when, since 1970 UTC
  uint64_t thread = 0;      ///< the system's number of the thread
  std::string_view source;  ///< the room it comes from, e.g. "store"
  std::string_view text;    ///< may have several lines
};

/// "2026-11-29T16:46:01.250Z warning store: text"; further lines are indented. Ends with a newline.
TENON_API std::string logLine(const LogRecord& record);

/// Takes records. @thread write() may be called from any thread, from several at once.
class TENON_API LogSink {
 public:
  virtual ~LogSink();
  virtual void write(const LogRecord& record) noexcept = 0;
};

/// Sends records to its sinks. One per process is normal (processLog), tests make their own.
/// @thread All functions may be called from any thread.
class TENON_API Log {
 public:
  void attach(std::shared_ptr<LogSink> sink);
  void detach(const LogSink* sink) noexcept;
  /// Records below this level are dropped. Default Info.
  void setLevel(LogLevel level) noexcept { level_.store(level, std::memory_order_relaxed); }
  bool wants(LogLevel level) const noexcept {
    return level >= level_.load(std::memory_order_relaxed);
  }
  void write(LogLevel level, std::string_view source, std::string_view text) noexcept;

 private:
  std::atomic<LogLevel> level_{LogLevel::Info};
  std::mutex mutex_;  // guards sinks_; never held while a sink writes
  std::shared_ptr<const std::vector<std::shared_ptr<LogSink>>> sinks_;
};

/// The log of this process; without a sink records go nowhere.
TENON_API Log& processLog() noexcept;

TENON_API void logDebug(std::string_view source, std::string_view text) noexcept;
TENON_API void logInfo(std::string_view source, std::string_view text) noexcept;
TENON_API void logWarning(std::string_view source, std::string_view text) noexcept;
TENON_API void logError(std::string_view source, std::string_view text) noexcept;

/// Writes lines to the standard error stream.
class TENON_API StderrLogSink final : public LogSink {
 public:
  void write(const LogRecord& record) noexcept override;
};

/// Keeps the newest records in memory, for a log panel and for diagnostics.
class TENON_API RecentLogSink final : public LogSink {
 public:
  explicit RecentLogSink(size_t capacity) : capacity_(capacity) {}
  void write(const LogRecord& record) noexcept override;
  /// The kept lines (logLine without the newline), oldest first.
  std::vector<std::string> lines() const;

 private:
  size_t capacity_;
  mutable std::mutex mutex_;
  std::deque<std::string> lines_;
};

/// Appends lines to a file. When it would pass `maxBytes` it becomes FILE.1, FILE.1 becomes FILE.2,
/// ... up to FILE.`keep`; the oldest is removed. If the disk refuses, lines are dropped and
/// counted.
class TENON_API RotatingFileLogSink final : public LogSink {
 public:
  struct Options {
    std::string path;
    int64_t maxBytes = 4 << 20;
    int keep = 3;
  };
  explicit RotatingFileLogSink(Options options);
  ~RotatingFileLogSink() override;
  RotatingFileLogSink(const RotatingFileLogSink&) = delete;
  RotatingFileLogSink& operator=(const RotatingFileLogSink&) = delete;

  void write(const LogRecord& record) noexcept override;
  /// Lines lost because the file could not be opened or written.
  int64_t dropped() const noexcept { return dropped_.load(); }

 private:
  void open() noexcept;
  void rotate();
  bool writeAll(std::string_view text) noexcept;

  Options options_;
  std::mutex mutex_;
  int fd_ = -1;
  int64_t size_ = 0;
  std::atomic<int64_t> dropped_{0};
};

}  // namespace tenon
