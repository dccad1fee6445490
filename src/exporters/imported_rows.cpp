// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/imported_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "event/schema_target.h"
#include "exporters/report_rows.h"
#include "text/sql_name.h"

namespace sextant::exporters {

namespace {

using nsys::From;

bool is_blob(const std::string& type) {
  return ::strcasestr(type.c_str(), "BLOB") != nullptr;
}

/// Reads the chunks of one source, one after the other, and hands them to `use` as columns.
Status for_each_chunk(ImportedSource& source, const ImportedTable& from, std::span<const uint16_t> columns,
                      const std::function<bool(const std::vector<std::vector<uint64_t>>&)>& is_of_source,
                      const std::function<void(const std::vector<std::vector<uint64_t>>&, size_t)>& use) {
  const std::vector<size_t>& chunks = source.chunks[from.table];
  size_t& next = source.chunks_taken[from.table];
  std::vector<std::vector<uint64_t>> values(columns.size());
  for (uint64_t done = 0; done < from.rows && next < chunks.size(); ++next) {
    const report::ChunkRef& chunk = source.reader.chunks()[chunks[next]];
    const bool readable = source.reader.read_columns(chunk, columns, values).has_value();
    const size_t rows = std::min<uint64_t>(chunk.header.rows, from.rows - done);
    if (readable && !is_of_source(values)) break;  // chunks of this source are lost
    done += rows;
    if (readable) use(values, rows);
    source.rows_written += rows;
    SEXTANT_TRY(source.progress(source.rows_written));
  }
  return {};
}

/// How the rows of the report's table become those of the source's.
class MappedRows {
 public:
  MappedRows(ImportedSource& source, const ImportedTable& from, const nsys::Target& target, SqliteTable& to)
      : source_(source), from_(from), target_(target), rows_(to) {
    nulls_ = read(event::kNullsColumn);
    for (const nsys::Column& column : target.table->columns) {
      if (column.from == From::kRowid) row_number_ = part(column);
      if (column.from == From::kTime && !start_) start_ = part(column);
      if (column.from == From::kConstant || column.from == From::kTableName) which_ = part(column);
    }
    for (const ImportedColumn& column : from.columns) cells_.push_back(plan(column));
  }

  Status write() {
    return for_each_chunk(
        source_, from_, wanted_, [&](const auto& values) { return is_of_source(values); },
        [&](const auto& values, size_t rows) {
          for (size_t i = 0; i < rows; ++i) write_row(values, i);
        });
  }

 private:
  using Columns = std::vector<std::vector<uint64_t>>;

  struct Part {
    From from;
    size_t at;  // position in wanted_
    uint64_t null_bit;
  };
  struct Cell {
    std::optional<Part> value;
    std::optional<Part> tid;  // the rest of a globalTid
    bool is_blob = false;
    bool is_rowid = false;
  };

  size_t read(uint16_t column) {
    const auto at = std::find(wanted_.begin(), wanted_.end(), column);
    if (at != wanted_.end()) return static_cast<size_t>(at - wanted_.begin());
    wanted_.push_back(column);
    return wanted_.size() - 1;
  }
  Part part(const nsys::Column& column) { return {column.from, read(column.to), uint64_t{1} << column.to}; }

  Cell plan(const ImportedColumn& wanted) {
    Cell cell;
    cell.is_blob = is_blob(wanted.type);
    cell.is_rowid = wanted.is_rowid;
    for (const nsys::Column& column : target_.table->columns)
      if (!column.source.empty() && text::same_sql_name(column.source, wanted.name))
        (column.from == From::kTid ? cell.tid : cell.value) = part(column);
    return cell;
  }

  bool is_of_source(const Columns& values) const {
    if (!which_ || values[which_->at].empty()) return true;
    const uint64_t which = values[which_->at][0];
    return which_->from == From::kConstant ? which == target_.source->constant
                                           : source_.reader.string(which) == from_.name;
  }

  void write_row(const Columns& values, size_t row) {
    record_.clear();
    const uint64_t nulls = values[nulls_][row];
    std::optional<int64_t> number;
    if (row_number_ && (nulls & row_number_->null_bit) == 0)
      number = static_cast<int64_t>(values[row_number_->at][row]);
    for (const Cell& cell : cells_) {
      const bool missing = !cell.value || (nulls & cell.value->null_bit) != 0;
      if (cell.is_rowid && !missing) number = static_cast<int64_t>(values[cell.value->at][row]);
      if (missing || cell.is_rowid) {
        record_.null();
      } else {
        add(cell, values, row, nulls);
      }
    }
    if (number) {
      rows_.append(*number, record_);
    } else {
      rows_.append(record_);
    }
  }

