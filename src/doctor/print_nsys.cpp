// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// `nsys status --environment`, as of 2023.4: scripts look for these lines.
#include <fmt/format.h>

#include "doctor/print.h"

namespace sextant::doctor {

namespace {

std::string distribution(const Environment& environment) {
  const std::string release = "\n" + environment.read("/etc/os-release", 8192).value_or("");
  const size_t at = release.find("\nID=");
  if (at == std::string::npos) return "unknown";
  std::string id = release.substr(at + 4, release.find('\n', at + 1) - at - 4);
  std::erase(id, '"');
  return id;
}

std::string_view ok(bool good) {
  return good ? "OK" : "Fail";
}

bool open(const Diagnosis& diagnosis, Capability capability) {
  const State state = verdict_of(diagnosis, capability).state;
  return state == State::kAllowed || state == State::kNotRecorded;
}

}  // namespace

std::string as_nsys_prints_it(const Surroundings& seen, const Diagnosis& diagnosis) {
  const Environment& environment = seen.environment;
  const auto version = words_of(environment.read("/proc/version", 1024).value_or(""));
  bool stamps = false;
  for (const Fact& fact : diagnosis.facts)
    stamps = stamps || (fact.name == "time stamp counter" && fact.value.starts_with("invariant"));
  const Verdict& sampling = verdict_of(diagnosis, Capability::kSampling);
  const bool samples = open(diagnosis, Capability::kSampling);
  const bool call = sampling.state != State::kNotHere && sampling.denier != Denier::kSeccomp;
  const auto branches = environment.read("/sys/bus/event_source/devices/cpu/caps/branches", 16);
  std::string out = fmt::format("Timestamp counter supported: {}\n\nCPU Profiling Environment Check\n",
                                stamps ? "Yes" : "No");
  out += fmt::format("Root privilege: {}\n", seen.rights.user == 0 ? "enabled" : "disabled");
  out += fmt::format("Linux Kernel Paranoid Level = {}\n",
                     seen.rights.paranoid ? std::to_string(*seen.rights.paranoid) : "unknown");
  out += fmt::format("Linux Distribution = {}\n", distribution(environment));
  out += fmt::format("Linux Kernel Version = {}: OK\n", version.size() > 2 ? version[2] : "unknown");
  out += fmt::format("Linux perf_event_open syscall available: {}\n", ok(call));
  out += fmt::format("Sampling trigger event available: {}\n", ok(samples));
  out += fmt::format("Intel(c) Last Branch Record support: {}Available\n",
                     branches && (*branches)[0] > '0' ? "" : "Not ");
  out += fmt::format("CPU Profiling Environment (process-tree): {}\n",
                     ok(samples && open(diagnosis, Capability::kSwitches)));
  out += fmt::format("CPU Profiling Environment (system-wide): {}\n",
                     ok(open(diagnosis, Capability::kSystemWide)));
  return out;
}

}  // namespace sextant::doctor
