// SPDX-License-Identifier: Apache-2.0
// Host memory by mmap and mprotect, aligned to and advised for huge pages.
#include "engine/memory/cpu_raw_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/base/environment.h"

namespace tenon::memory {

namespace {

constexpr size_t kHugePage = 2u << 20;
constexpr size_t kLeftForOthers = 64u << 20;  // available memory we do not touch

const BytesVariable kLimit("TENON_MEMORY_LIMIT");

/// First bytes of a small system file; empty if it cannot be read.
std::string readStart(const char* path) {
  char buffer[512];
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t count = read(file, buffer, sizeof(buffer));
  close(file);
  return std::string(buffer, count > 0 ? static_cast<size_t>(count) : 0);
}

/// What the machine, its control group and whoever started the program leave us.
size_t machineBytes() {
  size_t bytes =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const std::string limit = readStart("/sys/fs/cgroup/memory.max");
  if (const size_t groupBytes = std::strtoull(limit.c_str(), nullptr, 10); groupBytes > 0)
    bytes = std::min(bytes, groupBytes);
  return std::min<size_t>(bytes, kLimit.value().value_or(SIZE_MAX));
}

/// Memory the kernel could hand out now without swapping; SIZE_MAX if it does not tell.
size_t availableBytes() {
  const std::string text = readStart("/proc/meminfo");
  constexpr char kKey[] = "MemAvailable:";
  const size_t at = text.find(kKey);
  if (at == std::string::npos) return SIZE_MAX;
  return std::strtoull(text.c_str() + at + sizeof(kKey) - 1, nullptr, 10) * 1024;
}

/// Inaccessible address space aligned to a huge page; nullptr if there is none.
void* reserveAligned(size_t bytes) {
  const size_t padded = bytes + kHugePage;
  void* data = mmap(nullptr, padded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > begin) munmap(data, aligned - begin);
  const uintptr_t end = aligned + bytes;
  if (begin + padded > end) munmap(reinterpret_cast<void*>(end), begin + padded - end);
  return reinterpret_cast<void*>(aligned);
}

bool makeAccessible(void* data, size_t bytes) {
  if (mprotect(data, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  madvise(data, bytes, MADV_HUGEPAGE);  // advice only: may be refused without harm
  return true;
}

}  // namespace

bool CpuRawMemory::claim(size_t bytes) {
  const size_t total = totalBytes();
  size_t mapped = mapped_.load(std::memory_order_relaxed);
  do {
    if (bytes > total || mapped > total - bytes) return false;
  } while (!mapped_.compare_exchange_weak(mapped, mapped + bytes, std::memory_order_relaxed));
  if (availableBytes() >= bytes + kLeftForOthers) return true;
  giveBack(bytes);
  return false;
}

void* CpuRawMemory::allocateSegment(size_t bytes) {
  if (!claim(bytes)) return nullptr;
  void* data = reserveAligned(bytes);
  if (data != nullptr && makeAccessible(data, bytes)) return data;
  if (data != nullptr) munmap(data, bytes);
  giveBack(bytes);
  return nullptr;
}

void CpuRawMemory::freeSegment(void* data, size_t bytes) noexcept {
  munmap(data, bytes);
  giveBack(bytes);
}

void* CpuRawMemory::reserve(size_t bytes) { return reserveAligned(bytes); }

bool CpuRawMemory::map(void* data, size_t bytes) {
  if (!claim(bytes)) return false;
  if (makeAccessible(data, bytes)) return true;
  giveBack(bytes);
  return false;
}

void CpuRawMemory::unmap(void* data, size_t bytes) noexcept {
  // A fresh inaccessible mapping in the same place drops the pages at once.
  mmap(data, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  giveBack(bytes);
}

void CpuRawMemory::unreserve(void* data, size_t bytes) noexcept { munmap(data, bytes); }

size_t CpuRawMemory::totalBytes() const {
  static const size_t machine = machineBytes();
  const size_t limit = limit_.load(std::memory_order_relaxed);
  return limit != 0 ? limit : machine;
}

size_t CpuRawMemory::freeBytes() const {
  const size_t total = totalBytes();
  return std::min(total - std::min(total, mappedBytes()), availableBytes());
}

CpuRawMemory& cpuRawMemory() {
  static CpuRawMemory& memory = *new CpuRawMemory;  // outlives every other static object
  return memory;
}

}  // namespace tenon::memory
