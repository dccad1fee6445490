// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages for people, on standard error, one line each: "sextant: error: ...". Colours only where standard
// error is a terminal and NO_COLOR is not set. Standard output is for results only. Thread-safe: a line is
// one write.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace sextant::text {

enum class LogLevel { kQuiet = 0, kError = 1, kWarning = 2, kInfo = 3, kDebug = 4 };

/// What is printed: this level and lower ones. Starts as SEXTANT_LOG says, kInfo without it.
void set_log_level(LogLevel level);
LogLevel log_level();

/// quiet, error, warning, info, debug.
std::optional<LogLevel> parse_log_level(std::string_view word);

/// Prints a line if `level` is on. Control characters in it are escaped.
void log_line(LogLevel level, std::string_view line);

template <typename... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  if (log_level() >= LogLevel::kDebug)
    log_line(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sextant::text
