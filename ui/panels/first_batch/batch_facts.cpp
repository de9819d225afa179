// SPDX-License-Identifier: GPL-3.0-or-later
// Reads samples as a loader does and measures them.
#include "ui/panels/first_batch/batch_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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
  const bool flat = shape.ndim() == 2;
  if (!flat && shape.ndim() != 3) return {};
  const int channels = flat ? 1 : int(shape[0]);
  const int height = int(shape[shape.ndim() - 2]);
  const int width = int(shape[shape.ndim() - 1]);
  const size_t plane = size_t(height) * size_t(width);
  const bool fits =
      (channels == 1 || channels == 3) && plane > 0 && numbers.size() == plane * size_t(channels);
  if (!fits) return {};
  const double scale = range.most > range.least ? 255 / (range.most - range.least) : 0;
  QImage image(width, height, channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
  for (int y = 0; y < height; ++y) {
    uchar* line = image.scanLine(y);
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) {
        const double value = numbers[size_t(c) * plane + size_t(y) * size_t(width) + size_t(x)];
        const double grey = std::isfinite(value) ? (value - range.least) * scale : 0;
        *line++ = uchar(std::clamp(std::lround(grey), 0L, 255L));
      }
    }
  }
  return image;
}

FirstBatch firstBatch(const BatchQuestion& question, const std::stop_token& stop) {
  FirstBatch batch;
  const Dataset& dataset = *question.training;
  const SampleMeta& meta = dataset.meta();
  const SampleContext context{question.seed, 0};
  batch.indices = sampleOrder(dataset.size(), true, question.seed, 0);
  batch.indices.resize(std::min(batch.indices.size(), size_t(std::max(question.batchSize, 1LL))));
  std::vector<std::vector<double>> kept;
  Gathered gathered;
  std::vector<std::byte> bytes(size_t(meta.bytes()));
  for (const int64_t index : batch.indices) {
    if (stop.stop_requested()) return {};
    batch.targets.push_back(dataset.get(index, context, bytes));
    std::vector<double> numbers = numbersOf(meta.dtype, bytes);
    gathered.add(factsOf(numbers));
    if (kept.size() < kMostPictures) kept.push_back(std::move(numbers));
  }
  batch.facts = gathered.facts();
  for (const auto& numbers : kept)
    batch.pictures.append(pictureOf(meta.shape, numbers, batch.facts));
  batch.shape = QStringLiteral("%1×%2").arg(batch.indices.size()).arg(timesText(meta.shape));
  batch.dtype = nameOf(meta.dtype);
  batch.bytes = qint64(batch.indices.size()) * meta.bytes();
  for (size_t i = 0; i < question.stages.size() && !batch.indices.empty(); ++i)
    batch.chain.append(stageOf(*question.stages[i], question.titles.value(qsizetype(i)),
                               batch.indices.front(), context));
  return batch;
}

}  // namespace tenon::ui
