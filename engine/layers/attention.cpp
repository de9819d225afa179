// SPDX-License-Identifier: Apache-2.0
// Attention with several heads: projections, scores, projection back.
//
// N samples, L steps of the query, S steps of key and value, E features of the query. One matrix
// [3E, E] projects query, key and value where all have E features, else there is one for each.
#include "engine/layers/attention.h"

#include "engine/ops/attention/attention.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

bool isPacked(int64_t features, int64_t keySize, int64_t valueSize) {
  return keySize == features && valueSize == features;
}

/// [N, T, E] -> [N, heads, T, E / heads]
Tensor split(const Tensor& x, int64_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}

/// Query, key and value after their projections, [N, steps, E] each.
AttentionInputs project(const AttentionSettings& settings, const AttentionInputs& in,
                        WeightCursor& weights) {
  const int64_t features = in.query.size(2);
  if (!isPacked(features, in.key.size(2), in.value.size(2))) {
    const Tensor q = weights.next(), k = weights.next(), v = weights.next();
    const Tensor b = weights.next(settings.bias);
    const auto part = [&](int64_t at) { return b ? narrow(b, 0, at * features, features) : b; };
    return {linear(in.query, q, part(0)), linear(in.key, k, part(1)), linear(in.value, v, part(2))};
  }
  const Tensor w = weights.next(), b = weights.next(settings.bias);
  if (in.query.impl() == in.key.impl() && in.key.impl() == in.value.impl()) {
    const std::vector<Tensor> all = chunk(linear(in.query, w, b), 3, 2);
    return {all[0], all[1], all[2]};
  }
  const auto apply = [&](const Tensor& x, int64_t at) {
    return linear(x, narrow(w, 0, at * features, features),
                  b ? narrow(b, 0, at * features, features) : b);
  };
  return {apply(in.query, 0), apply(in.key, 1), apply(in.value, 2)};
}

void addProjections(int64_t features, int64_t keySize, int64_t valueSize, const std::string& prefix,
                    LayerPlan& plan) {
  if (isPacked(features, keySize, valueSize)) {
    plan.weights.push_back({prefix + "in_proj_weight",
                            {3 * features, features},
                            xavierUniform(features, 3 * features)});
    return;
  }
  const auto add = [&](const char* name, int64_t from) {
    plan.weights.push_back({prefix + name, {features, from}, xavierUniform(from, features)});
  };
  add("q_proj_weight", features);
  add("k_proj_weight", keySize);
  add("v_proj_weight", valueSize);
}

}  // namespace

std::vector<ParamSpec> attentionParams() {
  return {intParam("num_heads", 8)
              .range(1, 1024)
              .describe(TENON_TEXT("Heads that look at the sequence side by side; must divide the "
                                   "features.")),
          floatParam("dropout", 0.0)
              .range(0, 1)
              .describe(TENON_TEXT("Chance of a value to be set to zero while training.")),
          boolParam("causal", false)
              .describe(TENON_TEXT("Each step sees itself and those before it only.")),
          boolParam("bias", true)
              .describe(TENON_TEXT("Adds learned numbers after each projection."))
              .forExperts()};
}

AttentionSettings::AttentionSettings(const ParamMap& params)
    : heads(params.getInt("num_heads")),
      dropout(params.getFloat("dropout")),
      causal(params.getBool("causal")),
      bias(params.getBool("bias")) {}

bool planAttention(const AttentionSettings& settings, std::span<const PortShape> inputs,
                   const std::string& prefix, LayerPlan& plan) {
  const PortShape &query = inputs[0], &key = inputs[1], &value = inputs[2];
  const int64_t features = query.sizes[2];
  if (features % settings.heads != 0) {
    plan.issues.push_back(
        layerIssue("graph.heads", TENON_TEXT("{0} heads must divide the {1} features"),
                   {std::to_string(settings.heads), std::to_string(features)}, "num_heads"));
    return false;
  }
  if (key.sizes[1] != value.sizes[1]) {
    plan.issues.push_back(layerIssue("graph.shape-mismatch",
                                     TENON_TEXT("key and value want equally many steps, got {0} "
                                                "and {1}"),
                                     {toString(key), toString(value)}));
    return false;
  }
  addProjections(features, key.sizes[2], value.sizes[2], prefix, plan);
  if (settings.bias)
    plan.weights.push_back(
        {prefix + "in_proj_bias", {3 * features}, {Init::Kind::Zeros}, true, false});
  plan.weights.push_back(
      {prefix + "out_proj.weight", {features, features}, fanInUniform(features)});
  if (settings.bias)
    plan.weights.push_back(
        {prefix + "out_proj.bias", {features}, {Init::Kind::Zeros}, true, false});
  const double toQuery = static_cast<double>(query.perSample()) * 2;  // query and way back
  const double projected = toQuery + static_cast<double>(key.perSample() + value.perSample());
  const double scores = static_cast<double>(query.perSample()) * static_cast<double>(key.sizes[1]);
  plan.flops += 2 * projected * static_cast<double>(features) + 4 * scores;
  return true;
}

Tensor attend(const AttentionSettings& settings, const AttentionInputs& in, WeightCursor& weights,
              bool training) {
  const AttentionInputs p = project(settings, in, weights);
  AttentionOptions options;
  options.causal = settings.causal;
  options.dropout = training ? settings.dropout : 0;
  const Tensor y = attention(split(p.query, settings.heads), split(p.key, settings.heads),
                             split(p.value, settings.heads), options);
  const Tensor joined = reshape(transpose(y, 1, 2), in.query.shape());
  const Tensor back = weights.next();
  return linear(joined, back, weights.next(settings.bias));
}

}  // namespace tenon
