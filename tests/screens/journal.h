// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen test did and when, on standard output; and how it says that something is wrong.
#pragma once

#include <QString>
#include <stdexcept>

namespace tenon::screens {

/// Something wanted did not come; ends the job.
class Failed : public std::runtime_error {
 public:
  explicit Failed(const QString& text) : std::runtime_error(text.toStdString()) {}
};

/// Seconds since this process was started, its loading included.
[[nodiscard]] double secondsSinceStart();

/// Prints a line with the time since start.
void note(const QString& text);

/// Throws Failed unless `holds`.
void require(bool holds, const QString& text);

}  // namespace tenon::screens
