// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant info: what a report holds, and what it lacks. For people, or as one JSON object.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/lacks.h"
#include "cli/open_report.h"
#include "event/schema_opencl.h"
#include "stats/registry.h"
#include "text/json_writer.h"
#include "text/log.h"
#include "text/output.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

struct TableSize {
  std::string name;
  uint64_t rows = 0, chunks = 0, bytes = 0;
  bool has_times = false;
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
};

std::vector<TableSize> table_sizes(const query::Source& source) {
  std::map<uint16_t, TableSize> sizes;
  for (const report::TableInfo& table : source.reader().tables()) sizes[table.id].name = table.name;
  for (const event::Table& table : event::tables()) sizes[table.id].name = table.name;
  for (const report::ChunkRef& chunk : source.reader().chunks()) {
    const report::ChunkHeader& h = chunk.header;
    if (h.kind != static_cast<uint16_t>(report::ChunkKind::kData)) continue;
    TableSize& size = sizes[h.table];
    if (size.name.empty()) size.name = fmt::format("table {}", h.table);
    size.rows += h.rows;
    size.chunks += 1;
    size.bytes += sizeof(h) + h.body_bytes;
    if (h.clock == 0 || h.time_max == 0) continue;
    size.has_times = true;
    if (h.time_min != 0) size.first_ns = std::min(size.first_ns, source.time_map().to_ns(h.time_min));
    size.last_ns = std::max(size.last_ns, source.time_map().to_ns(h.time_max));
  }
  std::vector<TableSize> out;
  out.reserve(sizes.size());
  for (auto& [id, size] : sizes) out.push_back(std::move(size));
  return out;
}

std::string run_id(const report::FileHeader& header) {
  std::string out;
  for (const uint8_t byte : header.run_id) out += fmt::format("{:02x}", byte);
  return out;
}

void json_processes(text::JsonWriter& json, const query::Source& source) {
  json.key("processes").begin_array();
  for (const query::Process& p : source.processes()) {
    json.begin_object();
    json.key("process").number(p.number);
    json.key("pid").number(p.pid);
    json.key("ppid").number(p.ppid);
    json.key("parent").number(p.parent);
    json.key("name").string(p.name);
    json.key("command_line").string(p.command_line);
    json.key("exe").string(p.exe);
    json.key("uid").number(p.uid);
    json.key("start_ns").number(p.start_ns);
    json.key("end_ns").number(p.end_ns);
    json.key("running").boolean(p.running);
    json.key("exit_kind")
        .string(std::array{"running", "exited", "signalled", "unknown"}[std::min<size_t>(p.exit_kind, 3)]);
    json.key("exit_code").number(p.exit_code);
    json.key("recorded").string(std::array{"yes", "no events", "no"}[std::min<size_t>(p.traced, 2)]);
    json.key("reason").string(p.reason);
    json.key("launcher").string(p.launcher);
    if (p.rank) json.key("rank").number(*p.rank);
    json.key("nvtx_instances").number(p.nvtx_instances);
    json.key("ranges").number(p.ranges);
    json.key("lost").number(p.lost);
    json.end_object();
  }
  json.end_array();
}

void json_tables(text::JsonWriter& json, const query::Source& source) {
  json.key("tables").begin_array();
  for (const TableSize& t : table_sizes(source)) {
    json.begin_object();
    json.key("name").string(t.name);
    json.key("rows").number(t.rows);
    json.key("chunks").number(t.chunks);
    json.key("bytes").number(t.bytes);
    if (t.has_times) {
      json.key("first_ns").number(std::min(t.first_ns, t.last_ns));
      json.key("last_ns").number(t.last_ns);
    }
    json.end_object();
  }
  json.end_array();
}

void json_lacks(text::JsonWriter& json, const OpenedReport& report) {
  const query::Source& source = report.source;
  json.key("lacks").begin_array();
  for (const Lack& lack : find_lacks(report)) {
    json.begin_object();
    json.key("code").string(lack.code);
    json.key("process").number(lack.process);
    json.key("count").number(lack.count);
    json.key("what").string(lack.what);
    json.key("to_do").string(lack.to_do);
    json.end_object();
  }
  json.end_array();
  json.key("diagnostics").begin_array();
  for (const query::Diagnostic& d : source.diagnostics()) {
    json.begin_object();
    json.key("code").string(d.code);
    json.key("process").number(d.process);
    json.key("count").number(d.count);
    json.key("first_ns").number(d.first_ns);
    json.key("last_ns").number(d.last_ns);
    json.key("text").string(d.text);
    json.end_object();
  }
  json.end_array();
  json.key("damage").begin_array();
  const auto add = [&](const report::Damage& d) {
    json.begin_object();
    json.key("offset").number(d.offset);
    json.key("bytes").number(d.bytes);
    json.key("what").string(d.what);
    json.end_object();
  };
  for (const report::Damage& d : source.reader().damage()) add(d);
  for (const report::Damage& d : source.skipped()) add(d);
  json.end_array();
}

