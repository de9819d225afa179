// SPDX-License-Identifier: Apache-2.0
// The table of layers, and what their definitions share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/layers/planning.h"

namespace tenon {

std::span<const LayerDef& (*const)()> layerDefinitions();

std::span<const LayerDef* const> allLayers() {
  static const std::vector<const LayerDef*> all = [] {
    std::vector<const LayerDef*> layers;
    for (const LayerDef& (*definition)() : layerDefinitions()) layers.push_back(&definition());
    std::sort(layers.begin(), layers.end(),
              [](const LayerDef* a, const LayerDef* b) { return a->id < b->id; });
    return layers;
  }();
  return all;
}

const LayerDef* findLayer(std::string_view id) {
  for (const LayerDef* layer : allLayers())
    if (layer->id == id) return layer;
  return nullptr;
}

std::string_view familyName(LayerFamily family) {
  static constexpr std::string_view kNames[] = {"Data",          "Convolution", "Linear",
                                                "Normalization", "Activation",  "Pooling",
                                                "Shape",         "Merge",       "Regularization"};
  return kNames[static_cast<size_t>(family)];
}

int64_t PortShape::perSample() const {
  int64_t n = 1;
  for (size_t i = 1; i < sizes.size(); ++i) n *= sizes[i];
  return n;
}

std::string toString(const PortShape& shape) {
  std::string out;
  for (int64_t size : shape.sizes)
    out += (out.empty() ? "" : "×") + (size == kFreeSize ? "N" : std::to_string(size));
  return out.empty() ? "scalar" : out;
}

Issue layerIssue(std::string code, std::string text, std::vector<std::string> args,
                 std::string field) {
  Issue issue;
  issue.code = std::move(code);
  issue.text = std::move(text);
  issue.args = std::move(args);
  issue.place.field = std::move(field);
  return issue;
}

bool wantRank(const PlanRequest& request, size_t ndim, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  if (in.sizes.size() == ndim) return true;
  static constexpr const char* kAxes[] = {"", "N", "N×C", "N×C×L", "N×C×H×W", "N×C×D×H×W"};
  plan.issues.push_back(layerIssue("graph.rank",
                                   TENON_TEXT("wants an input with {0} axes ({1}), got {2} ({3})"),
                                   {std::to_string(ndim), ndim < 6 ? kAxes[ndim] : "",
                                    std::to_string(in.sizes.size()), toString(in)}));
  return false;
}

bool wantKnownSizes(const PlanRequest& request, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  for (size_t i = 1; i < in.sizes.size(); ++i) {
    if (in.sizes[i] > 0) continue;
    plan.issues.push_back(
        layerIssue("graph.size", TENON_TEXT("wants known sizes above 0, got {0}"), {toString(in)}));
    return false;
  }
  return true;
}

std::pair<int64_t, int64_t> pairOf(const ParamMap& params, std::string_view name) {
  const std::vector<int64_t> values = params.getInts(name);
  return {values.front(), values.back()};
}

std::string sizeText(std::pair<int64_t, int64_t> size) {
  return fmt::format("{}x{}", size.first, size.second);
}

Init fanInUniform(int64_t fanIn) {
  return {Init::Kind::Uniform, fanIn > 0 ? 1.0 / std::sqrt(static_cast<double>(fanIn)) : 0.0};
}

LayerPlan samePlan(const PlanRequest& request, double flopsPerElement) {
  LayerPlan plan;
  plan.outputs = {request.inputs[0]};
  plan.flops = flopsPerElement * static_cast<double>(request.inputs[0].perSample());
  return plan;
}

}  // namespace tenon
