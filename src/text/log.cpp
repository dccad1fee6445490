// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "text/log.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "text/utf8.h"

namespace sextant::text {

namespace {

struct LevelText {
  std::string_view word;   // of --log-level
  std::string_view label;  // before the message; information has none
  std::string_view colour;
};
constexpr LevelText kLevels[] = {
    {"quiet", "", ""}, {"error", "error: ", "\033[1;31m"}, {"warning", "warning: ", "\033[1;33m"},
    {"info", "", ""},  {"debug", "debug: ", "\033[2m"},
};

LogLevel initial_level() {
  const char* word = std::getenv("SEXTANT_LOG");
  return (word != nullptr ? parse_log_level(word) : std::nullopt).value_or(LogLevel::kInfo);
}

std::atomic<LogLevel>& current_level() {
  static std::atomic<LogLevel> level = initial_level();
  return level;
}

bool coloured() {
  static const bool yes = ::isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  return yes;
}

}  // namespace

void set_log_level(LogLevel level) {
  current_level() = level;
}
LogLevel log_level() {
  return current_level();
}

std::optional<LogLevel> parse_log_level(std::string_view word) {
  for (int i = 0; i < 5; ++i)
    if (kLevels[i].word == word) return static_cast<LogLevel>(i);
  return std::nullopt;
}

void log_line(LogLevel level, std::string_view line) {
  if (level > log_level() || level == LogLevel::kQuiet) return;
  const LevelText& text = kLevels[static_cast<int>(level)];
  std::string out = "sextant: ";
  if (coloured() && !text.colour.empty()) {
    out += text.colour;
    out += text.label;
    out += "\033[0m";
  } else {
    out += text.label;
  }
  out += printable(line);
  out += '\n';
  // A closed or full standard error must not hurt what the program does.
  if (::write(STDERR_FILENO, out.data(), out.size()) < 0) return;
}

}  // namespace sextant::text
