// SPDX-License-Identifier: Apache-2.0
// Checks that try what the run would do: a part is made as the run makes it, without weights.
#include "engine/train/training_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "engine/base/issues.h"
#include "engine/metrics/loss_def.h"
#include "engine/optim/optimizer_changes.h"
#include "engine/optim/parameter_groups.h"
#include "engine/schema/validate.h"
#include "engine/train/optimizer_plan.h"
#include "engine/train/run_setup.h"

namespace tenon {
namespace {

constexpr const char* kChanges = "train.optimizer_changes";

/// Why `run` throws; none if it does not. A lack of memory is no fault of the project: the training
/// will tell it.
std::optional<std::string> refusal(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    if (error.code() != Code::Memory) return error.what();
  }
  return std::nullopt;
}

/// A part that is made of parameters, and where they stand in the project.
struct TriedPart {
  const ParamSchema& schema;
  ParamMap params;  ///< complete
  std::string code;
  std::string field;
  std::function<void(const ParamMap&)> make;

  std::optional<std::string> refusalOf(const ParamMap& tried) const {
    return refusal([&] { make(tried); });
  }
  Issue issue(const std::string& why, const std::string& name) const {
    return fieldIssue(code, TENON_TEXT("{0}"), {why}, name.empty() ? field : field + "." + name);
  }
};

/// One issue for each line of a list that is refused even alone.
Issues wrongLines(const TriedPart& part) {
  Issues issues;
  for (const ParamSpec& spec : part.schema) {
    if (spec.type != ParamType::StringList) continue;
    if (part.refusalOf(part.params.with(spec.name, spec.defaultValue))) continue;  // not the list
    for (const std::string& line : part.params.getStrings(spec.name))
      if (const auto why =
              part.refusalOf(part.params.with(spec.name, std::vector<std::string>{line})))
        issues.push_back(part.issue(*why, spec.name));
  }
  return issues;
}

/// What is refused of a part, at the first setting whose default would be taken.
Issues tryPart(const TriedPart& part) {
  Issues issues = wrongLines(part);
  if (!issues.empty()) return issues;
  const auto why = part.refusalOf(part.params);
  if (!why) return {};
  for (const ParamSpec& spec : part.schema)
    if (!spec.required && !sameValue(*part.params.find(spec.name), spec.defaultValue) &&
        !part.refusalOf(part.params.with(spec.name, spec.defaultValue)))
      return {part.issue(*why, spec.name)};
  return {part.issue(*why, "")};
}

TriedPart optimizerPart(const OptimizerDef& def, const ParamMap& params, std::string field,
                        const TrainingFacts& facts) {
  return {def.schema, params, "train.optimizer", std::move(field),
          [&def, &facts](const ParamMap& tried) {
            groupNumbers(def.id, tried, facts.parameters);
            def.make(tried, {});
          }};
}

bool fits(const ParamSchema& schema, const ParamMap& params) {
  return !hasErrors(validate(schema, params));
}

/// What is wrong with one line of "optimizer_changes".
Issues checkChange(const std::string& line, const TrainSpec& train, const TrainingFacts& facts) {
  OptimizerChange change;
  if (const auto why = refusal([&] { change = readOptimizerChange(line); }))
    return {fieldIssue("train.optimizer", TENON_TEXT("{0}"), {*why}, kChanges)};
  Issues issues = tryPart(optimizerPart(*change.def, change.params, kChanges, facts));
  for (Issue& issue : issues) issue.place.field = kChanges;  // the line is one text
  const int64_t steps = train.epochs * facts.stepsPerEpoch;
  if (facts.stepsPerEpoch > 0 && change.fromStep(facts.stepsPerEpoch) >= steps) {
    issues.push_back(fieldIssue("train.never-reached",
                                TENON_TEXT("'{0}' is never reached: the training has {1} steps in "
                                           "{2} epochs"),
                                {line, std::to_string(steps), std::to_string(train.epochs)},
                                kChanges));
    issues.back().severity = Severity::Warning;
  }
  return issues;
}

/// The columns of a checked graph's output; 0: not known.
int64_t columnsOf(const CheckedGraph& graph) {
  if (graph.outputNode < 0) return 0;
  const CheckedNode& output = graph.nodes[static_cast<size_t>(graph.outputNode)];
  if (!output.planned || output.inputShapes.empty() || output.inputShapes[0].sizes.size() != 2)
    return 0;
  return output.inputShapes[0].sizes[1];
}

/// A layer, and its path in the model: "block.act".
struct LastLayer {
  const LayerDef* def = nullptr;  ///< null: several lead to the output, or none
  std::string path;
};

/// The node that the only wire into `id` comes from; null if there are more, or none.
const NodeSpec* sourceOf(const GraphSpec& graph, const std::string& id) {
  const NodeSpec* source = nullptr;
  for (const EdgeSpec& edge : graph.edges) {
    if (edge.to != id) continue;
    if (source) return nullptr;
    source = graph.find(edge.from);
  }
  return source;
}

const NodeSpec* outputOf(const GraphSpec& graph) {
  for (const auto& node : graph.nodes)
    if (node->type == "output") return node.get();
  return nullptr;
}

/// The last layer that changes values, inside of layers too where what they give is what their one
/// graph gives. @param graph without errors, so that it has no circle
LastLayer lastLayer(const GraphSpec& graph, const std::string& within = {}) {
  const NodeSpec* node = outputOf(graph);
  while (node) {
    node = sourceOf(graph, node->id);
    const LayerDef* def = node ? findLayer(node->type) : nullptr;
    if (!def || def->id == "input" || def->family == LayerFamily::Merge) return {};
    if (def->id == "identity" || def->family == LayerFamily::Shape) continue;
    const std::string path = within + node->id;
    if (def->slots.empty()) return {def, path};
    const auto body = node->graphs.find(def->slots.front().name);
    if (def->slots.size() > 1 || body == node->graphs.end()) return {};
    return lastLayer(*body->second, path + ".");
  }
  return {};
}

Issue lossWarning(const char* text, std::vector<std::string> args) {
  Issue issue = fieldIssue("train.loss-reading", text, std::move(args), "train.loss");
  issue.severity = Severity::Warning;
  return issue;
}

/// A warning if the model's end does not give what the loss reads.
Issues checkLastLayer(const LossDef& loss, const GraphSpec& graph) {
  const LastLayer last = lastLayer(graph);
  if (!last.def) return {};
  const auto isLast = [&last](const std::string& id) { return id == last.def->id; };
  const auto& wanted = loss.lastLayers;
  const auto& wrong = loss.wrongLastLayers;
  if (std::any_of(wrong.begin(), wrong.end(), isLast))
    return {lossWarning(TENON_TEXT("'{0}' wants the model's output as it is, without the '{1}' "
                                   "('{2}') that it ends in: the loss does its part itself"),
                        {loss.id, last.def->id, last.path})};
  if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), isLast))
    return {lossWarning(
        TENON_TEXT("'{0}' wants a model that ends in {1}; this one ends in '{2}' "
                   "('{3}')"),
        {loss.id, fmt::format("'{}'", fmt::join(wanted, "' or '")), last.def->id, last.path})};
  return {};
}

}  // namespace

