// SPDX-License-Identifier: Apache-2.0
// Reader, split, transforms, each with its issues at its own place of the project file.
#include "engine/data/pipeline.h"

#include <algorithm>

#include "engine/base/issues.h"
#include "engine/base/philox.h"
#include "engine/data/reader_def.h"
#include "engine/data/transform_def.h"
#include "engine/data/wrapping.h"
#include "engine/schema/suggest.h"
#include "engine/schema/validate.h"

namespace tenon {
namespace {

/// Some samples of another data set.
class Subset final : public WrappingDataset {
 public:
  Subset(DatasetPtr inner, std::vector<int64_t> indices)
      : WrappingDataset(std::move(inner)), indices_(std::move(indices)) {}
  int64_t size() const override { return static_cast<int64_t>(indices_.size()); }
  int64_t get(int64_t index, const SampleContext& context,
              std::span<std::byte> values) const override {
    return inner().get(indices_[static_cast<size_t>(index)], context, values);
  }
  int64_t target(int64_t index) const override {
    return inner().target(indices_[static_cast<size_t>(index)]);
  }

 private:
  std::vector<int64_t> indices_;
};

template <class Definition>
Issue unknownPart(const char* what, const std::string& type, std::span<const Definition* const> all,
                  const std::string& field) {
  std::vector<std::string> ids;
  for (const Definition* definition : all) ids.push_back(definition->id);
  const std::string near = nearestName(type, ids);
  return fieldIssue("data.unknown-part",
                    near.empty() ? TENON_TEXT("there is no {0} '{1}'")
                                 : TENON_TEXT("there is no {0} '{1}'; did you mean '{2}'?"),
                    {what, type, near}, field);
}

/// Adds issues of a part at `field`: their own fields are parameter names.
void addAt(Issues& to, Issues from, const std::string& field) {
  for (Issue& issue : from) {
    issue.place.field = issue.place.field.empty() ? field : field + "." + issue.place.field;
    to.push_back(std::move(issue));
  }
}

/// What all parts of one opening are opened with.
struct Opening {
  const std::string& folder;
  int64_t classes = 0;  ///< that the project names
  const std::stop_token& stop;
  Issues& issues;
};

DatasetPtr openReader(const PartSpec& part, const std::string& field, const Opening& opening) {
  Issues& issues = opening.issues;
  const ReaderDef* def = findReader(part.type);
  if (!def) {
    issues.push_back(unknownPart("reader", part.type, allReaders(), field));
    return nullptr;
  }
  const Issues wrong = validate(def->schema, part.params);
  addAt(issues, wrong, field);
  if (hasErrors(wrong)) return nullptr;
  const ParamMap params = completeParams(def->schema, part.params);
  OpenedData opened = def->open({params, opening.folder, opening.classes, opening.stop});
  if (opening.stop.stop_requested()) throw Error(Code::Stopped, "opening the data was stopped");
  addAt(issues, std::move(opened.issues), field);
  return opened.dataset;
}

void splitByFraction(const SplitSpec& split, DataPipeline& out) {
  const int64_t size = out.rawTraining->size();
  std::vector<int64_t> order = philox::permutation(
      size, philox::makeKey(static_cast<uint64_t>(split.seed), philox::Purpose::Split));
  const auto held =
      std::clamp<int64_t>(static_cast<int64_t>(split.fraction * static_cast<double>(size) + 0.5), 1,
                          std::max<int64_t>(size - 1, 1));
  std::vector<int64_t> validation(order.begin(), order.begin() + held);
  std::vector<int64_t> training(order.begin() + held, order.end());
  std::sort(validation.begin(), validation.end());
  std::sort(training.begin(), training.end());
  const DatasetPtr all = out.rawTraining;
  out.rawTraining = std::make_shared<Subset>(all, std::move(training));
  out.rawValidation = std::make_shared<Subset>(all, std::move(validation));
}

void openRaw(const DataSpec& data, const std::string& folder, const std::stop_token& stop,
             DataPipeline& out) {
  const Opening opening{folder, static_cast<int64_t>(data.classes.size()), stop, out.issues};
  out.rawTraining = openReader(data.reader, "data.reader", opening);
  if (data.split.kind == SplitSpec::Kind::Files)
    out.rawValidation = openReader(data.split.reader, "data.split.reader", opening);
  if (data.split.kind == SplitSpec::Kind::Fraction && out.rawTraining)
    splitByFraction(data.split, out);
  if (!out.rawTraining || !out.rawValidation) return;
  const SampleMeta& a = out.rawTraining->meta();
  const SampleMeta& b = out.rawValidation->meta();
  if (a.shape == b.shape && a.dtype == b.dtype) return;
  out.issues.push_back(fieldIssue(
      "data.split-shape", TENON_TEXT("validation samples are {0}, training samples are {1}"),
      {toString(b.shape), toString(a.shape)}, "data.split.reader"));
}

DatasetPtr transformed(const PartSpec& part, size_t position, bool training, DatasetPtr inner,
                       Issues& issues) {
  const std::string field = "data.transforms." + std::to_string(position);
  const TransformDef* def = findTransform(part.type);
  if (!def) {
    issues.push_back(unknownPart("transform", part.type, allTransforms(), field));
    return nullptr;
  }
  const Issues wrong = validate(def->schema, part.params);
  addAt(issues, wrong, field);
  if (hasErrors(wrong)) return nullptr;
  const ParamMap params = completeParams(def->schema, part.params);
  TransformedData made =
      def->make({params, std::move(inner), training, static_cast<int>(position)});
  addAt(issues, std::move(made.issues), field);
  return made.dataset;
}

void applyTransforms(const DataSpec& data, DataPipeline& out) {
  DatasetPtr training = out.rawTraining;
  DatasetPtr validation = out.rawValidation;
  out.stages = {training};
  for (size_t i = 0; i < data.transforms.size() && training; ++i) {
    training = transformed(data.transforms[i], i, true, training, out.issues);
    if (training) out.stages.push_back(training);
    Issues same;  // what is wrong was said for the training data
    if (validation) validation = transformed(data.transforms[i], i, false, validation, same);
  }
  out.training = training;
  out.validation = training ? validation : nullptr;
}

}  // namespace

DataPipeline openData(const DataSpec& data, const std::string& projectFolder,
                      const std::stop_token& stop) {
  DataPipeline out;
  openRaw(data, projectFolder, stop, out);
  if (out.rawTraining && out.ok()) applyTransforms(data, out);
  out.classes = data.classes;
  if (out.rawTraining && out.classes.empty())
    for (int64_t i = 0; i < out.rawTraining->meta().classes; ++i)
      out.classes.push_back(std::to_string(i));
  return out;
}

std::vector<int64_t> classCounts(const Dataset& dataset) {
  std::vector<int64_t> counts(static_cast<size_t>(std::max<int64_t>(dataset.meta().classes, 0)), 0);
  for (int64_t i = 0, n = dataset.size(); i < n; ++i) {
    const int64_t target = dataset.target(i);
    if (target >= 0 && target < static_cast<int64_t>(counts.size()))
      ++counts[static_cast<size_t>(target)];
  }
  return counts;
}

}  // namespace tenon
