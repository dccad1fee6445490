// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant explain: names of kernels in plain words, given on the command line, on standard input, or in a
// report.
#include "explain/explain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "event/schema_target.h"
#include "open/sniff.h"
#include "stats/registry.h"
#include "text/json_writer.h"
#include "text/log.h"
#include "text/output.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

using explain::Explanation;
using explain::Fact;

constexpr int64_t kRowsShown = 20;

/// What a report knows about a kernel beside its name.
struct Cost {
  double share = 0;  // of the time of all kernels
  int64_t total_ns = 0, instances = 0;
};

void print(const Explanation& explanation, const Cost* cost, std::string* out) {
  *out += text::printable(explanation.name) + '\n';
  *out += "  " + text::printable(explanation.summary) + '\n';
  if (cost != nullptr)
    *out += fmt::format("  {:<16} {:.1f} % of the time of all kernels, {} ns in {} launches\n", "cost",
                        cost->share, cost->total_ns, cost->instances);
  for (const Fact& fact : explanation.facts)
    *out += fmt::format("  {:<16} {}{}\n", fact.what, fact.certain ? "" : "(guessed) ",
                        text::printable(fact.text));
  for (const std::string& note : explanation.notes) *out += "  * " + text::printable(note) + '\n';
}

void print_json(const Explanation& explanation, const Cost* cost, text::JsonWriter* json) {
  json->begin_object();
  json->key("name").string(explanation.name);
  json->key("summary").string(explanation.summary);
  json->key("recognised").boolean(explanation.recognised());
  json->key("family").string(explanation.family);
  if (cost != nullptr) {
    json->key("time_percent").number(cost->share);
    json->key("total_time_ns").number(cost->total_ns);
    json->key("instances").number(cost->instances);
  }
  json->key("facts").begin_array();
  for (const Fact& fact : explanation.facts) {
    json->begin_object();
    json->key("what").string(fact.what);
    json->key("text").string(fact.text);
    json->key("certain").boolean(fact.certain);
    json->end_object();
  }
  json->end_array();
  json->key("notes").begin_array();
  for (const std::string& note : explanation.notes) json->string(note);
  json->end_array();
  json->end_object();
}

/// Prints explanations one after the other.
class Printer {
 public:
  explicit Printer(bool as_json) : as_json_(as_json) {
    if (as_json_) text_ = "[";
  }
  void add(const Explanation& explanation, const Cost* cost = nullptr) {
    if (as_json_) {
      text_ += count_ == 0 ? "\n" : ",\n";
      text::JsonWriter json(&text_, 0);
      print_json(explanation, cost, &json);
    } else {
      if (count_ > 0) text_ += '\n';
      print(explanation, cost, &text_);
    }
    ++count_;
    recognised_ += explanation.recognised() ? 1 : 0;
    if (text_.size() > kKept) flush();
  }
  int finish() {
    if (as_json_) text_ += count_ == 0 ? "]\n" : "\n]\n";
    flush();
    if (count_ > 1) text::info("{} of {} names are those of known libraries", recognised_, count_);
    if (const Status written = out_.finish(); !written) {
      if (!out_.broken_pipe()) text::error("{}", written.error().message);
      return kExitFailed;
    }
    return kExitOk;
  }

 private:
  static constexpr size_t kKept = 1 << 16;
  void flush() {
    out_.write(text_);
    text_.clear();
  }
  bool as_json_;
  std::string text_;
  text::Output out_{STDOUT_FILENO};
  size_t count_ = 0, recognised_ = 0;
};

