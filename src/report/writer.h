// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Writer appends chunks to a report. Every append is one write(2) sequence that ends before the call returns,
// so a kill between two calls leaves a readable file and a kill within one leaves a torn tail that readers
// skip.
//
// Not thread-safe: one owner. Errors: kIo (disk full; the file stays readable, and the failed chunk is cut
// off again where possible).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/schema.h"
#include "report/format.h"

namespace sextant::report {

/// Rows of one table (of event::tables(), or one of the file's own with a number from
/// event::kFirstForeignTable on; that one is described in the file before its first rows), column by column,
/// in the order of the table's columns; each value a 64-bit pattern. A column may be left empty: then it is
/// not stored and reads as 0. All others have the same length.
struct Rows {
  const event::Table* table = nullptr;
  std::vector<std::vector<uint64_t>> columns;

  explicit Rows(const event::Table& t) : table(&t), columns(t.columns.size()) {}
  /// By the column's id (event::nvtx::kName ...), which is not its position in tables that leave columns out.
  std::vector<uint64_t>& column(uint16_t id);
  size_t count() const;
  void clear();  // keeps capacity
};

class Writer {
 public:
  struct Options {
    std::array<uint8_t, 16> run_id{};
    uint32_t clock_kind = 0;
    bool replace =
        false;  // an existing file loses its name (is never truncated) once the first write succeeded
    int zstd_level = 1;
  };

  /// Creates the file exclusively (O_EXCL, mode 0666 & ~umask), or prepares to replace; nothing is written
  /// yet with `replace`.
  static Result<Writer> create(const std::string& path, const Options& options);

  /// Opens an unfinished report to append (recovery): drops the torn tail and an old index, restores the
  /// string dictionary. `done` receives the provenance of all groups in the file; a group without its end is
  /// dropped, and named nowhere.
  /// A file that another process has open for writing is waited for (2 s: it may be dying), then refused:
  /// kDenied.
  static Result<Writer> reopen(const std::string& path, std::vector<Provenance>* done);

  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  /// The global id of a string; new ones are written before the next chunk. Id 0 is "".
  uint32_t string_id(std::string_view text);
  /// The string with an id that string_id() gave; valid until the next call of it.
  std::string_view string(uint32_t id) const;
  size_t string_count() const;

  Status write_meta(std::string_view key, std::string_view value);

  /// Writes all non-empty `parts` as one group; the last chunk carries `provenance`. With no rows at all, a
  /// kCheckpoint chunk carries it. After success the records named by `provenance` may be forgotten.
  Status write_group(std::span<const Rows* const> parts, std::span<const Provenance> provenance);

  /// A row of a summary: so many rows of the table have this name and this duration.
  struct NamedDuration {
    uint64_t name, duration, count;
  };
  /// Sums up all rows of a table, after the last of them was written (§6.1): readers take it for them where
  /// the counts add up to as many rows as the file has.
  Status write_summary(const event::Table& table, std::span<const NamedDuration> rows);

  /// Index and trailer; the file is complete. The writer takes nothing more.
  Status finish();

  uint64_t bytes_written() const;

 private:
  struct State;
  explicit Writer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sextant::report
