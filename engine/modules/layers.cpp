// SPDX-License-Identifier: Apache-2.0
// Layer definitions as modules.
#include "engine/modules/layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/layers/planning.h"
#include "engine/modules/initializers.h"
#include "engine/schema/validate.h"

namespace tenon::nn {
namespace {

const LayerDef& definition(std::string_view id) {
  if (const LayerDef* def = findLayer(id)) return *def;
  throw Error(Code::Usage, issueText(unknownLayer(id)));
}

PortShape shapeOf(const Tensor& tensor) {
  if (!tensor.defined()) return {};
  PortShape shape{{tensor.shape().begin(), tensor.shape().end()}, tensor.dtype()};
  if (!shape.sizes.empty()) shape.sizes[0] = kFreeSize;
  return shape;
}

std::string textOf(std::span<const PortShape> shapes) {
  std::string text;
  for (const PortShape& shape : shapes) text += (text.empty() ? "" : ", ") + toString(shape);
  return text;
}

/// A definition with its parameters and weights.
class LayerModule final : public Module {
 public:
  LayerModule(const LayerDef& def, const ParamMap& params, std::vector<PortShape> inputs)
      : def_(def), params_(completeParams(def.schema, params)) {
    if (inputs.empty()) return;
    const LayerPlan plan = planFor(inputs, Code::Input);
    for (const WeightPlan& weight : plan.weights) makeWeight(weight);
    bind(std::move(inputs), plan);
  }

 protected:
  Tensors forward(std::span<const Tensor> inputs) override {
    std::vector<PortShape> shapes;
    for (const Tensor& input : inputs) shapes.push_back(shapeOf(input));
    if (!layer_ || shapes != shapes_) {
      const LayerPlan plan = planFor(shapes, Code::Shape);
      checkWeights(plan, shapes);
      bind(std::move(shapes), plan);
    }
    Tensors outputs(outputs_);
    LayerCall call{inputs, outputs, weights_, training()};
    layer_->forward(call);
    return outputs;
  }
  /// A hook may have left fewer.
  size_t passedOn(size_t outputs) const override {
    return std::min(outputs, def_.outputs.size() - def_.sideOutputs);
  }

 private:
  LayerPlan planFor(std::span<const PortShape> inputs, Code code) const {
    const size_t least = def_.requiredInputs(), most = def_.inputs.size();
    if (def_.variadic ? inputs.size() < 2 : inputs.size() < least || inputs.size() > most)
      throw Error(code, fmt::format("layer '{}' wants {} inputs, got {}", def_.id,
                                    def_.variadic   ? "2 or more"
                                    : least == most ? std::to_string(most)
                                                    : fmt::format("{} to {}", least, most),
                                    inputs.size()));
    LayerPlan plan = planLayer(def_, {params_, inputs});
    try {
      throwIfErrors(plan.issues, code);
    } catch (Error& error) {
      error.addContext(fmt::format("layer '{}' on {}", def_.id, textOf(inputs)));
      throw;
    }
    return plan;
  }

  void makeWeight(const WeightPlan& plan) {
    const Tensor tensor = Tensor::empty(plan.shape, plan.dtype);
    // Counters take no numbers: what is drawn after them does not depend on them.
    initialize(tensor, plan.init, isFloating(plan.dtype) ? nextInitNumbers() : InitNumbers{});
    weights_.push_back(plan.trainable ? addParameter(plan.name, tensor, plan.decays)
                                      : addBuffer({plan.name, tensor, true, plan.optional}));
  }

  void checkWeights(const LayerPlan& plan, std::span<const PortShape> inputs) const {
    if (weights_.empty() && !plan.weights.empty())
      throw Error(Code::Usage, fmt::format("layer '{}' has weights, whose shapes follow from its "
                                           "input: give the input's shape when making it",
                                           def_.id));
    bool fits = plan.weights.size() == weights_.size();
    for (size_t i = 0; fits && i < weights_.size(); ++i) {
      if (plan.weights[i].shape == weights_[i].shape()) continue;
      throw Error(Code::Shape,
                  fmt::format("layer '{}' has a {} of shape {}, an input {} would need {}", def_.id,
                              plan.weights[i].name, toString(weights_[i].shape()), textOf(inputs),
                              toString(plan.weights[i].shape)));
    }
    if (!fits)
      throw Error(Code::Shape,
                  fmt::format("layer '{}' has {} weights, an input {} would need {}", def_.id,
                              weights_.size(), textOf(inputs), plan.weights.size()));
  }

