// SPDX-License-Identifier: Apache-2.0
// Small IDX files for tests, plain or gzipped, and a folder that goes away with the test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tenon::testing {

/// A fresh folder under the system's temporary one.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name = "") const;

 private:
  std::filesystem::path folder_;
};

/// Head of an IDX file of unsigned bytes with these sizes, then `values`.
std::string idxBytes(const std::vector<uint32_t>& sizes, const std::vector<uint8_t>& values);
std::string gzipped(const std::string& bytes);
void writeBytes(const std::string& path, const std::string& bytes);

/// Images of `side` x `side` whose class shows in where they are bright, so that a small net learns
/// them at once. Writes FOLDER/PREFIX-images.gz and FOLDER/PREFIX-labels.gz.
void writeToyImages(const std::string& folder, const std::string& prefix, uint32_t count,
                    uint32_t side, uint32_t classes);

/// A project on such images: conv, batch norm, relu, pool, dropout, linear. Returns the path of the
/// project file.
/// @param extra settings as JSON members of "train", e.g. "\"epochs\": 2, "
std::string writeToyProject(const std::string& folder, const std::string& extra = "",
                            uint32_t count = 96);

}  // namespace tenon::testing
