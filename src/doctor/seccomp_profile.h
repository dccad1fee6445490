// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A container runtime's seccomp profile plus perf_event_open. The runtime's own profile is read when it is
// needed and never shipped: an older copy would take away what its update gave.
#pragma once

#include <string>

#include "base/result.h"
#include "doctor/environment.h"

namespace sextant::doctor {

/// The profile that a runtime of this machine has as a file; kNotFound where there is none (Docker and
/// containerd have theirs inside of the program).
Result<std::string> find_seccomp_profile(const Environment& environment);

/// The profile `json` with perf_event_open allowed unconditionally: taken out of every rule that refuses it,
/// and one rule added. kCorrupt where it is no such profile. `name` is for messages.
Result<std::string> with_perf_event_open(const std::string& json, const std::string& name);

}  // namespace sextant::doctor