std::string to_json(const OpenedReport& report) {
  const report::Reader& reader = report.source.reader();
  std::string out;
  text::JsonWriter json(&out);
  json.begin_object();
  json.key("report").string(report.path);
  json.key("state").string(state_word(report.state));
  json.key("complete").boolean(reader.complete());
  json.key("run_folder").string(report.run_folder);
  json.key("format").string(fmt::format("{}.{}", reader.header().major, reader.header().minor));
  json.key("run_id").string(run_id(reader.header()));
  json.key("file_bytes").number(reader.file_bytes());
  json.key("unfinished_bytes").number(reader.unfinished_bytes());
  json.key("unknown_chunks").number(reader.unknown_chunks());
  json.key("start_utc").string(text::utc_time(report.source.start_realtime_ns()));
  json.key("start_realtime_ns").number(report.source.start_realtime_ns());
  json.key("duration_ns").number(report.source.duration_ns());
  json.key("meta").begin_object();
  for (const auto& [key, value] : reader.meta()) json.key(key).string(value);
  json.end_object();
  json_processes(json, report.source);
  json_tables(json, report.source);
  json_lacks(json, report);
  json.end_object();
  return out + "\n";
}

std::string state_sentence(const OpenedReport& report) {
  switch (report.state) {
    case ReportState::kComplete:
      return "complete";
    case ReportState::kGrowing:
      return "still being recorded";
    case ReportState::kAbandoned:
      return fmt::format("its recording was killed; `sextant recover {}` brings the rest", report.run_folder);
    case ReportState::kCut:
      return "its end is missing";
  }
  return "";
}

/// "988 push/pop ranges, 53 start/end ranges, 5 marks of NVTX in 5 processes, none lost", by the rows that
/// are there. Also what GPUs and other devices did.
std::string recorded_sentence(const query::Source& source) {
  std::map<uint16_t, uint64_t> rows;
  for (const report::ChunkRef& chunk : source.reader().chunks())
    if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData))
      rows[chunk.header.table] += chunk.header.rows;
  uint64_t lost = 0;
  for (const query::Process& p : source.processes()) lost += p.lost;
  std::string what;
  for (const auto& [table, one, many] : {std::tuple{event::kCudaKernel, "kernel", "kernels"},
                                         {event::kCudaMemcpy, "copy", "copies"},
                                         {event::kCudaApi, "CUDA call", "CUDA calls"},
                                         {event::kOpenclKernel, "OpenCL kernel", "OpenCL kernels"},
                                         {event::kOpenclMemory, "memory command", "memory commands"},
                                         {event::kOpenclApi, "OpenCL call", "OpenCL calls"},
                                         {event::kOsrtCall, "OS runtime call", "OS runtime calls"},
                                         {event::kCpuSample, "sample", "samples"},
                                         {event::kNvtxEvent, "NVTX event", "NVTX events"}})
    if (rows[table] > 0)
      what += fmt::format("{}{}", what.empty() ? "" : ", ", text::counted(rows[table], one, many));
  if (what.empty() || rows[event::kNvtxRange] + rows[event::kNvtxStart] + rows[event::kNvtxMark] > 0)
    what = fmt::format(
        "{}, {}, {} of NVTX{}{}", text::counted(rows[event::kNvtxRange], "push/pop range", "push/pop ranges"),
        text::counted(rows[event::kNvtxStart], "start/end range", "start/end ranges"),
        text::counted(rows[event::kNvtxMark], "mark", "marks"), what.empty() ? "" : ", ", what);
  return fmt::format("{} in {}, {} lost", what,
                     text::counted(source.processes().size(), "process", "processes"),
                     lost == 0 ? "none" : std::to_string(lost));
}

