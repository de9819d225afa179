// SPDX-License-Identifier: Apache-2.0
// Members of an object: kinds, unknown names, schema-checked values.
#include "engine/project/section_reader.h"

#include "engine/schema/suggest.h"

namespace tenon {
namespace {

/// A value as a message shows it: texts and numbers themselves, lists and objects by kind.
std::string shown(const Json& json) {
  if (json.isArray() || json.isObject()) return std::string(kindText(json.kind()));
  std::string text = writeJson(json, JsonStyle::OneLine);
  return text.size() <= 60 ? text : std::string(kindText(json.kind()));
}

}  // namespace

void ReadLog::add(const Spot& spot, Issue issue) {
  if (issues_.size() >= kMostIssues) {
    ++dropped_;
    droppedError_ = droppedError_ || issue.severity == Severity::Error;
    return;
  }
  issue.place.file = file_;
  issue.place.line = spot.pos.line;
  issue.place.column = spot.pos.column;
  issue.place.node = spot.node;
  issue.place.field = spot.path;
  if (!spot.node.empty()) {
    std::string prefix = "graph.nodes." + spot.node;  // a node's field is its parameter
    if (spot.path.starts_with(prefix))
      issue.place.field = spot.path.substr(std::min(prefix.size() + 1, spot.path.size()));
  }
  issues_.push_back(std::move(issue));
}

void ReadLog::error(const Spot& spot, const char* code, const char* text,
                    std::vector<std::string> args) {
  add(spot, Issue{Severity::Error, code, text, std::move(args), {}});
}

void ReadLog::warning(const Spot& spot, const char* code, const char* text,
                      std::vector<std::string> args) {
  add(spot, Issue{Severity::Warning, code, text, std::move(args), {}});
}

void ReadLog::finish(ReadResult& result) {
  if (dropped_ > 0) {
    Issue more{droppedError_ ? Severity::Error : Severity::Warning,
               "project.more-issues",
               TENON_TEXT("and {0} more issues"),
               {std::to_string(dropped_)},
               {}};
    more.place.file = file_;
    issues_.push_back(std::move(more));
  }
  for (Issue& issue : issues_) result.issues.push_back(std::move(issue));
  result.positions = std::move(positions_);
}

SectionReader::SectionReader(const Json& json, ReadLog::Spot spot, ReadLog& log)
    : json_(&json), spot_(std::move(spot)), log_(log) {
  spot_.pos = json.pos;
  if (!json.isObject())
    log_.error(spot_, "project.wrong-type", TENON_TEXT("expected {0}, got {1}"),
               {std::string(kindText(Json::Kind::Object)), shown(json)});
}

ReadLog::Spot SectionReader::at(std::string_view key) const {
  ReadLog::Spot spot = spot_;
  if (!spot.path.empty()) spot.path += '.';
  spot.path += key;
  if (const Json* member = json_->find(key)) spot.pos = member->pos;
  return spot;
}

const Json* SectionReader::take(std::string_view key) {
  known_.emplace(key);
  const Json* member = json_->find(key);
  if (member != nullptr) log_.mark(at(key));
  return member;
}

void SectionReader::wrongKind(std::string_view key, std::string_view wanted, const Json& got) {
  log_.error(at(key), "project.wrong-type", TENON_TEXT("'{0}' expects {1}, got {2}"),
             {std::string(key), std::string(wanted), shown(got)});
}

const Json* SectionReader::takeArray(std::string_view key) {
  const Json* member = take(key);
  if (member == nullptr || member->isArray()) return member;
  wrongKind(key, kindText(Json::Kind::Array), *member);
  return nullptr;
}

const Json* SectionReader::takeObject(std::string_view key) {
  const Json* member = take(key);
  if (member == nullptr || member->isObject()) return member;
  wrongKind(key, kindText(Json::Kind::Object), *member);
  return nullptr;
}

bool SectionReader::takeString(std::string_view key, std::string& out, bool required) {
  const Json* member = take(key);
  if (member == nullptr) {
    if (required && isObject())
      log_.error(spot_, "project.missing", TENON_TEXT("'{0}' is missing"), {std::string(key)});
    return false;
  }
  if (!member->isString()) {
    wrongKind(key, kindText(Json::Kind::String), *member);
    return false;
  }
  out = member->asString();
  return true;
}

ParamMap SectionReader::takeParams(const ParamSchema& schema) {
  ParamMap out = schema.defaults();
  for (const ParamSpec& spec : schema) {
    const Json* member = take(spec.name);
    if (member == nullptr) continue;
    ParamValue value;
    if (!paramFromJson(*member, value)) {
      wrongKind(spec.name, paramTypeText(spec.type), *member);
      continue;
    }
    ParamCheck check = checkParam(spec, value);
    if (check.issue) {
      log_.add(at(spec.name), *std::move(check.issue));
    } else {
      out.set(spec.name, *std::move(check.value));
    }
  }
  return out;
}

ParamMap SectionReader::takeRest() {
  std::vector<ParamMap::Entry> entries;
  if (!isObject()) return {};
  for (const JsonMember& member : json_->members()) {
    if (known_.contains(member.key)) continue;
    ReadLog::Spot spot = spot_;
    spot.path += "." + member.key;
    spot.pos = member.value.pos;
    log_.mark(spot);
    ParamValue value;
    if (paramFromJson(member.value, value)) {
      entries.emplace_back(member.key, std::move(value));
    } else {
      log_.error(spot, "project.wrong-type", TENON_TEXT("'{0}' expects {1}, got {2}"),
                 {member.key, "a number, a text, true, false or a flat list of one kind",
                  shown(member.value)});
    }
  }
  return ParamMap::ofUnique(std::move(entries));
}

JsonObject SectionReader::finish() {
  JsonObject unknown;
  if (!isObject()) return unknown;
  for (const JsonMember& member : json_->members()) {
    if (known_.contains(member.key)) continue;
    unknown.push_back(member);
    ReadLog::Spot spot = at("");
    spot.path = spot_.path.empty() ? member.key : spot_.path + "." + member.key;
    spot.pos = member.pos;
    std::string nearest;
    if (log_.wantsSuggestion()) nearest = nearestName(member.key, {known_.begin(), known_.end()});
    if (nearest.empty()) {
      log_.warning(spot, "project.unknown-key", TENON_TEXT("unknown setting '{0}' is ignored"),
                   {member.key});
    } else {
      log_.warning(spot, "project.unknown-key",
                   TENON_TEXT("unknown setting '{0}' is ignored; did you mean '{1}'?"),
                   {member.key, nearest});
    }
  }
  return unknown;
}

}  // namespace tenon
