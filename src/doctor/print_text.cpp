// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "doctor/blank.h"
#include "doctor/print.h"
#include "text/utf8.h"

namespace sextant::doctor {

namespace {

constexpr size_t kWidth = 100;

/// Appends words wrapped to kWidth; lines after the first are indented.
void append_wrapped(std::string* out, size_t column, size_t indent, std::string_view text) {
  bool first = true;
  for (const std::string& word : words_of(text)) {
    if (!first && column + 1 + text::code_points(word) > kWidth) {
      *out += '\n';
      out->append(indent, ' ');
      column = indent;
    } else if (!first) {
      *out += ' ';
      ++column;
    }
    *out += word;
    column += text::code_points(word);
    first = false;
  }
  *out += '\n';
}

void append_item(std::string* out, size_t indent, std::string_view label, std::string_view text) {
  out->append(indent, ' ');
  *out += label;
  append_wrapped(out, indent + text::code_points(label), indent + text::code_points(label), text);
}

bool wanted(const PrintOptions& options, Capability capability) {
  return options.goal == nullptr || holds(options.goal->capabilities, capability);
}

std::string_view denier_title(const Surroundings& seen, Denier denier) {
  switch (denier) {
    case Denier::kNobody:
      return "nobody";
    case Denier::kParanoid:
      return "the kernel's paranoid level";
    case Denier::kPatchedParanoid:
      return "the distribution's paranoid level";
    case Denier::kSeccomp:
      return seen.in_container() ? "the container's seccomp filter" : "a seccomp filter";
    case Denier::kUserNamespace:
      return "the user namespace";
    case Denier::kSecurityModule:
      return "a security module or sandbox";
    case Denier::kYama:
      return "yama (kernel.yama.ptrace_scope)";
    case Denier::kKernel:
      return "the kernel";
    case Denier::kDriver:
      return "the NVIDIA driver";
    case Denier::kHolder:
      return "another holder of the counters";
    case Denier::kVgpu:
      return "the hypervisor (vGPU)";
    case Denier::kDevice:
      return "the device files";
    case Denier::kFiles:
      return "this installation";
  }
  return "";
}

std::string summary(const Surroundings& seen, const PrintOptions& options, const Diagnosis& diagnosis) {
  std::string out;
  for (const Verdict& verdict : diagnosis.verdicts)
    if (wanted(options, verdict.capability)) {
      const CapabilityWords& words = words_for(verdict.capability);
      const std::string head = fmt::format("  {:<17} {:<31}", words.name, words.title);
      out += head;
      std::string tail = in_words(seen, verdict);
      if (verdict.state == State::kNotHere) tail += ": " + verdict.evidence;
      append_wrapped(&out, head.size(), head.size(), tail);
    }
  return out;
}

void append_remedies(std::string* out, const Verdict& verdict) {
  int number = 0;
  for (const Remedy* remedy : verdict.remedies) {
    append_item(out, 4, fmt::format("{}. ", ++number), fmt::format("{}.", remedy->what));
    for (std::string_view lines = remedy->command; !lines.empty();) {
      const size_t end = std::min(lines.find('\n'), lines.size());
      *out += fmt::format("           {}\n", lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    if (!remedy->pod.empty()) *out += "       `sextant doctor --k8s` prints the fields of the pod.\n";
    append_item(out, 7, "Opens besides: ", fmt::format("{}. Must agree: {}.", remedy->opens, remedy->who));
  }
}

/// Capabilities that are denied for the same reason with the same remedies are told together.
bool same_story(const Verdict& a, const Verdict& b) {
  return a.state == b.state && a.denier == b.denier && a.evidence == b.evidence && a.notes == b.notes &&
         a.remedies == b.remedies;
}

/// `names` of the capabilities that share the story of the first in `left`; they are taken out of it.
std::string take_story(std::vector<const Verdict*>* left) {
  const Verdict& first = *left->front();
  std::string names;
  std::erase_if(*left, [&](const Verdict* other) {
    if (!same_story(first, *other)) return false;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", words_for(other->capability).name);
    return true;
  });
  return names;
}

std::string stories(const Surroundings& seen, const PrintOptions& options, const Diagnosis& diagnosis) {
  std::string out;
  std::vector<const Verdict*> left;
  for (const Verdict& verdict : diagnosis.verdicts)
    if (wanted(options, verdict.capability) && (verdict.state == State::kDenied || options.goal != nullptr))
      left.push_back(&verdict);
  while (!left.empty()) {
    const Verdict& first = *left.front();
    append_item(&out, 2, take_story(&left) + ": ", in_words(seen, first) + ".");
    append_item(&out, 4, "", first.evidence + ".");
    for (const std::string& note : first.notes) append_item(&out, 4, "", note + ".");
    append_remedies(&out, first);
  }
  return out;
}

/// What is to be known about that which is not denied.
std::string notes(const PrintOptions& options, const Diagnosis& diagnosis) {
  std::string out;
  std::vector<const Verdict*> left;
  for (const Verdict& verdict : diagnosis.verdicts)
    if (options.goal == nullptr && verdict.state != State::kDenied && !verdict.notes.empty())
      left.push_back(&verdict);
  while (!left.empty()) {
    const Verdict& first = *left.front();
    append_item(&out, 2, take_story(&left) + ": ", fmt::format("{}.", fmt::join(first.notes, "; ")));
  }
  return out;
}

bool denied(const Diagnosis& diagnosis, Capability capability) {
  return verdict_of(diagnosis, capability).state == State::kDenied;
}

std::string right_now(const Surroundings& seen, const Diagnosis& diagnosis) {
  std::string out;
  if (verdict_of(diagnosis, Capability::kNvtx).state == State::kAllowed)
    out += "  sextant profile -t nvtx PROGRAM\n";
  if (!seen.driver) return out;
  if (denied(diagnosis, Capability::kSampling) || denied(diagnosis, Capability::kSwitches)) {
    out += "  nsys profile -t cuda,nvtx,osrt --sample=none --cpuctxsw=none PROGRAM\n";
    append_item(
        &out, 6, "",
        "--sample=none alone is not enough for nsys: context switches stay on by default, need the same "
        "system call, and cause the same error; --cpuctxsw=none belongs to it.");
  } else {
    out += "  nsys profile -t cuda,nvtx,osrt PROGRAM\n";
  }
  return out;
}

std::string neighbours(const Diagnosis& diagnosis) {
  std::string out;
  for (const Neighbour& one : diagnosis.neighbours) {
    append_item(&out, 2, "",
                fmt::format("{}{}: {} ({}).", text::printable(one.name),
                            one.pid == 0 ? "" : fmt::format(" [{}]", one.pid), one.what, one.how_sure));
    if (!one.to_do.empty()) append_item(&out, 4, "To free them: ", one.to_do + ".");
  }
  return out;
}

std::string facts(const Diagnosis& diagnosis, std::initializer_list<std::string_view> topics) {
  std::string out;
  for (const std::string_view topic : topics)
    for (const Fact& fact : diagnosis.facts)
      if (fact.topic == topic)
        append_item(&out, 2, fmt::format("{:<27} ", fact.name), text::printable(fact.value));
  return out;
}

std::string goal_line(const Diagnosis& diagnosis, const Goal& goal) {
  switch (outcome_of(diagnosis, goal)) {
    case Outcome::kMet:
      return fmt::format("{} ({}): yes\n", goal.name, goal.what);
    case Outcome::kNotRecorded:
      return fmt::format("{} ({}): the machine allows it, this release of Sextant does not record it yet\n",
                         goal.name, goal.what);
    case Outcome::kNotMet:
      break;
  }
  return fmt::format("{} ({}): no\n", goal.name, goal.what);
}

void section(std::string* out, std::string_view title, const std::string& body) {
  if (!body.empty()) *out += fmt::format("{}{}\n{}", out->empty() ? "" : "\n", title, body);
}

}  // namespace

std::string in_words(const Surroundings& seen, const Verdict& verdict) {
  switch (verdict.state) {
    case State::kAllowed:
      return "allowed";
    case State::kNotRecorded:
      return "allowed, but not recorded by this release";
    case State::kDenied:
      return fmt::format("denied by {}", denier_title(seen, verdict.denier));
    case State::kNotHere:
      break;
  }
  return "not here";
}

std::string as_text(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options) {
  std::string out;
  if (options.goal != nullptr) out += goal_line(diagnosis, *options.goal);
  section(&out, "What can be recorded here", summary(seen, options, diagnosis));
  section(&out, "Why, and what to do, the least first", stories(seen, options, diagnosis));
  section(&out, "Good to know", notes(options, diagnosis));
  if (options.goal != nullptr && !options.goal->advice.empty()) {
    std::string advice;
    append_item(&advice, 2, "", options.goal->advice);
    section(&out, "Advice", advice);
  }
  section(&out, "What records right now", right_now(seen, diagnosis));
  section(&out, "Who else is here", neighbours(diagnosis));
  section(&out, "Where this is", facts(diagnosis, {"where", "rights", "clock"}));
  section(&out, "GPUs", facts(diagnosis, {"gpus"}));
  section(&out, "Tools and libraries", facts(diagnosis, {"tools", "opencl"}));
  return Blanker(seen, options.full)(out);
}

}  // namespace sextant::doctor
