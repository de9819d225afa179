// SPDX-License-Identifier: Apache-2.0
// The one exception type of the engine, and Issues: what a user can expect to go wrong, as values
// with a place.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/export.h"

namespace tenon {

/// What kind of failure an Error is; decides the exit code of the command line (docs/cli.md).
enum class Code {
  Usage,     ///< called with arguments that make no sense (exit 2)
  Input,     ///< a file, project or data set is wrong (exit 3)
  Shape,     ///< tensor shapes do not fit (exit 3)
  Type,      ///< tensor types do not fit (exit 3)
  Device,    ///< no such device, or it failed (exit 4)
  Memory,    ///< an allocation failed (exit 4)
  Io,        ///< reading or writing failed; the error number is in `Error::osError` (exit 3)
  Busy,      ///< another process holds what is wanted (exit 3)
  Version,   ///< written by a newer Tenon (exit 3)
  Stopped,   ///< stopped on request (exit 130)
  Internal,  ///< a fault of ours (exit 1)
};

/// Short stable name of a code, for logs and JSON ("input", "shape", ...).
TENON_API std::string_view codeName(Code code);

/// Thrown where work cannot go on. `what()` reads "context: context: message", outermost context
/// first.
class TENON_API Error : public std::exception {
 public:
  Error(Code code, std::string message, int osError = 0);
  ~Error() override;
  Error(const Error&);
  Error& operator=(const Error&);

  const char* what() const noexcept override { return text_.c_str(); }
  Code code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const std::vector<std::string>& context() const noexcept { return context_; }
  /// errno of the failing system call, or 0.
  int osError() const noexcept { return osError_; }

  /// Adds where it happened as the error travels up, e.g. "layer 'stem'", and returns itself for
  /// rethrowing.
  Error& addContext(std::string where);

 private:
  Code code_;
  int osError_;
  std::string message_;
  std::vector<std::string> context_;  // innermost first
  std::string text_;
};

/// Where an Issue sits. Empty members are unknown. Lines and columns count from 1, rows of data
/// from 0 (-1: none).
struct Place {
  std::string file;
  std::string node;   ///< id of the graph node
  std::string field;  ///< dotted path in the project or name of the parameter
  int line = 0;
  int column = 0;
  long long row = -1;
};

enum class Severity { Error, Warning, Hint };

/// Marks an English template for translation; evaluates to itself. Arguments stand as {0}, {1}, ...
#define TENON_TEXT(text) text

/// One thing that is wrong, as a value: the template is translated first and filled in afterwards.
struct Issue {
  Severity severity = Severity::Error;
  std::string code;  ///< stable id, e.g. "graph.shape-mismatch"
  std::string text;  ///< template made with TENON_TEXT
  std::vector<std::string> args;
  Place place;
};

using Issues = std::vector<Issue>;

/// The template of an issue with its arguments filled in (no translation, no place).
TENON_API std::string issueText(const Issue& issue);
/// Fills {0}, {1}, ... of `text`; unknown numbers stay as they are.
TENON_API std::string fillTemplate(std::string_view text, const std::vector<std::string>& args);
/// "file:line:column: node 'x': field 'y': text" with the parts that are known.
TENON_API std::string issueLine(const Issue& issue);
/// True if any issue is an error.
TENON_API bool hasErrors(const Issues& issues);
/// Throws Error(code) whose message lists all errors, one a line; does nothing if there is none.
TENON_API void throwIfErrors(const Issues& issues, Code code = Code::Input);

}  // namespace tenon
