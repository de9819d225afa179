// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of a few samples as what a person looks at: picture, target, what the model says.
#pragma once

#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>

#include "ui/session/recordings.h"

namespace tenon::ui {

/// A class with its probability, or with what the model gives instead.
struct Guess {
  int label = 0;
  double probability = 0;  ///< 0..1, or any number; NaN if the model diverged
};

/// One sample as seen by the model.
struct SampleCard {
  QImage picture;    ///< null if the data is no image
  qint64 index = 0;  ///< in the validation data
  int target = -1;
  QList<Guess> guesses;  ///< most likely first, all classes
  bool areProbabilities = true;
  [[nodiscard]] bool isRight() const {
    return !guesses.isEmpty() && guesses.first().label == target;
  }
};

/// One card a sample. Pictures are made of u8 samples [H, W], [1, H, W] or [3, H, W].
[[nodiscard]] QList<SampleCard> sampleCards(const Predictions& predictions);
/// Name of a class; its number where it has none.
[[nodiscard]] QString className(const QStringList& names, int label);
/// "Sample 17, target 7, predicted 1 (81.20 %), wrong"; "(2.5)" of a score.
[[nodiscard]] QString cardText(const SampleCard& card, const QStringList& names);

}  // namespace tenon::ui
