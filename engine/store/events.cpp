// SPDX-License-Identifier: Apache-2.0
// The event table.
#include "engine/store/events.h"

#include "engine/store/event_rows.h"

namespace tenon {
namespace {

/// A JSON array of strings; SQLite's own functions read it back.
std::string jsonArray(const std::vector<std::string>& values) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "[";
  for (const std::string& value : values) {
    out += out.size() > 1 ? ",\"" : "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out += "\\u00";
        out += kHex[static_cast<unsigned char>(c) >> 4];
        out += kHex[static_cast<unsigned char>(c) & 15];
      } else {
        out += c;
      }
    }
    out += '"';
  }
  return out + "]";
}

std::vector<std::string> fromJsonArray(Database& database, const std::string& json) {
  std::vector<std::string> values;
  if (json == "[]") return values;
  Statement query(database, "SELECT value FROM json_each(?1)");
  query.bind(1, json);
  while (query.step()) values.push_back(query.text(0));
  return values;
}

EventLevel levelFrom(int64_t number) {
  return number >= 0 && number <= 2 ? static_cast<EventLevel>(number) : EventLevel::Error;
}

}  // namespace

int64_t insertEvent(Database& database, const Event& event) {
  Statement(database,
            "INSERT INTO events(run, time_us, step, level, code, text, args) "
            "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      .bindAll(event.run, event.timeUs != 0 ? event.timeUs : storeTimeUs(), event.step,
               static_cast<int>(event.level), event.code, event.text, jsonArray(event.args))
      .run();
  return database.lastInsertId();
}

int64_t Events::add(const Event& event) {
  auto database = connection_.use();
  Transaction transaction(*database, Access::Write);
  const int64_t id = insertEvent(*database, event);
  transaction.commit();
  return id;
}

std::vector<Event> Events::read(RunId run, int64_t afterId, int64_t limit) const {
  auto database = connection_.use();
  Statement query(*database,
                  "SELECT id, run, time_us, step, level, code, text, args FROM events "
                  "WHERE run=?1 AND id>?2 ORDER BY id LIMIT ?3");
  query.bindAll(run, afterId, limit);
  std::vector<Event> events;
  while (query.step()) {
    Event& event = events.emplace_back();
    event.id = query.integer(0);
    event.run = query.integer(1);
    event.timeUs = query.integer(2);
    event.step = query.integer(3);
    event.level = levelFrom(query.integer(4));
    event.code = query.text(5);
    event.text = query.text(6);
    event.args = fromJsonArray(*database, query.text(7));
  }
  return events;
}

}  // namespace tenon
