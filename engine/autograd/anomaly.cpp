// SPDX-License-Identifier: Apache-2.0
// Looking for the first NaN and Inf.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "engine/autograd/anomaly_watch.h"
#include "engine/autograd/autograd.h"
#include "engine/autograd/record.h"
#include "engine/tensor/half.h"

namespace tenon::autograd {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local AnomalyWatch* activeWatch = nullptr;

constexpr const char* kNotSeen =
    "nothing is known of forward calls before anomaly mode began or the last backward pass ended";

/// Index of the first element of each kind in logical row-major order, -1: none.
struct Found {
  int64_t nan = -1;
  int64_t inf = -1;
};

template <class T>
Found search(const T* values, int64_t n) {
  Found found;
  for (int64_t i = 0; i < n && found.nan < 0; ++i) {
    const auto value =
        static_cast<double>(static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(values[i]));
    if (std::isfinite(value)) continue;
    if (std::isnan(value)) {
      found.nan = i;
    } else if (found.inf < 0) {
      found.inf = i;
    }
  }
  return found;
}

template <class T>
Found search(const Tensor& tensor) {
  if (tensor.isContiguous()) return search(tensor.data<T>(), tensor.numel());
  return search(tensor.toVector<T>().data(), tensor.numel());
}

Found search(const Tensor& tensor) {
  if (!tensor.defined()) return {};
  switch (tensor.dtype()) {
    case DType::F32:
      return search<float>(tensor);
    case DType::F64:
      return search<double>(tensor);
    case DType::F16:
      return search<Half>(tensor);
    case DType::BF16:
      return search<BFloat16>(tensor);
    default:
      return {};
  }
}

std::string layerText(memory::NameId layer) {
  return layer ? fmt::format(" (layer '{}')", memory::nameText(layer)) : std::string();
}

/// Where a call got a value that is not finite; empty if it made it itself.
std::string sourceText(const gate::CallInfo& info) {
  for (size_t i = 0; i < info.inputs.size(); ++i) {
    if (!info.inputs[i] || info.op.mutatesInput(i)) continue;
    const Found found = search(*info.inputs[i]);
    if (found.nan < 0 && found.inf < 0) continue;
    return fmt::format(", which got {} as input {}", found.nan >= 0 ? "NaN" : "Inf", i);
  }
  return {};
}

std::string outputText(const gate::CallInfo& info, size_t output, int64_t element) {
  return fmt::format("output {} of '{}'{}, {}, element {}{}", output, info.op.id,
                     layerText(memory::currentScope().layer), describe(info.outputs[output]),
                     element, sourceText(info));
}

}  // namespace

AnomalyWatch* activeAnomalyWatch() { return activeWatch; }

AnomalyWatch::AnomalyWatch(AnomalyOptions options)
    : options_(options), outer_(activeWatch), since_(nextNodeNumber()) {
  activeWatch = this;
}

AnomalyWatch::~AnomalyWatch() { activeWatch = outer_; }

void AnomalyWatch::forget() {
  firstNan_.clear();
  firstInf_.clear();
  since_ = nextNodeNumber();
}

void AnomalyWatch::onCall(const gate::CallInfo& info) {
  if (executingNode() != nullptr || !info.kernel || !firstNan_.empty()) return;
  for (size_t i = 0; i < info.outputs.size(); ++i) {
    const Found found = search(info.outputs[i]);
    if (found.inf >= 0 && firstInf_.empty()) firstInf_ = outputText(info, i, found.inf);
    if (found.nan >= 0 && firstNan_.empty()) firstNan_ = outputText(info, i, found.nan);
  }
}

std::string AnomalyWatch::forwardText() const {
  std::vector<std::string> parts;
  if (!firstNan_.empty()) parts.push_back("first NaN of the forward pass: " + firstNan_);
  if (!firstInf_.empty()) parts.push_back("first Inf of the forward pass: " + firstInf_);
  if (!sawAll_) parts.emplace_back(kNotSeen);
  if (parts.empty()) return "all values of the forward pass were finite";
  return fmt::format("{}", fmt::join(parts, "; "));
}

void AnomalyWatch::checkGradients(const Node& node, std::span<const Tensor> gradients,
                                  uint64_t needs) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!((needs >> i) & 1u)) continue;
    const Found found = search(gradients[i]);
    if (found.nan < 0 && !(options_.infinite && found.inf >= 0)) continue;
    const bool nan = found.nan >= 0;
    throw Error(Code::Input,
                fmt::format("backward of '{}'{} gave {} as gradient of its input {}, {}, element "
                            "{}; {}",
                            node.name(), layerText(node.scope.layer), nan ? "NaN" : "Inf", i,
                            describe(gradients[i]), nan ? found.nan : found.inf, forwardText()));
  }
}

void AnomalyWatch::explain(const Node& node, Error& error) {
  error.addContext(fmt::format("backward of '{}'{}", node.name(), layerText(node.scope.layer)));
}

AnomalyGuard::AnomalyGuard(AnomalyOptions options)
    : watch_(std::make_unique<AnomalyWatch>(options)) {}
AnomalyGuard::~AnomalyGuard() = default;

}  // namespace tenon::autograd
