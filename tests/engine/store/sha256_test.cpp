// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the vectors of FIPS 180-4 and against itself without special instructions.
#include "engine/store/sha256.h"

#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

std::string hex(const Digest& digest) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const std::byte b : digest) {
    out += kHex[std::to_integer<unsigned>(b) >> 4];
    out += kHex[std::to_integer<unsigned>(b) & 15];
  }
  return out;
}

TEST(Sha256, KnownAnswers) {
  // From the examples of FIPS 180-2 (NIST), and `printf '' | sha256sum`.
  const std::pair<std::string, const char*> cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, wanted] : cases) {
    EXPECT_EQ(hex(sha256(bytesOf(text))), wanted);
    EXPECT_EQ(hex(sha256Portable(bytesOf(text))), wanted);
  }
}

TEST(Sha256, BothWaysAgreeOnEveryLength) {
  const std::vector<std::byte> bytes = pattern(400, 9);
  for (size_t length = 0; length <= bytes.size(); ++length) {
    const auto part = std::span(bytes).first(length);
    EXPECT_EQ(sha256(part), sha256Portable(part)) << length;
  }
}

}  // namespace
}  // namespace tenon
