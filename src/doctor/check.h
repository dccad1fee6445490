// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A check looks at the surroundings and concludes: facts, and for capabilities whether they are there, who
// denies them, and what opens them. One file each in checks/, which also holds its words for the table in
// docs/permissions.md. A new check is one file and one line in registry.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/surroundings.h"

namespace sextant::doctor {

enum class Capability : uint8_t {
  kNvtx,
  kOsrt,
  kOpencl,
  kCuda,
  kSampling,
  kSystemWide,
  kSwitches,
  kKernelStacks,
  kGpuMetrics,
  kCounters,
  kAttach,
  kSymbols,
};
inline constexpr int kCapabilities = 12;

struct CapabilityWords {
  std::string_view name;   // for machines and --for
  std::string_view title;  // for people
  bool recorded;           // by this release of Sextant
};
const CapabilityWords& words_for(Capability capability);

enum class State : uint8_t {
  kAllowed,
  kNotRecorded,  // allowed, but this release does not record it
  kDenied,
  kNotHere,
};
std::string_view state_word(State state);  // "allowed", "not-recorded", "denied", "not-here"

/// Who says no. kNobody where nobody does.
enum class Denier : uint8_t {
  kNobody,
  kParanoid,         // kernel.perf_event_paranoid, as in every kernel
  kPatchedParanoid,  // levels 3 and 4 of Debian's and Ubuntu's kernels
  kSeccomp,
  kUserNamespace,
  kSecurityModule,  // SELinux, AppArmor, lockdown
  kYama,
  kKernel,  // built without it
  kDriver,  // RmProfilingAdminOnly
  kHolder,  // another process holds the counters
  kVgpu,
  kDevice,  // device files that are not there or not accessible
  kFiles,   // a file of ours is missing, or nothing can be written
};
std::string_view denier_word(Denier denier);  // "paranoid", "seccomp", ...

struct Remedy {
  std::string_view id;
  uint32_t places;           // Place bits where it can be applied
  std::string_view what;     // one sentence
  std::string_view command;  // lines for a shell, or options for the container's start; "" none
  std::string_view opens;    // what else it opens
  std::string_view who;      // who must agree
  std::string_view pod;      // lines below the container's securityContext in a pod; "" none
};

struct Verdict {
  Capability capability = Capability::kNvtx;
  State state = State::kNotHere;
  Denier denier = Denier::kNobody;
  std::string evidence;  // one sentence: what was tried or read
  std::vector<std::string> notes;
  std::vector<const Remedy*> remedies;  // the least first
};

/// Something to know that decides nothing. `value` may hold names, paths and addresses: they are blanked when
/// printed, unless asked for.
struct Fact {
  std::string topic;  // "where", "clock", "rights", "gpus", "tools", ...
  std::string name;
  std::string value;
};

/// Another process that matters to a profiler.
struct Neighbour {
  std::string name;
  uint64_t pid = 0;  // 0: seen by its socket only
  std::string what;  // "holds the counters", "uses GPU 0", ...
  std::string how_sure;
  std::string to_do;  // the command that frees, and what that costs; "" nothing to do
};

struct Diagnosis {
  std::vector<Verdict> verdicts;  // in the order of Capability
  std::vector<Fact> facts;
  std::vector<Neighbour> neighbours;
  std::vector<std::string> advice;  // sentences, under --for
};

struct Check {
  std::string_view name;       // file name in checks/
  std::string_view reads;      // for docs/permissions.md
  std::string_view concludes;  // likewise
  std::span<const Remedy> remedies;
  void (*run)(const Surroundings&, Diagnosis*);
};

std::span<const Check> checks();

/// Runs every check.
Diagnosis diagnose(const Surroundings& seen);

const Verdict& verdict_of(const Diagnosis& diagnosis, Capability capability);

// -- for checks
// ------------------------------------------------------------------------------------------------

/// Allowed, or allowed but not recorded by this release.
Verdict allow(Capability capability, std::string evidence);
Verdict deny(Capability capability, Denier denier, std::string evidence);
Verdict not_here(Capability capability, std::string evidence);

/// Adds those of `remedies` that are named in `ids` (in the table's order) and apply at this place.
void offer(Verdict* verdict, const Surroundings& seen, std::span<const Remedy> remedies,
           std::initializer_list<std::string_view> ids);

/// "EPERM", "EACCES", ...
std::string errno_word(int error);

}  // namespace sextant::doctor
