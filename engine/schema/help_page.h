// SPDX-License-Identifier: Apache-2.0
// The help page of one definition, made from its schema.
#pragma once

#include <string>

#include "engine/base/export.h"
#include "engine/schema/param_schema.h"

namespace tenon {

/// What a definition says about itself besides its parameters.
struct HelpSubject {
  std::string id;       ///< as in the file, e.g. "conv2d"
  std::string title;    ///< "Convolution 2D"
  std::string summary;  ///< a paragraph of Markdown
};

/// Markdown: title, summary and a table of parameters (name, type, default, range, unit, help) by
/// group.
TENON_API std::string helpPage(const HelpSubject& subject, const ParamSchema& schema);

/// The range of a parameter as text: "1 to 31", "at least 1", "more than 0 and less than 1",
/// "one of a, b", or empty.
TENON_API std::string rangeText(const ParamSpec& spec);

}  // namespace tenon
