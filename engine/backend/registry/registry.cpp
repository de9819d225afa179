// SPDX-License-Identifier: Apache-2.0
// Finds devices and kernels: the CPU's two instruction levels are built in, other back ends are
// opened at run time.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "engine/backend/cpu/instruction_limit.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/wide.h"
#include "engine/backend/registry/devices.h"
#include "engine/backend/registry/kernel_table.h"
#include "engine/base/environment.h"
#include "engine/base/error.h"
#include "engine/memory/cpu_allocator.h"

namespace tenon::cpu::baseline {
std::span<tenon::KernelList (*const)()> kernelFamilies();
}
namespace tenon::cpu::avx2 {
std::span<tenon::KernelList (*const)()> kernelFamilies();
}

namespace tenon::backend {
namespace {

using Families = std::span<KernelList (*const)()>;

struct Level {
  const char* name;
  Families (*families)();
  bool (*runsHere)();
};

bool always() { return true; }
bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

// Best first.
constexpr Level kLevels[] = {{"avx2", &cpu::avx2::kernelFamilies, &hasAvx2},
                             {"baseline", &cpu::baseline::kernelFamilies, &always}};

using Table = std::map<std::string, KernelRow, std::less<>>;

Table makeTable(const Level& level) {
  Table table;
  for (KernelList (*family)() : level.families()) {
    const KernelList list = family();
    for (int i = 0; i < list.count; ++i) table[list.data[i].op].kernels.push_back(&list.data[i]);
  }
  for (auto& [op, row] : table)
    std::stable_sort(
        row.kernels.begin(), row.kernels.end(),
        [](const TenonKernel* a, const TenonKernel* b) { return a->priority > b->priority; });
  return table;
}

const Level& findLevel(const char* name) {
  for (const Level& level : kLevels) {
    if (std::strcmp(level.name, name) != 0) continue;
    if (!level.runsHere())
      throw Error(Code::Device,
                  std::string("this processor does not run CPU level '") + name + "'");
    return level;
  }
  throw Error(Code::Device,
              std::string("unknown CPU level '") + name + "': wanted baseline or avx2");
}

class LevelVariable final : public EnvironmentVariable {
 public:
  LevelVariable() : EnvironmentVariable("TENON_CPU") {}
  /// The level asked for, or null. @throws Error(Code::Device) if the processor does not run it
  const Level* value() const {
    const std::optional<std::string> name = text();
    if (!name) return nullptr;
    const auto isNamed = [&](const Level& level) { return *name == level.name; };
    if (std::none_of(std::begin(kLevels), std::end(kLevels), isNamed))
      refuse("baseline or avx2", *name);
    return &findLevel(name->c_str());
  }
  void check() const override { value(); }
};

const LevelVariable kForcedLevel;

const Level& startLevel() {
  if (const Level* forced = kForcedLevel.value()) {
    cpu::onednn::limitInstructions(forced->name);
    cpu::wide::allow(false);
    return *forced;
  }
  for (const Level& level : kLevels)
    if (level.runsHere()) return level;
  return kLevels[1];
}

/// Tables are made once a level and kept, so that rows stay valid when the level changes.
struct State {
  std::mutex mutex;
  std::map<const Level*, std::unique_ptr<Table>> tables;
  Table replaced;
  std::atomic<const Level*> level{nullptr};
};

State& state() {
  static State* made = [] {
    auto* s = new State;  // never destroyed: kernels may run while the process ends
    s->level = &startLevel();
    return s;
  }();
  return *made;
}

std::string cpuName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "x86-64 processor";
}

uint64_t freeMemory() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("MemAvailable:"))
      return std::strtoull(line.c_str() + 13, nullptr, 10) * 1024;
  return 0;
}

}  // namespace

constinit std::atomic<uint32_t> tableGeneration{1};

const KernelRow* kernelRow(int kind, const char* op) {
  if (kind != 0) return nullptr;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (const auto other = s.replaced.find(op); other != s.replaced.end()) return &other->second;
  std::unique_ptr<Table>& table = s.tables[s.level];
  if (!table) table = std::make_unique<Table>(makeTable(*s.level.load()));
  const auto found = table->find(op);
  return found == table->end() ? nullptr : &found->second;
}

std::vector<const TenonKernel*> builtKernels() {
  std::vector<const TenonKernel*> all;
  for (KernelList (*family)() : state().level.load()->families()) {
    const KernelList list = family();
    for (int i = 0; i < list.count; ++i) all.push_back(&list.data[i]);
  }
  return all;
}

void replaceKernels(const char* op, std::vector<const TenonKernel*> kernels) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (kernels.empty()) {
    s.replaced.erase(op);
  } else {
    s.replaced.insert_or_assign(op, KernelRow{std::move(kernels)});
  }
  ++tableGeneration;
}

std::span<const TenonKernel* const> kernelsFor(int kind, const char* op) {
  const KernelRow* row = kernelRow(kind, op);
  return row ? std::span<const TenonKernel* const>(row->kernels)
             : std::span<const TenonKernel* const>();
}

void setThreads(int threads) { cpu::setThreadCount(threads); }
int threads() { return cpu::threadCount(); }

const char* cpuLevel() { return state().level.load()->name; }

void setCpuLevel(const char* level) {
  const Level& wanted = findLevel(level);
  state().level = &wanted;
  ++tableGeneration;
}

DeviceMemory deviceMemory(int kind, int) {
  if (kind != 0) return {};
  const auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES));
  return {pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)), freeMemory()};
}

std::vector<DeviceInfo> devices() {
  DeviceInfo cpu;
  cpu.name = cpuName();
  cpu.description = std::string(cpuLevel()) + ", " +
                    std::to_string(std::thread::hardware_concurrency()) + " threads";
  const DeviceMemory memory = deviceMemory(0, 0);
  cpu.totalBytes = memory.totalBytes;
  cpu.freeBytes = memory.freeBytes;
  return {cpu};
}

std::vector<KindStatus> deviceKinds() {
  return {{"cpu", true, ""},
          {"cuda", false, "this build of Tenon has no CUDA back end (libtenon_cuda)"}};
}

memory::CachingAllocator& allocatorOf(int kind, int index) {
  if (kind == 0 && index == 0) return memory::cpuAllocator();
  for (const KindStatus& status : deviceKinds())
    if (status.kind == "cuda" && !status.available)
      throw Error(Code::Device, "no device cuda:" + std::to_string(index) + ": " + status.reason);
  throw Error(Code::Device, "no such device");
}

}  // namespace tenon::backend
