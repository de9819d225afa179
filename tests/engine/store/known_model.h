// SPDX-License-Identifier: Apache-2.0
// A model whose checkpoint of any step is known, so that a loaded one can be checked in whole.
#pragma once

#include "engine/store/checkpoints.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {

/// Part 0 never changes, part i is new in every i-th
/// step.
struct KnownModel {
  int parts;
  size_t partBytes;

  std::vector<std::byte> bytes(int64_t step, int part) const {
    const int64_t version = part == 0 ? 0 : step / part;
    return pattern(partBytes, static_cast<uint64_t>(version * parts + part));
  }

  void save(Store& store, RunId run, int64_t step) const {
    std::vector<std::vector<std::byte>> data;
    std::vector<std::string> names;
    for (int i = 0; i < parts; ++i) {
      data.push_back(bytes(step, i));
      names.push_back("part" + std::to_string(i));
    }
    std::vector<PartView> views;
    for (size_t i = 0; i < data.size(); ++i) views.push_back({names[i], "{}", data[i]});
    store.checkpoints().save({.run = run, .step = step}, views);
  }

  void expectWhole(Store& store, const CheckpointInfo& info) const {
    const Checkpoint loaded = store.checkpoints().load(info.id);
    ASSERT_EQ(loaded.parts.size(), static_cast<size_t>(parts));
    for (int i = 0; i < parts; ++i)
      EXPECT_TRUE(loaded.parts[static_cast<size_t>(i)].data == bytes(info.step, i));
  }
};

}  // namespace tenon
