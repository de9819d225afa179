// SPDX-License-Identifier: Apache-2.0
// LayerDef: everything Tenon knows of one kind of layer. One file in definitions/ is one layer:
// palette entry, form, validation, shapes, initial values and execution all come from it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/schema/graph_slot.h"
#include "engine/schema/param_schema.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// A free size: the batch, known only when a batch comes.
inline constexpr int64_t kFreeSize = -1;

/// Shape and type on a wire; the first size is the batch (kFreeSize). No sizes: there is no wire.
struct PortShape {
  std::vector<int64_t> sizes;
  DType dtype = DType::F32;
  bool operator==(const PortShape&) const = default;
  /// Elements of one sample (all sizes but the batch).
  TENON_API int64_t perSample() const;
};
/// "N×64×28×28"
TENON_API std::string toString(const PortShape& shape);

/// How a weight starts.
struct Init {
  enum class Kind : uint8_t { Zeros, Ones, Uniform, Normal, Constant };
  Kind kind = Kind::Zeros;
  double scale = 0;  ///< Uniform: bound b of U(-b, b); Normal: standard deviation; Constant: value
  int64_t zeroRow = -1;  ///< this part of axis 0 starts as zeros, whatever the kind; -1: none
};

/// A tensor that a layer owns.
struct WeightPlan {
  std::string name;  ///< "weight", "bias", "running_mean", ...
  Shape shape;
  Init init;
  bool trainable = true;   ///< false: a buffer, saved but not trained
  bool decays = true;      ///< false: norms and biases may be left out of weight decay
  std::string layer = {};  ///< path of the inner layer that owns it ("conv1"); "": this one
  DType dtype = DType::F32;
  /// A buffer that older checkpoints and state dictionaries may lack: it is zero then.
  bool optional = false;
};

/// What a layer will be with these parameters on these inputs.
struct LayerPlan {
  std::vector<PortShape> outputs;
  std::vector<WeightPlan> weights;
  double flops = 0;     ///< forward, one sample; a multiply-add counts as 2
  std::string summary;  ///< second line on the canvas: "3x3, 64, s1"
  Issues issues;  ///< place.field is set where one parameter is at fault; the caller adds the node
  /// Bytes of what all layers give for one sample; absent: those of `outputs`.
  std::optional<int64_t> activationBytes = {};
  int64_t turns = 0;  ///< of repeats in one call, at most
};

class InnerGraph;
/// Graphs inside of a layer, by slot (engine/layers/inner_graph.h).
using InnerGraphs = std::map<std::string, std::shared_ptr<const InnerGraph>, std::less<>>;

struct PlanRequest {
  const ParamMap& params;  ///< complete and valid for the schema
  /// By port. An optional port without a wire has no sizes; at the end it may be left out.
  std::span<const PortShape> inputs;
  const InnerGraphs* graphs = nullptr;  ///< null: none
  /// What a wire brings to the port; null: there is none.
  const PortShape* wired(size_t port) const {
    return port < inputs.size() && !inputs[port].sizes.empty() ? &inputs[port] : nullptr;
  }
};

/// One call of a layer.
struct LayerCall {
  std::span<const Tensor> inputs;
  std::span<Tensor> outputs;
  std::span<const Tensor> weights;  ///< in the order of LayerPlan::weights
  bool training = true;
  /// What a wire brings to the port; undefined: there is none.
  Tensor wired(size_t port) const { return port < inputs.size() ? inputs[port] : Tensor(); }
  /// Gives a value to an output of LayerDef::sideOutputs, which a caller may have no room for.
  void give(size_t port, const Tensor& value) {
    if (port < outputs.size()) outputs[port] = value;
  }
};

/// A layer bound to its parameters, ready to run.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual void forward(LayerCall& call) const = 0;
  /// Takes the activation that follows into itself if it can do both in one pass; true if it did.
  /// `type` is the id of the following layer.
  virtual bool absorb(std::string_view type) {
    (void)type;
    return false;
  }
};

/// Families order the palette and give the canvas its colours.
enum class LayerFamily : uint8_t {
  Data,
  Convolution,
  Linear,
  Normalization,
  Activation,
  Pooling,
  Shape,
  Merge,
  Regularization,
  Embedding,
  Recurrent,
  Attention,
  Flow,
};
TENON_API std::string_view familyName(LayerFamily family);

/// Element types that an input can work with. Mask: bool or floating.
enum class LayerTakes : uint8_t { Floating, Integers, Mask, Any };

struct LayerDef {
  std::string id;     ///< as in the project file
  std::string title;  ///< "Convolution 2D"
  LayerFamily family = LayerFamily::Shape;
  std::string help;       ///< one paragraph of Markdown
  std::string icon = {};  ///< file in resources/icons without ending
  std::vector<std::string> inputs = {"in"};
  std::vector<std::string> outputs = {"out"};
  size_t optionalInputs = 0;  ///< so many of `inputs`, the last ones, do without a wire
  size_t sideOutputs = 0;  ///< so many of `outputs`, the last ones, nn::Sequential does not pass on
  bool variadic = false;   ///< any number (>= 2) of wires into the one input port
  LayerTakes takes = LayerTakes::Floating;  ///< of every input that has none of its own
  std::vector<LayerTakes> inputTakes = {};  ///< by port, as far as it goes
  ParamSchema schema = {};
  GraphSlots slots = {};  ///< for graphs inside of the layer
  /// Never throws for what a user can get wrong: that is in LayerPlan::issues.
  LayerPlan (*plan)(const PlanRequest& request) = nullptr;
  std::unique_ptr<Layer> (*make)(const PlanRequest& request) = nullptr;

  /// Whether the input port may stay without a wire.
  bool isOptional(size_t port) const { return optionalInputs > 0 && port >= requiredInputs(); }
  /// Inputs that need a wire.
  size_t requiredInputs() const { return inputs.size() - optionalInputs; }
  /// What the input port can work with.
  LayerTakes takesAt(size_t port) const {
    return port < inputTakes.size() ? inputTakes[port] : takes;
  }
};

/// Every layer, by id. Built from the folder definitions/.
TENON_API std::span<const LayerDef* const> allLayers();
/// The layer with that id, or null.
TENON_API const LayerDef* findLayer(std::string_view id);

}  // namespace tenon
