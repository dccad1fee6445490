// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <thread>
#include <unordered_map>

#include "base/fd.h"
#include "report/checksum.h"
#include "report/chunk_body.h"
#include "report/column_codec.h"
#include "report/dictionary.h"
#include "report/directory.h"
#include "report/overview_maker.h"
#include "report/schema_text.h"

namespace sextant::report {

namespace {

constexpr size_t kMaxStringsChunkBytes = 64u << 20;
constexpr uint32_t kClockOfRun = 1;
constexpr size_t kFewRows = 256;  // in which nothing is looked for on which columns may depend

struct StringHash {
  size_t operator()(std::string_view s) const { return checksum(s.data(), s.size()); }
};

/// What the header of a data chunk says about its times.
struct TimeSpan {
  uint64_t min = 0;
  uint64_t max = 0;
  uint32_t clock = 0;
};

/// Positions in a table of the first time column and of the first duration column, which is taken for its
/// length; -1: none.
struct TimeColumns {
  int time = -1;
  int duration = -1;
};

/// Rows that become a chunk. `columns` as the table has them: empty where all values are 0, one value where
/// all are equal, else all of them.
struct Piece {
  const Rows* rows;
  size_t first, count;
  std::vector<std::span<const uint64_t>> columns;

  Piece(const Rows& all, size_t first_row, size_t row_count)
      : rows(&all), first(first_row), count(row_count), columns(all.columns.size()) {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (all.columns[i].empty()) continue;
      const std::span<const uint64_t> v = std::span(all.columns[i]).subspan(first, count);
      const bool equal = std::memcmp(v.data(), v.data() + 1, (count - 1) * sizeof(uint64_t)) == 0;
      columns[i] = !equal ? v : v.first(v[0] == 0 ? 0 : 1);
    }
  }
  std::span<const uint64_t> whole(size_t column) const {
    return std::span(rows->columns[column]).subspan(first, count);
  }
};

TimeColumns time_columns(const event::Table& table) {
  TimeColumns found;
  for (int i = static_cast<int>(table.columns.size()) - 1; i >= 0; --i) {
    if (table.columns[i].type == event::Type::kTime) found.time = i;
    if (table.columns[i].type == event::Type::kDuration) found.duration = i;
  }
  return found;
}

/// Two appenders would destroy a file. A process that was killed may hold its lock a little longer.
Status lock(int fd, const std::string& path) {
  using namespace std::chrono_literals;
  for (auto waited = 0ms;; waited += 10ms) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return {};
    if (errno != EWOULDBLOCK && errno != EINTR) return {};  // a file system without locks
    if (waited >= 2s) return fail(ErrorCode::kDenied, path + " is still being written by another process");
    std::this_thread::sleep_for(10ms);
  }
}

Status check_rows(const Rows& rows) {
  const size_t n = rows.count();
  for (const auto& column : rows.columns) {
    if (!column.empty() && column.size() != n)
      return fail(ErrorCode::kInternal,
                  "columns of different lengths for table " + std::string(rows.table->name));
  }
  return {};
}

}  // namespace

size_t Rows::count() const {
  for (const auto& column : columns)
    if (!column.empty()) return column.size();
  return 0;
}

std::vector<uint64_t>& Rows::column(uint16_t id) {
  for (size_t i = 0; i < columns.size(); ++i)
    if (table->columns[i].id == id) return columns[i];
  std::abort();  // a bug of the caller: the table has no such column
}

void Rows::clear() {
  for (auto& column : columns) column.clear();
}

struct Writer::State {
  std::string path;
  Options options;
  base::Fd fd;
  bool finished = false;
  bool tail_torn = false;  // a failed write could not be cut off yet
  uint64_t end = 0;        // of what is written and whole
  uint32_t group = 0;      // last number given
  std::vector<IndexEntry> index;
  ColumnEncoder encoder{1};
  FirstSeen names_seen, origins_seen;
  std::map<uint16_t, OverviewMaker> overviews;  // by table
  FileHeader header{};

  std::set<uint16_t> described;  // tables whose description is written

  std::deque<std::string> texts;  // of this writer: the last one has id next_id - 1
  std::deque<std::pair<uint64_t, std::string>>
      recovered;  // found by reopen, by growing id, perhaps with gaps
  std::unordered_map<std::string_view, uint32_t, StringHash> ids;
  uint64_t next_id = 1;
  uint64_t unwritten_id = 1;   // ids from here on are not in the file yet
  size_t unwritten_texts = 0;  // how many of `texts`, at its end

