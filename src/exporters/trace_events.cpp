// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/trace_events.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "query/sums.h"
#include "text/json_writer.h"

namespace sextant::exporters {

namespace {

/// Numbers of processes and rows that are none of the system's: beyond what it gives.
constexpr uint64_t kFirstMadeUp = 1'000'000'000;

void append_name(std::string* out, std::string_view name) {
  text::append_json_string(out, name.empty() ? "(no name)" : name);
}

}  // namespace

void append_microseconds(std::string* out, int64_t ns) {
  const uint64_t magnitude = ns < 0 ? uint64_t{0} - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  fmt::format_to(std::back_inserter(*out), "{}{}.{:03}", ns < 0 ? "-" : "", magnitude / 1000,
                 magnitude % 1000);
}

namespace {

void append_key(std::string* arguments, std::string_view name) {
  if (!arguments->empty()) *arguments += ',';
  text::append_json_string(arguments, name);
  *arguments += ':';
}

}  // namespace

void append_argument(std::string* arguments, std::string_view name, std::string_view text) {
  append_key(arguments, name);
  text::append_json_string(arguments, text);
}
void append_argument(std::string* arguments, std::string_view name, int64_t number) {
  append_key(arguments, name);
  fmt::format_to(std::back_inserter(*arguments), "{}", number);
}
void append_argument(std::string* arguments, std::string_view name, uint64_t number) {
  append_key(arguments, name);
  fmt::format_to(std::back_inserter(*arguments), "{}", number);
}
void append_argument(std::string* arguments, std::string_view name, double number) {
  append_key(arguments, name);
  if (std::isfinite(number))
    fmt::format_to(std::back_inserter(*arguments), "{}", number);
  else
    *arguments += "null";
}

size_t NestingRows::place(int64_t start_ns, int64_t end_ns) {
  for (size_t row = 0; row < open_.size(); ++row) {
    std::vector<int64_t>& open = open_[row];
    while (!open.empty() && open.back() <= start_ns) open.pop_back();
    if (!open.empty() && open.back() < end_ns) continue;
    open.push_back(end_ns);
    return row;
  }
  open_.push_back({end_ns});
  return open_.size() - 1;
}

TraceEvents::TraceEvents(text::Output& out) : out_(out) {
  out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

void TraceEvents::begin(char phase, TracePlace at, std::string_view category, std::string_view name,
                        int64_t ns) {
  line_ = first_ ? "" : ",\n";
  first_ = false;
  fmt::format_to(std::back_inserter(line_), "{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":", phase, at.pid,
                 at.tid);
  append_microseconds(&line_, ns);
  if (!category.empty()) {
    line_ += ",\"cat\":";
    text::append_json_string(&line_, category);
  }
  line_ += ",\"name\":";
  append_name(&line_, name);
}

void TraceEvents::end() {
  line_ += '}';
  out_.write(line_);
}

void TraceEvents::metadata(std::string_view what, TracePlace at, std::string_view member,
                           std::string_view value) {
  begin('M', at, "", what, 0);
  line_ += ",\"args\":{";
  text::append_json_string(&line_, member);
  line_ += ':';
  line_ += value;
  line_ += '}';
  end();
}

uint64_t TraceEvents::add_process(uint64_t wanted_pid, std::string_view name, int64_t sort_index) {
  uint64_t pid = wanted_pid < kFirstMadeUp ? wanted_pid : kFirstMadeUp;
  if (last_row_.contains(pid)) pid = kFirstMadeUp;
  while (last_row_.contains(pid)) ++pid;
  last_row_[pid] = kFirstMadeUp - 1;
  std::string text;
  append_name(&text, name);
  metadata("process_name", {pid, 0}, "name", text);
  metadata("process_sort_index", {pid, 0}, "sort_index", fmt::format("{}", sort_index));
  return pid;
}

uint64_t TraceEvents::add_row(uint64_t pid, uint64_t wanted_tid, std::string_view name) {
  uint64_t tid = wanted_tid;
  if (tid == 0 || tid >= kFirstMadeUp || rows_.contains({pid, tid})) tid = ++last_row_[pid];
  rows_[{pid, tid}] = true;
  std::string text;
  append_name(&text, name);
  metadata("thread_name", {pid, tid}, "name", text);
  metadata("thread_sort_index", {pid, tid}, "sort_index", fmt::format("{}", rows_.size()));
  return tid;
}

void TraceEvents::slice(TracePlace at, std::string_view category, std::string_view name, int64_t start_ns,
                        int64_t end_ns, std::string_view arguments) {
  begin('X', at, category, name, start_ns);
  line_ += ",\"dur\":";
  append_microseconds(&line_, end_ns > start_ns ? query::difference(end_ns, start_ns) : 0);
  if (!arguments.empty()) fmt::format_to(std::back_inserter(line_), ",\"args\":{{{}}}", arguments);
  end();
}

void TraceEvents::mark(TracePlace at, std::string_view category, std::string_view name, int64_t ns,
                       std::string_view arguments) {
  begin('i', at, category, name, ns);
  line_ += ",\"s\":\"t\"";
  if (!arguments.empty()) fmt::format_to(std::back_inserter(line_), ",\"args\":{{{}}}", arguments);
  end();
}

void TraceEvents::span(TracePlace begin_at, TracePlace end_at, std::string_view category,
                       std::string_view name, uint64_t id, int64_t start_ns, int64_t end_ns,
                       std::string_view arguments) {
  begin('b', begin_at, category, name, start_ns);
  fmt::format_to(std::back_inserter(line_), ",\"id\":\"{:#x}\"", id);
  if (!arguments.empty()) fmt::format_to(std::back_inserter(line_), ",\"args\":{{{}}}", arguments);
  end();
  begin('e', end_at, category, name, end_ns);
  fmt::format_to(std::back_inserter(line_), ",\"id\":\"{:#x}\"", id);
  end();
}

void TraceEvents::arrow(TracePlace from, int64_t from_ns, TracePlace to, int64_t to_ns, uint64_t id) {
  begin('s', from, "launch", "launch", from_ns);
  fmt::format_to(std::back_inserter(line_), ",\"id\":{}", id);
  end();
  begin('f', to, "launch", "launch", to_ns);
  fmt::format_to(std::back_inserter(line_), ",\"id\":{},\"bp\":\"e\"", id);
  end();
}

void TraceEvents::counter(uint64_t pid, std::string_view name, int64_t ns, double value) {
  begin('C', {pid, 0}, "", name, ns);
  line_ += ",\"args\":{";
  std::string arguments;
  append_argument(&arguments, "value", value);
  line_ += arguments + "}";
  end();
}

void TraceEvents::finish(std::string_view other_data) {
  out_.write(fmt::format("\n],\"otherData\":{{{}}}}}\n", other_data));
}

}  // namespace sextant::exporters
