// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Attaching to a running process: ptrace and process_vm_readv, tried between two children of ours.
#include <fmt/format.h>

#include <cerrno>

#include "doctor/checks/all.h"

namespace sextant::doctor {

namespace {

constexpr Remedy kRemedies[] = {
    {"start-with", kAnywhere, "Start the program with the profiler instead of attaching to it",
     "sextant profile PROGRAM", "nothing", "you", ""},
    {"same-user", kAnywhere,
     "Let the program itself admit it: prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY) before", "",
     "other processes of the same user may read and change the program", "the program's author", ""},
    {"cap-sys-ptrace", kDocker | kPodman | kOtherContainer, "Add CAP_SYS_PTRACE", "--cap-add=SYS_PTRACE",
     "programs that run as root in the container may read and change every process that they see",
     "whoever starts the container", ""},
    {"cap-sys-ptrace-pod", kKubernetes,
     "Add CAP_SYS_PTRACE; from another container of the pod also shareProcessNamespace: true", "",
     "programs that run as root in the container may read and change every process that they see",
     "the pod's owner; the namespace must admit Pod Security level privileged",
     "capabilities: {add: [SYS_PTRACE]}"},
    {"yama-0", kAnywhere, "Let processes attach to others of the same user",
     "sysctl -w kernel.yama.ptrace_scope=0",
     "a taken-over program can read the memory of every other one of its user", "the machine's administrator",
     ""},
    {"root-attach", kHost | kEnroot, "Attach as root", "sudo ...", "nothing more than root has",
     "the machine's administrator", ""},
};

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  const Rights& rights = seen.rights;
  const int trace = seen.environment.try_attach(AttachUse::kPtrace);
  const int memory = seen.environment.try_attach(AttachUse::kReadMemory);
  diagnosis->facts.push_back(
      {"rights", "kernel.yama.ptrace_scope", rights.yama ? std::to_string(*rights.yama) : "not there"});
  if (trace == 0 && memory == 0) {
    Verdict verdict =
        allow(Capability::kAttach, "ptrace and process_vm_readv were tried between two children");
    verdict.notes.emplace_back("processes of other users need CAP_SYS_PTRACE");
    diagnosis->verdicts.push_back(std::move(verdict));
    return;
  }
  const std::string tried =
      fmt::format("ptrace gives {}, process_vm_readv {}", trace == 0 ? "no error" : errno_word(trace),
                  memory == 0 ? "no error" : errno_word(memory));
  const int scope = rights.yama.value_or(0);
  const bool yama = scope == 3 || (scope > 0 && !rights.has(kCapSysPtrace));
  if (yama) {
    Verdict verdict = deny(Capability::kAttach, Denier::kYama,
                           fmt::format("{}, and kernel.yama.ptrace_scope={}{}", tried, scope,
                                       scope == 1   ? ": only a parent may attach"
                                       : scope == 2 ? ": only CAP_SYS_PTRACE may attach"
                                                    : ": nobody may, until the next start of the machine"));
    offer(&verdict, seen, kRemedies, {"start-with"});
    if (scope == 1) offer(&verdict, seen, kRemedies, {"same-user"});
    if (scope < 3)
      offer(&verdict, seen, kRemedies, {"cap-sys-ptrace", "cap-sys-ptrace-pod", "yama-0", "root-attach"});
    diagnosis->verdicts.push_back(std::move(verdict));
    return;
  }
  const bool seccomp = rights.seccomp == 2;
  Verdict verdict = deny(Capability::kAttach, seccomp ? Denier::kSeccomp : Denier::kSecurityModule,
                         seccomp ? tried + ", and this process has a seccomp filter"
                                 : tried + ", but neither yama nor a seccomp filter is the reason");
  offer(&verdict, seen, kRemedies, {"start-with", "cap-sys-ptrace", "cap-sys-ptrace-pod"});
  diagnosis->verdicts.push_back(std::move(verdict));
}

}  // namespace

const Check kAttachCheck = {
    "attach",
    "ptrace(PTRACE_SEIZE) and process_vm_readv, tried by one child of ours on another; "
    "/proc/sys/kernel/yama/ptrace_scope; CAP_SYS_PTRACE",
    "Refused with a ptrace_scope that forbids it: yama. Refused otherwise with a seccomp filter: the filter. "
    "Else a "
    "security module",
    kRemedies, run};

}  // namespace sextant::doctor