  std::string temporary;  // the file's name until the first write, where it is to replace another

  // The write being assembled: lands at `end`.
  std::vector<uint8_t> buffer;
  std::vector<IndexEntry> buffered;

  explicit State(const Options& o) : options(o), encoder(o.zstd_level) {}

  Status open_new();
  Status take_place();
  void drop_temporary();
  void begin();
  void begin_chunk(ChunkHeader header);
  void end_chunk(const ChunkHeader& header);
  void add_strings(uint32_t group_number);
  void add_data(const Piece& piece, uint32_t group_number, bool last, std::span<const Provenance> provenance);
  void add_overview(const Piece& piece, uint32_t group_number);
  void add_provenance(std::span<const Provenance> provenance);
  void add_summary(uint16_t table, std::span<const Writer::NamedDuration> rows);
  int name_column(const Piece& piece);
  int origin_column(const Piece& piece);
  TimeSpan add_columns(const Piece& piece, uint16_t* columns);
  void describe(std::span<const Rows* const> parts);
  void add_simple(ChunkKind kind, std::span<const uint8_t> body, uint32_t rows);
  Status commit();
  Status write_all(uint64_t offset, std::span<const uint8_t> bytes);
  void cut_tail();
};

Status Writer::State::open_new() {
  if (options.replace) {  // beside the old file, which stays until something is written (take_place)
    std::string id;
    for (uint8_t byte : options.run_id) id += "0123456789abcdef"[byte & 15];
    temporary = path + ".new-" + id;
    ::unlink(temporary.c_str());  // of this very run: a try that failed
  }
  const std::string& name = options.replace ? temporary : path;
  fd = base::Fd(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd.valid() && errno == EEXIST) return fail(ErrorCode::kDenied, name + " exists already");
  if (!fd.valid()) return fail_errno(errno, "cannot create " + name);
  return lock(fd.get(), path);
}

/// The new file takes the old one's name. Who has the old one open keeps it.
Status Writer::State::take_place() {
  if (temporary.empty()) return {};
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail_errno(errno, "cannot replace " + path);
  temporary.clear();
  return {};
}

/// The first write failed: the old file stays what it was, the next try starts anew.
void Writer::State::drop_temporary() {
  ::unlink(temporary.c_str());
  fd.reset();
  tail_torn = false;
}

/// Starts to assemble a write; the first one of a file has the header in front.
void Writer::State::begin() {
  buffer.clear();
  buffered.clear();
  if (end != 0) return;
  std::memcpy(header.magic, kFileMagic, sizeof(kFileMagic));
  header.major = kFormatMajor;
  header.minor = kFormatMinor;
  header.header_bytes = sizeof(FileHeader);
  std::memcpy(header.run_id, options.run_id.data(), sizeof(header.run_id));
  header.clock_kind = options.clock_kind;
  header.checksum = checksum(header);
  const auto* bytes = reinterpret_cast<const uint8_t*>(&header);
  buffer.insert(buffer.end(), bytes, bytes + sizeof(header));
}

void Writer::State::begin_chunk(ChunkHeader chunk) {
  chunk.magic = kChunkMagic;
  buffered.push_back({end + buffer.size(), chunk});
  buffer.resize(buffer.size() + sizeof(ChunkHeader));
}

/// Completes the chunk begun last with the lengths and checksums, in the buffer and in the index.
void Writer::State::end_chunk(const ChunkHeader& chunk) {
  IndexEntry& entry = buffered.back();
  const size_t body = entry.offset - end + sizeof(ChunkHeader);
  entry.header = chunk;
  entry.header.magic = kChunkMagic;
  entry.header.body_bytes = buffer.size() - body;
  entry.header.body_checksum = checksum(buffer.data() + body, entry.header.body_bytes);
  entry.header.header_checksum = checksum(entry.header);
  std::memcpy(buffer.data() + body - sizeof(ChunkHeader), &entry.header, sizeof(ChunkHeader));
  buffer.resize(align_chunk(buffer.size()));
}

void Writer::State::add_simple(ChunkKind kind, std::span<const uint8_t> body, uint32_t rows) {
  const ChunkHeader chunk{.kind = static_cast<uint16_t>(kind), .rows = rows};
  begin_chunk(chunk);
  buffer.insert(buffer.end(), body.begin(), body.end());
  end_chunk(chunk);
}

