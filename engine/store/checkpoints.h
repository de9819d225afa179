// SPDX-License-Identifier: Apache-2.0
// Checkpoints: named parts in content-addressed, checksummed chunks; visible only when whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store/store.h"

namespace tenon {

class CheckpointFile;

/// The numbers are stored; never renumber.
enum class CheckpointKind { Last = 0, Best = 1, Manual = 2 };

/// "last", "best", "manual".
TENON_API std::string_view checkpointKindName(CheckpointKind kind);

/// What a checkpoint is of.
struct CheckpointHead {
  RunId run = 0;
  int64_t step = 0;
  int32_t epoch = 0;  ///< of its last step, from 0
  CheckpointKind kind = CheckpointKind::Last;
  int32_t version = 1;    ///< of the writer's own set of parts
  std::string meta = {};  ///< JSON text, free
};

struct CheckpointInfo : CheckpointHead {
  int64_t id = 0;  ///< rises with every checkpoint of the project
  int64_t createdUs = 0;
  int64_t bytes = 0;        ///< of all parts
  int64_t bytesStored = 0;  ///< of the chunks that were not there yet
};

/// One part to save; everything is only looked at during the call.
struct PartView {
  std::string_view name = {};  ///< unique in the checkpoint, e.g. "model/conv1.weight"
  std::string_view meta = {};  ///< JSON text, e.g. {"dtype":"f32","shape":[8,3,3,3]}
  std::span<const std::byte> bytes = {};
};

struct PartInfo {
  std::string name = {};
  std::string meta = {};
  int64_t bytes = 0;
};

struct Part : PartInfo {
  std::vector<std::byte> data = {};
};

struct Checkpoint {
  CheckpointInfo info;
  std::vector<Part> parts = {};  ///< in the order saved

  /// nullptr if there is no such part.
  const Part* part(std::string_view name) const {
    for (const Part& part : parts)
      if (part.name == name) return &part;
    return nullptr;
  }
};

/// Which checkpoints of a run stay. Manual ones always do.
struct Retention {
  int keepLast = 2;  ///< newest of kind Last, >= 1
  int keepBest = 1;  ///< newest of kind Best, >= 1
};

/// The checkpoints of a project.
/// @thread any; a save or load blocks other saves and loads of this object, not its lists.
class TENON_API Checkpoints {
 public:
  explicit Checkpoints(const Store& store);
  ~Checkpoints();

  /// Saves durably (fsync) and returns when done. Parts whose bytes are stored already cost only
  /// their hash. Either the whole checkpoint is there afterwards or nothing of it is visible.
  /// @throws Error (Io: disk full, ...; Busy; Usage: two parts of one name)
  CheckpointInfo save(const CheckpointHead& head, std::span<const PartView> parts);

  /// Looks whether `checkpoints.sqlite` still stands where it was opened; does nothing if it was
  /// not used yet. Takes microseconds and waits for nobody, so a heartbeat may call it.
  /// @throws Error(Code::Io, ESTALE) if it was moved, deleted or replaced
  void refuseMisplaced() const;

  /// Whole checkpoints of a run, oldest first.
  std::vector<CheckpointInfo> list(RunId run) const;
  std::optional<CheckpointInfo> find(int64_t id) const;
  /// The newest of any kind.
  std::optional<CheckpointInfo> newestWhole(RunId run) const;
  /// Runs that have a whole checkpoint, rising.
  std::vector<RunId> runs() const;
  /// The newest of kind Best.
  std::optional<CheckpointInfo> best(RunId run) const;

  /// Reads a checkpoint and verifies every checksum.
  /// @throws Error(Code::Input) unknown id, or damaged: names the part
  Checkpoint load(int64_t id);
  /// The parts without their bytes.
  std::vector<PartInfo> parts(int64_t id) const;
  /// Reads and verifies one part straight into memory of the caller; `into` has its size.
  void readPart(int64_t id, std::string_view name, std::span<std::byte> into);

  /// Deletes what `retention` does not keep, then chunks nobody needs any more; their space is used
  /// again. Returns how many checkpoints went.
  int retain(RunId run, const Retention& retention);
  void remove(int64_t id);
  /// Deletes all checkpoints of a run.
  void removeRun(RunId run);
  /// Deletes chunks that no checkpoint needs (left by a kill). Returns their bytes.
  int64_t collectGarbage();

 private:
  std::unique_ptr<CheckpointFile> file_;
};

/// A checkpoint that owns its bytes, to be written by another thread.
struct CheckpointData {
  CheckpointHead head;
  std::vector<Part> parts = {};
  Retention retention;
};

/// Callbacks come on the writer's thread.
struct CheckpointWriterOptions {
  /// Before each save: brings what must not be younger than the checkpoint to the disk, so that
  /// after a crash nothing is missing before it. Takes as long as it needs; what it throws counts
  /// as trouble of the save.
  std::function<void()> beforeSave = {};
  std::function<void(const CheckpointInfo&)> onSaved = {};
  /// Saving fails; the data is kept and tried again. The trainer should pause.
  std::function<void(const StoreTrouble&)> onTrouble = {};
  std::function<void()> onRecovered = {};
  int64_t retryIntervalMs = 2000;
};

/// Saves on a thread of its own, so that training pauses only for the copy into CheckpointData.
/// @thread any
class TENON_API CheckpointWriter {
 public:
  explicit CheckpointWriter(std::shared_ptr<Store> store, CheckpointWriterOptions options = {});
  /// Waits for the save under way; gives up what is in trouble, so call wait() before.
  ~CheckpointWriter();

  /// Hands a checkpoint over; waits only while the one before is still being written.
  /// @throws Error if that one is in trouble (it is kept; `data` is not taken)
  void submit(CheckpointData&& data);
  /// Returns when everything handed over is on the disk. @throws Error if it is in trouble
  void wait();
  /// Tries again at once.
  void retry();
  bool inTrouble() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
