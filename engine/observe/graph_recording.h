// SPDX-License-Identifier: Apache-2.0
// The computation graph of one step as it really ran: plain values, stored as a versioned artifact
// of kind "graph".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/export.h"

namespace tenon {

/// A tensor at a place of the graph.
struct RecordedTensor {
  std::string name;   ///< name of the port or of the weight; may be empty
  std::string dtype;  ///< "f32"
  std::vector<int64_t> shape;
  int64_t bytes = 0;   ///< of its elements
  uint64_t block = 0;  ///< allocator's block id, the link to the memory recording; 0: none
  bool blockedLayout = false;
  bool operator==(const RecordedTensor&) const = default;
};

/// One kernel that ran.
struct RecordedKernel {
  std::string op;
  std::string implementation;  ///< "onednn", "simd", ...
  int64_t startNs = 0;         ///< since the step began
  int64_t endNs = 0;
  bool operator==(const RecordedKernel&) const = default;
};

enum class RecordedKind : uint8_t {
  Forward,    ///< an operator called while the model ran
  Backward,   ///< a node of autograd's graph
  Leaf,       ///< where a parameter's gradient is collected
  Optimizer,  ///< an operator of the update
};

struct RecordedNode {
  int32_t id = 0;  ///< position in GraphRecording::nodes
  RecordedKind kind = RecordedKind::Forward;
  std::string op;          ///< operator id; for Leaf "accumulate_grad"
  std::string layer;       ///< node of the model graph; may be empty
  std::string phase;       ///< "forward", "loss", "backward", "optimizer"
  std::string parameters;  ///< operator parameters, JSON; may be empty
  std::vector<RecordedTensor> inputs;
  std::vector<RecordedTensor> outputs;  ///< of a Backward node: the gradients it gives
  std::vector<RecordedTensor> saved;    ///< kept from forward to backward (Backward nodes)
  std::vector<RecordedKernel> kernels;
  int32_t partner = -1;  ///< Forward <-> Backward of the same call; -1: none
  bool operator==(const RecordedNode&) const = default;
};

struct RecordedEdge {
  int32_t from = 0;
  int32_t fromPort = 0;
  int32_t to = 0;
  int32_t toPort = 0;
  bool operator==(const RecordedEdge&) const = default;
};

struct GraphRecording {
  int64_t step = 0;
  std::vector<RecordedNode> nodes;
  std::vector<RecordedEdge> edges;
  int64_t kernelsLaunched = 0;  ///< the gate's own count over the step
  int64_t durationNs = 0;
  bool operator==(const GraphRecording&) const = default;
};

inline constexpr int kGraphRecordingVersion = 1;
/// Stored form and back. @throws Error(Code::Version) for a newer version, Error(Code::Input) for
/// damaged bytes.
TENON_API std::vector<std::byte> encode(const GraphRecording& recording);
TENON_API GraphRecording decodeGraph(std::span<const std::byte> bytes);

}  // namespace tenon
