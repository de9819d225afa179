// SPDX-License-Identifier: Apache-2.0
// Reading the members of a JSON object with a path, a position and an issue for each. Inside this
// room only.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/project/project_file.h"
#include "engine/schema/validate.h"

namespace tenon {

/// What one reading collects. A hostile file cannot make it collect without end.
class ReadLog {
 public:
  explicit ReadLog(std::string file) : file_(std::move(file)) {}

  /// Where a value is: its path for `positions`; node and field for messages.
  struct Spot {
    std::string path;
    std::string node;
    JsonPos pos;
  };

  void error(const Spot& spot, const char* code, const char* text, std::vector<std::string> args);
  void warning(const Spot& spot, const char* code, const char* text, std::vector<std::string> args);
  /// An issue made by the schema room; its place is set to the spot.
  void add(const Spot& spot, Issue issue);
  void mark(const Spot& spot) { positions_.add(spot.path, spot.pos); }
  /// True while it is worth the time to look for a name that may have been meant.
  bool wantsSuggestion() { return ++suggestions_ <= kMostSuggestions; }

  /// Moves everything into the result.
  void finish(ReadResult& result);

 private:
  static constexpr size_t kMostIssues = 500;
  static constexpr int kMostSuggestions = 100;

  std::string file_;
  Issues issues_;
  size_t dropped_ = 0;
  bool droppedError_ = false;
  int suggestions_ = 0;
  Positions positions_;
};

/// The members of one object. Each member is asked for by its key; what was not asked for is
/// unknown.
class SectionReader {
 public:
  /// If `json` is no object an error is logged and the section reads as empty.
  SectionReader(const Json& json, ReadLog::Spot spot, ReadLog& log);

  const ReadLog::Spot& spot() const { return spot_; }
  bool isObject() const { return json_->isObject(); }
  /// The place of a member, or of the object itself if it is missing.
  ReadLog::Spot at(std::string_view key) const;

  /// The member, or null; it counts as known and its position is kept.
  const Json* take(std::string_view key);
  /// The member if it is of this kind; logs an error if it is of another.
  const Json* takeArray(std::string_view key);
  const Json* takeObject(std::string_view key);
  /// A text; false if it is missing (an error if `required`) or wrong.
  bool takeString(std::string_view key, std::string& out, bool required = false);
  /// The members that the schema knows, checked; the others get their defaults.
  ParamMap takeParams(const ParamSchema& schema);
  /// All members that were not taken, as values of parameters.
  ParamMap takeRest();
  /// Warns of each member that was not taken and returns them.
  JsonObject finish();

  void wrongKind(std::string_view key, std::string_view wanted, const Json& got);

 private:
  const Json* json_;
  ReadLog::Spot spot_;
  ReadLog& log_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace tenon
