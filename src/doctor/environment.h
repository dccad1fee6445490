// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Environment: the only way by which a check learns anything. Machine (machine.h) answers from the running
// system, a recorded one (tests/doctor) from a folder of files, so that an environment that nobody has at
// hand is data. Paths are absolute. Nothing here changes anything on the machine: files are opened for
// reading, what is tried for real is undone at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sextant::doctor {

/// What is opened, and closed at once, to learn whether perf_event_open is permitted.
enum class PerfUse : uint8_t {
  kOwn,              // time samples of an own process, user space only
  kOwnWithKernel,    // the same with the kernel's part of the stacks
  kSwitches,         // context switches of an own process
  kSystemWide,       // time samples of everything on one processor
  kHardwareCounter,  // instructions of an own process: needs a PMU
};
inline constexpr int kPerfUses = 5;

/// Tried between two children of ours of which neither descends from the other.
enum class AttachUse : uint8_t {
  kPtrace,      // PTRACE_SEIZE
  kReadMemory,  // process_vm_readv
};

enum class Access : uint8_t { kRead, kWrite, kExecute };

class Environment {
 public:
  virtual ~Environment() = default;

  /// At most `most` bytes of a file; nullopt where it cannot be read.
  virtual std::optional<std::string> read(const std::string& path, size_t most = 256 << 10) const = 0;
  /// Names in a folder, sorted, without . and ..; empty where it cannot be listed.
  virtual std::vector<std::string> list(const std::string& folder) const = 0;
  virtual bool exists(const std::string& path) const = 0;
  virtual bool may(const std::string& path, Access access) const = 0;
  virtual std::optional<std::string> link(const std::string& path) const = 0;
  /// The path with all links followed; nullopt where there is no such file.
  virtual std::optional<std::string> real_path(const std::string& path) const = 0;

  virtual std::optional<std::string> variable(const std::string& name) const = 0;
  virtual std::string current_folder() const = 0;
  virtual std::string architecture() const = 0;  // "x86_64"

  /// 0, or the errno of the refusal.
  virtual int try_perf(PerfUse use) const = 0;
  virtual int try_attach(AttachUse use) const = 0;

  /// What the helper program sextant-probe says about NVML (probe_answer.h), or why there is no answer. Waits
  /// a bounded time. "" where there is no driver to ask.
  virtual std::string ask_nvml() const = 0;
  /// Opens each GPU's counters through this libcupti and closes them at once. That can disturb who uses them.
  /// Lines "counters GPU RESULT" with CUPTI's result, or "problem TEXT".
  virtual std::string try_counters(const std::string& cupti) const = 0;

  /// "" where the agent library is in its place, else why not.
  virtual std::string agent_problem() const = 0;
  /// The same of the one that has the hooks of the C library.
  virtual std::string osrt_agent_problem() const { return ""; }
};

}  // namespace sextant::doctor
