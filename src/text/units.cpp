// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "text/units.h"

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <charconv>
#include <cmath>

namespace sextant::text {

namespace {

/// Four significant digits at most, no trailing zeros.
std::string short_number(double value) {
  std::string text = fmt::format("{:.{}f}", value, value < 10 ? 3 : value < 100 ? 2 : 1);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

struct Scale {
  std::string_view unit;
  double factor;
};

/// "12.5k" -> 12.5 and the factor of "k". Negative and non-finite numbers are refused.
template <size_t N>
Result<double> parse_scaled(std::string_view word, const std::array<Scale, N>& scales,
                            std::string_view expected) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), value, std::chars_format::fixed);
  const std::string_view unit = word.substr(static_cast<size_t>(end - word.data()));
  if (error == std::errc() && std::isfinite(value) && value >= 0 && !std::signbit(value))
    for (const Scale& scale : scales)
      if (scale.unit == unit && value * scale.factor < 9e18) return value * scale.factor;
  return fail(ErrorCode::kUsage, fmt::format("'{}' is not {}", word, expected));
}

}  // namespace

std::string duration(int64_t ns) {
  if (ns < 0) return "-" + duration(ns == INT64_MIN ? INT64_MAX : -ns);
  const auto d = static_cast<double>(ns);
  if (ns < 1'000) return fmt::format("{} ns", ns);
  if (ns < 1'000'000) return short_number(d / 1e3) + " us";
  if (ns < 1'000'000'000) return short_number(d / 1e6) + " ms";
  if (ns < 60'000'000'000) return short_number(d / 1e9) + " s";
  const int64_t s = ns / 1'000'000'000;
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string bytes(uint64_t n) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (n < 1024) return fmt::format("{} B", n);
  auto value = static_cast<double>(n) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{} {}", short_number(value), kUnits[unit]);
}

std::string counted(uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string utc_time(uint64_t realtime_ns) {
  const auto seconds = static_cast<time_t>(realtime_ns / 1'000'000'000);
  tm t{};
  if (::gmtime_r(&seconds, &t) == nullptr) return "(unknown time)";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03} UTC", t.tm_year + 1900, t.tm_mon + 1,
                     t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, realtime_ns / 1'000'000 % 1000);
}

Result<uint64_t> parse_bytes(std::string_view word) {
  constexpr double k = 1024, m = k * 1024, g = m * 1024, t = g * 1024;
  constexpr std::array<Scale, 18> kScales = {{{"", 1},
                                              {"B", 1},
                                              {"k", k},
                                              {"K", k},
                                              {"kB", k},
                                              {"KB", k},
                                              {"KiB", k},
                                              {"m", m},
                                              {"M", m},
                                              {"MB", m},
                                              {"MiB", m},
                                              {"g", g},
                                              {"G", g},
                                              {"GB", g},
                                              {"GiB", g},
                                              {"T", t},
                                              {"TB", t},
                                              {"TiB", t}}};
  SEXTANT_ASSIGN(const double value, parse_scaled(word, kScales, "a number of bytes such as 64M or 1GiB"));
  return static_cast<uint64_t>(value);
}

Result<int64_t> parse_duration(std::string_view word) {
  constexpr std::array<Scale, 8> kScales = {
      {{"", 1e9}, {"s", 1e9}, {"sec", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"m", 60e9}, {"min", 60e9}}};
  SEXTANT_ASSIGN(const double value,
                 parse_scaled(word, kScales, "a duration such as 10, 0.5 or 250ms (no unit: seconds)"));
  return static_cast<int64_t>(value);
}

}  // namespace sextant::text
