// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Where tables go and how they look: -f, -o, --timeunit and --force-overwrite of the commands that print
// tables. As in nsys -f and -o are lists, one entry for each table, the last one for all that follow:
// `-f csv,column -o .,-`.
//
//   -o -          standard output (the default)
//   -o .          a file beside the report: REPORT_nvtx_sum.csv
//   -o BASE       a file BASE_nvtx_sum.csv; of one of several reports BASE_REPORT_nvtx_sum.csv
//   -o @COMMAND   standard input of a shell command, which only the command line itself can name
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/open_report.h"
#include "exporters/output_file.h"
#include "text/output.h"
#include "text/table.h"

namespace sextant::cli {

class TableOutput {
 public:
  TableOutput(const Arguments& arguments, const OpenedReport& report);
  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;
  ~TableOutput();

  /// Of the table that comes next.
  text::TableFormat format() const;
  text::TimeUnit unit() const { return unit_; }

  /// All tables are of that format and go to standard output.
  bool to_one_place(text::TableFormat format) const;

  /// Opens the place of the next table, which has that name ("cuda_gpu_kern_sum:base"). nullptr: it cannot be
  /// written, and that was said. Valid until close().
  text::Output* open(std::string_view name);
  /// The table is whole. False: it could not be written, and that was said.
  bool close();

  /// open(), the table in the wanted unit and format, close().
  bool print(text::Table table);

  /// A write has failed, so that there is no use in going on.
  bool failed() const { return failed_ || standard_.failed(); }
  /// Everything was printed. False: standard output could not be written, and that was said.
  bool finish();

 private:
  std::string file_name(std::string_view base, std::string_view name) const;
  text::Output* open_file(const std::string& path);
  text::Output* open_command(const std::string& command);
  bool close_command();

  std::string stem_, set_name_;  // of the report
  std::string suffix_;           // of file names: what the filters leave
  std::vector<text::TableFormat> formats_;
  std::vector<std::string> places_;
  text::TimeUnit unit_;
  bool replace_;
  size_t next_ = 0;  // table
  bool failed_ = false;
  text::Output standard_;
  // the open table, if it does not go to standard output
  std::optional<text::Output> output_;
  std::optional<exporters::OutputFile> file_;
  FILE* command_ = nullptr;
  void (*broken_pipe_before_)(int) = nullptr;
  std::string place_;
};

/// Whether all tables go to standard output in formats where a heading between them does no harm.
bool prints_for_people(const Arguments& arguments);

}  // namespace sextant::cli
