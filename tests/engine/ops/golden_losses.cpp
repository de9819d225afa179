// SPDX-License-Identifier: Apache-2.0
// Softmax and the losses that cases of tests/reference/ops.json call.
#include <nlohmann/json.hpp>

#include "engine/ops/ctc_loss/ctc_loss.h"
#include "engine/ops/losses/losses.h"
#include "engine/ops/softmax/softmax.h"
#include "tests/engine/ops/golden.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test::golden {
namespace {

int axis(const Json& args) { return args.at("axis"); }

Reduction reductionIn(const Json& args) {
  const std::string reduction = args.at("reduction");
  return reduction == "mean"  ? Reduction::Mean
         : reduction == "sum" ? Reduction::Sum
                              : Reduction::None;
}

Tensor crossEntropyOf(const Inputs& in, const Json& args) {
  CrossEntropyParams params;
  params.reduction = reductionIn(args);
  params.labelSmoothing = args.at("smoothing");
  params.ignoreIndex = args.at("ignore");
  return crossEntropy(in[0], in[1], params);
}

/// A list of numbers as a tensor of x's type; none if it is null.
Tensor weightIn(const Json& list, const Tensor& x) {
  if (list.is_null()) return {};
  return fromNumbers(numbersIn(list), {static_cast<int64_t>(list.size())}, x.dtype());
}

ClassLossOptions optionsIn(const Json& args, const Tensor& x) {
  ClassLossOptions options;
  options.weight = weightIn(args.at("weight"), x);
  options.ignoreIndex = args.at("ignore");
  options.labelSmoothing = args.at("smoothing");
  options.reduction = reductionIn(args);
  return options;
}

Tensor tripletOf(const Inputs& in, const Json& args) {
  TripletOptions options;
  options.margin = args.at("margin");
  options.order = args.at("order");
  options.swap = args.at("swap");
  options.reduction = reductionIn(args);
  return tripletLoss(in[0], in[1], in[2], options);
}

/// Of logits, as PyTorch's gradient by log-probabilities is the one by logits.
Tensor ctcOf(const Inputs& in, const Json& args) {
  const CtcOptions options{args.at("blank"), args.at("zero"), reductionIn(args)};
  return ctcLoss(logSoftmax(in[0], 2), in[1], in[2], in[3], options);
}

/// A target given as indices is one of numbers.
Tensor numbersLike(const Tensor& target, const Tensor& x) {
  return target.dtype() == x.dtype() ? target : converted(target, x.dtype());
}

void addClassLosses(Functions& all) {
  all["crossEntropy"] = &crossEntropyOf;
  all["ctcLoss"] = &ctcOf;
  all["nllLoss"] = [](const Inputs& in, const Json& args) {
    return nllLoss(in[0], in[1], optionsIn(args, in[0]));
  };
  all["weightedCrossEntropy"] = [](const Inputs& in, const Json& args) {
    return weightedCrossEntropy(in[0], in[1], optionsIn(args, in[0]));
  };
  all["crossEntropyOfProbabilities"] = [](const Inputs& in, const Json& args) {
    return crossEntropyOfProbabilities(in[0], in[1], optionsIn(args, in[0]));
  };
  all["bceLoss"] = [](const Inputs& in, const Json& args) {
    return bceLoss(in[0], numbersLike(in[1], in[0]), weightIn(args.at("weight"), in[0]),
                   reductionIn(args));
  };
  all["bceWithLogitsLoss"] = [](const Inputs& in, const Json& args) {
    return bceWithLogitsLoss(in[0], in[1], weightIn(args.at("weight"), in[0]),
                             weightIn(args.at("positive"), in[0]), reductionIn(args));
  };
  all["focalLoss"] = [](const Inputs& in, const Json& args) {
    return focalLoss(in[0], in[1], args.at("alpha"), args.at("gamma"), reductionIn(args));
  };
  all["diceLoss"] = [](const Inputs& in, const Json& args) {
    return diceLoss(in[0], in[1], args.at("smooth"), reductionIn(args));
  };
  all["klDivergence"] = [](const Inputs& in, const Json& args) {
    return klDivergence(in[0], in[1], args.at("log"), reductionIn(args));
  };
}

}  // namespace

void addLosses(Functions& all) {
  all["softmax"] = [](const Inputs& in, const Json& args) { return softmax(in[0], axis(args)); };
  all["logSoftmax"] = [](const Inputs& in, const Json& args) {
    return logSoftmax(in[0], axis(args));
  };
  addClassLosses(all);
  all["mseLoss"] = [](const Inputs& in, const Json& args) {
    return mseLoss(in[0], in[1], reductionIn(args));
  };
  all["l1Loss"] = [](const Inputs& in, const Json& args) {
    return l1Loss(in[0], in[1], reductionIn(args));
  };
  all["smoothL1Loss"] = [](const Inputs& in, const Json& args) {
    return smoothL1Loss(in[0], in[1], args.at("beta"), reductionIn(args));
  };
  all["huberLoss"] = [](const Inputs& in, const Json& args) {
    return huberLoss(in[0], in[1], args.at("delta"), reductionIn(args));
  };
  all["hingeLoss"] = [](const Inputs& in, const Json& args) {
    return hingeLoss(in[0], in[1], args.at("margin"), reductionIn(args));
  };
  all["hingeEmbeddingLoss"] = [](const Inputs& in, const Json& args) {
    return hingeEmbeddingLoss(in[0], in[1], args.at("margin"), reductionIn(args));
  };
  all["marginRankingLoss"] = [](const Inputs& in, const Json& args) {
    return marginRankingLoss(in[0], in[1], in[2], args.at("margin"), reductionIn(args));
  };
  all["tripletLoss"] = &tripletOf;
  all["cosineEmbeddingLoss"] = [](const Inputs& in, const Json& args) {
    return cosineEmbeddingLoss(in[0], in[1], in[2], args.at("margin"), reductionIn(args));
  };
}

}  // namespace tenon::test::golden
