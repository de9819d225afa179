// SPDX-License-Identifier: Apache-2.0
// The table of layers, and what their definitions share.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/base/issues.h"
#include "engine/layers/inner_graph.h"
#include "engine/layers/planning.h"
#include "engine/schema/suggest.h"

namespace tenon {

std::span<const LayerDef& (*const)()> layerDefinitions();

InnerRun::~InnerRun() = default;
InnerGraph::~InnerGraph() = default;

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
  static constexpr std::string_view kNames[] = {
      "Data",  "Convolution",    "Linear",    "Normalization", "Activation", "Pooling", "Shape",
      "Merge", "Regularization", "Embedding", "Recurrent",     "Attention",  "Flow"};
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
  return fieldIssue(std::move(code), std::move(text), std::move(args), std::move(field));
}

Issue unknownLayer(std::string_view id) {
  std::vector<std::string> known;
  for (const LayerDef* each : allLayers()) known.push_back(each->id);
  const std::string near = nearestName(id, known);
  return layerIssue("graph.unknown-layer",
                    near.empty() ? TENON_TEXT("there is no layer '{0}'")
                                 : TENON_TEXT("there is no layer '{0}'; did you mean '{1}'?"),
                    {std::string(id), near});
}

namespace {

bool takes(LayerTakes wanted, DType type) {
  if (wanted == LayerTakes::Any) return true;
  if (wanted == LayerTakes::Floating) return isFloating(type);
  if (wanted == LayerTakes::Mask) return isFloating(type) || type == DType::Bool;
  return !isFloating(type) && type != DType::Bool;
}

const char* takesText(LayerTakes wanted) {
  return wanted == LayerTakes::Integers
             ? TENON_TEXT("wants whole numbers, such as i64, got {0} {1}")
             : TENON_TEXT("wants floating numbers, such as f32, got {0} {1}");
}

const char* optionalTakesText(LayerTakes wanted) {
  if (wanted == LayerTakes::Mask)
    return TENON_TEXT("'{2}' wants true and false or floating numbers, such as f32, got {0} {1}");
  return wanted == LayerTakes::Integers
             ? TENON_TEXT("'{2}' wants whole numbers, such as i64, got {0} {1}")
             : TENON_TEXT("'{2}' wants floating numbers, such as f32, got {0} {1}");
}

/// "N×C×L" for 3.
const char* axesText(size_t ndim) {
  static constexpr const char* kAxes[] = {"", "N", "N×C", "N×C×L", "N×C×H×W", "N×C×D×H×W"};
  return ndim < 6 ? kAxes[ndim] : "";
}

void refuseRank(std::string text, size_t ndim, const PortShape& in, LayerPlan& plan) {
  plan.issues.push_back(layerIssue(
      "graph.rank", std::move(text),
      {std::to_string(ndim), axesText(ndim), std::to_string(in.sizes.size()), toString(in)}));
}

}  // namespace

LayerPlan planLayer(const LayerDef& def, const PlanRequest& request) {
  for (size_t port = 0; port < request.inputs.size(); ++port) {
    const PortShape& in = request.inputs[port];
    if (!request.wired(port) && def.isOptional(port)) continue;
    if (takes(def.takesAt(port), in.dtype)) continue;
    LayerPlan refused;
    std::vector<std::string> args = {std::string(dtypeName(in.dtype)), toString(in)};
    const bool optional = def.isOptional(port);
    if (optional) args.push_back(def.inputs[port]);
    const LayerTakes wanted = def.takesAt(port);
    refused.issues.push_back(layerIssue(
        "graph.type", optional ? optionalTakesText(wanted) : takesText(wanted), std::move(args)));
    return refused;
  }
  return def.plan(request);
}

bool wantRank(const PlanRequest& request, size_t ndim, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  if (in.sizes.size() == ndim) return true;
  refuseRank(TENON_TEXT("wants an input with {0} axes ({1}), got {2} ({3})"), ndim, in, plan);
  return false;
}

bool wantAtLeast(const PlanRequest& request, size_t ndim, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  if (in.sizes.size() >= ndim) return true;
  refuseRank(TENON_TEXT("wants an input with at least {0} axes ({1}), got {2} ({3})"), ndim, in,
             plan);
  return false;
}

