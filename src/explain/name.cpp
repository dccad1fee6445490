// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/name.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace sextant::explain {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Removes what stands for a namespace without a name.
std::string without_unnamed(std::string_view name) {
  std::string out;
  for (size_t at = 0; at < name.size();) {
    bool removed = false;
    for (const std::string_view unnamed :
         {"<unnamed>::", "(anonymous namespace)::", "_GLOBAL__N__::", "{anonymous}::"}) {
      if (!name.substr(at).starts_with(unnamed)) continue;
      at += unnamed.size();
      removed = true;
      break;
    }
    if (!removed) out += name[at++];
  }
  return out;
}

/// The names in a mangled name that the demangler does not know all of: _ZN2at6native3fooI... ->
/// at::native::foo
std::string nested_names(std::string_view mangled) {
  std::string out;
  size_t at = 2;
  const bool nested = mangled.substr(at).starts_with("N");
  if (nested) ++at;
  while (at < mangled.size() && is_digit(mangled[at])) {
    size_t length = 0;
    while (at < mangled.size() && is_digit(mangled[at]) && length < 100'000)
      length = length * 10 + static_cast<size_t>(mangled[at++] - '0');
    if (length == 0 || at + length > mangled.size()) break;
    const std::string_view word = mangled.substr(at, length);
    at += length;
    if (!word.starts_with("_GLOBAL__N_")) out += (out.empty() ? "" : "::") + std::string(word);
    if (!nested) break;
  }
  return out;
}

std::string demangled(std::string_view name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
  if (status == 0 && text) return text.get();
  std::string names = nested_names(name);
  return names.empty() ? std::string(name) : names;
}

/// Follows brackets; < and > count only where they cannot be comparisons, that is not directly in
/// parentheses.
class Brackets {
 public:
  void step(char c) {
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      open_ += c;
    } else if (c == '>') {
      if (!open_.empty() && open_.back() == '<') open_.pop_back();
    } else if (c == ')' || c == ']' || c == '}') {
      const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
      while (!open_.empty() && open_.back() != opening) open_.pop_back();
      if (!open_.empty()) open_.pop_back();
    }
  }
  bool outside() const { return open_.empty(); }

 private:
  std::string open_;
};

/// Where the function's name begins and where its parameters do (the end, if there are none).
struct Extent {
  size_t begin = 0, end = 0;
};
Extent function_name(std::string_view text) {
  Extent extent{0, text.size()};
  Brackets brackets;
  for (size_t at = 0; at < text.size(); ++at) {
    if (brackets.outside()) {
      if (text[at] == '(' && at > extent.begin) {
        extent.end = at;
        break;
      }
      if (text[at] == ' ' && at + 1 < text.size()) extent.begin = at + 1;
    }
    brackets.step(text[at]);
  }
  return extent;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string> split_outside_brackets(std::string_view list, char separator) {
  std::vector<std::string> parts;
  Brackets brackets;
  size_t begin = 0;
  for (size_t at = 0; at < list.size(); ++at) {
    if (brackets.outside() && list[at] == separator) {
      parts.emplace_back(trimmed(list.substr(begin, at - begin)));
      begin = at + 1;
    }
    brackets.step(list[at]);
  }
  if (!trimmed(list.substr(begin)).empty()) parts.emplace_back(trimmed(list.substr(begin)));
  return parts;
}

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  size_t begin = 0;
  for (size_t at = 0; at <= name.size(); ++at) {
    if (at < name.size() && name[at] != '_') continue;
    if (at > begin) words.push_back(name.substr(begin, at - begin));
    begin = at + 1;
  }
  return words;
}

bool matches(std::string_view pattern, std::string_view text) {
  // the last star can be taken back as far as it has to
  size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

long number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('(')) text.remove_prefix(std::min(text.find(')'), text.size() - 1) + 1);
  size_t digits = 0;
  long value = 0;
  while (digits < text.size() && is_digit(text[digits]) && digits < 9)
    value = value * 10 + (text[digits++] - '0');
  if (digits == 0) return -1;
  for (const char c : text.substr(digits))
    if (c != 'u' && c != 'l' && c != 'U' && c != 'L') return -1;
  return value;
}

bool Name::in(std::string_view outermost) const {
  return qualified.starts_with(outermost) && qualified.substr(outermost.size()).starts_with("::");
}

Name parse_name(std::string_view given) {
  Name name;
  const std::string_view shown = trimmed(given);
  name.cpp = shown.starts_with("_Z");
  name.text = without_unnamed(name.cpp ? demangled(shown) : std::string(shown));
  const Extent extent = function_name(name.text);
  std::string_view rest = std::string_view(name.text).substr(extent.end);
  if (rest.size() > 1) {
    const size_t close = rest.rfind(')');
    name.parameters =
        split_outside_brackets(rest.substr(1, close == std::string_view::npos ? close : close - 1), ',');
    name.cpp = true;
  }
  const std::string_view full = std::string_view(name.text).substr(extent.begin, extent.end - extent.begin);
  // scope and base: what is outside of template arguments; the arguments are those of the last part
  Brackets brackets;
  size_t arguments_begin = std::string_view::npos;
  for (size_t at = 0; at < full.size(); ++at) {
    const bool was_outside = brackets.outside();
    brackets.step(full[at]);
    if (was_outside && !brackets.outside() && full[at] == '<') {
      arguments_begin = at + 1;
      name.all_arguments.clear();
    } else if (was_outside) {
      name.qualified += full[at];
    } else if (brackets.outside() && arguments_begin != std::string_view::npos) {
      name.all_arguments = full.substr(arguments_begin, at - arguments_begin);
    }
  }
  if (!brackets.outside() && arguments_begin != std::string_view::npos)  // it was cut off
    name.all_arguments = full.substr(arguments_begin);
  name.arguments = split_outside_brackets(name.all_arguments, ',');
  if (!name.arguments.empty()) name.cpp = true;
  const size_t colons = name.qualified.rfind("::");
  name.base = colons == std::string::npos ? name.qualified : name.qualified.substr(colons + 2);
  name.scope = colons == std::string::npos ? "" : name.qualified.substr(0, colons);
  if (!name.scope.empty()) name.cpp = true;
  return name;
}

}  // namespace sextant::explain
