// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/rows.h"

#include "exporters/last_rows.h"
#include "nsys/tables.h"

namespace sextant::exporters {

namespace {

using Kind = PlainValue::Kind;

Kind kind_of(std::string_view type) {
  if (type == "string") return Kind::kText;
  if (type == "real") return Kind::kReal;
  return type == "int" || type == "time" ? Kind::kSigned : Kind::kUnsigned;
}

class TableRows {
 public:
  TableRows(const query::Source& source, const report::TableInfo& table) : source_(source), table_(table) {
    for (const report::ColumnInfo& column : table.columns) {
      wanted_.push_back(column.id);
      const bool is_foreign = table.id >= event::kFirstForeignTable;
      if (is_foreign && column.name.starts_with("types:")) continue;
      if (!is_foreign && column.id == event::kNullsColumn) {
        nulls_ = static_cast<int>(wanted_.size()) - 1;
        continue;
      }
      names_.push_back(column.name);
      shown_.push_back({wanted_.size() - 1, kind_of(column.type), column.type == "time"});
    }
  }

  Status write(RowSink& sink, const std::function<Status(uint64_t)>& progress) {
    std::vector<uint16_t> keys;
    for (size_t c = 0; c < table_.key_columns && c < wanted_.size(); ++c) keys.push_back(wanted_[c]);
    LastRows last;
    SEXTANT_TRY(last.find(source_, table_.id, keys));
    SEXTANT_TRY(sink.begin(table_.name, names_));
    Status status;
    std::vector<PlainValue> values(shown_.size());
    SEXTANT_TRY(source_.scan_table(table_.id, wanted_, 1, [&](size_t, query::TableBatch& batch) {
      for (size_t i = 0; status && i < batch.rows; ++i) {
        if (!last.counts(batch.first_row + i)) continue;
        for (size_t c = 0; c < shown_.size(); ++c) values[c] = value(batch, c, i);
        sink.row(values);
      }
      if (status) status = sink.status();
      if (status) status = progress(batch.rows);
    }));
    SEXTANT_TRY(status);
    return sink.end();
  }

 private:
  struct Shown {
    size_t at;  // position in wanted_
    Kind kind;
    bool is_time;
  };

  PlainValue value(const query::TableBatch& batch, size_t column, size_t row) const {
    PlainValue value{shown_[column].kind, batch.columns[shown_[column].at][row], {}};
    const bool is_null = nulls_ >= 0 && event::is_null(batch.columns[static_cast<size_t>(nulls_)][row],
                                                       wanted_[shown_[column].at]);
    const bool is_unknown = shown_[column].is_time && static_cast<int64_t>(value.bits) == no_time_;
    if (is_null || is_unknown) value.kind = Kind::kNone;
    if (table_.id >= event::kFirstForeignTable) value.kind = kept_kind(batch, column, row);
    if (value.kind == Kind::kText) value.text = source_.reader().string(value.bits);
    return value;
  }

  /// Of a value in a table that was kept as it is. In a column of texts everything is kept as text.
  Kind kept_kind(const query::TableBatch& batch, size_t column, size_t row) const {
    const size_t word = shown_.size() + column / nsys::kKeptColumnsAWord;
    if (word >= batch.columns.size()) return shown_[column].kind;
    const uint64_t bits = batch.columns[word][row] >> (4 * (column % nsys::kKeptColumnsAWord)) & 15;
    const Kind own = shown_[column].kind;
    switch (static_cast<nsys::Kept>(bits)) {
      case nsys::Kept::kOwn:
        return own;
      case nsys::Kept::kInteger:
        return own == Kind::kText ? own : Kind::kSigned;
      case nsys::Kept::kReal:
        return own == Kind::kText ? own : Kind::kReal;
      case nsys::Kept::kText:
      case nsys::Kept::kBlob:
        return Kind::kText;
      default:
        return Kind::kNone;
    }
  }

  const query::Source& source_;
  const report::TableInfo& table_;
  std::vector<uint16_t> wanted_;
  std::vector<std::string> names_;
  std::vector<Shown> shown_;
  int nulls_ = -1;
  const int64_t no_time_ = source_.time_map().to_ns(0);  // stamps that are not known are 0
};

}  // namespace

Status for_each_table(const query::Source& source, RowSink& sink,
                      const std::function<void(uint64_t, uint64_t)>& progress) {
  uint64_t total = 0, done = 0;
  for (const report::TableInfo& table : source.reader().tables()) total += source.rows(table.id);
  for (const report::TableInfo& table : source.reader().tables()) {
    if (source.rows(table.id) == 0) continue;
    SEXTANT_TRY(TableRows(source, table).write(sink, [&](uint64_t rows) -> Status {
      done += rows;
      if (progress) progress(done, total);
      return {};
    }));
  }
  return {};
}

}  // namespace sextant::exporters
