// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/blank.h"

#include <algorithm>

namespace sextant::doctor {

namespace {

constexpr std::string_view kBlank = "***";
constexpr size_t kShortestName = 3;  // shorter ones would blank parts of sentences
constexpr size_t kLongestHex = 11;   // longer hexadecimal words are ids

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Length of an address a.b.c.d (numbers up to 255, not a version: those have fewer parts, a suffix or
/// larger numbers) at the start of `text`, 0 if there is none.
size_t ipv4(std::string_view text) {
  size_t at = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && (at >= text.size() || text[at++] != '.')) return 0;
    int value = 0, digits = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && digits < 4)
      value = value * 10 + (text[at++] - '0'), ++digits;
    if (digits == 0 || value > 255) return 0;
  }
  return at < text.size() && (is_word(text[at]) || text[at] == '.' || text[at] == '-') ? 0 : at;
}

/// Length of a word of hexadecimal digits and hyphens that is long enough to be an id, 0 otherwise.
size_t hex_id(std::string_view text) {
  size_t at = 0, digits = 0, numbers = 0;
  while (at < text.size() && (is_hex(text[at]) || text[at] == '-')) {
    digits += is_hex(text[at]) ? 1 : 0;
    numbers += text[at] >= '0' && text[at] <= '9' ? 1 : 0;
    ++at;
  }
  while (at > 0 && text[at - 1] == '-') --at;
  return digits > kLongestHex && numbers > 0 && (at >= text.size() || !is_word(text[at])) ? at : 0;
}

std::string user_name(const Surroundings& seen) {
  const std::string users = seen.environment.read("/etc/passwd").value_or("");
  const std::string wanted = ":" + std::to_string(seen.rights.user) + ":";
  for (size_t at = 0; at < users.size();) {
    const size_t end = std::min(users.find('\n', at), users.size());
    const std::string_view line = std::string_view(users).substr(at, end - at);
    at = end + 1;
    const size_t name = line.find(':');
    const size_t id = name == std::string_view::npos ? name : line.find(':', name + 1);
    if (id != std::string_view::npos && line.substr(id).starts_with(wanted))
      return std::string(line.substr(0, name));
  }
  return "";
}

}  // namespace

Blanker::Blanker(const Surroundings& seen, bool keep) : keep_(keep) {
  home_ = seen.environment.variable("HOME").value_or("");
  if (home_.size() < 2) home_.clear();
  std::string host = seen.environment.read("/proc/sys/kernel/hostname", 256).value_or("");
  while (!host.empty() && host.back() == '\n') host.pop_back();
  for (const std::string& name : {host, user_name(seen)})
    if (name.size() >= kShortestName && name != "root" && name != "localhost") names_.push_back(name);
}

std::string Blanker::operator()(std::string_view text) const {
  if (keep_) return std::string(text);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (!home_.empty() && rest.starts_with(home_) &&
        (rest.size() == home_.size() || !is_word(rest[home_.size()]))) {
      out += '~';
      at += home_.size();
      continue;
    }
    size_t length = 0;
    if (at == 0 || !is_word(text[at - 1])) {
      for (const std::string& name : names_)
        if (rest.starts_with(name) && (rest.size() == name.size() || !is_word(rest[name.size()])))
          length = name.size();
      if (length == 0 && (at == 0 || text[at - 1] != '.')) length = ipv4(rest);
      if (length == 0) length = hex_id(rest);
    }
    out += length == 0 ? rest.substr(0, 1) : kBlank;
    at += std::max<size_t>(length, 1);
  }
  return out;
}

}  // namespace sextant::doctor
