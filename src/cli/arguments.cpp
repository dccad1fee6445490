// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "text/units.h"

namespace sextant::cli {

namespace {

bool contains(std::string_view choices, std::string_view word) {
  bool found = false;
  for_each_word(choices, '|', [&](std::string_view choice) { found = found || choice == word; });
  return found;
}

std::vector<std::string_view> split(std::string_view choices) {
  std::vector<std::string_view> out;
  for_each_word(choices, '|', [&](std::string_view choice) { out.push_back(choice); });
  return out;
}

bool takes_next_word(ValueKind kind) {
  return kind != ValueKind::kSwitch && kind != ValueKind::kBool;
}

const Flag* find_long(uint32_t command, std::string_view name) {
  for (const Flag& flag : flags())
    if ((flag.commands & command) != 0 && flag.long_name == name) return &flag;
  return nullptr;
}

const Flag* find_short(uint32_t command, char name) {
  for (const Flag& flag : flags())
    if ((flag.commands & command) != 0 && flag.short_name == name) return &flag;
  return nullptr;
}

bool has_topic(const Command& command, std::string_view word) {
  return std::any_of(flags().begin(), flags().end(), [&](const Flag& flag) {
    return (flag.commands & command.bit) != 0 && flag.tag == word;
  });
}

tl::unexpected<Error> unknown_option(const Command& command, std::string_view option, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Flag& flag : flags())
    if ((flag.commands & command.bit) != 0) names.push_back(flag.long_name);
  const std::string_view close = option.starts_with("--") ? nearest(name, names) : "";
  if (!close.empty())
    return fail(ErrorCode::kUsage, fmt::format("unknown option '{}'; did you mean --{}?", option, close));
  return fail(ErrorCode::kUsage, fmt::format("unknown option '{}'; `sextant {} --help` lists what there is",
                                             option, command.name));
}

Status check_word(const Flag& flag, std::string_view spelling, std::string_view word) {
  if (contains(flag.choices, word) || contains(flag.later_choices, word)) return {};
  std::vector<std::string_view> known = split(flag.choices);
  const std::string list = fmt::format("{}", fmt::join(known, ", "));
  for (const std::string_view later : split(flag.later_choices)) known.push_back(later);
  const std::string_view close = nearest(word, known);
  return fail(ErrorCode::kUsage, fmt::format("'{}' is not a value of {}: {}{}{}", word, spelling, list,
                                             close.empty() ? "" : "; did you mean ",
                                             close.empty() ? "" : fmt::format("{}?", close)));
}

/// An empty value is mostly a shell's variable that is not set: `--run-as "$OWNER"` must not run as root
/// then.
bool lacks_value(const Flag& flag, std::string_view value) {
  if (flag.availability != Availability::kNow || flag.kind == ValueKind::kOptionalText) return false;
  return flag.kind == ValueKind::kList ? value.find_first_not_of(',') == std::string_view::npos
                                       : value.empty();
}

tl::unexpected<Error> needs_value(const Flag& flag, std::string_view spelling) {
  const std::string_view what = flag.argument.empty() ? "true or false" : flag.argument;
  return fail(ErrorCode::kUsage, fmt::format("{} needs a value: {}", spelling, what));
}

Status check(const Flag& flag, std::string_view spelling, std::string_view value) {
  Status status;
  if (lacks_value(flag, value)) return needs_value(flag, spelling);
  switch (flag.kind) {
    case ValueKind::kSwitch:
    case ValueKind::kBool:
      if (value != "true" && value != "false")
        return fail(ErrorCode::kUsage,
                    fmt::format("'{}' is not a value of {}: true, false", value, spelling));
      return {};
    case ValueKind::kChoice:
      return check_word(flag, spelling, value);
    case ValueKind::kList:
      if (flag.choices.empty()) return {};
      for_each_word(value, ',', [&](std::string_view word) {
        if (status) status = check_word(flag, spelling, word);
      });
      return status;
    case ValueKind::kDuration:
      if (auto parsed = text::parse_duration(value); !parsed)
        return tl::unexpected(std::move(parsed.error()).with(spelling));
      return {};
    case ValueKind::kBytes:
      if (auto parsed = text::parse_bytes(value); !parsed)
        return tl::unexpected(std::move(parsed.error()).with(spelling));
      return {};
    case ValueKind::kText:
    case ValueKind::kOptionalText:
      return {};
  }
  return {};
}

/// Values of ignored options that ask for nothing.
bool asks_for_nothing(std::string_view value) {
  return value.empty() || value == "none" || value == "false" || value == "0";
}

}  // namespace

