// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Environments given to exec and spawn: is the agent in it, and a copy without it. No allocation;
// async-signal-safe.
#pragma once

#include <cstddef>

namespace sextant::agent {

/// The value of NAME=value, or nullptr. A null environment is an empty one.
const char* environment_value(char* const* environment, const char* name);

/// True if a program started with it finds the agent (at `agent`) and the run folder.
bool environment_has_agent(char* const* environment, const char* agent);

/// Bytes that strip_environment() needs for its copy.
size_t stripped_room(char* const* environment);

/// A copy in `room` (stripped_room() bytes, aligned for pointers) without the agent in NVTX_INJECTION64_PATH
/// and OPENCL_LAYERS, and with `preload_too` without it, and libsextant-opencl.so beside it, in LD_PRELOAD;
/// all else stays, in order. Strings other than those lists are shared with the original.
char** strip_environment(char* const* environment, const char* agent, bool preload_too, void* room);

/// The variables of spool/launcher.h that are there, as ProcessPage::launcher holds them.
void copy_launcher_variables(char* const* environment, char* to, size_t room);

/// NAME=value for this process and those it starts, if the name is not there. `entry` must live for ever. For
/// the start only: no other thread may use the environment meanwhile. Without the allocator: the list moves
/// into a mapping.
void add_to_environment(const char* name, char* entry);

}  // namespace sextant::agent
