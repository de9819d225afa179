// SPDX-License-Identifier: Apache-2.0
// Issues filled in and put together.
#include "engine/base/issues.h"

#include <iterator>
#include <utility>

namespace tenon {

Issue fieldIssue(std::string code, std::string text, std::vector<std::string> args,
                 std::string field) {
  Issue issue;
  issue.code = std::move(code);
  issue.text = std::move(text);
  issue.args = std::move(args);
  issue.place.field = std::move(field);
  return issue;
}

void append(Issues& to, Issues from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace tenon
