// SPDX-License-Identifier: Apache-2.0
// Plans and calls of graphs inside of layers.
#include "engine/layers/flow.h"

#include <limits>

#include "engine/ops/gate/cast.h"

namespace tenon::flow {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

const InnerGraph* graphIn(const PlanRequest& request, std::string_view slot) {
  if (request.graphs == nullptr) return nullptr;
  const auto found = request.graphs->find(slot);
  return found == request.graphs->end() ? nullptr : found->second.get();
}

std::string fieldOf(std::string_view slot) { return "graphs." + std::string(slot); }

std::string joined(const std::string& within, const std::string& name) {
  if (within.empty()) return name;
  return name.empty() ? within : within + "." + name;
}

}  // namespace

int64_t plus(int64_t a, int64_t b) { return a > kLargest - b ? kLargest : a + b; }
int64_t times(int64_t a, int64_t n) { return n > 0 && a > kLargest / n ? kLargest : a * n; }

void addWeights(const LayerPlan& from, const std::string& within, LayerPlan& into) {
  for (const WeightPlan& weight : from.weights) {
    into.weights.push_back(weight);
    into.weights.back().name = joined(within, weight.name);
    into.weights.back().layer = joined(within, weight.layer);
  }
}

std::optional<LayerPlan> planSlot(const PlanRequest& request, std::string_view slot,
                                  const std::string& within, LayerPlan& into) {
  const InnerGraph* graph = graphIn(request, slot);
  if (graph == nullptr) {
    LayerPlan same;
    same.outputs = {request.inputs[0]};
    same.activationBytes = 0;
    return same;
  }
  LayerPlan plan = graph->plan(request.inputs[0]);
  for (Issue& issue : plan.issues) {
    issue.place.field = joined(fieldOf(slot), issue.place.field);
    into.issues.push_back(issue);
  }
  if (hasErrors(plan.issues) || plan.outputs.empty()) return std::nullopt;
  LayerPlan renamed;
  addWeights(plan, within, renamed);
  plan.weights = std::move(renamed.weights);
  return plan;
}

bool hasGraph(const PlanRequest& request, std::string_view slot) {
  return graphIn(request, slot) != nullptr;
}

bool wantSlot(const PlanRequest& request, std::string_view slot, LayerPlan& plan) {
  if (hasGraph(request, slot)) return true;
  plan.issues.push_back(layerIssue("graph.missing-slot", TENON_TEXT("wants a graph '{0}'"),
                                   {std::string(slot)}, "graphs"));
  return false;
}

bool wantSame(const PortShape& a, const PortShape& b, std::string text, std::string_view slot,
              LayerPlan& plan) {
  if (a == b) return true;
  const bool typed = a.dtype != b.dtype;
  const auto shown = [typed](const PortShape& shape) {
    return typed ? std::string(dtypeName(shape.dtype)) + " " + toString(shape) : toString(shape);
  };
  plan.issues.push_back(
      layerIssue("graph.shape-mismatch", std::move(text), {shown(a), shown(b)}, fieldOf(slot)));
  return false;
}

Branch::Branch(const PlanRequest& request, std::string_view slot, const std::string& within) {
  const InnerGraph* graph = graphIn(request, slot);
  if (graph == nullptr) return;
  weights_ = graph->plan(request.inputs[0]).weights.size();
  run_ = graph->make(request.inputs[0], within);
}

Tensor Branch::call(const Tensor& x, std::span<const Tensor> weights, bool training) const {
  return run_ ? run_->call(x, weights, training) : x;
}

double numberIn(const Tensor& scalar) {
  return static_cast<double>(cast(scalar, DType::F32).data<float>()[0]);
}

}  // namespace tenon::flow
