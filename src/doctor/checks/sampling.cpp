// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// CPU sampling, context switches and kernel stacks: perf_event_open, tried for real.
#include <fmt/format.h>

#include <cerrno>

#include "doctor/checks/all.h"

namespace sextant::doctor {

namespace {

constexpr std::string_view kWhoStarts = "whoever starts the container";
constexpr std::string_view kMachineAdmin = "the machine's administrator";

constexpr Remedy kRemedies[] = {
    {"seccomp-profile", kDocker | kPodman | kOtherContainer,
     "Start the container with the runtime's own seccomp profile plus perf_event_open",
     "sextant seccomp > perf.json    # where the container is started\n--security-opt seccomp=perf.json",
     "one more system call for the programs in this container; the kernel's paranoid level still applies",
     kWhoStarts, ""},
    {"seccomp-profile-pod", kKubernetes,
     "Give the container the runtime's own seccomp profile plus perf_event_open",
     "sextant seccomp > /var/lib/kubelet/seccomp/perf.json    # on the node",
     "one more system call for the programs in this container; the kernel's paranoid level still applies",
     "the node's administrator, for the file; Pod Security admits it at every level",
     "seccompProfile: {type: Localhost, localhostProfile: perf.json}"},
    {"cap-perfmon", kDocker | kPodman | kOtherContainer,
     "Add CAP_PERFMON; newer default profiles of Docker and podman let it through, older ones want "
     "CAP_SYS_ADMIN",
     "--cap-add=PERFMON",
     "programs that run as root in the container see the samples of every process of the machine, and GPU "
     "counters",
     kWhoStarts, ""},
    {"cap-perfmon-pod", kKubernetes,
     "Add CAP_PERFMON; newer default profiles of containerd and CRI-O let it through, older ones want "
     "CAP_SYS_ADMIN",
     "",
     "programs that run as root in the container see the samples of every process of the node, and GPU "
     "counters",
     "the pod's owner; the namespace must admit Pod Security level privileged",
     "capabilities: {add: [PERFMON]}"},
    {"seccomp-profile-perfmon", kDocker | kPodman | kOtherContainer,
     "Start the container with that profile and CAP_PERFMON",
     "sextant seccomp > perf.json    # where the container is started\n"
     "--security-opt seccomp=perf.json --cap-add=PERFMON",
     "programs that run as root in the container see the samples of every process of the machine", kWhoStarts,
     ""},
    {"sysctl-2", kAnywhere, "Let every user sample own processes, without the kernel's part",
     "sysctl -w kernel.perf_event_paranoid=2", "the same for every user of the machine", kMachineAdmin, ""},
    {"sysctl-1", kAnywhere, "Let every user sample own processes with the kernel's part of stacks",
     "sysctl -w kernel.perf_event_paranoid=1", "kernel addresses and timing to every user of the machine",
     kMachineAdmin, ""},
    {"sysctl-0", kAnywhere, "Let every user sample the whole machine",
     "sysctl -w kernel.perf_event_paranoid=0", "what every process does, to every user of the machine",
     kMachineAdmin, ""},
    {"root", kHost | kEnroot, "Run the profiler as root",
     "sudo sextant profile ...    # or sudo nsys profile ...", "the program runs as root, too", kMachineAdmin,
     ""},
    {"profile-and-level", kDocker | kPodman | kOtherContainer,
     "Start the container with that profile, and lower the level on the machine",
     "sysctl -w kernel.perf_event_paranoid=2    # on the machine\n"
     "sextant seccomp > perf.json    # where the container is started\n--security-opt seccomp=perf.json",
     "every user of the machine may sample own processes",
     "the machine's administrator, and whoever starts the container", ""},
    {"profile-and-level-pod", kKubernetes, "Give the container that profile, and lower the level on the node",
     "sysctl -w kernel.perf_event_paranoid=2    # on the node\n"
     "sextant seccomp > /var/lib/kubelet/seccomp/perf.json    # on the node",
     "every user of the node may sample own processes",
     "the node's administrator; Pod Security admits it at every level",
     "seccompProfile: {type: Localhost, localhostProfile: perf.json}"},
    {"cap-sys-admin", kDocker | kPodman | kOtherContainer,
     "Add CAP_SYS_ADMIN: it passes seccomp, driver and every paranoid level", "--cap-add=SYS_ADMIN",
     "nearly all that root may do on the machine", kWhoStarts, ""},
    {"cap-sys-admin-pod", kKubernetes,
     "Add CAP_SYS_ADMIN: it passes seccomp, driver and every paranoid level", "",
     "nearly all that root may do on the node",
     "the pod's owner; the namespace must admit Pod Security level privileged",
     "capabilities: {add: [SYS_ADMIN]}"},
    {"outside", kAnywhere, "Run the profiler outside of the user namespace", "", "nothing",
     "whoever set the namespace up", ""},
};

struct Use {
  Capability capability;
  PerfUse perf;
  int level;  // the highest paranoid level that permits it
  std::string_view sysctl;
};
constexpr Use kUses[] = {
    {Capability::kSampling, PerfUse::kOwn, 2, "sysctl-2"},
    {Capability::kSwitches, PerfUse::kSwitches, 2, "sysctl-2"},
    {Capability::kKernelStacks, PerfUse::kOwnWithKernel, 1, "sysctl-1"},
    {Capability::kSystemWide, PerfUse::kSystemWide, 0, "sysctl-0"},
};

bool privileged(const Surroundings& seen) {
  return seen.rights.has(kCapSysAdmin) || (seen.rights.has(kCapPerfmon) && !seen.rights.patched_paranoid());
}

Verdict denied_by_seccomp(const Surroundings& seen, const Use& use, int error) {
  Verdict verdict = deny(
      use.capability, Denier::kSeccomp,
      fmt::format("perf_event_open gives {}, as seccomp filters do, and this process has one (Seccomp: 2)",
                  errno_word(error)));
  const bool level_denies = seen.rights.paranoid.value_or(0) > use.level && !privileged(seen);
  if (level_denies)
    verdict.notes.push_back(fmt::format(
        "behind the filter, kernel.perf_event_paranoid={} would deny it, too{}",
        seen.rights.paranoid.value_or(0),
        seen.rights.patched_paranoid() ? ", and at levels 3 and 4 CAP_PERFMON does not help" : ""));
  if (!level_denies) offer(&verdict, seen, kRemedies, {"seccomp-profile", "seccomp-profile-pod"});
  if (level_denies && !seen.rights.patched_paranoid())
    offer(&verdict, seen, kRemedies, {"seccomp-profile-perfmon"});
  // who has it already sees that this profile does not let it through
  if (!seen.rights.has(kCapPerfmon) && !seen.rights.patched_paranoid())
    offer(&verdict, seen, kRemedies, {"cap-perfmon", "cap-perfmon-pod"});
  if (level_denies && seen.rights.patched_paranoid() && use.level == 2)
    offer(&verdict, seen, kRemedies, {"profile-and-level", "profile-and-level-pod"});
  offer(&verdict, seen, kRemedies, {"cap-sys-admin", "cap-sys-admin-pod"});
  if (verdict.remedies.empty())
    verdict.notes.emplace_back("the filter was set by what started this process: ask there");
  return verdict;
}

Verdict denied_by_level(const Surroundings& seen, const Use& use, int error) {
  const Rights& rights = seen.rights;
  const bool patched = rights.patched_paranoid();
  Verdict verdict =
      deny(use.capability, patched ? Denier::kPatchedParanoid : Denier::kParanoid,
           fmt::format("perf_event_open gives {}, and kernel.perf_event_paranoid={}{}", errno_word(error),
                       rights.paranoid.value_or(0),
                       patched ? ", a level of Debian's and Ubuntu's kernels that only CAP_SYS_ADMIN passes"
                               : fmt::format(" (needs {}, or CAP_PERFMON)", use.level)));
  if (!rights.first_user_namespace) {
    verdict.denier = Denier::kUserNamespace;
    verdict.evidence += "; capabilities in a user namespace of its own do not count";
    offer(&verdict, seen, kRemedies, {"outside"});
  } else if (!patched) {
    offer(&verdict, seen, kRemedies, {"cap-perfmon", "cap-perfmon-pod"});
  }
  offer(&verdict, seen, kRemedies, {use.sysctl});
  if (rights.first_user_namespace)
    offer(&verdict, seen, kRemedies, {"root", "cap-sys-admin", "cap-sys-admin-pod"});
  return verdict;
}

Verdict judge(const Surroundings& seen, const Use& use) {
  const Rights& rights = seen.rights;
  const int error = seen.environment.try_perf(use.perf);
  if (error == 0) return allow(use.capability, "perf_event_open was tried and works");
  if (error == ENOSYS && !rights.paranoid)
    return not_here(use.capability, "this kernel was built without perf_event_open (ENOSYS)");
  if (error == ENOENT || error == EOPNOTSUPP)
    return not_here(use.capability,
                    fmt::format("perf_event_open knows no such event ({})", errno_word(error)));
  if ((error == EPERM || error == ENOSYS) && rights.seccomp == 2) return denied_by_seccomp(seen, use, error);
  const bool level_denies = rights.paranoid.value_or(-1) > use.level && !privileged(seen);
  if (error == EACCES && level_denies) return denied_by_level(seen, use, error);
  if (error == EPERM || error == EACCES || error == ENOSYS) {
    Verdict verdict = deny(
        use.capability, Denier::kSecurityModule,
        fmt::format(
            "perf_event_open gives {}, but neither a seccomp filter nor the paranoid level is the reason",
            errno_word(error)));
    verdict.notes.emplace_back(
        "a security module (SELinux, AppArmor, lockdown) or a sandbox such as gVisor: its log names the "
        "rule");
    return verdict;
  }
  return deny(use.capability, Denier::kKernel,
              fmt::format("perf_event_open gives {}, which is no question of rights", errno_word(error)));
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  bool any = false;
  for (const Use& use : kUses) {
    diagnosis->verdicts.push_back(judge(seen, use));
    any = any || diagnosis->verdicts.back().state != State::kDenied;
  }
  const Rights& rights = seen.rights;
  diagnosis->facts.push_back({"rights", "kernel.perf_event_paranoid",
                              rights.paranoid ? std::to_string(*rights.paranoid) : "not there"});
  if (!any || !rights.paranoid) return;
  const int hardware = seen.environment.try_perf(PerfUse::kHardwareCounter);
  if (hardware != ENOENT && hardware != EOPNOTSUPP) return;
  diagnosis->facts.push_back({"rights", "processor counters",
                              "none (no PMU, as in most virtual machines): samples are taken by time"});
}

}  // namespace

const Check kSamplingCheck = {
    "sampling",
    "perf_event_open, opened and closed: own process, with the kernel's part, context switches, whole "
    "machine; "
    "/proc/sys/kernel/perf_event_paranoid; /proc/self/status (CapEff, Seccomp); /proc/self/uid_map",
    "EPERM with a seccomp filter: the filter. EACCES with a level above 2 (own processes), 1 (kernel stacks) "
    "or "
    "0 (whole machine): the paranoid level, or the user namespace in which capabilities do not count. "
    "Neither: "
    "a security module",
    kRemedies, run};

}  // namespace sextant::doctor
