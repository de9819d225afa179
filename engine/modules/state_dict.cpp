// SPDX-License-Identifier: Apache-2.0
// Matching a state dictionary with a module: first everything is compared, then copied.
#include "engine/modules/state_dict.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/tensor/promotion.h"

namespace tenon::nn {
namespace {

TensorMeta metaOf(const Tensor& tensor) { return {tensor.shape(), tensor.dtype()}; }

std::string textOf(const TensorMeta& meta) {
  return fmt::format("{} {}", dtypeName(meta.dtype), toString(meta.shape));
}

std::string cut(const std::string& name, const std::string& prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

/// The dictionary by name. @throws Error(Input) for two entries of one name.
std::map<std::string, Tensor> byName(const StateDict& state, const std::string& prefix) {
  std::map<std::string, Tensor> entries;
  for (const NamedState& entry : state) {
    const std::string name = cut(entry.name, prefix);
    if (!entries.emplace(name, entry.tensor).second)
      throw Error(Code::Input, fmt::format("the state has two entries '{}'", name));
  }
  return entries;
}

struct Copy {
  Tensor to;
  Tensor from;
};

void refuse(const LoadReport& report, const LoadOptions& options) {
  const bool names = !report.missing.empty() || !report.unexpected.empty();
  const bool shapes = !report.mismatched.empty();
  if ((options.strict && names) || (shapes && !options.skipMismatched))
    throw Error(Code::Input, "the state does not fit the module:\n" + textOf(report));
}

}  // namespace

std::string textOf(const LoadReport& report) {
  std::string text;
  const auto add = [&](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  for (const std::string& name : report.missing) add("missing: " + name);
  for (const std::string& name : report.unexpected) add("unexpected: " + name);
  for (const StateMismatch& each : report.mismatched)
    add(fmt::format("{}: wanted {}, got {}", each.name, textOf(each.wanted), textOf(each.got)));
  return text;
}

LoadReport loadState(const Module& module, const StateDict& state, const LoadOptions& options) {
  std::map<std::string, Tensor> entries = byName(state, options.stripPrefix);
  LoadReport report;
  std::vector<Copy> copies;
  Tensors lacking;  // optional ones that are not there
  for (const NamedState& own : module.state()) {
    const auto entry = entries.find(own.name);
    if (entry == entries.end()) {
      if (own.optional) {
        lacking.push_back(own.tensor);
      } else {
        report.missing.push_back(own.name);
      }
      continue;
    }
    const Tensor& from = entry->second;
    if (from.shape() != own.tensor.shape() || !canCast(from.dtype(), own.tensor.dtype())) {
      report.mismatched.push_back({own.name, metaOf(own.tensor), metaOf(from)});
    } else {
      copies.push_back({own.tensor, from});
    }
    entries.erase(entry);
  }
  for (const NamedState& entry : state)  // in the dictionary's order
    if (const std::string name = cut(entry.name, options.stripPrefix); entries.contains(name))
      report.unexpected.push_back(name);
  refuse(report, options);
  const gate::NoGradGuard noGrad;
  for (const Copy& copy : copies) copyInPlace(copy.to, copy.from);
  for (const Tensor& tensor : lacking) fillInPlace(tensor, 0);
  report.loaded = copies.size();
  return report;
}

}  // namespace tenon::nn
