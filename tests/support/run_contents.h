// SPDX-License-Identifier: Apache-2.0
// What a run left in the store, for comparing two runs bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/metrics.h"
#include "engine/store/store.h"

namespace tenon::testing {

using PartBytes = std::vector<std::pair<std::string, std::vector<std::byte>>>;

/// All parts of the newest checkpoint.
inline PartBytes newestParts(Store& store, RunId run) {
  PartBytes out;
  for (const Part& part : store.checkpoints().load(store.checkpoints().newestWhole(run)->id).parts)
    out.emplace_back(part.name, part.data);
  return out;
}

/// Steps and values of one metric.
inline std::vector<std::pair<int64_t, double>> curve(Store& store, RunId run,
                                                     const std::string& name) {
  std::vector<std::pair<int64_t, double>> out;
  for (const SeriesInfo& info : store.metrics().series(run))
    if (info.name == name)
      for (const MetricRow& row : store.metrics().readRows(info.id, 0, info.rows))
        out.emplace_back(row.step, row.value);
  return out;
}

/// Step, epoch and value of every row.
using Curves = std::map<std::string, std::vector<std::tuple<int64_t, int32_t, double>>>;

/// All curves of a run. Of what is measured and not computed (memory, speed) only the steps are
/// compared: values are 0 here; and of speed, which needs some steps until it is known, only the
/// name.
inline Curves allCurves(Store& store, RunId run) {
  Curves out;
  for (const SeriesInfo& info : store.metrics().series(run)) {
    auto& rows = out[info.name];
    if (info.name == "train/samples_per_second" || info.name == "train/data_wait") continue;
    const bool measured = info.name.starts_with("memory/");
    for (const MetricRow& row : store.metrics().readRows(info.id, 0, info.rows))
      rows.emplace_back(row.step, row.epoch, measured ? 0 : row.value);
  }
  return out;
}

/// Step and bytes of each artifact of a kind.
inline std::vector<std::pair<int64_t, std::vector<std::byte>>> artifactsOf(
    Store& store, RunId run, const std::string& kind) {
  std::vector<std::pair<int64_t, std::vector<std::byte>>> out;
  for (const ArtifactInfo& info : store.artifacts().list(run, kind))
    out.emplace_back(info.step, store.artifacts().read(info.id));
  return out;
}

}  // namespace tenon::testing