  void add(const Cell& cell, const Columns& values, size_t row, uint64_t nulls) {
    const uint64_t value = values[cell.value->at][row];
    switch (cell.value->from) {
      case From::kReal:
        record_.real(std::bit_cast<double>(value));
        return;
      case From::kText:
        if (cell.is_blob) {
          record_.blob(source_.reader.string(value));
        } else {
          record_.text(source_.reader.string(value));
        }
        return;
      case From::kStringId:
        record_.integer(source_.strings.use(value));
        return;
      case From::kProcess:
      case From::kProcessOfThread: {
        const auto global = source_.global_ids.find(value);
        const uint64_t tid = cell.tid ? values[cell.tid->at][row] & nsys::kTidBits : 0;
        record_.integer(
            static_cast<int64_t>((global == source_.global_ids.end() ? 0 : global->second) | tid));
        return;
      }
      case From::kTime:
        record_.integer(static_cast<int64_t>(value - nsys::kSessionStartRaw));
        return;
      case From::kEnd: {
        const bool has_start = start_ && (nulls & start_->null_bit) == 0;
        const uint64_t start = has_start ? values[start_->at][row] - nsys::kSessionStartRaw : 0;
        record_.integer(static_cast<int64_t>(start + value));
        return;
      }
      default:
        record_.integer(static_cast<int64_t>(value));
    }
  }

  ImportedSource& source_;
  const ImportedTable& from_;
  const nsys::Target target_;
  RowNumbers rows_;
  std::vector<uint16_t> wanted_;  // columns of the report
  std::vector<Cell> cells_;       // of the source
  size_t nulls_ = 0;
  std::optional<Part> row_number_, start_, which_;
  SqliteRecord record_;
};

template <typename Number>
Number parsed(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// A value that was kept as it is. `type`: of the report's column.
void add_kept(SqliteRecord& record, const report::Reader& reader, nsys::Kept kind, std::string_view type,
              uint64_t bits) {
  using nsys::Kept;
  const bool as_text = type == "string";
  if (kind == Kept::kOwn) kind = as_text ? Kept::kText : type == "real" ? Kept::kReal : Kept::kInteger;
  const std::string_view text = as_text || kind >= Kept::kText ? reader.string(bits) : std::string_view();
  if (kind == Kept::kInteger) {
    auto value = static_cast<int64_t>(bits);
    if (as_text) value = parsed<int64_t>(text);
    record.integer(value);
  } else if (kind == Kept::kReal) {
    auto value = std::bit_cast<double>(bits);
    if (as_text) value = parsed<double>(text);
    record.real(value);
  } else if (kind == Kept::kText) {
    record.text(text);
  } else if (kind == Kept::kBlob) {
    record.blob(text);
  } else {
    record.null();
  }
}

}  // namespace

ImportedSource::ImportedSource(const report::Reader& from) : reader(from), strings(from) {
  for_each_row(reader, event::kImportedProcess,
               std::array<uint16_t, 2>{event::imported_process::kProcess, event::imported_process::kGlobalId},
               [&](const auto& row) { global_ids[row[0]] = row[1]; });
  for (size_t i = 0; i < reader.chunks().size(); ++i) {
    const report::ChunkHeader& header = reader.chunks()[i].header;
    if (header.kind == static_cast<uint16_t>(report::ChunkKind::kData)) chunks[header.table].push_back(i);
  }
}

void RowNumbers::append(int64_t wanted, const SqliteRecord& record) {
  if (any_ && wanted <= last_) {
    if (last_ == INT64_MAX) return;
    wanted = last_ + 1;
  }
  any_ = true;
  last_ = wanted;
  table_.append(wanted, record);
}

Status write_mapped_rows(ImportedSource& source, const ImportedTable& from, const nsys::Target& target,
                         SqliteTable& to) {
  return MappedRows(source, from, target, to).write();
}

Status write_kept_rows(ImportedSource& source, const ImportedTable& from, SqliteTable& to) {
  using nsys::kKeptColumnsAWord;
  const auto& tables = source.reader.tables();
  const auto info = std::find_if(tables.begin(), tables.end(),
                                 [&](const report::TableInfo& table) { return table.id == from.table; });
  const size_t columns = from.columns.size();
  const size_t words = (columns + kKeptColumnsAWord - 1) / kKeptColumnsAWord;
  if (info == tables.end() || info->columns.size() != columns + words)
    return fail(ErrorCode::kCorrupt, fmt::format("the report describes its table {} in two ways", from.name));
  std::vector<uint16_t> wanted;
  for (const report::ColumnInfo& column : info->columns) wanted.push_back(column.id);
  RowNumbers rows(to);
  SqliteRecord record;
  const auto write_row = [&](const std::vector<std::vector<uint64_t>>& values, size_t row) {
    record.clear();
    std::optional<int64_t> number;
    for (size_t c = 0; c < columns; ++c) {
      const uint64_t word = values[columns + c / kKeptColumnsAWord][row];
      const auto kind = static_cast<nsys::Kept>(word >> (4 * (c % kKeptColumnsAWord)) & 15);
      if (from.columns[c].is_rowid) number = static_cast<int64_t>(values[c][row]);
      add_kept(record, source.reader, from.columns[c].is_rowid ? nsys::Kept::kNone : kind,
               info->columns[c].type, values[c][row]);
    }
    if (number) {
      rows.append(*number, record);
    } else {
      rows.append(record);
    }
  };
  return for_each_chunk(
      source, from, wanted, [](const auto&) { return true; },
      [&](const auto& values, size_t count) {
        for (size_t i = 0; i < count; ++i) write_row(values, i);
      });
}

}  // namespace sextant::exporters
