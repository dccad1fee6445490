// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX ranges and OS runtime calls: the agent is loaded by environment variables, which needs no right, but a
// place to write.
#include <fmt/format.h>

#include "doctor/checks/all.h"

namespace sextant::doctor {

namespace {

constexpr Remedy kRemedies[] = {
    {"install-agent", kAnywhere, "Install Sextant whole: the program finds the agent in ../lib",
     "SEXTANT_AGENT=/path/to/libsextant-agent.so sextant profile ...", "nothing", "you", ""},
    {"writable", kHost | kDocker | kPodman | kOtherContainer | kEnroot,
     "Give the recording a place: a folder that can be written, for the report and the run folder",
     "sextant profile -o /folder/report ...", "nothing", "you", ""},
    {"writable-pod", kKubernetes, "Mount a volume that can be written", "", "nothing", "the pod's owner",
     "# beside securityContext\nvolumeMounts: [{name: reports, mountPath: /reports}]"},
};

bool somewhere_to_write(const Environment& environment) {
  std::vector<std::string> places = {environment.current_folder(), "/tmp", "/dev/shm"};
  if (const auto runtime = environment.variable("XDG_RUNTIME_DIR")) places.push_back(*runtime);
  for (const std::string& place : places)
    if (!place.empty() && environment.may(place, Access::kWrite)) return true;
  return false;
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  for (const Capability capability : {Capability::kNvtx, Capability::kOsrt}) {
    std::string problem = seen.environment.agent_problem();
    if (capability == Capability::kOsrt && problem.empty()) problem = seen.environment.osrt_agent_problem();
    Verdict verdict =
        allow(capability, "the agent is there, and a folder can be written; no right is needed");
    if (!problem.empty()) {
      verdict = deny(capability, Denier::kFiles, problem);
      offer(&verdict, seen, kRemedies, {"install-agent"});
    } else if (!somewhere_to_write(seen.environment)) {
      verdict =
          deny(capability, Denier::kFiles, "neither the current folder nor /tmp nor /dev/shm can be written");
      offer(&verdict, seen, kRemedies, {"writable", "writable-pod"});
    }
    diagnosis->verdicts.push_back(std::move(verdict));
  }
}

}  // namespace

const Check kPreloadCheck = {
    "preload",
    "the agent libraries beside the program, and their version; whether the current folder, "
    "XDG_RUNTIME_DIR, /tmp or /dev/shm can be written",
    "Allowed wherever the agent can be loaded: no right is needed. Static, setuid "
    "and musl programs cannot load it, and "
    "are named when they are recorded",
    kRemedies, run};

}  // namespace sextant::doctor
