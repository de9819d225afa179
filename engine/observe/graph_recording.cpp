// SPDX-License-Identifier: Apache-2.0
// The stored form of graph recordings.
#include "engine/observe/graph_recording.h"

#include "engine/observe/bytes.h"

namespace tenon {
namespace {

constexpr const char* kMagic = "TNGR";

void write(ByteWriter& out, const RecordedTensor& tensor) {
  out.text(tensor.name);
  out.text(tensor.dtype);
  out.number(tensor.shape.size());
  for (int64_t size : tensor.shape) out.signedNumber(size);
  out.signedNumber(tensor.bytes);
  out.number(tensor.block);
  out.number(tensor.blockedLayout ? 1 : 0);
}

RecordedTensor readTensor(ByteReader& in) {
  RecordedTensor tensor;
  tensor.name = in.text();
  tensor.dtype = in.text();
  tensor.shape.resize(in.count(1));
  for (int64_t& size : tensor.shape) size = in.signedNumber();
  tensor.bytes = in.signedNumber();
  tensor.block = in.number();
  tensor.blockedLayout = in.number() != 0;
  return tensor;
}

void write(ByteWriter& out, const std::vector<RecordedTensor>& tensors) {
  out.number(tensors.size());
  for (const RecordedTensor& tensor : tensors) write(out, tensor);
}

std::vector<RecordedTensor> readTensors(ByteReader& in) {
  std::vector<RecordedTensor> tensors;
  const size_t count = in.count(6);
  for (size_t i = 0; i < count; ++i) tensors.push_back(readTensor(in));
  return tensors;
}

void write(ByteWriter& out, const RecordedNode& node) {
  out.number(static_cast<uint64_t>(node.kind));
  out.text(node.op);
  out.text(node.layer);
  out.text(node.phase);
  out.text(node.parameters);
  write(out, node.inputs);
  write(out, node.outputs);
  write(out, node.saved);
  out.number(node.kernels.size());
  for (const RecordedKernel& kernel : node.kernels) {
    out.text(kernel.op);
    out.text(kernel.implementation);
    out.signedNumber(kernel.startNs);
    out.signedNumber(kernel.endNs);
  }
  out.signedNumber(node.partner);
}

RecordedNode readNode(ByteReader& in) {
  RecordedNode node;
  node.kind = in.enumeration<RecordedKind>(4);
  node.op = in.text();
  node.layer = in.text();
  node.phase = in.text();
  node.parameters = in.text();
  node.inputs = readTensors(in);
  node.outputs = readTensors(in);
  node.saved = readTensors(in);
  const size_t kernels = in.count(4);
  for (size_t i = 0; i < kernels; ++i) {
    RecordedKernel kernel;
    kernel.op = in.text();
    kernel.implementation = in.text();
    kernel.startNs = in.signedNumber();
    kernel.endNs = in.signedNumber();
    node.kernels.push_back(std::move(kernel));
  }
  node.partner = static_cast<int32_t>(in.signedNumber());
  return node;
}

/// Every reference must name a node that exists.
void checkReferences(const ByteReader& in, const GraphRecording& recording) {
  const auto count = static_cast<int32_t>(recording.nodes.size());
  const auto known = [count](int32_t id) { return id >= 0 && id < count; };
  for (const RecordedNode& node : recording.nodes)
    if (node.partner != -1 && !known(node.partner)) in.fail("a node's partner does not exist");
  for (const RecordedEdge& edge : recording.edges)
    if (!known(edge.from) || !known(edge.to))
      in.fail("an edge leads to a node that does not exist");
}

}  // namespace

std::vector<std::byte> encode(const GraphRecording& recording) {
  ByteWriter out(kMagic, kGraphRecordingVersion);
  out.signedNumber(recording.step);
  out.signedNumber(recording.kernelsLaunched);
  out.signedNumber(recording.durationNs);
  out.number(recording.nodes.size());
  for (const RecordedNode& node : recording.nodes) write(out, node);
  out.number(recording.edges.size());
  for (const RecordedEdge& edge : recording.edges)
    for (int32_t value : {edge.from, edge.fromPort, edge.to, edge.toPort}) out.signedNumber(value);
  return out.take();
}

GraphRecording decodeGraph(std::span<const std::byte> bytes) {
  ByteReader in(bytes, kMagic, kGraphRecordingVersion);
  GraphRecording recording;
  recording.step = in.signedNumber();
  recording.kernelsLaunched = in.signedNumber();
  recording.durationNs = in.signedNumber();
  const size_t nodes = in.count(10);
  for (size_t i = 0; i < nodes; ++i) {
    recording.nodes.push_back(readNode(in));
    recording.nodes.back().id = static_cast<int32_t>(i);
  }
  const size_t edges = in.count(4);
  for (size_t i = 0; i < edges; ++i) {
    RecordedEdge edge;
    for (int32_t* value : {&edge.from, &edge.fromPort, &edge.to, &edge.toPort})
      *value = static_cast<int32_t>(in.signedNumber());
    recording.edges.push_back(edge);
  }
  in.end();
  checkReferences(in, recording);
  return recording;
}

}  // namespace tenon
