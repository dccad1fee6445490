// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "analysis/rule.h"
#include "cli/choosing.h"
#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "cli/table_output.h"
#include "cli/time_filter.h"
#include "text/json_writer.h"
#include "text/log.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

using analysis::Finding;
using analysis::Outcome;

struct Chosen {
  std::string name;  // with its arguments
  analysis::RuleChoice choice;
};

std::string list_of_rules() {
  std::string out = "The following rules are there; all of them are tried when none is named.\n\n";
  for (const analysis::Rule& rule : analysis::rules())
    out += shelf_entry("", rule.name, fmt::format("[{}]", rule.arguments), rule.title, rule.meaning);
  return out;
}

/// Rules named with -r, or all. False: one cannot be tried, and that was said.
bool choose_rules(const Arguments& arguments, std::vector<Chosen>* chosen) {
  Shelf shelf{"rule", "help-rules", {}, [chosen](std::string_view word) -> Result<bool> {
                SEXTANT_ASSIGN(const analysis::RuleChoice choice, analysis::choose_rule(word));
                if (choice.rule != nullptr) chosen->push_back({std::string(word), choice});
                return choice.rule != nullptr;
              }};
  for (const analysis::Rule& rule : analysis::rules()) shelf.names.push_back(rule.name);
  if (!take_chosen(arguments, shelf)) return false;
  if (chosen->empty())
    for (const analysis::Rule& rule : analysis::rules())
      chosen->push_back({std::string(rule.name), {&rule, {}}});
  return true;
}

/// The rule's own span of time instead of the command's.
Result<query::Window> window_of(const analysis::RuleArguments& rule, const query::Source& source) {
  query::Window window = source.window();
  if (!rule.nvtx.empty()) {
    SEXTANT_ASSIGN(window, find_range(source, rule.nvtx));
  }
  if (rule.start_ns) window.from_ns = *rule.start_ns;
  if (rule.end_ns) window.to_ns = *rule.end_ns;
  return window;
}

/// What is to gain at most, also as a share of the recording.
std::string gain_text(int64_t gain_ns, int64_t recorded_ns) {
  if (recorded_ns <= 0) return text::duration(gain_ns);
  return fmt::format("{} ({:.1f} % of the recorded {})", text::duration(gain_ns),
                     100.0 * static_cast<double>(gain_ns) / static_cast<double>(recorded_ns),
                     text::duration(recorded_ns));
}

std::string as_text(const Finding& finding, int64_t recorded_ns) {
  return fmt::format(
      "   {}\n       where:    {}\n       evidence: {}\n       to gain:  at most {}\n       to do:    {}\n",
      text::printable(finding.what), text::printable(finding.where), text::printable(finding.evidence),
      gain_text(finding.gain_ns, recorded_ns), finding.advice);
}

void print_for_people(text::Output* out, const Chosen& chosen, Outcome& outcome, int64_t recorded_ns,
                      text::TableFormat format, text::TimeUnit unit) {
  if (outcome.table.rows == 0)
    return out->write(
        fmt::format("\n ** {} ({}):\n\n {}\n", outcome.table.title, chosen.name, outcome.table.why_empty));
  outcome.table.notes.emplace_back("Findings, the most to gain first:");
  text::print_table(out, text::in_time_unit(std::move(outcome.table), unit), format);
  for (const Finding& finding : outcome.findings) out->write(as_text(finding, recorded_ns) + "\n");
}

void add_json(text::JsonWriter* json, const Chosen& chosen, const Outcome& outcome, int64_t recorded_ns) {
  for (const Finding& finding : outcome.findings) {
    json->begin_object();
    json->key("rule").string(chosen.choice.rule->name);
    json->key("what").string(finding.what);
    json->key("where").string(finding.where);
    json->key("evidence").string(finding.evidence);
    json->key("gain_at_most_ns").number(finding.gain_ns);
    json->key("recorded_ns").number(recorded_ns);
    json->key("to_do").string(finding.advice);
    json->end_object();
  }
}

