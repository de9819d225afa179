// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a data set as pictures.
#pragma once

#include <QHash>
#include <QImage>
#include <stop_token>

#include "engine/data/dataset.h"

namespace tenon::ui {

/// True if samples are u8 pictures [1, H, W] or [3, H, W].
[[nodiscard]] bool hasPictures(const SampleMeta& meta);

/// A sample as a picture (Grayscale8 or RGB888). Null if it is none. @thread any
/// @throws tenon::Error if the sample is damaged.
[[nodiscard]] QImage sampleImage(const Dataset& dataset, qint64 index);

/// Pictures of rows first..last by row; a damaged one is a null image. Stops early when asked to.
[[nodiscard]] QHash<int, QImage> sampleImages(const Dataset& dataset, int first, int last,
                                              const std::stop_token& stop);

}  // namespace tenon::ui
