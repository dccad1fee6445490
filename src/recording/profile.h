// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// profile(): starts a program, records it and everything that it starts, leaves a report. The calling thread
// waits until the recording has ended. Everything it says goes to stderr; stdout belongs to the program. Call
// once a process: it forks, and takes over SIGINT, SIGTERM and SIGHUP while the program runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "recording/capture.h"
#include "recording/osrt.h"

namespace sextant::recording {

enum class WaitFor { kPrimary, kAll };  // --wait: the program itself, or everything it started
enum class RecordCommandLine { kRedacted, kFull, kNone };  // --record-cmdline

inline constexpr int kKillNone = 0;  // ProfileOptions::kill_signal

struct ProfileOptions {
  std::vector<std::string> program;  // argv; program[0] is looked up in PATH
  bool trace_nvtx = true;            // -t nvtx | opencl | none
  std::optional<bool> trace_opencl;  // not given: where there is a loader of OpenCL
  std::optional<bool> trace_osrt;    // -t osrt; not given: where the agent that has the hooks is there
  OsrtOptions osrt;
  bool force_profiling = true;  // --opencl-force-profiling
  std::string output =
      "report%n";  // -o: pattern with %p %h %n %q{VAR} %%; ".sxt" is appended where it is missing
  bool force_overwrite = false;  // -f
  double duration_seconds = 0;   // -d: 0: until the program ends
  double delay_seconds = 0;      // -y
  CaptureOptions capture;        // -c nvtx, -p, --capture-range-end, --nvtx-domain-include and -exclude
  int kill_signal = 15;          // --kill: what ends the program after the duration; kKillNone: it goes on
  WaitFor wait = WaitFor::kAll;  // --wait
  std::vector<std::pair<std::string, std::string>> environment;  // -e: set for the program
  bool inherit_environment = true;  // -n: false: the program gets nothing but -e and what loads the agent
  std::string run_as;               // --run-as: "", or the user whose program it is
  bool safe = false;                // --safe: nothing is preloaded; only NVTX itself loads the agent
  std::vector<std::string> record_environment;  // --record-env: variables for the report: NAME, PREFIX*
  bool stop_on_exit = true;                     // -x: false: wait for the end of the duration in any case
  bool show_output = true;                      // -w: false: the program's stdout and stderr go to /dev/null
  uint64_t buffer_bytes = 256u << 20;           // --buffer-size: ring and name bytes of all processes
  std::string spool_dir;    // --spool-dir: folder that gets the run folder; "": see run_folder.h
  bool quiet = false;       // -q: errors only
  std::string status_file;  // --status-file: a JSON object about the run, "" for none
  bool block = false;       // --block: the program waits (bounded) for room instead of losing events
  RecordCommandLine record_command_line = RecordCommandLine::kRedacted;
  bool strict = false;                // --strict: exit 3 where something asked for could not be recorded
  bool partly_ignored = false;        // something was asked for that this release cannot record
  bool fail_if_empty = false;         // --fail-if-empty: exit 4 where no event was recorded
  std::string recorder_command_line;  // how sextant itself was called, for the report; may be empty
};

/// Exit codes of ours; every other one is the program's (128 + N for a signal).
inline constexpr int kExitUsage = 1;
inline constexpr int kExitRefused = 2;  // before the program was started
inline constexpr int kExitStrict = 3;
inline constexpr int kExitEmpty = 4;

/// What is left when profile() returns.
struct ProfileOutcome {
  std::string report;     // "": none; as the user named it
  bool complete = false;  // the report is whole and in its place
};

/// Returns the exit code for the shell.
int profile(const ProfileOptions& options, ProfileOutcome* outcome = nullptr);

/// --dry-run: what profile() would do: "key: value" lines, and one for each environment variable that the
/// program gets or loses. Starts and makes nothing. Errors as profile() refuses.
Result<std::string> dry_run(const ProfileOptions& options);

}  // namespace sextant::recording