bool wantAtMost(const PlanRequest& request, size_t ndim, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  if (in.sizes.size() <= ndim) return true;
  refuseRank(TENON_TEXT("wants an input with at most {0} axes ({1}), got {2} ({3})"), ndim, in,
             plan);
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

bool wantSpatial(const PlanRequest& request, int axes, LayerPlan& plan) {
  return wantRank(request, static_cast<size_t>(axes) + 2, plan) && wantKnownSizes(request, plan);
}

bool wantSequence(const PlanRequest& request, size_t port, LayerPlan& plan) {
  const PortShape& in = request.inputs[port];
  if (in.sizes.size() == 3) return wantKnownSizes({request.params, {&in, 1}}, plan);
  plan.issues.push_back(layerIssue(
      "graph.rank", TENON_TEXT("wants a sequence with 3 axes (N×steps×features), got {0} ({1})"),
      {std::to_string(in.sizes.size()), toString(in)}));
  return false;
}

std::string typeAndShape(const PortShape& shape) {
  return std::string(dtypeName(shape.dtype)) + " " + toString(shape);
}

void refuseInput(const std::string& name, const std::string& wanted, const PortShape& got,
                 LayerPlan& plan) {
  plan.issues.push_back(layerIssue("graph.optional-input", TENON_TEXT("'{0}' wants {1}, got {2}"),
                                   {name, wanted, typeAndShape(got)}));
}

ParamSpec axesParam(std::string name, int axes, int64_t value) {
  if (axes == 1) return intParam(std::move(name), value);
  const auto most = static_cast<size_t>(axes);
  return intListParam(std::move(name), std::vector<int64_t>(most, value))
      .count(axes == 2 ? 1 : most, most)
      .inUnit("px");
}

PerAxis perAxis(const ParamMap& params, std::string_view name, int axes) {
  const std::vector<int64_t> values = params.getInts(name);
  PerAxis all;
  for (size_t a = 0; a < static_cast<size_t>(axes); ++a)
    all.push_back(values[std::min(a, values.size() - 1)]);
  return all;
}

ParamSpec axisParam(int64_t value) {
  return intParam("axis", value)
      .range(-7, 7)
      .describe(TENON_TEXT("Number of the axis: 1 is the first after the batch, -1 the last."));
}

int axisOf(const PlanRequest& request, std::string_view name, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  const auto ndim = static_cast<int64_t>(in.sizes.size());
  const int64_t asked = request.params.getInt(name);
  const int64_t axis = asked < 0 ? asked + ndim : asked;
  if (axis >= 1 && axis < ndim) return static_cast<int>(axis);
  plan.issues.push_back(layerIssue("graph.axis",
                                   TENON_TEXT("wants an axis behind the batch of {0}, got {1}"),
                                   {toString(in), std::to_string(asked)}, std::string(name)));
  return -1;
}

std::string sizeText(const PerAxis& size) { return fmt::format("{}", fmt::join(size, "x")); }

ParamSpec epsilonParam(double value) {
  return floatParam("eps", value)
      .called(TENON_TEXT("Epsilon"))
      .above(0)
      .onLogScale()
      .describe(TENON_TEXT("Added to the variance."))
      .forExperts();
}

Init fanInUniform(int64_t fanIn) {
  return {Init::Kind::Uniform, fanIn > 0 ? 1.0 / std::sqrt(static_cast<double>(fanIn)) : 0.0};
}

Init xavierUniform(int64_t fanIn, int64_t fanOut) {
  const double sum = static_cast<double>(fanIn) + static_cast<double>(fanOut);
  return {Init::Kind::Uniform, sum > 0 ? std::sqrt(6.0 / sum) : 0.0};
}

void addScaleAndShift(int64_t size, const std::string& prefix, LayerPlan& plan, bool bias) {
  plan.weights.push_back({prefix + "weight", {size}, {Init::Kind::Ones}, true, false});
  if (bias) plan.weights.push_back({prefix + "bias", {size}, {Init::Kind::Zeros}, true, false});
}

void addLinear(int64_t in, int64_t out, bool bias, const std::string& prefix, LayerPlan& plan) {
  plan.weights.push_back({prefix + "weight", {out, in}, fanInUniform(in)});
  if (bias) plan.weights.push_back({prefix + "bias", {out}, fanInUniform(in), true, false});
}

LayerPlan samePlan(const PlanRequest& request, double flopsPerElement) {
  LayerPlan plan;
  plan.outputs = {request.inputs[0]};
  plan.flops = flopsPerElement * static_cast<double>(request.inputs[0].perSample());
  return plan;
}

}  // namespace tenon
