// SPDX-License-Identifier: Apache-2.0
// A small binary form for recordings: variable-length integers, strings, lists; every read is
// checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/error.h"

namespace tenon {

/// Appends values to a byte string.
class ByteWriter {
 public:
  /// @param magic four letters; @param version of the form that follows
  ByteWriter(std::string_view magic, int version) {
    raw(magic);
    number(static_cast<uint64_t>(version));
  }
  void number(uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<std::byte>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<std::byte>(value));
  }
  /// Small negative numbers stay short (zigzag).
  void signedNumber(int64_t value) {
    number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void text(std::string_view value) {
    number(value.size());
    raw(value);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void raw(std::string_view value) {
    for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
  }
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote. @throws Error(Code::Input) at the first thing that does not fit.
class ByteReader {
 public:
  /// @throws Error(Code::Input) for another magic, Error(Code::Version) for a newer version.
  ByteReader(std::span<const std::byte> bytes, std::string_view magic, int newest)
      : bytes_(bytes), what_(magic) {
    if (bytes_.size() < magic.size() || std::memcmp(bytes_.data(), magic.data(), magic.size()) != 0)
      throw Error(Code::Input, "not a recording of kind '" + what_ + "'");
    at_ = magic.size();
    version_ = number();
    if (version_ > static_cast<uint64_t>(newest))
      throw Error(Code::Version, "recording '" + what_ + "' has version " +
                                     std::to_string(version_) + ", this program reads up to " +
                                     std::to_string(newest));
  }
  uint64_t version() const { return version_; }

  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<uint64_t>(next());
      value |= (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    fail("a number is too long");
  }
  int64_t signedNumber() {
    const uint64_t raw = number();
    return static_cast<int64_t>(raw >> 1) ^ -static_cast<int64_t>(raw & 1);
  }
  std::string text() {
    const size_t size = count(1);
    std::string out(reinterpret_cast<const char*>(bytes_.data() + at_), size);
    at_ += size;
    return out;
  }
  /// Length of a list whose items take at least `itemBytes` each; never more than what is left can
  /// hold.
  size_t count(size_t itemBytes) {
    const uint64_t size = number();
    if (size > (bytes_.size() - at_) / itemBytes) fail("a list is longer than the data");
    return static_cast<size_t>(size);
  }
  /// A small enumeration. @param limit number of its values
  template <class E>
  E enumeration(int limit) {
    const uint64_t value = number();
    if (value >= static_cast<uint64_t>(limit)) fail("a kind is unknown");
    return static_cast<E>(value);
  }
  void end() const {
    if (at_ != bytes_.size()) fail("there is more data than expected");
  }
  [[noreturn]] void fail(const char* why) const {
    throw Error(Code::Input,
                "recording '" + what_ + "' is damaged at byte " + std::to_string(at_) + ": " + why);
  }

 private:
  std::byte next() {
    if (at_ >= bytes_.size()) fail("it ends too early");
    return bytes_[at_++];
  }
  std::span<const std::byte> bytes_;
  std::string what_;
  size_t at_ = 0;
  uint64_t version_ = 0;
};

}  // namespace tenon
