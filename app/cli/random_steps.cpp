// SPDX-License-Identifier: Apache-2.0
// Each step draws batch, length, depth and widths: activations live until their gradient is known,
// workspaces for a moment, gradients until the next layer's.
#include "app/cli/random_steps.h"

#include <memory>
#include <random>
#include <vector>

#include "engine/memory/allocator.h"
#include "engine/memory/block_impl.h"
#include "engine/memory/cpu_raw_memory.h"

namespace tenon::cli {
namespace {

struct Return {
  memory::CachingAllocator* allocator = nullptr;
  void operator()(memory::Block* block) const { allocator->free(block); }
};
using Held = std::unique_ptr<memory::Block, Return>;

class RandomSteps {
 public:
  explicit RandomSteps(memory::CachingAllocator& allocator) : allocator_(allocator) {
    for (int i = 0; i < 40; ++i) weights_.push_back(take(between(1, 1 << 20)));
  }

  void step() {
    const size_t rows = between(1, 64) * between(16, 64);
    std::vector<Layer> layers(between(4, 16));
    for (Layer& layer : layers) forward(layer, rows);
    Held gradient = take(rows * layers.back().wide);
    while (!layers.empty()) {
      Held next = take(rows * layers.back().wide);
      const Held workspace = take(rows * 2 * layers.back().wide);
      layers.pop_back();
      gradient = std::move(next);
    }
  }

 private:
  struct Layer {
    size_t wide = 0;
    Held input, output, statistics;
  };

  void forward(Layer& layer, size_t rows) {
    layer.wide = between(32, 1532);
    layer.input = take(rows * layer.wide);
    const Held workspace = take(rows * between(1, 3) * layer.wide);
    layer.output = take(rows * between(layer.wide, layer.wide + 64));
    layer.statistics = take(rows);
  }
  Held take(size_t floats) {
    return Held(allocator_.allocate({sizeof(float) * floats}), Return{&allocator_});
  }
  size_t between(size_t low, size_t high) { return low + random_() % (high - low + 1); }

  memory::CachingAllocator& allocator_;
  std::mt19937 random_{1};  // NOLINT: the same steps in every run
  std::vector<Held> weights_;
};

}  // namespace

RandomStepsMemory runRandomSteps(int steps) {
  memory::CachingAllocator allocator(memory::cpuRawMemory());
  {
    RandomSteps random(allocator);
    for (int i = 0; i < steps; ++i) random.step();
  }
  const memory::Statistics statistics = allocator.statistics();
  return {statistics.allocatedBytes[0].peak, statistics.reservedBytes[0].peak,
          int64_t{memory::kSmallSegment + memory::kLargeSegment}};
}

}  // namespace tenon::cli
