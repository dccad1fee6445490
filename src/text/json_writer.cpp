// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "text/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "text/utf8.h"

namespace sextant::text {

namespace {

void append_json_char(std::string* out, char c) {
  switch (c) {
    case '"':
      *out += "\\\"";
      return;
    case '\\':
      *out += "\\\\";
      return;
    case '\n':
      *out += "\\n";
      return;
    case '\r':
      *out += "\\r";
      return;
    case '\t':
      *out += "\\t";
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
    fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<unsigned>(c));
  } else {
    out->push_back(c);
  }
}

}  // namespace

void append_json_string(std::string* out, std::string_view bytes) {
  out->push_back('"');
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = utf8_sequence(bytes.substr(i));
    if (length == 1) {
      append_json_char(out, bytes[i]);
    } else if (length == 0) {
      *out += "\xEF\xBF\xBD";
    } else {
      out->append(bytes.substr(i, length));
    }
    i += length == 0 ? 1 : length;
  }
  out->push_back('"');
}

void JsonWriter::new_line() {
  if (indent_ == 0) return;
  out_->push_back('\n');
  out_->append(filled_.size() * static_cast<size_t>(indent_), ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (filled_.empty()) return;
  if (filled_.back()) out_->push_back(',');
  filled_.back() = true;
  new_line();
}

void JsonWriter::open(char bracket) {
  before_value();
  out_->push_back(bracket);
  filled_.push_back(false);
}

void JsonWriter::close(char bracket) {
  const bool filled = filled_.back();
  filled_.pop_back();
  if (filled) new_line();
  out_->push_back(bracket);
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  append_json_string(out_, name);
  *out_ += indent_ == 0 ? ":" : ": ";
  after_key_ = true;
  return *this;
}

void JsonWriter::string(std::string_view value) {
  before_value();
  append_json_string(out_, value);
}

void JsonWriter::number(uint64_t value) {
  before_value();
  fmt::format_to(std::back_inserter(*out_), "{}", value);
}

void JsonWriter::number(int64_t value) {
  before_value();
  fmt::format_to(std::back_inserter(*out_), "{}", value);
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  before_value();
  fmt::format_to(std::back_inserter(*out_), "{}", value);
}

void JsonWriter::boolean(bool value) {
  before_value();
  *out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  *out_ += "null";
}

}  // namespace sextant::text
