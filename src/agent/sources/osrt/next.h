// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The next definition of a function behind this library, as dlsym(RTLD_NEXT) finds it, but without the
// linker's lock and without memory: hooks are called before any constructor of ours has run, from within
// malloc, and from signal handlers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::agent::osrt {

/// The address of the default version of `name` in the libraries behind this one, in the order in which they
/// were loaded, up to the C library. nullptr: none has it. `in`: something that tells its library from
/// others.
void* next_definition(const char* name, const void** in = nullptr);

}  // namespace sextant::agent::osrt
