// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "event/schema_system.h"
#include "query/sums.h"
#include "spool/run_folder.h"
#include "stats/duration_groups.h"
#include "stats/nvtx_names.h"
#include "stats/osrt.h"
#include "text/json_writer.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

constexpr std::chrono::milliseconds kLeastInterval(50);
constexpr size_t kMostProcesses = 10;  // shown to people

struct Share {
  int64_t busy_ns = 0, longest_ns = 0;
  uint64_t count = 0, open = 0;
};

struct Sums {
  stats::KeyedGroups<2, Share> by_name;  // domain and name
  std::map<uint64_t, LiveProcess> by_process;
  uint64_t ranges = 0;

  void add(const query::NvtxBatch& batch, const query::Window& span) {
    for (size_t i = 0; i < batch.rows; ++i) {
      const int64_t busy = std::min(batch.end_ns[i], span.to_ns) - std::max(batch.start_ns[i], span.from_ns);
      if (busy < 0) continue;  // damaged stamps
      Share& share = by_name.at({batch.domain[i], batch.name[i]});
      share.busy_ns += busy;
      share.longest_ns = std::max(share.longest_ns, batch.end_ns[i] - batch.start_ns[i]);
      ++share.count;
      share.open += batch.unfinished ? 1 : 0;
      LiveProcess& process = by_process[batch.process[i]];
      process.busy_ns += busy;
      ++process.ranges;
      ++ranges;
    }
  }
};

/// Different strings may look the same.
std::vector<LiveRange> busiest(const query::Source& source, Sums* sums, size_t rows) {
  std::map<std::string, Share> by_text;
  for (const auto& [key, share] : sums->by_name.all()) {
    Share& sum = by_text[stats::range_name(source, key[0], key[1])];
    sum.busy_ns += share.busy_ns;
    sum.longest_ns = std::max(sum.longest_ns, share.longest_ns);
    sum.count += share.count;
    sum.open += share.open;
  }
  std::vector<LiveRange> ranges;
  ranges.reserve(by_text.size());
  for (const auto& [name, share] : by_text)
    ranges.push_back({name, share.busy_ns, share.count, share.open, share.longest_ns});
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const LiveRange& a, const LiveRange& b) { return a.busy_ns > b.busy_ns; });
  if (ranges.size() > rows) ranges.resize(rows);
  return ranges;
}

/// Calls of the C library in `span`, by function.
Status add_calls(const query::Source& source, const query::Window& span, size_t rows, Look* look) {
  using namespace event::osrt_call;
  const uint16_t columns[] = {kStart, kDuration, kNulls, kClass, kName, kFamily, kFlags};
  std::map<uint64_t, LiveCall> by_name;
  SEXTANT_TRY(source.scan_table(event::kOsrtCall, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      const auto start = static_cast<int64_t>(c[0][i]), duration = static_cast<int64_t>(c[1][i]);
      const int64_t time = std::min(query::sum(start, duration), span.to_ns) - std::max(start, span.from_ns);
      if (time < 0 || !stats::is_osrt_call(c[3][i], c[2][i])) continue;
      const std::string_view name = source.reader().string(c[4][i]);
      LiveCall& call = by_name[c[4][i]];
      call.time_ns = query::sum(call.time_ns, time);
      call.longest_ns = std::max(call.longest_ns, duration);
      ++call.count;
      call.waits += stats::call_state(name, c[5][i], c[6][i]) == stats::CallState::kWaits ? 1 : 0;
      ++look->calls;
    }
  }));
  for (auto& [name, call] : by_name) {
    call.name = source.reader().string(name);
    look->slowest.push_back(std::move(call));
  }
  std::stable_sort(look->slowest.begin(), look->slowest.end(),
                   [](const LiveCall& a, const LiveCall& b) { return a.time_ns > b.time_ns; });
  if (look->slowest.size() > rows) look->slowest.resize(rows);
  return {};
}

std::string cut_to(const std::string& line, size_t width) {
  if (text::code_points(line) <= width) return line;
  size_t bytes = 0;
  for (size_t n = 0; n + 1 < width && bytes < line.size(); ++n)
    bytes += std::max<size_t>(1, text::utf8_sequence(std::string_view(line).substr(bytes)));
  return line.substr(0, bytes) + "…";
}

/// Of the span, in percent; more than 100 where threads work at the same time.
double percent(int64_t busy_ns, const Look& look) {
  const int64_t span = look.to_ns - look.from_ns;
  return span <= 0 ? 0 : 100.0 * static_cast<double>(busy_ns) / static_cast<double>(span);
}

}  // namespace

Result<std::chrono::nanoseconds> time_between_looks(const Arguments& arguments) {
  const std::string_view word = arguments.text("interval").value_or("1");
  const std::chrono::nanoseconds interval(*text::parse_duration(word));
  if (interval >= kLeastInterval) return interval;
  return fail(
      ErrorCode::kUsage,
      fmt::format("--interval {}: looking so often would disturb what is recorded; 50ms is the least", word));
}

void ask_for_news(const OpenedReport& report) {
  if (report.state != ReportState::kGrowing) return;
  const auto folder = spool::RunFolder::open(report.run_folder);  // a report may name any folder as its own
  const auto& run_id = report.source.reader().header().run_id;
  if (folder && std::memcmp(folder->control().run_id, run_id, sizeof run_id) == 0)
    spool::watch_run_folder(report.run_folder);
}

