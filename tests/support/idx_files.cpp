// SPDX-License-Identifier: Apache-2.0
// Toy data and projects, made anew for each test.
#include "tests/support/idx_files.h"

#include <zlib.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace tenon::testing {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tenon-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  folder_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::path(const std::string& name) const {
  return name.empty() ? folder_.string() : (folder_ / name).string();
}

std::string idxBytes(const std::vector<uint32_t>& sizes, const std::vector<uint8_t>& values) {
  std::string out = {0, 0, 8, static_cast<char>(sizes.size())};
  for (const uint32_t size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(size >> shift);
  out.append(values.begin(), values.end());
  return out;
}

std::string gzipped(const std::string& bytes) {
  z_stream z{};
  if (deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflate");
  std::string out(deflateBound(&z, bytes.size()) + 32, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

void writeBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void writeToyImages(const std::string& folder, const std::string& prefix, uint32_t count,
                    uint32_t side, uint32_t classes) {
  std::vector<uint8_t> pixels;
  std::vector<uint8_t> labels;
  uint32_t noise = 12345;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t label = i % classes;
    labels.push_back(static_cast<uint8_t>(label));
    for (uint32_t y = 0; y < side; ++y)
      for (uint32_t x = 0; x < side; ++x) {
        noise = noise * 1664525 + 1013904223;
        const bool bright = (y * classes) / side == label;
        pixels.push_back(static_cast<uint8_t>((bright ? 160 : 20) + (noise >> 26)));
      }
  }
  writeBytes(folder + "/" + prefix + "-images.gz", gzipped(idxBytes({count, side, side}, pixels)));
  writeBytes(folder + "/" + prefix + "-labels.gz", gzipped(idxBytes({count}, labels)));
}

std::string writeToyProject(const std::string& folder, const std::string& extra, uint32_t count) {
  writeToyImages(folder, "train", count, 8, 4);
  writeToyImages(folder, "test", 40, 8, 4);
  const std::string text = R"({
  "format_version": 1,
  "name": "Toy",
  "data": {
    "reader": {"type": "idx", "images": "train-images.gz", "labels": "train-labels.gz"},
    "split": {
      "type": "files",
      "reader": {"type": "idx", "images": "test-images.gz", "labels": "test-labels.gz"}
    },
    "transforms": [
      {"type": "scale", "divide_by": 255.0},
      {"type": "random_flip", "p": 0.5},
      {"type": "normalize", "mean": [0.3], "std": [0.25]}
    ],
    "classes": ["a", "b", "c", "d"]
  },
  "graph": {
    "nodes": [
      {"id": "x", "type": "input"},
      {"id": "conv", "type": "conv2d", "out_channels": 8, "kernel_size": 3, "padding": 1},
      {"id": "bn", "type": "batch_norm2d"},
      {"id": "act", "type": "relu"},
      {"id": "pool", "type": "max_pool2d"},
      {"id": "flat", "type": "flatten"},
      {"id": "drop", "type": "dropout", "p": 0.25},
      {"id": "fc", "type": "linear", "out_features": 4},
      {"id": "y", "type": "output"}
    ],
    "edges": [
      {"from": "x", "to": "conv"}, {"from": "conv", "to": "bn"}, {"from": "bn", "to": "act"},
      {"from": "act", "to": "pool"}, {"from": "pool", "to": "flat"}, {"from": "flat", "to": "drop"},
      {"from": "drop", "to": "fc"}, {"from": "fc", "to": "y"}
    ]
  },
  "train": {
    )" + extra + R"("batch_size": 16, "seed": 5, "log_every": 1,
    "loss": {"type": "cross_entropy"},
    "optimizer": {"type": "adamw", "lr": 0.01, "weight_decay": 0.01},
    "schedule": {"type": "one_cycle"},
    "metrics": ["accuracy"],
    "checkpoint": {"every_steps": 0, "keep": 3, "best_by": "accuracy"}
  }
}
)";
  writeBytes(folder + "/project.tenon", text);
  return folder + "/project.tenon";
}

}  // namespace tenon::testing
