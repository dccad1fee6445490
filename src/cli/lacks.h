// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report lacks: every loss, doubt and gap with its reason and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/open_report.h"

namespace sextant::cli {

struct Lack {
  std::string code;      // "lost_records"; "never_closed" and "damage" are found by looking, not noted
  uint64_t process = 0;  // its number; 0: the recording
  uint64_t count = 0;
  std::string what;   // one sentence, as noted or found
  std::string to_do;  // "" where nothing can or need be done
};

/// Reads what NVTX ranges were never closed, which a report does not note. Damage met by that is told as any
/// other.
std::vector<Lack> find_lacks(const OpenedReport& report);

/// What to do about a diagnostic; "" for a code that asks for nothing, or is not known.
std::string_view advice(std::string_view code);

}  // namespace sextant::cli
