// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/redact.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace sextant::collector {

namespace {

constexpr std::string_view kBlank = "***";

/// Looked for in the lower-case name without '-', '_' and '.'.
constexpr std::array<std::string_view, 12> kSecretWords = {
    "password",  "passwd",  "passphrase", "secret",     "token",  "apikey",
    "accesskey", "authkey", "privatekey", "credential", "bearer", "authorization"};

bool secret_name(std::string_view name) {
  std::string plain;
  for (char c : name)
    if (c != '-' && c != '_' && c != '.')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (plain == "pwd" || plain == "pass") return true;
  return std::any_of(kSecretWords.begin(), kSecretWords.end(),
                     [&](std::string_view word) { return plain.find(word) != std::string::npos; });
}

/// scheme://user:pass@host -> scheme://***@host, wherever it stands in the argument.
std::string blank_url(std::string text) {
  size_t at = 0;
  while ((at = text.find("://", at)) != std::string::npos) {
    size_t begin = at + 3;
    size_t end = std::min(text.find_first_of("/?# \t\"'", begin), text.size());
    size_t sign = text.rfind('@', end == 0 ? 0 : end - 1);
    if (sign != std::string::npos && sign >= begin && sign < end && text.find(':', begin) < sign)
      text.replace(begin, sign - begin, kBlank);
    at = begin;
  }
  return text;
}

bool name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

}  // namespace

std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> arguments;
  while (!text.empty()) {
    size_t end = std::min(text.find('\0'), text.size());
    arguments.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return arguments;
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false, quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' && !quoted) {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    if (c == '\'')
      quoted = !quoted;
    else if (c == '\\' && !quoted && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += c;
  }
  return words;
}

std::vector<std::string> redact_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  bool blank_next = false;
  for (const std::string& argument : arguments) {
    if (std::exchange(blank_next, false) && !argument.starts_with("--")) {
      out.emplace_back(kBlank);
      continue;
    }
    size_t equals = argument.find('=');
    bool plain_name = std::all_of(
        argument.begin(), argument.begin() + static_cast<std::ptrdiff_t>(std::min(equals, argument.size())),
        name_character);
    if (equals != std::string::npos && plain_name && secret_name(argument.substr(0, equals))) {
      out.push_back(argument.substr(0, equals + 1) + std::string(kBlank));
      continue;
    }
    blank_next = argument.size() > 1 && argument[0] == '-' && plain_name && equals == std::string::npos &&
                 secret_name(argument);
    out.push_back(blank_url(argument));
  }
  return out;
}

std::string join_arguments(const std::vector<std::string>& arguments) {
  std::string out;
  for (const std::string& argument : arguments) {
    if (!out.empty()) out += ' ';
    bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), [](char c) {
      return static_cast<unsigned char>(c) > 32 && c != '\'' && c != '"' && c != '\\' && c != '$' && c != '`';
    });
    if (plain) {
      out += argument;
      continue;
    }
    out += '\'';
    for (char c : argument) {
      if (c == '\'')
        out += "'\\''";
      else
        out += c;
    }
    out += '\'';
  }
  return out;
}

}  // namespace sextant::collector
