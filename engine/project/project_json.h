// SPDX-License-Identifier: Apache-2.0
// ProjectSpec <-> JSON tree, shared by the file reader, the writer and the settings by path. Inside
// this room only.
#pragma once

#include <string>

#include "engine/project/project_file.h"

namespace tenon {

/// The whole tree as the file has it.
Json projectJson(const ProjectSpec& project);
/// The sections of the file, without the members this version does not know.
Json dataJson(const DataSpec& data);
Json graphJson(const GraphSpec& graph);
Json trainJson(const TrainSpec& train);
/// {"type": ..., parameters}.
Json partJson(const PartSpec& part);

/// Reads a tree of the current format version; the version itself is not looked at.
ReadResult projectFromJson(const Json& root, const std::string& file);

/// True for letters, digits, '_' and '-', at least one.
bool isNodeId(std::string_view id);

}  // namespace tenon
