// SPDX-License-Identifier: Apache-2.0
// Sample predictions; stored as one line of JSON with everything but pixels, a newline, then the
// pixels.
#include "engine/train/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/schema/json.h"

namespace tenon {
namespace {

Json listOf(const std::vector<int64_t>& values) {
  Json list = Json::array();
  for (int64_t value : values) list.push(value);
  return list;
}

const Json& member(const Json& json, const char* key) {
  const Json* found = json.find(key);
  if (!found) throw Error(Code::Input, fmt::format("stored predictions have no '{}'", key));
  return *found;
}

std::vector<int64_t> intsOf(const Json& json) {
  std::vector<int64_t> out;
  for (const Json& item : json.items()) out.push_back(item.asInt());
  return out;
}

Tensor batchOf(const Dataset& data, const std::vector<int64_t>& indices) {
  const SampleMeta& meta = data.meta();
  Shape shape{static_cast<int64_t>(indices.size())};
  for (int64_t size : meta.shape.span()) shape.push(size);
  Tensor batch = Tensor::empty(shape, meta.dtype);
  auto* at = static_cast<std::byte*>(batch.rawData());
  for (int64_t index : indices) {
    data.get(index, {}, {at, static_cast<size_t>(meta.bytes())});
    at += meta.bytes();
  }
  return batch;
}

void addProbabilities(const Model& model, const DataPipeline& data, OutputReading reading,
                      Predictions& out) {
  out.areProbabilities = givesProbabilities(reading);
  const Tensor shares =
      classValues(model.forward(batchOf(*data.validation, out.indices), false), reading);
  const std::vector<float> values = shares.toVector<float>();
  const size_t classes = values.size() / out.indices.size();
  for (size_t i = 0; i < out.indices.size(); ++i)
    out.probabilities.emplace_back(values.begin() + static_cast<ptrdiff_t>(i * classes),
                                   values.begin() + static_cast<ptrdiff_t>((i + 1) * classes));
}

}  // namespace

Predictions predictSamples(const Model& model, const DataPipeline& data, OutputReading reading,
                           int64_t count) {
  Predictions out;
  if (!data.validation || data.validation->size() == 0) return out;
  const gate::NoGradGuard noGrad;
  const int64_t size = data.validation->size();
  for (int64_t i = 0; i < std::min(count, size); ++i)
    out.indices.push_back(i * size / std::min(count, size));
  for (int64_t index : out.indices) out.targets.push_back(data.validation->target(index));
  addProbabilities(model, data, reading, out);
  const SampleMeta& raw = data.rawValidation->meta();
  out.sampleShape.assign(raw.shape.begin(), raw.shape.end());
  if (raw.dtype != DType::U8) return out;
  out.pixels.resize(out.indices.size() * static_cast<size_t>(raw.bytes()));
  for (size_t i = 0; i < out.indices.size(); ++i)
    data.rawValidation->get(
        out.indices[i], {},
        std::span(out.pixels)
            .subspan(i * static_cast<size_t>(raw.bytes()), static_cast<size_t>(raw.bytes())));
  return out;
}

std::vector<std::byte> encode(const Predictions& predictions) {
  Json json = Json::object();
  json.set("version", kPredictionsVersion);
  json.set("shape", listOf(predictions.sampleShape));
  json.set("indices", listOf(predictions.indices));
  json.set("targets", listOf(predictions.targets));
  Json rows = Json::array();
  for (const std::vector<float>& row : predictions.probabilities) {
    Json values = Json::array();
    // A model that diverged gives NaN, which JSON writes as null.
    for (float value : row)
      values.push(std::isfinite(value) ? Json(static_cast<double>(value)) : Json());
    rows.push(std::move(values));
  }
  if (!predictions.areProbabilities) json.set("are_probabilities", false);
  json.set("probabilities", std::move(rows));
  const std::string head = writeJson(json, JsonStyle::OneLine) + "\n";
  std::vector<std::byte> bytes(head.size() + predictions.pixels.size());
  std::memcpy(bytes.data(), head.data(), head.size());
  std::copy(predictions.pixels.begin(), predictions.pixels.end(),
            bytes.begin() + static_cast<ptrdiff_t>(head.size()));
  return bytes;
}

Predictions decodePredictions(std::span<const std::byte> bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const std::string_view all(text, bytes.size());
  const size_t end = all.find('\n');
  if (end == std::string_view::npos) throw Error(Code::Input, "stored predictions are cut off");
  const Json json = parseJson(all.substr(0, end));
  if (member(json, "version").asInt() > kPredictionsVersion)
    throw Error(Code::Version, fmt::format("predictions of version {}, this program reads up to {}",
                                           member(json, "version").asInt(), kPredictionsVersion));
  Predictions out;
  out.sampleShape = intsOf(member(json, "shape"));
  out.indices = intsOf(member(json, "indices"));
  out.targets = intsOf(member(json, "targets"));
  const Json* areProbabilities = json.find("are_probabilities");
  out.areProbabilities = !areProbabilities || areProbabilities->asBool();
  for (const Json& row : member(json, "probabilities").items()) {
    std::vector<float> values;
    for (const Json& value : row.items())
      values.push_back(value.isNull() ? NAN : static_cast<float>(value.asDouble()));
    out.probabilities.push_back(std::move(values));
  }
  const auto pixels = bytes.subspan(end + 1);
  out.pixels.assign(pixels.begin(), pixels.end());
  return out;
}

}  // namespace tenon
