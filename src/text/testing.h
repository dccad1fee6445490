// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests only: strict little parsers of CSV (RFC 4180) and JSON (RFC 8259), to read back what was written.
#pragma once

#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::text::testing {

/// Records of a CSV text with line feeds; nullopt where it is malformed. An empty line is a record with one
/// empty field.
inline std::optional<std::vector<std::vector<std::string>>> parse_csv(std::string_view in) {
  std::vector<std::vector<std::string>> records(1, {""});
  for (size_t i = 0; i < in.size();) {
    std::string& field = records.back().back();
    if (in[i] == '"') {
      if (!field.empty()) return std::nullopt;
      for (++i;; ++i) {
        if (i >= in.size()) return std::nullopt;
        if (in[i] == '"' && (i + 1 >= in.size() || in[i + 1] != '"')) break;
        if (in[i] == '"') ++i;
        field += in[i];
      }
      ++i;
      if (i < in.size() && in[i] != ',' && in[i] != '\n') return std::nullopt;
    } else if (in[i] == ',') {
      records.back().emplace_back();
      ++i;
    } else if (in[i] == '\n') {
      records.push_back({""});
      ++i;
    } else {
      field += in[i++];
    }
  }
  if (records.back() != std::vector<std::string>{""}) return std::nullopt;  // the last line has no end
  records.pop_back();
  return records;
}

struct Json {
  char kind = 0;  // one of { [ " 0 t f n
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> members;
};

class JsonParser {
 public:
  explicit JsonParser(std::string_view in) : in_(in) {}

  /// One value; what follows it stays for the next call. nullopt: malformed.
  std::optional<Json> next() {
    Json value;
    if (!parse(&value)) return std::nullopt;
    space();
    return value;
  }
  bool at_end() const { return at_ == in_.size(); }

 private:
  void space() {
    while (at_ < in_.size() && (in_[at_] == ' ' || in_[at_] == '\n' || in_[at_] == '\t' || in_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    space();
    if (at_ >= in_.size() || in_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool parse(Json* out) {
    space();
    if (at_ >= in_.size()) return false;
    out->kind = in_[at_];
    switch (out->kind) {
      case '{':
        return parse_members(out);
      case '[':
        return parse_items(out);
      case '"':
        return parse_string(&out->text);
      case 't':
        return word("true", out);
      case 'f':
        return word("false", out);
      case 'n':
        return word("null", out);
      default:
        return parse_number(out);
    }
  }
  bool word(std::string_view w, Json* out) {
    if (in_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    out->text = w;
    return true;
  }
  bool parse_number(Json* out) {
    const size_t start = at_;
    while (at_ < in_.size() && (std::isdigit(static_cast<unsigned char>(in_[at_])) ||
                                std::string_view("+-.eE").find(in_[at_]) != std::string_view::npos))
      ++at_;
    out->kind = '0';
    out->text = in_.substr(start, at_ - start);
    return !out->text.empty() && out->text.back() != '.';
  }
  bool parse_items(Json* out) {
    ++at_;
    if (take(']')) return true;
    do {
      if (!parse(&out->items.emplace_back())) return false;
    } while (take(','));
    return take(']');
  }
  bool parse_members(Json* out) {
    ++at_;
    if (take('}')) return true;
    do {
      std::string key;
      space();
      if (at_ >= in_.size() || in_[at_] != '"' || !parse_string(&key) || !take(':') ||
          !parse(&out->members[key]))
        return false;
    } while (take(','));
    return take('}');
  }
  bool parse_string(std::string* out) {
    for (++at_; at_ < in_.size() && in_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(in_[at_]) < 0x20) return false;
      if (in_[at_] != '\\') {
        *out += in_[at_];
        continue;
      }
      if (++at_ >= in_.size()) return false;
      static constexpr std::string_view kFrom = "nrtbf\"\\/", kTo = "\n\r\t\b\f\"\\/";
      if (const size_t plain = kFrom.find(in_[at_]); plain != std::string_view::npos) {
        *out += kTo[plain];
      } else if (in_[at_] == 'u' && at_ + 4 < in_.size()) {
        const unsigned long code = std::stoul(std::string(in_.substr(at_ + 1, 4)), nullptr, 16);
        if (code > 0x7F) return false;  // the writer escapes ASCII only
        *out += static_cast<char>(code);
        at_ += 4;
      } else {
        return false;
      }
    }
    return at_++ < in_.size();
  }

  std::string_view in_;
  size_t at_ = 0;
};

}  // namespace sextant::text::testing
