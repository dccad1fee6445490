// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Database: a report as an SQL database with the tables and columns of nsys's exports, read where it lies.
// Statements may read, and make TEMP objects; nothing else: no other file is opened, nothing is written. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/query.h"

namespace sextant::sql {

struct Limits {
  int64_t time_ns = 0;                        // of one run(); 0: none
  uint64_t memory_bytes = uint64_t{1} << 30;  // of SQLite, and of the indexes that joins need
  bool by_options = true;                     // whoever asks can raise them: errors name the options
};

/// A value of a row. Text and bytes are valid until the next row.
struct Datum {
  enum class Kind : uint8_t { kNull, kInteger, kReal, kText, kBlob } kind = Kind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string_view bytes;
};

/// What became of a line that begins with a dot.
enum class Command : uint8_t { kUnknown, kDone, kQuit };

/// Receives results. False from row(): no more is wanted.
struct Receiver {
  std::function<void(const std::vector<std::string>& columns)> begin;  // of a statement that gives rows
  std::function<bool(const std::vector<Datum>& row)> row;
  std::function<void()> end;
  std::function<void(std::string_view)> note;
  /// Asked first for lines like ".mode csv"; may be empty. An error ends the run.
  std::function<Result<Command>(std::string_view line)> command;
};

/// Must all parameters be named by some statement?
enum class Unused : uint8_t { kRefused, kAllowed };

class Database {
 public:
  /// `source` stays the caller's and must outlive the database.
  static Result<Database> open(const query::Source& source, const Limits& limits);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Runs statements one after the other; also `.tables` and `.schema [TABLE]`, each ended by a semicolon or
  /// the end of its line. `parameters` by name, without : @ or $; those that look like numbers are numbers.
  Status run(std::string_view statements, const std::map<std::string, std::string>& parameters,
             const Receiver& to, Unused unused = Unused::kRefused);

  /// Ends the statement that runs; may be called from a signal handler.
  void interrupt();

  /// Is it at the end of a statement, with a semicolon that is neither in quotes nor in a comment?
  static bool is_complete(const std::string& statements);

  /// What could not be read so far; rows of these parts were passed over.
  const std::vector<report::Damage>& skipped() const;

  struct State;  // private to the implementation

 private:
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sextant::sql
