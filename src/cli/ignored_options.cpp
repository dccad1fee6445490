// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/ignored_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "doctor/machine.h"
#include "doctor/print.h"

namespace sextant::cli {

namespace {

using doctor::Capability;

struct Option {
  std::string_view begins;  // of its long name
  Capability capability;
};
constexpr std::array kOptions = {
    Option{"sampl", Capability::kSampling},      Option{"backtrace", Capability::kSampling},
    Option{"cpuctxsw", Capability::kSwitches},   Option{"gpu-metrics", Capability::kGpuMetrics},
    Option{"gpuctxsw", Capability::kGpuMetrics}, Option{"cuda", Capability::kCuda},
    Option{"osrt", Capability::kOsrt},           Option{"nccl", Capability::kCuda},
};
constexpr std::array kSources = {
    Option{"osrt", Capability::kOsrt},     Option{"opencl", Capability::kOpencl},
    Option{"cuda", Capability::kCuda},     Option{"cublas", Capability::kCuda},
    Option{"cusparse", Capability::kCuda}, Option{"cusolver", Capability::kCuda},
    Option{"cudnn", Capability::kCuda},    Option{"nccl", Capability::kCuda},
    Option{"openacc", Capability::kCuda},
};

/// The long name of an option as it was spelled.
std::string_view long_name_of(std::string_view spelling) {
  for (const Flag& flag : flags())
    if ((flag.commands & kProfile) != 0 &&
        ((spelling.starts_with("--") && spelling.substr(2) == flag.long_name) ||
         (spelling.size() == 2 && flag.short_name != 0 && spelling[1] == flag.short_name)))
      return flag.long_name;
  return "";
}

/// The diagnosis of this machine, made when it is first asked for.
class MachineWords {
 public:
  std::string about(Capability capability) {
    if (!seen_) {
      seen_.emplace(look_around(machine_));
      diagnosis_ = diagnose(*seen_);
    }
    const doctor::Verdict& verdict = verdict_of(diagnosis_, capability);
    const std::string_view name = words_for(capability).name;
    if (verdict.state == doctor::State::kDenied)
      return fmt::format("{} {}; `sextant doctor --for {}` says what opens it", name,
                         in_words(*seen_, verdict), name);
    if (verdict.state == doctor::State::kNotHere)
      return fmt::format("{} not here: {}", name, verdict.evidence);
    return fmt::format("{} allowed", name);
  }

 private:
  doctor::Machine machine_{""};
  std::optional<doctor::Surroundings> seen_;
  doctor::Diagnosis diagnosis_;
};

}  // namespace

std::optional<Capability> capability_of(std::string_view long_name, std::string_view word) {
  const bool trace = long_name == "trace";
  if ((long_name == "sample" || long_name == "cpuctxsw") && word == "system-wide")
    return Capability::kSystemWide;
  for (const Option& option : trace ? std::span<const Option>(kSources) : std::span<const Option>(kOptions))
    if ((trace ? word : long_name).starts_with(option.begins)) return option.capability;
  return std::nullopt;
}

std::vector<std::string> ignored_lines(const std::vector<std::string>& warnings) {
  std::vector<std::string> lines;
  std::optional<MachineWords> machine;
  for (const std::string& warning : warnings) {
    lines.push_back(warning);  // "--sample process-tree is ignored: ..."
    const size_t space = std::min(warning.find(' '), warning.size());
    const std::string_view name = long_name_of(std::string_view(warning).substr(0, space));
    const size_t end = std::min(warning.find(' ', std::min(space + 1, warning.size())), warning.size());
    std::vector<Capability> needed;
    for_each_word(std::string_view(warning).substr(space, end - space).substr(space < end ? 1 : 0), ',',
                  [&](std::string_view word) {
                    const auto capability = capability_of(name, word);
                    if (capability && std::find(needed.begin(), needed.end(), *capability) == needed.end())
                      needed.push_back(*capability);
                  });
    std::string told;
    for (const Capability capability : needed) {
      if (!machine) machine.emplace();
      told += fmt::format("{}{}", told.empty() ? "" : "; ", machine->about(capability));
    }
    if (!told.empty()) lines.back() += fmt::format(" (this machine: {})", told);
  }
  return lines;
}

}  // namespace sextant::cli
