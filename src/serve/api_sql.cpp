// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// POST sql
#include <fmt/format.h>
#include <time.h>

#include <nlohmann/json.hpp>

#include "serve/api.h"
#include "serve/heavy.h"
#include "sql/database.h"

namespace sextant::serve {

namespace {

constexpr int64_t kMostRows = 10'000, kTimeNs = 10'000'000'000;
constexpr uint64_t kMemoryBytes = 256 << 20;
constexpr size_t kMostAnswerBytes = 32 << 20;

struct Question {
  std::string sql;
  int64_t limit = 1000;
};

Result<Question> question_of(const http::Request& request) {
  // what is not JSON cannot come from a form of another page
  if (!request.content_type.starts_with("application/json"))
    return fail(ErrorCode::kUsage, "the content type must be application/json");
  const nlohmann::json json = nlohmann::json::parse(request.body, nullptr, false);
  Question question;
  if (!json.is_object() || !json.contains("sql") || !json["sql"].is_string())
    return fail(ErrorCode::kUsage, R"(the body must be {"sql":"...","limit":1000})");
  question.sql = json["sql"].get<std::string>();
  if (!json.contains("limit")) return question;
  if (!json["limit"].is_number_integer()) return fail(ErrorCode::kUsage, "limit must be an integer");
  question.limit = json["limit"].get<int64_t>();
  if (question.limit < 0 || question.limit > kMostRows)
    return fail(ErrorCode::kUsage, fmt::format("limit must be from 0 to {}", kMostRows));
  return question;
}

void write_datum(text::JsonWriter& json, const sql::Datum& datum) {
  switch (datum.kind) {
    case sql::Datum::Kind::kNull:
      return json.null();
    case sql::Datum::Kind::kInteger:
      if (datum.integer > -kMostNs && datum.integer < kMostNs) return json.number(datum.integer);
      return json.string(fmt::format("{}", datum.integer));
    case sql::Datum::Kind::kReal:
      return json.number(datum.real);
    case sql::Datum::Kind::kText:
      return json.string(datum.bytes);
    case sql::Datum::Kind::kBlob: {
      std::string digits;
      for (const char c : datum.bytes) digits += fmt::format("{:02x}", static_cast<uint8_t>(c));
      json.begin_object();
      json.key("hex").string(digits);
      json.end_object();
    }
  }
}

int64_t now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

/// The rows of the last statement that has some, as the inside of a JSON array.
struct Rows {
  std::vector<std::string> columns;
  std::string text;
  int64_t count = 0, limit = 0;
  bool truncated = false;

  sql::Receiver receiver() {
    sql::Receiver to;
    to.begin = [this](const std::vector<std::string>& names) {
      columns = names;
      text.clear(), count = 0, truncated = false;
    };
    to.row = [this](const std::vector<sql::Datum>& row) {
      if (count >= limit || text.size() > kMostAnswerBytes) {
        truncated = true;
        return false;
      }
      if (count++ > 0) text += ',';
      text::JsonWriter json(&text, 0);
      json.begin_array();
      for (const sql::Datum& datum : row) write_datum(json, datum);
      json.end_array();
      return true;
    };
    to.end = [] {};
    to.note = [](std::string_view) {};
    return to;
  }
};

}  // namespace

Answer answer_sql(const Call& call) {
  SEXTANT_ASSIGN(const Question question, question_of(call.request));
  const HeavyWork turn;
  const int64_t began = now_ms();
  SEXTANT_ASSIGN(
      sql::Database database,
      sql::Database::open(call.report.source,
                          {.time_ns = kTimeNs, .memory_bytes = kMemoryBytes, .by_options = false}));
  Rows rows;
  rows.limit = question.limit;
  if (const Status ran = database.run(question.sql, {}, rows.receiver()); !ran && !rows.truncated)
    return fail(ErrorCode::kUsage, ran.error().message);
  Json json;
  json.writer.begin_object();
  json.writer.key("columns").begin_array();
  for (const std::string& column : rows.columns) json.writer.string(column);
  json.writer.end_array();
  json.writer.key("rows").begin_array();
  json.writer.end_array();
  json.out.insert(json.out.size() - 1, rows.text);
  json.writer.key("truncated").boolean(rows.truncated);
  json.writer.key("ms").number(now_ms() - began);
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
