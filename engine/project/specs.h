// SPDX-License-Identifier: Apache-2.0
// What a project says, as plain immutable values: data, graph, training settings and layout.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/export.h"
#include "engine/schema/json.h"
#include "engine/schema/param_map.h"
#include "engine/schema/param_schema.h"

namespace tenon {

/// A definition that is used: its id ("adamw", "idx", "normalize") with the parameters as written
/// in the file.
struct PartSpec {
  std::string type;
  ParamMap params;
  friend bool operator==(const PartSpec&, const PartSpec&) = default;
};

/// Where validation samples come from.
struct SplitSpec {
  enum class Kind {
    None,      ///< no validation
    Fraction,  ///< a random part of the training samples, the same for every run
    Files,     ///< a reader of its own
  };
  Kind kind = Kind::None;
  double fraction = 0.1;  ///< Kind::Fraction: in (0, 1)
  int64_t seed = 1;       ///< Kind::Fraction: which part; apart from the training seed
  PartSpec reader;        ///< Kind::Files
  JsonObject unknown;     ///< members this version does not know, kept for writing
  friend bool operator==(const SplitSpec&, const SplitSpec&) = default;
};

struct DataSpec {
  PartSpec reader;
  SplitSpec split;
  std::vector<PartSpec> transforms;  ///< in the order they are applied
  std::vector<std::string> classes;  ///< name of class 0, 1, ...; empty: numbers
  JsonObject unknown;
  friend bool operator==(const DataSpec&, const DataSpec&) = default;
};

struct GraphSpec;

/// One layer of the graph. Ids are unique in the graph: letters, digits, '_' and '-'.
struct TENON_API NodeSpec {
  std::string id;
  std::string type;
  ParamMap params;
  /// Graphs inside of the layer, by slot ("body"); never null.
  std::map<std::string, std::shared_ptr<const GraphSpec>> graphs = {};
  std::string precision = {};  ///< "": as the training; "f32": in f32 within one of 16 bits
  /// Compares inner graphs by value.
  TENON_API friend bool operator==(const NodeSpec& a, const NodeSpec& b);
};

/// How many graphs may lie inside of each other in the graph of a project.
inline constexpr int kMostInnerGraphs = 12;

/// A wire. An empty port name means the node's only (or first) port.
struct EdgeSpec {
  std::string from;
  std::string fromPort;
  std::string to;
  std::string toPort;
  friend bool operator==(const EdgeSpec&, const EdgeSpec&) = default;
};

struct TENON_API GraphSpec {
  std::vector<std::shared_ptr<const NodeSpec>> nodes;
  std::vector<EdgeSpec> edges;
  JsonObject unknown;

  /// The node, or null.
  const NodeSpec* find(std::string_view id) const noexcept;
  /// Compares nodes by value; one that is shared is equal without a look inside.
  TENON_API friend bool operator==(const GraphSpec& a, const GraphSpec& b);
};

struct CheckpointSpec {
  int64_t everySteps = 0;       ///< 0: the first, then by time
  int64_t keep = 3;             ///< newest ones kept besides the best; 0: all
  std::string bestBy = "loss";  ///< validation value that decides which is best
  JsonObject unknown;
  friend bool operator==(const CheckpointSpec&, const CheckpointSpec&) = default;
};

struct TrainSpec {
  int64_t epochs = 10;
  int64_t batchSize = 64;
  int64_t seed = 1;
  std::string device = "cpu";     ///< "cpu", "cuda:0", ...
  int64_t threads = 0;            ///< 0: one per core
  int64_t workers = 1;            ///< threads that prepare batches; 0: the training thread does it
  bool deterministic = false;     ///< same bits for any number of threads
  int64_t logEvery = 10;          ///< steps between logged values
  int64_t validateEvery = 1;      ///< epochs between validations; 0: never
  std::string precision = "f32";  ///< "f32", or of autocast: "bf16", "f16"
  int64_t accumulate = 1;         ///< batches in one optimizer step
  double clipNorm = 0;            ///< largest joint norm of the gradients; 0: no limit
  double clipValue = 0;           ///< largest size of an element of the gradients; 0: no limit
  double emaDecay = 0;            ///< of the moving average of weights, in [0, 1); 0: none is kept
  bool emaWarmUp = true;          ///< the average soon forgets the first weights
  std::vector<std::string> optimizerChanges;  ///< "sgd after_epochs=5 lr=0.05", ... in order
  PartSpec loss{"cross_entropy", {}};
  PartSpec optimizer{"adamw", {}};
  PartSpec schedule{"constant", {}};
  std::vector<PartSpec> metrics;
  CheckpointSpec checkpoint;
  JsonObject unknown;
  friend bool operator==(const TrainSpec&, const TrainSpec&) = default;
};

/// Where things stand on the canvas, in logical pixels. Not part of run settings, diff and hash.
struct LayoutSpec {
  struct Point {
    double x = 0;
    double y = 0;
    friend bool operator==(const Point&, const Point&) = default;
  };
  struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    friend bool operator==(const Box&, const Box&) = default;
  };
  struct Note {
    std::string id;
    std::string text;
    Box box;
    friend bool operator==(const Note&, const Note&) = default;
  };
  struct Frame {
    std::string id;
    std::string title;
    Box box;
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  std::map<std::string, Point> positions;  ///< top left corner by node id
  std::vector<Note> notes;
  std::vector<Frame> frames;
  JsonObject unknown;
  friend bool operator==(const LayoutSpec&, const LayoutSpec&) = default;
};

/// The version of the project format that this program writes.
inline constexpr int kProjectFormat = 1;

/// A whole project. The parts are never null and never change; an edit makes a new part and shares
/// the rest.
struct TENON_API ProjectSpec {
  std::string name;
  std::shared_ptr<const DataSpec> data = std::make_shared<DataSpec>();
  std::shared_ptr<const GraphSpec> graph = std::make_shared<GraphSpec>();
  std::shared_ptr<const TrainSpec> train = std::make_shared<TrainSpec>();
  std::shared_ptr<const LayoutSpec> layout = std::make_shared<LayoutSpec>();
  JsonObject unknown;

  TENON_API friend bool operator==(const ProjectSpec& a, const ProjectSpec& b);
};

/// The plain settings of a TrainSpec (all but loss, optimizer, schedule, metrics, checkpoint) as a
/// schema: epochs, batch_size, ..., then those of trainFeatureSchema().
TENON_API const ParamSchema& trainSchema();
/// What a training can do besides, off by default: accumulation, clipping, averages of weights,
/// change of optimizer. Files and the settings of a run name such a setting only where it is not
/// the default, so that what was written before it existed reads and compares as ever.
TENON_API const ParamSchema& trainFeatureSchema();
/// precision of a NodeSpec.
TENON_API const ParamSpec& nodePrecisionParam();
/// every_steps, keep, best_by.
TENON_API const ParamSchema& checkpointSchema();
/// fraction, seed of a SplitSpec of kind Fraction.
TENON_API const ParamSchema& splitSchema();

/// The plain settings as values by name, for forms; and back. `params` must satisfy the schema.
TENON_API ParamMap trainParams(const TrainSpec& train);
TENON_API TrainSpec withTrainParams(TrainSpec train, const ParamMap& params);
/// trainParams() without features that are off: what a file says.
TENON_API ParamMap writtenTrainParams(const TrainSpec& train);
TENON_API ParamMap checkpointParams(const CheckpointSpec& checkpoint);
TENON_API CheckpointSpec checkpointFromParams(const ParamMap& params);

}  // namespace tenon
