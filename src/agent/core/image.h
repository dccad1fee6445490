// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a program can load the agent, judged by its file. Only system calls; async-signal-safe; keeps
// errno.
#pragma once

#include <cstddef>

#include "spool/format.h"

namespace sextant::agent {

/// What the file at `path` (or behind `fd`, if path is nullptr) is. kNo where it can be traced and where it
/// cannot be read or does not exist. A script counts as its interpreter.
spool::Untraced inspect_image(const char* path, int fd);

inline constexpr size_t kDefaultSearchBytes = 13;  // "/bin:/usr/bin"

/// The first executable file `file` names, searched in `search` as execvp does. False: none.
bool find_program(const char* file, const char* search, char* to, size_t room);

}  // namespace sextant::agent