std::string head(const OpenedReport& report) {
  const query::Source& source = report.source;
  const report::Reader& reader = source.reader();
  std::vector<std::pair<std::string, std::string>> facts = {
      {"state", state_sentence(report)},
      {"recorded", recorded_sentence(source)},
      {"start", text::utc_time(source.start_realtime_ns())},
      {"duration", text::duration(source.duration_ns())},
      {"file", fmt::format("{}, format {}.{}, run {}", text::bytes(reader.file_bytes()),
                           reader.header().major, reader.header().minor, run_id(reader.header()))}};
  facts.insert(facts.end(), reader.meta().begin(), reader.meta().end());
  size_t width = 0;
  for (auto& [label, value] : facts) {
    label = text::printable(label);
    width = std::max(width, text::code_points(label));
  }
  std::string out = text::printable(report.path) + "\n";
  for (const auto& [label, value] : facts)
    out +=
        fmt::format("  {}{:{}}  {}\n", label, "", width - text::code_points(label), text::printable(value));
  return out;
}

std::string tables_text(const query::Source& source) {
  std::string out = fmt::format("\nTables\n  {:<20} {:>12} {:>10}   {}\n", "", "rows", "size", "time span");
  for (const TableSize& t : table_sizes(source)) {
    if (t.rows == 0) continue;
    const std::string span = t.has_times
                                 ? fmt::format("{} .. {}", text::duration(std::min(t.first_ns, t.last_ns)),
                                               text::duration(t.last_ns))
                                 : "";
    out += fmt::format("  {:<20} {:>12} {:>10}   {}\n", text::printable(t.name), t.rows, text::bytes(t.bytes),
                       span);
  }
  return out;
}

std::string process_label(const query::Source& source, uint64_t number) {
  if (number == 0) return "recording";
  for (const query::Process& p : source.processes())
    if (p.number == number) return fmt::format("{} ({})", text::printable(p.name), p.pid);
  return fmt::format("process {}", number);
}

/// "python3 (12), bash (13) and 42 other processes"
std::string processes_label(const query::Source& source, const std::vector<uint64_t>& numbers) {
  constexpr size_t kNamed = 3;
  std::string out;
  for (size_t i = 0; i < numbers.size() && i < kNamed; ++i)
    out += (i == 0 ? "" : ", ") + process_label(source, numbers[i]);
  if (numbers.size() > kNamed)
    out += fmt::format(" and {}", text::counted(numbers.size() - kNamed, "other process", "other processes"));
  return out;
}

/// What is true of several processes alike stands there once.
std::string lacks_text(const OpenedReport& report) {
  struct Group {
    Lack lack;
    std::vector<uint64_t> processes;
  };
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, uint64_t>, size_t> known;  // -> its place in groups
  for (Lack& lack : find_lacks(report)) {
    const auto [place, is_new] = known.try_emplace({lack.code, lack.what, lack.count}, groups.size());
    const uint64_t process = lack.process;
    if (is_new) groups.push_back({std::move(lack), {}});
    groups[place->second].processes.push_back(process);
  }
  std::string out = "\nLosses, doubts and reasons\n";
  for (const auto& [lack, processes] : groups) {
    out += fmt::format("  {}, {}: {}", processes_label(report.source, processes), text::printable(lack.code),
                       text::printable(lack.what));
    const bool tells_count = lack.what.find(std::to_string(lack.count)) != std::string::npos;
    if (lack.count > 1 && !tells_count) out += fmt::format(" ({}x)", lack.count);
    if (processes.size() > 1 && lack.count > 1) out += " each";
    out += lack.to_do.empty() ? "\n" : fmt::format("\n      to do: {}\n", text::printable(lack.to_do));
  }
  return out + (groups.empty() ? "  none\n" : "");
}

void print_for_people(const OpenedReport& report, text::Output* out) {
  out->write(head(report));
  if (auto tree = stats::make_process_tree(report.source)) {
    tree->name = "process_tree";
    tree->title = "Process Tree";
    text::print_table(out, *tree, text::TableFormat::kColumn);
  }
  out->write(tables_text(report.source));
  out->write(lacks_text(report));
}

int print_info(const OpenedReport& report, bool as_json) {
  text::Output out(STDOUT_FILENO);
  if (as_json) {
    out.write(to_json(report));
  } else {
    print_for_people(report, &out);
  }
  if (const Status written = out.finish(); !written) {
    if (!out.broken_pipe()) text::error("{}", written.error().message);
    return kExitFailed;
  }
  return report.conclude();
}

}  // namespace

int run_info(const Arguments& arguments) {
  const bool as_json = arguments.flag("json");
  return for_each_report(arguments, arguments.words(), !as_json,
                         [&](const OpenedReport& report) { return print_info(report, as_json); });
}

}  // namespace sextant::cli
