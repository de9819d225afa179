// SPDX-License-Identifier: Apache-2.0
// What tests of modules share: texts of errors, and seeds.
#pragma once

#include "engine/ops/gate/thread_state.h"
#include "tests/support/error_text.h"

namespace tenon {

/// Initial values and masks from one seed while this lives.
class Seeded {
 public:
  explicit Seeded(uint64_t seed) : generator_{.seed = seed}, guard_(generator_) {}

 private:
  Generator generator_;
  gate::GeneratorGuard guard_;
};

}  // namespace tenon
