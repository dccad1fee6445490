// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/reader.h"

#include <fcntl.h>

#include <cerrno>

#include "report/checksum.h"
#include "report/chunk_body.h"
#include "report/dictionary.h"
#include "report/directory.h"
#include "report/reader_state.h"
#include "report/schema_text.h"

namespace sextant::report {

namespace {

bool known(const ChunkHeader& h) {
  const auto kind = static_cast<ChunkKind>(h.kind);
  if (kind == ChunkKind::kData || kind == ChunkKind::kSummary || kind == ChunkKind::kOverview)
    return h.table >= event::kFirstForeignTable || event::find_table(h.table) != nullptr;
  return kind >= ChunkKind::kMeta && kind <= ChunkKind::kCheckpoint;
}

/// Reads the chunks that a reader keeps in memory: schema, meta, strings.
void load(Reader::State* s) {
  std::vector<uint8_t> body;
  Directory& d = s->directory;
  const auto damaged = [&](const ChunkRef& chunk, std::string what) {
    add_damage(&d.damage, chunk.offset, chunk_bytes(chunk.header), std::move(what));
  };
  for (const ChunkRef& chunk : d.chunks) {
    if (!known(chunk.header)) ++s->unknown_chunks;
    const auto kind = static_cast<ChunkKind>(chunk.header.kind);
    if (kind != ChunkKind::kSchema && kind != ChunkKind::kMeta && kind != ChunkKind::kStrings) continue;
    if (Status read = read_body(s->fd.get(), chunk, &body); !read) {
      damaged(chunk, read.error().message);
      continue;
    }
    if (kind == ChunkKind::kSchema) {
      if (!parse_schema({reinterpret_cast<const char*>(body.data()), body.size()}, &s->tables))
        damaged(chunk, "a malformed description of tables");
    } else if (kind == ChunkKind::kMeta) {
      if (!parse_meta(body, &s->meta)) damaged(chunk, "malformed key/value pairs");
    } else if (Status added = s->dictionary.add(body, chunk.header.rows); !added) {
      damaged(chunk, added.error().message);
    }
  }
}

}  // namespace

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Reader> Reader::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  // not blocking: a FIFO in place of a report must not hang
  state->fd = base::Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!state->fd.valid()) return fail_errno(errno, "cannot open " + path);
  SEXTANT_ASSIGN(state->directory, read_directory(state->fd.get(), path, Lookup::kIndexThenWalk));
  load(state.get());
  return Reader(std::move(state));
}

const std::string& Reader::path() const {
  return state_->path;
}
const FileHeader& Reader::header() const {
  return state_->directory.header;
}
bool Reader::complete() const {
  return state_->directory.complete;
}
uint64_t Reader::file_bytes() const {
  return state_->directory.file_bytes;
}
uint64_t Reader::unfinished_bytes() const {
  return state_->directory.unfinished_bytes;
}
const std::map<std::string, std::string>& Reader::meta() const {
  return state_->meta;
}
const std::vector<TableInfo>& Reader::tables() const {
  return state_->tables;
}
std::span<const ChunkRef> Reader::chunks() const {
  return state_->directory.chunks;
}
std::span<const Damage> Reader::damage() const {
  return state_->directory.damage;
}
std::string_view Reader::string(uint64_t id) const {
  return state_->dictionary.find(id);
}
size_t Reader::string_count() const {
  return state_->dictionary.size();
}
uint64_t Reader::unknown_chunks() const {
  return state_->unknown_chunks;
}

Status Reader::read_column(const ChunkRef& chunk, uint16_t column, std::vector<uint64_t>* out) const {
  return read_columns(chunk, {&column, 1}, {out, 1});
}

Status Reader::read_columns(const ChunkRef& chunk, std::span<const uint16_t> columns,
                            std::span<std::vector<uint64_t>> out) const {
  thread_local std::vector<uint8_t> body;
  if (!has_columns(chunk.header)) return fail(ErrorCode::kInternal, "columns asked of a chunk that has none");
  SEXTANT_TRY(read_body(state_->fd.get(), chunk, &body));
  size_t end = 0;
  SEXTANT_ASSIGN(const std::vector<ColumnPart> parts, split_columns(chunk.header, body, &end));
  return decode_columns(chunk.header, parts, columns, out);
}

const ChunkRef* Reader::overview_of(const ChunkRef& chunk) const {
  const std::span<const ChunkRef> all = chunks();
  if (&chunk <= all.data() || &chunk >= all.data() + all.size()) return nullptr;
  const ChunkRef& before = *(&chunk - 1);
  const ChunkHeader &a = before.header, &b = chunk.header;
  const bool of_it = a.kind == static_cast<uint16_t>(ChunkKind::kOverview) && a.table == b.table &&
                     a.rows == b.rows && a.group == b.group && before.offset + chunk_bytes(a) == chunk.offset;
  return of_it ? &before : nullptr;
}

Result<Overview> Reader::read_overview(const ChunkRef& chunk) const {
  thread_local std::vector<uint8_t> body;
  SEXTANT_TRY(read_body(state_->fd.get(), chunk, &body));
  return decode_overview(body, chunk.header.table, chunk.header.rows);
}

Result<std::vector<Provenance>> Reader::provenance(const ChunkRef& chunk) const {
  std::vector<uint8_t> body;
  SEXTANT_TRY(read_body(state_->fd.get(), chunk, &body));
  return parse_provenance(chunk.header, body);
}

}  // namespace sextant::report
