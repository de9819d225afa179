// SPDX-License-Identifier: Apache-2.0
// Reads and writes the tensors of ./dev parity's lines.
#include "tests/parity/tensor_json.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/engine/ops/harness.h"

namespace tenon::parity {
namespace {

using Json = nlohmann::json;

unsigned digitIn(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  throw std::runtime_error("data wants hexadecimal digits");
}

std::vector<std::byte> bytesIn(const std::string& text) {
  std::vector<std::byte> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(digitIn(text[2 * i]) << 4 | digitIn(text[2 * i + 1]));
  return bytes;
}

Shape shapeIn(const Json& list) { return Shape(list.get<std::vector<int64_t>>()); }

}  // namespace

Tensor tensorIn(const Json& json) {
  if (json.is_null()) return {};
  const DType dtype = dtypeFromName(json.at("type").get<std::string>());
  const std::vector<std::byte> bytes = bytesIn(json.at("data").get<std::string>());
  const int64_t count = static_cast<int64_t>(bytes.size()) / dtypeBytes(dtype);
  const Tensor memory = Tensor::fromBytes(bytes.data(), bytes.size(), {count}, dtype);
  const Tensor t = memory.aliasWith(shapeIn(json.at("sizes")), shapeIn(json.at("strides")),
                                    json.at("offset").get<int64_t>());
  t.impl()->isView = false;  // a tensor of its own, however it lies
  return json.value("blocked", false) ? test::laid(t, test::Lay::Blocked) : t;
}

Json jsonOf(const Tensor& tensor) {
  if (!tensor) return nullptr;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte b : tensor.toBytes()) {
    text += kDigits[static_cast<unsigned>(b) >> 4];
    text += kDigits[static_cast<unsigned>(b) & 15];
  }
  const auto sizes = tensor.shape().span();
  return {{"type", dtypeName(tensor.dtype())},
          {"sizes", std::vector<int64_t>(sizes.begin(), sizes.end())},
          {"data", text}};
}

}  // namespace tenon::parity
