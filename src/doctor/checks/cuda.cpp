// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA trace: a driver, device files that can be opened, a libcupti that is new enough. No right is needed.
#include <fmt/format.h>

#include "doctor/checks/all.h"
#include "doctor/libraries.h"

namespace sextant::doctor {

namespace {

constexpr int kOldestCupti = 11;           // older ones lay their records out differently
constexpr int kOldestCuptiBlackwell = 12;  // what knows that generation

constexpr Remedy kRemedies[] = {
    {"cupti", kAnywhere, "Install CUPTI of the CUDA release that the driver can run, or an older one",
     "pip install nvidia-cuda-cupti-cu12", "nothing", "you", ""},
    {"gpus", kDocker | kPodman | kOtherContainer, "Give the container the GPUs, with the profiling libraries",
     "--gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility", "nothing", "whoever starts the container",
     ""},
    {"gpus-pod", kKubernetes, "Ask for a GPU in the container", "", "nothing", "the pod's owner",
     "# beside securityContext\nresources: {limits: {nvidia.com/gpu: 1}}"},
    {"device-rights", kHost | kEnroot, "Become a member of the group that owns /dev/nvidia*",
     "ls -l /dev/nvidia*", "nothing", "the machine's administrator", ""},
};

/// "" where the driver's device files can be opened.
std::string device_problem(const Surroundings& seen) {
  if (seen.wsl) return seen.environment.may("/dev/dxg", Access::kWrite) ? "" : "/dev/dxg cannot be opened";
  bool any = false;
  for (const std::string& name : seen.environment.list("/dev"))
    if (name.starts_with("nvidia") && name.size() > 6 && name[6] >= '0' && name[6] <= '9')
      any = any || seen.environment.may("/dev/" + name, Access::kWrite);
  if (!any) return "no /dev/nvidia0, /dev/nvidia1, ... that can be opened";
  for (const char* path : {"/dev/nvidiactl", "/dev/nvidia-uvm"})
    if (!seen.environment.may(path, Access::kWrite)) return std::string(path) + " cannot be opened";
  return "";
}

void note_sharing(const Surroundings& seen, Verdict* verdict) {
  bool mig = false, vgpu = false;
  for (const Gpu& gpu : seen.gpus) {
    mig = mig || gpu.mig;
    vgpu = vgpu || gpu.virtualization == Virtualization::kVgpu;
  }
  if (mig || vgpu || seen.mps)
    verdict->notes.push_back(fmt::format(
        "under {} there is no hardware trace: tools use the software one, which costs more", mig    ? "MIG"
                                                                                             : vgpu ? "vGPU"
                                                                                                    : "MPS"));
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  if (!seen.driver) {
    Verdict verdict =
        not_here(Capability::kCuda, seen.in_container() ? "no NVIDIA driver is to be seen in this container"
                                                        : "no NVIDIA driver is loaded");
    const bool card = seen.environment.exists("/dev/nvidiactl");
    if (card) verdict.evidence += ", though /dev/nvidiactl is there";
    diagnosis->verdicts.push_back(std::move(verdict));
    return;
  }
  if (const std::string problem = device_problem(seen); !problem.empty()) {
    Verdict verdict = deny(Capability::kCuda, Denier::kDevice, problem);
    offer(&verdict, seen, kRemedies, {"gpus", "gpus-pod", "device-rights"});
    diagnosis->verdicts.push_back(std::move(verdict));
    return;
  }
  bool blackwell = false;
  for (const Gpu& gpu : seen.gpus) blackwell = blackwell || gpu.generation >= Generation::kBlackwell;
  int newest = 0;
  for (const std::string& path : find_libraries(seen.environment, "libcupti.so"))
    newest = std::max(newest, cuda_release(library_version(seen.environment, path)));
  Verdict verdict =
      allow(Capability::kCuda, fmt::format("driver {}; tracing needs no right",
                                           seen.driver_version.empty() ? "there" : seen.driver_version));
  if (newest == 0) {
    verdict.notes.emplace_back(
        "no libcupti outside of Python packages: nsys and PyTorch bring their own, other tools need one");
    offer(&verdict, seen, kRemedies, {"cupti"});
  } else if (newest < (blackwell ? kOldestCuptiBlackwell : kOldestCupti)) {
    verdict.notes.push_back(fmt::format("the newest libcupti is of CUDA {}, too old{}", newest,
                                        blackwell ? " for this GPU" : ""));
    offer(&verdict, seen, kRemedies, {"cupti"});
  }
  note_sharing(seen, &verdict);
  diagnosis->verdicts.push_back(std::move(verdict));
}

}  // namespace

const Check kCudaCheck = {
    "cuda",
    "/proc/driver/nvidia/version; access to /dev/nvidia*, or /dev/dxg under WSL; copies of libcupti.so; MIG, "
    "MPS and vGPU by NVML",
    "Allowed with a driver and device files that can be opened: tracing needs neither capability nor driver "
    "parameter. Says where libcupti is missing or too old, and where only the software trace works",
    kRemedies, run};

}  // namespace sextant::doctor
