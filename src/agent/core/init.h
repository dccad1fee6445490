// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the agent needs of the C library beyond system calls, all of it optional: where it is missing (musl),
// the agent is inert.
#pragma once

#include "agent/core/thread.h"

namespace sextant::agent {

/// Asks to be told when the calling thread ends.
void watch_thread_end(ThreadBlock* block);

/// Called in a fork child by the C library: the process table needs children that record nothing, too.
void after_fork_in_child();

/// The process confines itself (Confined bits); taken back where the attempt failed. In a vfork child only
/// the child is meant.
void confine(uint32_t how);
void unconfine(uint32_t how);

}  // namespace sextant::agent
