// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Goals: what --for names. A goal is met when all of its capabilities are.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "doctor/check.h"

namespace sextant::doctor {

struct Goal {
  std::string_view name;
  std::string_view what;
  uint32_t capabilities;    // 1 << Capability
  bool other_tool;          // another tool than Sextant is to do it
  std::string_view advice;  // one sentence, "" none
};
std::span<const Goal> goals();
const Goal* find_goal(std::string_view name);

inline bool holds(uint32_t capabilities, Capability capability) {
  return (capabilities >> static_cast<unsigned>(capability) & 1) != 0;
}

enum class Outcome : uint8_t {
  kMet,
  kNotRecorded,  // the machine allows it, this release of Sextant does not do it
  kNotMet,       // denied, or not here
};
Outcome outcome_of(const Diagnosis& diagnosis, const Goal& goal);

}  // namespace sextant::doctor
