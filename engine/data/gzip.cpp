// SPDX-License-Identifier: Apache-2.0
// gzip over zlib's inflate.
#include "engine/data/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <climits>

#include "engine/base/error.h"

namespace tenon {

bool looksGzipped(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

struct GzipReader::Impl {
  z_stream stream{};
  std::span<const std::byte> left;
  std::string name;
  bool ended = false;

  void feed() {
    if (stream.avail_in > 0 || left.empty()) return;
    const size_t piece = std::min<size_t>(left.size(), 1U << 30);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(left.data()));
    stream.avail_in = static_cast<uInt>(piece);
    left = left.subspan(piece);
  }
  [[noreturn]] void fail(int status) const {
    if (status == Z_BUF_ERROR)
      throw Error(Code::Input, "'" + name + "' is cut off: the gzip data ends too early");
    throw Error(Code::Input,
                "'" + name + "' is corrupt: " + (stream.msg ? stream.msg : "bad gzip data"));
  }
};

GzipReader::GzipReader(std::span<const std::byte> packed, std::string name)
    : impl_(std::make_unique<Impl>()) {
  impl_->left = packed;
  impl_->name = std::move(name);
  constexpr int kGzipOnly = 16;
  if (inflateInit2(&impl_->stream, MAX_WBITS + kGzipOnly) != Z_OK)
    throw Error(Code::Memory, "no memory to unpack '" + impl_->name + "'");
}

GzipReader::~GzipReader() { inflateEnd(&impl_->stream); }

size_t GzipReader::read(std::span<std::byte> into) {
  z_stream& z = impl_->stream;
  size_t done = 0;
  while (done < into.size() && !impl_->ended) {
    impl_->feed();
    const size_t room = std::min<size_t>(into.size() - done, 1U << 30);
    z.next_out = reinterpret_cast<Bytef*>(into.data() + done);
    z.avail_out = static_cast<uInt>(room);
    const int status = inflate(&z, Z_NO_FLUSH);
    done += room - z.avail_out;
    if (status == Z_STREAM_END) {
      impl_->ended = true;
    } else if (status != Z_OK) {
      impl_->fail(status);
    }
  }
  return done;
}

bool GzipReader::atEnd() {
  if (impl_->ended) return true;
  std::byte extra{};
  return read({&extra, 1}) == 0;
}

}  // namespace tenon
