// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/error_texts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace sextant::doctor {

namespace {

// what is special stands before what is general
constexpr std::array kTexts = {
    ErrorText{"third-party profiling module",
              "DCGM's profiling module cannot use the GPU's counters: something else holds them (nsys GPU "
              "metrics, ncu, a "
              "program that uses CUPTI's counters), or the card is one that DCGM does not profile",
              "sextant doctor --for gpu-metrics"},
    ErrorText{"nv_err_state_in_use",
              "The kernel driver refused a stream of counters because another one is open: mostly DCGM "
              "(nv-hostengine, "
              "dcgm-exporter) or a second profiler",
              "sextant doctor --for gpu-metrics"},
    ErrorText{"cupti_error_hardware_busy",
              "Another process holds the GPU's performance counters: mostly DCGM (nv-hostengine, "
              "dcgm-exporter) or a second "
              "profiler. Before Hopper there is one holder for the whole machine",
              "sextant doctor --for gpu-metrics"},
    ErrorText{"driver resource was unavailable",
              "ncu could not get the counters: another ncu or nsys, or DCGM (nv-hostengine, dcgm-exporter), "
              "holds them",
              "sextant doctor --for ncu"},
    ErrorText{"err_nvgpuctrperm",
              "The NVIDIA driver admits administrators only to GPU counters (RmProfilingAdminOnly: 1), and "
              "the program is "
              "none: in a container it lacks CAP_PERFMON or CAP_SYS_ADMIN. Under WSL the text means "
              "something else: the "
              "paravirtual driver has no sampler. Tracing without counters is not affected",
              "sextant doctor --for ncu"},
    ErrorText{"cupti_error_insufficient_privileges",
              "The same as ERR_NVGPUCTRPERM: the driver admits administrators only to GPU counters",
              "sextant doctor --for counters"},
    ErrorText{"permission to access nvidia gpu performance counters",
              "The same as ERR_NVGPUCTRPERM: the driver admits administrators only to GPU counters",
              "sextant doctor --for ncu"},
    ErrorText{"cupti_error_multiple_subscribers",
              "CUPTI has one subscriber a process, and there is one already: torch.profiler, TensorFlow's "
              "profiler, another "
              "tool. Run one of them at a time",
              "sextant doctor --for cuda"},
    ErrorText{
        "cupti|39",
        "CUPTI's error 39: it has one subscriber a process, and there is one already, such as torch.profiler",
        "sextant doctor --for cuda"},
    ErrorText{"cupti_error_virtualized_device_not_supported",
              "Counters are not available on this virtual GPU unless the hypervisor grants them",
              "sextant doctor --for counters"},
    ErrorText{"cupti_error_mig_device_not_supported", "What was asked for does not work on a MIG instance",
              "sextant doctor --for counters"},
    ErrorText{"no kernels were profiled",
              "ncu saw no kernel that passed its filters: the kernels ran in a child process "
              "(--target-processes all), under "
              "another name, or the program ended before",
              "sextant doctor --for ncu"},
    ErrorText{
        "perf_event_open|operation not permitted",
        "EPERM: a seccomp filter, mostly the container's default profile, refuses the system call. Changing "
        "kernel.perf_event_paranoid does not help against that",
        "sextant doctor --for sampling"},
    ErrorText{"perf_event_open|permission denied",
              "EACCES: the kernel's paranoid level (kernel.perf_event_paranoid) refuses it",
              "sextant doctor --for sampling"},
    ErrorText{"perf_event_paranoid",
              "CPU sampling is limited by kernel.perf_event_paranoid: 2 admits own processes, 1 their kernel "
              "part, 0 the "
              "whole machine; Debian's and Ubuntu's 3 and 4 admit nobody without CAP_SYS_ADMIN",
              "sextant doctor --for sampling"},
    ErrorText{"cpu ip/backtrace sampling not supported",
              "nsys may not sample here, and turned it off. With --sample=none give --cpuctxsw=none too: "
              "context switches "
              "need the same system call",
              "sextant doctor --for nsys-sampling"},
    ErrorText{"cpu context switch tracing not supported",
              "nsys may not trace context switches here. --sample=none alone leaves them on: --cpuctxsw=none "
              "belongs to it",
              "sextant doctor --for nsys-sampling"},
    ErrorText{"cpu profiling environment|fail",
              "nsys's check of perf_event_open: the paranoid level or a seccomp filter refuses it",
              "sextant doctor --for nsys-sampling"},
    ErrorText{
        "perf_event_open",
        "The system call behind CPU sampling failed: Operation not permitted (EPERM) means a seccomp filter, "
        "Permission denied (EACCES) the paranoid level",
        "sextant doctor --for sampling"},
    ErrorText{"ptrace|operation not permitted",
              "Attaching is refused: by yama (kernel.yama.ptrace_scope), or because the process belongs to "
              "another user, or "
              "by a seccomp filter",
              "sextant doctor --for attach"},
    ErrorText{"could not attach", "Attaching is refused, mostly by yama (kernel.yama.ptrace_scope)",
              "sextant doctor --for attach"},
    ErrorText{"nvml|driver/library version mismatch",
              "The NVIDIA driver's module is older than its libraries: the driver was updated, and not "
              "loaded anew. Restart "
              "the machine",
              "sextant doctor"},
    ErrorText{"couldn't communicate with the nvidia driver",
              "No NVIDIA driver is loaded, or this container has no GPU", "sextant doctor --for cuda"},
    ErrorText{"cuda driver version is insufficient",
              "The driver is older than the program's CUDA runtime, or there is no driver in this container",
              "sextant doctor --for cuda"},
    ErrorText{"cannot be preloaded",
              "The dynamic loader could not load a library that LD_PRELOAD names: another architecture or C "
              "library, or a path "
              "that this container does not have",
              "sextant doctor --for nvtx"},
    ErrorText{"wrong event order",
              "nsys's importer refuses a recording because of one event that is out of order",
              "nsys export of a newer version, then sextant info FILE.sqlite"},
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool matches(const std::string& text, std::string_view pattern) {
  while (!pattern.empty()) {
    const size_t end = std::min(pattern.find('|'), pattern.size());
    if (text.find(pattern.substr(0, end)) == std::string::npos) return false;
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return true;
}

}  // namespace

std::vector<const ErrorText*> explain(std::string_view text) {
  std::vector<const ErrorText*> found;
  const std::string words = lower(text);
  for (const ErrorText& known : kTexts) {
    const bool told = std::any_of(found.begin(), found.end(), [&](const ErrorText* other) {
      return other->check == known.check;  // one explanation for each thing to do
    });
    if (!told && matches(words, known.pattern)) found.push_back(&known);
  }
  return found;
}

}  // namespace sextant::doctor
