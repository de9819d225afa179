// SPDX-License-Identifier: Apache-2.0
// StepRecorder: keeps what really happens in one training step, fed by the gate, autograd and the
// allocator.
#pragma once

#include <memory>

#include "engine/observe/graph_recording.h"
#include "engine/observe/memory_recording.h"
#include "engine/tensor/tensor.h"

namespace tenon {

struct StepRecording {
  GraphRecording graph;
  MemoryRecording memory;
};

/// Lives around one step on the step's thread. While it lives, every gate call is heard and the
/// allocator records.
class TENON_API StepRecorder {
 public:
  explicit StepRecorder(int64_t step, Device device = {});
  ~StepRecorder();
  StepRecorder(const StepRecorder&) = delete;
  StepRecorder& operator=(const StepRecorder&) = delete;

  /// Names a tensor in the recording, e.g. a weight "conv1.weight".
  void name(const Tensor& tensor, std::string name);
  /// To be called when the loss is known and backward has not begun: reads autograd's graph with
  /// its saved tensors.
  void captureGraph(const Tensor& loss);
  /// Ends recording.
  StepRecording finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
