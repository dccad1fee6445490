// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reader opens a report, complete, growing or damaged. It maps nothing and trusts nothing: every length is checked
// before it is used, memory is bounded by one chunk plus strings plus the chunk directory. Whatever cannot be read is skipped and counted in `damage()`.
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

namespace sextant::report {

struct ChunkRef {
  uint64_t offset = 0;
  ChunkHeader header{};
};

struct Damage {
  uint64_t offset = 0;
  uint64_t bytes = 0;    // skipped
  std::string what;      // one sentence
};

class Reader {
 public:
  /// Errors: kNotFound/kDenied/kIo, kCorrupt (not a report, or its header is damaged), kUnsupported (newer major).
  static Result<Reader> open(const std::string& path);

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  const std::string& path() const;
  const FileHeader& header() const;
  bool complete() const;      // has a valid trailer: nothing is missing
  uint64_t file_bytes() const;

  const std::map<std::string, std::string>& meta() const;
  std::span<const ChunkRef> chunks() const;              // in file order, every kind; damaged ones left out
  std::span<const Damage> damage() const;
  std::string_view string(uint64_t id) const;            // "" for 0, "(unknown string)" for ids never written
  size_t string_count() const;
  uint64_t unknown_chunks() const;                       // kinds and tables of later releases, skipped

  /// One column of a kData chunk as 64-bit patterns, `out` resized to its rows; zeros when the chunk does not store it.
  Status read_column(const ChunkRef& chunk, uint16_t column, std::vector<uint64_t>* out) const;

  /// Several columns with one read of the chunk. out.size() == columns.size().
  Status read_columns(const ChunkRef& chunk, std::span<const uint16_t> columns,
                      std::span<std::vector<uint64_t>> out) const;

  /// The provenance table of a group's last chunk (kGroupEnd) or kCheckpoint.
  Result<std::vector<Provenance>> provenance(const ChunkRef& chunk) const;

  /// Reads every chunk to the end and checks every checksum and bound. Empty: all is well.
  std::vector<Damage> verify() const;

 private:
  struct State;
  explicit Reader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sextant::report
