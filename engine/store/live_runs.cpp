// SPDX-License-Identifier: Apache-2.0
// Counts the writers of each run that this process has or had.
#include "engine/store/live_runs.h"

#include <map>
#include <mutex>
#include <utility>

namespace tenon {
namespace {

/// Runs that had a writer, with how many there are now.
struct Writers {
  std::mutex mutex;
  std::map<std::pair<FileIdentity, RunId>, int> counts;
};

Writers& writers() {
  static Writers all;
  return all;
}

}  // namespace

/// The file may be a new one with the inode of one that was deleted.
void runBegan(const FileIdentity& file, RunId run) {
  Writers& all = writers();
  const std::lock_guard lock(all.mutex);
  const auto found = all.counts.find({file, run});
  if (found != all.counts.end() && found->second == 0) all.counts.erase(found);
}

void runWriterBegan(const FileIdentity& file, RunId run) {
  Writers& all = writers();
  const std::lock_guard lock(all.mutex);
  ++all.counts[{file, run}];
}

void runWriterEnded(const FileIdentity& file, RunId run) {
  Writers& all = writers();
  const std::lock_guard lock(all.mutex);
  --all.counts[{file, run}];
}

bool runIsAbandoned(const FileIdentity& file, RunId run) {
  Writers& all = writers();
  const std::lock_guard lock(all.mutex);
  const auto found = all.counts.find({file, run});
  return found != all.counts.end() && found->second <= 0;
}

}  // namespace tenon