Status Arguments::add(const Flag& flag, std::string_view spelling, std::string value) {
  SEXTANT_TRY(check(flag, spelling, value));
  if (flag.availability == Availability::kLater && !asks_for_nothing(value))
    warnings_.push_back(fmt::format("{} {} is ignored: this release cannot do it yet", spelling, value));
  std::vector<std::string_view> ignored;
  for_each_word(value, ',', [&](std::string_view word) {
    if (contains(flag.later_choices, word)) ignored.push_back(word);
  });
  if (!ignored.empty())
    warnings_.push_back(
        fmt::format("{} {} is ignored: this release cannot do it yet", spelling, fmt::join(ignored, ",")));
  values_.emplace_back(&flag, std::move(value));
  return {};
}

Status Arguments::parse_option(const std::vector<std::string>& in, size_t* at) {
  const std::string_view word = in[*at];
  const bool is_long = word.starts_with("--");
  const size_t equals = word.find('=');
  const std::string_view spelling = word.substr(0, equals);
  const Flag* flag = is_long ? find_long(command_->bit, spelling.substr(2))
                             : (spelling.size() == 2 ? find_short(command_->bit, spelling[1]) : nullptr);
  if (flag == nullptr) return unknown_option(*command_, spelling, spelling.substr(is_long ? 2 : 1));
  if (equals != std::string_view::npos) return add(*flag, spelling, std::string(word.substr(equals + 1)));
  const bool has_next = *at + 1 < in.size();
  if (takes_next_word(flag->kind)) {
    if (flag->kind == ValueKind::kOptionalText) {
      const bool is_topic = flag->long_name == "help" && has_next && has_topic(*command_, in[*at + 1]);
      return add(*flag, spelling, is_topic ? in[++*at] : "");
    }
    if (!has_next) return needs_value(*flag, spelling);
    return add(*flag, spelling, in[++*at]);
  }
  const bool value_follows =
      flag->kind == ValueKind::kBool && has_next && (in[*at + 1] == "true" || in[*at + 1] == "false");
  return add(*flag, spelling, value_follows ? in[++*at] : "true");
}

Result<Arguments> Arguments::parse(const Command& command, std::vector<std::string> words) {
  Arguments out;
  out.command_ = &command;
  out.given_ = words;
  bool options_ended = false;
  for (size_t at = 0; at < words.size(); ++at) {
    if (!options_ended && words[at] == "--") {
      options_ended = true;
    } else if (!options_ended && words[at].size() > 1 && words[at][0] == '-') {
      SEXTANT_TRY(out.parse_option(words, &at));
    } else {
      out.words_.push_back(std::move(words[at]));
      options_ended = options_ended || command.runs_program;
    }
  }
  return out;
}

void Arguments::begin_layer() {
  layer_ = values_.size();
}

bool Arguments::hidden(const Flag* flag) const {
  return std::any_of(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(layer_),
                     [&](const auto& value) { return value.first == flag; });
}

Status Arguments::add_setting(std::string_view long_name, std::string value, const std::string& where) {
  const Flag* flag = find_long(command_->bit, long_name);
  const std::string spelling = fmt::format("--{}", long_name);
  if (flag == nullptr) {
    auto error = unknown_option(*command_, spelling, long_name);
    return fail(ErrorCode::kUsage, fmt::format("{}: {}", where, error.value().message));
  }
  if (hidden(flag)) return {};
  if (const Status added = add(*flag, spelling, std::move(value)); !added)
    return fail(ErrorCode::kUsage, fmt::format("{}: {}", where, added.error().message));
  return {};
}

void Arguments::add_layer(const Arguments& other) {
  begin_layer();
  for (const auto& value : other.values_)
    if (!hidden(value.first)) values_.push_back(value);
  warnings_.insert(warnings_.end(), other.warnings_.begin(), other.warnings_.end());
}

std::optional<std::string_view> Arguments::text(std::string_view long_name) const {
  std::optional<std::string_view> found;
  for (const auto& [flag, value] : values_)
    if (flag->long_name == long_name) found = value;
  return found;
}

std::vector<std::string_view> Arguments::all(std::string_view long_name) const {
  std::vector<std::string_view> found;
  for (const auto& [flag, value] : values_)
    if (flag->long_name == long_name) found.push_back(value);
  return found;
}

bool Arguments::flag(std::string_view long_name, bool fallback) const {
  const auto value = text(long_name);
  return value ? *value == "true" : fallback;
}

}  // namespace sextant::cli
