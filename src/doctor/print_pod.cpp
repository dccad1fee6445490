// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// --k8s: fields of a pod, each with its reason. Asked inside a pod, what it has already is left out; asked
// anywhere else, the cluster is unknown and all that may be needed is there.
#include <fmt/format.h>

#include <algorithm>

#include "doctor/print.h"

namespace sextant::doctor {

namespace {

bool open(const Diagnosis& diagnosis, Capability capability) {
  const State state = verdict_of(diagnosis, capability).state;
  return state == State::kAllowed || state == State::kNotRecorded;
}

struct Needs {
  std::vector<std::string> profile;                               // reasons for the seccomp profile
  std::vector<std::pair<std::string, std::string>> capabilities;  // name, reason
  std::vector<std::string> node;                                  // what no field of a pod can do
  bool shared_processes = false;
};

void add_capability(Needs* needs, std::string_view name, std::string_view reason) {
  for (auto& [known, reasons] : needs->capabilities)
    if (known == name) {
      reasons += fmt::format("; {}", reason);
      return;
    }
  needs->capabilities.emplace_back(name, reason);
}

void need_samples(Needs* needs, const Surroundings& seen, Capability capability) {
  const std::string_view name = words_for(capability).name;
  needs->profile.push_back(fmt::format("{}: the runtime's default profile refuses perf_event_open", name));
  const bool more = capability == Capability::kSystemWide || capability == Capability::kKernelStacks;
  if (seen.place == kKubernetes && seen.rights.patched_paranoid()) {
    add_capability(
        needs, "SYS_ADMIN",
        fmt::format("{}: this node's paranoid level {} admits nothing less", name, *seen.rights.paranoid));
  } else if (more) {
    add_capability(needs, "PERFMON", fmt::format("{}: passes the kernel's paranoid level", name));
  } else {
    needs->node.push_back(
        fmt::format("{}: kernel.perf_event_paranoid must be 2 or less on the node; it is the node's, no "
                    "field of a pod sets it",
                    name));
  }
}

Needs needs_of(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options) {
  Needs needs;
  for (const Verdict& verdict : diagnosis.verdicts) {
    const Capability capability = verdict.capability;
    if (options.goal != nullptr && !holds(options.goal->capabilities, capability)) continue;
    if (seen.place == kKubernetes && open(diagnosis, capability)) continue;
    switch (capability) {
      case Capability::kSampling:
      case Capability::kSwitches:
      case Capability::kKernelStacks:
      case Capability::kSystemWide:
        need_samples(&needs, seen, capability);
        break;
      case Capability::kGpuMetrics:
      case Capability::kCounters:
        add_capability(
            &needs, "PERFMON",
            fmt::format("{}: unless the driver of the node admits every user (RmProfilingAdminOnly: 0); "
                        "old drivers want SYS_ADMIN",
                        words_for(capability).name));
        break;
      case Capability::kAttach:
        add_capability(&needs, "SYS_PTRACE", "attach: to processes of other users, or with yama");
        needs.shared_processes = true;
        break;
      default:
        break;
    }
  }
  return needs;
}

std::string security_context(const Needs& needs) {
  std::string out;
  if (!needs.profile.empty()) {
    for (const std::string& reason : needs.profile) out += fmt::format("      # {}\n", reason);
    out += "      seccompProfile: {type: Localhost, localhostProfile: perf.json}\n";
  }
  if (!needs.capabilities.empty()) {
    out += "      capabilities:\n        add:\n";
    for (const auto& [name, reasons] : needs.capabilities)
      out += fmt::format("        - {}  # {}\n", name, reasons);
  }
  return out.empty() ? out : "    securityContext:\n" + out;
}

std::string outside_of_the_pod(const Needs& needs) {
  std::string out = "# Outside of the pod:\n";
  if (!needs.profile.empty())
    out +=
        "# - the node's administrator puts the profile there: sextant seccomp > "
        "/var/lib/kubelet/seccomp/perf.json\n";
  if (!needs.capabilities.empty())
    out +=
        "# - the namespace must admit Pod Security level privileged: baseline refuses these capabilities\n";
  for (const std::string& line : needs.node) out += fmt::format("# - {}\n", line);
  return out + "# - pods that run already do not change: they must be made anew\n";
}

}  // namespace

std::string as_pod_fields(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options) {
  const Needs needs = needs_of(seen, diagnosis, options);
  std::string out = fmt::format("# Fields of a pod for {}; each says why. Merge them into yours.\n",
                                options.goal == nullptr ? "everything" : options.goal->name);
  if (seen.place != kKubernetes)
    out += "# Asked outside of a pod: run it inside of one to leave out what is not needed there.\n";
  out += "spec:\n";
  out += "  # after SIGTERM a recording is completed in this time; then SIGKILL comes\n";
  out += "  terminationGracePeriodSeconds: 60\n";
  if (needs.shared_processes)
    out += "  # attach: from another container of the pod\n  shareProcessNamespace: true\n";
  out += "  containers:\n  - name: main\n" + security_context(needs);
  out += "    volumeMounts:\n    # reports outlive the container; the current folder would not\n";
  out += "    - {name: reports, mountPath: /reports}\n";
  out +=
      "  volumes:\n  # on disk; medium: Memory would count against the memory limit. It goes away with the "
      "pod:\n";
  out += "  # copy reports before, or use a persistentVolumeClaim\n";
  out += "  - {name: reports, emptyDir: {}}\n";
  return out + outside_of_the_pod(needs);
}

}  // namespace sextant::doctor
