// SPDX-License-Identifier: Apache-2.0
// Tensors as the lines of ./dev parity hold them: type, sizes and layout, and the bytes in
// hexadecimal.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/tensor/tensor.h"

namespace tenon::parity {

/// {"type", "sizes", "strides", "offset", "data"}: `data` is the memory that sizes, strides and
/// offset (in elements) look into. With "blocked" the elements are laid out in the engine's blocked
/// layout. null: undefined. @throws std::exception for text that is no tensor.
Tensor tensorIn(const nlohmann::json& json);
/// The elements in logical order; null for an undefined tensor.
nlohmann::json jsonOf(const Tensor& tensor);

}  // namespace tenon::parity
