// SPDX-License-Identifier: Apache-2.0
// The tree of modules: names, walks, and what concerns all of it.
#include "engine/modules/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/optim/parameter_groups.h"
#include "engine/schema/suggest.h"

namespace tenon::nn {
namespace {

std::string quotedNearest(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return "there are none";
  const std::string nearest = nearestName(name, known);
  return fmt::format("of {} the nearest is '{}'", known.size(),
                     nearest.empty() ? known.front() : nearest);
}

}  // namespace

void Module::checkName(const std::string& name) const {
  if (name.empty()) throw Error(Code::Usage, "a part of a module wants a name, got ''");
  const auto named = [&](const auto& part) { return part.name == name; };
  if (std::any_of(parameters_.begin(), parameters_.end(), named) ||
      std::any_of(buffers_.begin(), buffers_.end(), named) ||
      std::any_of(children_.begin(), children_.end(), named))
    throw Error(Code::Usage, fmt::format("the module has a part '{}' already", name));
}

Tensor Module::addParameter(std::string name, const Tensor& tensor, bool decays) {
  checkName(name);
  autograd::setRequiresGrad(tensor);
  tensor.retag(memory::Category::Parameter);
  parameters_.push_back({std::move(name), tensor, decays});
  return tensor;
}

Tensor Module::addBuffer(std::string name, const Tensor& tensor, bool persistent) {
  return addBuffer({std::move(name), tensor, persistent});
}

Tensor Module::addBuffer(NamedBuffer buffer) {
  checkName(buffer.name);
  buffer.tensor.retag(memory::Category::Buffer);
  buffers_.push_back(std::move(buffer));
  return buffers_.back().tensor;
}

void Module::adopt(std::string name, std::shared_ptr<Module> module) {
  checkName(name);
  if (!module) throw Error(Code::Usage, fmt::format("the child '{}' is null", name));
  if (name.find('.') != std::string::npos)
    throw Error(Code::Usage, fmt::format("a child's name has no dot, got '{}'", name));
  if (module->name_.empty()) module->name_ = name;  // one that is shared keeps its first name
  children_.push_back({std::move(name), std::move(module)});
}

void Module::visit(const std::string& prefix, const Visitor& see) const {
  see(prefix, *this);
  for (const Child& child : children_) child.module->visit(prefix + child.name + ".", see);
}

void Module::visitOnce(const Visitor& see) const {
  std::set<const Module*> seen;
  visit("", [&](const std::string& prefix, const Module& module) {
    if (seen.insert(&module).second) see(prefix, module);
  });
}

std::vector<OptimizedParameter> Module::parameters() const {
  std::vector<OptimizedParameter> out;
  std::set<const TensorImpl*> seen;
  visitOnce([&](const std::string& prefix, const Module& module) {
    for (const Parameter& parameter : module.parameters_)
      if (seen.insert(parameter.tensor.impl()).second)
        out.push_back({prefix + parameter.name, parameter.tensor, parameter.decays});
  });
  return out;
}

std::vector<NamedBuffer> Module::buffers() const {
  std::vector<NamedBuffer> out;
  std::set<const TensorImpl*> seen;
  visitOnce([&](const std::string& prefix, const Module& module) {
    for (const NamedBuffer& buffer : module.buffers_)
      if (seen.insert(buffer.tensor.impl()).second)
        out.push_back({prefix + buffer.name, buffer.tensor, buffer.persistent, buffer.optional});
  });
  return out;
}

StateDict Module::state() const {
  StateDict out;
  visit("", [&](const std::string& prefix, const Module& module) {
    for (const Parameter& parameter : module.parameters_)
      out.push_back({prefix + parameter.name, autograd::detach(parameter.tensor)});
    for (const NamedBuffer& buffer : module.buffers_)
      if (buffer.persistent)
        out.push_back({prefix + buffer.name, autograd::detach(buffer.tensor), buffer.optional});
  });
  return out;
}

std::vector<NamedModule> Module::modules() {
  std::vector<NamedModule> out;
  visitOnce([&](const std::string& prefix, const Module& module) {
    out.push_back({prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1),
                   const_cast<Module*>(&module)});  // NOLINT: all below a mutable one are
  });
  return out;
}

Module& Module::child(std::string_view name) {
  std::vector<std::string> known;
  for (const NamedModule& each : modules()) {
    if (each.name.empty()) continue;
    if (each.name == name) return *each.module;
    known.push_back(each.name);
  }
  throw Error(Code::Usage,
              fmt::format("the module has no child '{}': {}", name, quotedNearest(name, known)));
}

void Module::train(bool on) {
  for (const NamedModule& each : modules()) each.module->training_ = on;
}

std::vector<std::string> Module::setTrained(std::string_view pattern, bool on) {
  std::vector<std::string> known;
  std::vector<std::string> matched;
  for (const OptimizedParameter& parameter : parameters()) {
    known.push_back(parameter.name);
    if (!matchesPattern(pattern, parameter.name)) continue;
    autograd::setRequiresGrad(parameter.tensor, on);
    if (!on) autograd::setGrad(parameter.tensor, {});
    matched.push_back(parameter.name);
  }
  if (matched.empty())
    throw Error(Code::Usage, fmt::format("no parameter matches '{}': {}", pattern,
                                         quotedNearest(pattern, known)));
  return matched;
}

std::vector<std::string> Module::freeze(std::string_view pattern) {
  return setTrained(pattern, false);
}
std::vector<std::string> Module::unfreeze(std::string_view pattern) {
  return setTrained(pattern, true);
}

void Module::zeroGrad() {
  const std::vector<OptimizedParameter> all = parameters();
  tenon::zeroGrad(all);
}

}  // namespace tenon::nn