/// A table is described before its first rows.
void Writer::State::describe(std::span<const Rows* const> parts) {
  std::vector<event::Table> tables;
  for (const Rows* part : parts)
    if (part->count() > 0 && !described.contains(part->table->id)) tables.push_back(*part->table);
  if (tables.empty()) return;
  const std::string text = schema_text(tables);
  add_simple(ChunkKind::kSchema, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}, 0);
}

void Writer::State::add_strings(uint32_t group_number) {
  size_t from = texts.size() - unwritten_texts;
  uint64_t id = unwritten_id;
  while (from < texts.size()) {
    std::vector<std::string_view> part;
    size_t bytes = 0;
    while (from < texts.size() && (part.empty() || bytes + texts[from].size() < kMaxStringsChunkBytes)) {
      bytes += texts[from].size() + sizeof(uint32_t);
      part.push_back(texts[from++]);
    }
    const ChunkHeader chunk{.kind = static_cast<uint16_t>(ChunkKind::kStrings),
                            .rows = static_cast<uint32_t>(part.size()),
                            .group = group_number};
    begin_chunk(chunk);
    encode_strings(id, part, options.zstd_level, &buffer);
    end_chunk(chunk);
    id += part.size();
  }
}

void Writer::State::add_provenance(std::span<const Provenance> provenance) {
  const uint32_t counts[2] = {static_cast<uint32_t>(provenance.size()), 0};
  const auto* c = reinterpret_cast<const uint8_t*>(counts);
  buffer.insert(buffer.end(), c, c + sizeof(counts));
  const auto* p = reinterpret_cast<const uint8_t*>(provenance.data());
  buffer.insert(buffer.end(), p, p + provenance.size_bytes());
}

void Writer::State::add_summary(uint16_t table, std::span<const Writer::NamedDuration> rows) {
  constexpr event::Type kTypes[] = {event::Type::kString, event::Type::kDuration, event::Type::kUint};
  ChunkHeader chunk{.kind = static_cast<uint16_t>(ChunkKind::kSummary),
                    .table = table,
                    .columns = std::size(kTypes),
                    .rows = static_cast<uint32_t>(rows.size())};
  begin_chunk(chunk);
  size_t header_at = buffer.size();
  buffer.resize(buffer.size() + std::size(kTypes) * sizeof(ColumnHeader));
  std::vector<uint64_t> values(rows.size());
  for (uint16_t c = 0; c < uint16_t{std::size(kTypes)}; ++c) {
    for (size_t i = 0; i < rows.size(); ++i)
      values[i] = c == kSummaryName ? rows[i].name : c == kSummaryDuration ? rows[i].duration : rows[i].count;
    bool by_origin = false;
    ColumnHeader column = encoder.encode(values, kTypes[c], {}, {}, &by_origin, &buffer);
    column.id = c;
    std::memcpy(buffer.data() + header_at, &column, sizeof(column));
    header_at += sizeof(column);
  }
  end_chunk(chunk);
}

/// Position of the column on which others may depend (the first one of strings: names), numbered in
/// names_seen; -1: there is none worth it.
int Writer::State::name_column(const Piece& piece) {
  if (piece.count < kFewRows) return -1;
  for (size_t i = 0; i < piece.columns.size(); ++i) {
    if (piece.columns[i].empty() || piece.rows->table->columns[i].type != event::Type::kString) continue;
    if (piece.columns[i].size() == 1) return -1;
    const bool few = names_seen.number(piece.columns[i], piece.count / 8);
    return few ? static_cast<int>(i) : -1;
  }
  return -1;
}

/// Position of the column that says where rows of several origins come from: their processes. As above.
int Writer::State::origin_column(const Piece& piece) {
  if (piece.count < kFewRows) return -1;
  for (size_t i = 0; i < piece.columns.size(); ++i) {
    if (piece.columns[i].empty() || piece.rows->table->columns[i].name != "process") continue;
    if (piece.columns[i].size() == 1) return -1;
    const bool few = origins_seen.number(piece.columns[i], std::min(piece.count / 64, kMostOrigins));
    return few ? static_cast<int>(i) : -1;
  }
  return -1;
}

