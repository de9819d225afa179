// SPDX-License-Identifier: Apache-2.0
// What layers with graphs inside of them share: plans of a slot, and calls of it with its weights.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/layers/inner_graph.h"
#include "engine/layers/planning.h"

namespace tenon::flow {

/// Most turns of repeats, nested ones multiplied, in one call of a layer.
inline constexpr int64_t kMostTurns = 10'000;
/// Most weights of all turns of a repeat.
inline constexpr int64_t kMostWeights = 100'000;

/// Plans the graph in a slot on the layer's input; a slot without one passes its input on. Weights
/// go by "within.conv1.weight" (within may be empty).
/// @returns nothing if there are errors; they are in `into`, at the field "graphs.slot".
std::optional<LayerPlan> planSlot(const PlanRequest& request, std::string_view slot,
                                  const std::string& within, LayerPlan& into);
/// The weights of `from`, their names behind "within.".
void addWeights(const LayerPlan& from, const std::string& within, LayerPlan& into);
/// False, and an issue that a required slot is empty.
bool wantSlot(const PlanRequest& request, std::string_view slot, LayerPlan& plan);
/// Whether a slot holds a graph.
bool hasGraph(const PlanRequest& request, std::string_view slot);
/// False, and an issue at the slot that names both, if two shapes that must be one are not.
/// @param text a template of {0} and {1}
bool wantSame(const PortShape& a, const PortShape& b, std::string text, std::string_view slot,
              LayerPlan& plan);

/// a + b and a * n, at most the largest number.
int64_t plus(int64_t a, int64_t b);
int64_t times(int64_t a, int64_t n);

/// The graph in a slot, ready to run; passes its input on if there is none.
class Branch {
 public:
  Branch(const PlanRequest& request, std::string_view slot, const std::string& within);
  /// How many weights it takes.
  size_t weights() const { return weights_; }
  Tensor call(const Tensor& x, std::span<const Tensor> weights, bool training) const;

 private:
  std::unique_ptr<InnerRun> run_;
  size_t weights_ = 0;
};

/// The number in a tensor of one element, f32.
double numberIn(const Tensor& scalar);

}  // namespace tenon::flow
