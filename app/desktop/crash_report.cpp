// SPDX-License-Identifier: GPL-3.0-or-later
// In the handler only what is allowed in one: write(), open(), backtrace_symbols_fd() on memory
// that is there already.
#include "app/desktop/crash_report.h"

#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <array>
#include <csignal>
#include <cstring>

namespace tenon {
namespace {

constexpr int kMostFrames = 64;
constexpr size_t kStackBytes = 64 * 1024;

char reportPath[512];
alignas(16) char alternateStack[kStackBytes];

void put(int fd, const char* text) {
  const ssize_t written = write(fd, text, std::strlen(text));
  (void)written;  // nothing more can be done
}

const char* signalName(int number) {
  switch (number) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGABRT:
      return "abort";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic fault";
    default:
      return "illegal instruction";
  }
}

void onCrash(int number) {
  const int fd = open(reportPath, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd >= 0) {
    put(fd, "Tenon " TENON_VERSION ": ");
    put(fd, signalName(number));
    put(fd, "\n");
    void* frames[kMostFrames];
    backtrace_symbols_fd(frames, backtrace(frames, kMostFrames), fd);
    close(fd);
  }
  raise(number);  // the handler was reset: the default takes over
}

}  // namespace

void watchForCrashes(const QString& folder) {
  QDir().mkpath(folder);
  const QString name = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-hhmmss"));
  const QByteArray path = QFile::encodeName(
      QDir(folder).filePath(QStringLiteral("crash-%1-%2.txt").arg(name).arg(getpid())));
  if (static_cast<size_t>(path.size()) >= sizeof(reportPath)) return;
  std::memcpy(reportPath, path.constData(), static_cast<size_t>(path.size()) + 1);

  void* frames[1];
  backtrace(frames, 1);  // loads its library now, not in the handler

  stack_t stack = {};
  stack.ss_sp = alternateStack;
  stack.ss_size = sizeof(alternateStack);
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = &onCrash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    sigaction(number, &action, nullptr);
}

QString newestCrashReport(const QString& folder) {
  const QDir dir(folder);
  const QStringList reports =
      dir.entryList({QStringLiteral("crash-*.txt")}, QDir::Files, QDir::Name | QDir::Reversed);
  if (reports.isEmpty()) return {};
  // Given out under another name, so that it is offered once.
  const QString seen = dir.filePath(QStringLiteral("seen-") + reports.first());
  QFile::rename(dir.filePath(reports.first()), seen);
  return seen;
}

}  // namespace tenon