Result<Look> take_look(query::Source* source, int64_t span_ns, size_t rows) {
  Look look;
  look.to_ns = source->duration_ns();
  look.from_ns = span_ns <= 0 ? 0 : std::max<int64_t>(0, look.to_ns - span_ns);
  const query::Window span{look.from_ns, INT64_MAX};
  source->set_window(span);
  Sums sums;
  SEXTANT_TRY(source->scan_nvtx({}, [&](const query::NvtxBatch& batch) {
    sums.add(batch, {look.from_ns, std::max(look.to_ns, look.from_ns + 1)});
  }));
  look.ranges = sums.ranges;
  look.busiest = busiest(*source, &sums, rows);
  SEXTANT_TRY(add_calls(*source, {look.from_ns, std::max(look.to_ns, look.from_ns + 1)}, rows, &look));
  for (const query::Process& process : source->processes()) {
    LiveProcess& entry = sums.by_process[process.number];
    entry.process = &process;
    look.lost += process.lost;
    look.running += process.running ? 1 : 0;
    look.processes.push_back(entry);
  }
  std::stable_sort(look.processes.begin(), look.processes.end(),
                   [](const LiveProcess& a, const LiveProcess& b) { return a.busy_ns > b.busy_ns; });
  return look;
}

std::string look_text(const OpenedReport& report, const Look& look, size_t width) {
  std::string out;
  const auto line = [&](const std::string& text) { out += cut_to(text, width) + "\n"; };
  line(fmt::format("{}: {}, {}, {}; last {}: {}, {} lost", text::printable(report.path),
                   state_word(report.state), text::duration(look.to_ns),
                   text::counted(look.running, "process runs", "processes run"),
                   text::duration(look.to_ns - look.from_ns), text::counted(look.ranges, "range", "ranges"),
                   look.lost == 0 ? "none" : std::to_string(look.lost)));
  line("");
  line(fmt::format("{:>8}  {:>10}  {:>10}  {:>10}  {:>6}  {}", "Busy", "Time", "Ranges", "Longest", "Open",
                   "Range"));
  for (const LiveRange& range : look.busiest)
    line(fmt::format("{:>6.1f} %  {:>10}  {:>10}  {:>10}  {:>6}  {}", percent(range.busy_ns, look),
                     text::duration(range.busy_ns), range.count, text::duration(range.longest_ns), range.open,
                     text::printable(range.name)));
  if (look.busiest.empty()) line("  no range in this span");
  if (!look.slowest.empty()) {
    line("");
    line(fmt::format("{:>8}  {:>10}  {:>10}  {:>10}  {:>6}  {}", "Time", "Total", "Calls", "Longest", "Waits",
                     "OS runtime call"));
  }
  for (const LiveCall& call : look.slowest)
    line(fmt::format("{:>6.1f} %  {:>10}  {:>10}  {:>10}  {:>6}  {}", percent(call.time_ns, look),
                     text::duration(call.time_ns), call.count, text::duration(call.longest_ns), call.waits,
                     text::printable(call.name)));
  line("");
  line(fmt::format("{:>8}  {:>10}  {:>10}  {:>10}  {:>6}  {}", "PID", "State", "Ranges", "All", "Lost",
                   "Process"));
  size_t shown = 0;
  for (const LiveProcess& entry : look.processes) {
    if (shown++ == kMostProcesses) {
      line(fmt::format("  and {} more", look.processes.size() - kMostProcesses));
      break;
    }
    const query::Process& p = *entry.process;
    line(fmt::format("{:>8}  {:>10}  {:>10}  {:>10}  {:>6}  {}", p.pid, p.running ? "running" : "ended",
                     entry.ranges, std::max(p.ranges, entry.ranges), p.lost,
                     text::printable(p.name + (p.reason.empty() ? "" : ": " + p.reason))));
  }
  return out;
}

std::string look_json(const OpenedReport& report, const Look& look) {
  std::string out;
  text::JsonWriter json(&out, 0);
  json.begin_object();
  json.key("report").string(report.path);
  json.key("state").string(state_word(report.state));
  json.key("from_ns").number(look.from_ns);
  json.key("to_ns").number(look.to_ns);
  json.key("ranges").number(look.ranges);
  json.key("lost").number(look.lost);
  json.key("busiest").begin_array();
  for (const LiveRange& range : look.busiest) {
    json.begin_object();
    json.key("range").string(range.name);
    json.key("busy_ns").number(range.busy_ns);
    json.key("count").number(range.count);
    json.key("open").number(range.open);
    json.key("longest_ns").number(range.longest_ns);
    json.end_object();
  }
  json.end_array();
  json.key("calls").number(look.calls);
  json.key("slowest").begin_array();
  for (const LiveCall& call : look.slowest) {
    json.begin_object();
    json.key("call").string(call.name);
    json.key("time_ns").number(call.time_ns);
    json.key("count").number(call.count);
    json.key("waits").number(call.waits);
    json.key("longest_ns").number(call.longest_ns);
    json.end_object();
  }
  json.end_array();
  json.key("processes").begin_array();
  for (const LiveProcess& entry : look.processes) {
    json.begin_object();
    json.key("pid").number(entry.process->pid);
    json.key("name").string(entry.process->name);
    json.key("running").boolean(entry.process->running);
    json.key("ranges").number(entry.ranges);
    json.key("busy_ns").number(entry.busy_ns);
    json.key("lost").number(entry.process->lost);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return out + "\n";
}

}  // namespace sextant::cli
