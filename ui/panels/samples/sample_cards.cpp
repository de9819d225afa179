// SPDX-License-Identifier: GPL-3.0-or-later
// From stored predictions to cards.
#include "ui/panels/samples/sample_cards.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/widgets/format.h"

namespace tenon::ui {
namespace {

struct SampleText {
  Q_DECLARE_TR_FUNCTIONS(tenon::ui::SampleText)
};

/// Channels, height and width of a sample; zero channels if it is no picture.
struct PictureSize {
  int channels = 0;
  int height = 0;
  int width = 0;
};

PictureSize pictureSize(const std::vector<int64_t>& shape) {
  constexpr int64_t kMostEdge = 4096;
  const bool flat = shape.size() == 2;
  if (!flat && shape.size() != 3) return {};
  const int64_t channels = flat ? 1 : shape[0];
  const int64_t height = shape[shape.size() - 2];
  const int64_t width = shape[shape.size() - 1];
  const bool fits = (channels == 1 || channels == 3) && height > 0 && height <= kMostEdge &&
                    width > 0 && width <= kMostEdge;
  if (!fits) return {};
  return {static_cast<int>(channels), static_cast<int>(height), static_cast<int>(width)};
}

/// `planes`: [C, H, W] u8, contiguous.
QImage pictureOf(const PictureSize& size, const std::byte* planes) {
  const auto* values = reinterpret_cast<const uchar*>(planes);
  const qsizetype plane = qsizetype{size.height} * size.width;
  QImage image(size.width, size.height,
               size.channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
  for (int y = 0; y < size.height; ++y) {
    uchar* line = image.scanLine(y);
    const uchar* row = values + qsizetype{y} * size.width;
    for (int x = 0; x < size.width; ++x)
      for (int c = 0; c < size.channels; ++c) line[x * size.channels + c] = row[c * plane + x];
  }
  return image;
}

QList<Guess> guessesOf(const std::vector<float>& probabilities) {
  QList<Guess> guesses;
  for (size_t label = 0; label < probabilities.size(); ++label)
    guesses.append({static_cast<int>(label), static_cast<double>(probabilities[label])});
  // NaN sorts last, so that the order stays a strict one.
  std::stable_sort(guesses.begin(), guesses.end(), [](const Guess& a, const Guess& b) {
    if (std::isnan(a.probability) || std::isnan(b.probability))
      return !std::isnan(a.probability) && std::isnan(b.probability);
    return a.probability > b.probability;
  });
  return guesses;
}

}  // namespace

QList<SampleCard> sampleCards(const Predictions& predictions) {
  const PictureSize size = pictureSize(predictions.sampleShape);
  const size_t bytes = static_cast<size_t>(size.channels) * static_cast<size_t>(size.height) *
                       static_cast<size_t>(size.width);
  QList<SampleCard> cards;
  for (size_t i = 0; i < predictions.probabilities.size(); ++i) {
    SampleCard card;
    card.index = i < predictions.indices.size() ? predictions.indices[i] : static_cast<int64_t>(i);
    if (i < predictions.targets.size()) card.target = static_cast<int>(predictions.targets[i]);
    card.guesses = guessesOf(predictions.probabilities[i]);
    card.areProbabilities = predictions.areProbabilities;
    if (bytes > 0 && (i + 1) * bytes <= predictions.pixels.size())
      card.picture = pictureOf(size, predictions.pixels.data() + i * bytes);
    cards.append(card);
  }
  return cards;
}

QString className(const QStringList& names, int label) {
  return label >= 0 && label < names.size() ? names.at(label) : QString::number(label);
}

QString cardText(const SampleCard& card, const QStringList& names) {
  QString head =
      SampleText::tr("Sample %1, target %2").arg(card.index).arg(className(names, card.target));
  if (card.guesses.isEmpty()) return head;
  const Guess& best = card.guesses.first();
  return SampleText::tr("%1, predicted %2 (%3), %4")
      .arg(head, className(names, best.label),
           card.areProbabilities ? formatPercent(best.probability) : formatNumber(best.probability),
           card.isRight() ? SampleText::tr("right") : SampleText::tr("wrong"));
}

}  // namespace tenon::ui
