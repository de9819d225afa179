// SPDX-License-Identifier: Apache-2.0
// Attention and recurrent networks that cases of tests/reference/nn.json call.
#include <nlohmann/json.hpp>

#include "engine/ops/attention/attention.h"
#include "engine/ops/recurrent/recurrent.h"
#include "tests/engine/ops/harness.h"
#include "tests/engine/ops/reference_cases.h"

namespace tenon::test::reference {
namespace {

Inputs attentionOf(const Json& p, const Inputs& in) {
  AttentionOptions options;
  options.mask = at(in, 3);
  if (!p.at("mask").is_null())
    options.mask = fromNumbers(p.at("mask").get<std::vector<double>>(), shapeOf(p.at("mask_shape")),
                               DType::Bool);
  options.causal = p.at("causal");
  if (!p.at("scale").is_null()) options.scale = p.at("scale").get<double>();
  options.groupedHeads = p.at("grouped");
  return {attention(in[0], in[1], in[2], options)};
}

Inputs recurrentOf(const Json& p, const Inputs& in) {
  const std::map<std::string, RecurrentKind> kinds = {{"rnn_tanh", RecurrentKind::RnnTanh},
                                                      {"rnn_relu", RecurrentKind::RnnRelu},
                                                      {"lstm", RecurrentKind::Lstm},
                                                      {"gru", RecurrentKind::Gru}};
  RecurrentOptions options;
  options.kind = kinds.at(p.at("kind"));
  options.bidirectional = p.at("both");
  options.batchFirst = p.at("batch_first");
  options.lengths = p.at("lengths").get<std::vector<int64_t>>();
  const size_t states = p.at("states");
  RecurrentState start;
  if (states > 0) start.hidden = in[1];
  if (states > 1) start.cell = in[2];
  std::vector<RecurrentWeights> weights;
  const bool bias = p.at("bias");
  for (size_t i = 1 + states; i < in.size(); i += bias ? 4 : 2)
    weights.push_back({in[i], in[i + 1], bias ? in[i + 2] : Tensor(), bias ? in[i + 3] : Tensor()});
  const RecurrentResult result = recurrent(in[0], weights, start, options);
  Inputs outputs = {result.y, result.end.hidden};
  if (result.end.cell) outputs.push_back(result.end.cell);
  return outputs;
}

}  // namespace

void addSequences(Functions& all) {
  all["attention"] = &attentionOf;
  all["recurrent"] = &recurrentOf;
}

}  // namespace tenon::test::reference