/// The compute capability of the report's GPUs, 75 for 7.5; 0 where it is not known or there are several.
int capability(const query::Source& source) {
  const uint16_t columns[] = {event::gpu::kComputeMajor, event::gpu::kComputeMinor};
  int found = 0;
  bool several = false;
  // what cannot be read is among source.skipped()
  (void)source.scan_table(
      event::kGpu, columns, 1,
      [&](size_t, query::TableBatch& batch) {
        for (size_t i = 0; i < batch.rows; ++i) {
          if (batch.columns[0][i] == 0 || batch.columns[0][i] > 99 || batch.columns[1][i] > 9) continue;
          const int now = static_cast<int>(batch.columns[0][i] * 10 + batch.columns[1][i]);
          several = several || (found != 0 && found != now);
          found = now;
        }
      },
      query::Rows::kAll);
  return several ? 0 : found;
}

Result<int64_t> rows_of(const Arguments& arguments) {
  const auto word = arguments.text("rows");
  if (!word) return kRowsShown;
  int64_t rows = 0;
  const auto [stop, error] = std::from_chars(word->data(), word->data() + word->size(), rows);
  if (error != std::errc() || stop != word->data() + word->size() || rows <= 0)
    return fail(ErrorCode::kUsage, fmt::format("--rows wants a number from 1 on, and got '{}'", *word));
  return rows;
}

/// The kernels of a report, those that took most time first.
int explain_report(const Arguments& arguments, const std::string& path, int64_t rows, Printer* printer) {
  int code = kExitOk;
  const auto report = open_report(arguments, path, &code);
  if (!report) return code;
  stats::ReportArguments wanted;
  wanted.for_people = false;
  const auto table = stats::find_report("cuda_gpu_kern_sum")->make(report->source, wanted);
  if (!table) {
    text::error("{}: {}", path, table.error().message);
    return kExitFailed;
  }
  if (table->rows == 0) text::info("{}: {}", path, table->why_empty);
  const auto column = [&](std::string_view name) {
    for (size_t c = 0; c < table->columns.size(); ++c)
      if (table->columns[c].name == name) return c;
    return size_t{0};
  };
  const size_t share = column("Time"), total = column("Total Time"), instances = column("Instances"),
               name = column("Name");
  const int card = capability(report->source);
  for (uint64_t row = 0; row < std::min<uint64_t>(table->rows, static_cast<uint64_t>(rows)); ++row) {
    std::vector<text::Cell> cells(table->columns.size());
    table->fill(row, cells);
    const Cost cost{cells[share].real, cells[total].integer, cells[instances].integer};
    printer->add(explain::explain(cells[name].text, card), &cost);
  }
  return report->conclude();
}

/// One name a line.
void explain_input(Printer* printer) {
  std::string line;
  char buffer[1 << 16];
  ssize_t got = 0;
  const auto use = [&] {
    if (!line.empty()) printer->add(explain::explain(line));
    line.clear();
  };
  while ((got = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
    for (const char c : std::string_view(buffer, static_cast<size_t>(got))) {
      if (c == '\n')
        use();
      else if (line.size() < explain::kLongestName)
        line += c;
    }
  use();
}

bool is_file(const std::string& word) {
  const auto sniffed = open::sniff(word);
  return sniffed && sniffed->kind != open::FileKind::kUnknown && sniffed->kind != open::FileKind::kFolder;
}

}  // namespace

int run_explain(const Arguments& arguments) {
  if (arguments.words().empty()) {
    text::error("sextant explain takes names of kernels, or a report: sextant explain {}",
                arguments.command().usage);
    return kExitFailed;
  }
  const auto rows = rows_of(arguments);
  if (!rows) {
    text::error("{}", rows.error().message);
    return kExitFailed;
  }
  Printer printer(arguments.flag("json"));
  int code = kExitOk;
  for (const std::string& word : arguments.words()) {
    int now = kExitOk;
    if (word == "-")
      explain_input(&printer);
    else if (is_file(word))
      now = explain_report(arguments, word, *rows, &printer);
    else
      printer.add(explain::explain(word));
    if (now != kExitOk) code = now;
  }
  const int written = printer.finish();
  return written != kExitOk ? written : code;
}

}  // namespace sextant::cli
