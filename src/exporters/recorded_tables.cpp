// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/recorded_tables.h"

#include <fmt/format.h>

#include <bit>

#include "event/opencl_commands.h"
#include "exporters/last_rows.h"
#include "exporters/nsys_ids.h"

namespace sextant::exporters {

namespace {

using nsys::From;

class RecordedTable {
 public:
  RecordedTable(const query::Source& source, const ProcessesByNumber& processes, const nsys::Table& from,
                StringIds& strings)
      : source_(source), processes_(processes), from_(from), strings_(strings) {
    for (const nsys::Column& column : from.columns) wanted_.push_back(column.to);
    const event::Table* table = event::find_table(from.to);
    const size_t keys = table == nullptr ? 0 : table->key_columns;
    for (size_t k = 0; k < keys; ++k) keys_.push_back(table->columns[k].id);
    nulls_at_ = wanted_.size();
    wanted_.push_back(event::kNullsColumn);
    for (size_t i = 0; i < from.columns.size() && start_at_ == SIZE_MAX; ++i)
      if (from.columns[i].from == From::kTime) start_at_ = i;
  }

  std::string statement() const {
    std::string sql = fmt::format("CREATE TABLE {} (", from_.sources[0].table);
    bool first = true;
    for (const nsys::Column& column : from_.columns) {
      if (column.from == From::kTid) continue;  // the second half of the column before
      const std::string_view type = column.from == From::kText   ? "TEXT"
                                    : column.from == From::kReal ? "REAL"
                                                                 : "INTEGER";
      sql += fmt::format("{}{} {}", first ? "" : ", ", column.source, type);
      first = false;
    }
    return sql + ")";
  }

  Status write(SqliteTable& to) {
    LastRows last;
    SEXTANT_TRY(last.find(source_, from_.to, keys_));
    return source_.scan_table(from_.to, wanted_, 1, [&](size_t, query::TableBatch& batch) {
      for (size_t i = 0; i < batch.rows; ++i) {
        if (!last.counts(batch.first_row + i)) continue;
        write_row(batch, i);
        to.append(record_);
      }
    });
  }

 private:
  void write_row(const query::TableBatch& batch, size_t row) {
    record_.clear();
    const uint64_t nulls = batch.columns[nulls_at_][row];
    for (size_t c = 0; c < from_.columns.size(); ++c) {
      const nsys::Column& column = from_.columns[c];
      if (column.from == From::kTid) continue;
      if (event::is_null(nulls, column.to)) {
        record_.null();
        continue;
      }
      add(batch, c, row);
    }
  }

  /// Times of a batch are nanoseconds already.
  void add(const query::TableBatch& batch, size_t c, size_t row) {
    const uint64_t value = batch.columns[c][row];
    switch (from_.columns[c].from) {
      case From::kReal:
        record_.real(std::bit_cast<double>(value));
        return;
      case From::kText:
        record_.text(valid_text(source_.reader().string(value), &fixed_));
        return;
      case From::kStringId:
        record_.integer(strings_.use(value));
        return;
      case From::kProcess:
        record_.integer(global_pid(processes_.pid(value)));
        return;
      case From::kProcessOfThread: {
        const bool has_tid = c + 1 < from_.columns.size() && from_.columns[c + 1].from == From::kTid;
        record_.integer(global_tid(processes_.pid(value), has_tid ? batch.columns[c + 1][row] : uint64_t{0}));
        return;
      }
      case From::kEnd:
        record_.integer(
            static_cast<int64_t>(value + (start_at_ == SIZE_MAX ? 0 : batch.columns[start_at_][row])));
        return;
      default:
        record_.integer(static_cast<int64_t>(value));
        return;
    }
  }

  const query::Source& source_;
  const ProcessesByNumber& processes_;
  const nsys::Table& from_;
  StringIds& strings_;
  std::vector<uint16_t> wanted_;  // the columns, nulls
  std::vector<uint16_t> keys_;
  size_t nulls_at_ = 0, start_at_ = SIZE_MAX;
  SqliteRecord record_;
  std::string fixed_;
};

}  // namespace

Status write_recorded_tables(const query::Source& source, const ProcessesByNumber& processes,
                             std::span<const nsys::Table> tables, StringIds& strings, SqliteFile& file) {
  for (const nsys::Table& from : tables) {
    if (source.rows(from.to) == 0) continue;
    RecordedTable table(source, processes, from, strings);
    SEXTANT_TRY(table.write(
        file.add_table(std::string(from.sources[0].table), table.statement(), SqliteFile::Empty::kLeftOut)));
    SEXTANT_TRY(file.status());
  }
  return {};
}

void write_opencl_enum(const query::Source& source, SqliteFile& file) {
  if (source.rows(event::kOpenclApi) == 0 && source.rows(event::kOpenclKernel) == 0) return;
  SqliteTable& table = file.add_table("ENUM_OPENCL_COMMAND",
                                      "CREATE TABLE ENUM_OPENCL_COMMAND (id INTEGER NOT NULL PRIMARY KEY, "
                                      "name TEXT, label TEXT)",
                                      SqliteFile::Empty::kLeftOut);
  SqliteRecord record;
  for (const event::OpenclCommand& command : event::opencl_commands()) {
    record.clear();
    record.null();                                                                     // the row's number
    const std::string_view inner = command.label.substr(1, command.label.size() - 2);  // without brackets
    record.text(inner.substr(inner.find(' ') + 1));
    record.text(command.label);
    table.append(command.number, record);
  }
}

}  // namespace sextant::exporters
