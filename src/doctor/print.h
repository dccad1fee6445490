// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a diagnosis looks like: for people, for machines (docs/doctor.md has the format), as fields of a pod,
// as a script, and as one line for `sextant profile`. Names, addresses and tokens are blanked unless `full`.
#pragma once

#include <string>

#include "doctor/check.h"
#include "doctor/goal.h"

namespace sextant::doctor {

struct PrintOptions {
  const Goal* goal = nullptr;  // nullptr: everything
  bool full = false;
};

std::string as_text(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options);
std::string as_json(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options);
std::string as_pod_fields(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options);
std::string as_script(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options);

/// The lines that `nsys status --environment` prints, with our findings in them.
std::string as_nsys_prints_it(const Surroundings& seen, const Diagnosis& diagnosis);

/// "denied by the container's seccomp filter", "allowed, but not recorded by this release", ...
std::string in_words(const Surroundings& seen, const Verdict& verdict);

}  // namespace sextant::doctor
