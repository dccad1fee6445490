// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// manifest.json of a run folder: who records what into which report. For people, and for recovery, to which
// it is hostile input.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace sextant::recording {

inline constexpr const char* kManifestName = "manifest.json";
inline constexpr size_t kMaxManifestBytes = 1u << 20;

struct Manifest {
  std::string report;    // absolute path
  std::string program;   // command line, secrets blanked
  std::string recorder;  // how sextant was called
  std::string version;
  std::string host;
  uint64_t started_realtime_ns = 0;
  uint64_t budget_bytes = 0;
  uint32_t target_pid = 0;
  uint32_t tool_pid = 0;
};

std::string manifest_text(const Manifest& manifest);

/// The fields that recovery needs, `report` among them. kCorrupt: no such object.
Result<Manifest> parse_manifest(const std::string& text);

}  // namespace sextant::recording
