// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/sqlite_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sextant::exporters {

namespace {

constexpr uint32_t kFileHeaderBytes = 100;  // §1.3
constexpr uint32_t kLeafHeader = 8;         // §1.6: b-tree page headers
constexpr uint32_t kInteriorHeader = 12;
constexpr uint8_t kInteriorTable = 5;
constexpr uint8_t kLeafTable = 13;
constexpr size_t kMaxVarint = 9;
constexpr size_t kBufferBytes = 1 << 20;

void put16(uint8_t* out, uint64_t value) {
  put_big_endian(out, value, 2);
}
void put32(uint8_t* out, uint64_t value) {
  put_big_endian(out, value, 4);
}

/// §1.6; a start of 65536 is stored as 0, which the cut to 16 bits does.
void put_page_header(uint8_t* out, uint8_t kind, size_t cells, size_t content_start) {
  out[0] = kind;
  put16(out + 1, 0);  // no free blocks
  put16(out + 3, cells);
  put16(out + 5, content_start);
  out[7] = 0;  // no fragments
}

void put_file_header(uint8_t* out, uint32_t page_bytes, uint32_t pages) {  // §1.3
  std::memset(out, 0, kFileHeaderBytes);
  std::memcpy(out, "SQLite format 3", 16);
  put16(out + 16, page_bytes == 65536 ? 1 : page_bytes);
  out[18] = out[19] = 1;  // rollback journal
  out[21] = 64;           // fixed fractions
  out[22] = 32;
  out[23] = 32;
  put32(out + 24, 1);  // change counter
  put32(out + 28, pages);
  put32(out + 40, 1);        // schema cookie
  put32(out + 44, 4);        // schema format
  put32(out + 56, 1);        // UTF-8
  put32(out + 92, 1);        // change counter for which the page count holds
  put32(out + 96, 3040000);  // the SQLite release whose format this is
}

size_t varint_bytes(uint64_t value) {
  if (value >> 56) return 9;
  return value < 0x80 ? 1 : static_cast<size_t>(std::bit_width(value) + 6) / 7;
}

}  // namespace

SqlitePages::SqlitePages(int fd, uint32_t page_bytes, uint64_t lock_byte)
    : fd_(fd),
      page_bytes_(page_bytes),
      lock_page_(static_cast<uint32_t>(lock_byte / page_bytes) + 1),
      buffer_(std::max<size_t>(kBufferBytes, page_bytes)) {
  if (next_ == lock_page_) buffer_first_ = ++next_;
}

uint8_t* SqlitePages::add() {
  const bool contiguous = buffer_first_ + buffer_used_ / page_bytes_ == next_;
  if (!contiguous || buffer_used_ + page_bytes_ > buffer_.size()) flush();
  if (buffer_used_ == 0) buffer_first_ = next_;
  uint8_t* page = buffer_.data() + buffer_used_;
  buffer_used_ += page_bytes_;
  next_ = after(next_);
  return page;
}

void SqlitePages::flush() {
  write_at(buffer_.data(), buffer_used_, uint64_t{buffer_first_ - 1} * page_bytes_);
  buffer_used_ = 0;
}

void SqlitePages::finish(const uint8_t* first_page) {
  flush();
  write_at(first_page, page_bytes_, 0);
}

void SqlitePages::write_at(const uint8_t* data, size_t bytes, uint64_t offset) {
  while (bytes > 0 && status_) {
    const ssize_t written = ::pwrite(fd_, data, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      status_ = fail_errno(written < 0 ? errno : ENOSPC, "cannot write the database");
      return;
    }
    data += written;
    bytes -= static_cast<size_t>(written);
    offset += static_cast<uint64_t>(written);
  }
}

SqliteTable::SqliteTable(SqlitePages& pages, uint32_t reserved)
    : pages_(pages), reserved_(reserved), cells_(pages.page_bytes() + kMaxVarint) {}

size_t SqliteTable::room() const {
  const size_t used = reserved_ + kLeafHeader + 2 * (offsets_.size() + 1) + cells_used_;
  return used < pages_.page_bytes() ? pages_.page_bytes() - used : 0;
}

void SqliteTable::append(int64_t rowid, const SqliteRecord& record) {
  const std::string_view types = record.types();
  const std::string_view body = record.body();
  const uint64_t header_bytes =
      types.size() + (types.size() < 0x7f ? 1 : 2);  // §2.1; kMaxColumns keeps it below 3 bytes
  const uint64_t payload = header_bytes + body.size();
  ++rows_;
  if (payload > pages_.page_bytes() - 35) {  // §1.6: the most that stays within a leaf
    append_long(rowid, record, payload, header_bytes);
    return;
  }
  if (room() < payload + 2 * kMaxVarint &&
      room() < payload + varint_bytes(payload) + varint_bytes(static_cast<uint64_t>(rowid)))
    flush_leaf();
  last_rowid_ = rowid;
  offsets_.push_back(static_cast<uint16_t>(cells_used_));
  uint8_t* out = cells_.data() + cells_used_;
  out = put_varint(out, payload);
  out = put_varint(out, static_cast<uint64_t>(rowid));
  out = put_varint(out, header_bytes);
  std::memcpy(out, types.data(), types.size());
  out += types.size();
  std::memcpy(out, body.data(), body.size());
  cells_used_ = static_cast<size_t>(out + body.size() - cells_.data());
}

