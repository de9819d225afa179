// SPDX-License-Identifier: Apache-2.0
// OpDef: everything the engine knows of one operator. An operator's folder defines it once; nothing
// is listed by hand.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/philox.h"
#include "engine/base/small_vector.h"
#include "engine/tensor/tensor.h"

namespace tenon {

class ParamMap;
struct OpDef;

/// Shape and type of a tensor that does not exist yet.
struct TensorMeta {
  Shape shape;
  DType dtype = DType::F32;
};

/// A call as shape rules see it. Absent optional inputs are null or undefined.
struct OpCall {
  const OpDef& op;
  TensorList inputs;
  const void* params;

  bool has(size_t i) const { return i < inputs.size() && inputs[i] && inputs[i]->defined(); }
  const Tensor& input(size_t i) const { return *inputs[i]; }
  template <class P>
  const P& as() const {
    return *static_cast<const P*>(params);
  }
};

/// What a gradient rule works on. `inputs` and `outputs` hold what the operator saves, undefined
/// elsewhere.
struct GradCall {
  const OpDef& op;
  const void* params;
  std::span<const Tensor> inputs;
  std::span<const Tensor> outputs;
  std::span<const TensorMeta> inputMetas;  ///< of every input, saved or not
  std::span<const Tensor> gradOutputs;     ///< undefined where no gradient arrived
  std::span<Tensor> gradInputs;            ///< to be filled where `needs` says so
  uint64_t needsMask;

  bool needs(size_t i) const { return (needsMask >> i) & 1u; }
  template <class P>
  const P& as() const {
    return *static_cast<const P*>(params);
  }
};

/// How an operator behaves under autocast (engine/amp); see reference/engine-facts.md 3.
enum class AutocastClass : uint8_t { AsIs, LowPrecision, Float32, Widest };

/// Inputs an operator is tested with. Values are drawn from a counter-based generator.
struct SampleInput {
  enum class Values : uint8_t { Uniform, Positive, Distinct, Index, Bool, Absent };
  Shape shape;
  Values values = Values::Uniform;
  double low = -1.0;  ///< for Index: 0 and `high` is the number of classes
  double high = 1.0;
  bool differentiable = true;  ///< checked by gradient check (floating only)
};

/// One test case of an operator. `params` holds the POD struct.
struct OpSample {
  std::string name;
  std::vector<SampleInput> inputs;
  std::vector<std::byte> params;
  /// Words that the error text must contain; empty: the call must succeed.
  std::vector<std::string> refusedWith;
};

/// A sample's params from a POD struct.
template <class P>
std::vector<std::byte> sampleParams(const P& params) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&params);
  return {bytes, bytes + sizeof(P)};
}

/// Gives shapes and types of the outputs. @throws Error whose text starts "[op]" and says wanted
/// and got.
using MetaRule = void (*)(const OpCall& call, std::span<TensorMeta> outputs);
/// Gives the output of a view operator: the same storage under another shape and strides.
using ViewRule = Tensor (*)(const OpCall& call);
using GradRule = void (*)(GradCall& call);
using SampleRule = std::vector<OpSample> (*)();
/// Writes the POD parameters as named values, for recordings and inspection.
using DescribeRule = void (*)(const void* params, ParamMap& out);

/// One operator. Aggregate; define it `static const OpDef kX = {.id = "x", ...}`.
struct OpDef {
  const char* id = "";
  const char* help = "";  ///< one sentence
  std::vector<const char*> inputNames =
      {};  ///< names of the inputs; the last may repeat if `variadic`
  int outputs = 1;
  bool variadic = false;    ///< takes any number of inputs
  size_t paramBytes = 0;    ///< sizeof the POD parameter struct, 0: none
  MetaRule meta = nullptr;  ///< null for view operators
  ViewRule view = nullptr;
  /// Bit i: input i is brought to the type that all of these have in common (tensor/promotion.h)
  /// before the shape rule sees them; all bits: every input. What is written in place keeps its
  /// type.
  uint64_t promotes = 0;
  bool promotesToFloating = false;  ///< integers and bools among them become f32
  uint64_t mutates = 0;  ///< bit i: input i is written in place and output i is that very tensor
  /// Variadic operators without outputs: inputs from `groupFirst` on come in groups of `groupSize`,
  /// and bit i says that the i-th of each group is written in place (fused optimizer steps).
  uint8_t groupFirst = 0;
  uint8_t groupSize = 1;
  uint64_t groupMutates = 0;
  /// What the numbers are for that it draws from the thread's generator; None: it draws none.
  philox::Purpose random = philox::Purpose::None;
  uint64_t savesInputs = 0;               ///< bit i: the gradient needs input i
  uint64_t savesOutputs = 0;              ///< bit i: the gradient needs output i
  uint64_t nonDifferentiable = 0;         ///< bit i: output i never carries a gradient
  GradRule grad = nullptr;                ///< fast rule, may call fused backward operators
  GradRule gradDifferentiable = nullptr;  ///< built from differentiable operators; null: `grad` is
  AutocastClass autocast = AutocastClass::AsIs;
  DescribeRule describe = nullptr;
  SampleRule samples = nullptr;

  /// True if input i is brought to the common type.
  bool promotesInput(size_t i) const {
    return i < 64 ? ((promotes >> i) & 1u) != 0 : promotes == ~uint64_t{0};
  }
  /// True if the operator writes input i in place.
  bool mutatesInput(size_t i) const {
    if (i < 64 && ((mutates >> i) & 1u)) return true;
    return groupMutates && i >= groupFirst &&
           ((groupMutates >> ((i - groupFirst) % groupSize)) & 1u);
  }

  /// Kernels of this operator a device kind, looked up on first use. Only the gate touches this.
  struct KernelCache {
    std::atomic<const void*> row{nullptr};
    std::atomic<uint32_t> generation{0};
    std::atomic<uint32_t> name{0};  // interned id
    KernelCache() = default;
    KernelCache(const KernelCache&) {}
  };
  mutable KernelCache cache[2] = {};
};

/// The operators that one folder defines.
struct OpDefList {
  const OpDef* const* data = nullptr;
  int count = 0;
};

/// Every operator of the engine, by id. Built from the folders.
TENON_API std::span<const OpDef* const> allOps();
/// The operator with that id, or null.
TENON_API const OpDef* findOp(std::string_view id);

}  // namespace tenon
