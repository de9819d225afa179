// SPDX-License-Identifier: Apache-2.0
// Attention with several heads: projections, scores, projection back.
//
// N samples, L steps of the query, S steps of key and value, E features of the query. One matrix
// projects query, key and value where all have E features, else there is one for each.
#include "engine/layers/attention.h"

#include <cmath>

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/attention/attention.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

bool isPacked(int64_t features, int64_t keySize, int64_t valueSize) {
  return keySize == features && valueSize == features;
}

/// [N, T, F] -> [N, heads, T, F / heads]
Tensor toHeads(const Tensor& x, int64_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}

/// Features of query, key and value after their projections.
struct Widths {
  int64_t query, shared;
  Widths(const AttentionSettings& settings, int64_t features)
      : query(features), shared(features / settings.heads * settings.shared) {}
  int64_t all() const { return query + 2 * shared; }
};

/// Query, key and value after their projections, [N, steps, width] each.
AttentionInputs project(const AttentionSettings& settings, const AttentionInputs& in,
                        WeightCursor& weights) {
  const int64_t features = in.query.size(2);
  const Widths widths(settings, features);
  const auto rows = [&](const Tensor& of, int64_t part) {
    if (!of) return of;
    return part == 0 ? narrow(of, 0, 0, widths.query)
                     : narrow(of, 0, widths.query + (part - 1) * widths.shared, widths.shared);
  };
  if (!isPacked(features, in.key.size(2), in.value.size(2))) {
    const Tensor q = weights.next(), k = weights.next(), v = weights.next();
    const Tensor b = weights.next(settings.bias);
    return {linear(in.query, q, rows(b, 0)), linear(in.key, k, rows(b, 1)),
            linear(in.value, v, rows(b, 2))};
  }
  const Tensor w = weights.next(), b = weights.next(settings.bias);
  if (in.query.impl() == in.key.impl() && in.key.impl() == in.value.impl()) {
    const std::vector<Tensor> all =
        split(linear(in.query, w, b), {widths.query, widths.shared, widths.shared}, 2);
    return {all[0], all[1], all[2]};
  }
  const auto apply = [&](const Tensor& x, int64_t part) {
    return linear(x, rows(w, part), rows(b, part));
  };
  return {apply(in.query, 0), apply(in.key, 1), apply(in.value, 2)};
}

/// The mask as the scores [N, heads, L, S] lie, and of causal attention what lies behind a step
/// taken out of it.
Tensor maskFor(const AttentionSettings& settings, const AttentionInputs& in) {
  const Tensor& mask = in.mask;
  if (!mask) return {};
  const Tensor all = unsqueeze(mask.ndim() == 2 ? unsqueeze(mask, 1) : mask, 1);
  if (!settings.causal) return all;
  const Shape sizes = {in.query.size(1), in.key.size(1)};
  const Tensor before = tril(expand(Tensor::full({}, 1, DType::Bool), sizes));
  const double hidden = mask.dtype() == DType::Bool ? 0.0 : -HUGE_VAL;
  return where(before, all, Tensor::full({}, hidden, mask.dtype()));
}

void addProjections(const Widths& widths, int64_t keySize, int64_t valueSize,
                    const std::string& prefix, LayerPlan& plan) {
  const int64_t features = widths.query;
  if (isPacked(features, keySize, valueSize)) {
    plan.weights.push_back({prefix + "in_proj_weight",
                            {widths.all(), features},
                            xavierUniform(features, widths.all())});
    return;
  }
  const auto add = [&](const char* name, int64_t from, int64_t to) {
    plan.weights.push_back({prefix + name, {to, from}, xavierUniform(from, to)});
  };
  add("q_proj_weight", features, features);
  add("k_proj_weight", keySize, widths.shared);
  add("v_proj_weight", valueSize, widths.shared);
}

/// True if the heads divide the features, and those of keys and values the heads.
bool wantHeads(const AttentionSettings& settings, int64_t features, LayerPlan& plan) {
  if (features % settings.heads != 0) {
    plan.issues.push_back(
        layerIssue("graph.heads", TENON_TEXT("{0} heads must divide the {1} features"),
                   {std::to_string(settings.heads), std::to_string(features)}, "num_heads"));
    return false;
  }
  if (settings.heads % settings.shared == 0) return true;
  plan.issues.push_back(layerIssue(
      "graph.heads", TENON_TEXT("{0} heads of keys and values must divide the {1} heads"),
      {std::to_string(settings.shared), std::to_string(settings.heads)}, "kv_heads"));
  return false;
}

}  // namespace