  void bind(std::vector<PortShape> inputs, const LayerPlan& plan) {
    layer_ = def_.make({params_, inputs});
    outputs_ = plan.outputs.size();
    shapes_ = std::move(inputs);
  }

  const LayerDef& def_;
  ParamMap params_;
  Tensors weights_;
  std::unique_ptr<Layer> layer_;  // for inputs of shapes_
  std::vector<PortShape> shapes_;
  size_t outputs_ = 1;
};

}  // namespace

ModulePtr layer(std::string_view id, const ParamMap& params, std::vector<PortShape> inputs) {
  return std::make_shared<LayerModule>(definition(id), params, std::move(inputs));
}

namespace {
std::vector<PortShape> batchOf(std::vector<int64_t> sample) {
  sample.insert(sample.begin(), kFreeSize);
  return {PortShape{std::move(sample), DType::F32}};
}
}  // namespace

ModulePtr linear(int64_t in, int64_t out, bool bias) {
  return layer("linear", {{"out_features", out}, {"bias", bias}}, batchOf({in}));
}

ModulePtr conv2d(int64_t in, int64_t out, int64_t kernel, const Conv2dOptions& options) {
  const int64_t reach = options.dilation * (kernel - 1) + 1;  // the smallest image that fits
  const std::vector<int64_t> sides[] = {{kernel, kernel},
                                        {options.stride, options.stride},
                                        {options.padding, options.padding},
                                        {options.dilation, options.dilation}};
  return layer("conv2d",
               {{"out_channels", out},
                {"kernel_size", sides[0]},
                {"stride", sides[1]},
                {"padding", sides[2]},
                {"dilation", sides[3]},
                {"groups", options.groups},
                {"bias", options.bias}},
               batchOf({in, reach, reach}));
}

ModulePtr batchNorm2d(int64_t channels, std::optional<double> momentum, double eps) {
  return layer(
      "batch_norm2d",
      {{"momentum", momentum.value_or(0.1)}, {"cumulative", !momentum.has_value()}, {"eps", eps}},
      batchOf({channels, 1, 1}));
}

ModulePtr layerNorm(int64_t size, double eps) {
  return layer("layer_norm", {{"eps", eps}}, batchOf({size}));
}

ModulePtr embedding(int64_t count, int64_t size, int64_t paddingIndex) {
  return layer(
      "embedding",
      {{"num_embeddings", count}, {"embedding_dim", size}, {"padding_index", paddingIndex}},
      {PortShape{{kFreeSize, 1}, DType::I64}});
}

ModulePtr dropout(double p) { return layer("dropout", {{"p", p}}); }
ModulePtr relu() { return layer("relu"); }
ModulePtr flatten() { return layer("flatten"); }

ModulePtr maxPool2d(int64_t kernel, int64_t stride, int64_t padding) {
  const auto both = [](int64_t side) { return std::vector<int64_t>{side, side}; };
  return layer(
      "max_pool2d",
      {{"kernel_size", both(kernel)}, {"stride", both(stride)}, {"padding", both(padding)}});
}

Sequential::Sequential(std::initializer_list<ModulePtr> parts) {
  for (const ModulePtr& part : parts) add(part);
}

void Sequential::add(const ModulePtr& module) {
  parts_.push_back(addChild(std::to_string(parts_.size()), module));
}

size_t Sequential::passedOn(size_t outputs) const {
  return parts_.empty() ? outputs : parts_.back()->passedOn(outputs);
}

Tensors Sequential::forward(std::span<const Tensor> inputs) {
  Tensors values(inputs.begin(), inputs.end());
  const Module* last = nullptr;
  for (const ModulePtr& part : parts_) {
    if (last) values.resize(last->passedOn(values.size()));
    values = part->call(values);
    last = part.get();
  }
  return values;
}

}  // namespace tenon::nn
