// SPDX-License-Identifier: GPL-3.0-or-later
// Times and lines of a screen test.
#include "tests/screens/journal.h"

#include <unistd.h>
#include <ctime>

#include <QFile>
#include <QTextStream>

namespace tenon::screens {

double secondsSinceStart() {
  // Field 22 of stat is the start in clock ticks since boot; the name before it may hold spaces.
  static const double began = [] {
    QFile stat(QStringLiteral("/proc/self/stat"));
    if (!stat.open(QIODevice::ReadOnly)) throw Failed(QStringLiteral("/proc is not there"));
    const QByteArray text = stat.readAll();
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    return fields.value(19).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
  }();
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - began;
}

void note(const QString& text) {
  QTextStream out(stdout);
  out << QStringLiteral("[%1 s] %2").arg(secondsSinceStart(), 7, 'f', 2).arg(text) << Qt::endl;
}

void require(bool holds, const QString& text) {
  if (!holds) throw Failed(text);
}

}  // namespace tenon::screens
