// SPDX-License-Identifier: Apache-2.0
// Layer "embedding": a learned row of numbers for each token.
#include <fmt/format.h>

#include "engine/layers/planning.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/index/index.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      intParam("num_embeddings", 10000)
          .called(TENON_TEXT("Tokens"))
          .range(1, 1 << 26)
          .describe(TENON_TEXT(
              "How many tokens there are: the input's numbers are 0 up to this, exclusive.")),
      intParam("embedding_dim", 128)
          .called(TENON_TEXT("Features"))
          .range(1, 65536)
          .describe(TENON_TEXT("Numbers learned for each token; the output's last axis.")),
      intParam("padding_index", -1)
          .range(-1, (1 << 26) - 1)
          .describe(TENON_TEXT(
              "Token that fills up short sequences: starts at zero and is not trained; -1: none."))
          .forExperts()};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantKnownSizes(request, result)) return result;
  const int64_t tokens = request.params.getInt("num_embeddings");
  const int64_t features = request.params.getInt("embedding_dim");
  const int64_t padding = request.params.getInt("padding_index");
  if (padding >= tokens) {
    result.issues.push_back(layerIssue(
        "graph.padding", TENON_TEXT("the padding token {0} must be one of the {1} tokens"),
        {std::to_string(padding), std::to_string(tokens)}, "padding_index"));
    return result;
  }
  PortShape out = request.inputs[0];
  out.sizes.push_back(features);
  out.dtype = DType::F32;
  result.weights = {{"weight", {tokens, features}, {Init::Kind::Normal, 1, padding}}};
  result.outputs = {std::move(out)};
  result.summary = fmt::format("{} → {}", tokens, features);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([padding = request.params.getInt("padding_index")](const LayerCall& call) {
    return embedding(call.weights[0], to(call.inputs[0], DType::I64), padding);
  });
}

}  // namespace

const LayerDef& layerDef_embedding();
const LayerDef& layerDef_embedding() {
  static const LayerDef kDef = {
      .id = "embedding",
      .title = "Embedding",
      .family = LayerFamily::Embedding,
      .help = TENON_TEXT("Learns a row of numbers for each token; the input holds whole numbers."),
      .icon = "embedding",
      .takes = LayerTakes::Integers,
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
