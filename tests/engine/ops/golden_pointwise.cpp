// SPDX-License-Identifier: Apache-2.0
// The pointwise functions that cases of tests/reference/ops.json call: every row of the tables in
// engine/ops/elementwise/functions/.
#include <nlohmann/json.hpp>

#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/glu/glu.h"
#include "tests/engine/ops/golden.h"

namespace tenon::test::golden {
namespace {

double a(const Json& args) { return numberIn(args.at("a")); }
double b(const Json& args) { return numberIn(args.at("b")); }

}  // namespace

#define TENON_GOLDEN0(name, ...) \
  all[#name] = [](const Inputs& in, const Json&) { return name(in[0]); };
#define TENON_GOLDEN1(name, ...) \
  all[#name] = [](const Inputs& in, const Json& args) { return name(in[0], a(args)); };
#define TENON_GOLDEN2(name, ...) \
  all[#name] = [](const Inputs& in, const Json& args) { return name(in[0], a(args), b(args)); };
#define TENON_GOLDEN_BINARY(name, ...) \
  all[#name] = [](const Inputs& in, const Json&) { return name(in[0], in[1]); };

void addPointwise(Functions& all) {
  TENON_ARITHMETIC(TENON_GOLDEN0, TENON_GOLDEN1, TENON_GOLDEN2)
  TENON_ACTIVATIONS(TENON_GOLDEN0, TENON_GOLDEN1, TENON_GOLDEN2)
  TENON_EXPONENTIALS(TENON_GOLDEN0, TENON_GOLDEN1, TENON_GOLDEN2)
  TENON_TRIGONOMETRIC(TENON_GOLDEN0, TENON_GOLDEN1, TENON_GOLDEN2)
  TENON_ROUNDING(TENON_GOLDEN0, TENON_GOLDEN1, TENON_GOLDEN2)
  TENON_BINARY_FUNCTIONS(TENON_GOLDEN_BINARY)
  TENON_COMPARISONS(TENON_GOLDEN_BINARY)
  TENON_GOLDEN0(logicalNot)
  TENON_GOLDEN_BINARY(prelu)
  all.erase("floorDivide");  // tested in types_test.cpp: PyTorch has no gradient of it
  all.erase("leakyReluBy");  // tested as prelu and
  all.erase("bitEntropy");   // bceLoss, which PyTorch has
  all["glu"] = [](const Inputs& in, const Json& args) { return glu(in[0], args.at("axis")); };
  all["lerp"] = [](const Inputs& in, const Json&) { return lerp(in[0], in[1], in[2]); };
  all["where"] = [](const Inputs& in, const Json&) {
    return where(cast(in[0], DType::Bool), in[1], in[2]);
  };
}

}  // namespace tenon::test::golden
