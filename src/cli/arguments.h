// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments: a command line understood. Grammar, as nsys has it:
//   -x value | -x        --long=value | --long value | --long        -- ends the options
// A boolean alone is true; the word behind it belongs to it only if it is `true` or `false`. Words are case
// sensitive. For commands that run a program the first word that is no option is the program, and everything
// behind it belongs to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"

namespace sextant::cli {

class Arguments {
 public:
  /// `words` without the program's and the command's name. Errors: kUsage, naming the nearest spelling of
  /// what is unknown.
  static Result<Arguments> parse(const Command& command, std::vector<std::string> words);

  const Command& command() const { return *command_; }
  const std::vector<std::string>& words() const { return words_; }  // program and its arguments, or files

  const std::vector<std::string>& given() const { return given_; }  // all words as they were

  /// The last value given to --`long_name`.
  std::optional<std::string_view> text(std::string_view long_name) const;
  std::vector<std::string_view> all(std::string_view long_name) const;  // in order
  bool flag(std::string_view long_name, bool fallback = false) const;

  /// What is added from here on does not count for options that were given before.
  void begin_layer();
  /// An option that another place than the command line gives. kUsage; `where` begins the message.
  Status add_setting(std::string_view long_name, std::string value, const std::string& where);
  /// A layer of what another command line gives.
  void add_layer(const Arguments& other);

  /// One sentence each for options and values that this release ignores.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Status parse_option(const std::vector<std::string>& in, size_t* at);
  Status add(const Flag& flag, std::string_view spelling, std::string value);

  const Command* command_ = nullptr;
  bool hidden(const Flag* flag) const;

  std::vector<std::pair<const Flag*, std::string>> values_;
  size_t layer_ = 0;  // where the last layer begins in values_
  std::vector<std::string> given_;
  std::vector<std::string> words_;
  std::vector<std::string> warnings_;
};

/// The candidate that is most like `word` (swapped, missing, doubled or wrong letters), "" if none is close.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace sextant::cli
