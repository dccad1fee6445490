// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What sextant-probe prints, understood. One line a fact, "KEY VALUE":
//   problem TEXT                 NVML gave no answer (or, behind a gpu line, none about this GPU)
//   driver VERSION
//   gpu NAME                     begins a GPU; the lines below are about it
//   architecture N, brand N, mig 0|1, virtualization N      NVML's numbers
//   process compute|graphics|mps PID                        PID 0: in a pid namespace that is not ours
// Unknown keys are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::doctor {

/// Generations in the order of their appearance.
enum class Generation : uint8_t {
  kUnknown,
  kKepler,
  kMaxwell,
  kPascal,
  kVolta,
  kTuring,
  kAmpere,
  kAda,
  kHopper,
  kBlackwell,
  kLater
};
std::string_view generation_name(Generation generation);

/// By the product's name, where NVML cannot be asked: "NVIDIA A100-SXM4-80GB" is kAmpere.
Generation generation_of_product(std::string_view name);

enum class Virtualization : uint8_t { kUnknown, kNone, kPassThrough, kVgpu, kHost };

struct GpuProcess {
  uint64_t pid = 0;
  std::string kind;
};

struct Gpu {
  std::string name;
  Generation generation = Generation::kUnknown;
  bool geforce = false;
  bool mig = false;
  Virtualization virtualization = Virtualization::kUnknown;
  std::vector<GpuProcess> processes;
};

struct ProbeAnswer {
  std::string problem;  // "" if NVML answered
  std::string driver;
  std::vector<Gpu> gpus;
};
ProbeAnswer parse_probe_answer(std::string_view text);

}  // namespace sextant::doctor
