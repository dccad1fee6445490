// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/time_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace sextant::cli {

namespace {

struct Unit {
  std::string_view name;
  double ns;
};
constexpr std::array<Unit, 13> kUnits = {{{"nsec", 1},
                                          {"usec", 1e3},
                                          {"msec", 1e6},
                                          {"sec", 1e9},
                                          {"hour", 3600e9},
                                          {"min", 60e9},
                                          {"ns", 1},
                                          {"us", 1e3},
                                          {"ms", 1e6},
                                          {"s", 1e9},
                                          {"m", 60e9},
                                          {"h", 3600e9},
                                          {"", 1}}};  // long ones first

std::optional<int64_t> parse_time(std::string_view word) {
  double total = 0;
  if (word.empty()) return std::nullopt;
  while (!word.empty()) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc()) return std::nullopt;
    word.remove_prefix(static_cast<size_t>(end - word.data()));
    const auto unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return word.starts_with(u.name); });
    word.remove_prefix(unit->name.size());
    total += value * unit->ns;
  }
  if (!std::isfinite(total) || std::abs(total) > 9e18) return std::nullopt;
  return static_cast<int64_t>(std::llround(total));
}

struct WantedRange {
  std::string_view name, domain;
  uint64_t index = 0;
};

/// "range[@domain][/index]"
WantedRange parse_range(std::string_view word) {
  WantedRange wanted;
  const size_t slash = word.rfind('/');
  if (slash != std::string_view::npos && slash + 1 < word.size()) {
    const std::string_view digits = word.substr(slash + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), wanted.index);
    if (error == std::errc() && end == digits.data() + digits.size()) {
      word = word.substr(0, slash);
    } else {
      wanted.index = 0;
    }
  }
  const size_t at = word.rfind('@');
  wanted.name = word.substr(0, at);
  if (at != std::string_view::npos) wanted.domain = word.substr(at + 1);
  return wanted;
}

}  // namespace

Result<query::Window> find_range(const query::Source& source, std::string_view word) {
  const WantedRange wanted = parse_range(word);
  std::vector<query::Window> found;
  SEXTANT_TRY(source.scan_nvtx({}, [&](const query::NvtxBatch& b) {
    for (size_t i = 0; i < b.rows; ++i)
      if (source.reader().string(b.name[i]) == wanted.name &&
          source.reader().string(b.domain[i]) == wanted.domain)
        found.push_back({b.start_ns[i], b.end_ns[i]});
  }));
  if (wanted.index >= found.size())
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no NVTX range '{}'{}: {} of that name{}", wanted.name,
                            wanted.index > 0 ? fmt::format(" number {}", wanted.index) : "", found.size(),
                            wanted.domain.empty() ? " in the default domain"
                                                  : fmt::format(" in the domain '{}'", wanted.domain)));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.from_ns < b.from_ns; });
  return found[wanted.index];
}

Result<query::Window> parse_window(std::string_view words) {
  const auto wrong = [&] {
    return fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not a span of time such as 1s/2s500ms or 2000/ (no unit: nanoseconds)", words));
  };
  const size_t slash = words.find('/');
  if (slash == std::string_view::npos || words.size() == 1) return wrong();
  query::Window window;
  for (const bool is_start : {true, false}) {
    const std::string_view word = is_start ? words.substr(0, slash) : words.substr(slash + 1);
    if (word.empty()) continue;
    const auto ns = parse_time(word);
    if (!ns) return wrong();
    (is_start ? window.from_ns : window.to_ns) = *ns;
  }
  if (window.from_ns > window.to_ns) return wrong();
  return window;
}

Status limit_time(const Arguments& arguments, query::Source* source) {
  if (const auto range = arguments.text("filter-nvtx")) {
    SEXTANT_ASSIGN(const query::Window window, find_range(*source, *range));
    source->set_window(window);
  } else if (const auto time = arguments.text("filter-time")) {
    SEXTANT_ASSIGN(const query::Window window, parse_window(*time));
    source->set_window(window);
  }
  return {};
}

}  // namespace sextant::cli
