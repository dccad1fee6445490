// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/nsys_metadata.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <optional>
#include <utility>

#include "exporters/nsys_ids.h"
#include "exporters/report_rows.h"
#include "query/sums.h"

namespace sextant::exporters {

namespace {

constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr size_t kMostDamages = 1000;

// ENUM_DIAGNOSTIC_...
enum Severity : int64_t { kInfo = 1, kWarning = 2 };
enum DiagnosticSource : int64_t { kInjection = 1, kDaemon = 2 };
constexpr int64_t kTargetTimestamp = 1;

/// "2026-01-31T14:05:06" as nsys writes times; local time of this machine or UTC.
std::string iso_time(uint64_t realtime_ns, bool local) {
  const auto seconds = static_cast<time_t>(realtime_ns / kNanosecondsPerSecond);
  struct tm parts = {};
  if ((local ? ::localtime_r(&seconds, &parts) : ::gmtime_r(&seconds, &parts)) == nullptr) return "";
  char text[64];
  return std::string(text, ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts));
}

/// Rows of (name, value) tables and others that have texts.
class TextRow {
 public:
  TextRow& integer(int64_t value) {
    record_.integer(value);
    return *this;
  }
  TextRow& text(std::string_view value) {
    record_.text(valid_text(value, &fixed_));
    return *this;
  }
  void append_to(SqliteTable& table) {
    table.append(record_);
    record_.clear();
  }

 private:
  SqliteRecord record_;
  std::string fixed_;
};

std::string absolute(const std::string& path) {
  if (!path.empty() && path.front() == '/') return path;
  char folder[PATH_MAX];
  if (::getcwd(folder, sizeof folder) == nullptr) return path;
  return std::string(folder) + "/" + path;
}

std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

void add_diagnostic(SqliteTable& table, int64_t time, DiagnosticSource from, Severity severity,
                    std::string_view text, int64_t global_id) {
  TextRow row;
  row.integer(time).integer(kTargetTimestamp).integer(from).integer(severity).text(text).integer(global_id);
  row.append_to(table);
}

void write_unfinished(const query::Source& source, const ProcessesByNumber& processes,
                      const Unfinished& unfinished, SqliteTable& table) {
  if (unfinished.count <= Unfinished::kMostNamed) {
    for (const Unfinished::Range& range : unfinished.ranges)
      add_diagnostic(
          table, range.start_ns, kInjection, kWarning,
          fmt::format("NVTX range \"{}\" of thread {} was never closed; it is shown to end with its process",
                      source.reader().string(range.name), range.tid),
          global_pid(processes.pid(range.process)));
    return;
  }
  for (const auto& [process, count] : unfinished.by_process)
    add_diagnostic(
        table, processes.start_ns(process), kInjection, kWarning,
        fmt::format("{} NVTX ranges of this process were never closed; they are shown to end with it", count),
        global_pid(processes.pid(process)));
}

}  // namespace

void write_processes(const query::Source& source, const ProcessesByNumber& processes, NsysTables& tables,
                     StringIds& strings) {
  TextRow row;
  for (const query::Process& process : source.processes()) {
    row.integer(global_pid(process.pid)).integer(static_cast<int64_t>(process.pid));
    row.text(process.exe.empty() ? process.name : process.exe);
    row.append_to(tables.processes);
  }
  for (const query::Thread& thread : source.threads()) {
    if (thread.name.empty()) continue;
    row.integer(strings.add(thread.name))
        .integer(0)
        .integer(global_tid(processes.pid(thread.process), thread.tid));
    row.append_to(tables.thread_names);
  }
}

void write_session(const query::Source& source, NsysTables& tables) {
  TextRow row;
  const uint64_t start = source.start_realtime_ns();
  row.integer(static_cast<int64_t>(start)).text(iso_time(start, false)).text(iso_time(start, true));
  row.append_to(tables.session_start_time);

  // The session on the target's own clock (CLOCK_MONOTONIC), as nsys has it
  std::optional<int64_t> clock_start;
  const std::array<uint16_t, 2> columns = {event::clock_sync::kRaw, event::clock_sync::kMonotonic};
  for_each_row(source.reader(), event::kClockSync, columns, [&](const std::array<uint64_t, 2>& sync) {
    if (!clock_start)
      clock_start = query::difference(static_cast<int64_t>(sync[1]), source.time_map().to_ns(sync[0]));
  });
  const int64_t begin = clock_start.value_or(0);
  row.integer(kGlobalVid)
      .integer(source.duration_ns())
      .integer(begin)
      .integer(query::sum(begin, source.duration_ns()));
  row.append_to(tables.analysis_details);
}

