// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/arguments.h"

namespace sextant::cli {

namespace {

constexpr size_t kWidth = 100;
constexpr size_t kTextColumn = 6;

/// Appends `text` wrapped to kWidth, each line indented.
void append_wrapped(std::string* out, std::string_view text, size_t indent) {
  size_t column = 0;
  for_each_word(text, ' ', [&](std::string_view word) {
    if (column == 0 || column + 1 + word.size() > kWidth) {
      if (column != 0) out->push_back('\n');
      out->append(indent, ' ');
      column = indent;
    } else {
      out->push_back(' ');
      ++column;
    }
    out->append(word);
    column += word.size();
  });
  out->push_back('\n');
}

std::string flag_help(const Flag& flag) {
  std::string out = "  ";
  if (flag.short_name != 0) out += fmt::format("-{}, ", flag.short_name);
  out += fmt::format("--{}", flag.long_name);
  if (!flag.argument.empty())
    out += flag.kind == ValueKind::kBool || flag.kind == ValueKind::kOptionalText
               ? fmt::format("[={}]", flag.argument)
               : fmt::format("={}", flag.argument);
  out += '\n';
  std::string text(flag.help);
  if (flag.kind == ValueKind::kList && !flag.choices.empty()) {
    text += " Values: ";
    bool first = true;
    for_each_word(flag.choices, '|', [&](std::string_view choice) {
      text += fmt::format("{}{}", first ? "" : ", ", choice);
      first = false;
    });
    text += '.';
  }
  if (!flag.fallback.empty()) text += fmt::format(" Default: {}.", flag.fallback);
  append_wrapped(&out, text, kTextColumn);
  return out;
}

std::vector<std::string_view> topics_of(const Command& command) {
  std::vector<std::string_view> topics;
  for (const Flag& flag : flags())
    if ((flag.commands & command.bit) != 0 &&
        std::find(topics.begin(), topics.end(), flag.tag) == topics.end())
      topics.push_back(flag.tag);
  return topics;
}

void append_indented(std::string* out, std::string_view lines) {
  for_each_word(lines, '\n', [&](std::string_view line) { *out += fmt::format("  {}\n", line); });
}

}  // namespace

std::string general_help() {
  std::string out =
      "usage: sextant COMMAND [OPTIONS] [ARGUMENTS]\n\n"
      "Records what GPU programs do and answers questions about it.\n\n";
  for (const Command& command : commands())
    out += fmt::format("  {:<13} {}\n", command.name, command.summary);
  out += "\nA first run:\n";
  append_indented(&out, "sextant profile ./program\nsextant stats report1.sxt");
  out += "\n`sextant COMMAND --help` tells more.\n";
  return out;
}

Result<std::string> command_help(const Command& command, std::string_view topic) {
  const std::vector<std::string_view> topics = topics_of(command);
  if (!topic.empty() && std::find(topics.begin(), topics.end(), topic) == topics.end())
    return fail(ErrorCode::kUsage,
                fmt::format("'{}' is no help topic of {}: {}", topic, command.name, fmt::join(topics, ", ")));
  std::string out =
      fmt::format("usage: sextant {}{}{}\n\n", command.name, command.usage.empty() ? "" : " ", command.usage);
  if (topic.empty()) {
    out += fmt::format("{}.\n", command.summary);
    if (!command.details.empty()) out += fmt::format("\n{}\n", command.details);
    out += "\nExamples:\n";
    append_indented(&out, command.examples);
  }
  for (const std::string_view shown : topics) {
    if (topic.empty() ? shown == "later" : shown != topic) continue;
    out += fmt::format("\n{}{}:\n",
                       shown == "later" ? "Options of nsys that this release ignores" : "Options, topic ",
                       shown == "later" ? "" : shown);
    for (const Flag& flag : flags())
      if ((flag.commands & command.bit) != 0 && flag.tag == shown) out += flag_help(flag);
  }
  if (topic.empty() && topics.size() > 1)
    out += fmt::format("\nTopics for --help TOPIC: {}\n", fmt::join(topics, ", "));
  return out;
}

std::string version_text() {
  return fmt::format("sextant {}\n", SEXTANT_VERSION);
}

}  // namespace sextant::cli
