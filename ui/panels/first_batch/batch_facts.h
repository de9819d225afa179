// SPDX-License-Identifier: GPL-3.0-or-later
// The first training batch as the model gets it, and how its first sample became what it is.
#pragma once

#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/data/dataset.h"

namespace tenon::ui {

/// Statistics of values; not finite ones are counted and left out of the rest.
struct ValueFacts {
  double least = 0;
  double most = 0;
  double mean = 0;
  double deviation = 0;
  qint64 count = 0;
  qint64 notFinite = 0;
};

/// One sample after one step of the chain.
struct BatchStage {
  QString title;  ///< "As read", "Normalize"
  QString shape;  ///< "1×28×28 f32"
  ValueFacts facts;
  QImage picture;  ///< null if the sample is no picture
};

/// Longest edge of a picture: twice a cell's, for screens of two pixels a point.
inline constexpr int kPictureEdge = 144;
/// Most bytes of values kept until the range of the batch is known; the samples after that have no
/// row.
inline constexpr size_t kPictureBytes = size_t(64) << 20;

struct FirstBatch {
  QString shape;  ///< "128×1×28×28"
  QString dtype;  ///< "f32"
  qint64 bytes = 0;
  ValueFacts facts;        ///< of all values of the batch
  QList<QImage> pictures;  ///< of the first samples, as many as are kept
  std::vector<int64_t> targets;
  std::vector<int64_t> indices;
  QList<BatchStage> chain;
};

/// What to look at. The data sets are shared with the check and with a run.
struct BatchQuestion {
  DatasetPtr training;
  std::vector<DatasetPtr> stages;  ///< as read, then after each transform
  QStringList titles;              ///< of the stages
  qint64 batchSize = 1;
  quint64 seed = 0;
};

/// Values of one sample as numbers, whatever their type.
[[nodiscard]] std::vector<double> numbersOf(DType dtype, std::span<const std::byte> bytes);
[[nodiscard]] ValueFacts factsOf(std::span<const double> numbers);
/// Numbers [C, H, W] as grey or colours, `least` black and `most` white; null if that is no
/// picture. What is larger than kPictureEdge is made smaller by a whole factor.
[[nodiscard]] QImage pictureOf(const Shape& shape, std::span<const double> numbers,
                               const ValueFacts& range);
/// Reads the batch with which a run of this seed begins: the same samples in the same order, with
/// the same random transforms.
/// @thread any @throws tenon::Error if a sample is damaged
[[nodiscard]] FirstBatch firstBatch(const BatchQuestion& question, const std::stop_token& stop);

}  // namespace tenon::ui
