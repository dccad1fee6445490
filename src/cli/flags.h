// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The flag table: every option and command of the program as data. The parser, --help, the manual page and
// shell completion are made from it and from nothing else. Names and meanings are those of nsys where it has
// the same thing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sextant::cli {

class Arguments;

enum CommandBit : uint32_t {
  kProfile = 1u << 0,
  kStats = 1u << 1,
  kInfo = 1u << 2,
  kExport = 1u << 3,
  kRecover = 1u << 4,
  kVerify = 1u << 5,
  kHelp = 1u << 6,
  kVersion = 1u << 7,
  kAnalyze = 1u << 8,
  kSql = 1u << 9,
  kDoctor = 1u << 10,
  kStatus = 1u << 11,
  kSeccomp = 1u << 12,
  kExplainError = 1u << 13,
  kCompletion = 1u << 14,
  kCut = 1u << 15,
  kClean = 1u << 16,
  kTop = 1u << 17,
  kFlame = 1u << 21,
  kExplain = 1u << 20,
  kServe = 1u << 22,
  kView = 1u << 23,
  kDemo = 1u << 24,
  kReading = kStats | kAnalyze | kInfo | kSql | kExport | kVerify | kExplain | kCut | kFlame,
  kEvery = ~0u,
};

enum class ValueKind : uint8_t {
  kSwitch,        // no value (--name=true and =false are understood)
  kBool,          // true or false; alone it means true
  kText,          // anything
  kOptionalText,  // anything, with = only; alone it means ""
  kChoice,        // one of `choices`
  kList,          // comma separated; each of `choices` or `later_choices` if there are any
  kDuration,      // text::parse_duration
  kBytes,         // text::parse_bytes
};

enum class Availability : uint8_t {
  kNow,
  kLater,    // an option of nsys that this release ignores, with one line of warning
  kImplied,  // an option of nsys whose effect is always there: ignored silently
};

struct Flag {
  char short_name;  // 0: none
  std::string_view long_name;
  ValueKind kind;
  std::string_view argument;       // what --help calls the value
  std::string_view choices;        // separated by |
  std::string_view later_choices;  // known, accepted with a warning
  std::string_view fallback;       // shown as the default, "" for none
  uint32_t commands;               // CommandBit
  std::string_view tag;            // topic of --help=TAG
  std::string_view help;
  Availability availability = Availability::kNow;
};

struct Command {
  uint32_t bit;
  std::string_view name;
  std::string_view usage;     // behind "sextant NAME"
  std::string_view summary;   // one line
  std::string_view details;   // paragraphs, "" for none
  std::string_view examples;  // lines, without the indentation
  bool runs_program;          // the first word that is no option starts the program's command line
  int (*run)(const Arguments&);
};

std::span<const Flag> flags();
std::span<const Command> commands();
const Command* find_command(std::string_view name);

/// Calls use(word) for every non-empty part of `list` between `separator`s.
template <typename Use>
void for_each_word(std::string_view list, char separator, Use use) {
  while (!list.empty()) {
    const size_t end = list.find(separator);
    const std::string_view word = list.substr(0, end);
    if (!word.empty()) use(word);
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
}

}  // namespace sextant::cli
