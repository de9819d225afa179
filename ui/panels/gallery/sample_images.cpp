// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of bytes to pictures.
#include "ui/panels/gallery/sample_images.h"

#include <vector>

#include "engine/base/error.h"

namespace tenon::ui {

bool hasPictures(const SampleMeta& meta) {
  return meta.dtype == DType::U8 && meta.shape.ndim() == 3 &&
         (meta.shape[0] == 1 || meta.shape[0] == 3) && meta.shape.numel() > 0;
}

QImage sampleImage(const Dataset& dataset, qint64 index) {
  const SampleMeta& meta = dataset.meta();
  if (!hasPictures(meta) || index < 0 || index >= dataset.size()) return {};
  std::vector<std::byte> values(size_t(meta.bytes()));
  dataset.get(index, {}, values);
  const int channels = int(meta.shape[0]);
  const int height = int(meta.shape[1]);
  const int width = int(meta.shape[2]);
  QImage image(width, height, channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
  const size_t plane = size_t(width) * size_t(height);
  for (int y = 0; y < height; ++y) {
    uchar* line = image.scanLine(y);
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        *line++ = uchar(values[size_t(c) * plane + size_t(y) * size_t(width) + size_t(x)]);
  }
  return image;
}

QHash<int, QImage> sampleImages(const Dataset& dataset, int first, int last,
                                const std::stop_token& stop) {
  QHash<int, QImage> images;
  for (int row = first; row <= last && !stop.stop_requested(); ++row) {
    try {
      images.insert(row, sampleImage(dataset, row));
    } catch (const Error&) {
      images.insert(row, {});  // shown as a cell without a picture; the check names the fault
    }
  }
  return images;
}

}  // namespace tenon::ui
