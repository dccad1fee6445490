// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GPU counters: metrics over time (nsys --gpu-metrics-devices) and counters of kernels (ncu). Decided from
// what the driver says; the counters themselves are not touched, since that disturbs whoever uses them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "doctor/checks/all.h"
#include "doctor/holders.h"

namespace sextant::doctor {

namespace {

constexpr std::string_view kNodeAdmin = "the administrator of the machine that the driver runs on";

constexpr Remedy kRemedies[] = {
    {"run-as-root", kHost | kEnroot, "Run the counter tool as root",
     "sudo ncu ...    # or sudo nsys profile ...", "the program runs as root, too",
     "the machine's administrator", ""},
    {"gpu-cap-perfmon", kDocker | kPodman | kOtherContainer, "Add CAP_PERFMON, which the driver accepts",
     "--cap-add=PERFMON",
     "programs that run as root in the container see GPU counters and the samples of every process of the "
     "machine",
     "whoever starts the container", ""},
    {"gpu-cap-perfmon-pod", kKubernetes, "Add CAP_PERFMON, which the driver accepts", "",
     "programs that run as root in the container see GPU counters and the samples of every process of the "
     "node",
     "the pod's owner; the namespace must admit Pod Security level privileged",
     "capabilities: {add: [PERFMON]}"},
    {"gpu-cap-sys-admin", kDocker | kPodman | kOtherContainer, "Add CAP_SYS_ADMIN, which old drivers want",
     "--cap-add=SYS_ADMIN", "nearly all that root may do on the machine", "whoever starts the container", ""},
    {"gpu-cap-sys-admin-pod", kKubernetes, "Add CAP_SYS_ADMIN, which old drivers want", "",
     "nearly all that root may do on the node",
     "the pod's owner; the namespace must admit Pod Security level privileged",
     "capabilities: {add: [SYS_ADMIN]}"},
    {"driver-parameter", kAnywhere,
     "Open the counters to every user, on the machine that the driver runs on (not in the container)",
     "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' > /etc/modprobe.d/nvidia-profiling.conf\n"
     "update-initramfs -u    # dracut -f on Red Hat's systems\nreboot",
     "what other users' kernels do can be guessed from counters, for every user of the machine", kNodeAdmin,
     ""},
    {"ask-provider", kContainers,
     "In a rented container ask the provider for one of these: it cannot be had from inside", "", "nothing",
     "the provider", ""},
    {"vgpu-grant", kAnywhere, "Grant profiling to this vGPU, on the hypervisor",
     "enable_profiling=1    # vGPU plug-in parameter, with the virtual machine off",
     "counters of a shared GPU, to this virtual machine", "the hypervisor's administrator", ""},
    {"windows-counters", kHost | kContainers,
     "In Windows: NVIDIA Control Panel, Developer, Manage GPU Performance Counters, allow all users", "",
     "GPU counters to every user of the PC", "the PC's administrator", ""},
};

// CUPTI's results
constexpr int kCuptiOk = 0, kCuptiBusy = 26, kCuptiVirtual = 33, kCuptiPrivileges = 35,
              kCuptiVirtualPrivileges = 40;

Generation oldest(const Surroundings& seen) {
  Generation found = Generation::kLater;
  for (const Gpu& gpu : seen.gpus)
    if (gpu.generation != Generation::kUnknown) found = std::min(found, gpu.generation);
  return found;
}

bool any_vgpu(const Surroundings& seen) {
  for (const Gpu& gpu : seen.gpus)
    if (gpu.virtualization == Virtualization::kVgpu) return true;
  return false;
}

bool driver_admits(const Surroundings& seen) {
  return seen.admin_only == 0 || seen.rights.has(kCapSysAdmin) || seen.rights.has(kCapPerfmon);
}

Verdict denied_by_driver(const Surroundings& seen, Capability capability) {
  std::string evidence =
      seen.admin_only
          ? "the driver admits administrators only (RmProfilingAdminOnly: 1 in /proc/driver/nvidia/params)"
          : "the driver does not show RmProfilingAdminOnly; its default is administrators only";
  evidence += seen.rights.first_user_namespace
                  ? ", and this process has neither CAP_SYS_ADMIN nor CAP_PERFMON"
                  : ", and capabilities in a user namespace of its own do not count";
  Verdict verdict = deny(capability, Denier::kDriver, std::move(evidence));
  offer(&verdict, seen, kRemedies,
        {"run-as-root", "gpu-cap-perfmon", "gpu-cap-perfmon-pod", "gpu-cap-sys-admin",
         "gpu-cap-sys-admin-pod", "driver-parameter", "ask-provider"});
  verdict.notes.emplace_back("neither seccomp nor kernel.perf_event_paranoid matters for GPU counters");
  return verdict;
}

void note_sharing(const Surroundings& seen, Verdict* verdict) {
  bool mig = false;
  size_t most = 0;
  for (const Gpu& gpu : seen.gpus) {
    mig = mig || gpu.mig;
    most = std::max(most, gpu.processes.size());
  }
  if (mig)
    verdict->notes.emplace_back(
        "MIG: counters of units that instances share are missing, and a clock lock hits all instances: ncu "
        "--clock-control=none");
  if (seen.mps) verdict->notes.emplace_back("MPS: one client at a time can be profiled with counters");
  if (!mig && !seen.mps && most > 1)
    verdict->notes.emplace_back(
        "several processes share a GPU in time slices: what is counted over time is the whole device's");
}

/// What --probe found; nullopt where it was not asked for or told nothing.
std::optional<Verdict> judge_by_trial(const Surroundings& seen, Capability capability) {
  if (!seen.counters_tried || !seen.counters_problem.empty() || seen.counters_results.empty())
    return std::nullopt;
  const auto& results = seen.counters_results;
  const int worst = *std::max_element(results.begin(), results.end());
  if (worst == kCuptiOk) return allow(capability, "the counters of every GPU were opened and closed");
  const std::string tried = fmt::format("opening the counters gives CUPTI's error {}", worst);
  if (worst == kCuptiPrivileges) {
    Verdict verdict = denied_by_driver(seen, capability);
    verdict.evidence = fmt::format("{}; {}", tried, verdict.evidence);
    return verdict;
  }
  if (worst == kCuptiBusy) {
    Verdict verdict =
        deny(capability, Denier::kHolder, tried + ", hardware busy: another process holds them");
    if (find_holders(seen).empty())
      verdict.notes.emplace_back(
          "the holder cannot be seen from here: DCGM outside of this container, or a process of another "
          "user");
    return verdict;
  }
  if (worst == kCuptiVirtual || worst == kCuptiVirtualPrivileges) {
    Verdict verdict = deny(capability, Denier::kVgpu, tried + ": a virtual GPU without the grant");
    offer(&verdict, seen, kRemedies, {"vgpu-grant"});
    return verdict;
  }
  return std::nullopt;
}

Verdict judge(const Surroundings& seen, Capability capability) {
  const bool over_time = capability == Capability::kGpuMetrics;
  if (!seen.driver) return not_here(capability, "no NVIDIA driver is to be seen");
  if (seen.wsl && over_time)
    return not_here(
        capability,
        "WSL: the paravirtual driver has no sampler, whatever a tool's message about rights says");
  if (seen.wsl) {
    Verdict verdict = allow(capability, "WSL: Windows decides, which cannot be seen from here");
    offer(&verdict, seen, kRemedies, {"windows-counters"});
    return verdict;
  }
  const Generation generation = oldest(seen);
  if (generation < (over_time ? Generation::kTuring : Generation::kVolta))
    return not_here(capability, fmt::format("{} GPUs are too old: it needs {} or later",
                                            generation_name(generation), over_time ? "Turing" : "Volta"));
  if (auto tried = judge_by_trial(seen, capability)) return *tried;
  if (!driver_admits(seen)) return denied_by_driver(seen, capability);
  if (any_vgpu(seen)) {
    Verdict verdict =
        deny(capability, Denier::kVgpu,
             "a vGPU has its counters only where the hypervisor grants them, which is off by default");
    offer(&verdict, seen, kRemedies, {"vgpu-grant"});
    return verdict;
  }
  const std::vector<Holder> holders = find_holders(seen);
  for (const Holder& holder : holders)
    if (holder.conflicts)
      return deny(
          capability, Denier::kHolder,
          fmt::format("{} holds the counters ({}); see who else is here", holder.name, holder.how_sure));
  Verdict verdict =
      allow(capability, seen.admin_only == 0 ? "the driver admits every user (RmProfilingAdminOnly: 0)"
                                             : "the driver admits this process by its capabilities");
  for (const Holder& holder : holders)
    verdict.notes.push_back(fmt::format("{} runs: {}", holder.name, holder.rule));
  note_sharing(seen, &verdict);
  return verdict;
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  for (const Capability capability : {Capability::kGpuMetrics, Capability::kCounters})
    diagnosis->verdicts.push_back(judge(seen, capability));
  if (seen.counters_tried) {
    std::string told = seen.counters_problem;
    for (const int result : seen.counters_results)
      told += fmt::format("{}{}", told.empty() ? "" : ", ", result);
    diagnosis->facts.push_back({"gpus", "--probe, CUPTI's results", told.empty() ? "none" : told});
  }
  if (seen.driver && !seen.wsl)
    diagnosis->facts.push_back({"gpus", "RmProfilingAdminOnly",
                                seen.admin_only ? std::to_string(*seen.admin_only) : "not to be seen"});
}

}  // namespace

const Check kCountersCheck = {
    "counters",
    "/proc/driver/nvidia/params (RmProfilingAdminOnly); CAP_SYS_ADMIN, CAP_PERFMON, the user namespace; the "
    "GPUs' "
    "generation, MIG, vGPU by NVML; holders of the counters; with --probe the counters themselves, opened "
    "and closed by CUPTI",
    "Administrators only, and none here: the driver. A vGPU: the hypervisor. A holder that conflicts: that "
    "process. WSL has "
    "no metrics over time at all. Metrics over time need Turing, counters of kernels Volta",
    kRemedies, run};

}  // namespace sextant::doctor
