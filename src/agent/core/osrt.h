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
/// `result`; `child`: its pid, 0 where there is none.
void sextant_osrt_spawned(bool searched, uint64_t begin, int result, int child)
    __attribute__((weak, visibility("hidden")));
}
