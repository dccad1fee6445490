// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace sextant::doctor {

const CapabilityWords& words_for(Capability capability) {
  static constexpr std::array<CapabilityWords, kCapabilities> kWords = {{
      {"nvtx", "NVTX ranges", true},
      {"osrt", "OS runtime calls", true},
      {"opencl", "OpenCL", true},
      {"cuda", "CUDA trace", false},
      {"sampling", "CPU sampling, own processes", false},
      {"system-wide", "CPU sampling, whole machine", false},
      {"context-switches", "context switches", false},
      {"kernel-stacks", "kernel part of stacks", false},
      {"gpu-metrics", "GPU metrics over time", false},
      {"counters", "counters of kernels", false},
      {"attach", "attach to a process", false},
      {"symbols", "debug symbols", false},
  }};
  return kWords[static_cast<size_t>(capability)];
}

std::string_view state_word(State state) {
  constexpr std::array<std::string_view, 4> kWords = {"allowed", "not-recorded", "denied", "not-here"};
  return kWords[static_cast<size_t>(state)];
}

std::string_view denier_word(Denier denier) {
  constexpr std::array<std::string_view, 13> kWords = {
      "nobody", "paranoid", "patched-paranoid", "seccomp", "user-namespace", "security-module",
      "yama",   "kernel",   "driver",           "holder",  "vgpu",           "device",
      "files"};
  return kWords[static_cast<size_t>(denier)];
}

namespace {

/// A container's added capabilities are lost for programs that do not run as root.
void note_lost_capabilities(const Surroundings& seen, Verdict* verdict) {
  if (seen.rights.user == 0 || !seen.in_container()) return;
  for (const Remedy* remedy : verdict->remedies)
    if (remedy->command.find("--cap-add") != std::string_view::npos ||
        remedy->pod.starts_with("capabilities")) {
      verdict->notes.push_back(
          fmt::format("this process is user {}: an added capability reaches programs that run as root in the "
                      "container, or a file with that capability",
                      seen.rights.user));
      return;
    }
}

}  // namespace

Diagnosis diagnose(const Surroundings& seen) {
  Diagnosis diagnosis;
  for (const Check& check : checks()) check.run(seen, &diagnosis);
  for (Verdict& verdict : diagnosis.verdicts) note_lost_capabilities(seen, &verdict);
  std::stable_sort(diagnosis.verdicts.begin(), diagnosis.verdicts.end(),
                   [](const Verdict& a, const Verdict& b) { return a.capability < b.capability; });
  return diagnosis;
}

const Verdict& verdict_of(const Diagnosis& diagnosis, Capability capability) {
  for (const Verdict& verdict : diagnosis.verdicts)
    if (verdict.capability == capability) return verdict;
  static const Verdict kNone;
  return kNone;
}

Verdict allow(Capability capability, std::string evidence) {
  const State state = words_for(capability).recorded ? State::kAllowed : State::kNotRecorded;
  return {capability, state, Denier::kNobody, std::move(evidence), {}, {}};
}

Verdict deny(Capability capability, Denier denier, std::string evidence) {
  return {capability, State::kDenied, denier, std::move(evidence), {}, {}};
}

Verdict not_here(Capability capability, std::string evidence) {
  return {capability, State::kNotHere, Denier::kNobody, std::move(evidence), {}, {}};
}

void offer(Verdict* verdict, const Surroundings& seen, std::span<const Remedy> remedies,
           std::initializer_list<std::string_view> ids) {
  for (const Remedy& remedy : remedies)
    if ((remedy.places & seen.place) != 0 && std::find(ids.begin(), ids.end(), remedy.id) != ids.end())
      verdict->remedies.push_back(&remedy);
}

std::string errno_word(int error) {
  switch (error) {
    case EPERM:
      return "EPERM";
    case EACCES:
      return "EACCES";
    case ENOSYS:
      return "ENOSYS";
    case ENOENT:
      return "ENOENT";
    case EOPNOTSUPP:
      return "EOPNOTSUPP";
    case EINVAL:
      return "EINVAL";
    case EAGAIN:
      return "EAGAIN";
    case EMFILE:
      return "EMFILE";
    default:
      return "errno " + std::to_string(error);
  }
}

}  // namespace sextant::doctor