/// Output of all rules: one JSON document of findings, one of the rows of several rules, or tables.
class Printer {
 public:
  Printer(const Arguments& arguments, const OpenedReport& report, size_t rules)
      : findings_(arguments.flag("json")),
        recorded_ns_(report.source.duration_ns()),
        out_(arguments, report),
        one_document_(!findings_ && rules > 1 && out_.to_one_place(text::TableFormat::kJson)) {
    if (findings_) {
      json_.begin_object();
      if (!report.set_name.empty()) json_.key("report").string(report.path);
      json_.key("findings").begin_array();
    }
  }

  /// False: it could not be written, and that was said.
  bool print(const Chosen& chosen, Outcome& outcome) {
    outcome.table.name = chosen.name;
    outcome.table.title = chosen.choice.rule->title;
    const text::TableFormat format = out_.format();
    const bool for_people = format == text::TableFormat::kColumn || format == text::TableFormat::kTable;
    if (outcome.table.rows == 0 && (findings_ || !for_people))
      text::info("{}: {}", chosen.name, outcome.table.why_empty);
    if (findings_) {
      add_json(&json_, chosen, outcome, recorded_ns_);
      return true;
    }
    if (!for_people && !one_document_) return out_.print(std::move(outcome.table));
    text::Output* out = out_.open(chosen.name);
    if (out == nullptr) return false;
    if (for_people) {
      print_for_people(out, chosen, outcome, recorded_ns_, format, out_.unit());
    } else {
      std::string key = members_++ == 0 ? "{\n" : ",\n";
      text::append_json_string(&key, chosen.name);
      out->write(key + ": ");
      text::print_json_rows(out, text::in_time_unit(std::move(outcome.table), out_.unit()));
    }
    return out_.close();
  }

  bool failed() const { return out_.failed(); }

  /// False: standard output could not be written, and that was said.
  bool finish() {
    if (findings_) {
      json_.end_array();
      json_.end_object();
    }
    if (one_document_) document_ = members_ == 0 ? "{}" : "\n}";
    if (!document_.empty()) {
      if (text::Output* out = out_.open("findings")) out->write(document_ + "\n"), out_.close();
    }
    return out_.finish();
  }

 private:
  bool findings_;
  int64_t recorded_ns_;
  TableOutput out_;
  bool one_document_;
  size_t members_ = 0;
  std::string document_;
  text::JsonWriter json_{&document_};
};

/// False where the rule could not be run; that was said.
bool run_rule(const Chosen& chosen, query::Source* source, Printer* printer) {
  const query::Window all = source->window();
  const auto window = window_of(chosen.choice.arguments, *source);
  if (window) source->set_window(*window);
  auto outcome =
      window ? chosen.choice.rule->run(*source, chosen.choice.arguments) : tl::unexpected(window.error());
  source->set_window(all);
  if (outcome) return printer->print(chosen, *outcome);
  text::error("{}: {}", chosen.name, outcome.error().message);
  return false;
}

int analyze(const Arguments& arguments, const std::vector<Chosen>& chosen, OpenedReport* report) {
  if (const Status limited = limit_time(arguments, &report->source); !limited) {
    text::error("{}", limited.error().message);
    return kExitFailed;
  }
  Printer printer(arguments, *report, chosen.size());
  bool all_run = true;
  for (Chosen wanted : chosen) {
    wanted.choice.arguments.like_nsys = arguments.flag("like-nsys");
    all_run = run_rule(wanted, &report->source, &printer) && all_run;
    if (printer.failed()) break;
  }
  if (!printer.finish()) return kExitFailed;
  return graver(all_run ? kExitOk : kExitFailed, report->conclude());
}

}  // namespace

int run_analyze(const Arguments& arguments) {
  if (arguments.flag("help-rules")) return print_result(list_of_rules());
  std::vector<Chosen> chosen;
  if (!choose_rules(arguments, &chosen)) return kExitFailed;
  return for_each_report(arguments, arguments.words(),
                         prints_for_people(arguments) && !arguments.flag("json"),
                         [&](OpenedReport& report) { return analyze(arguments, chosen, &report); });
}

}  // namespace sextant::cli
