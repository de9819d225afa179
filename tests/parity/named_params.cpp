// SPDX-License-Identifier: Apache-2.0
// Reads settings given by name.
#include "tests/parity/named_params.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tenon::parity {

ParamMap paramsIn(const nlohmann::json& json) {
  ParamMap params;
  for (const auto& [name, value] : json.items()) {
    ParamValue read;
    if (!paramFromJson(parseJson(value.dump()), read))
      throw std::runtime_error(name + " is no value of a parameter: " + value.dump());
    params.set(name, read);
  }
  return params;
}

}  // namespace tenon::parity
