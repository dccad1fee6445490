// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/capture.h"

#include <fmt/format.h>

#include <charconv>

#include "recording/output_name.h"

namespace sextant::recording {

namespace {

using collector::FilterRequest;

Status parse_range(const std::string& given, FilterRequest* out) {
  std::string* to = &out->range;
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] == '\\' && i + 1 < given.size() && (given[i + 1] == '@' || given[i + 1] == '\\')) {
      *to += given[++i];
    } else if (given[i] == '@' && to == &out->range) {
      to = &out->domain;
      out->capture_domain = spool::CaptureDomain::kNamed;
    } else {
      *to += given[i];
    }
  }
  if (to == &out->domain && out->domain == "*") {
    out->domain.clear();
    out->capture_domain = spool::CaptureDomain::kAny;
  }
  if (out->range.empty() ||
      (to == &out->domain && out->domain.empty() && out->capture_domain != spool::CaptureDomain::kAny))
    return fail(ErrorCode::kUsage,
                fmt::format("'{}' is not a value of --nvtx-capture: RANGE, RANGE@DOMAIN or RANGE@*", given));
  return {};
}

/// Takes a word from the front of a list with colons.
std::string_view next_word(std::string_view* list) {
  const size_t colon = list->find(':');
  const std::string_view word = list->substr(0, colon);
  *list = colon == std::string_view::npos ? std::string_view() : list->substr(colon + 1);
  return word;
}

Status parse_end(const std::string& given, FilterRequest* out) {
  const auto wrong = [&] {
    return fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not a value of --capture-range-end: none, stop, stop-shutdown, repeat[:N], "
                    "repeat-shutdown:N; behind the last two :sync, :async or :defer",
                    given));
  };
  std::string_view rest = given.empty() ? "stop-shutdown" : std::string_view(given);
  const std::string_view what = next_word(&rest);
  out->windows = 1;
  out->to_the_end = what == "none";
  out->shut_down = what == "stop-shutdown" || what == "repeat-shutdown";
  out->repeats = what.starts_with("repeat");
  if (!out->repeats) {
    const bool known = what == "none" || what == "stop" || what == "stop-shutdown";
    return known && rest.empty() ? Status() : wrong();
  }
  if (what != "repeat" && what != "repeat-shutdown") return wrong();
  out->windows = 0;
  bool mode_given = false;
  while (!rest.empty()) {
    const std::string_view word = next_word(&rest);
    if (word == "sync" || word == "async" || word == "defer") {
      if (std::exchange(mode_given, true)) return wrong();
      out->wait_for_report = word == "sync";
      continue;
    }
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out->windows);
    if (error != std::errc() || end != word.data() + word.size() || out->windows == 0 || mode_given)
      return wrong();
  }
  return out->shut_down && out->windows == 0 ? wrong() : Status();
}

void parse_domains(const std::string& list, FilterRequest* out) {
  std::string name;
  bool escaped = false;
  const auto add = [&] {
    if (name == "default" && !escaped)
      out->default_listed = true;
    else if (!name.empty())
      out->listed.push_back(name);
    name.clear();
    escaped = false;
  };
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size()) {
      escaped = escaped || name.empty();
      name += list[++i];
    } else if (list[i] == ',') {
      add();
    } else {
      name += list[i];
    }
  }
  add();
}

}  // namespace

Result<FilterRequest> filter_request(const CaptureOptions& options) {
  FilterRequest out;
  if (options.include_given && options.exclude_given)
    return fail(ErrorCode::kUsage, "--nvtx-domain-include and --nvtx-domain-exclude exclude each other");
  if (options.include_given || options.exclude_given) {
    out.domains = options.include_given ? spool::DomainFilter::kInclude : spool::DomainFilter::kExclude;
    parse_domains(options.include_given ? options.include : options.exclude, &out);
    if (out.listed.empty() && !out.default_listed)
      return fail(ErrorCode::kUsage, fmt::format("--nvtx-domain-{} names no domain",
                                                 options.include_given ? "include" : "exclude"));
  }
  out.capture = options.nvtx;
  if (!options.nvtx && !options.range.empty())
    return fail(ErrorCode::kUsage, "--nvtx-capture needs --capture-range nvtx (-c nvtx)");
  if (!options.nvtx && !options.at_end.empty())
    return fail(ErrorCode::kUsage, "--capture-range-end needs --capture-range nvtx (-c nvtx)");
  if (!options.nvtx) return Result<FilterRequest>(std::move(out));
  if (options.range.empty())
    return fail(ErrorCode::kUsage, "--capture-range nvtx needs --nvtx-capture RANGE[@DOMAIN] (-p)");
  SEXTANT_TRY(parse_range(options.range, &out));
  SEXTANT_TRY(parse_end(options.at_end, &out));
  return Result<FilterRequest>(std::move(out));
}

std::string numbered_report(const std::string& path, uint32_t number) {
  const std::string suffix = kReportSuffix;
  const std::string stem = path.ends_with(suffix) ? path.substr(0, path.size() - suffix.size()) : path;
  return stem + "." + std::to_string(number) + suffix;
}

}  // namespace sextant::recording