/// Column headers and payloads of a data chunk, columns that are all 0 left out.
TimeSpan Writer::State::add_columns(const Piece& piece, uint16_t* columns) {
  const event::Table& table = *piece.rows->table;
  const TimeColumns times = time_columns(table);
  const auto stored = static_cast<size_t>(
      std::count_if(piece.columns.begin(), piece.columns.end(), [](const auto& c) { return !c.empty(); }));
  size_t header_at = buffer.size();
  buffer.resize(buffer.size() + stored * sizeof(ColumnHeader));
  const int name = name_column(piece);
  const int origin = origin_column(piece);
  for (int i = 0; i < static_cast<int>(piece.columns.size()); ++i) {
    if (piece.columns[i].empty()) continue;
    const bool ranges =
        i == times.time && times.duration >= 0 && !piece.rows->columns[times.duration].empty();
    const auto lengths = ranges ? piece.whole(times.duration) : std::span<const uint64_t>();
    Partners partners;
    if (i != origin && table.columns[i].type != event::Type::kTime &&
        table.columns[i].type != event::Type::kDuration) {
      partners.is_name = i == name;
      if (name >= 0 && i != name) partners.name = &names_seen;
      if (origin >= 0) partners.origin = &origins_seen;
    }
    bool by_origin = false;
    ColumnHeader column =
        encoder.encode(piece.columns[i], table.columns[i].type, lengths, partners, &by_origin, &buffer);
    column.id = table.columns[i].id;
    if (static_cast<Transform>(column.transform) == Transform::kByPartner ||
        static_cast<Transform>(column.transform) == Transform::kWithin)
      column.partner = table.columns[by_origin ? origin : name].id;
    if (static_cast<Transform>(column.transform) == Transform::kAfterEnd ||
        static_cast<Transform>(column.transform) == Transform::kAfter)
      column.partner = table.columns[times.duration].id;
    std::memcpy(buffer.data() + header_at, &column, sizeof(column));
    header_at += sizeof(column);
  }
  *columns = static_cast<uint16_t>(stored);

  TimeSpan span;
  if (times.time < 0 || piece.rows->columns[times.time].empty()) return span;
  const uint64_t* start = piece.whole(times.time).data();
  const bool has_length = times.duration >= 0 && !piece.rows->columns[times.duration].empty();
  const uint64_t* length = has_length ? piece.whole(times.duration).data() : nullptr;
  span = {start[0], start[0], kClockOfRun};
  for (size_t i = 0; i < piece.count; ++i) {
    span.min = std::min(span.min, start[i]);
    span.max = std::max(
        {span.max, start[i], start[i] + (length != nullptr ? length[i] : 0)});  // lengths may be negative
  }
  return span;
}

/// Of the data chunk that comes next, where its rows are events of tracks.
void Writer::State::add_overview(const Piece& piece, uint32_t group_number) {
  const event::Table& table = *piece.rows->table;
  const event::TrackTable* of = event::track_table(table.id);
  const bool few = piece.count < kOverviewRows;
  if (of == nullptr) return;
  const auto position = [&](uint16_t id) {
    size_t i = 0;
    while (i < table.columns.size() && table.columns[i].id != id) ++i;
    return i;
  };
  const auto column = [&](uint16_t id) {
    const size_t i = id == event::kNoColumn ? table.columns.size() : position(id);
    return i < table.columns.size() ? piece.columns[i] : std::span<const uint64_t>();
  };
  const size_t start = position(of->start);
  if (start == table.columns.size() || piece.rows->columns[start].empty()) return;
  const EventColumns columns{
      .start = piece.whole(start),
      .duration = column(of->duration),
      .lane = {column(of->lane[0]), column(of->lane[1]), column(of->lane[2]), column(of->lane[3])},
      .name = column(of->name),
      .level = column(of->level),
      .nulls = column(of->nulls),
      .registered = column(of->registered),
      .type = column(of->type)};
  if (few && has_levels(columns.level)) return;
  Overview overview;
  if (!overviews.try_emplace(of->table, *of).first->second.make(columns, &overview) || few)
    return;  // small chunks only count for those after them
  const ChunkHeader chunk{.kind = static_cast<uint16_t>(ChunkKind::kOverview),
                          .table = table.id,
                          .rows = static_cast<uint32_t>(piece.count),
                          .group = group_number};
  begin_chunk(chunk);
  encode_overview(overview, options.zstd_level, &buffer);
  end_chunk(chunk);
}

void Writer::State::add_data(const Piece& piece, uint32_t group_number, bool last,
                             std::span<const Provenance> provenance) {
  ChunkHeader chunk{.kind = static_cast<uint16_t>(ChunkKind::kData),
                    .flags = static_cast<uint16_t>(last ? kGroupEnd : 0),
                    .table = piece.rows->table->id,
                    .rows = static_cast<uint32_t>(piece.count),
                    .group = group_number};
  begin_chunk(chunk);
  const TimeSpan span = add_columns(piece, &chunk.columns);
  chunk.time_min = span.min;
  chunk.time_max = span.max;
  chunk.clock = span.clock;
  if (last) add_provenance(provenance);
  end_chunk(chunk);
}

