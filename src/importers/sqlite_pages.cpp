// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/sqlite_pages.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace sextant::importers {

namespace {

constexpr uint8_t kInteriorTable = 0x05;
constexpr uint8_t kLeafTable = 0x0d;
constexpr size_t kFileHeaderBytes = 100;
constexpr int kMaxDepth = 24;
constexpr uint32_t kFarPages = 4;    // read at once after a jump
constexpr uint32_t kNearPages = 64;  // read at once in a row
constexpr uint32_t kPagesBetweenQuestions = 1024;

uint32_t be16(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) << 8 | p[1];
}
uint32_t be32(const uint8_t* p) {
  return be16(p) << 16 | be16(p + 2);
}

/// A big-endian signed integer of `bytes` bytes.
int64_t signed_be(const uint8_t* p, size_t bytes) {
  auto value = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(p[0])));
  for (size_t i = 1; i < bytes; ++i) value = value << 8 | p[i];
  return static_cast<int64_t>(value);
}

/// A varint at `*at`, which moves behind it. False: it goes beyond `end`.
inline bool varint(const uint8_t** at, const uint8_t* end, uint64_t* value) {
  if (*at < end && **at < 0x80) {
    *value = *(*at)++;
    return true;
  }
  uint64_t v = 0;
  for (int i = 0; i < 9; ++i) {
    if (*at >= end) return false;
    const uint8_t b = *(*at)++;
    if (i == 8) {
      *value = v << 8 | b;
      return true;
    }
    v = v << 7 | (b & 0x7f);
    if (b < 0x80) break;
  }
  *value = v;
  return true;
}

constexpr uint8_t kIntBytes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};  // by serial type

size_t bytes_of(uint64_t serial) {
  return serial < 10 ? kIntBytes[serial] : (serial - 12) / 2;
}

bool contains(std::string_view text, std::string_view word) {
  for (size_t i = 0; i + word.size() <= text.size(); ++i)
    if (::strncasecmp(text.data() + i, word.data(), word.size()) == 0) return true;
  return false;
}

/// Whether SQLite gives whole numbers of such a column back as reals.
bool real_affinity(std::string_view type) {
  for (const std::string_view other : {"INT", "CHAR", "CLOB", "TEXT", "BLOB"})
    if (contains(type, other)) return false;
  return contains(type, "REAL") || contains(type, "FLOA") || contains(type, "DOUB");
}

tl::unexpected<Error> broken(uint32_t page, const std::string& what) {
  return fail(ErrorCode::kCorrupt, "page " + std::to_string(page) + ": " + what +
                                       "; if the file is cut or damaged, export it again");
}

}  // namespace

/// What a scan looks for, by position in the stored record.
struct SqlitePages::Wanted {
  struct Place {
    std::vector<size_t> values;  // where the column goes
    bool is_rowid = false;
    bool is_real = false;
  };
  std::vector<Place> places;         // up to the last wanted column
  std::vector<size_t> rowid_values;  // where the row's number goes
  std::vector<Value> values;
  const std::function<bool(std::span<const Value>)>* use = nullptr;
  const SqliteDatabase::GoOn* go_on = nullptr;
  uint32_t pages = 0;
  bool stopped = false;

  Wanted(const SourceTable& table, std::span<const int> columns) : values(columns.size()) {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] == SqliteDatabase::kRowid) {
        rowid_values.push_back(i);
        continue;
      }
      const auto at = static_cast<size_t>(columns[i]);
      if (places.size() <= at) places.resize(at + 1);
      places[at].values.push_back(i);
      places[at].is_rowid = table.columns[at].is_rowid;
      places[at].is_real = real_affinity(table.columns[at].declared_type);
    }
  }

  bool parse(const Cell& cell);
};

