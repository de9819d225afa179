// SPDX-License-Identifier: GPL-3.0-or-later
// Which quantities several runs can be compared by, from the names of their curves.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include "ui/curves/curve_set.h"

namespace tenon::ui {

/// A quantity to choose: "loss" with its training and validation curve.
struct CurveChoice {
  QString id;     ///< "loss", "memory/allocated"
  QString title;  ///< "Loss", "Memory, allocated"
  QList<CurveLine> lines;
  friend bool operator==(const CurveChoice&, const CurveChoice&) = default;
};

/// Choices for the metrics of a store ("train/loss", "validation/loss", ...): what is measured of
/// the model first, what is measured of the machine last. Names that appear twice count once.
[[nodiscard]] QList<CurveChoice> curveChoices(const QStringList& metrics);

}  // namespace tenon::ui