Status Writer::State::write_all(uint64_t offset, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail_errno(errno, "cannot write to " + path);
    if (done == 0) return fail(ErrorCode::kIo, "cannot write to " + path);
    offset += static_cast<uint64_t>(done);
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
  return {};
}

void Writer::State::cut_tail() {
  tail_torn = ::ftruncate(fd.get(), static_cast<off_t>(end)) != 0;
}

/// Writes what was assembled. On failure nothing has changed, in the file (as far as it lets us) and in the
/// state.
Status Writer::State::commit() {
  if (!fd.valid()) SEXTANT_TRY(open_new());
  if (tail_torn) cut_tail();
  if (tail_torn) return fail(ErrorCode::kIo, "cannot cut off a failed write to " + path);
  Status written = write_all(end, buffer);
  if (written) written = take_place();
  if (!written) {
    temporary.empty() ? cut_tail() : drop_temporary();
    return written;
  }
  end += buffer.size();
  index.insert(index.end(), buffered.begin(), buffered.end());
  return {};
}

Writer::Writer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
Writer::~Writer() {
  if (state_ && !state_->temporary.empty()) ::unlink(state_->temporary.c_str());
}

Result<Writer> Writer::create(const std::string& path, const Options& options) {
  auto state = std::make_unique<State>(options);
  state->path = path;
  if (options.replace) return Writer(std::move(state));
  SEXTANT_TRY(state->open_new());
  state->begin();
  if (Status started = state->commit(); !started) {
    ::unlink(path.c_str());  // made by this very call
    return tl::unexpected(std::move(started).error());
  }
  return Writer(std::move(state));
}

uint32_t Writer::string_id(std::string_view text) {
  if (text.empty()) return 0;
  State& s = *state_;
  if (const auto known = s.ids.find(text); known != s.ids.end()) return known->second;
  s.texts.emplace_back(text);
  const auto id = static_cast<uint32_t>(s.next_id++);
  s.ids.emplace(s.texts.back(), id);
  ++s.unwritten_texts;
  return id;
}

std::string_view Writer::string(uint32_t id) const {
  const State& s = *state_;
  const uint64_t first = s.next_id - s.texts.size();
  if (id >= first) return id < s.next_id ? std::string_view(s.texts[id - first]) : std::string_view();
  const auto at = std::lower_bound(s.recovered.begin(), s.recovered.end(), id,
                                   [](const auto& text, uint64_t wanted) { return text.first < wanted; });
  return at != s.recovered.end() && at->first == id ? std::string_view(at->second) : std::string_view();
}

size_t Writer::string_count() const {
  return state_->texts.size();
}

Status Writer::write_meta(std::string_view key, std::string_view value) {
  State& s = *state_;
  if (s.finished) return fail(ErrorCode::kInternal, "write to a finished report");
  s.begin();
  std::vector<uint8_t> body;
  encode_meta(key, value, &body);
  s.add_simple(ChunkKind::kMeta, body, 1);
  return s.commit();
}

Status Writer::write_group(std::span<const Rows* const> parts, std::span<const Provenance> provenance) {
  State& s = *state_;
  if (s.finished) return fail(ErrorCode::kInternal, "write to a finished report");
  size_t chunks = 0;
  for (const Rows* part : parts) {
    SEXTANT_TRY(check_rows(*part));
    chunks += (part->count() + kChunkRows - 1) / kChunkRows;
  }
  if (chunks == 0 && provenance.empty()) return {};

  s.begin();
  const uint32_t number = s.group + 1;
  s.describe(parts);
  s.add_strings(number);
  for (const Rows* part : parts) {
    const size_t rows = part->count();
    const size_t pieces = (rows + kChunkRows - 1) / kChunkRows;
    for (size_t k = 0; k < pieces; ++k) {
      const size_t first = rows * k / pieces;
      const Piece piece(*part, first, rows * (k + 1) / pieces - first);
      --chunks;
      s.add_overview(piece, number);
      s.add_data(piece, number, chunks == 0, provenance);
    }
  }
  if (s.buffered.empty() || (s.buffered.back().header.flags & kGroupEnd) == 0) {
    const ChunkHeader chunk{
        .kind = static_cast<uint16_t>(ChunkKind::kCheckpoint), .flags = kGroupEnd, .group = number};
    s.begin_chunk(chunk);
    s.add_provenance(provenance);
    s.end_chunk(chunk);
  }
  SEXTANT_TRY(s.commit());
  s.group = number;
  for (const Rows* part : parts)
    if (part->count() > 0) s.described.insert(part->table->id);
  s.unwritten_id = s.next_id;
  s.unwritten_texts = 0;
  return {};
}

