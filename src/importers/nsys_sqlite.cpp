// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys_sqlite.h"

#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/clock.h"
#include "event/schema_target.h"
#include "importers/duration_counts.h"
#include "importers/foreign_rows.h"
#include "importers/nsys_notes.h"
#include "importers/nsys_rows.h"
#include "text/utf8.h"

namespace sextant::importers {

namespace {

constexpr size_t kMostForeignTables = 3500;
constexpr size_t kMostNamesInAText = 40;

/// Names that can stand in the report's description of tables, which is lines of fields.
bool plain_names(const SourceTable& table) {
  const auto plain = [](std::string_view name) {
    return !name.empty() && name.size() < 1024 && std::none_of(name.begin(), name.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20;
    });
  };
  return plain(table.name) && table.columns.size() <= ForeignRows::kMostColumns &&
         std::all_of(table.columns.begin(), table.columns.end(),
                     [&](const SourceColumn& c) { return plain(c.name); });
}

/// The file under its temporary name; removed unless it was moved to its place.
class Unfinished {
 public:
  explicit Unfinished(const std::string& place) : place_(place) {
    static std::atomic<uint32_t> serial{0};
    path_ = fmt::format("{}.part-{}-{}", place, ::getpid(), serial++);
  }
  ~Unfinished() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  const std::string& path() const { return path_; }
  Status move_to_place() {
    if (::rename(path_.c_str(), place_.c_str()) != 0)
      return fail_errno(errno, "cannot rename " + path_ + " to " + place_);
    path_.clear();
    return {};
  }

 private:
  std::string place_;
  std::string path_;
};

class Import {
 public:
  Import(const SqliteDatabase& database, report::Writer& writer, const NsysImportOptions& options)
      : database_(database), writer_(writer), options_(options) {}

  Result<NsysImportSummary> run() {
    SEXTANT_ASSIGN(state_.strings, NsysStrings::load(database_, writer_));
    state_.database = &database_;
    state_.writer = &writer_;
    summary_.rows.emplace_back("StringIds", state_.strings.rows());
    // first the list of processes, so that their numbers follow it
    if (const SourceTable* processes = database_.find("PROCESSES")) SEXTANT_TRY(take(*processes));
    for (const SourceTable& table : database_.tables())
      if (table.name != "StringIds" && table.name != "PROCESSES") SEXTANT_TRY(take(table));
    SEXTANT_TRY(flush_remembered(1));
    if (summary_.foreign_tables > 0) SEXTANT_TRY(state_.strings.write_numbers(writer_));
    SEXTANT_TRY(state_.processes.write(writer_, kSessionStartRaw));
    SEXTANT_TRY(
        notes_.write(writer_, options_.source_name.empty() ? database_.path() : options_.source_name));
    SEXTANT_TRY(write_diagnostics());
    for (auto& [table, counts] : duration_counts_) SEXTANT_TRY(counts.write(writer_));
    return std::move(summary_);
  }

 private:
  struct Names {  // for a sentence
    std::string text;
    size_t count = 0;
    void add(std::string_view name) {
      if (++count > kMostNamesInAText) return;
      if (!text.empty()) text += ", ";
      text += count == kMostNamesInAText ? "..." : text::printable(name);
    }
  };

  /// So that an export can write the source's tables again, empty ones and all columns included.
  void remember(const SourceTable& table, uint64_t number, uint64_t rows) {
    using namespace event;
    if (!plain_names(table)) return;
    const uint32_t name = writer_.string_id(table.name);
    source_tables_.column(imported_table::kName).push_back(name);
    source_tables_.column(imported_table::kTable).push_back(number);
    source_tables_.column(imported_table::kRows).push_back(rows);
    for (const SourceColumn& column : table.columns) {
      source_columns_.column(imported_column::kTable).push_back(name);
      source_columns_.column(imported_column::kName).push_back(writer_.string_id(column.name));
      source_columns_.column(imported_column::kType).push_back(writer_.string_id(column.declared_type));
      source_columns_.column(imported_column::kIsRowNumber).push_back(column.is_rowid ? 1 : 0);
    }
  }

  Status flush_remembered(size_t least) {
    if (source_columns_.count() < least) return {};
    const report::Rows* parts[] = {&source_tables_, &source_columns_};
    SEXTANT_TRY(writer_.write_group(parts, {}));
    source_tables_.clear();
    source_columns_.clear();
    return {};
  }

