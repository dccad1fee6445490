// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/part.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "event/schema_nvtx.h"
#include "exporters/output_file.h"
#include "nsys/tables.h"
#include "report/writer.h"

namespace sextant::exporters {

namespace {

/// What describes other rows, or the recording: never cut, whatever its time.
constexpr std::array<uint16_t, 9> kWholeTables = {
    event::kProcess,      event::kThread,        event::kDiagnostic,
    event::kClockSync,    event::kNvtxDomain,    event::kProfilerOverhead,
    event::kNvtxCategory, event::kCudaGraphNode, event::kCudaGraph};

/// Kinds of rows in event::kNvtxEvent that have a place in time.
constexpr std::array<uint64_t, 3> kTimedNvtx = {34, 59, 60};  // mark, push/pop, start/end

using RangeKey = std::pair<uint64_t, uint64_t>;  // process and range id
using Ring = std::pair<uint32_t, uint32_t>;      // instance and ring

/// A table as it is written again: one of ours, or one that only the file describes.
struct TableCopy {
  std::vector<event::Column> columns;
  event::Table table{};
  std::vector<uint16_t> ids;
  std::vector<size_t> strings;          // positions of columns with string ids
  std::optional<size_t> start, length;  // of a row's extent
  std::optional<size_t> nulls;
  std::vector<std::pair<size_t, size_t>>
      kept;  // foreign: columns whose kind is told by `types:N`, and that one

  size_t place(uint16_t column) const {
    return static_cast<size_t>(std::find(ids.begin(), ids.end(), column) - ids.begin());
  }
};

class Cut {
 public:
  Cut(query::Source& source, const query::Window& window, report::Writer writer)
      : source_(source), reader_(source.reader()), window_(window), writer_(std::move(writer)) {
    for (const query::Process& process : source.processes()) ends_[process.number] = process.end_ns;
  }

  Status write(const ExportOptions& options) {
    SEXTANT_TRY(write_meta());
    SEXTANT_TRY(find_start_end_ranges());
    uint64_t done = 0, total = 0;
    for (const report::ChunkRef& chunk : reader_.chunks()) total += chunk.header.rows;
    std::vector<const report::ChunkRef*> group;
    for (const report::ChunkRef& chunk : reader_.chunks()) {
      const bool data = chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData);
      const bool checkpoint = chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kCheckpoint);
      if (!data && !checkpoint) continue;
      group.push_back(&chunk);
      done += data ? chunk.header.rows : 0;
      if (checkpoint || (chunk.header.flags & report::kGroupEnd) != 0) {
        SEXTANT_TRY(write_group(group));
        group.clear();
        if (options.progress) options.progress(done, total);
      }
    }
    SEXTANT_TRY(write_note());
    return writer_.finish();
  }

  const PartOutcome& outcome() const { return outcome_; }

 private:
  Status write_meta() {
    for (const auto& [key, value] : reader_.meta())
      if (key != "run_folder") SEXTANT_TRY(writer_.write_meta(key, value));  // nobody records into this one
    SEXTANT_TRY(writer_.write_meta("cut.from_ns", std::to_string(std::max<int64_t>(window_.from_ns, 0))));
    return writer_.write_meta("cut.to_ns", std::to_string(std::min(window_.to_ns, source_.duration_ns())));
  }

  Status find_start_end_ranges() {
    query::NvtxScan scan;
    scan.push_pop = false;
    scan.with_attributes = true;
    scan.with_imported = false;
    SEXTANT_TRY(source_.scan_nvtx(scan, [&](const query::NvtxBatch& batch) {
      for (size_t i = 0; i < batch.rows; ++i) start_end_.emplace_back(batch.process[i], batch.range_id[i]);
    }));
    std::sort(start_end_.begin(), start_end_.end());
    return {};
  }

  /// nullptr: neither this release nor the file knows it.
  TableCopy* table_copy(uint16_t id) {
    if (const auto found = tables_.find(id); found != tables_.end()) return &found->second;
    TableCopy& copy = tables_[id];
    if (const event::Table* known = event::find_table(id)) {
      copy.table = *known;
    } else {
      const auto& described = reader_.tables();
      const auto info =
          std::find_if(described.begin(), described.end(), [&](const auto& t) { return t.id == id; });
      if (info == described.end() || id < event::kFirstForeignTable) {
        tables_.erase(id);
        return nullptr;
      }
      describe(*info, &copy);
    }
    for (const event::Column& column : copy.table.columns) {
      const size_t at = copy.ids.size();
      copy.ids.push_back(column.id);
      if (column.type == event::Type::kString) copy.strings.push_back(at);
      if (column.type == event::Type::kTime && !copy.start) copy.start = at;
      if (column.type == event::Type::kDuration && !copy.length) copy.length = at;
      if (column.id == event::kNullsColumn && id < event::kFirstForeignTable) copy.nulls = at;
    }
    if (std::find(kWholeTables.begin(), kWholeTables.end(), id) != kWholeTables.end()) copy.start.reset();
    return &copy;
  }