// §1.6: a part of the payload stays in the leaf, the rest fills a chain of overflow pages (§1.7).
void SqliteTable::append_long(int64_t rowid, const SqliteRecord& record, uint64_t payload,
                              uint64_t header_bytes) {
  const uint64_t page = pages_.page_bytes();
  const uint64_t minimum = (page - 12) * 32 / 255 - 23;
  const uint64_t wanted = minimum + (payload - minimum) % (page - 4);
  const uint64_t local = wanted <= page - 35 ? wanted : minimum;

  std::vector<uint8_t> bytes(kMaxVarint + payload);
  uint8_t* end = put_varint(bytes.data(), header_bytes);
  end = std::copy(record.types().begin(), record.types().end(), end);
  std::copy(record.body().begin(), record.body().end(), end);

  if (room() < local + 2 * kMaxVarint + 4) flush_leaf();
  last_rowid_ = rowid;
  offsets_.push_back(static_cast<uint16_t>(cells_used_));
  uint8_t* out = cells_.data() + cells_used_;
  out = put_varint(out, payload);
  out = put_varint(out, static_cast<uint64_t>(rowid));
  std::memcpy(out, bytes.data(), local);
  out += local;
  put32(out, pages_.next());
  cells_used_ = static_cast<size_t>(out + 4 - cells_.data());

  for (uint64_t done = local; done < payload;) {
    const uint32_t number = pages_.next();
    uint8_t* overflow = pages_.add();
    const uint64_t part = std::min(payload - done, page - 4);
    const bool last = done + part == payload;
    put32(overflow, last ? 0 : pages_.after(number));
    std::memcpy(overflow + 4, bytes.data() + done, part);
    if (last) std::memset(overflow + 4 + part, 0, page - 4 - part);
    done += part;
  }
}

void SqliteTable::build_leaf(uint8_t* page, uint32_t offset) const {
  const size_t content = pages_.page_bytes() - cells_used_;
  put_page_header(page + offset, kLeafTable, offsets_.size(), content);
  uint8_t* out = page + offset + kLeafHeader;
  for (const uint16_t cell : offsets_) {
    put16(out, content + cell);
    out += 2;
  }
  std::memset(out, 0, static_cast<size_t>(page + content - out));
  std::memcpy(page + content, cells_.data(), cells_used_);
}

void SqliteTable::flush_leaf() {
  if (offsets_.empty()) return;
  const uint32_t number = pages_.next();
  build_leaf(pages_.add(), 0);
  children_.push_back({number, last_rowid_});
  offsets_.clear();
  cells_used_ = 0;
}

void SqliteTable::build_interior(uint8_t* page, uint32_t offset, const Child* children, size_t count) const {
  uint8_t* pointer = page + offset + kInteriorHeader;
  size_t content = pages_.page_bytes();
  for (size_t i = 0; i + 1 < count; ++i) {
    uint8_t cell[4 + kMaxVarint];
    put32(cell, children[i].page);
    const size_t bytes =
        static_cast<size_t>(put_varint(cell + 4, static_cast<uint64_t>(children[i].last_rowid)) - cell);
    content -= bytes;
    std::memcpy(page + content, cell, bytes);
    put16(pointer, content);
    pointer += 2;
  }
  std::memset(pointer, 0, static_cast<size_t>(page + content - pointer));
  put_page_header(page + offset, kInteriorTable, count - 1, content);
  put32(page + offset + 8, children[count - 1].page);  // §1.6: the right-most child
}

/// Builds levels of interior pages until the children fit into the root.
void SqliteTable::collapse_levels() {
  const size_t most = (pages_.page_bytes() - reserved_ - kInteriorHeader) / (2 + 4 + kMaxVarint);
  while (children_.size() > most) {
    const size_t groups = (children_.size() + most - 1) / most;
    std::vector<Child> above;
    for (size_t i = 0; i < groups; ++i) {  // evenly, so that no page has a single child
      const size_t first = children_.size() * i / groups;
      const size_t last = children_.size() * (i + 1) / groups;
      const uint32_t number = pages_.next();
      build_interior(pages_.add(), 0, &children_[first], last - first);
      above.push_back({number, children_[last - 1].last_rowid});
    }
    children_ = std::move(above);
  }
}

uint32_t SqliteTable::finish() {
  if (children_.empty()) {
    const uint32_t number = pages_.next();
    build_leaf(pages_.add(), 0);
    return number;
  }
  flush_leaf();
  collapse_levels();
  const uint32_t number = pages_.next();
  build_interior(pages_.add(), 0, children_.data(), children_.size());
  return number;
}

void SqliteTable::finish_into(uint8_t* page) {
  const size_t bytes = reserved_ + kLeafHeader + 2 * offsets_.size() + cells_used_;
  if (children_.empty() && bytes <= pages_.page_bytes()) {
    build_leaf(page, reserved_);
    return;
  }
  flush_leaf();
  collapse_levels();
  build_interior(page, reserved_, children_.data(), children_.size());
}

SqliteFile::SqliteFile(int fd, const Options& options) : pages_(fd, options.page_bytes, options.lock_byte) {}

SqliteTable& SqliteFile::add_table(std::string name, std::string sql, Empty empty) {
  tables_.push_back({std::move(name), std::move(sql), empty, std::make_unique<SqliteTable>(pages_)});
  return *tables_.back().table;
}

Status SqliteFile::finish() {
  SqliteTable schema(pages_, kFileHeaderBytes);  // §2.6; its root is page 1
  SqliteRecord row;
  for (const Entry& entry : tables_) {
    if (entry.table->rows() == 0 && entry.empty == Empty::kLeftOut) continue;
    row.clear();
    row.text("table").text(entry.name).text(entry.name).integer(entry.table->finish()).text(entry.sql);
    schema.append(row);
  }
  std::vector<uint8_t> first(pages_.page_bytes());
  schema.finish_into(first.data());
  put_file_header(first.data(), pages_.page_bytes(), pages_.count());
  pages_.finish(first.data());
  return pages_.status();
}

}  // namespace sextant::exporters
