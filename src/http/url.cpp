// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "http/url.h"

#include <charconv>

namespace sextant::http {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

std::optional<std::string> path_of(std::string_view target) {
  auto path = decode(target.substr(0, target.find('?')));
  if (!path || path->empty() || path->front() != '/') return std::nullopt;
  for (const char c : *path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\') return std::nullopt;
  std::string_view rest = std::string_view(*path).substr(1);
  while (!rest.empty()) {
    const size_t end = rest.find('/');
    const std::string_view part = rest.substr(0, end);
    if (part.empty() || part == "." || part == "..") return std::nullopt;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return path;
}

std::string_view query_of(std::string_view target) {
  const size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t end = path.find('/');
    if (end != 0) parts.push_back(path.substr(0, end));
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
  }
  return parts;
}

Parameters::Parameters(std::string_view query) {
  while (!query.empty()) {
    const size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    const size_t equals = pair.find('=');
    auto name = decode(pair.substr(0, equals), true);
    auto value =
        decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (name && value) values_[*name] = *value;
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
}

const std::string* Parameters::find(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? nullptr : &at->second;
}

std::string Parameters::text(std::string_view name) const {
  const std::string* value = find(name);
  return value == nullptr ? std::string() : *value;
}

std::optional<int64_t> Parameters::integer(std::string_view name, int64_t fallback, int64_t least,
                                           int64_t most) const {
  const std::string* value = find(name);
  return value == nullptr ? fallback : parse_integer(*value, least, most);
}

std::optional<int64_t> parse_integer(std::string_view text, int64_t least, int64_t most) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return std::nullopt;
  return value;
}

std::optional<std::string_view> cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const size_t end = header.find(';');
    std::string_view pair = header.substr(0, end);
    while (!pair.empty() && pair.front() == ' ') pair.remove_prefix(1);
    if (pair.size() > name.size() && pair[name.size()] == '=' && pair.substr(0, name.size()) == name)
      return pair.substr(name.size() + 1);
    header = end == std::string_view::npos ? std::string_view() : header.substr(end + 1);
  }
  return std::nullopt;
}

}  // namespace sextant::http
