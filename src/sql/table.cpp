// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sql/table.h"

#include <algorithm>
#include <bit>

#include "event/schema_target.h"
#include "exporters/nsys_ids.h"
#include "nsys/tables.h"
#include "text/sql_name.h"

namespace sextant::sql {

namespace {

constexpr uint64_t kCachedBytes = 64u << 20;  // the newest block stays, however large

uint64_t at(const Block& block, uint16_t column, size_t row) {
  const std::vector<uint64_t>* values = block.find(column);
  return values == nullptr || row >= values->size() ? 0 : (*values)[row];
}

/// A block that could not be read counts, too: there may be many.
uint64_t bytes_of(const Block* block) {
  return 256 + (block == nullptr ? 0 : block->rows * block->columns.size() * sizeof(uint64_t));
}

void want(std::vector<uint16_t>* ids, uint16_t id) {
  if (std::find(ids->begin(), ids->end(), id) == ids->end()) ids->push_back(id);
}

/// Column numbers that a layout's cells need, the start of an end included.
std::vector<uint16_t> needed(const std::vector<Cell>& cells) {
  std::vector<uint16_t> ids;
  for (const Cell& cell : cells) {
    if (cell.value != Value::kNothing && cell.value != Value::kConstant) want(&ids, cell.column);
    if (cell.value == Value::kThread || cell.value == Value::kEnd || cell.value == Value::kKept)
      want(&ids, cell.second);
    if (cell.test != Test::kAlways) want(&ids, cell.test_column);
  }
  return ids;
}

}  // namespace

std::vector<uint64_t>& Block::column(uint16_t id) {
  for (size_t c = 0; c < ids.size(); ++c)
    if (ids[c] == id) return columns[c];
  ids.push_back(id);
  return columns.emplace_back();
}

const std::vector<uint64_t>* Block::find(uint16_t id) const {
  for (size_t c = 0; c < ids.size(); ++c)
    if (ids[c] == id) return &columns[c];
  return nullptr;
}

void Table::add(Part part) {
  part.first_row = static_cast<int64_t>(rows()) + 1;
  if (part.rows > 0) parts.push_back(std::move(part));
}

int Table::find(std::string_view column) const {
  for (size_t c = 0; c < columns.size(); ++c)
    if (columns[c].name == column) return static_cast<int>(c);
  return -1;
}

std::string Table::declaration() const {
  std::string out = "CREATE TABLE " + text::sql_quoted(name) + " (";
  for (size_t c = 0; c < columns.size(); ++c)
    out += (c == 0 ? "" : ", ") + text::sql_quoted(columns[c].name) + (columns[c].type.empty() ? "" : " ") +
           columns[c].type;
  return out + ")";
}

Values::Values(const query::Source& source) : source_(source) {
  for (const query::Process& process : source.processes())
    globals_[process.number] = exporters::global_pid(process.pid);
  using namespace event::imported_process;
  const uint16_t columns[] = {kProcess, kGlobalId};
  // what cannot be read is among source.skipped()
  (void)source.scan_table(event::kImportedProcess, columns, 1, [&](size_t, query::TableBatch& batch) {
    for (size_t i = 0; i < batch.rows; ++i)
      globals_[batch.columns[0][i]] = static_cast<int64_t>(batch.columns[1][i]);
  });
}

int64_t Values::global_pid(uint64_t process) const {
  const auto found = globals_.find(process);
  return found == globals_.end() ? 0 : found->second;
}

int64_t Values::domain(uint64_t name) {
  if (name == 0) return 0;
  return domains_.emplace(name, static_cast<int64_t>(domains_.size()) + 1).first->second;
}

int64_t Values::string_number(uint64_t string) const {
  return string < string_numbers_.size() ? string_numbers_[string] : static_cast<int64_t>(string);
}

std::shared_ptr<const Block> Values::read(const Table& table, const Part& part, Columns columns) {
  if (part.memory) return part.memory;
  const auto known = std::find_if(cache_.begin(), cache_.end(),
                                  [&](const Cached& c) { return c.part == &part && c.columns == columns; });
  if (known != cache_.end()) {
    Cached found = std::move(*known);
    cache_.erase(known);
    cache_.push_front(found);
    return found.block;
  }
  std::vector<Cell> cells;
  for (size_t c = 0; c < part.layout->size(); ++c)
    if (has(columns, c)) cells.push_back((*part.layout)[c]);
  if (table.row_number.value != Value::kNothing) cells.push_back(table.row_number);
  std::shared_ptr<const Block> block = read_chunk(part, cells);
  cache_.push_front({&part, columns, block});
  cached_bytes_ += bytes_of(block.get());
  while (cached_bytes_ > kCachedBytes && cache_.size() > 1) {
    cached_bytes_ -= bytes_of(cache_.back().block.get());
    cache_.pop_back();
  }
  return block;
}

std::shared_ptr<Block> Values::read_chunk(const Part& part, const std::vector<Cell>& cells) {
  auto block = std::make_shared<Block>();
  block->rows = part.rows;
  block->ids = needed(cells);
  block->columns.resize(block->ids.size());
  if (block->ids.empty()) return block;
  if (const Status read = source_.reader().read_columns(*part.chunk, block->ids, block->columns); !read) {
    const uint64_t offset = part.chunk->offset;
    const bool known = std::any_of(skipped_.begin(), skipped_.end(),
                                   [&](const report::Damage& d) { return d.offset == offset; });
    if (!known) skipped_.push_back({offset, part.chunk->header.body_bytes, read.error().message});
    return nullptr;
  }
  if (part.chunk->header.clock == 0) return block;
  const auto convert = [&](std::vector<uint64_t>& raw) {
    source_.time_map().to_ns(raw, std::span(reinterpret_cast<int64_t*>(raw.data()), raw.size()));
  };
  std::vector<uint16_t> ends, times;
  for (const Cell& cell : cells) {
    if (cell.value == Value::kEnd) want(&ends, cell.column), want(&times, cell.second);
    if (cell.value == Value::kTime) want(&times, cell.column);
  }
  for (const Cell& cell : cells) {
    const auto waiting = std::find(ends.begin(), ends.end(), cell.column);
    if (cell.value != Value::kEnd || waiting == ends.end()) continue;
    ends.erase(waiting);
    std::vector<uint64_t>& end = block->column(cell.column);
    const std::vector<uint64_t>& start = block->column(cell.second);
    for (size_t i = 0; i < end.size(); ++i) end[i] += start[i];
    convert(end);
  }
  for (const uint16_t time : times) convert(block->column(time));
  return block;
}

bool Values::may_touch(const Part& part, int64_t from, int64_t to) const {
  if (part.chunk == nullptr || part.chunk->header.clock == 0) return true;
  const query::TimeMap& map = source_.time_map();
  return map.to_ns(part.chunk->header.time_max) >= from && map.to_ns(part.chunk->header.time_min) <= to;
}

bool Values::there(const Cell& cell, const Block& block, size_t row) const {
  if (cell.test == Test::kAlways) return true;
  const uint64_t tested = at(block, cell.test_column, row);
  switch (cell.test) {
    case Test::kAlways:
      return true;
    case Test::kPresent:
      return !event::is_null(tested, static_cast<uint16_t>(cell.test_value));
    case Test::kNotZero:
      return tested != 0;
    case Test::kBit:
      return (tested & cell.test_value) != 0;
    case Test::kNoBit:
      return (tested & cell.test_value) == 0;
    case Test::kEquals:
      return tested == cell.test_value;
  }
  return false;
}

bool Values::integer(const Cell& cell, const Block& block, size_t row, int64_t* out) {
  if (!there(cell, block, row)) return false;
  const uint64_t bits = at(block, cell.column, row);
  switch (cell.value) {
    case Value::kConstant:
      *out = cell.constant;
      return true;
    case Value::kUint32:
      *out = static_cast<int64_t>(bits & UINT32_MAX);
      return true;
    case Value::kInt32:
      *out = static_cast<int32_t>(bits);
      return true;
    case Value::kInteger:
    case Value::kTime:
    case Value::kEnd:
      *out = static_cast<int64_t>(bits);
      return true;
    case Value::kString:
      *out = string_number(bits);
      return true;
    case Value::kProcess:
      *out = global_pid(bits);
      return true;
    case Value::kThread:
      *out = global_pid(bits) | static_cast<int64_t>(at(block, cell.second, row) & nsys::kTidBits);
      return true;
    case Value::kDomain:
      *out = domain(bits);
      return true;
    default:
      return false;
  }
}

Access Values::access(const Cell& cell, const Block& block) const {
  Access out;
  const bool whole = cell.value == Value::kInteger || cell.value == Value::kTime ||
                     cell.value == Value::kEnd || cell.value == Value::kString;
  const std::vector<uint64_t>* values = block.find(cell.column);
  if (!whole || values == nullptr || values->size() < block.rows) return out;
  if (cell.test == Test::kPresent) {
    const std::vector<uint64_t>* nulls = block.find(cell.test_column);
    if (nulls != nullptr && nulls->size() < block.rows) return out;
    if (nulls != nullptr) out.nulls = nulls->data(), out.null_bit = uint64_t{1} << cell.test_value;
  } else if (cell.test != Test::kAlways) {
    return out;
  }
  if (cell.value == Value::kString && !string_numbers_.empty()) out.numbers = &string_numbers_;
  out.values = values->data();
  out.plain = true;
  return out;
}

void Values::put_text(sqlite3_context* to, uint64_t string) {
  const std::string_view text = source_.reader().string(string);
  sqlite3_result_text64(to, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
}

void Values::put_kept(sqlite3_context* to, const Cell& cell, uint64_t bits, uint64_t kind) {
  using nsys::Kept;
  auto kept = static_cast<Kept>(kind);
  if (kept == Kept::kOwn)
    kept = cell.own == "string" ? Kept::kText : cell.own == "real" ? Kept::kReal : Kept::kInteger;
  // numbers in a column of texts were made texts
  if (cell.own == "string" && (kept == Kept::kInteger || kept == Kept::kReal)) kept = Kept::kText;
  switch (kept) {
    case Kept::kInteger:
      return sqlite3_result_int64(to, static_cast<int64_t>(bits));
    case Kept::kReal:
      return sqlite3_result_double(to, std::bit_cast<double>(bits));
    case Kept::kText:
      return put_text(to, bits);
    case Kept::kBlob: {
      const std::string_view bytes = source_.reader().string(bits);
      return sqlite3_result_blob64(to, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(),
                                   SQLITE_STATIC);
    }
    default:
      return sqlite3_result_null(to);
  }
}

void Values::put(sqlite3_context* to, const Cell& cell, const Block& block, size_t row) {
  int64_t whole = 0;
  if (integer(cell, block, row, &whole)) return sqlite3_result_int64(to, whole);
  if (!there(cell, block, row)) return sqlite3_result_null(to);
  const uint64_t bits = at(block, cell.column, row);
  switch (cell.value) {
    case Value::kReal:
      return sqlite3_result_double(to, std::bit_cast<double>(bits));
    case Value::kFloat:
      return sqlite3_result_double(to, std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case Value::kText:
      return put_text(to, bits);
    case Value::kKept:
      return put_kept(to, cell, bits, at(block, cell.second, row) >> cell.constant & 15);
    default:
      return sqlite3_result_null(to);
  }
}

}  // namespace sextant::sql
