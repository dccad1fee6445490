// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/goal.h"

#include <algorithm>
#include <array>

namespace sextant::doctor {

namespace {

constexpr uint32_t bit(Capability capability) {
  return 1u << static_cast<unsigned>(capability);
}

constexpr std::string_view kNcuAdvice =
    "Do not run ncu on a machine that others use: it locks clocks, empties caches and runs kernels one by "
    "one, which "
    "hits everything on that GPU without an error. What its errors mean: ERR_NVGPUCTRPERM is the driver's "
    "refusal, "
    "'driver resource was unavailable' and CUPTI_ERROR_HARDWARE_BUSY are another holder's; `sextant "
    "explain-error TEXT` "
    "tells more.";
constexpr std::string_view kMetricsAdvice =
    "Metrics over time are of the whole device: other users of a shared GPU are in them. "
    "CUPTI_ERROR_HARDWARE_BUSY means "
    "another holder of the counters, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES the driver's refusal.";

using enum Capability;
constexpr std::array kGoals = {
    Goal{"nvtx", "NVTX ranges with Sextant", bit(kNvtx), false, ""},
    Goal{"osrt", "OS runtime calls with Sextant", bit(kOsrt), false, ""},
    Goal{"opencl", "OpenCL with Sextant", bit(kOpencl), false, ""},
    Goal{"cuda", "CUDA trace with Sextant", bit(kCuda), false, ""},
    Goal{"sampling", "CPU samples and context switches of own processes with Sextant",
         bit(kSampling) | bit(kSwitches), false, ""},
    Goal{"system-wide", "CPU samples of the whole machine with Sextant", bit(kSystemWide), false, ""},
    Goal{"context-switches", "context switches with Sextant", bit(kSwitches), false, ""},
    Goal{"kernel-stacks", "CPU samples with the kernel's part with Sextant",
         bit(kSampling) | bit(kKernelStacks), false, ""},
    Goal{"gpu-metrics", "GPU metrics over time with Sextant", bit(kGpuMetrics), false, kMetricsAdvice},
    Goal{"counters", "counters of kernels with Sextant", bit(kCounters), false, kNcuAdvice},
    Goal{"attach", "attaching to a running process with Sextant", bit(kAttach), false, ""},
    Goal{"symbols", "names for addresses with Sextant", bit(kSymbols), false, ""},
    Goal{"nsys-trace", "nsys profile -t cuda,nvtx,osrt --sample=none --cpuctxsw=none", bit(kCuda), true, ""},
    Goal{"nsys-sampling", "nsys profile with CPU sampling and context switches",
         bit(kSampling) | bit(kSwitches), true, ""},
    Goal{"nsys-gpu-metrics", "nsys profile --gpu-metrics-devices", bit(kGpuMetrics), true, kMetricsAdvice},
    Goal{"ncu", "counters of kernels with ncu", bit(kCounters), true, kNcuAdvice},
};

}  // namespace

std::span<const Goal> goals() {
  return kGoals;
}

const Goal* find_goal(std::string_view name) {
  for (const Goal& goal : kGoals)
    if (goal.name == name) return &goal;
  return nullptr;
}

Outcome outcome_of(const Diagnosis& diagnosis, const Goal& goal) {
  Outcome outcome = Outcome::kMet;
  for (const Verdict& verdict : diagnosis.verdicts) {
    if (!holds(goal.capabilities, verdict.capability)) continue;
    if (verdict.state == State::kDenied || verdict.state == State::kNotHere) return Outcome::kNotMet;
    if (verdict.state == State::kNotRecorded && !goal.other_tool) outcome = Outcome::kNotRecorded;
  }
  return outcome;
}

}  // namespace sextant::doctor
