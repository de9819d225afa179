// SPDX-License-Identifier: Apache-2.0
// Plain files are mapped; gzipped ones are unpacked into the cache and mapped from there.
#include "engine/data/decoded_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "engine/base/environment.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/data/gzip.h"

namespace tenon {

DecodedFile::~DecodedFile() = default;

namespace {

/// A read-only mapping of a file.
class MappedFile final : public DecodedFile {
 public:
  explicit MappedFile(const std::string& path) : file_(path, FileMode::Read), size_(file_.size()) {
    if (size_ == 0) return;
    data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.descriptor(), 0);
    if (data_ == MAP_FAILED)
      throw Error(Code::Io, fmt::format("map '{}': {}", path, std::strerror(errno)), errno);
  }
  ~MappedFile() override {
    if (size_ > 0) munmap(data_, size_);
  }
  std::span<const std::byte> bytes() const override {
    return {static_cast<const std::byte*>(data_), size_};
  }

 private:
  File file_;
  size_t size_;
  void* data_ = nullptr;
};

class HeldBytes final : public DecodedFile {
 public:
  explicit HeldBytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  std::span<const std::byte> bytes() const override { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

const FolderVariable kOwnFolder("TENON_CACHE", FolderVariable::Must::BeMakeable);

std::string cacheFolder() {
  if (std::string own = kOwnFolder.value(); !own.empty()) return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return std::string(xdg) + "/tenon/decoded";
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/tenon/decoded" : std::string();
}

/// Name of the cache entry: changes when the source does. FNV-1a over path, size and time.
std::string cachePath(const std::string& path, const struct stat& info) {
  const std::string folder = cacheFolder();
  if (folder.empty()) return {};
  std::error_code failed;
  const std::string real = std::filesystem::weakly_canonical(path, failed).string();
  const std::string key = fmt::format("{}|{}|{}.{}", failed ? path : real, info.st_size,
                                      info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return fmt::format("{}/{:016x}.bin", folder, hash);
}

void checkLength(const std::string& path, uint64_t wanted, uint64_t got) {
  if (got != wanted)
    throw Error(Code::Input,
                fmt::format("'{}' holds {} bytes of data, its head says {}", path, got, wanted));
}

/// Fills `into` wholly or up to the end of the data; returns how much.
size_t readOn(GzipReader& reader, std::span<std::byte> into, const std::stop_token& stop) {
  constexpr size_t kPiece = size_t{4} << 20;
  size_t done = 0;
  do {
    if (stop.stop_requested()) throw Error(Code::Stopped, "unpacking was stopped");
    const size_t piece = std::min(kPiece, into.size() - done);
    const size_t got = reader.read(into.subspan(done, piece));
    done += got;
    if (got < piece) break;
  } while (done < into.size());
  return done;
}

std::vector<std::byte> unpack(const std::string& path, std::span<const std::byte> packed,
                              size_t headBytes, const DecodedFile::SizeFromHead& sizeFromHead,
                              const std::stop_token& stop) {
  GzipReader reader(packed, path);
  std::vector<std::byte> out(headBytes);
  out.resize(reader.read(out));
  const uint64_t size = sizeFromHead(out);
  // Deflate packs at most 1032 to 1, so a head that promises more lies.
  if (size > packed.size() * 1032 + 1024)
    throw Error(Code::Input, fmt::format("'{}' has {} packed bytes, its head promises {} unpacked",
                                         path, packed.size(), size));
  const size_t head = out.size();
  if (head > size) checkLength(path, size, head);
  out.resize(size);
  const size_t got = head + readOn(reader, std::span(out).subspan(head), stop);
  checkLength(path, size, got);
  if (!reader.atEnd())
    throw Error(Code::Input,
                fmt::format("'{}' goes on after the {} bytes its head says", path, size));
  return out;
}

/// The cached bytes, or null if there are none or they have another length than wanted.
std::shared_ptr<const DecodedFile> fromCache(const std::string& cached, size_t headBytes,
                                             const DecodedFile::SizeFromHead& sizeFromHead) {
  if (cached.empty() || !pathExists(cached)) return nullptr;
  try {
    auto mapped = std::make_shared<MappedFile>(cached);
    const auto bytes = mapped->bytes();
    if (bytes.size() >= headBytes && sizeFromHead(bytes.first(headBytes)) == bytes.size())
      return mapped;
  } catch (const Error& error) {
    logWarning("data", std::string("cache not used: ") + error.what());
  }
  return nullptr;
}

bool writeCache(const std::string& cached, const std::vector<std::byte>& bytes) {
  if (cached.empty()) return false;
  try {
    std::filesystem::create_directories(std::filesystem::path(cached).parent_path());
    writeFileAtomically(cached, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return true;
  } catch (const std::exception& error) {
    logWarning("data", std::string("decoded data is not cached: ") + error.what());
    return false;
  }
}

}  // namespace

std::shared_ptr<const DecodedFile> DecodedFile::open(const std::string& path, size_t headBytes,
                                                     const SizeFromHead& sizeFromHead,
                                                     const std::stop_token& stop) {
  auto source = std::make_shared<MappedFile>(path);
  const std::span<const std::byte> bytes = source->bytes();
  if (!looksGzipped(bytes)) {
    checkLength(path, sizeFromHead(bytes.first(std::min(headBytes, bytes.size()))), bytes.size());
    return source;
  }
  struct stat info {};
  const bool known = stat(path.c_str(), &info) == 0;
  const std::string cached = known ? cachePath(path, info) : std::string();
  if (auto hit = fromCache(cached, headBytes, sizeFromHead)) return hit;
  std::vector<std::byte> unpacked = unpack(path, bytes, headBytes, sizeFromHead, stop);
  if (writeCache(cached, unpacked))
    if (auto hit = fromCache(cached, headBytes, sizeFromHead)) return hit;
  return std::make_shared<HeldBytes>(std::move(unpacked));
}

}  // namespace tenon
