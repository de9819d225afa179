// SPDX-License-Identifier: Apache-2.0
// Parameters that many optimizers have.
#include "engine/optim/optimizer_schema.h"

#include "engine/base/error.h"

namespace tenon {

ParamSpec rateParam(double value) {
  return floatParam("lr", value)
      .called(TENON_TEXT("Learning rate"))
      .range(0, 1000)
      .onLogScale()
      .describe(TENON_TEXT("Peak learning rate."));
}

ParamSpec decayParam(double value) {
  return floatParam("weight_decay", value)
      .range(0, 10)
      .onLogScale()
      .describe(TENON_TEXT("Pulls weights towards zero."));
}

ParamSpec beta1Param(double value) {
  return floatParam("beta1", value)
      .called(TENON_TEXT("Beta 1"))
      .range(0, 1)
      .below(1)
      .describe(TENON_TEXT("Memory of the mean of gradients."))
      .forExperts();
}

ParamSpec beta2Param(double value) {
  return floatParam("beta2", value)
      .called(TENON_TEXT("Beta 2"))
      .range(0, 1)
      .below(1)
      .describe(TENON_TEXT("Memory of the mean of squared gradients."))
      .forExperts();
}

ParamSpec epsParam(double value) {
  return floatParam("eps", value)
      .called(TENON_TEXT("Epsilon"))
      .above(0)
      .onLogScale()
      .describe(TENON_TEXT("Added to the root of the squared gradients."))
      .forExperts();
}

ParamSpec decoupledParam() {
  return boolParam("decoupled", false)
      .called(TENON_TEXT("Decoupled decay"))
      .describe(TENON_TEXT("Weight decay apart from the gradient, as in AdamW."))
      .forExperts();
}

ParamSchema optimizerSchema(std::vector<ParamSpec> own) {
  own.push_back(boolParam("decay_norm_and_bias", true)
                    .called(TENON_TEXT("Decay norms and biases"))
                    .describe(TENON_TEXT("Applies weight decay to norms and biases too."))
                    .forExperts());
  own.push_back(stringListParam("groups", {})
                    .called(TENON_TEXT("Parameter groups"))
                    .describe(TENON_TEXT("Learning-rate factors and weight decays by name, e.g. "
                                         "\"head.* lr_factor=10 weight_decay=0\"."))
                    .forExperts());
  return ParamSchema(std::move(own));
}

}  // namespace tenon
