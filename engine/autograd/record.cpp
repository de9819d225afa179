// SPDX-License-Identifier: Apache-2.0
// The gate's recorder: makes a node of a call whose inputs want gradients.
#include "engine/autograd/record.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"

namespace tenon::autograd {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local uint64_t nextSequence = 1;

void saveInput(Node& node, const gate::RecordRequest& request, size_t i) {
  if (i >= request.inputs.size() || !request.inputs[i] || !request.inputs[i]->defined()) return;
  const Tensor& original = *request.inputs[i];
  const Tensor& used = request.used.empty() ? original : *request.used[i];
  Saved saved;
  saved.position = static_cast<uint8_t>(i);
  saved.edge = node.next[i];
  // A leaf cannot come to hold a node, so the handle itself may be kept.
  keep(saved, used, isLeaf(original) && used.impl() == original.impl());
  node.saved.push_back(std::move(saved));
}

void saveOutput(Node& node, const Tensor& output, size_t i) {
  Saved saved;
  saved.position = static_cast<uint8_t>(i);
  saved.isOutput = true;
  keep(saved, output);
  node.saved.push_back(std::move(saved));
}

void saveTensors(Node& node, const gate::RecordRequest& request) {
  for (uint64_t mask = request.op.savesInputs; mask; mask &= mask - 1)
    saveInput(node, request, static_cast<size_t>(__builtin_ctzll(mask)));
  for (uint64_t mask = request.op.savesOutputs; mask; mask &= mask - 1) {
    const auto i = static_cast<size_t>(__builtin_ctzll(mask));
    saveOutput(node, request.outputs[i], i);
  }
}

}  // namespace

uint64_t nextNodeNumber() { return nextSequence; }

Ref<Node> newNode(const OpDef& op) {
  Ref<Node> node = make<Node>();
  node->op = &op;
  node->scope = memory::currentScope();
  node->sequence = nextSequence++;
  return node;
}

void connectInput(Node& node, const Tensor* input) {
  const bool there = input && input->defined();
  node.inputMetas.push_back(there ? TensorMeta{input->shape(), input->dtype()} : TensorMeta{});
  node.next.push_back(there ? edgeOf(*input) : Edge{});
  if (node.next.back().node) node.needsMask |= uint64_t{1} << (node.next.size() - 1);
}

void connectOutput(const Ref<Node>& node, const Tensor& output, bool differentiable) {
  const auto slot = static_cast<uint32_t>(node->outputMetas.size());
  node->outputMetas.push_back({output.shape(), output.dtype()});
  if (!isFloating(output.dtype()) || !differentiable) return;
  GradMeta& meta = metaOf(output);
  meta.node = node;
  meta.slot = slot;
  meta.viewVersion = output.version();
  output.impl()->requiresGrad = true;
}

namespace {

const void* record(const gate::RecordRequest& request) {
  if (request.inputs.size() > 64)
    throw Error(Code::Internal,
                fmt::format("[{}] more than 64 inputs want a gradient", request.op.id));
  const Ref<Node> node = newNode(request.op);
  if (request.op.paramBytes && request.params) {
    node->params.resize(request.op.paramBytes);
    std::memcpy(node->params.data(), request.params, request.op.paramBytes);
  }
  for (const Tensor* input : request.inputs) connectInput(*node, input);
  for (size_t i = 0; i < request.outputs.size(); ++i)
    connectOutput(node, request.outputs[i], ((request.op.nonDifferentiable >> i) & 1u) == 0);
  saveTensors(*node, request);
  return node.get();
}

void checkInPlace(const gate::RecordRequest& request) {
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    if (!((request.op.mutates >> i) & 1u) || !request.inputs[i]) continue;
    const Tensor& target = *request.inputs[i];
    if (target.requiresGrad() && isLeaf(target))
      throw Error(
          Code::Usage,
          fmt::format("[{}] changes in place a leaf that requires a gradient: {}; do it under "
                      "no-grad or on a copy",
                      request.op.id, describe(target)));
    if (target.impl()->isView)
      throw Error(
          Code::Usage,
          fmt::format("[{}] changes in place a view while gradients are recorded: {}; use the "
                      "operator that makes a new tensor",
                      request.op.id, describe(target)));
    if (!request.op.grad)
      throw Error(Code::Usage, fmt::format("[{}] has no gradient and would cut the graph of {}",
                                           request.op.id, describe(target)));
  }
}

[[maybe_unused]] const bool kInstalled = [] {
  gate::installRecorder({&checkInPlace, &record});
  return true;
}();

}  // namespace
}  // namespace tenon::autograd
