// SPDX-License-Identifier: Apache-2.0
// C++ source as text: what is left without comments and literals, and the include lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::architecture {

/// One `#include` line. Lines count from 1.
struct Include {
  int line = 0;
  std::string target;   ///< what stands between the quotes or angle brackets
  bool quoted = false;  ///< "target", not <target>
};

/// `text` with comments replaced by blanks; line breaks stay, so that line numbers hold.
std::string withoutComments(std::string_view text);

/// As withoutComments(), and string and character literals emptied, preprocessor lines blanked.
std::string codeOnly(std::string_view text);

/// The include lines of a file, those inside comments left out.
std::vector<Include> includesOf(std::string_view text);

/// Lines of `text` without their line breaks; a last line without a break counts too.
std::vector<std::string_view> linesOf(std::string_view text);

/// Number of characters (code points) of UTF-8 text.
int columnsOf(std::string_view line);

/// `text` without blanks at either end.
std::string_view trimmed(std::string_view text);

}  // namespace tenon::architecture