/// The wanted values of a record. False: it is malformed.
bool SqlitePages::Wanted::parse(const Cell& cell) {
  const uint8_t* at = cell.payload.data();
  const uint8_t* const end = at + cell.payload.size();
  uint64_t header_bytes = 0;
  if (!varint(&at, end, &header_bytes) || header_bytes > cell.payload.size()) return false;
  const uint8_t* const header_end = cell.payload.data() + header_bytes;
  if (at > header_end) return false;
  const uint8_t* body = header_end;
  for (const size_t v : rowid_values) values[v] = {.kind = Value::Kind::kInt, .integer = cell.rowid};
  for (const Place& place : places) {
    uint64_t serial = 0;
    if (at < header_end && (!varint(&at, header_end, &serial) || serial == 10 || serial == 11)) return false;
    const size_t bytes = bytes_of(serial);
    if (bytes > static_cast<size_t>(end - body)) return false;
    if (!place.values.empty()) {
      Value value;
      if (serial == 0) {
        if (place.is_rowid) value = {.kind = Value::Kind::kInt, .integer = cell.rowid};
      } else if (serial == 7) {
        value = {.kind = Value::Kind::kReal, .real = std::bit_cast<double>(signed_be(body, 8))};
      } else if (serial < 10) {
        value = {.kind = Value::Kind::kInt,
                 .integer = serial >= 8 ? static_cast<int64_t>(serial - 8) : signed_be(body, bytes)};
        if (place.is_real) value = {.kind = Value::Kind::kReal, .real = static_cast<double>(value.integer)};
      } else {
        value = {.kind = (serial & 1) != 0 ? Value::Kind::kText : Value::Kind::kBlob,
                 .bytes = {reinterpret_cast<const char*>(body), bytes}};
      }
      for (const size_t v : place.values) values[v] = value;
    }
    body += bytes;
  }
  return true;
}

std::unique_ptr<SqlitePages> SqlitePages::make(int fd, uint64_t file_bytes, uint64_t max_row_bytes) {
  uint8_t header[kFileHeaderBytes];
  auto pages = std::unique_ptr<SqlitePages>(new SqlitePages());
  pages->fd_ = fd;
  pages->max_row_bytes_ = max_row_bytes;
  if (!pages->read(0, header, sizeof(header))) return nullptr;
  const uint32_t size = be16(header + 16) == 1 ? 65536 : be16(header + 16);
  if (size < 512 || !std::has_single_bit(size)) return nullptr;
  pages->page_bytes_ = size;
  pages->usable_ = size - header[20];
  if (pages->usable_ < 480 || be32(header + 56) != 1) return nullptr;
  pages->page_count_ = static_cast<uint32_t>(std::min<uint64_t>(file_bytes / size, UINT32_MAX - 1));
  return pages;
}

