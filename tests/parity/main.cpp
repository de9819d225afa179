// SPDX-License-Identifier: Apache-2.0
// Tenon's side of ./dev parity: a case a line on standard input, what the engine computes for it a
// line on standard output.
//
// {"list": true} is answered with what there is: operators (and how each is bound), functions,
// optimizers and schedules. A case is {"call", "params", "inputs": [tensor or null], "leaves":
// [indices of inputs that want gradients], "dy": [gradient of each output, or null]}; the answer
// {"outputs", "grads", "ops": [operators that ran]} or {"error": text}.
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
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
  for (const OptimizerDef* def : allOptimizers()) all["optimizers"].push_back(def->id);
  for (const ScheduleDef* def : allSchedules()) all["schedules"].push_back(def->id);
  for (const Bound& row : boundOperators())
    all["bound"][row.op] = row.function ? Json(row.function) : Json{{"reason", row.reason}};
  return all;
}

Json gradients(const Json& request, const Tensors& in, const Tensors& outputs) {
  Tensors roots, given, leaves;
  const Json& dy = request.at("dy");
  for (size_t i = 0; i < dy.size() && i < outputs.size(); ++i) {
    if (dy[i].is_null() || !outputs[i].requiresGrad()) continue;
    roots.push_back(outputs[i]);
    given.push_back(tensorIn(dy[i]));
  }
  for (const Json& at : request.at("leaves")) leaves.push_back(in.at(at.get<size_t>()));
  Json all = Json::array();
  if (roots.empty() || leaves.empty()) return all;
  for (const Tensor& g : autograd::grad(roots, leaves, given, {.allowUnused = true}))
    all.push_back(jsonOf(g));
  return all;
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
  Json reply = {{"outputs", Json::array()}};
  for (const Tensor& t : outputs) reply["outputs"].push_back(jsonOf(t));
  reply["grads"] = gradients(request, in, outputs);
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
