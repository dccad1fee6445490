// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// JsonWriter appends one JSON value (RFC 8259) to a string, keeping track of commas and indentation. Strings
// may hold any bytes: invalid UTF-8 becomes U+FFFD. The caller nests correctly: key() before every value
// inside an object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::text {

/// Appends `bytes` as a quoted JSON string.
void append_json_string(std::string* out, std::string_view bytes);

class JsonWriter {
 public:
  /// indent 0: everything on one line.
  explicit JsonWriter(std::string* out, int indent = 2) : out_(out), indent_(indent) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  JsonWriter& key(std::string_view name);
  void string(std::string_view value);
  void number(uint64_t value);
  void number(int64_t value);
  void number(int value) { number(static_cast<int64_t>(value)); }
  void number(double value);  // not finite: null
  void boolean(bool value);
  void null();

 private:
  void open(char bracket);
  void close(char bracket);
  void before_value();
  void new_line();

  std::string* out_;
  int indent_;
  bool after_key_ = false;
  std::vector<bool> filled_;  // per open bracket: has it a member yet
};

}  // namespace sextant::text