std::vector<OptimizedParameter> parameterNames(const CheckedGraph& graph) {
  std::vector<OptimizedParameter> names;
  if (!graph.ok()) return names;
  for (const CheckedNode& node : graph.nodes)
    for (const WeightPlan& weight : node.plan.weights)
      if (weight.trainable) names.push_back({node.spec->id + "." + weight.name, {}, weight.decays});
  return names;
}

Issues checkOptimizers(const TrainSpec& train, const TrainingFacts& facts) {
  Issues issues;
  const OptimizerDef* def = findOptimizer(train.optimizer.type);
  const bool known = def && fits(def->schema, train.optimizer.params);
  if (known)
    append(issues, tryPart(optimizerPart(*def, completeParams(def->schema, train.optimizer.params),
                                         "train.optimizer", facts)));
  for (const std::string& line : train.optimizerChanges)
    append(issues, checkChange(line, train, facts));
  if (!known || facts.stepsPerEpoch == 0 || hasErrors(issues)) return issues;
  if (const auto why = refusal([&] { optimizerPlan(train, facts.stepsPerEpoch); }))
    issues.push_back(fieldIssue("train.optimizer", TENON_TEXT("{0}"), {*why}, kChanges));
  return issues;
}

Issues checkLoss(const ProjectSpec& project, int64_t classes, const CheckedGraph& graph) {
  const TrainSpec& train = *project.train;
  const LossDef* def = findLoss(train.loss.type);
  if (!def || !fits(def->schema, train.loss.params)) return {};
  const LossFacts facts = {classes, columnsOf(graph)};
  Issues issues =
      tryPart({def->schema, completeParams(def->schema, train.loss.params), "train.loss",
               "train.loss", [&](const ParamMap& tried) { def->make(tried, facts); }});
  if (graph.ok()) append(issues, checkLastLayer(*def, *project.graph));
  return issues;
}

Issues checkSchedule(const TrainSpec& train) {
  const ScheduleDef* def = findSchedule(train.schedule.type);
  if (!def || !fits(def->schema, train.schedule.params)) return {};
  return tryPart({def->schema, completeParams(def->schema, train.schedule.params), "train.schedule",
                  "train.schedule", [&](const ParamMap& tried) {
                    TrainSpec changed = train;
                    changed.schedule.params = tried;
                    BoundSchedule made(changed);
                  }});
}

}  // namespace tenon
