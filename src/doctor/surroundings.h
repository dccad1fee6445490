// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Surroundings: what several checks need to know, read once through an Environment. look_around() does it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/environment.h"
#include "doctor/probe_answer.h"

namespace sextant::doctor {

/// What encloses the process most closely. One bit each: a remedy names the places where it applies.
enum Place : uint32_t {
  kHost = 1u << 0,
  kDocker = 1u << 1,
  kPodman = 1u << 2,
  kKubernetes = 1u << 3,
  kOtherContainer = 1u << 4,  // a container, of which kind is not to be seen
  kEnroot = 1u << 5,
  kContainers = kDocker | kPodman | kKubernetes | kOtherContainer,
  kAnywhere = ~0u,
};

/// Capabilities by their number in capability.h of Linux.
enum CapabilityNumber : unsigned { kCapSysPtrace = 19, kCapSysAdmin = 21, kCapSyslog = 34, kCapPerfmon = 38 };

/// What this process may do, and what stands in its way.
struct Rights {
  uint32_t user = 0;
  uint64_t effective = 0;  // capabilities; those of a user namespace do not count outside of it
  uint64_t bounding = 0;
  bool first_user_namespace = true;
  bool no_new_privileges = false;
  int seccomp = 0;              // 0 none, 1 strict, 2 filter
  std::optional<int> paranoid;  // kernel.perf_event_paranoid; nullopt: this kernel has no perf events
  std::optional<int> yama;      // kernel.yama.ptrace_scope

  /// Has the capability where the kernel asks for it: not in a user namespace of its own.
  bool has(CapabilityNumber capability) const {
    return first_user_namespace && (effective >> capability & 1) != 0;
  }
  /// Levels 3 and 4 exist only in kernels patched by distributions.
  bool patched_paranoid() const { return paranoid && *paranoid > 2; }
};

struct Process {
  uint64_t pid = 0;
  std::string name;                // comm: 15 bytes at most
  std::vector<std::string> words;  // command line; empty where it cannot be read
};

struct Surroundings {
  const Environment& environment;
  Rights rights;
  Place place = kHost;
  bool wsl = false;
  bool slurm = false;
  bool colab = false;
  std::string hypervisor;  // "" on bare metal or not to be seen

  bool driver = false;         // a driver of NVIDIA's is loaded, or WSL's is there
  std::string driver_version;  // "" unknown
  /// RmProfilingAdminOnly; nullopt where the driver does not show it.
  std::optional<int> admin_only;
  std::string nvml_problem;
  std::vector<Gpu> gpus;
  bool mps = false;

  bool counters_tried = false;        // --probe
  std::string counters_problem;       // why the trial told nothing, "" if it did
  std::vector<int> counters_results;  // CUPTI's result for each GPU, 0: opened

  std::vector<Process> processes;  // all that can be seen
  bool all_processes = true;       // false: there were too many to look at

  bool in_container() const { return (place & (kContainers | kEnroot)) != 0; }
};

/// `probe`: also opens the GPUs' counters for a moment.
Surroundings look_around(const Environment& environment, bool probe = false);

/// The value of "name: value" or "name value" at the start of a line of a text like /proc/PID/status.
std::optional<std::string> line_value(std::string_view text, std::string_view name);

/// Words between blanks, tabs and line feeds.
std::vector<std::string> words_of(std::string_view text);

/// One mount of /proc/self/mountinfo.
struct Mount {
  std::string root, target, type;
};
std::vector<Mount> mounts(const Environment& environment);
/// The mount that holds `path`; nullptr where none is known.
const Mount* mount_of(const std::vector<Mount>& all, std::string_view path);

}  // namespace sextant::doctor
