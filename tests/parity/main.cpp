// SPDX-License-Identifier: Apache-2.0
// Tenon's side of ./dev parity: a case a line on standard input, what the engine computes for it a
// line on standard output.
//
// {"list": true} is answered with what there is: operators (and how each is bound), functions,
// layers, optimizers and schedules. A case is {"call", "params", "inputs": [tensor or null],
// "leaves": [indices of inputs that want gradients], "dy": [gradient of each output, or null]}; the
// answer {"outputs", "grads", "ops": [operators that ran]} or {"error": text}. "weights" of each
// leaf's gradient ask for second derivatives too: "traced" are the leaves' gradients as they are
// computed where they will be differentiated, "second" the gradients of their weighted sum by the
// leaves and by the outputs' gradients, "no_second" the text if there are none.
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "engine/layers/layer_def.h"
#include "engine/optim/optimizer_def.h"
#include "engine/optim/schedule_def.h"
#include "tests/engine/ops/harness.h"
#include "tests/parity/functions.h"
#include "tests/parity/tensor_json.h"

namespace tenon::parity {
namespace {

Json listing() {
  Json all = {{"level", backend::cpuLevel()}};
  for (const OpDef* op : allOps()) all["ops"].push_back(op->id);
  for (const auto& [name, function] : functions()) all["functions"].push_back(name);
  for (const LayerDef* def : allLayers())
    if (def->slots.empty()) all["layers"].push_back(def->id);  // else they run other layers
  for (const OptimizerDef* def : allOptimizers()) all["optimizers"].push_back(def->id);
  for (const ScheduleDef* def : allSchedules()) all["schedules"].push_back(def->id);
  for (const Bound& row : boundOperators())
    all["bound"][row.op] = row.function ? Json(row.function) : Json{{"reason", row.reason}};
  return all;
}

Json listOf(const Tensors& tensors) {
  Json all = Json::array();
  for (const Tensor& t : tensors) all.push_back(jsonOf(t));
  return all;
}

/// Outputs whose gradients are given, and by what they are differentiated.
struct Graph {
  Tensors roots, given, leaves;

  Graph(const Json& request, const Tensors& in, const Tensors& outputs) {
    const Json& dy = request.at("dy");
    for (size_t i = 0; i < dy.size() && i < outputs.size(); ++i) {
      if (dy[i].is_null() || !outputs[i].requiresGrad()) continue;
      roots.push_back(outputs[i]);
      given.push_back(tensorIn(dy[i]));
    }
    for (const Json& at : request.at("leaves")) leaves.push_back(in.at(at.get<size_t>()));
  }
  bool isEmpty() const { return roots.empty() || leaves.empty(); }
};

/// Adds "traced" and "second" to the reply.
void differentiateTwice(const Json& weights, const Graph& graph, Json& reply) {
  for (const Tensor& dy : graph.given) autograd::setRequiresGrad(dy);
  const Tensors first = autograd::grad(graph.roots, graph.leaves, graph.given,
                                       {.createGraph = true, .allowUnused = true});
  Tensors roots, given, over = graph.leaves;
  for (size_t i = 0; i < first.size(); ++i) {
    if (!first[i] || !first[i].requiresGrad()) continue;
    roots.push_back(first[i]);
    given.push_back(tensorIn(weights.at(i)));
  }
  over.insert(over.end(), graph.given.begin(), graph.given.end());
  Tensors second(over.size());
  if (!roots.empty()) second = autograd::grad(roots, over, given, {.allowUnused = true});
  reply["traced"] = listOf(first);
  reply["second"] = listOf(second);
}

void differentiate(const Json& request, const Graph& graph, Json& reply) {
  reply["grads"] = Json::array();
  if (graph.isEmpty()) return;
  const bool twice = request.contains("weights");
  reply["grads"] = listOf(autograd::grad(graph.roots, graph.leaves, graph.given,
                                         {.retainGraph = twice, .allowUnused = true}));
  if (!twice) return;
  try {
    differentiateTwice(request.at("weights"), graph, reply);
  } catch (const Error& error) {
    reply["no_second"] = error.what();
  }
}

Json answer(const Json& request) {
  if (request.contains("list")) return listing();
  const auto function = functions().find(request.at("call").get<std::string>());
  if (function == functions().end()) throw std::runtime_error("no such function");
  Tensors in;
  for (const Json& t : request.at("inputs")) in.push_back(tensorIn(t));
  for (const Json& at : request.at("leaves")) autograd::setRequiresGrad(in.at(at.get<size_t>()));
  const test::KernelLog log;
  const Tensors outputs = function->second(request.at("params"), in);
  Json reply = {{"outputs", listOf(outputs)}};
  differentiate(request, Graph(request, in, outputs), reply);
  std::set<std::string> ops;
  for (const auto& [op, kernel] : log.calls()) ops.insert(op);
  reply["ops"] = ops;
  return reply;
}

}  // namespace
}  // namespace tenon::parity

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json reply;
    try {
      reply = tenon::parity::answer(nlohmann::json::parse(line));
    } catch (const std::exception& error) {
      reply = {{"error", error.what()}};
    }
    using Replace = nlohmann::json::error_handler_t;
    std::cout << reply.dump(-1, ' ', false, Replace::replace) << std::endl;
  }
  return 0;
}
