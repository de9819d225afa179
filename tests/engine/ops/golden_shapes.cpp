// SPDX-License-Identifier: Apache-2.0
// The functions of shapes, arrangements and indices that cases of tests/reference/ops.json call.
#include <nlohmann/json.hpp>

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/index/index.h"
#include "engine/ops/sort/sort.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/golden.h"

namespace tenon::test::golden {
namespace {

int axis(const Json& args) { return args.at("axis"); }

Tensor padOf(const Inputs& in, const Json& args) {
  const std::map<std::string, PadMode> modes = {{"constant", PadMode::Constant},
                                                {"reflect", PadMode::Reflect},
                                                {"replicate", PadMode::Replicate},
                                                {"circular", PadMode::Circular}};
  std::vector<Padding> paddings;
  for (const Json& p : args.at("paddings")) paddings.push_back({p[0], p[1], p[2]});
  return pad(in[0], paddings, modes.at(args.at("mode")), args.at("value"));
}

void addIndexing(Functions& all) {
  all["gather"] = [](const Inputs& in, const Json& args) {
    return gather(in[0], axis(args), in[1]);
  };
  all["scatter"] = [](const Inputs& in, const Json& args) {
    return scatter(in[0], axis(args), in[1], in[2]);
  };
  all["scatterValue"] = [](const Inputs& in, const Json& args) {
    return scatter(in[0], axis(args), in[1], args.at("value").get<double>());
  };
  all["scatterAdd"] = [](const Inputs& in, const Json& args) {
    return scatterAdd(in[0], axis(args), in[1], in[2]);
  };
  all["indexSelect"] = [](const Inputs& in, const Json& args) {
    return indexSelect(in[0], axis(args), in[1]);
  };
  all["indexAdd"] = [](const Inputs& in, const Json& args) {
    return indexAdd(in[0], axis(args), in[1], in[2]);
  };
  all["maskedFill"] = [](const Inputs& in, const Json& args) {
    return maskedFill(in[0], cast(in[1], DType::Bool), args.at("value"));
  };
  all["maskedSelect"] = [](const Inputs& in, const Json&) {
    return maskedSelect(in[0], cast(in[1], DType::Bool));
  };
  all["embedding"] = [](const Inputs& in, const Json& args) {
    return embedding(in[0], in[1], args.at("padding"));
  };
  all["oneHot"] = [](const Inputs& in, const Json& args) {
    return oneHot(in[0], args.at("classes"));
  };
  all["sort"] = [](const Inputs& in, const Json& args) {
    return sort(in[0], axis(args), args.at("descending")).values;
  };
  all["sortIndices"] = [](const Inputs& in, const Json& args) {
    return sort(in[0], axis(args), args.at("descending")).indices;
  };
  all["topk"] = [](const Inputs& in, const Json& args) {
    return topk(in[0], args.at("k"), axis(args), args.at("largest")).values;
  };
}

void addArrangements(Functions& all) {
  all["cat"] = [](const Inputs& in, const Json& args) { return cat(in, axis(args)); };
  all["stack"] = [](const Inputs& in, const Json& args) { return stack(in, axis(args)); };
  all["flip"] = [](const Inputs& in, const Json& args) {
    return flip(in[0], axesIn(args.at("axes")));
  };
  all["roll"] = [](const Inputs& in, const Json& args) {
    return roll(in[0], args.at("shift"), axis(args));
  };
  all["tril"] = [](const Inputs& in, const Json& args) { return tril(in[0], args.at("diagonal")); };
  all["triu"] = [](const Inputs& in, const Json& args) { return triu(in[0], args.at("diagonal")); };
  all["pad"] = &padOf;
  all["narrow"] = [](const Inputs& in, const Json& args) {
    return narrow(in[0], axis(args), args.at("start"), args.at("length"));
  };
  all["unfold"] = [](const Inputs& in, const Json& args) {
    return unfold(in[0], axis(args), args.at("size"), args.at("step"));
  };
  all["split"] = [](const Inputs& in, const Json& args) {
    return split(in[0], args.at("sizes"), axis(args))[args.at("part").get<size_t>()];
  };
  all["chunk"] = [](const Inputs& in, const Json& args) {
    return chunk(in[0], args.at("count"), axis(args))[args.at("part").get<size_t>()];
  };
}

}  // namespace

void addShapes(Functions& all) {
  all["reshape"] = [](const Inputs& in, const Json& args) {
    return reshape(in[0], shapeIn(args.at("shape")));
  };
  all["permute"] = [](const Inputs& in, const Json& args) {
    return permute(in[0], axesIn(args.at("order")));
  };
  all["slice"] = [](const Inputs& in, const Json& args) {
    return slice(in[0], axis(args), args.at("start"), args.at("length"), args.at("step"));
  };
  all["select"] = [](const Inputs& in, const Json& args) {
    return select(in[0], axis(args), args.at("index"));
  };
  all["expand"] = [](const Inputs& in, const Json& args) {
    return expand(in[0], shapeIn(args.at("shape")));
  };
  addArrangements(all);
  addIndexing(all);
}

}  // namespace tenon::test::golden
