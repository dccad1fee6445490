// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of importers/: the rows of one table of nsys to rows of the vocabulary, 64 K at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "importers/nsys_processes.h"
#include "importers/nsys_strings.h"
#include "importers/sqlite_database.h"
#include "nsys/tables.h"
#include "report/writer.h"

namespace sextant::importers {

using nsys::kSessionStartRaw;

/// What was left out, to be told in diagnostics: column -> number of values.
struct NsysLosses {
  std::map<std::string, uint64_t> wrong_type;
  std::map<std::string, uint64_t> unknown_string;
};

/// What all tables of one import share.
struct NsysImportState {
  const SqliteDatabase* database = nullptr;
  report::Writer* writer = nullptr;
  NsysStrings strings;
  NsysProcesses processes;
  NsysLosses losses;
};

class NsysRows {
 public:
  NsysRows(NsysImportState& state, const SourceTable& source, const nsys::Target& target);

  /// Reads the whole table and writes it. `seen` is called with every full batch before it is written, to
  /// take notes.
  using Seen = std::function<void(const report::Rows&)>;
  Status import(const Seen& seen);

  uint64_t rows() const { return rows_read_; }
  /// Columns of the source that have no place, joined by commas.
  const std::string& left_out() const { return left_out_; }

 private:
  struct Step {
    nsys::From from;
    size_t value;  // position in a row of wanted values
    std::vector<uint64_t>* out;
    uint64_t null_bit;
    uint16_t to;
    uint64_t wrong_type = 0;
    uint64_t unknown_string = 0;
  };

  void plan();
  void add(std::span<const Value> row);
  bool convert(Step& step, std::span<const Value> row, uint64_t* out);
  bool convert_text(const Value& value, Step& step, uint64_t* out);
  Status flush(const Seen& seen);
  void tell_losses();

  NsysImportState& state_;
  const SourceTable& source_;
  const nsys::Target target_;
  report::Rows batch_;
  std::vector<uint64_t>* nulls_ = nullptr;
  std::vector<int> wanted_;  // columns of the source
  std::vector<Step> steps_;
  uint64_t always_null_ = 0;
  uint64_t start_ = 0;  // of the row at hand, for its duration
  bool counts_events_ = false;
  uint64_t rows_read_ = 0;
  std::string left_out_;
};

}  // namespace sextant::importers
