// SPDX-License-Identifier: Apache-2.0
// JSON schemas of parts (layers, readers, optimizers, ...), made from their definitions.
#pragma once

#include "engine/base/export.h"
#include "engine/project/catalog.h"
#include "engine/schema/json.h"

namespace tenon {

/// What a parameter accepts, as a JSON schema with its default and help text.
TENON_API Json paramJsonSchema(const ParamSpec& spec);

/// A part of a kind: its known types and, for each, the parameters beside it. A layer is a node and
/// has an id too.
TENON_API Json partJsonSchema(PartKind kind, const Catalog& catalog);

/// The JSON schema of project files with the definitions of all kinds of parts put in ("$defs").
TENON_API Json withPartSchemas(Json projectSchema, const Catalog& catalog);

}  // namespace tenon