  void describe(const report::TableInfo& info, TableCopy* copy) {
    static constexpr std::pair<std::string_view, event::Type> kTypes[] = {
        {"int", event::Type::kInt}, {"string", event::Type::kString}, {"real", event::Type::kReal}};
    for (const report::ColumnInfo& column : info.columns) {
      event::Type type = event::Type::kBits;
      for (const auto& [name, known] : kTypes)
        if (column.type == name) type = known;
      copy->columns.push_back({column.id, names_.emplace_back(column.name), type, "as the source has it"});
    }
    copy->table = {info.id, names_.emplace_back(info.name), info.key_columns, copy->columns, "kept as it is"};
    const auto first_word = std::find_if(copy->columns.begin(), copy->columns.end(), [](const auto& column) {
      return column.name.starts_with("types:");
    });
    const auto values = static_cast<size_t>(first_word - copy->columns.begin());
    for (size_t i = 0; i < values && first_word != copy->columns.end(); ++i)
      if (copy->columns[i].type != event::Type::kString)
        copy->kept.emplace_back(i, values + i / nsys::kKeptColumnsAWord);
  }

  bool keeps(const TableCopy& copy, const std::vector<std::vector<uint64_t>>& c, size_t row) const {
    const uint16_t id = copy.table.id;
    if (id == event::kNvtxStart || id == event::kNvtxEnd)
      return std::binary_search(
          start_end_.begin(), start_end_.end(),
          RangeKey{c[copy.place(event::nvtx::kProcessId)][row], c[copy.place(event::nvtx::kRangeId)][row]});
    if (!copy.start) return true;
    const uint64_t raw = c[*copy.start][row];
    const int64_t from = source_.time_map().to_ns(raw);
    int64_t to = copy.length ? source_.time_map().to_ns(raw + c[*copy.length][row]) : from;
    if (id == event::kNvtxOpen) {
      const auto end = ends_.find(c[copy.place(event::nvtx::kProcessId)][row]);
      to = std::max(from, end != ends_.end() ? end->second : source_.duration_ns());
    }
    if (id == event::kNvtxEvent) {
      const uint64_t type = c[copy.place(event::nvtx_event::kType)][row];
      if (std::find(kTimedNvtx.begin(), kTimedNvtx.end(), type) == kTimedNvtx.end()) return true;
      const bool never_closed =
          copy.nulls && event::is_null(c[*copy.nulls][row], event::nvtx_event::kDuration);
      if (never_closed && type != kTimedNvtx[0]) to = std::max(from, source_.duration_ns());
    }
    return window_.holds(from, to);
  }

  uint64_t string_id(uint64_t id) {
    if (id == 0) return 0;
    const auto [found, fresh] = strings_.try_emplace(id, 0);
    if (fresh) found->second = writer_.string_id(reader_.string(id));
    return found->second;
  }

  /// Rows of a chunk that stay, with strings of the new report. Nothing: it cannot be read.
  std::optional<report::Rows> kept_rows(const report::ChunkRef& chunk) {
    TableCopy* copy = table_copy(chunk.header.table);
    if (copy == nullptr) return std::nullopt;
    std::vector<std::vector<uint64_t>> columns(copy->ids.size());
    if (!reader_.read_columns(chunk, copy->ids, columns)) return std::nullopt;
    report::Rows rows(copy->table);
    const size_t count = columns.empty() ? 0 : columns[0].size();
    outcome_.of_rows += count;
    for (size_t row = 0; row < count; ++row) {
      if (!keeps(*copy, columns, row)) continue;
      for (const size_t at : copy->strings) columns[at][row] = string_id(columns[at][row]);
      for (const auto& [at, word] : copy->kept) {
        const uint64_t kind = columns[word][row] >> (4 * (at % nsys::kKeptColumnsAWord)) & 15;
        if (kind >= static_cast<uint64_t>(nsys::Kept::kText)) columns[at][row] = string_id(columns[at][row]);
      }
      for (size_t at = 0; at < columns.size(); ++at) rows.columns[at].push_back(columns[at][row]);
    }
    outcome_.rows += rows.columns.empty() ? 0 : rows.columns[0].size();
    return rows;
  }

