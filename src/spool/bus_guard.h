// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Agents run with their targets' rights and may cut a file of the run folder while we look at it: touching
// what is no longer there raises SIGBUS. guard_bus_errors() makes such pages read as zeros instead, so that
// the reader's checks refuse them.
#pragma once

#include <cstdint>

namespace sextant::spool {

/// Installs the handler for this process. Faults at addresses outside of file mappings still end the process.
void guard_bus_errors();

/// Pages replaced so far.
uint64_t bus_errors();

}  // namespace sextant::spool
