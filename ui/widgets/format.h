// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as text and back, one way for the whole program. The decimal sign is always '.'.
#pragma once

#include <QString>
#include <QStringView>
#include <optional>

namespace tenon::ui {

/// "512 B", "3.5 KiB", "12.4 MiB", "1.25 GiB" (binary units, three significant digits).
[[nodiscard]] QString formatBytes(qint64 bytes);
/// "850 ms", "12.4 s", "3 min 05 s", "1 h 02 min", "2 d 04 h". Negative or not finite: "–".
[[nodiscard]] QString formatDuration(double seconds);
/// For metrics: `digits` significant digits, exponent form outside 1e-4..1e7; "NaN", "∞", "-∞".
[[nodiscard]] QString formatNumber(double value, int digits = 4);
/// Whole numbers with thin spaces between groups of three from 10 000 on: "60 000", "9999".
[[nodiscard]] QString formatCount(qint64 count);
/// Three significant digits and k, M, G, T: "864", "18.5 k", "1.24 M".
[[nodiscard]] QString formatCompact(double value);
/// "92.53 %" of a share 0..1, two digits behind the point.
[[nodiscard]] QString formatPercent(double share);
/// Shortest text that reads back as the same double: "0.002", "1e-08", "0.1".
[[nodiscard]] QString shortestNumber(double value);
/// Reads "2e-3", "0.002", "-.5", "1/255", "60 000", "1_000"; nothing for anything else or not
/// finite.
[[nodiscard]] std::optional<double> parseNumber(QStringView text);

}  // namespace tenon::ui
