// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/osrt_details.h"

#include <fmt/format.h>

#include "event/schema_system.h"
#include "stats/osrt.h"
#include "text/utf8.h"

namespace sextant::serve {

namespace {

bool is_call(const StoredRow& row) {
  return row.table->id == event::kOsrtCall;
}

std::string_view state_word(stats::CallState state) {
  switch (state) {
    case stats::CallState::kWaits:
      return "waiting";
    case stats::CallState::kMoves:
      return "I/O";
    case stats::CallState::kWorks:
      break;
  }
  return "working";
}

std::string error_text(uint64_t number) {
  const std::string meaning = stats::error_meaning(number);
  return meaning.empty() ? stats::error_name(number)
                         : fmt::format("{}: {}", stats::error_name(number), meaning);
}

}  // namespace

bool told_in_words(const StoredRow& row, uint16_t column) {
  if (!is_call(row)) return false;
  using namespace event::osrt_call;
  const bool ours = row.value("family").value_or(0) != 0;
  return column == kFamily || column == kFlags || column == kObject || column == kObjectKind ||
         column == kDetail || column == kDetailKind || column == kFile || column == kText ||
         (column == kErrno && !ours);
}

Status write_osrt_words(text::JsonWriter& json, const query::Source& source, const StoredRow& row) {
  if (!is_call(row)) return {};
  const auto value = [&](std::string_view column) { return row.value(column).value_or(0); };
  json.key("state").string(
      state_word(stats::call_state(source.reader().string(value("name")), value("family"), value("flags"))));
  if (value("errno") != 0) json.key("error").string(error_text(value("errno")));
  if (const std::string about = stats::object_text(value("object_kind"), value("object")); !about.empty())
    json.key("about").string(about);
  const std::string detail = stats::detail_text(value("detail_kind"), value("detail"));
  if (!detail.empty()) json.key("detail").string(detail);
  if ((value("flags") & event::osrt_call::kUnfinished) != 0) json.key("returned").string("never");
  if (value("file") != 0) {
    SEXTANT_ASSIGN(const stats::FilePaths files, stats::FilePaths::load(source));
    json.key("file").string(text::valid_utf8(source.reader().string(files.path(value("file")))));
  }
  if (value("text") != 0) json.key("path").string(text::valid_utf8(source.reader().string(value("text"))));
  return {};
}

}  // namespace sextant::serve
