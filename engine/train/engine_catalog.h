// SPDX-License-Identifier: Apache-2.0
// Every definition of the engine as the project room's Catalog, so that projects can be checked and
// set by path.
#pragma once

#include "engine/project/catalog.h"

namespace tenon {

/// The catalog over all registries. Lives as long as the process. @thread any
TENON_API const Catalog& engineCatalog();

}  // namespace tenon