Status SqlitePages::read(uint64_t offset, void* to, size_t bytes) const {
  auto* at = static_cast<uint8_t*>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(fd_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno(errno, "read error");
    if (got == 0) return fail(ErrorCode::kCorrupt, "the file has become shorter");
    at += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return {};
}

/// The page, valid until the next call.
Result<const uint8_t*> SqlitePages::page(uint32_t number) {
  if (number == 0 || number > page_count_) return broken(number, "named, but beyond the end of the file");
  if (number < window_first_ || number - window_first_ >= window_pages_) {
    const bool in_a_row = number == window_first_ + window_pages_;
    const uint32_t pages = std::min(in_a_row ? kNearPages : kFarPages, page_count_ - number + 1);
    window_.resize(size_t{pages} * page_bytes_);
    window_pages_ = 0;
    SEXTANT_TRY(read(uint64_t{number - 1} * page_bytes_, window_.data(), window_.size()));
    window_first_ = number;
    window_pages_ = pages;
  }
  return window_.data() + size_t{number - window_first_} * page_bytes_;
}

Status SqlitePages::follow_overflow(uint32_t first, size_t done, std::vector<uint8_t>* payload) const {
  uint32_t number = first;
  uint8_t next[4];
  while (done < payload->size()) {
    if (number == 0 || number > page_count_)
      return broken(number, "a row goes on there, beyond the end of the file");
    const uint64_t offset = uint64_t{number - 1} * page_bytes_;
    SEXTANT_TRY(read(offset, next, sizeof(next)));
    const size_t bytes = std::min<size_t>(usable_ - 4, payload->size() - done);
    SEXTANT_TRY(read(offset + 4, payload->data() + done, bytes));
    done += bytes;
    number = be32(next);
  }
  return {};
}

Status SqlitePages::parse_cell(const uint8_t* page, size_t at, Cell* cell) {
  const uint8_t* p = page + at;
  const uint8_t* const end = page + usable_;
  uint64_t bytes = 0;
  uint64_t rowid = 0;
  if (!varint(&p, end, &bytes) || !varint(&p, end, &rowid))
    return fail(ErrorCode::kCorrupt, "a row begins beyond its page");
  cell->rowid = static_cast<int64_t>(rowid);
  const size_t most = usable_ - 35;
  if (bytes <= most) {
    if (bytes > static_cast<size_t>(end - p)) return fail(ErrorCode::kCorrupt, "a row ends beyond its page");
    cell->payload = {p, bytes};
    return {};
  }
  if (bytes > max_row_bytes_ || bytes > uint64_t{page_count_} * page_bytes_)
    return fail(ErrorCode::kCorrupt, "a row of " + std::to_string(bytes) + " bytes");
  const size_t least = (usable_ - 12) * 32 / 255 - 23;
  size_t local = least + (bytes - least) % (usable_ - 4);
  if (local > most) local = least;
  if (local + 4 > static_cast<size_t>(end - p))
    return fail(ErrorCode::kCorrupt, "a row ends beyond its page");
  overflow_.resize(bytes);
  std::memcpy(overflow_.data(), p, local);
  cell->payload = overflow_;
  return follow_overflow(be32(p + local), local, &overflow_);
}

Status SqlitePages::leaf(const uint8_t* page, uint32_t number, Wanted* wanted) {
  const size_t header = number == 1 ? kFileHeaderBytes : 0;
  const uint32_t cells = be16(page + header + 3);
  if (header + 8 + size_t{cells} * 2 > usable_) return broken(number, "more rows than fit");
  for (uint32_t i = 0; i < cells; ++i) {
    Cell cell;
    const size_t at = be16(page + header + 8 + size_t{i} * 2);
    if (at >= usable_) return broken(number, "a row beyond the page");
    if (Status parsed = parse_cell(page, at, &cell); !parsed) return broken(number, parsed.error().message);
    if (!wanted->parse(cell)) return broken(number, "a malformed row");
    if (!(*wanted->use)(wanted->values)) {
      wanted->stopped = true;
      return {};
    }
  }
  return {};
}

Status SqlitePages::descend(uint32_t number, int depth, Wanted* wanted) {
  if (depth > kMaxDepth || ++wanted->pages > page_count_)
    return broken(number, "pages that lead in a circle");
  bytes_scanned_ += page_bytes_;
  if (wanted->pages % kPagesBetweenQuestions == 0 && *wanted->go_on && !(*wanted->go_on)())
    return fail(ErrorCode::kUnsupported, "stopped: it takes too long");
  SEXTANT_ASSIGN(const uint8_t* bytes, page(number));
  const size_t header = number == 1 ? kFileHeaderBytes : 0;
  if (bytes[header] == kLeafTable) return leaf(bytes, number, wanted);
  if (bytes[header] != kInteriorTable) return broken(number, "no page of a table");
  const std::vector<uint8_t> interior(bytes, bytes + page_bytes_);  // children take the window
  const uint32_t cells = be16(interior.data() + header + 3);
  if (header + 12 + size_t{cells} * 2 > usable_) return broken(number, "more children than fit");
  for (uint32_t i = 0; i <= cells && !wanted->stopped; ++i) {
    const size_t at = i < cells ? be16(interior.data() + header + 12 + size_t{i} * 2) : header + 8;
    if (at + 4 > usable_) return broken(number, "a child beyond the page");
    SEXTANT_TRY(descend(be32(interior.data() + at), depth + 1, wanted));
  }
  return {};
}

Status SqlitePages::scan(const SourceTable& table, std::span<const int> columns,
                         const SqliteDatabase::GoOn& go_on,
                         const std::function<bool(std::span<const Value>)>& use) {
  Wanted wanted(table, columns);
  wanted.use = &use;
  wanted.go_on = &go_on;
  return descend(table.root_page, 0, &wanted);
}

}  // namespace sextant::importers
