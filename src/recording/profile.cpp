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
#include "recording/capture.h"
#include "recording/collector_process.h"
#include "recording/environment.h"
#include "recording/executable.h"
#include "recording/launch.h"
#include "recording/manifest.h"
#include "recording/output_name.h"
#include "recording/plan.h"
#include "recording/signals.h"
#include "recording/spool_place.h"
#include "recording/status_file.h"
#include "recording/waiting.h"
#include "report/format.h"
#include "text/log.h"
#include "text/utf8.h"

namespace sextant::recording {

namespace {

collector::CommandLines command_lines(RecordCommandLine choice) {
  if (choice == RecordCommandLine::kFull) return collector::CommandLines::kFull;
  return choice == RecordCommandLine::kNone ? collector::CommandLines::kNone
                                            : collector::CommandLines::kRedacted;
}

int refuse(const Error& error) {
  text::error("{}", error.message);
  return error.code == ErrorCode::kUsage ? kExitUsage : kExitRefused;
}

/// Creates the report; with %n in the pattern the next number where somebody was faster.
Result<report::Writer> create_report(const ProfileOptions& options, pid_t pid, bool numbered, Plan* plan) {
  report::Writer::Options how;
  how.run_id = plan->folder.run_id;
  how.clock_kind = plan->folder.clock_kind;
  how.replace = options.force_overwrite;
  for (int attempt = 0;; ++attempt) {
    const auto path_of = [&](const std::string& path) { return numbered ? numbered_report(path, 1) : path; };
    const auto taken = [&](const std::string& path) { return name_taken(path_of(path)); };
    SEXTANT_ASSIGN(plan->report, output_name(options.output, pid, taken));
    plan->report = path_of(plan->report);
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

/// Reports of later capture windows: NAME.2.sxt behind NAME.1.sxt. Called in the collector's process.
void follow_reports(const ProfileOptions& options, const Plan& plan, pid_t program, CollectorSetup* setup) {
  const std::string suffix = std::string(".1") + kReportSuffix;
  const std::string stem = plan.report.substr(0, plan.report.size() - suffix.size()) + kReportSuffix;
  report::Writer::Options how;
  how.run_id = plan.folder.run_id;
  how.clock_kind = plan.folder.clock_kind;
  how.replace = options.force_overwrite;
  Manifest manifest = manifest_of(options, plan, program);
  const std::string whole = absolute(stem);
  setup->loop.report_name = [stem](uint32_t number) { return numbered_report(stem, number); };
  setup->next_report = [whole, how](uint32_t number) {
    return report::Writer::create(numbered_report(whole, number), how);
  };
  setup->next_manifest = [whole, manifest](uint32_t number) {
    Manifest next = manifest;
    next.report = numbered_report(whole, number);
    return manifest_text(next);
  };
}

/// Folder, report and collector. Our end of the socket to it.
Result<base::Fd> prepare(const ProfileOptions& options, pid_t program, Plan* plan, std::string* folder_path) {
  const std::vector<int> not_the_collectors = open_descriptors();
  SEXTANT_ASSIGN(collector::FilterRequest filter, filter_request(options.capture));
  filter.delayed = options.delay_seconds > 0;
  if (filter.any()) plan->folder.flags |= spool::kFiltered;
  if (filter.capture) plan->folder.collecting = true;  // what is registered before the range is needed
  SEXTANT_ASSIGN(report::Writer writer, create_report(options, program, filter.repeats, plan));
  const std::string report = absolute(plan->report);
  auto discard = [&](Error error) {
    if (!options.force_overwrite) ::unlink(report.c_str());
    return tl::unexpected<Error>(std::move(error));
  };
  auto placed = place_run_folder(report, options.spool_dir, plan->folder, options.force_overwrite,
                                 plan->user ? &*plan->user : nullptr);
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
  setup.loop.delay_ns = static_cast<uint64_t>(options.delay_seconds * 1e9);
  setup.loop.duration_ns = static_cast<uint64_t>(options.duration_seconds * 1e9);
  setup.loop.filter = filter;
  if (filter.repeats) follow_reports(options, *plan, program, &setup);
  setup.options.command_lines = command_lines(options.record_command_line);
  setup.meta = meta_of(options, *plan, *folder_path);
  if (written) written = load_agent(options, *folder_path, plan);
  if (!written) {
    placed->folder.remove();
    return discard(std::move(written).error());
  }
  setup.loop.untraced = plan->untraced;
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
  else if (!options.quiet && !text.empty())
    text::info("{}: {}", plan.report, text);
  const bool incomplete = options.partly_ignored || !in_place || totals.run_folder_gone || totals.lost != 0 ||
                          totals.names_dropped != 0 || totals.untraced + totals.dropped_processes != 0 ||
                          totals.damaged != 0;
  if (options.strict && incomplete) {
    text::error("--strict: not everything that was asked for could be recorded");
    return kExitStrict;
  }
  if (options.fail_if_empty && totals.events + totals.opencl_calls + totals.osrt_calls == 0) {
    text::error("--fail-if-empty: no event was recorded");
    return kExitEmpty;
  }
  return outcome.exit_code;
}

std::string yes_or_no(bool yes) {
  return yes ? "yes" : "no";
}

}  // namespace

Result<std::string> dry_run(const ProfileOptions& options) {
  SEXTANT_ASSIGN(Plan plan, make_plan(options));
  std::string pattern = options.output;  // the pid is not known before the program is there: %p stays
  for (size_t at = 0; (at = pattern.find('%', at)) != std::string::npos; at += 2)
    if (pattern.compare(at, 2, "%p") == 0) pattern.insert(at++, "%");
  SEXTANT_ASSIGN(plan.report, output_name(pattern, 0, name_taken));
  const bool with_pid = options.output.find("%p") != std::string::npos;
  const std::string shown = plan.report + (with_pid ? " (%p: the program's pid)" : "");
  struct stat info {};
  if (!options.force_overwrite && ::lstat(plan.report.c_str(), &info) == 0)
    return fail(ErrorCode::kDenied, plan.report + ": exists already; -f replaces it, -o names another");
  std::string folder = absolute(plan.report) + kRunSuffix;
  if (!options.spool_dir.empty()) folder = options.spool_dir + "/" + folder.substr(folder.rfind('/') + 1);
  SEXTANT_TRY(load_agent(options, folder, &plan));
  std::string out;
  const auto line = [&](const std::string& key, const std::string& value) {
    out += key + ": " + value + "\n";
  };
  line("program", plan.executable.path);
  line("arguments", collector::join_arguments(options.program));
  line("report", shown);
  line("run folder", folder + " (or where memory can be shared)");
  line("agent", plan.agent.empty() ? "none" : plan.agent);
  line("recorded", plan.untraced == spool::Untraced::kNo
                       ? "yes"
                       : std::string("no: ") + collector::untraced_text(plan.untraced));
  line("trace", traced_sources(options, plan));
  line("buffer bytes", std::to_string(options.buffer_bytes));
  line("user", plan.user ? options.run_as + " (" + std::to_string(plan.user->uid) + ")" : "the caller");
  line("output shown", yes_or_no(options.show_output));
  out += "environment (+ set, - removed; the rest is the caller's):\n";
  for (const std::string& change : environment_changes(changed_environment({}), plan.environment))
    out += "  " + text::printable(change) + "\n";
  return out;
}

int profile(const ProfileOptions& options, ProfileOutcome* left) {
  auto plan = make_plan(options);
  if (!plan) return refuse(plan.error());
  const ToolSignals signals = ToolSignals::take();
  auto program = LaunchedProgram::fork(options.show_output, signals, plan->user ? &*plan->user : nullptr);
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
  if (left != nullptr) *left = {plan->report, outcome.report_finished && report_in_place(*plan)};
  return verdict(options, *plan, outcome, folder_path);
}

}  // namespace sextant::recording
