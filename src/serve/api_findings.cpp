// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET findings: what the rules of `sextant analyze` say.
#include "analysis/rule.h"
#include "serve/api.h"
#include "serve/heavy.h"

namespace sextant::serve {

namespace {

void write_finding(text::JsonWriter& json, const analysis::Rule& rule, const analysis::Finding& finding) {
  json.begin_object();
  json.key("rule").string(rule.name);
  json.key("what").string(finding.what);
  json.key("where").begin_array();
  json.begin_object();
  json.key("text").string(finding.where);
  for (const char* unknown : {"track", "event", "from", "to"}) json.key(unknown).null();
  json.end_object();
  json.end_array();
  json.key("evidence").string(finding.evidence);
  json.key("gain_ns").number(finding.gain_ns);
  json.key("advice").string(finding.advice);
  json.end_object();
}

}  // namespace

Answer answer_findings(const Call& call) {
  const HeavyWork turn;
  SEXTANT_ASSIGN(const OpenReport::Limited limited, call.report.limited({}));
  Json json;
  json.writer.begin_object();
  json.writer.key("findings").begin_array();
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const analysis::Rule& rule : analysis::rules()) {
    const auto outcome = rule.run(*limited.source, {});
    if (!outcome) {
      reasons.emplace_back(rule.name, outcome.error().message);
      continue;
    }
    for (const analysis::Finding& finding : outcome->findings) write_finding(json.writer, rule, finding);
    if (outcome->findings.empty()) reasons.emplace_back(rule.name, outcome->table.why_empty);
  }
  json.writer.end_array();
  json.writer.key("reasons").begin_array();
  for (const auto& [rule, reason] : reasons) {
    json.writer.begin_object();
    json.writer.key("rule").string(rule);
    json.writer.key("text").string(reason);
    json.writer.end_object();
  }
  json.writer.end_array();
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
