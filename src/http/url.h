// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a request's target. Hostile input: what is not well formed is refused, never repaired.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::http {

/// %41 to A, and with `plus_is_space` + to a space. nullopt: a % without two hexadecimal digits, or a zero
/// byte.
std::optional<std::string> decode(std::string_view text, bool plus_is_space = false);

/// The decoded path of a target ("/a%20b?x=1" to "/a b"). nullopt: it does not begin with a slash, cannot be
/// decoded, or has an empty, "." or ".." part, a backslash or a control character. One slash at the end may
/// be.
std::optional<std::string> path_of(std::string_view target);
std::string_view query_of(std::string_view target);

/// Parts of a path between slashes.
std::vector<std::string_view> parts_of(std::string_view path);

/// The parameters of a query; of several with one name the last one counts. What cannot be decoded is left
/// out.
class Parameters {
 public:
  explicit Parameters(std::string_view query);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string text(std::string_view name) const;
  /// nullopt: it is there and no integer of that range. `fallback`: it is not there.
  std::optional<int64_t> integer(std::string_view name, int64_t fallback, int64_t least, int64_t most) const;

 private:
  const std::string* find(std::string_view name) const;
  std::map<std::string, std::string, std::less<>> values_;
};

/// A whole decimal number of that range.
std::optional<int64_t> parse_integer(std::string_view text, int64_t least, int64_t most);

/// The value of a cookie in a Cookie header.
std::optional<std::string_view> cookie(std::string_view header, std::string_view name);

}  // namespace sextant::http
