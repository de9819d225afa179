// SPDX-License-Identifier: Apache-2.0
// The reductions that cases of tests/reference/ops.json call.
#include <nlohmann/json.hpp>

#include "engine/ops/reduce/cumprod.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/ops/golden.h"

namespace tenon::test::golden {
namespace {

int axis(const Json& args) { return args.at("axis"); }

}  // namespace

void addReductions(Functions& all) {
  all["sum"] = [](const Inputs& in, const Json& args) {
    return sum(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["mean"] = [](const Inputs& in, const Json& args) {
    return mean(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["maxAlong"] = [](const Inputs& in, const Json& args) {
    return maxAlong(in[0], axis(args)).values;
  };
  all["minAlong"] = [](const Inputs& in, const Json& args) {
    return minAlong(in[0], axis(args)).values;
  };
  all["argmax"] = [](const Inputs& in, const Json& args) { return argmax(in[0], axis(args)); };
  all["pick"] = [](const Inputs& in, const Json& args) { return pick(in[0], in[1], axis(args)); };
  all["argmin"] = [](const Inputs& in, const Json& args) { return argmin(in[0], axis(args)); };
  all["amax"] = [](const Inputs& in, const Json& args) {
    return amax(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["amin"] = [](const Inputs& in, const Json& args) {
    return amin(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["var"] = [](const Inputs& in, const Json& args) {
    return var(in[0], axesIn(args.at("axes")), args.at("correction"), args.at("keepdim"));
  };
  all["stddev"] = [](const Inputs& in, const Json& args) {
    return stddev(in[0], axesIn(args.at("axes")), args.at("correction"), args.at("keepdim"));
  };
  all["norm"] = [](const Inputs& in, const Json& args) {
    return norm(in[0], numberIn(args.at("order")), axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["logsumexp"] = [](const Inputs& in, const Json& args) {
    return logsumexp(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["prod"] = [](const Inputs& in, const Json& args) {
    return prod(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["any"] = [](const Inputs& in, const Json& args) {
    return any(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["all"] = [](const Inputs& in, const Json& args) {
    return tenon::all(in[0], axesIn(args.at("axes")), args.at("keepdim"));
  };
  all["cumprod"] = [](const Inputs& in, const Json& args) { return cumprod(in[0], axis(args)); };
  all["cumsum"] = [](const Inputs& in, const Json& args) { return cumsum(in[0], axis(args)); };
}

}  // namespace tenon::test::golden
