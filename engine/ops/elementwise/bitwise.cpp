// SPDX-License-Identifier: Apache-2.0
// Operators on the bits of integers and the truth of bools.
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/elementwise/families.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

std::vector<OpSample> pairSamples() {
  return {{"integers", {{{2, 3, 5}, Values::Index, 0, 99}, {{5}, Values::Index, 0, 99}}, {}, {}},
          {"bools", {{{3, 1}, Values::Bool}, {{1, 4}, Values::Bool}}, {}, {}},
          {"floating", {{{3}}, {{3}}}, {}, {"no kernel", "f64"}}};
}
std::vector<OpSample> oneSamples() {
  return {{"integers", {{{2, 3, 5}, Values::Index, 0, 99}}, {}, {}},
          {"bools", {{{3, 4}, Values::Bool}}, {}, {}},
          {"floating", {{{3}}}, {}, {"no kernel", "f64"}}};
}

#define TENON_BITWISE(name, opId, opHelp)       \
  const OpDef name = {.id = opId,               \
                      .help = opHelp,           \
                      .inputNames = {"a", "b"}, \
                      .meta = &broadcastPair,   \
                      .promotes = 3,            \
                      .nonDifferentiable = 1,   \
                      .samples = &pairSamples}
TENON_BITWISE(kAnd, "bitwise_and", "Bits that are set in a and b");
TENON_BITWISE(kOr, "bitwise_or", "Bits that are set in a or b");
TENON_BITWISE(kXor, "bitwise_xor", "Bits that are set in just one of a and b");
const OpDef kNot = {.id = "bitwise_not",
                    .help = "Every bit turned over",
                    .inputNames = {"x"},
                    .meta = &likeFirst,
                    .nonDifferentiable = 1,
                    .samples = &oneSamples};

}  // namespace

Tensor bitwiseAnd(const Tensor& a, const Tensor& b) { return gate::run(kAnd, {&a, &b}); }
Tensor bitwiseOr(const Tensor& a, const Tensor& b) { return gate::run(kOr, {&a, &b}); }
Tensor bitwiseXor(const Tensor& a, const Tensor& b) { return gate::run(kXor, {&a, &b}); }
Tensor bitwiseNot(const Tensor& x) { return gate::run(kNot, {&x}); }

void appendBitwise(OpDefs& ops) {
  for (const OpDef* op : {&kAnd, &kOr, &kXor, &kNot}) ops.push_back(op);
}

}  // namespace tenon