Status Writer::write_summary(const event::Table& table, std::span<const NamedDuration> rows) {
  State& s = *state_;
  if (s.finished) return fail(ErrorCode::kInternal, "write to a finished report");
  if (rows.empty()) return {};
  s.begin();
  for (size_t first = 0; first < rows.size(); first += kChunkRows)
    s.add_summary(table.id, rows.subspan(first, std::min<size_t>(kChunkRows, rows.size() - first)));
  return s.commit();
}

Status Writer::finish() {
  State& s = *state_;
  if (s.finished) return {};
  s.begin();
  s.add_strings(0);
  const size_t entries = s.index.size() + s.buffered.size();
  FileTrailer trailer{};
  if (entries * sizeof(IndexEntry) <= kMaxBodyBytes) {  // else: a reader walks
    trailer.index_offset = s.end + s.buffer.size();
    std::vector<IndexEntry> all(s.index);
    all.insert(all.end(), s.buffered.begin(), s.buffered.end());
    const auto* bytes = reinterpret_cast<const uint8_t*>(all.data());
    s.add_simple(ChunkKind::kIndex, {bytes, all.size() * sizeof(IndexEntry)}, static_cast<uint32_t>(entries));
  }
  trailer.file_bytes = s.end + s.buffer.size() + sizeof(trailer);
  set_trailer_magic(&trailer);
  trailer.checksum = checksum(trailer);
  const auto* bytes = reinterpret_cast<const uint8_t*>(&trailer);
  s.buffer.insert(s.buffer.end(), bytes, bytes + sizeof(trailer));
  SEXTANT_TRY(s.commit());
  s.unwritten_texts = 0;
  s.finished = true;
  return {};
}

uint64_t Writer::bytes_written() const {
  return state_->end;
}

Result<Writer> Writer::reopen(const std::string& path, std::vector<Provenance>* done) {
  base::Fd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd.valid()) return fail_errno(errno, "cannot open " + path);
  SEXTANT_TRY(lock(fd.get(), path));
  SEXTANT_ASSIGN(Directory directory, read_directory(fd.get(), path, Lookup::kWalk));
  if (!directory.chunks.empty() &&
      directory.chunks.back().header.kind == static_cast<uint16_t>(ChunkKind::kIndex)) {
    directory.content_end = directory.chunks.back().offset;
    directory.chunks.pop_back();
  }

  Options options;
  std::memcpy(options.run_id.data(), directory.header.run_id, options.run_id.size());
  options.clock_kind = directory.header.clock_kind;
  auto state = std::make_unique<State>(options);
  state->path = path;
  state->header = directory.header;

  Dictionary dictionary;
  std::vector<uint8_t> body;
  for (const ChunkRef& chunk : directory.chunks) {
    state->index.push_back({chunk.offset, chunk.header});
    state->group = std::max(state->group, chunk.header.group);
    const auto kind = static_cast<ChunkKind>(chunk.header.kind);
    const bool ends = ends_group(chunk.header);
    if (kind != ChunkKind::kStrings && !ends) continue;
    if (!read_body(fd.get(), chunk, &body)) continue;  // stays in the file; readers count it
    if (kind == ChunkKind::kStrings) (void)dictionary.add(body, chunk.header.rows);
    if (ends) {
      Result<std::vector<Provenance>> entries = parse_provenance(chunk.header, body);
      if (entries) done->insert(done->end(), entries->begin(), entries->end());
    }
  }
  dictionary.for_each([&](uint64_t id, std::string_view text) {
    state->recovered.emplace_back(id, text);
    state->ids.emplace(state->recovered.back().second, static_cast<uint32_t>(id));
  });
  state->next_id = state->unwritten_id = dictionary.next_id();
  if (state->next_id > UINT32_MAX)
    return fail(ErrorCode::kUnsupported, path + " has too many strings to add to");

  state->fd = std::move(fd);
  state->end = align_chunk(directory.content_end);
  state->cut_tail();
  if (state->tail_torn) return fail(ErrorCode::kIo, "cannot cut off the unfinished end of " + path);
  return Writer(std::move(state));
}

}  // namespace sextant::report
