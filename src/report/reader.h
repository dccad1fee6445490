// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reader opens a report, complete, growing or damaged. It maps nothing and trusts nothing: every length is
// checked before it is used, memory is bounded by one chunk plus strings plus the chunk directory. Whatever
// cannot be read is skipped and counted in `damage()`.
//
// const methods are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/schema.h"
#include "report/format.h"
#include "report/overview.h"

namespace sextant::report {

struct ChunkRef {
  uint64_t offset = 0;
  ChunkHeader header{};
};

struct Damage {
  uint64_t offset = 0;
  uint64_t bytes = 0;  // skipped
  std::string what;    // one sentence
};

/// A table as the file describes it (kSchema); also one that this release does not know.
struct ColumnInfo {
  uint16_t id = 0;
  std::string name;
  std::string type;  // name of the event::Type, §4
};
struct TableInfo {
  uint16_t id = 0;
  std::string name;
  uint16_t key_columns = 0;
  std::vector<ColumnInfo> columns;
};

class Reader {
 public:
  /// Errors: kNotFound/kDenied/kIo, kCorrupt (not a report, or its header is damaged), kUnsupported (newer
  /// major).
  static Result<Reader> open(const std::string& path);

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  const std::string& path() const;
  const FileHeader& header() const;
  bool complete() const;  // has a valid trailer and index: nothing was added later
  /// Bytes at the end of a file without trailer that are the start of a group still being written, or torn by
  /// a kill. Its chunks are left out of chunks(), and it is no damage: whoever recovers the file writes these
  /// records again.
  uint64_t unfinished_bytes() const;
  uint64_t file_bytes() const;

  const std::map<std::string, std::string>& meta() const;
  const std::vector<TableInfo>& tables() const;  // by the file's own description, ordered by id
  std::span<const ChunkRef> chunks() const;      // in file order, every kind; damaged ones left out
  std::span<const Damage> damage() const;
  std::string_view string(uint64_t id) const;  // "" for 0, "(unknown string)" for ids never written
  size_t string_count() const;
  uint64_t unknown_chunks() const;  // kinds and tables of later releases among chunks(): to be skipped

  /// One column of a kData or kSummary chunk as 64-bit patterns, `out` resized to its rows; zeros when the
  /// chunk does not store it. The chunk's checksum is checked. Errors: kIo, kCorrupt (skip the chunk and
  /// count it), kUnsupported (encoding of a later release: the other columns can still be read).
  Status read_column(const ChunkRef& chunk, uint16_t column, std::vector<uint64_t>* out) const;

  /// Several columns with one read of the chunk. out.size() == columns.size().
  Status read_columns(const ChunkRef& chunk, std::span<const uint16_t> columns,
                      std::span<std::vector<uint64_t>> out) const;

  /// The overview (§6.2) of a data chunk, which is one of chunks(); nullptr: it has none.
  const ChunkRef* overview_of(const ChunkRef& chunk) const;
  /// Errors: kIo, kCorrupt.
  Result<Overview> read_overview(const ChunkRef& chunk) const;

  /// The provenance table of a group's last chunk (kGroupEnd) or kCheckpoint.
  Result<std::vector<Provenance>> provenance(const ChunkRef& chunk) const;

  /// Walks the file as it was when it was opened, reads every chunk to the end, checks every checksum and
  /// bound, decodes every column, and looks up every string id. Empty: all is well (an unfinished tail is no
  /// damage, see above).
  std::vector<Damage> verify() const;

  struct State;  // private to the implementation, see reader_state.h

 private:
  explicit Reader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sextant::report