void write_system(const query::Source& source, NsysTables& tables) {
  struct Property {
    std::string_view key;   // of the report
    std::string_view name;  // nsys's, with its number
    int64_t number;
  };
  static constexpr Property kProperties[] = {
      {"host.cpus", "CpuCores", 1},      {"host.machine", "CpuArchitecture", 3},
      {"host.os", "OsDescription", 605}, {"host.kernel", "SoftwareReleaseVersion", 618},
      {"host.name", "Hostname", 619},
  };
  static constexpr std::pair<std::string_view, std::string_view> kCaptureNames[] = {
      {"host.name", "DEVICE_DISPLAY_NAME"},
      {"program.command_line", "PROCESS_0:COMMAND"},
      {"cwd", "PROCESS_0:WORKING_DIR"},
  };
  TextRow row;
  const auto& meta = source.reader().meta();
  for (const Property& property : kProperties) {
    const auto found = meta.find(std::string(property.key));
    if (found == meta.end()) continue;
    row.integer(kGlobalVid)
        .text("Local (CLI)")
        .text(property.name)
        .integer(property.number)
        .text(found->second);
    row.append_to(tables.system_env);
  }
  for (const auto& [key, name] : kCaptureNames)
    if (const auto found = meta.find(std::string(key)); found != meta.end())
      row.text(name).text(found->second).append_to(tables.capture);
  for (const auto& [key, value] : meta) row.text(key).text(value).append_to(tables.capture);
}

void write_overhead(const query::Source& source, const ProcessesByNumber& processes, NsysTables& tables,
                    StringIds& strings) {
  using namespace event::overhead;
  const std::array<uint16_t, 5> columns = {kProcessId, kTid, kStart, kDuration, kName};
  TextRow row;
  for_each_row(
      source.reader(), event::kProfilerOverhead, columns, [&](const std::array<uint64_t, 5>& values) {
        const auto [process, tid, start, duration, name] = values;
        row.integer(source.time_map().to_ns(start)).integer(source.time_map().to_ns(start + duration));
        row.integer(global_tid(processes.pid(process), tid)).integer(strings.use(name)).integer(0);
        row.append_to(tables.overhead);
      });
}

void write_diagnostics(const query::Source& source, const ProcessesByNumber& processes,
                       const Unfinished& unfinished, NsysTables& tables) {
  for (const query::Diagnostic& d : source.diagnostics()) {
    const std::string text = d.count > 1 ? fmt::format("{} [{}, {} times]", d.text, d.code, d.count)
                                         : fmt::format("{} [{}]", d.text, d.code);
    add_diagnostic(tables.diagnostics, d.first_ns, d.process == 0 ? kDaemon : kInjection, kWarning, text,
                   d.process == 0 ? kGlobalVid : global_pid(processes.pid(d.process)));
  }
  write_unfinished(source, processes, unfinished, tables.diagnostics);
  size_t shown = 0;
  const std::vector<report::Damage> skipped = source.skipped();
  for (const std::span<const report::Damage> damages : {source.reader().damage(), std::span(skipped)})
    for (const report::Damage& damage : damages) {
      if (++shown > kMostDamages) return;
      add_diagnostic(tables.diagnostics, 0, kDaemon, kWarning,
                     fmt::format("The report is damaged at byte {}: {} bytes were skipped: {} [damaged]",
                                 damage.offset, damage.bytes, damage.what),
                     kGlobalVid);
    }
}

void write_export_info(const ExportInfo& info, NsysTables& tables) {
  TextRow row;
  const auto add = [&](std::string_view name, std::string_view value) {
    row.text(name).text(value).append_to(tables.export_info);
  };
  add("EXPORT_PRODUCT_NAME", "Sextant");
  add("EXPORT_PRODUCT_VERSION", SEXTANT_VERSION);
  add("EXPORT_SCHEMA_VERSION", fmt::format("{}.{}.{}", kSchemaMajor, kSchemaMinor, kSchemaMicro));
  add("EXPORT_SCHEMA_VERSION_MAJOR", fmt::format("{}", kSchemaMajor));
  add("EXPORT_SCHEMA_VERSION_MINOR", fmt::format("{}", kSchemaMinor));
  add("EXPORT_SCHEMA_VERSION_MICRO", fmt::format("{}", kSchemaMicro));
  add("EXPORT_TIME_UTC", iso_time(info.realtime_ns, false));
  add("EXPORT_TIME_LOCAL", iso_time(info.realtime_ns, true));
  add("EXPORT_PARAM_INPUT_FILE", file_name(info.input));
  add("EXPORT_PARAM_OUTUPT_FILE", file_name(info.output));  // nsys's spelling, which scripts look for
  add("EXPORT_PARAM_INPUT_PATH", info.input);
  add("EXPORT_PARAM_OUTUPT_PATH", info.output);
  add("EXPORT_PARAM_INPUT_PATH_ABS", absolute(info.input));
  add("EXPORT_PARAM_OUTUPT_PATH_ABS", absolute(info.output));
  add("EXPORT_PARAM_OVERWRITE", info.replace ? "true" : "false");
  add("EXPORT_PARAM_APPEND", "false");
  add("EXPORT_PARAM_LAZY", "true");
  add("EXPORT_PARAM_TIME_NORMALIZE", "false");
  add("EXPORT_PARAM_TIME_SHIFT", "0");
}

}  // namespace sextant::exporters
