// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/permissions_page.h"

#include <fmt/format.h>

#include <array>

#include "doctor/check.h"

namespace sextant::doctor {

namespace {

struct PlaceName {
  uint32_t bit;
  std::string_view name;
};
constexpr std::array kPlaces = {PlaceName{kHost, "host"},     PlaceName{kDocker, "Docker"},
                                PlaceName{kPodman, "podman"}, PlaceName{kKubernetes, "Kubernetes"},
                                PlaceName{kEnroot, "Enroot"}, PlaceName{kOtherContainer, "other containers"}};

std::string places(uint32_t bits) {
  std::string out;
  bool all = true;
  for (const PlaceName& place : kPlaces) {
    all = all && (bits & place.bit) != 0;
    if ((bits & place.bit) != 0) out += fmt::format("{}{}", out.empty() ? "" : ", ", place.name);
  }
  return all ? "anywhere" : out;
}

/// Text for a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    out += fmt::format("{}`{}`", out.empty() ? "" : "<br>", cell(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

constexpr std::string_view kHead = R"(# Permissions: what needs which right

Made from the checks in `src/doctor/checks/`; a test compares. `sextant doctor` says which of this applies where you are
([doctor.md](doctor.md)).

## What passes what

Three gates stand before samples of the processor and counters of the GPU. They are told apart by evidence: a seccomp filter gives EPERM,
the kernel's paranoid level EACCES, the driver its own error (ERR_NVGPUCTRPERM, `CUPTI_ERROR_INSUFFICIENT_PRIVILEGES`).

| right | a container's seccomp filter | `kernel.perf_event_paranoid` up to 2 | its patched levels 3 and 4 (Debian, Ubuntu) | NVIDIA's driver (`RmProfilingAdminOnly: 1`) |
|---|---|---|---|---|
| none | refuses perf_event_open in default profiles | 2: own processes; 1: with the kernel's part; 0: whole machine | refuse | refuses |
| CAP_PERFMON | passes newer default profiles | passes | refuse | passes |
| CAP_SYS_ADMIN | passes | passes | passes | passes |
| root in a user namespace | as without | does not count | does not count | does not count |

- NVTX, OS runtime calls, OpenCL and CUDA trace pass none of these gates: they need no right.
- Samples and context switches pass the first two. Tools such as ncu, which need GPU counters only, pass the last only.
- For nsys: `--sample=none` leaves context switches on, which need the same system call; `--cpuctxsw=none` belongs to it.

## Checks

| check | what it reads or tries | what it concludes |
|---|---|---|
)";

}  // namespace

std::string permissions_page() {
  std::string out(kHead);
  for (const Check& check : checks())
    out += fmt::format("| [{0}](../src/doctor/checks/{0}.cpp) | {1} | {2} |\n", check.name, cell(check.reads),
                       cell(check.concludes));
  out +=
      "\n## Remedies\n\nThe least of each check first. `sextant doctor` offers those that help where you "
      "are.\n\n"
      "| remedy | where | what to do | how | opens besides | must agree |\n|---|---|---|---|---|---|\n";
  for (const Check& check : checks())
    for (const Remedy& remedy : check.remedies) {
      std::string how = code(remedy.command);
      if (!remedy.pod.empty()) how += fmt::format("{}{}", how.empty() ? "" : "<br>", code(remedy.pod));
      out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", remedy.id, places(remedy.places),
                         cell(remedy.what), how, cell(remedy.opens), cell(remedy.who));
    }
  return out;
}

}  // namespace sextant::doctor
