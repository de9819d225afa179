// SPDX-License-Identifier: Apache-2.0
// Looks definitions up by kind; nothing is listed here.
#include "engine/train/engine_catalog.h"

#include "engine/data/reader_def.h"
#include "engine/data/transform_def.h"
#include "engine/layers/layer_def.h"
#include "engine/metrics/loss_def.h"
#include "engine/metrics/metric_def.h"
#include "engine/optim/optimizer_def.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

template <class Definition>
const ParamSchema* schemaOf(const Definition* definition) {
  return definition ? &definition->schema : nullptr;
}

template <class Definition>
std::vector<std::string> idsOf(std::span<const Definition* const> all) {
  std::vector<std::string> ids;
  for (const Definition* definition : all) ids.push_back(definition->id);
  return ids;
}

class EngineCatalog final : public Catalog {
 public:
  const ParamSchema* schema(PartKind kind, std::string_view type) const override {
    static const ParamSchema kNone;
    switch (kind) {
      case PartKind::Layer:
        return schemaOf(findLayer(type));
      case PartKind::Reader:
        return schemaOf(findReader(type));
      case PartKind::Transform:
        return schemaOf(findTransform(type));
      case PartKind::Optimizer:
        return schemaOf(findOptimizer(type));
      case PartKind::Schedule:
        return schemaOf(findSchedule(type));
      case PartKind::Loss:
        return schemaOf(findLoss(type));
      case PartKind::Metric:
        return findMetric(type) ? &kNone : nullptr;
    }
    return nullptr;
  }

  GraphSlots slots(std::string_view layer) const override {
    const LayerDef* def = findLayer(layer);
    return def ? def->slots : GraphSlots();
  }

  std::vector<std::string> types(PartKind kind) const override {
    switch (kind) {
      case PartKind::Layer:
        return idsOf(allLayers());
      case PartKind::Reader:
        return idsOf(allReaders());
      case PartKind::Transform:
        return idsOf(allTransforms());
      case PartKind::Optimizer:
        return idsOf(allOptimizers());
      case PartKind::Schedule:
        return idsOf(allSchedules());
      case PartKind::Loss:
        return idsOf(allLosses());
      case PartKind::Metric:
        return idsOf(allMetrics());
    }
    return {};
  }
};

}  // namespace

const Catalog& engineCatalog() {
  static const EngineCatalog kCatalog;
  return kCatalog;
}

}  // namespace tenon
