// SPDX-License-Identifier: GPL-3.0-or-later
// Reads samples as a loader does and measures them.
#include "ui/panels/first_batch/batch_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/data/loader/loader.h"

namespace tenon::ui {
namespace {

constexpr size_t kMostPictures = 512;

template <class T>
void append(std::vector<double>& numbers, std::span<const std::byte> bytes) {
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    numbers.push_back(static_cast<double>(value));
  }
}

QString timesText(const Shape& shape) {
  QStringList sizes;
  for (int axis = 0; axis < shape.ndim(); ++axis) sizes.append(QString::number(shape[axis]));
  return sizes.join(QStringLiteral("×"));
}

QString nameOf(DType dtype) {
  const std::string_view name = dtypeName(dtype);
  return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

/// Mean and variance of a whole from those of its parts (Chan et al., 1979).
class Gathered {
 public:
  void add(const ValueFacts& part) {
    whole_.notFinite += part.notFinite;
    if (part.count == 0) return;
    if (whole_.count == 0) {
      whole_.least = part.least;
      whole_.most = part.most;
    }
    whole_.least = std::min(whole_.least, part.least);
    whole_.most = std::max(whole_.most, part.most);
    const double both = double(whole_.count + part.count);
    const double delta = part.mean - whole_.mean;
    squares_ += part.deviation * part.deviation * double(part.count) +
                delta * delta * double(whole_.count) * double(part.count) / both;
    whole_.mean += delta * double(part.count) / both;
    whole_.count += part.count;
  }
  [[nodiscard]] ValueFacts facts() const {
    ValueFacts all = whole_;
    if (all.count > 0) all.deviation = std::sqrt(squares_ / double(all.count));
    return all;
  }

 private:
  ValueFacts whole_;
  double squares_ = 0;
};

/// The values of a picture, planes first, no larger than a cell wants them.
struct SmallPicture {
  int channels = 0;  ///< 0: no picture
  int height = 0;
  int width = 0;
  std::vector<float> values;
};

/// Mean of what is finite in a square of a plane.
class Squares {
 public:
  Squares(std::span<const double> plane, int width, int edge)
      : plane_(plane), width_(width), height_(int(plane.size()) / width), edge_(edge) {}

  [[nodiscard]] float at(int row, int column) const {
    constexpr double kMost = std::numeric_limits<float>::max();
    double sum = 0;
    int count = 0;
    for (int y = row * edge_; y < std::min((row + 1) * edge_, height_); ++y) {
      for (int x = column * edge_; x < std::min((column + 1) * edge_, width_); ++x) {
        const double value = plane_[size_t(y) * size_t(width_) + size_t(x)];
        if (!std::isfinite(value)) continue;
        sum += value;
        ++count;
      }
    }
    return count == 0 ? std::numeric_limits<float>::quiet_NaN()
                      : float(std::clamp(sum / count, -kMost, kMost));
  }

 private:
  std::span<const double> plane_;
  int width_;
  int height_;
  int edge_;
};

SmallPicture smallPicture(const Shape& shape, std::span<const double> numbers) {
  const bool flat = shape.ndim() == 2;
  if (!flat && shape.ndim() != 3) return {};
  const int channels = flat ? 1 : int(shape[0]);
  const int height = int(shape[shape.ndim() - 2]);
  const int width = int(shape[shape.ndim() - 1]);
  const size_t plane = size_t(height) * size_t(width);
  const bool fits =
      (channels == 1 || channels == 3) && plane > 0 && numbers.size() == plane * size_t(channels);
  if (!fits) return {};
  const auto parts = [](int length, int edge) { return (length + edge - 1) / edge; };
  const int edge = parts(std::max(height, width), kPictureEdge);
  SmallPicture small{channels, parts(height, edge), parts(width, edge), {}};
  small.values.reserve(size_t(channels) * size_t(small.height) * size_t(small.width));
  for (int c = 0; c < channels; ++c) {
    const Squares squares(numbers.subspan(size_t(c) * plane, plane), width, edge);
    for (int y = 0; y < small.height; ++y)
      for (int x = 0; x < small.width; ++x) small.values.push_back(squares.at(y, x));
  }
  return small;
}

QImage imageOf(const SmallPicture& small, const ValueFacts& range) {
  if (small.channels == 0) return {};
  const double scale = range.most > range.least ? 255 / (range.most - range.least) : 0;
  const size_t plane = size_t(small.height) * size_t(small.width);
  QImage image(small.width, small.height,
               small.channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
  for (int y = 0; y < small.height; ++y) {
    uchar* line = image.scanLine(y);
    for (int x = 0; x < small.width; ++x) {
      for (int c = 0; c < small.channels; ++c) {
        const size_t at = size_t(c) * plane + size_t(y) * size_t(small.width) + size_t(x);
        const double value = double(small.values[at]);
        const double grey = std::isfinite(value) ? (value - range.least) * scale : 0;
        *line++ = uchar(std::lround(std::clamp(grey, 0.0, 255.0)));
      }
    }
  }
  return image;
}

BatchStage stageOf(const Dataset& dataset, const QString& title, int64_t index,
                   const SampleContext& context) {
  const SampleMeta& meta = dataset.meta();
  std::vector<std::byte> bytes(size_t(meta.bytes()));
  dataset.get(index, context, bytes);
  const std::vector<double> numbers = numbersOf(meta.dtype, bytes);
  BatchStage stage;
  stage.title = title;
  stage.shape = timesText(meta.shape) + u' ' + nameOf(meta.dtype);
  stage.facts = factsOf(numbers);
  stage.picture = pictureOf(meta.shape, numbers, stage.facts);
  return stage;
}

}  // namespace

std::vector<double> numbersOf(DType dtype, std::span<const std::byte> bytes) {
  std::vector<double> numbers;
  numbers.reserve(bytes.size() / size_t(std::max<int64_t>(dtypeBytes(dtype), 1)));
  switch (dtype) {
    case DType::F32:
      append<float>(numbers, bytes);
      break;
    case DType::F64:
      append<double>(numbers, bytes);
      break;
    case DType::I64:
      append<int64_t>(numbers, bytes);
      break;
    case DType::I32:
      append<int32_t>(numbers, bytes);
      break;
    case DType::I8:
      append<int8_t>(numbers, bytes);
      break;
    case DType::U8:
    case DType::Bool:
      append<uint8_t>(numbers, bytes);
      break;
    case DType::F16:
    case DType::BF16:
      break;  // no reader or transform gives these
  }
  return numbers;
}

ValueFacts factsOf(std::span<const double> numbers) {
  ValueFacts facts;
  double sum = 0;
  for (const double number : numbers) {
    if (!std::isfinite(number)) {
      ++facts.notFinite;
      continue;
    }
    facts.least = facts.count == 0 ? number : std::min(facts.least, number);
    facts.most = facts.count == 0 ? number : std::max(facts.most, number);
    sum += number;
    ++facts.count;
  }
  if (facts.count == 0) return facts;
  facts.mean = sum / double(facts.count);
  double squares = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) squares += (number - facts.mean) * (number - facts.mean);
  facts.deviation = std::sqrt(squares / double(facts.count));
  return facts;
}

QImage pictureOf(const Shape& shape, std::span<const double> numbers, const ValueFacts& range) {
  return imageOf(smallPicture(shape, numbers), range);
}

FirstBatch firstBatch(const BatchQuestion& question, const std::stop_token& stop) {
  FirstBatch batch;
  const Dataset& dataset = *question.training;
  const SampleMeta& meta = dataset.meta();
  const SampleContext context{question.seed, 0};
  batch.indices = sampleOrder(dataset.size(), true, question.seed, 0);
  batch.indices.resize(std::min(batch.indices.size(), size_t(std::max(question.batchSize, 1LL))));
  std::vector<SmallPicture> kept;
  size_t keptBytes = 0;
  Gathered gathered;
  std::vector<std::byte> bytes(size_t(meta.bytes()));
  for (const int64_t index : batch.indices) {
    if (stop.stop_requested()) return {};
    batch.targets.push_back(dataset.get(index, context, bytes));
    const std::vector<double> numbers = numbersOf(meta.dtype, bytes);
    gathered.add(factsOf(numbers));
    if (kept.size() == kMostPictures || keptBytes > kPictureBytes) continue;
    SmallPicture small = smallPicture(meta.shape, numbers);
    keptBytes += small.values.size() * sizeof(float);
    if (keptBytes <= kPictureBytes) kept.push_back(std::move(small));
  }
  batch.facts = gathered.facts();
  for (const SmallPicture& small : kept) batch.pictures.append(imageOf(small, batch.facts));
  batch.shape = QStringLiteral("%1×%2").arg(batch.indices.size()).arg(timesText(meta.shape));
  batch.dtype = nameOf(meta.dtype);
  batch.bytes = qint64(batch.indices.size()) * meta.bytes();
  for (size_t i = 0; i < question.stages.size() && !batch.indices.empty(); ++i)
    batch.chain.append(stageOf(*question.stages[i], question.titles.value(qsizetype(i)),
                               batch.indices.front(), context));
  return batch;
}

}  // namespace tenon::ui
