// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sql/words.h"

#include "sql/sqlite_api.h"

#include <algorithm>

namespace sextant::sql {

namespace {

constexpr std::string_view kSpace = " \t\r\n\f";

/// The length of the comment that the text begins with; 0: none.
size_t comment(std::string_view sql) {
  if (sql.starts_with("--")) return std::min(sql.find('\n'), sql.size());
  if (!sql.starts_with("/*")) return 0;
  const size_t end = sql.find("*/", 2);
  return end == std::string_view::npos ? sql.size() : end + 2;
}

bool equals(std::string_view word, std::string_view keyword) {
  return word.size() == keyword.size() &&
         sqlite3_strnicmp(word.data(), keyword.data(), static_cast<int>(keyword.size())) == 0;
}

}  // namespace

size_t skip_space(std::string_view sql) {
  size_t at = 0;
  while (at < sql.size()) {
    const size_t length = comment(sql.substr(at));
    if (length == 0 && sql[at] != ';' && kSpace.find(sql[at]) == std::string_view::npos) break;
    at += std::max<size_t>(length, 1);
  }
  return at;
}

std::string_view first_word(std::string_view sql) {
  sql.remove_prefix(skip_space(sql));
  if (!sql.empty() && (sql[0] == '"' || sql[0] == '\'')) {
    const size_t end = std::min(sql.find(sql[0], 1), sql.size());
    return sql.substr(1, end - 1);
  }
  size_t end = 0;
  while (end < sql.size() && sql[end] != ';' && kSpace.find(sql[end]) == std::string_view::npos &&
         comment(sql.substr(end)) == 0)
    ++end;
  return sql.substr(0, end);
}

bool creates_index(std::string_view sql) {
  const auto next = [&] {
    const std::string_view word = first_word(sql);
    sql.remove_prefix(static_cast<size_t>(word.data() + word.size() - sql.data()));
    return word;
  };
  if (!equals(next(), "CREATE")) return false;
  const std::string_view second = next();
  return equals(second, "INDEX") || (equals(second, "UNIQUE") && equals(next(), "INDEX"));
}

size_t end_of_statement(std::string_view sql) {
  for (size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    if (c == ';') return at + 1;
    if (c == '"' || c == '\'' || c == '`' || c == '[') {
      const size_t end = sql.find(c == '[' ? ']' : c, at + 1);
      at = end == std::string_view::npos ? sql.size() : end + 1;
    } else {
      at += std::max<size_t>(comment(sql.substr(at)), 1);
    }
  }
  return sql.size();
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out;
}

}  // namespace sextant::sql
