// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What core/ tells the hooks of the C library (sources/osrt/). They are in libsextant-agent-osrt.so only: in
// the other agent these functions are nullptr.
#pragma once

#include <cstdint>

extern "C" {

/// The agent has started.
void sextant_osrt_start() __attribute__((weak, visibility("hidden")));

/// posix_spawn (`searched`: posix_spawnp), which core/ hooks itself, began at `begin` and has returned
/// `result`.
void sextant_osrt_spawned(bool searched, uint64_t begin, int result)
    __attribute__((weak, visibility("hidden")));
}
