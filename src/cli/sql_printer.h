// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// SqlPrinter: results of statements on standard output, one after the other, an empty line between them. Rows
// are printed as they come in csv, tsv and json; the other formats wait for the last one, to align columns.
#pragma once

#include <string>
#include <vector>

#include "sql/database.h"
#include "text/output.h"
#include "text/table.h"

namespace sextant::cli {

class SqlPrinter {
 public:
  explicit SqlPrinter(text::TableFormat format) : format_(format) {}

  /// What is given to Database::run; refers to the printer.
  sql::Receiver receiver();

  void set_format(text::TableFormat format) { format_ = format; }
  void print(std::string_view text) { out_.write(text); }

  /// What was printed so far goes out, where the output can be written.
  Status finish() { return out_.finish(); }
  bool broken_pipe() const { return out_.broken_pipe(); }

 private:
  bool separated() const { return format_ == text::TableFormat::kCsv || format_ == text::TableFormat::kTsv; }
  void begin(const std::vector<std::string>& columns);
  bool add(const std::vector<sql::Datum>& row);
  void end();
  void add_json(const std::vector<sql::Datum>& row);
  void keep(const std::vector<sql::Datum>& row);
  void print_kept();
  template <typename Values, typename AsText>
  void write_separated(const Values& values, AsText as_text);

  struct Kept {
    sql::Datum::Kind kind;
    int64_t integer;
    std::string text;
  };
  text::TableFormat format_;
  text::Output out_{1};
  std::vector<std::string> columns_;
  std::vector<Kept> kept_;
  uint64_t rows_ = 0;
  size_t results_ = 0;
};

}  // namespace sextant::cli
