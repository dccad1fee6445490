// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON form. Keys and words are an interface (docs/doctor.md): new ones may come, none changes its
// meaning.
#include "doctor/blank.h"
#include "doctor/print.h"
#include "text/json_writer.h"

namespace sextant::doctor {

namespace {

constexpr int kFormat = 1;

void write_remedy(text::JsonWriter* json, const Remedy& remedy) {
  json->begin_object();
  json->key("id").string(remedy.id);
  json->key("what").string(remedy.what);
  json->key("command").string(remedy.command);
  json->key("opens").string(remedy.opens);
  json->key("must_agree").string(remedy.who);
  json->key("pod").string(remedy.pod);
  json->end_object();
}

void write_verdict(text::JsonWriter* json, const Verdict& verdict, const Blanker& blank) {
  json->begin_object();
  json->key("name").string(words_for(verdict.capability).name);
  json->key("title").string(words_for(verdict.capability).title);
  json->key("state").string(state_word(verdict.state));
  json->key("denied_by");
  verdict.state == State::kDenied ? json->string(denier_word(verdict.denier)) : json->null();
  json->key("evidence").string(blank(verdict.evidence));
  json->key("notes").begin_array();
  for (const std::string& note : verdict.notes) json->string(blank(note));
  json->end_array();
  json->key("remedies").begin_array();
  for (const Remedy* remedy : verdict.remedies) write_remedy(json, *remedy);
  json->end_array();
  json->end_object();
}

std::string_view outcome_word(Outcome outcome) {
  return outcome == Outcome::kMet ? "met" : outcome == Outcome::kNotRecorded ? "not-recorded" : "not-met";
}

void write_lists(text::JsonWriter* json, const Diagnosis& diagnosis, const Blanker& blank) {
  json->key("neighbours").begin_array();
  for (const Neighbour& one : diagnosis.neighbours) {
    json->begin_object();
    json->key("name").string(blank(one.name));
    json->key("pid").number(one.pid);
    json->key("what").string(blank(one.what));
    json->key("how_sure").string(one.how_sure);
    json->key("to_do").string(one.to_do);
    json->end_object();
  }
  json->end_array();
  json->key("facts").begin_array();
  for (const Fact& fact : diagnosis.facts) {
    json->begin_object();
    json->key("topic").string(fact.topic);
    json->key("name").string(fact.name);
    json->key("value").string(blank(fact.value));
    json->end_object();
  }
  json->end_array();
}

}  // namespace

std::string as_json(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options) {
  const Blanker blank(seen, options.full);
  std::string out;
  text::JsonWriter json(&out);
  json.begin_object();
  json.key("format").number(kFormat);
  json.key("capabilities").begin_array();
  for (const Verdict& verdict : diagnosis.verdicts)
    if (options.goal == nullptr || holds(options.goal->capabilities, verdict.capability))
      write_verdict(&json, verdict, blank);
  json.end_array();
  json.key("goals").begin_array();
  for (const Goal& goal : goals()) {
    if (options.goal != nullptr && &goal != options.goal) continue;
    json.begin_object();
    json.key("name").string(goal.name);
    json.key("outcome").string(outcome_word(outcome_of(diagnosis, goal)));
    json.key("advice").string(goal.advice);
    json.end_object();
  }
  json.end_array();
  write_lists(&json, diagnosis, blank);
  json.end_object();
  return out + "\n";
}

}  // namespace sextant::doctor
