// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "analysis/rule.h"
#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "cli/time_filter.h"
#include "text/json_writer.h"
#include "text/log.h"
#include "text/output.h"
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
    out += fmt::format("  {}[{}]\n      {}. {}.\n", rule.name, rule.arguments, rule.title, rule.meaning);
  return out;
}

/// False: it is unknown or its arguments are wrong, and that was said.
bool choose(std::string_view word, std::vector<Chosen>* chosen) {
  auto choice = analysis::choose_rule(word);
  if (!choice) {
    text::error("{}", choice.error().message);
    return false;
  }
  if (choice->rule != nullptr) {
    chosen->push_back({std::string(word), *choice});
    return true;
  }
  const std::string_view name = word.substr(0, word.find(':'));
  std::vector<std::string_view> names;
  for (const analysis::Rule& rule : analysis::rules()) names.push_back(rule.name);
  const std::string_view close = nearest(name, names);
  text::error("there is no rule '{}'{}", name,
              close.empty() ? "; `sextant analyze --help-rules` lists all"
                            : fmt::format("; did you mean {}?", close));
  return false;
}

bool choose_rules(const Arguments& arguments, std::vector<Chosen>* chosen) {
  bool all_known = true;
  for (const std::string_view list : arguments.all("rule"))
    for_each_word(list, ',', [&](std::string_view word) { all_known = choose(word, chosen) && all_known; });
  if (all_known && chosen->empty())
    for (const analysis::Rule& rule : analysis::rules())
      chosen->push_back({std::string(rule.name), {&rule, {}}});
  return all_known;
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

void print_for_people(text::Output* out, const Chosen& chosen, Outcome& outcome, int64_t recorded_ns) {
  if (outcome.table.rows == 0)
    return out->write(
        fmt::format("\n ** {} ({}):\n\n {}\n", outcome.table.title, chosen.name, outcome.table.why_empty));
  outcome.table.notes.emplace_back("Findings, the most to gain first:");
  text::print_table(out, outcome.table, text::TableFormat::kColumn);
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

/// Output of all rules: tables, or one JSON document of findings.
class Printer {
 public:
  Printer(const Arguments& arguments, int64_t recorded_ns)
      : format_(arguments.text("format").value_or("column")),
        findings_(arguments.flag("json")),
        recorded_ns_(recorded_ns) {
    if (!findings_) return;
    json_.begin_object();
    json_.key("findings").begin_array();
  }

  void print(const Chosen& chosen, Outcome& outcome) {
    outcome.table.name = chosen.name;
    outcome.table.title = chosen.choice.rule->title;
    const bool for_people = format_ == "column";
    if (outcome.table.rows == 0 && (findings_ || !for_people))
      text::info("{}: {}", chosen.name, outcome.table.why_empty);
    if (findings_) return add_json(&json_, chosen, outcome, recorded_ns_);
    if (for_people) return print_for_people(&out_, chosen, outcome, recorded_ns_);
    text::print_table(&out_, outcome.table,
                      format_ == "csv" ? text::TableFormat::kCsv : text::TableFormat::kJson);
  }

  bool failed() const { return out_.failed(); }

  /// False: standard output could not be written, and that was said.
  bool finish() {
    if (findings_) {
      json_.end_array();
      json_.end_object();
      out_.write(document_ + "\n");
    }
    const Status written = out_.finish();
    if (!written && !out_.broken_pipe()) text::error("{}", written.error().message);
    return written.has_value();
  }

 private:
  std::string_view format_;
  bool findings_;
  int64_t recorded_ns_;
  std::string document_;
  text::JsonWriter json_{&document_};
  text::Output out_{STDOUT_FILENO};
};

/// False where the rule could not be run; that was said.
bool run_rule(const Chosen& chosen, query::Source* source, Printer* printer) {
  const query::Window all = source->window();
  const auto window = window_of(chosen.choice.arguments, *source);
  if (window) source->set_window(*window);
  auto outcome =
      window ? chosen.choice.rule->run(*source, chosen.choice.arguments) : tl::unexpected(window.error());
  if (outcome) {
    printer->print(chosen, *outcome);
  } else {
    text::error("{}: {}", chosen.name, outcome.error().message);
  }
  source->set_window(all);
  return outcome.has_value();
}

}  // namespace

int run_analyze(const Arguments& arguments) {
  if (arguments.flag("help-rules")) return print_result(list_of_rules());
  std::vector<Chosen> chosen;
  if (!choose_rules(arguments, &chosen)) return kExitFailed;
  int code = kExitOk;
  auto report = open_report(arguments, &code);
  if (!report) return code;
  if (const Status limited = limit_time(arguments, &report->source); !limited) {
    text::error("{}", limited.error().message);
    return kExitFailed;
  }
  Printer printer(arguments, report->source.duration_ns());
  bool all_run = true;
  for (Chosen& wanted : chosen) {
    wanted.choice.arguments.like_nsys = arguments.flag("like-nsys");
    all_run = run_rule(wanted, &report->source, &printer) && all_run;
    if (printer.failed()) break;
  }
  if (!printer.finish()) return kExitFailed;
  const int lacks = report->conclude();
  return all_run ? lacks : kExitFailed;
}

}  // namespace sextant::cli
