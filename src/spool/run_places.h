// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the run folder of a report may lie: whoever makes one and whoever looks for one go by this.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sextant::spool {

inline constexpr const char* kRunSuffix = ".run";  // beside the report: NAME.sxt.run

/// Beside the report first, then in $XDG_RUNTIME_DIR, /tmp and /dev/shm under a name that has the run's id.
std::vector<std::string> candidate_folders(const std::string& report_path, std::span<const uint8_t> run_id);

/// The last part of a path.
std::string base_name(const std::string& path);

}  // namespace sextant::spool
