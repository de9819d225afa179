// SPDX-License-Identifier: Apache-2.0
// Which process owns a run, so that a dead one is told from a living one with the same number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tenon {

/// Text that names this process among all that ever ran: machine, boot, pid space, pid, start time.
/// Correct after fork().
std::string thisProcess();

enum class Life { Alive, Dead, Elsewhere };

/// Whether the process of a text from thisProcess() lives. Elsewhere: it is not of this boot and
/// pid space (a network folder, another container), so only its heartbeat can tell.
Life processLife(std::string_view process);

}  // namespace tenon