  Status write_group(const std::vector<const report::ChunkRef*>& group) {
    std::vector<report::Rows> kept;
    bool opens = false;
    for (const report::ChunkRef* chunk : group) {
      if (chunk->header.kind == static_cast<uint16_t>(report::ChunkKind::kCheckpoint)) continue;
      auto rows = kept_rows(*chunk);
      if (!rows) {
        ++outcome_.left_out;
        continue;
      }
      if (rows->columns.empty() || rows->columns[0].empty()) continue;
      opens = opens || chunk->header.table == event::kNvtxOpen;
      kept.push_back(std::move(*rows));
    }
    auto provenance = reader_.provenance(*group.back());
    if (!provenance) provenance = std::vector<report::Provenance>();
    // Which stack of open ranges counts is told by the newest group of a ring, also by an empty one.
    bool supersedes = false;
    for (const report::Provenance& p : *provenance) {
      if (opens) rings_with_open_.emplace(p.instance, p.ring);
      supersedes = supersedes || rings_with_open_.contains({p.instance, p.ring});
    }
    if (kept.empty() && !supersedes) return {};
    std::vector<const report::Rows*> parts;
    parts.reserve(kept.size());
    for (const report::Rows& rows : kept) parts.push_back(&rows);
    return writer_.write_group(parts, *provenance);
  }

  /// That this is a part, and what could not be taken over.
  Status write_note() {
    report::Rows rows(*event::find_table(event::kDiagnostic));
    const auto add = [&](std::string_view code, uint64_t count, const std::string& text) {
      using namespace event::diagnostic;
      for (const auto& [column, value] : {std::pair{kCode, uint64_t{writer_.string_id(code)}},
                                          {kProcessId, 0},
                                          {kCount, count},
                                          {kFirst, 0},
                                          {kLast, 0},
                                          {kText, uint64_t{writer_.string_id(text)}}})
        rows.column(column).push_back(value);
    };
    add("cut", 1, "this report is a part of another one: what lies outside of its span of time was left out");
    if (outcome_.left_out > 0)
      add("cut_unread", outcome_.left_out,
          "parts of the original report were damaged or of a later release, and are not here");
    const report::Rows* parts[] = {&rows};
    return writer_.write_group(parts, {});
  }

  query::Source& source_;
  const report::Reader& reader_;
  query::Window window_;
  report::Writer writer_;
  PartOutcome outcome_;
  std::map<uint64_t, int64_t> ends_;  // of processes
  std::vector<RangeKey> start_end_;   // that stay, sorted
  std::map<uint16_t, TableCopy> tables_;
  std::deque<std::string> names_;
  std::unordered_map<uint64_t, uint64_t> strings_;
  std::set<Ring> rings_with_open_;
};

}  // namespace

Result<PartOutcome> write_part(query::Source* source, const query::Window& window, const std::string& output,
                               const ExportOptions& options) {
  SEXTANT_TRY(refuse_the_report_itself(source->reader().path(), output));
  struct stat info {};
  if (::lstat(output.c_str(), &info) == 0) {
    if (!options.replace)
      return fail(ErrorCode::kDenied, output + " exists already; -f replaces it, -o names another file");
    if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kDenied, output + " is no regular file");
  }
  source->set_window(window);
  report::Writer::Options how;
  // An identity of its own: recovery must not take it for the report of the recording.
  if (::getrandom(how.run_id.data(), how.run_id.size(), 0) != static_cast<ssize_t>(how.run_id.size()))
    return fail_errno(errno, "getrandom");
  how.clock_kind = source->reader().header().clock_kind;
  const std::string temporary = fmt::format("{}.part-{}", output, ::getpid());
  SEXTANT_ASSIGN(report::Writer writer, report::Writer::create(temporary, how));
  Cut cut(*source, window, std::move(writer));
  Status written = cut.write(options);
  if (written) {
    const int named = options.replace ? ::rename(temporary.c_str(), output.c_str())
                                      : ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, output.c_str(),
                                                    RENAME_NOREPLACE);
    if (named != 0) written = fail_errno(errno, output);
  }
  if (!written) {
    ::unlink(temporary.c_str());
    return tl::unexpected<Error>(written.error());
  }
  return cut.outcome();
}

}  // namespace sextant::exporters
