// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/profile.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "collector/exit_status.h"
#include "collector/redact.h"
#include "collector/untraced_text.h"
#include "recording/collector_process.h"
#include "recording/environment.h"
#include "recording/executable.h"
#include "recording/launch.h"
#include "recording/manifest.h"
#include "recording/output_name.h"
#include "recording/signals.h"
#include "recording/spool_place.h"
#include "recording/status_file.h"
#include "recording/waiting.h"
#include "report/format.h"
#include "text/log.h"

namespace sextant::recording {

namespace {

int refuse(const Error& error) {
  text::error("{}", error.message);
  return error.code == ErrorCode::kUsage ? kExitUsage : kExitRefused;
}

std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char cwd[PATH_MAX];
  return ::getcwd(cwd, sizeof cwd) != nullptr ? std::string(cwd) + "/" + path : path;
}

std::array<uint8_t, 16> new_run_id() {
  std::array<uint8_t, 16> id{};
  if (::getrandom(id.data(), id.size(), 0) != static_cast<ssize_t>(id.size())) {
    uint64_t seed[2] = {base::clock_ns(CLOCK_REALTIME), static_cast<uint64_t>(::getpid())};
    std::memcpy(id.data(), seed, sizeof seed);
  }
  return id;
}

/// Everything that is decided before the program starts.
struct Plan {
  Executable executable;
  std::string agent;  // "": not loaded
  spool::Untraced untraced = spool::Untraced::kNo;
  std::string report;        // as the user will see it
  std::string program_line;  // secrets blanked
  spool::RunFolder::Options folder;
  std::vector<std::string> environment;
  std::vector<std::pair<std::string, std::string>> notes;
};

collector::CommandLines command_lines(RecordCommandLine choice) {
  if (choice == RecordCommandLine::kFull) return collector::CommandLines::kFull;
  return choice == RecordCommandLine::kNone ? collector::CommandLines::kNone
                                            : collector::CommandLines::kRedacted;
}

std::string kept_line(const std::vector<std::string>& arguments, RecordCommandLine choice) {
  if (choice == RecordCommandLine::kNone) return "";
  return collector::join_arguments(
      choice == RecordCommandLine::kFull ? arguments : collector::redact_arguments(arguments));
}

std::string number_text(double value) {
  std::string text = std::to_string(value);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    bool dot = text.back() == '.';
    text.pop_back();
    if (dot) break;
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> meta_of(const ProfileOptions& options, const Plan& plan,
                                                         const std::string& run_folder) {
  utsname system{};
  ::uname(&system);
  std::string os = "Linux";
  if (FILE* file = std::fopen("/etc/os-release", "re")) {
    char line[512];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      std::string text = line;
      if (!text.starts_with("PRETTY_NAME=")) continue;
      text = text.substr(12, text.find_last_not_of("\"\n") - 11);
      os = text.starts_with('"') ? text.substr(1) : text;
    }
    std::fclose(file);
  }
  char cwd[PATH_MAX] = "";
  (void)!::getcwd(cwd, sizeof cwd);
  std::vector<std::pair<std::string, std::string>> meta = {
      {"sextant.version", SEXTANT_VERSION},
      {"host.name", system.nodename},
      {"host.kernel", system.release},
      {"host.machine", system.machine},
      {"host.os", os},
      {"host.cpus", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
      {"host.page_bytes", std::to_string(::sysconf(_SC_PAGESIZE))},
      {"program", plan.executable.path},
      {"program.command_line", plan.program_line},
      {"cwd", cwd},
      {"start.realtime_ns", std::to_string(base::clock_ns(CLOCK_REALTIME))},
      {"options.trace", options.trace_nvtx ? "nvtx" : "none"},
      {"options.buffer_bytes", std::to_string(options.buffer_bytes)},
      {"options.wait", options.wait == WaitFor::kAll ? "all" : "primary"},
      {"run_folder", run_folder},
      {"clock", plan.folder.clock_kind == static_cast<uint32_t>(base::ClockKind::kTsc) ? "tsc" : "monotonic"},
  };
  if (options.record_command_line != RecordCommandLine::kNone)
    meta.emplace_back("sextant.command_line", kept_line(collector::split_words(options.recorder_command_line),
                                                        options.record_command_line));
  if (options.delay_seconds > 0)
    meta.emplace_back("options.delay_seconds", number_text(options.delay_seconds));
  if (options.duration_seconds > 0)
    meta.emplace_back("options.duration_seconds", number_text(options.duration_seconds));
  return meta;
}

Result<Plan> make_plan(const ProfileOptions& options) {
  Plan plan;
  if (options.program.empty()) return fail(ErrorCode::kUsage, "no program was named");
  SEXTANT_ASSIGN(plan.executable, find_executable(options.program[0]));
  plan.untraced = plan.executable.untraced;
  const bool static_program =
      plan.untraced == spool::Untraced::kStatic;  // ignores the preload, and hands it on to what it starts
  if (plan.untraced == spool::Untraced::kNo || static_program) {
    SEXTANT_ASSIGN(plan.agent, find_agent());
  }
  if (plan.untraced != spool::Untraced::kNo && !options.quiet) {
    text::warn("{}: {}: it is run as it is, without recording", plan.executable.path,
               collector::untraced_text(plan.untraced));
  }
  plan.environment = changed_environment(options.environment);
  plan.program_line = kept_line(options.program, options.record_command_line);
  plan.folder.run_id = new_run_id();
  plan.folder.clock_kind = static_cast<uint32_t>(base::best_clock_kind());
  plan.folder.flags =
      (options.trace_nvtx ? spool::kTraceNvtx : 0u) | (options.block ? spool::kBlockWhenFull : 0u);
  plan.folder.budget_bytes = options.buffer_bytes;
  plan.folder.collecting = options.delay_seconds <= 0;
  return plan;
}

/// Creates the report; with %n in the pattern the next number where somebody was faster.
Result<report::Writer> create_report(const ProfileOptions& options, pid_t pid, Plan* plan) {
  report::Writer::Options how;
  how.run_id = plan->folder.run_id;
  how.clock_kind = plan->folder.clock_kind;
  how.replace = options.force_overwrite;
  for (int attempt = 0;; ++attempt) {
    SEXTANT_ASSIGN(plan->report, output_name(options.output, pid, name_taken));
    struct stat info {};
    if (!options.force_overwrite && ::lstat(plan->report.c_str(), &info) == 0) {
      if (attempt < 100 && options.output.find("%n") != std::string::npos) continue;
      return fail(ErrorCode::kDenied, plan->report + ": exists already; -f replaces it, -o names another");
    }
    if (options.force_overwrite && ::stat(plan->report.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
      return fail(ErrorCode::kDenied, plan->report + ": is not a regular file; -o names another");
    auto writer = report::Writer::create(absolute(plan->report), how);
    if (writer || attempt >= 100 || options.output.find("%n") == std::string::npos) return writer;
  }
}

Manifest manifest_of(const ProfileOptions& options, const Plan& plan, pid_t program) {
  Manifest manifest;
  manifest.report = absolute(plan.report);
  manifest.program = plan.program_line;
  manifest.recorder =
      options.record_command_line == RecordCommandLine::kFull ? options.recorder_command_line : "";
  manifest.version = SEXTANT_VERSION;
  utsname system{};
  ::uname(&system);
  manifest.host = system.nodename;
  manifest.started_realtime_ns = base::clock_ns(CLOCK_REALTIME);
  manifest.budget_bytes = options.buffer_bytes;
  manifest.target_pid = static_cast<uint32_t>(program);
  manifest.tool_pid = static_cast<uint32_t>(::getpid());
  return manifest;
}

/// Folder, report and collector. Our end of the socket to it.
Result<base::Fd> prepare(const ProfileOptions& options, pid_t program, Plan* plan, std::string* folder_path) {
  const std::vector<int> not_the_collectors = open_descriptors();
  SEXTANT_ASSIGN(report::Writer writer, create_report(options, program, plan));
  const std::string report = absolute(plan->report);
  auto discard = [&](Error error) {
    if (!options.force_overwrite) ::unlink(report.c_str());
    return tl::unexpected<Error>(std::move(error));
  };
  auto placed = place_run_folder(report, options.spool_dir, plan->folder, options.force_overwrite);
  if (!placed) return discard(std::move(placed).error());
  *folder_path = placed->folder.path();
  if (!placed->note.empty()) {
    plan->notes.emplace_back("spool_fallback", placed->note);
    if (!options.quiet) text::warn("{}", placed->note);
  }
  Status written =
      placed->folder.write_file(kManifestName, manifest_text(manifest_of(options, *plan, program)));
  CollectorSetup setup;
  setup.loop.arguments = options.program;
  setup.loop.exe = plan->executable.path;
  setup.loop.untraced = plan->untraced;
  setup.loop.delay_ns = static_cast<uint64_t>(options.delay_seconds * 1e9);
  setup.loop.duration_ns = static_cast<uint64_t>(options.duration_seconds * 1e9);
  setup.options.command_lines = command_lines(options.record_command_line);
  setup.meta = meta_of(options, *plan, *folder_path);
  if (written && !plan->agent.empty()) {
    std::string other_tool;
    const bool nvtx = options.trace_nvtx && plan->untraced == spool::Untraced::kNo;
    written = add_agent(&plan->environment, plan->agent, *folder_path, nvtx, &other_tool);
    if (!other_tool.empty()) {
      const std::string note = "NVTX_INJECTION64_PATH is set to " + other_tool +
                               ": NVTX is left to that tool; unset it to record NVTX";
      plan->notes.emplace_back("other_nvtx_tool", note);
      if (!options.quiet) text::warn("{}", note);
      setup.loop.untraced = spool::Untraced::kOtherNvtxTool;
    }
  }
  if (!written) {
    placed->folder.remove();
    return discard(std::move(written).error());
  }
  setup.notes = plan->notes;
  return start_collector(std::move(placed->folder), std::move(writer), std::move(setup), not_the_collectors);
}

/// The program could not be executed: nothing is left behind.
void take_back(const ProfileOptions& options, const Plan& plan, base::Fd socket,
               const std::string& folder_path) {
  collector::ToCollector message;
  message.kind = collector::ToCollector::kFinish;
  collector::send_to_collector(socket.get(), message);
  wait_until_ready(socket.get());  // its last word
  if (auto folder = spool::RunFolder::open(folder_path)) folder->remove();
  if (!options.force_overwrite) ::unlink(absolute(plan.report).c_str());
}

/// False where the name leads nowhere or to another file. What cannot be opened is taken for ours.
bool report_in_place(const Plan& plan) {
  base::Fd file(::open(absolute(plan.report).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return errno != ENOENT && errno != ENOTDIR && errno != ELOOP;
  report::FileHeader header{};
  return ::pread(file.get(), &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header) &&
         std::memcmp(header.run_id, plan.folder.run_id.data(), sizeof header.run_id) == 0;
}

int verdict(const ProfileOptions& options, const Plan& plan, const WaitOutcome& outcome,
            const std::string& folder_path) {
  const std::string text(outcome.last.text,
                         std::min<size_t>(outcome.last.text_bytes, sizeof outcome.last.text));
  const collector::Totals& totals = outcome.last.totals;
  const bool in_place = report_in_place(plan);
  if (!options.status_file.empty())
    write_status_file(options.status_file, plan.report, outcome, in_place, text);
  if (!outcome.report_finished) {
    text::error("{}: the report is not complete{}; `sextant recover {}` completes it", plan.report,
                text.empty() ? "" : ": " + text, folder_path);
    return options.strict && outcome.program_ended ? kExitStrict : outcome.exit_code;
  }
  if (!in_place)
    text::error(
        "{}: was removed, moved or replaced while it was being written: it does not hold this recording ({})",
        plan.report, text);
  else if (!options.quiet)
    text::info("{}: {}", plan.report, text);
  const bool incomplete = !in_place || totals.run_folder_gone || totals.lost != 0 ||
                          totals.names_dropped != 0 || totals.untraced + totals.dropped_processes != 0 ||
                          totals.damaged != 0;
  if (options.strict && incomplete) {
    text::error("--strict: not everything that was asked for could be recorded");
    return kExitStrict;
  }
  if (options.fail_if_empty && totals.events == 0) {
    text::error("--fail-if-empty: no event was recorded");
    return kExitEmpty;
  }
  return outcome.exit_code;
}

}  // namespace

int profile(const ProfileOptions& options) {
  auto plan = make_plan(options);
  if (!plan) return refuse(plan.error());
  const ToolSignals signals = ToolSignals::take();
  auto program = LaunchedProgram::fork(options.show_output, signals);
  if (!program) return refuse(program.error());
  std::string folder_path;
  auto socket = prepare(options, program->pid(), &*plan, &folder_path);
  if (!socket) return refuse(socket.error());
  // What the program leaves behind comes to us, so that the end of the program is not taken for the end of
  // everything. Not earlier: the collector must not be ours.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  collector::FromCollector ready = wait_until_ready(socket->get());
  if (ready.kind != collector::FromCollector::kReady) {
    std::string reason(ready.text, std::min<size_t>(ready.text_bytes, sizeof ready.text));
    take_back(options, *plan, std::move(*socket), folder_path);
    return refuse({ErrorCode::kIo, plan->report + ": the collector could not start: " +
                                       (reason.empty() ? "it went away" : reason)});
  }
  collector::ToCollector target;
  target.kind = collector::ToCollector::kTarget;
  target.pid = static_cast<uint32_t>(program->pid());
  if (auto stat = collector::read_stat(target.pid)) target.start_time = stat->start_time;
  collector::send_to_collector(socket->get(), target);
  if (Status run = program->run(plan->executable.path, options.program, plan->environment); !run) {
    take_back(options, *plan, std::move(*socket), folder_path);
    return refuse(run.error());
  }
  WaitOutcome outcome = wait_for_end(program->pid(), socket->get(), signals, options);
  return verdict(options, *plan, outcome, folder_path);
}

}  // namespace sextant::recording