std::vector<ParamSpec> attentionParams() {
  return {intParam("num_heads", 8)
              .range(1, 1024)
              .describe(TENON_TEXT("Heads that look at the sequence side by side; must divide the "
                                   "features.")),
          intParam("kv_heads", 0)
              .called(TENON_TEXT("Key and value heads"))
              .range(0, 1024)
              .describe(TENON_TEXT("Heads of keys and values, each shared by as many heads of the "
                                   "query; must divide the heads. 0: as many as there are."))
              .forExperts(),
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
      shared(params.getInt("kv_heads") > 0 ? params.getInt("kv_heads") : heads),
      dropout(params.getFloat("dropout")),
      causal(params.getBool("causal")),
      bias(params.getBool("bias")) {}

bool planAttention(const AttentionSettings& settings, std::span<const PortShape> inputs,
                   const std::string& prefix, LayerPlan& plan) {
  const PortShape &query = inputs[0], &key = inputs[1], &value = inputs[2];
  const int64_t features = query.sizes[2];
  if (!wantHeads(settings, features, plan)) return false;
  if (key.sizes[1] != value.sizes[1]) {
    plan.issues.push_back(layerIssue("graph.shape-mismatch",
                                     TENON_TEXT("key and value want equally many steps, got {0} "
                                                "and {1}"),
                                     {toString(key), toString(value)}));
    return false;
  }
  const Widths widths(settings, features);
  addProjections(widths, key.sizes[2], value.sizes[2], prefix, plan);
  if (settings.bias)
    plan.weights.push_back(
        {prefix + "in_proj_bias", {widths.all()}, {Init::Kind::Zeros}, true, false});
  plan.weights.push_back(
      {prefix + "out_proj.weight", {features, features}, fanInUniform(features)});
  if (settings.bias)
    plan.weights.push_back(
        {prefix + "out_proj.bias", {features}, {Init::Kind::Zeros}, true, false});
  const double toQuery = static_cast<double>(query.perSample()) * 2;  // query and way back
  const auto toShared = static_cast<double>(key.perSample() + value.perSample());
  const double scores = static_cast<double>(query.perSample()) * static_cast<double>(key.sizes[1]);
  plan.flops += 2 * toQuery * static_cast<double>(features) +
                2 * toShared * static_cast<double>(widths.shared) + 4 * scores;
  return true;
}

bool wantMask(const PlanRequest& request, size_t port, const std::string& name,
              const PortShape& query, const PortShape& key, LayerPlan& plan) {
  const PortShape* mask = request.wired(port);
  if (!mask) return true;
  PortShape forKeys{{query.sizes[0], key.sizes[1]}, query.dtype};
  PortShape forSteps{{query.sizes[0], query.sizes[1], key.sizes[1]}, query.dtype};
  const bool fits = mask->sizes == forKeys.sizes || mask->sizes == forSteps.sizes;
  if (fits && (mask->dtype == DType::Bool || mask->dtype == query.dtype)) return true;
  plan.issues.push_back(layerIssue("graph.optional-input",
                                   TENON_TEXT("'{0}' wants bool or {1}, {2} or {3}, got {4}"),
                                   {name, std::string(dtypeName(query.dtype)), toString(forKeys),
                                    toString(forSteps), typeAndShape(*mask)}));
  return false;
}

Tensor attend(const AttentionSettings& settings, const AttentionInputs& in, WeightCursor& weights,
              bool training) {
  const AttentionInputs p = project(settings, in, weights);
  AttentionOptions options;
  options.mask = maskFor(settings, in);
  options.causal = settings.causal && !options.mask;
  options.groupedHeads = settings.shared != settings.heads;
  options.dropout = training ? settings.dropout : 0;
  const Tensor y = attention(toHeads(p.query, settings.heads), toHeads(p.key, settings.shared),
                             toHeads(p.value, settings.shared), options);
  const Tensor joined = reshape(transpose(y, 1, 2), in.query.shape());
  const Tensor back = weights.next();
  return linear(joined, back, weights.next(settings.bias));
}

}  // namespace tenon