  Status take(const SourceTable& table) {
    const nsys::Target target =
        nsys::find_target(table.name, [&](std::string_view column) { return table.find(column) >= 0; });
    uint64_t rows = 0, number = 0;
    if (target.table != nullptr) {
      NsysRows import(state_, table, target);
      SEXTANT_TRY(import.import([&](const report::Rows& batch) {
        notes_.take(batch, state_.processes);
        if (DurationCounts::wanted(*batch.table))
          duration_counts_.try_emplace(batch.table->id, *batch.table).first->second.add(batch);
      }));
      rows = import.rows();
      number = target.table->to;
      if (rows > 0 && !import.left_out().empty()) left_out_.add(table.name + " (" + import.left_out() + ")");
    } else if (!plain_names(table) || foreign_number_ - event::kFirstForeignTable >= kMostForeignTables) {
      refused_.add(table.name);
      summary_.rows.emplace_back(table.name, 0);
      return {};
    } else {
      ForeignRows import(table, static_cast<uint16_t>(foreign_number_));
      SEXTANT_TRY(import.import(database_, state_.strings, writer_));
      rows = import.rows();
      if (rows > 0) {
        number = foreign_number_++;
        ++summary_.foreign_tables;
        foreign_.add(table.name);
      }
    }
    summary_.rows.emplace_back(table.name, rows);
    remember(table, number, rows);
    return flush_remembered(report::kChunkRows / 2);
  }

  void diagnose(report::Rows& rows, std::string_view code, uint64_t count, const std::string& text) {
    using namespace event;
    if (count == 0) return;
    rows.column(diagnostic::kCode).push_back(writer_.string_id(code));
    rows.column(diagnostic::kCount).push_back(count);
    rows.column(diagnostic::kText).push_back(writer_.string_id(text));
  }

  void diagnose_values(report::Rows& rows, std::string_view code, const std::map<std::string, uint64_t>& lost,
                       std::string_view what) {
    uint64_t count = 0;
    Names columns;
    for (const auto& [column, values] : lost) {
      count += values;
      columns.add(column);
    }
    diagnose(rows, code, count, fmt::format("{}: {}", what, columns.text));
  }

  Status write_diagnostics() {
    report::Rows rows(*event::find_table(event::kDiagnostic));
    diagnose(rows, "tables-kept-as-they-are", foreign_.count,
             "tables of the source that have no meaning here were kept with their own names and columns: " +
                 foreign_.text);
    diagnose(
        rows, "tables-left-out", refused_.count,
        "tables of the source with too many columns or impossible names were left out: " + refused_.text);
    diagnose(rows, "columns-left-out", left_out_.count,
             "columns that nsys never had were left out: " + left_out_.text);
    diagnose(rows, "not-tables", database_.passed_over(),
             "views, triggers and virtual tables of the source were passed over");
    diagnose(rows, "texts-dropped", state_.strings.dropped(),
             "texts were dropped: the source has more of them than a report can hold");
    diagnose_values(rows, "values-of-wrong-type", state_.losses.wrong_type,
                    "values that are no numbers where nsys has numbers read as missing");
    diagnose_values(rows, "strings-missing", state_.losses.unknown_string,
                    "names that StringIds does not have read as missing");
    const report::Rows* parts[] = {&rows};
    return writer_.write_group(parts, {});
  }

  const SqliteDatabase& database_;
  report::Writer& writer_;
  const NsysImportOptions& options_;
  NsysImportState state_;
  NsysNotes notes_;
  std::map<uint16_t, DurationCounts> duration_counts_;  // by table
  NsysImportSummary summary_;
  report::Rows source_tables_{*event::find_table(event::kImportedTable)};
  report::Rows source_columns_{*event::find_table(event::kImportedColumn)};
  uint32_t foreign_number_ = event::kFirstForeignTable;
  Names foreign_, refused_, left_out_;
};

}  // namespace

Result<NsysImportSummary> import_nsys_sqlite(const std::string& path, const std::string& report_path,
                                             const NsysImportOptions& options) {
  const SqliteDatabase* opened = nullptr;
  const auto go_on = [&] {
    if (options.progress && opened != nullptr)
      options.progress(opened->bytes_scanned(), opened->file_bytes());
    return !options.go_on || options.go_on();
  };
  SEXTANT_ASSIGN(const SqliteDatabase database, SqliteDatabase::open(path, go_on));
  opened = &database;
  Unfinished file(report_path);
  report::Writer::Options how;
  how.run_id = options.run_id;
  how.clock_kind = static_cast<uint32_t>(base::ClockKind::kMonotonic);
  SEXTANT_ASSIGN(report::Writer writer, report::Writer::create(file.path(), how));
  SEXTANT_ASSIGN(NsysImportSummary summary, Import(database, writer, options).run());
  SEXTANT_TRY(database.unchanged());
  if (options.at_end) SEXTANT_TRY(options.at_end(file.path(), writer));
  SEXTANT_TRY(writer.finish());
  SEXTANT_TRY(file.move_to_place());
  return summary;
}

}  // namespace sextant::importers
